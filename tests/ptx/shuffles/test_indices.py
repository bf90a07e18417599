# SPDX-License-Identifier: Apache-2.0
"""32-bit indices that wrap round where they are extended to 64 (`shuffles/overflow.py`): a check at run time where
nothing excludes it, none where the kernel does."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import numpy as np
import pytest

from ..checker.judge import Arguments, Difference, Launch, compare
from ..checker.memory import Placed
from .case import Case, check, difference

_ROOM = 4096


def _around(first: int, unsigned: bool) -> list[Launch]:
    """Launches with %n = `first`, where [%other + 4 * index] can be read for indices on both sides of where they
    wrap."""
    begin, end = (0, 1 << 32) if unsigned else (-1 << 31, 1 << 31)

    def arguments(rng: np.random.Generator, threads: int) -> Arguments:
        below, above = (rng.integers(0, 1 << 32, 2 * _ROOM, np.uint32) for _ in range(2))
        near = rng.integers(0, 1 << 32, 32_000, np.uint32)
        places = (((begin - _ROOM) * 4, below), ((end - _ROOM) * 4, above))
        return np.zeros(threads, np.uint32), near, Placed(places), first & 0xFFFFFFFF

    blocks: tuple[Any, ...] = ((32, 1, 1), (64, 1, 1), (48, 1, 1), (16, 16, 1), (33, 2, 1))
    return [Launch((1, 1, 1), block, partial(arguments, threads=int(np.prod(block)))) for block in blocks]


def _around_where_it_wraps(case: Case, rewritten: str, unsigned: bool) -> Difference | None:
    top = 1 << (32 if unsigned else 31)
    for before in (1, 3, 16, 31, 32, 40, 47):
        found = compare(case.text, rewritten, "k", _around(top - before, unsigned), (before,))
        if found is not None:
            return found
    return None


def _checks(text: str) -> list[str]:
    """The predicates of run-time checks: what is compared with a number that no lane or extent comes near."""
    return re.findall(r"setp\.gt\.[su]32 (%lw_p\d+), %\w+, \d{6,};", text)


_SUM = """
    add.s32 %r1, %x, %n;
    mul.wide.{type} %d1, %r1, 4;
    add.s64 %d1, %d1, %other;
    ld.global.f32 %f1, [%d1];
    {then}
    ld.global.f32 %f2, {place};    // = {lanes}
    use %f1, %f2;
"""
_THERE = """add.s32 %r2, %r1, {c};
    mul.wide.{type} %d2, %r2, 4;
    add.s64 %d2, %d2, %other;"""


def _sum(type_: str, lanes: int, inside: bool) -> Case:
    then = _THERE.format(type=type_, c=lanes) if inside else ""
    place = "[%d2]" if inside else f"[%d1+{4 * lanes}]"
    return Case(_SUM.format(type=type_, then=then, place=place, lanes=lanes))


@pytest.mark.parametrize("lanes", [1, -2, 5, 31])
@pytest.mark.parametrize("unsigned", [False, True])
def test_an_offset_behind_the_extension_is_checked(unsigned: bool, lanes: int) -> None:
    """%tid.x + n may wrap from lane to lane, and the constant may not."""
    case = _sum("u32" if unsigned else "s32", lanes, inside=False)
    made = check(case)
    assert len(_checks(made.text)) == 1
    assert _around_where_it_wraps(case, made.text, unsigned) is None


@pytest.mark.parametrize("lanes", [1, -2, 5])
@pytest.mark.parametrize("unsigned", [False, True])
def test_an_offset_within_the_extension_needs_no_check(unsigned: bool, lanes: int) -> None:
    """Index and constant wrap together, at the same places as the neighbour's."""
    case = _sum("u32" if unsigned else "s32", lanes, inside=True)
    made = check(case)
    assert not _checks(made.text)
    assert _around_where_it_wraps(case, made.text, unsigned) is None


@pytest.mark.parametrize("unsigned", [False, True])
def test_the_lane_itself_is_checked_too(unsigned: bool) -> None:
    """With N = 0, too, `extended(i + 1)` is `extended(i) + 1` only if it doesn't wrap round: no mere mov."""
    type_ = "u32" if unsigned else "s32"
    case = Case(f"""
    add.s32 %r1, %x, %n;
    mul.wide.{type_} %d1, %r1, 4;
    add.s64 %d1, %d1, %other;
    {_THERE.format(type=type_, c=1)}
    ld.global.f32 %f1, [%d1+4];
    ld.global.f32 %f2, [%d2];      // = 0
    use %f1, %f2;
""")
    made = check(case)
    assert made.text.count("ld.global.f32") == 2, "the load is kept for where the index wraps"
    assert _around_where_it_wraps(case, made.text, unsigned) is None


def test_the_lane_itself_needs_no_check_where_nothing_wraps() -> None:
    case = Case("""
    and.b32 %r1, %i, 4095;
    add.s32 %r2, %r1, 1;
    mul.wide.s32 %d1, %r1, 4;
    add.s64 %d1, %d1, %in;
    mul.wide.s32 %d2, %r2, 4;
    add.s64 %d2, %d2, %in;
    ld.global.f32 %f1, [%d1+4];
    ld.global.f32 %f2, [%d2];      // = 0
    use %f1, %f2;
""")
    made = check(case)
    assert "%lw" not in made.text
    assert difference(case, made.text) is None


_GUARDED = """
    mul.lo.s32 %r9, %nx, %n;
    add.s32 %r1, %x, %r9;
    {conditions}
    mul.wide.s32 %d1, %r1, 4;
    add.s64 %d1, %d1, %in;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+8];    // = 2
    use %f1, %f2;
E:
"""


@pytest.mark.parametrize(
    ("conditions", "excludes"),
    [
        ("", False),
        ("setp.gt.s32 %p1, %r1, %n;\n    @!%p1 bra E;", True),  # the neighbour has it, too: it is past no wrap
        ("setp.gt.s32 %p1, %n, 1000;\n    @%p1 bra E;", False),
        ("setp.eq.s32 %p1, %r1, 1000;\n    @%p1 bra E;", False),
        ("mul.lo.s32 %r2, %n, 1001;\n    setp.gt.s32 %p1, %r1, %r2;\n    @%p1 bra E;", False),  # up to the largest
        ("mul.lo.s32 %r2, %n, 1000;\n    setp.gt.s32 %p1, %r1, %r2;\n    @%p1 bra E;", True),  # a multiple of 8
        ("mul.lo.s32 %r2, %n, 1001;\n    setp.ge.s32 %p1, %r1, %r2;\n    @%p1 bra E;", True),
        ("setp.ge.s32 %p1, %r1, 4000;\n    @%p1 bra E;", True),
        ("setp.ge.u32 %p1, %r1, 4000;\n    @%p1 bra E;", True),
        ("setp.lt.s32 %p1, %r1, 0;\n    @%p1 bra E;", True),
        ("setp.lt.s32 %p1, %r1, 0;\n    setp.ge.or.s32 %p1, %r1, 4000, %p1;\n    @%p1 bra E;", True),
        ("setp.ge.s32 %p1, %r1, 4000;\n    @%p1 bra M;\nM:", False),  # not of all flows
    ],
)
def test_a_condition_of_the_kernel_may_exclude_it(conditions: str, excludes: bool) -> None:
    """A bound on one side is enough: where the neighbour's index has wrapped round, it is on the other side, and that
    lane is not active."""
    case = Case(_GUARDED.format(conditions=conditions))
    made = check(case)
    assert bool(_checks(made.text)) is not excludes
    assert difference(case, made.text) is None


def test_a_place_in_a_block_cannot_wrap() -> None:
    """%tid.x is below 1024."""
    case = Case("""
    mul.wide.s32 %d1, %x, 4;
    add.s64 %d1, %d1, %in;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+8];    // = 2
    use %f1, %f2;
""")
    made = check(case)
    assert not _checks(made.text)
    assert difference(case, made.text) is None


def test_checks_of_one_index_are_one() -> None:
    case = Case("""
    add.s32 %r1, %x, %n;
    mul.wide.s32 %d1, %r1, 4;
    add.s64 %d1, %d1, %other;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+8];    // = 2
    ld.global.f32 %f3, [%d1+-4];   // = -1
    ld.global.f32 %f4, [%d1+20];   // = 5
    use %f1, %f2, %f3, %f4;
""")
    made = check(case)
    assert len(_checks(made.text)) == 1
    assert "add.s32 %lw_r0, %r1, -1;" in made.text
    assert f"%lw_r0, {2**31 - 1 - 6};" in made.text
    assert _around_where_it_wraps(case, made.text, unsigned=False) is None


def test_without_a_register_to_check_it_stays() -> None:
    """The index is overwritten in one of two flows before it is extended, so no register has it everywhere."""
    case = Case("""
    add.s32 %r1, %x, %n;
    setp.eq.s32 %p1, %n, 5;
    @%p1 bra L;
    mul.wide.s32 %d1, %r1, 4;
    bra M;
L:
    mul.wide.s32 %d1, %r1, 4;
M:
    add.s64 %d1, %d1, %in;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+8];    // stays: can't be proven
    use %f1, %f2;
""")
    check(case)


def test_a_check_within_a_loop_is_of_the_same_iteration() -> None:
    case = Case("""
    mov.u32 %r3, 0;
    add.s32 %r1, %x, %n;
L:
    mul.wide.s32 %d1, %r1, 4;
    add.s64 %d1, %d1, %other;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+8];    // = 2
    use %f1, %f2;
    add.s32 %r1, %r1, 3;
    add.s32 %r3, %r3, 1;
    setp.lt.s32 %p1, %r3, 7;
    @%p1 bra L;
    ld.global.f32 %f1, [%d1];      // stays: in another iteration
    ld.global.f32 %f2, [%d1+4];    // = 1
    use %f1, %f2;
""")
    made = check(case)
    assert _around_where_it_wraps(case, made.text, unsigned=False) is None
