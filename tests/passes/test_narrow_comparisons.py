# SPDX-License-Identifier: Apache-2.0
"""Comparisons that `narrow-comparisons` rewrites: what 64 bits give, in PTX and in theory."""

import re

import numpy as np
import pytest
from bench.gpu.counted import counted
from bench.gpu.problem import Launch
from bench.gpu.tools import find_tools

import lanewise as lw
from bench.gpu import compilers

SOURCE = """
extern "C" __global__ void compared(int *out, const unsigned long long *a, const unsigned *b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long high = a[i] >> 33, word = b[i];
    long long signed_high = high, signed_word = word;
    out[i] = (high == word) + 2 * (high < word) + 4 * (signed_high <= signed_word) + 8 * (signed_word > 77);
}
"""


def test_the_simulated_gpu_gets_what_64_bits_give():
    edges = np.array([0, 1, 77, 78, 2**31 - 1, 2**31, 2**32 - 1], np.uint64)
    high, word = (each.ravel() for each in np.meshgrid(edges >> np.uint64(1), edges))
    enabled = frozenset({"narrow-comparisons"})
    ptx = compilers.ptx("lanewise", SOURCE, "sm_80", find_tools(None), frozenset(), enabled)
    arguments = (np.zeros(len(word), np.int32), high << np.uint64(33), word.astype(np.uint32))
    out = counted(ptx, Launch((7,), (7,), arguments)).arrays[0]
    np.testing.assert_array_equal(out, (high == word) + 2 * (high < word) + 4 * (high <= word) + 8 * (word > 77))
    assert set(re.findall(r"setp\.\w+\.[bsu](\d+)", ptx)) == {"32"}


def test_the_step_waits_to_be_asked_for():
    stages = lw.compile(SOURCE, language="cuda").stages(target="ptx", texts=())
    assert "narrow-comparisons" not in [stage.step for stage in stages]


@pytest.mark.parametrize("half", [4, 16, 32])
def test_small_numbers_have_the_order_of_their_lower_halves(half: int):
    z3 = pytest.importorskip("z3")
    a, b = z3.BitVecs("a b", 2 * half)
    low_a, low_b = (z3.Extract(half - 1, 0, each) for each in (a, b))
    small = z3.And(z3.ULT(a, 1 << half), z3.ULT(b, 1 << half))
    claims = [(a == b) == (low_a == low_b)]
    claims += [order == z3.ULT(low_a, low_b) for order in (z3.ULT(a, b), a < b)]
    claims += [order == z3.ULE(low_a, low_b) for order in (z3.ULE(a, b), a <= b)]
    solver = z3.Solver()
    solver.add(small, z3.Not(z3.And(claims)))
    assert solver.check() == z3.unsat, solver.model()
