# SPDX-License-Identifier: Apache-2.0
"""Video instructions against the manual's pseudocode in Python's integers. Source: PTX ISA 9.0, 9.7.18."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from .computing import DEVICES, Computation, computed

COUNT = 64
RNG = np.random.default_rng(5)
GIVEN = [np.where(RNG.integers(0, 3, COUNT) > 0, RNG.integers(0, 1 << 32, COUNT), RNG.integers(0, 40, COUNT)
                  ).astype(np.uint32) for _ in range(3)]  # fmt: skip


def part(word: int, bits: int, place: int, signed: bool) -> int:
    value = word >> bits * place & (1 << bits) - 1
    return value - (1 << bits) if signed and value >> bits - 1 else value


def clamp(value: int, bits: int, signed: bool) -> int:
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    return max(low, min(high, value))


def insert(value: int, into: int, bits: int, place: int) -> int:
    mask = (1 << bits) - 1 << bits * place
    return into & ~mask | value << bits * place & mask


def s(word: int) -> int:
    return part(word, 32, 0, True)


def by_parts(bits: int, operation: Callable[[int, int], int], signed: bool = False) -> Callable[[int, int, int], int]:
    def expected(a: int, b: int, c: int) -> int:
        for place in range(32 // bits):
            c = insert(operation(part(a, bits, place, signed), part(b, bits, place, signed)), c, bits, place)
        return c

    return expected


def summed(bits: int, operation: Callable[[int, int], int]) -> Callable[[int, int, int], int]:
    return lambda a, b, c: (
        c + sum(operation(part(a, bits, i, False), part(b, bits, i, False)) for i in range(32 // bits))
    )


ROWS: dict[str, Callable[[int, int, int], int]] = {
    "vadd.u32.u32.u32 %d, %a, %b;": lambda a, b, c: a + b,
    "vadd.s32.s32.s32.sat %d, %a.b0, %b.h1;": lambda a, b, c: part(a, 8, 0, True) + part(b, 16, 1, True),
    "vadd.s32.u32.u32.sat %d, %a, %b;": lambda a, b, c: clamp(a + b, 32, True),
    "vsub.u32.s32.u32.sat.min %d, %a.b3, %b, %c;": lambda a, b, c: min(clamp(part(a, 8, 3, True) - b, 32, False), c),
    "vsub.s32.s32.s32.max %d, %a, %b, %c;": lambda a, b, c: max(s(s(a) - s(b) & 0xFFFFFFFF), s(c)),
    "vabsdiff.u32.u32.u32.add %d, %a, %b, %c;": lambda a, b, c: abs(a - b) + c,
    "vmin.s32.s32.s32 %d.h0, %a, %b, %c;": lambda a, b, c: insert(min(s(a), s(b)), c, 16, 0),
    "vmax.u32.u32.u32.sat %d.b2, %a, %b, %c;": lambda a, b, c: insert(clamp(max(a, b), 8, False), c, 8, 2),
    "vshl.u32.u32.u32.clamp %d, %a, %b;": lambda a, b, c: a << min(b, 32),
    "vshl.u32.u32.u32.sat.wrap %d, %a, %b;": lambda a, b, c: clamp(a << (b & 31), 32, False),
    "vshr.s32.s32.u32.clamp %d, %a, %b;": lambda a, b, c: s(a) >> min(b, 32),
    "vmad.s32.s32.s32 %d, %a.h0, %b.h1, %c;": lambda a, b, c: part(a, 16, 0, True) * part(b, 16, 1, True) + c,
    "vmad.u32.u32.u32.po %d, %a, %b, %c;": lambda a, b, c: a * b + c + 1,
    "vmad.s32.s32.s32.sat.shr7 %d, %a, %b, -%c;": lambda a, b, c: clamp(s(a) * s(b) - s(c) >> 7, 32, True),
    "vmad.s32.u32.u32.sat.shr15 %d, -%a, %b, %c;": lambda a, b, c: clamp(-a * b + s(c) >> 15, 32, True),
    "vset.u32.u32.ge %d, %a, %b;": lambda a, b, c: a >= b,
    "vset.s32.u32.lt.add %d, %a, %b, %c;": lambda a, b, c: (s(a) < b) + c,
    "vadd2.s32.s32.s32 %d, %a, %b, %c;": by_parts(16, lambda x, y: x + y),
    "vadd2.u32.u32.u32.sat %d.h0, %a.h01, %b.h32, %c;": lambda a, b, c: insert(
        clamp(part(a, 16, 1, False) + part(b, 16, 0, False), 16, False), c, 16, 0
    ),
    "vsub4.s32.s32.s32.sat %d, %a, %b, %c;": by_parts(8, lambda x, y: clamp(x - y, 8, True), True),
    "vavrg2.s32.s32.s32 %d, %a, %b, %c;": by_parts(16, lambda x, y: x + y + (x + y >= 0) >> 1, True),
    "vavrg4.u32.u32.u32 %d, %a, %b, %c;": by_parts(8, lambda x, y: x + y + 1 >> 1),
    "vabsdiff4.u32.u32.u32.add %d, %a, %b, %c;": summed(8, lambda x, y: abs(x - y)),
    "vmin2.s32.s32.s32 %d, %a, %b, %c;": by_parts(16, min, True),
    "vmax4.u32.u32.u32 %d.b31, %a, %b, %c;": lambda a, b, c: insert(
        max(part(a, 8, 3, False), part(b, 8, 3, False)),
        insert(max(part(a, 8, 1, False), part(b, 8, 1, False)), c, 8, 1),
        8,
        3,
    ),
    "vset4.u32.u32.ne.add %d, %a, %b, %c;": summed(8, lambda x, y: x != y),
    "vset2.u32.u32.lt %d, %a, %b, %c;": by_parts(16, lambda x, y: x < y),
}


@cache
def results(device: str) -> dict[str, NDArray[Any]]:
    return computed({code: Computation(code, "b32", GIVEN) for code in ROWS}, device)


@pytest.mark.parametrize("device", DEVICES)
def test_video_instructions(device: str):
    for code, expected in ROWS.items():
        wanted = [int(expected(*map(int, each))) & 0xFFFFFFFF for each in zip(*GIVEN, strict=True)]
        assert results(device)[code].tolist() == wanted, code
