# SPDX-License-Identifier: Apache-2.0
"""Kernels whose loads `reuse-loads` finds in the turn before, on the simulated GPU."""

import re

import numpy as np
from bench.gpu.counted import counted
from bench.gpu.problem import Launch
from bench.gpu.tools import find_tools

import lanewise as lw
from bench.gpu import compilers
from lanewise.pipelines.drive import View
from lanewise.pipelines.gpu import stages

STEP = frozenset({"reuse-loads"})
COLUMNS = """
extern "C" __global__ void add_up(float *sums, int n, int width) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
    for (int y = 1; y < n; y++) sums[y * width + x] += sums[(y - 1) * width + x];
}
"""
HEAT = """
extern "C" __global__ void heat(float *__restrict__ out, const float *__restrict__ in, int nx, int ny, int nz) {
    int x = threadIdx.x + 1, y = blockIdx.x + 1;
#pragma unroll 1
    for (int z = 1; z < nz - 1; z++) {
        int i = (z * ny + y) * nx + x;
        out[i] = in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - nx * ny] + in[i + nx * ny] - 6 * in[i];
    }
}
"""


def _loads_of_the_loop(program: lw.Module, enabled: frozenset[str] = frozenset()) -> int:
    """The loads in the loop of a kernel before addresses are rearranged."""
    step = "reuse-loads" if enabled else "sum-absolute-differences"
    view = View(stop_after=step, texts=frozenset({step}), enabled=enabled)
    text = stages(program.ir(), "sm_80", view=view)[-1].text
    assert text is not None
    return len(re.findall(r" load float", re.split(r"\n(?=for\.body:)", text)[1]))


def _first_array(source: str, launch: Launch) -> np.ndarray:
    """The first argument after a launch of a kernel with the step, on the simulated GPU."""
    ptx = compilers.ptx("lanewise", source, "sm_80", find_tools(None), enabled=STEP)
    return counted(ptx, launch).arrays[0]


def test_what_was_stored_in_the_row_above_is_not_loaded():
    program = lw.compile(COLUMNS, language="cuda")
    assert _loads_of_the_loop(program) == 2
    assert _loads_of_the_loop(program, STEP) == 1
    given = np.random.default_rng(1).random((20, 64), np.float32)
    sums = _first_array(COLUMNS, Launch((2,), (32,), (given.ravel().copy(), 20, 64)))
    expected = given.copy()
    for y in range(1, 20):
        expected[y] += expected[y - 1]
    np.testing.assert_array_equal(sums, expected.ravel())


def test_a_stencil_that_marches_loads_each_plane_once():
    program = lw.compile(HEAT, language="cuda")
    assert _loads_of_the_loop(program) == 7
    assert _loads_of_the_loop(program, STEP) == 5
    a = np.random.default_rng(2).integers(0, 50, (9, 6, 34)).astype(np.float32)
    out = _first_array(HEAT, Launch((4,), (32,), (np.zeros(a.size, np.float32), a.ravel(), 34, 6, 9)))
    inner = (slice(1, -1),) * 3
    expected = np.zeros_like(a)
    for axis in range(3):
        for step in (-1, 1):
            expected[inner] += np.roll(a, step, axis)[inner]
    expected[inner] -= 6 * a[inner]
    np.testing.assert_array_equal(out.reshape(a.shape), expected)
