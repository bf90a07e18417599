# SPDX-License-Identifier: Apache-2.0
"""Operations with undefined results, told with their operands, and what the kernel goes on with."""

from contextlib import nullcontext

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
__global__ void divide(int *out, int a, int b) { out[0] = a / b; out[1] = a % b; }
__global__ void divide_unsigned(unsigned *out, unsigned a, unsigned b) { out[0] = a / b; }
__global__ void shift(int *out, int n) { out[threadIdx.x] = 1 << (n + threadIdx.x); }
__global__ void convert(int *out, float x, double y) { out[0] = (int)x; out[1] = (unsigned char)y; }
__global__ void sum(int *out, int a, int b) { out[0] = a + b; out[1] = a * b; out[2] = a - b; }
"""
LEAST, MOST = -(2**31), 2**31 - 1


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(SOURCE, language="cuda", checked="values")


@pytest.mark.parametrize("device", ["cpu", "reference"])
@pytest.mark.parametrize(
    ("kernel", "threads", "arguments", "told", "results"),
    [
        ("divide", 1, (7, 0), ["division of 7 by zero", "remainder of 7 by zero"], [0, 0]),
        ("divide", 1, (LEAST, -1),
         [f"{what} of {LEAST} by -1, which overflows" for what in ("division", "remainder")], [0, 0]),
        ("divide", 1, (-7, 2), [], [-3, -1]),
        ("divide_unsigned", 1, (2**32 - 1, 0), [f"division of {2**32 - 1} by zero"], [0]),
        ("shift", 4, (30,), ["shift of a number of 32 bits by 32"], [1 << 30, LEAST, 0, 0]),
        ("convert", 1, (3e10, 300.0), ["conversion of 3e+10 to an integer of 32 bits, which it has no place in",
         "conversion of 300 to an integer of 8 bits, which it has no place in"], [MOST, 255]),
        ("convert", 1, (float("nan"), -1.0), ["conversion of nan to an integer of 32 bits, which it has no place in",
         "conversion of -1 to an integer of 8 bits, which it has no place in"], [0, 0]),
        ("convert", 1, (-(2.0**31), 255.9), [], [LEAST, 255]),
        ("convert", 1, (2147483520.0, -0.9), [], [2147483520, 0]),
        ("sum", 1, (MOST, 1),
         [f"signed overflow: a sum of 32 bits, which is {LEAST} when it has wrapped round"], [LEAST, MOST, MOST - 1]),
        ("sum", 1, (MOST, 2),
         [f"signed overflow: a sum of 32 bits, which is {LEAST + 1} when it has wrapped round",
          "signed overflow: a product of 32 bits, which is -2 when it has wrapped round"], [LEAST + 1, -2, MOST - 2]),
    ],
)  # fmt: skip
def test_operations(
    module: lw.Module, kernel: str, threads: int, arguments: tuple[float, ...], told: list[str], results: list[int],
    device: str,
) -> None:  # fmt: skip
    out = np.zeros(4, np.uint32 if "unsigned" in kernel else np.int32)
    with pytest.raises(lw.CheckError) if told else nullcontext() as raised:
        module[kernel].launch(1, threads, (out, *arguments), device=device)
    lines = [line for line in str(raised.value).splitlines() if ": error: " in line] if raised is not None else []
    assert [line.split(": error: ")[1].split(", in block")[0] for line in lines] == told
    assert out[: len(results)].tolist() == results


def test_other_checks_leave_values_alone() -> None:
    module = lw.compile(SOURCE, language="cuda", checked="memory")
    module["sum"].launch(1, 1, (np.zeros(4, np.int32), MOST, 1))


def test_open_cl_casts_are_tested_and_saturating_conversions_are_not() -> None:
    source = """
    kernel void convert(global short *out, float x) {
        out[0] = convert_short_sat(x);
        out[1] = (short)x;
    }
    """
    module = lw.compile(source, language="opencl", checked="values")
    out = np.zeros(2, np.int16)
    module["convert"].launch(1, 1, (out, 32767.0))
    with pytest.raises(lw.CheckError) as raised:
        module["convert"].launch(1, 1, (out, 49150.0))
    (fault,) = raised.value.faults
    assert (fault.line, fault.access) == (4, "conversion")
    assert out.tolist() == [32767, 32767]


@pytest.mark.parametrize(("divisors", "told"), [((1, 2, 0, 0), "division of 9 by zero"), ((1, 2, 3, 4), "")])
def test_each_element_of_a_division_of_vectors_is_tested(divisors: tuple[int, ...], told: str) -> None:
    source = "kernel void divide(global int4 *out, int4 by) { out[0] = (int4)(7, 8, 9, 10) / by; }"
    module = lw.compile(source, language="opencl", checked="values")
    out = np.zeros((1, 4), np.int32)
    with pytest.raises(lw.CheckError, match=told) if told else nullcontext() as raised:
        module["divide"].launch(1, 1, (out, divisors))
    assert raised is None or len(raised.value.faults) == 1
    assert out.tolist() == ([[0, 0, 0, 0]] if told else [[7, 4, 3, 2]])
