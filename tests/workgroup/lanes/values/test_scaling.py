# SPDX-License-Identifier: Apache-2.0
"""Products with powers of two, by arithmetic on exponents and by the instruction of AVX-512."""

import numpy as np
import pytest

import lanewise as lw
from lanewise.cache import Cache
from lanewise.ir.reader import read_module
from lanewise.ir.writer import write_module
from lanewise.pipelines.cpu import compile_for_cpu
from lanewise.pipelines.target import host_target
from lanewise.program.source.libraries import link_for_host
from lanewise.workgroup.mapping import mapping_of

SOURCE = """
__kernel void of_floats(__global float *y, __global const float *x, __global const int *n) {
    int i = get_global_id(0);
    y[4 * i] = exp(x[i]);
    y[4 * i + 1] = exp2(x[i]);
    y[4 * i + 2] = ldexp(x[i], n[i]);
    y[4 * i + 3] = erfc(x[i]);
}
__kernel void of_doubles(__global double *y, __global const double *x, __global const int *n) {
    int i = get_global_id(0);
    y[4 * i] = exp(x[i]);
    y[4 * i + 1] = exp2(x[i]);
    y[4 * i + 2] = ldexp(x[i], n[i]);
    y[4 * i + 3] = cosh(x[i]);
}
"""
ITEMS = 64
EXPONENTS = np.resize(np.array([0, 1, -1, 24, -24, 127, -149, 300, -300, 1100, -1100, 2**31 - 1, -(2**31)]), ITEMS)
NUMBERS = np.resize(
    [0.0, -0.0, 1.5, -1.5, 88.7, -87.4, -103.5, -104.5, 127.9, 709.7, -708.5, -745.1, 1e-40, 1e-310, 3e38, np.inf,
     -np.inf, np.nan, 0.3, -0.7],
    ITEMS,
)  # fmt: skip


@pytest.mark.parametrize("mapping", ["lanes", "lanes:4x1", "lanes:16x2", "loop"])
@pytest.mark.parametrize(("kernel", "dtype"), [("of_floats", np.float32), ("of_doubles", np.float64)])
def test_products_are_those_of_the_reference_device(mapping: str, kernel: str, dtype: type[np.floating]):
    with np.errstate(over="ignore"):
        given, exponents = NUMBERS.astype(dtype), EXPONENTS.astype(np.int32)
    program = lw.compile(SOURCE, language="opencl", mapping=mapping)
    found, expected = np.zeros((2, 4 * ITEMS), dtype)
    program[kernel].ndrange(ITEMS, ITEMS)(found, given, exponents)
    program[kernel].ndrange(ITEMS, ITEMS, device="reference")(expected, given, exponents)
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(np.signbit(found[expected == 0]), np.signbit(expected[expected == 0]))


CONVERTED = """
extern "C" __global__ void of_floats(float *out, const float *x, const float *n) {
    int i = threadIdx.x;
    out[i] = ldexpf(x[i], (int)n[i]);
}
extern "C" __global__ void of_doubles(double *out, const double *x, const double *n) {
    int i = threadIdx.x;
    out[i] = ldexp(x[i], (int)n[i]) + scalbn(x[i], (int)(2 * n[i]));
}
extern "C" __global__ void after_division(float *out, const float *x, const float *n) {
    int i = threadIdx.x, e = (int)n[i], by = (int)x[i];
    out[i] = ldexpf(x[i], e) + e % by + e / by;
}
"""


@pytest.mark.parametrize("mapping", ["lanes:16x1", "lanes:8x1"])
@pytest.mark.parametrize(
    ("kernel", "dtype"), [("of_floats", np.float32), ("of_doubles", np.float64), ("after_division", np.float32)]
)
def test_the_program_rounds_exponents_to_zero(mapping: str, kernel: str, dtype: type[np.floating]):
    given = np.linspace(1, 9, ITEMS).astype(dtype)
    exponents = np.linspace(-7.3, 7.9, ITEMS).astype(dtype)
    program = lw.compile(CONVERTED, language="cuda", mapping=mapping)
    found, expected = np.zeros((2, ITEMS), dtype)
    program[kernel].launch(1, ITEMS, (found, given, exponents))
    program[kernel].launch(1, ITEMS, (expected, given, exponents), device="reference")
    np.testing.assert_array_equal(found, expected)


@pytest.fixture(scope="module")
def linked() -> str:
    """The kernel IR with the functions of the library."""
    module = read_module(lw.compile(SOURCE, language="opencl").ir())
    link_for_host(module, Cache(None), fused=True)
    return write_module(module)


@pytest.mark.parametrize("scales", [True, False])
@pytest.mark.parametrize(("kernel", "instruction"), [("of_floats", "scalef.ps.512"), ("of_doubles", "scalef.pd.512")])
def test_the_instruction_is_used_where_there_is_one(linked: str, scales: bool, kernel: str, instruction: str):
    target = host_target()
    target = target._replace(processor=target.processor._replace(lanes=16, scales=scales))
    made = compile_for_cpu(linked, kernel, (64, 1, 1), mapping=mapping_of("lanes:16x1"), target=target)
    text = write_module(made.module)
    assert (instruction in text, "@llvm.ldexp.v16" in text) == (scales, scales)
