# SPDX-License-Identifier: Apache-2.0
"""Loops that `version-by-alignment` versions: the same sums for all rows, and wide loads of aligned ones."""

import numpy as np
import pytest
from bench.gpu.counted import counted
from bench.gpu.problem import Launch

import lanewise as lw

z3 = pytest.importorskip("z3")

SOURCE = """
extern "C" __global__ void rows(float *out, const float *a, const float *x, int first, int columns) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    const float *own = a + first + row * columns;
    float sum = 0;
    for (int k = 0; k < columns; k++)
        sum += own[k] * x[k];
    out[row] = sum;
}
"""


def _launched(ptx: str, first: int, columns: int) -> tuple[np.ndarray, int]:
    """The sums, and the wavefronts of warps that load from global memory."""
    rng = np.random.default_rng(columns)
    a = rng.integers(-8, 8, 64 * columns + first).astype(np.float32)
    x = rng.integers(-8, 8, columns).astype(np.float32)
    found = counted(ptx, Launch((2,), (32,), (np.zeros(64, np.float32), a, x, first, columns)))
    np.testing.assert_array_equal(found.arrays[0], a[first:].reshape(64, columns) @ x)
    return found.arrays[0], found.counters["global_load_requests"]


def test_sums_are_right_for_each_alignment_and_aligned_rows_take_fewer_loads():
    ptx = lw.compile(SOURCE, language="cuda").ptx("sm_80")
    assert ptx.count("ld.global.v4.b32") > 0
    assert ptx.count('.pragma "nounroll"') == 3  # of both copies, and of what LLVM's unrolling leaves over
    loads = {(first, columns): _launched(ptx, first, columns)[1] for first in (0, 1, 4) for columns in (48, 50)}
    plain = 2 * 2 * 48  # warps, arrays, columns
    assert loads[0, 48] == loads[4, 48] == plain // 4
    assert loads[1, 48] == plain
    assert loads[0, 50] == loads[1, 50] == 2 * 2 * 50


@pytest.mark.parametrize("bits", [8, 16, 32, 64])
@pytest.mark.parametrize("modulus", [2, 4, 8, 16])
def test_operations_of_multiples_are_multiples(bits: int, modulus: int):
    a, b = z3.BitVecs("a b", bits)
    half = z3.BitVec("half", bits // 2)
    low = modulus.bit_length() - 2

    def is_multiple(value: z3.BitVecRef) -> z3.BoolRef:
        return z3.Extract(low, 0, value) == 0

    both = z3.And(is_multiple(a), is_multiple(b))
    claims = [
        z3.Implies(both, z3.And(is_multiple(a + b), is_multiple(a - b), is_multiple(a | b))),
        z3.Implies(is_multiple(half), is_multiple(z3.SignExt(bits // 2, half))),
        z3.Implies(is_multiple(half), is_multiple(z3.ZeroExt(bits // 2, half))),
        z3.Implies(is_multiple(a), is_multiple(z3.Extract(bits // 2 - 1, 0, a))),
        z3.Implies(is_multiple(a), (a | b) & (modulus - 1) == b & (modulus - 1)),
    ]
    claims += [is_multiple(a << by) for by in range(low + 1, bits)]
    claims += [z3.Implies(z3.Extract(low - by, 0, a) == 0, is_multiple(a << by)) for by in range(low + 1)]
    # Lower bits of a product depend on those of its factors alone, so that 8 bits stand for all widths.
    if bits == 8:
        claims.append(z3.Implies(is_multiple(a), is_multiple(a * b)))
    solver = z3.Solver()
    solver.add(z3.Not(z3.And(claims)))
    assert solver.check() == z3.unsat, solver.model()
