# SPDX-License-Identifier: Apache-2.0
"""Fields of bits, and bits in reverse order, of all types and widths, against Python's integers.

Source: The OpenCL Extension Specification, cl_khr_extended_bit_ops.
"""

import random

import numpy as np
import pytest
from tests.frontend.opencl.running import DTYPES, run_at_all_widths

import lanewise as lw

TYPES = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")
BEFORE = """
#pragma OPENCL EXTENSION cl_khr_extended_bit_ops : enable
#ifndef cl_khr_extended_bit_ops
#error "without the extension"
#endif
"""


def inserted(x: int, y: int, offset: int, count: int) -> int:
    field = ((1 << count) - 1) << offset
    return x & ~field | y << offset & field


def extracted(x: int, offset: int, count: int, *, signed: bool) -> int:
    field = x >> offset & ((1 << count) - 1)
    return field - (1 << count) if signed and count and field >> (count - 1) else field


def reverse(x: int, bits: int) -> int:
    return int(f"{x:0{bits}b}"[::-1], 2)


@pytest.mark.parametrize("type_", TYPES)
def test_fields_of_bits(type_: str) -> None:
    bits, pick = np.iinfo(DTYPES[type_]).bits, random.Random(type_)
    x, y = ([pick.getrandbits(bits) for _ in range(48)] for _ in range(2))
    x[:2], y[:2] = [0, (1 << bits) - 1], [(1 << bits) - 1, 0]
    signed = type_.removeprefix("u")
    expected: dict[str, tuple[str, list[int]]] = {"bit_reverse(x)": (type_, [reverse(a, bits) for a in x])}
    for o, c in ((0, 0), (0, bits), (bits, 0), (3, 4), (bits - 1, 1), (1, bits - 1)):
        both = [inserted(a, b, o, c) for a, b in zip(x, y, strict=True)]
        expected[f"bitfield_insert(x, y, {o}, {c})"] = (type_, both)
        negative, positive = ([extracted(a, o, c, signed=is_signed) for a in x] for is_signed in (True, False))
        expected[f"bitfield_extract_signed(x, {o}, {c})"] = (signed, negative)
        expected[f"bitfield_extract_unsigned(x, {o}, {c})"] = (f"u{signed}", positive)
    inputs = {name: (type_, _of_bits(values, type_)) for name, values in (("x", x), ("y", y))}
    types = {call: result for call, (result, _) in expected.items()}
    for where, found in run_at_all_widths(inputs, types, before=BEFORE).items():
        for call, (result, values) in expected.items():
            np.testing.assert_array_equal(found[call], _of_bits(values, result), f"{call} of {type_} at {where}")


@pytest.mark.parametrize("options", ["", "-cl-std=CL3.0"])
def test_programs_may_ask_for_the_extension(options: str) -> None:
    text = BEFORE + "kernel void k(global int *out) { out[0] = bit_reverse(out[0]); }"
    assert not lw.compile(text, language="opencl", options=options).warnings


def _of_bits(values: list[int], type_: str) -> np.ndarray:
    bits = np.iinfo(DTYPES[type_]).bits
    return np.array([value & ((1 << bits) - 1) for value in values], f"u{bits // 8}").view(DTYPES[type_])
