# SPDX-License-Identifier: Apache-2.0
"""Counters against theory, to the unit: sectors, wavefronts and conflicts of one access, by enumeration.

Each case runs on the CPU, where known shapes are counted in closed form; with indices from memory, of which nothing is
known; and on the reference device, which has no closed forms.
"""

from math import prod
from typing import NamedTuple

import numpy as np
import pytest

import lanewise as lw

from ...sampling import EVERY_SHAPE
from .ptx_kernels import Address, indexed, module, repeats, sectors, warps, wavefronts

BLOCKS = 2
LOADS = {
    1: "ld.{space}.u8 %h0, [%a];", 2: "ld.{space}.u16 %h0, [%a];", 4: "ld.{space}.f32 %f0, [%a];",
    8: "ld.{space}.f64 %d0, [%a];", 16: "ld.{space}.v4.f32 {{%f0, %f1, %f2, %f3}}, [%a];",
}  # fmt: skip


class Access(NamedTuple):
    """`index` sets %i; `element` is the same as a function of (x, y, t), None where no access is made."""

    name: str
    index: str
    element: Address
    size: int = 4
    block: tuple[int, int] = (64, 1)
    guard: str = ""


def of_t(text: str, element: str, **more: object) -> Access:
    """An access whose index is computed from the thread's number."""
    return Access(element, text, eval(f"lambda x, y, t: {element}"), **more)  # type: ignore[arg-type]  # our own text


SAME = "mov.u32 %i, %t;"
PATTERNS = [
    *(of_t(SAME, "t", size=size) for size in (1, 2, 4, 8, 16)),
    of_t("add.u32 %i, %t, 1;", "t + 1"),
    of_t("add.u32 %i, %t, 1;", "t + 1", size=1),
    of_t("add.u32 %i, %t, 3;", "t + 3", size=8),
    *(of_t(f"mul.lo.u32 %i, %t, {step};", f"t * {step}") for step in (2, 3, 7, 8, 16, 17, 32, 33)),
    *(of_t(f"mul.lo.u32 %i, %t, {step};", f"t * {step}", size=8) for step in (2, 3, 16, 17)),
    of_t("mul.lo.u32 %i, %t, 2;", "t * 2", size=16),
    of_t("mul.lo.u32 %i, %t, 9;", "t * 9", size=1),
    of_t("sub.u32 %i, 63, %t;", "63 - t"),
    of_t("sub.u32 %i, 63, %t;", "63 - t", size=8),
    of_t("mov.u32 %i, 5;", "5"),
    of_t("mov.u32 %i, 5;", "5", size=16),
    of_t("shr.u32 %i, %t, 1;", "t >> 1"),
    of_t("shr.u32 %i, %t, 4;", "t >> 4", size=8),
    of_t("xor.b32 %i, %t, 5;", "t ^ 5"),
    of_t("and.b32 %i, %t, 7;", "t & 7"),
    of_t("mul.lo.u32 %i, %t, 37; and.b32 %i, %i, 127;", "t * 37 & 127"),
    of_t("mul.lo.u32 %i, %t, %t;", "t * t"),
    of_t("mul.lo.u32 %i, %t, %t; and.b32 %i, %i, 63;", "t * t & 63", size=8),
    # blocks whose warps are several rows, and that no warp fills
    of_t("mad.lo.u32 %i, %y, 40, %x;", "y * 40 + x", block=(16, 8)),
    of_t("mad.lo.u32 %i, %y, 24, %x;", "y * 24 + x", block=(8, 8)),
    of_t("mad.lo.u32 %i, %x, 33, %y;", "x * 33 + y", block=(16, 4)),
    of_t("mad.lo.u32 %i, %x, 32, %y;", "x * 32 + y", block=(32, 2)),
    of_t("mov.u32 %i, %y;", "y", block=(16, 4)),
    of_t("mov.u32 %i, %x;", "x", block=(5, 7)),
    of_t("mad.lo.u32 %i, %y, 9, %x;", "y * 9 + x", block=(5, 7)),
    of_t(SAME, "t", block=(48, 1)),
    of_t("mul.lo.u32 %i, %t, 4;", "t * 4", block=(100, 1)),
    # guards
    of_t(SAME, "t if t < 41 else None", guard="setp.lt.u32 %p0, %t, 41;"),
    of_t(SAME, "t if t % 2 else None", guard="and.b32 %r1, %t, 1; setp.eq.u32 %p0, %r1, 1;"),
    of_t("mul.lo.u32 %i, %t, 3;", "t * 3 if t >= 40 else None", guard="setp.ge.u32 %p0, %t, 40;"),
    of_t(SAME, "t if t == 63 else None", guard="setp.eq.u32 %p0, %t, 63;"),
    of_t(SAME, "t if t > 99 else None", guard="setp.gt.u32 %p0, %t, 99;"),
]


Counts = dict[str, int]


def profiled(cases: list[Access], space: str, hidden: bool, device: str) -> list[Counts]:
    """The counters of each case's access, all in one kernel. `hidden`: the compiler doesn't know the indices, since
    they come from memory."""
    block = cases[0].block
    threads = prod(block)
    indices = np.zeros((len(cases), threads), np.uint32)
    body = "mov.u64 %b, s;\n"
    for number, case in enumerate(cases):
        for of_warp in warps(block):
            for x, y, t in of_warp:
                indices[number, t] = case.element(x, y, t) or 0
        find = case.index
        if hidden:
            offset = 4 * threads * number
            find = f"mul.wide.u32 %g, %t, 4; add.u64 %g, %g, %out; ld.global.u32 %i, [%g+{offset}]; // an index"
        access = LOADS[case.size].format(space=space)
        access = f"{case.guard}\n@%p0 {access} // counted" if case.guard else f"{access} // counted"
        body += indexed(find, case.size, access, "%in" if space == "global" else "%b")
    kernel = lw.compile(module(body), language="ptx")["k"]
    given = lw.zeros(1 << 16, np.uint8, device=device)
    out = lw.to_device(indices, device=device)
    arguments = (out if hidden else 0, given if space == "global" else 0)
    lines = [line for line in kernel.profile(BLOCKS, block, arguments, device=device).lines if "counted" in line.text]
    assert len(lines) == len(cases)
    return [dict(line.counters) for line in lines]


def address_of(case: Access) -> Address:
    def address(x: int, y: int, t: int) -> int | None:
        element = case.element(x, y, t)
        return None if element is None else element * case.size

    return address


def accessing(case: Access) -> list[int]:
    """The number of threads of each warp that access, where any does."""
    counts = [sum(case.element(*thread) is not None for thread in threads) for threads in warps(case.block)]
    return [count for count in counts if count]


SHAPES = list(dict.fromkeys(case.block for case in PATTERNS))


def cases_of(block: tuple[int, int], step: int) -> list[Access]:
    """The patterns of a block size, each `step`-th of the many that one has; all with LANEWISE_TEST_ALL_SHAPES=1."""
    cases = [case for case in PATTERNS if case.block == block]
    return cases if EVERY_SHAPE or len(cases) < step else cases[step % 3 :: step]


SOME = SHAPES if EVERY_SHAPE else SHAPES[::3]


@pytest.mark.parametrize(
    ("block", "hidden", "device"),
    [
        *((block, False, "cpu") for block in SHAPES),
        *((block, True, "cpu") for block in SOME),
        *((block, False, "reference") for block in SOME),
    ],
    ids=str,
)
def test_global_loads(block: tuple[int, int], hidden: bool, device: str):
    cases = cases_of(block, 8 if hidden else 3)
    for case, found in zip(cases, profiled(cases, "global", hidden, device), strict=True):
        asked = accessing(case)
        expected = {
            "global_load_sectors": BLOCKS * sectors(block, address_of(case), case.size),
            "global_load_requests": BLOCKS * len(asked),
            "global_load_ideal_sectors": BLOCKS * sum(-(-n * case.size // 32) for n in asked),
            "warp_instructions": BLOCKS * len(warps(block)),
            "thread_instructions": BLOCKS * sum(asked),
        }
        assert {name: found.get(name, 0) for name in expected} == expected, case.name


@pytest.mark.parametrize("block", SOME, ids=str)
@pytest.mark.parametrize("hidden", [False, True])
def test_shared_loads(block: tuple[int, int], hidden: bool):
    cases = cases_of(block, 8 if hidden else 6)
    for case, found in zip(cases, profiled(cases, "shared", hidden, "cpu"), strict=True):
        expected = {
            "shared_load_wavefronts": BLOCKS * wavefronts(block, address_of(case), case.size),
            "shared_load_requests": BLOCKS * len(accessing(case)),
            "global_load_sectors": 0,
        }
        assert {name: found.get(name, 0) for name in expected} == expected, case.name


@pytest.mark.parametrize("space", ["global", "shared"])
def test_atomics(space: str):
    cases = [case for case in cases_of((64, 1), 7) if case.size == 4]
    body = "mov.u64 %b, s;\n"
    for case in cases:
        access = f"red.{space}.add.u32 [%a], 1; // counted"
        access = f"{case.guard}\n@%p0 {access}" if case.guard else access
        body += indexed(case.index, 4, access, "%in" if space == "global" else "%b")
    kernel = lw.compile(module(body), language="ptx")["k"]
    profile = kernel.profile(BLOCKS, 64, (0, lw.zeros(1 << 14, np.uint32) if space == "global" else 0))
    lines = [line.counters for line in profile.lines if "counted" in line.text]
    for case, found in zip(cases, lines, strict=True):
        assert found["atomic_repeats"] == BLOCKS * repeats(case.block, address_of(case)), case.name
        cost, unit = (sectors, "sectors") if space == "global" else (wavefronts, "wavefronts")
        assert found[f"{space}_atomic_{unit}"] == BLOCKS * cost(case.block, address_of(case), 4), case.name
