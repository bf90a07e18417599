# SPDX-License-Identifier: Apache-2.0
"""Instructions that find bits and bytes, or take signs apart.

Source: PTX ISA 9.0, 9.7.1 "fns", 9.7.9.7 "prmt", 9.7.3 "min".
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from .computing import DEVICES, Computation, computed
from .test_instructions import words

GIVEN = [words(32, seed) for seed in (11, 12, 13)]
SMALL = [GIVEN[0], GIVEN[1] % 33, (GIVEN[2] % 41 - 20).astype(np.uint32)]


def nth_one(mask: int, base: int, offset: int) -> int:
    """The manual's loop."""
    offset -= offset >> 31 << 32
    if offset == 0:
        return base if mask >> base & 1 else -1
    place, left = base, abs(offset) - 1
    while 0 <= place < 32:
        if mask >> place & 1:
            if left == 0:
                return place
            left -= 1
        place += 1 if offset > 0 else -1
    return -1


def permuted(order: Callable[[int, int], int]) -> Callable[[int, int, int], int]:
    def expected(a: int, b: int, c: int) -> int:
        both = (b << 32 | a).to_bytes(8, "little")
        return int.from_bytes(bytes(both[order(c & 3, byte)] for byte in range(4)), "little")

    return expected


ROWS = {
    "fns.b32 %d, %a, %b, %c;": (SMALL, nth_one),
    "prmt.b32.f4e %d, %a, %b, %c;": (GIVEN, permuted(lambda c, byte: c + byte)),
    "prmt.b32.b4e %d, %a, %b, %c;": (GIVEN, permuted(lambda c, byte: (8 + c - byte) % 8)),
    "prmt.b32.rc8 %d, %a, %b, %c;": (GIVEN, permuted(lambda c, byte: c)),
    "prmt.b32.ecl %d, %a, %b, %c;": (GIVEN, permuted(max)),
    "prmt.b32.ecr %d, %a, %b, %c;": (GIVEN, permuted(min)),
    "prmt.b32.rc16 %d, %a, %b, %c;": (GIVEN, permuted(lambda c, byte: c % 2 * 2 + byte % 2)),
}
FLOATS = np.random.default_rng(3).standard_normal((2, GIVEN[0].size)).astype(np.float32)


@cache
def results(device: str) -> dict[str, NDArray[Any]]:
    rows = {code: Computation(code, "b32", given) for code, (given, _) in ROWS.items()}
    floats = [each.view(np.uint32) for each in FLOATS]
    for code in ("min.xorsign.abs.f32 %d, %a, %b;", "max.abs.f32 %d, %a, %b;"):
        rows[code] = Computation(code, "b32", floats)
    rows["add.rp.f32x2"] = Computation(
        "mov.b64 %p, {%a, %b}; add.rp.f32x2 %p, %p, %p; mov.b64 {%d, _}, %p;", "b32", floats
    )
    return computed(rows, device)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("code", ROWS)
def test_selections(code: str, device: str):
    given, expected = ROWS[code]
    wanted = [expected(*map(int, each)) & 0xFFFFFFFF for each in zip(*given, strict=True)]
    assert results(device)[code].tolist() == wanted


@pytest.mark.parametrize("device", DEVICES)
def test_signs(device: str):
    a, b = FLOATS
    found = {code: bits.view(np.float32) for code, bits in results(device).items()}
    assert (found["max.abs.f32 %d, %a, %b;"] == np.maximum(abs(a), abs(b))).all()
    least = np.minimum(abs(a), abs(b)) * np.sign(a * b)
    assert (found["min.xorsign.abs.f32 %d, %a, %b;"] == least).all()
    assert (found["add.rp.f32x2"] == a + a).all()
