# SPDX-License-Identifier: Apache-2.0
"""A kernel that adds up in shared memory, whose stores between turns `eliminate-dead-stores` removes."""

import numpy as np
from bench.gpu.counted import counted
from bench.gpu.problem import Launch
from bench.gpu.tools import find_tools

from bench.gpu import compilers

SOURCE = """
extern "C" __global__ void add_up(float *out, const float *a, int n) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    s[t] = 0;
    for (int j = 0; j < n; j++) s[t] += a[j * blockDim.x + t];
    __syncthreads();
    out[t] = s[blockDim.x - 1 - t];
}
"""


def test_shared_memory_gets_one_store_for_eight_turns():
    rng = np.random.default_rng(3)
    given = rng.random((19, 32), np.float32)
    launch = Launch((1,), (32,), (np.zeros(32, np.float32), given.ravel(), 19), shared=128)
    step = frozenset({"eliminate-dead-stores"})
    plain, made = (
        compilers.ptx("lanewise", SOURCE, "sm_80", find_tools(None), enabled=each) for each in (frozenset[str](), step)
    )
    assert plain.count("st.shared") > made.count("st.shared") > 1
    expected = np.zeros(32, np.float32)
    for row in given:
        expected += row
    for text in (plain, made):
        np.testing.assert_array_equal(counted(text, launch).arrays[0], expected[::-1])
