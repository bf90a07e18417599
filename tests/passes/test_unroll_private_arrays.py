# SPDX-License-Identifier: Apache-2.0
"""Kernels whose arrays `unroll-private-arrays` brings into registers, and those that say how to unroll."""

import numpy as np
import pytest

import lanewise as lw
from lanewise.pipelines.drive import View
from lanewise.pipelines.gpu import stages

SOURCE = """
extern "C" __global__ void schedule(unsigned *out, const unsigned *in) {
    unsigned w[64], sum = 0;
    int i = threadIdx.x;
    for (int t = 0; t < 16; t++) w[t] = in[16 * i + t];
    PRAGMA
    for (int t = 16; t < 64; t++) {
        unsigned a = w[t - 15], b = w[t - 2];
        w[t] = w[t - 16] + (a >> 7 ^ a << 25 ^ a >> 18 ^ a << 14 ^ a >> 3) + w[t - 7] + (b >> 17 ^ b << 15 ^ b >> 10);
    }
    for (int t = 0; t < 4; t++) sum = (sum ^ w[63 - t]) * 3;
    out[i] = sum;
}
"""


def _expected(given: np.ndarray) -> np.ndarray:
    w = [given[:, t] for t in range(16)]
    for t in range(16, 64):
        a, b = w[t - 15], w[t - 2]
        mixed = (a >> 7 ^ a << 25 ^ a >> 18 ^ a << 14 ^ a >> 3) + w[t - 7] + (b >> 17 ^ b << 15 ^ b >> 10)
        w.append(w[t - 16] + mixed)
    total = np.zeros(len(given), np.uint32)
    for t in range(4):
        total = (total ^ w[63 - t]) * 3
    return total


OTHER = """
KERNEL void other(GLOBAL float *out, int n) {
    float sum = 0;
    #pragma unroll 2
    for (int i = 0; i < n; i++) sum = sum * 0.5f + out[i];
    out[n] = sum;
}
"""
OTHER_IN_CUDA = OTHER.replace("KERNEL", 'extern "C" __global__').replace("GLOBAL", "")
OTHER_IN_OPENCL = OTHER.replace("KERNEL", "__kernel").replace("GLOBAL", "__global")


def _compiled(pragma: str, more: str = "") -> lw.Module:
    return lw.compile(SOURCE.replace("PRAGMA", pragma) + more, language="cuda")


def test_the_array_is_in_registers_and_results_are_exact():
    program = _compiled("")
    assert ".local" not in program.ptx("sm_80")
    ir = stages(program.ir(), "sm_80", view=View(stop_after="optimise", texts=frozenset({"optimise"})))[-1].text
    assert ir is not None
    assert "alloca [64 x i32]" in ir  # LLVM leaves it in memory
    given = np.random.default_rng(5).integers(0, 1 << 32, (32, 16), np.uint32)
    out = np.zeros(32, np.uint32)
    program["schedule"].launch(1, 32, (out, given.ravel()), device="simt")
    np.testing.assert_array_equal(out, _expected(given))


def test_a_program_that_says_how_to_unroll_is_left_alone():
    assert ".local" in _compiled("#pragma unroll 1").ptx("sm_80")
    assert ".local" in _compiled("#pragma unroll 2").ptx("sm_80")
    assert ".local" in _compiled("", OTHER_IN_CUDA).ptx("sm_80")  # it says so in another kernel


ROWS = """
__kernel void least_of_rows(__global uchar *out, __global const uchar *in, int width) {
    int x = get_global_id(0), y = get_global_id(1) * 14;
    uchar rows[16];
    for (int i = 0; i < 16; i++) rows[i] = in[(y + i) * width + x];
    PRAGMA
    for (int i = 0; i < 14; i++) out[(y + i) * width + x] = min(rows[i], min(rows[i + 1], rows[i + 2]));
}
"""


@pytest.mark.parametrize("mapping", ["loop", "lanes"])
def test_a_cpu_goes_through_work_items_once(mapping: str):
    """With the array in memory, there is a loop over work-items in each turn of each loop."""
    program = lw.compile(ROWS.replace("PRAGMA", ""), language="opencl", mapping=mapping)
    assert [remark.split(":")[0] for remark in program["least_of_rows"].remarks((16, 4))] == ["region 0"]
    assert "alloca [16 x i8]" in program.ir("simplify")
    assert "alloca [16 x i8]" not in program.ir("simplify-unrolled")
    given = np.random.default_rng(6).integers(0, 256, (58, 16), np.uint8)
    out = np.zeros((56, 16), np.uint8)
    program["least_of_rows"].ndrange((16, 4), (16, 4))(out, given, np.int32(16))
    np.testing.assert_array_equal(out, np.minimum(given[:56], np.minimum(given[1:57], given[2:])))


def test_a_cpu_leaves_long_loops():
    program = lw.compile(SOURCE.replace("PRAGMA", ""), language="cuda")
    assert "alloca [64 x i32]" in program.ir("simplify-unrolled")


@pytest.mark.parametrize(
    "told", [ROWS.replace("PRAGMA", "#pragma unroll 1"), ROWS.replace("PRAGMA", "") + OTHER_IN_OPENCL]
)
def test_a_cpu_leaves_programs_that_say_how_to_unroll(told: str):
    """As a GPU does: in another kernel, too."""
    program = lw.compile(told, language="opencl")
    assert "alloca [16 x i8]" in program.ir("simplify-unrolled", "least_of_rows")


MEETING = """
__kernel void turned(__global int *out, __global const int *in, __local int *tile) {
    int l = get_local_id(0), kept[16];
    for (int i = 0; i < 16; i++) {
        tile[l] = in[64 * i + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        kept[i] = tile[63 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = 0; i < 16; i++) out[16 * l + i] = kept[i ^ 1];
}
"""


def test_a_cpu_leaves_loops_with_barriers():
    """Unrolled, there would be a region for each turn."""
    program = lw.compile(MEETING, language="opencl")
    assert program.ir("simplify-unrolled").count("@llvm.nvvm.barrier") == 3
