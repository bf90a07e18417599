# SPDX-License-Identifier: Apache-2.0
"""Fields of bits, and bits in reverse order, of all types and widths, against Python's integers.

Source: The OpenCL Extension Specification, cl_khr_extended_bit_ops.
"""

import random

import numpy as np
import pytest
from tests.frontend.opencl.running import BLOCK, DTYPES, run_at_all_widths

import lanewise as lw

TYPES = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")
BEFORE = """
#pragma OPENCL EXTENSION cl_khr_extended_bit_ops : enable
#ifndef cl_khr_extended_bit_ops
#error "without the extension"
#endif
"""
FIRST = """
#define FIRST(v) (((private uint *)&v)[0])
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
    """Each work-item has a field of its own, and there is one that the compiler knows."""
    bits, pick = np.iinfo(DTYPES[type_]).bits, random.Random(type_)
    x, y = ([pick.getrandbits(bits) for _ in range(BLOCK)] for _ in range(2))
    x[:2], y[:2] = [0, (1 << bits) - 1], [(1 << bits) - 1, 0]
    starts = [pick.randint(0, bits) for _ in range(BLOCK)]
    fields = [(start, pick.randint(0, bits - start)) for start in starts]
    fields[::16] = [(0, bits), (bits, 0), (bits - 1, 1)]  # of the first components, at all widths
    inputs = {name: (type_, _of_bits(values, type_)) for name, values in (("x", x), ("y", y))}
    inputs |= {name: ("uint", np.array([field[at] for field in fields], np.uint32)) for at, name in enumerate("oc")}
    signed = type_.removeprefix("u")
    types = {"bit_reverse(x)": type_}
    for field in ("FIRST(o), FIRST(c)", "3, 4"):
        types[f"bitfield_insert(x, y, {field})"] = type_
        types[f"bitfield_extract_signed(x, {field})"] = signed
        types[f"bitfield_extract_unsigned(x, {field})"] = f"u{signed}"
    for (device, width), found in run_at_all_widths(inputs, types, before=BEFORE + FIRST).items():
        expected = [[reverse(a, bits) for a in x]]
        own = [fields[at - at % width] for at in range(BLOCK)]
        for chosen in (own, [(3, 4)] * BLOCK):
            expected.append([inserted(a, b, o, c) for a, b, (o, c) in zip(x, y, chosen, strict=True)])
            for is_signed in (True, False):
                expected.append([extracted(a, o, c, signed=is_signed) for a, (o, c) in zip(x, chosen, strict=True)])
        for (call, result), values in zip(types.items(), expected, strict=True):
            message = f"{call} of {type_} on {device} at width {width}"
            np.testing.assert_array_equal(found[call], _of_bits(values, result), message)


@pytest.mark.parametrize("options", ["", "-cl-std=CL3.0"])
def test_programs_may_ask_for_the_extension(options: str) -> None:
    text = BEFORE + "kernel void k(global int *out) { out[0] = bit_reverse(out[0]); }"
    assert not lw.compile(text, language="opencl", options=options).warnings


def _of_bits(values: list[int], type_: str) -> np.ndarray:
    bits = np.iinfo(DTYPES[type_]).bits
    return np.array([value & ((1 << bits) - 1) for value in values], f"u{bits // 8}").view(DTYPES[type_])
