# SPDX-License-Identifier: Apache-2.0
"""What registers hold in loops: as a function of the iteration where that is so, and unknown where it is not."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable

import pytest

from lanewise.ptx.symbolic.terms import Differs, Term

from .emulating import emulation, inner, loads
from .evaluation import value_of


def _value(address: Term, iteration: int) -> int:
    """An address in one loop's iteration."""
    return value_of(address, {atom.name: iteration for atom in inner(address) if atom.name.startswith("loop(")})


_COUNTED = """
    mov.u64 %d1, 4096;
    mov.u32 %r1, {first};
    mov.u32 %r9, 0;
L:
    mul.wide.s32 %d2, %r1, 4;
    add.s64 %d3, %d2, %d1;
    ld.global.f32 %f1, [%d3];
    {change}
    add.s32 %r9, %r9, 1;
    setp.lt.s32 %p1, %r9, %n;
    @%p1 bra L;
"""


@pytest.mark.parametrize(
    ("first", "change", "at"),
    [
        (0, "add.s32 %r1, %r1, 1;", lambda k: 4 * k),
        (7, "add.s32 %r1, %r1, 3;", lambda k: 4 * (7 + 3 * k)),
        (100, "sub.s32 %r1, %r1, 1;", lambda k: 4 * (100 - k)),
        (100, "add.s32 %r1, %r1, -5;", lambda k: 4 * (100 - 5 * k)),
        (3, "mad.lo.s32 %r1, %r9, 0, %r1;", lambda k: 12),
        (0, "mov.u32 %r1, %r1;", lambda k: 0),
        (0, "add.s64 %d1, %d1, 12;", lambda k: 12 * k),
        (5, "add.s64 %d1, %d1, 12;\n    add.s32 %r1, %r1, 1;", lambda k: 12 * k + 4 * (5 + k)),
        (0, "add.s32 %r2, %r9, 1;\n    mov.u32 %r1, %r2;", lambda k: 4 * k),
        (0, "add.s32 %r1, %r1, %x;", lambda k: 0),
    ],
)  # fmt: skip
def test_a_register_that_grows_by_the_same_amount(first: int, change: str, at: Callable[[int], int]) -> None:
    found = emulation(_COUNTED.format(first=first, change=change))
    ((address,),) = loads(found)
    if "%x" in change:  # an amount of each lane's own is not followed
        assert address.differs is Differs.FREELY
        return
    for k in range(6):
        assert _value(address, k) == 4096 + at(k)


@pytest.mark.parametrize(
    "change",
    [
        "mul.lo.s32 %r1, %r1, 3;",
        "shl.b32 %r1, %r1, 1;",
        "add.s32 %r1, %r1, %r9;",
        "xor.b32 %r1, %r1, 1;",
        "setp.eq.s32 %p2, %n, 3;\n    @%p2 add.s32 %r1, %r1, 1;\n    setp.eq.s32 %p3, %r9, 3;\n"
        "    @%p3 add.s32 %r1, %r1, 1;",
        "ld.global.u32 %r1, [%a];\n    mov.u32 %r1, %clock;",
        "setp.eq.s32 %p2, %r9, 3;\n    @%p2 bra M;\n    add.s32 %r1, %r1, 1;\nM:",
    ],
)
def test_a_register_that_grows_otherwise_is_not_known(change: str) -> None:
    found = emulation(_COUNTED.format(first=1, change=change))
    addresses = loads(found)[0]
    assert {address.differs for address in addresses} == {Differs.FREELY}


def test_a_step_in_a_register() -> None:
    found = emulation(_COUNTED.format(first=1, change="add.s32 %r1, %r1, %n;"))
    ((address,),) = loads(found)
    (extended,) = (atom for atom in inner(address) if atom.op == "sext")
    ((_, one), (product, _)) = (((), extended.args[0].constant), *extended.args[0].parts)
    assert one == 1
    assert len(product) == 2, "the iteration times the parameter"
    assert address.differs is Differs.BY_ROW


_TWO_LATCHES = """
    mov.u32 %r1, 0;
    mov.u32 %r9, 0;
    mov.u64 %d1, 4096;
L:
    mul.wide.s32 %d2, %r1, 4;
    add.s64 %d3, %d2, %d1;
    ld.global.f32 %f1, [%d3];
    add.s32 %r9, %r9, 1;
    setp.gt.s32 %p1, %r9, %n;
    @%p1 bra E;
    and.b32 %r2, %n, 1;
    setp.eq.s32 %p2, %r2, 0;
    add.s32 %r1, %r1, {one};
    @%p2 bra L;
    add.s32 %r1, %r1, {two};
    bra L;
E:
"""


def test_two_latches_that_agree() -> None:
    ((address,),) = loads(emulation(_TWO_LATCHES.format(one=2, two=0)))
    assert [_value(address, k) for k in range(3)] == [4096, 4104, 4112]


def test_two_latches_that_do_not_agree() -> None:
    addresses = loads(emulation(_TWO_LATCHES.format(one=2, two=1)))[0]
    assert {address.differs for address in addresses} == {Differs.FREELY}


def _nest(depth: int, rng: random.Random) -> tuple[str, list[tuple[int, int, bool]]]:
    """A nest of loops, in the innermost of which is a load of 4096 + the sum of what each loop has added; and each
    loop's first value, step, and whether it is a pointer that is stepped rather than an index."""
    loops = [(rng.randrange(9), rng.randrange(1, 9), rng.random() < 0.5) for _ in range(depth)]
    begin, end = "", ""
    for level, (first, step, pointer) in enumerate(loops):
        begin += f"    mov.u32 %r{level}, 0;\n"
        begin += f"    mov.u64 %d{level}, {4 * first};\n" if pointer else f"    mov.u32 %r{10 + level}, {first};\n"
        begin += f"L{level}:\n"
        grow = (
            f"add.s64 %d{level}, %d{level}, {4 * step}"
            if pointer
            else f"add.s32 %r{10 + level}, %r{10 + level}, {step}"
        )
        end = (
            f"    {grow};\n    add.s32 %r{level}, %r{level}, 1;\n    setp.lt.s32 %p{level}, %r{level}, %n;\n"
            f"    @%p{level} bra L{level};\n"
        ) + end
    begin += "    mov.u64 %d30, 4096;\n"
    for level, (_, _, pointer) in enumerate(loops):
        if not pointer:
            begin += f"    mul.wide.s32 %d31, %r{10 + level}, 4;\n"
        begin += f"    add.s64 %d30, %d30, {f'%d{level}' if pointer else '%d31'};\n"
    return begin + "    ld.global.f32 %f1, [%d30];\n" + end, loops


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(5))
def test_nests_of_loops(depth: int, seed: int) -> None:
    text, loops = _nest(depth, random.Random(seed))
    ((address,),) = loads(emulation(text))
    assert address.differs is Differs.BY_ROW
    for iterations in itertools.product(range(3), repeat=depth):
        wanted = 4096 + sum(4 * (first + step * k) for (first, step, _), k in zip(loops, iterations, strict=True))
        headers = sorted({atom.name for atom in inner(address) if atom.name.startswith("loop(")}, key=_number)
        symbols = dict(zip(headers, iterations, strict=True))
        assert value_of(address, symbols) == wanted


def _number(name: str) -> int:
    return int(name[5:-1])


def test_a_value_of_the_loop_before() -> None:
    """How far the first loop came is the same for all, and the second begins there."""
    found = emulation("""
    mov.u32 %r1, 0;
L:
    add.s32 %r1, %r1, 1;
    setp.lt.s32 %p1, %r1, %n;
    @%p1 bra L;
M:
    mul.wide.s32 %d1, %r1, 4;
    ld.global.f32 %f1, [%d1];
    add.s32 %r1, %r1, 1;
    setp.lt.s32 %p1, %r1, 100;
    @%p1 bra M;
""")
    ((address,),) = loads(found)
    (one, two) = sorted({a.name for a in inner(address) if a.name.startswith("loop(")}, key=_number)
    assert value_of(address, {one: 4, two: 3}) == 4 * (4 + 1 + 3)


def test_memory_of_two_iterations_is_two_values() -> None:
    """A load at one address in a loop that stores: its value is one of the iteration."""
    found = emulation("""
    mov.u32 %r1, 0;
L:
    ld.shared.u32 %r2, [sm];
    mul.wide.s32 %d1, %r2, 4;
    ld.global.f32 %f1, [%d1];
    add.s32 %r1, %r1, 1;
    st.shared.u32 [sm], %r1;
    setp.lt.s32 %p1, %r1, %n;
    @%p1 bra L;
""")
    _, (address,) = loads(found)
    (loaded,) = (atom for atom in inner(address) if atom.op == "load")
    assert loaded.loops


def test_memory_that_a_loop_leaves_alone_is_one_value() -> None:
    found = emulation("""
    mov.u32 %r1, 0;
L:
    ld.global.u32 %r2, [%a];
    mul.wide.s32 %d1, %r2, 4;
    ld.global.f32 %f1, [%d1];
    add.s32 %r1, %r1, 1;
    st.shared.u32 [sm], %r1;
    setp.lt.s32 %p1, %r1, %n;
    @%p1 bra L;
""")
    _, (address,) = loads(found)
    assert not address.loops
