# SPDX-License-Identifier: Apache-2.0
"""Conversions of floating-point numbers to integers: their ends, and one instruction for all lanes."""

import itertools

import numpy as np
import pytest

import lanewise as lw
from lanewise.ir.writer import write_module
from lanewise.pipelines.cpu import compile_for_cpu
from lanewise.pipelines.target import AARCH64
from lanewise.workgroup.mapping import mapping_of

INTEGERS = {"char": np.int8, "uchar": np.uint8, "short": np.int16, "ushort": np.uint16, "int": np.int32,
            "uint": np.uint32, "long": np.int64, "ulong": np.uint64}  # fmt: skip
NUMBERS = {"float": np.float32, "double": np.float64}
PAIRS = list(itertools.product(NUMBERS, INTEGERS))

SOURCE = "\n".join(
    f"__kernel void {number}_to_{integer}(__global {integer} *y, __global const {number} *x) "
    f"{{ int i = get_global_id(0); y[i] = ({integer})x[i]; }}"
    for number, integer in PAIRS
)


def _given(number: type[np.floating]) -> np.ndarray:
    """The ends of each integer type with their neighbours, what is between 0 and 1, infinities and NaN."""
    ends = [float(end) for each in INTEGERS.values() for end in (np.iinfo(each).min, np.iinfo(each).max)]
    near = np.array([*ends, 0, 0.5, 0.999, 1, 1.5, 200, 1e30], np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        exact = np.concatenate([near, -near, near + 1, near - 1]).astype(number)
        around = [exact, np.nextafter(exact, number(np.inf)), np.nextafter(exact, number(-np.inf))]
    given = np.concatenate([*around, np.array([np.nan, np.inf, -np.inf], number)])
    return np.resize(given, -(-len(given) // 64) * 64)


def _saturated(given: np.ndarray, integer: type[np.integer]) -> np.ndarray:
    ends = np.iinfo(integer)

    def one(x: float) -> int:
        if np.isnan(x):
            return 0
        return ends.max if x >= ends.max else ends.min if x <= ends.min else int(x)

    return np.array([one(float(x)) for x in given], integer)


@pytest.fixture(scope="module", params=["lanes", "loop"])
def program(request: pytest.FixtureRequest) -> lw.Module:
    return lw.compile(SOURCE, language="opencl", mapping=request.param)


@pytest.mark.parametrize(("number", "integer"), PAIRS)
def test_what_does_not_fit_becomes_the_nearest_integer(program: lw.Module, number: str, integer: str):
    given = _given(NUMBERS[number])
    found = np.zeros(len(given), INTEGERS[integer])
    program[f"{number}_to_{integer}"].ndrange(len(given), 64)(found, given)
    np.testing.assert_array_equal(found, _saturated(given, INTEGERS[integer]))


@pytest.mark.parametrize("integer", ["uchar", "short", "int", "uint"])
def test_lanes_convert_in_vectors(integer: str):
    """LLVM makes one lane after the other of the saturating conversion."""
    program = lw.compile(SOURCE, language="opencl", mapping="lanes:16x1")
    text = program.ir("work-group", f"float_to_{integer}", block=64)
    assert ".sat." not in text
    assert "fptoui <16 x float>" in text or "fptosi <16 x float>" in text


@pytest.mark.parametrize(
    ("to", "source"), [("uchar16", "float16"), ("short8", "float8"), ("int3", "double3"), ("uchar16", "int16")]
)
def test_vectors_of_a_work_item_are_converted_whole(to: str, source: str):
    """A loop over work-items has no other vectors than these."""
    code = (
        f"__kernel void whole(__global {to} *y, __global const {source} *x) "
        f"{{ int i = get_global_id(0); y[i] = convert_{to}_sat(x[i]); }}"
    )
    text = lw.compile(code, language="opencl", mapping="loop").ir("work-group", "whole", block=64)
    assert "insertelement" not in text
    assert ".sat." not in text


@pytest.mark.parametrize("integer", ["uchar", "ushort"])
def test_narrow_unsigned_integers_are_converted_as_int(integer: str):
    """AVX2 has an instruction for int alone."""
    text = lw.compile(SOURCE, language="opencl", mapping="lanes:16x1").ir("work-group", f"float_to_{integer}", block=64)
    assert "fptosi <16 x float>" in text
    assert "fptoui" not in text


def test_processors_that_saturate_are_left_to_it():
    program = lw.compile(SOURCE, language="opencl")
    mapping = mapping_of("lanes:4x1")
    made = compile_for_cpu(program.ir(), "float_to_int", (64, 1, 1), mapping=mapping, target=AARCH64)
    text = write_module(made.module)
    assert "@llvm.fptosi.sat.v4i32.v4f32(" in text
    assert "fptosi <" not in text


WIDE = """
__kernel void widest(__global ulong *out, __global const float *x) {
    int i = get_global_id(0);
    unsigned __int128 u = (unsigned __int128)x[i];
    __int128 s = (__int128)x[i];
    out[4 * i] = (ulong)u, out[4 * i + 1] = (ulong)(u >> 64);
    out[4 * i + 2] = (ulong)s, out[4 * i + 3] = (ulong)(s >> 64);
}
"""


@pytest.mark.parametrize("mapping", ["loop", "lanes:16x1"])
def test_integers_of_128_bits_are_left_to_llvm(mapping: str):
    """2^128, beyond the unsigned ones, is no float."""
    given = np.resize(np.array([0, -1.5, 3.7, 1e19, -1e20, 1e30, 3e38, -3e38, np.inf, -np.inf, np.nan], np.float32), 32)
    found = np.zeros(4 * 32, np.uint64)
    lw.compile(WIDE, language="opencl", mapping=mapping)["widest"].ndrange(32, 32)(found, given)

    def words(x: float, low: int, high: int) -> list[int]:
        whole = 0 if np.isnan(x) else low if x <= low else high if x >= high else int(x)
        return [whole >> 64 * n & 2**64 - 1 for n in range(2)]

    expected = [words(float(x), 0, 2**128 - 1) + words(float(x), -(2**127), 2**127 - 1) for x in given]
    np.testing.assert_array_equal(found.reshape(32, 4), np.array(expected, np.uint64))
