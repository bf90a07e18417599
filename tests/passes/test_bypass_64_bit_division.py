# SPDX-License-Identifier: Apache-2.0
"""Divisions that `bypass-64-bit-division` bypasses: the same results on all devices, and no test of LLVM's."""

import numpy as np
import pytest

import lanewise as lw

z3 = pytest.importorskip("z3")

SOURCE = """
typedef unsigned long long wide;
extern "C" __global__ void signed_ones(long long *out, const long long *a, const long long *b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long by = b[i], rest = a[i] / by, remainder = a[i] % by, last = rest % 7 + rest / by;
    out[3 * i] = remainder;
    out[3 * i + 1] = rest;
    out[3 * i + 2] = last;
}
extern "C" __global__ void unsigned_ones(wide *out, const wide *a, const wide *b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    wide by = b[i], rest = a[i] / by, remainder = a[i] % by, last = rest % 7 + rest / by;
    out[3 * i] = remainder;
    out[3 * i + 1] = rest;
    out[3 * i + 2] = last;
}
"""
EDGES = [
    1,
    2,
    3,
    7,
    10,
    99,
    (1 << 31) - 1,
    1 << 31,
    (1 << 32) - 1,
    1 << 32,
    (1 << 32) + 1,
    (1 << 40) + 5,
    (1 << 63) - 1,
]


def _operands(signed: bool) -> tuple[np.ndarray, np.ndarray]:
    numbers = [*EDGES, *(-each for each in EDGES)] if signed else [*EDGES, (1 << 64) - 1, (1 << 63) + 9]
    type_ = np.int64 if signed else np.uint64
    pairs = [(a, b) for a in [0, *numbers] for b in numbers]
    pairs += [(5, 3)] * (-len(pairs) % 32)
    a, b = zip(*pairs, strict=True)
    return np.array(a, type_), np.array(b, type_)


def _expected(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Quotients and remainders by Python's integers, rounded towards 0."""
    rows: list[tuple[int, ...]] = []
    for dividend, divisor in zip(a.tolist(), b.tolist(), strict=True):
        quotient, remainder = _divided(dividend, divisor)
        last = _divided(quotient, 7)[1] + _divided(quotient, divisor)[0]
        rows.append((remainder % 2**64, quotient % 2**64, last % 2**64))
    return np.array(rows, np.uint64).astype(a.dtype).ravel()


def _divided(a: int, b: int) -> tuple[int, int]:
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return quotient, a - quotient * b


@pytest.mark.parametrize("name", ["signed_ones", "unsigned_ones"])
def test_results_are_exact_on_each_device(name: str):
    a, b = _operands(signed=name == "signed_ones")
    kernel = lw.compile(SOURCE, language="cuda")[name]
    for device in ("simt", "cpu"):
        out = np.zeros(3 * len(a), a.dtype)
        kernel.launch(len(a) // 32, 32, (out, a, b), device=device)
        np.testing.assert_array_equal(out, _expected(a, b))


def test_one_test_is_left_for_divisions_that_depend_on_each_other():
    ptx = lw.compile(SOURCE, language="cuda").ptx("sm_80")
    for kernel in ptx.split(".entry")[1:]:
        assert kernel.count("-4294967296") == 1  # LLVM's tests of the arm in 64 bits would be more
        assert kernel.count("div.u32") == 2
        assert kernel.count("div.s64") + kernel.count("div.u64") == 2
        assert "rem." not in kernel


@pytest.mark.parametrize("bits", [4, 6, 8, 10])
@pytest.mark.parametrize("signed", [False, True])
def test_small_operands_divide_alike_in_half_the_bits(bits: int, signed: bool):
    """Proven for widths that Z3 divides: the argument, q * b + r = a with r < b in either, has no width in it."""
    half = bits // 2
    a, b = z3.BitVecs("a b", bits)
    small_a, small_b = z3.Extract(half - 1, 0, a), z3.Extract(half - 1, 0, b)
    divide, remain = (lambda x, y: x / y, z3.SRem) if signed else (z3.UDiv, z3.URem)
    solver = z3.Solver()
    solver.add(z3.LShR(a | b, half) == 0, b != 0)
    quotient, remainder = z3.UDiv(small_a, small_b), z3.URem(small_a, small_b)
    same = z3.And(
        z3.ZeroExt(bits - half, quotient) == divide(a, b),
        z3.ZeroExt(bits - half, remainder) == remain(a, b),
        remainder == small_a - quotient * small_b,
        z3.LShR(divide(a, b), half) == 0,
    )
    solver.add(z3.Not(same))
    assert solver.check() == z3.unsat, solver.model()
