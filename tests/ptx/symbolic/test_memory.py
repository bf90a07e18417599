# SPDX-License-Identifier: Apache-2.0
"""`may_touch` against all values of small addresses: it says no only where no lane's store touches the load."""

from __future__ import annotations

import itertools
import random

import pytest

from lanewise.ptx.symbolic.memory import Access, may_touch
from lanewise.ptx.symbolic.terms import Differs, Term, Terms

from .emulating import emulation
from .evaluation import value_of

_WIDTH = 6


def _access(address: Term, bytes_: int, count: int, is_store: bool, space: str = "global") -> Access:
    text = f"    {'st' if is_store else 'ld'}.global.f32 " + ("[%a], %f1;" if is_store else "%f1, [%a];")
    step = emulation("    mov.f32 %f1, 0f00000000;\n" + text).flow.steps[-2]
    return Access(step, is_store, space, address, bytes_, (None,) * count, True)


@pytest.fixture(scope="module")
def pair() -> tuple[Access, Access]:
    unknown = Terms().symbol("p", _WIDTH, Differs.NOT)
    return _access(unknown, 4, 1, True), _access(unknown, 4, 1, False)


def _with(access: Access, address: Term, bytes_: int, count: int, space: str = "global") -> Access:
    return Access(access.step, access.is_store, space, address, bytes_, (None,) * count, True)


def _address(rng: random.Random, terms: Terms, p: Term, i: Term, j: Term) -> Term:
    found = terms.plus(terms.scale(p, rng.choice((1, 1, 1, 2))), rng.randrange(64))
    found = terms.add(found, terms.scale(i, rng.choice((0, 0, 4, 8, 16, 5))))
    return terms.add(found, terms.scale(j, rng.choice((0, 0, 0, 8, 16))))


@pytest.mark.parametrize("seed", range(30))
def test_no_means_that_no_lane_touches_it(seed: int, pair: tuple[Access, Access]) -> None:
    """Addresses of 6 bits, of a base that all lanes share and of a part that is each lane's."""
    rng = random.Random(seed)
    denied = 0
    for _ in range(150):
        terms = Terms()
        p = terms.symbol("p", _WIDTH, Differs.NOT)
        i = terms.symbol("i", _WIDTH, rng.choice((Differs.NOT, Differs.BY_ROW, Differs.BY_PLACE, Differs.FREELY)))
        j = terms.symbol("j", _WIDTH, Differs.FREELY)

        store_bytes, load_bytes = rng.choice((1, 2, 4, 8)), rng.choice((4, 8))
        store = _with(pair[0], _address(rng, terms, p, i, j), store_bytes, rng.choice((1, 1, 2)))
        load = _with(pair[1], _address(rng, terms, p, i, j), load_bytes, rng.choice((1, 1, 2)))
        if may_touch(terms, store, load):
            continue
        denied += 1
        shared = i.differs is Differs.NOT
        for _ in range(60):
            mine = {name: rng.randrange(64) for name in "pij"}
            theirs = {"p": mine["p"], "i": mine["i"] if shared else rng.randrange(64), "j": rng.randrange(64)}
            for lane in (mine, theirs):
                begin = value_of(store.address, lane)
                stored = {(begin + k) % 64 for k in range(store.total_bytes)}
                first = value_of(load.address, mine)
                assert not stored & {(first + k) % 64 for k in range(load.total_bytes)}
    assert denied


def test_constant_distances_exactly(pair: tuple[Access, Access]) -> None:
    terms = Terms()
    p = terms.symbol("p", _WIDTH, Differs.NOT)
    for distance, size, count in itertools.product(range(64), (4, 8), (1, 2)):
        store, load = _with(pair[0], terms.plus(p, distance), 4, count), _with(pair[1], p, size, 1)
        touches = bool({(distance + k) % 64 for k in range(4 * count)} & set(range(size)))
        assert may_touch(terms, store, load) is touches


@pytest.mark.parametrize(
    ("store", "load", "touches"),
    [("global", "shared", False), ("shared", "global", False), ("generic", "global", True), ("global", "generic", True),
     ("generic", "shared", True), ("generic", "generic", True), ("local", "global", False)],
)  # fmt: skip
def test_spaces(store: str, load: str, touches: bool, pair: tuple[Access, Access]) -> None:
    terms = Terms()
    p = terms.symbol("p", _WIDTH, Differs.NOT)
    assert may_touch(terms, _with(pair[0], p, 4, 1, store), _with(pair[1], p, 4, 1, load)) is touches
