# SPDX-License-Identifier: Apache-2.0
"""Integer functions (6.12.3), all types and widths, against Python's integers."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from tests.frontend.opencl.running import DTYPES, Array, run_at_all_widths

TYPES = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")
COUNT = 96


class _Type:
    def __init__(self, name: str) -> None:
        info = np.iinfo(DTYPES[name])
        self.bits, self.low, self.high = info.bits, int(info.min), int(info.max)

    def clip(self, value: int) -> int:
        return min(max(value, self.low), self.high)


def _leading_zeros(value: int, bits: int) -> int:
    return bits - (value & ((1 << bits) - 1)).bit_length()


def _rotated(value: int, count: int, bits: int) -> int:
    count %= bits
    value &= (1 << bits) - 1
    return value << count | value >> (bits - count)


# Expression -> what it is of x, y, z and the type. Values wrap around to the result's type.
FUNCTIONS: dict[str, Callable[[int, int, int, _Type], int]] = {
    "add_sat(x, y)": lambda x, y, z, t: t.clip(x + y),
    "sub_sat(x, y)": lambda x, y, z, t: t.clip(x - y),
    "hadd(x, y)": lambda x, y, z, t: (x + y) >> 1,
    "rhadd(x, y)": lambda x, y, z, t: (x + y + 1) >> 1,
    "max(x, y)": lambda x, y, z, t: max(x, y),
    "min(x, y)": lambda x, y, z, t: min(x, y),
    "clamp(x, min(y, z), max(y, z))": lambda x, y, z, t: min(max(x, min(y, z)), max(y, z)),
    "clz(x)": lambda x, y, z, t: _leading_zeros(x, t.bits),
    "ctz(x)": lambda x, y, z, t: t.bits if x == 0 else (x & -x).bit_length() - 1,
    "popcount(x)": lambda x, y, z, t: (x & ((1 << t.bits) - 1)).bit_count(),
    "rotate(x, y)": lambda x, y, z, t: _rotated(x, y, t.bits),
    "mul_hi(x, y)": lambda x, y, z, t: x * y >> t.bits,
    "mad_hi(x, y, z)": lambda x, y, z, t: (x * y >> t.bits) + z,
    "mad_sat(x, y, z)": lambda x, y, z, t: t.clip(x * y + z),
}
UNSIGNED_RESULTS: dict[str, Callable[[int, int, int, _Type], int]] = {
    "abs(x)": lambda x, y, z, t: abs(x),
    "abs_diff(x, y)": lambda x, y, z, t: abs(x - y),
}


def _values(type_: _Type, seed: int) -> list[int]:
    """Random numbers of all magnitudes, and the ends of the range."""
    pick = random.Random(seed)
    special = [0, 1, type_.high, type_.low, type_.high - 1, type_.low + 1, type_.high // 2, max(-1, type_.low)]
    values: list[int] = []
    for _ in range(COUNT):
        number = pick.getrandbits(pick.randint(1, type_.bits))
        number = -number if type_.low and pick.random() < 0.5 else number
        values.append(pick.choice(special) if pick.random() < 0.3 else type_.clip(number))
    return values


def _wrapped(values: Sequence[int], type_: str) -> Array:
    bits = np.iinfo(DTYPES[type_]).bits
    return np.array([value & ((1 << bits) - 1) for value in values], f"u{bits // 8}").view(DTYPES[type_])


@pytest.mark.parametrize("type_", TYPES)
def test_functions_of_one_type(type_: str):
    facts = _Type(type_)
    x, y, z = (_values(facts, seed) for seed in (1, 2, 3))
    unsigned = type_ if type_.startswith("u") else f"u{type_}"
    functions = {**FUNCTIONS, **UNSIGNED_RESULTS}
    types = {name: unsigned if name in UNSIGNED_RESULTS else type_ for name in functions}
    inputs = {name: (type_, np.array(v, DTYPES[type_])) for name, v in (("x", x), ("y", y), ("z", z))}
    for where, found in run_at_all_widths(inputs, types, options="-cl-std=CL2.0").items():
        for name, function in functions.items():
            wanted = _wrapped([function(*v, facts) for v in zip(x, y, z, strict=True)], types[name])
            np.testing.assert_array_equal(found[name], wanted, f"{name} of {type_} at {where}")
