# SPDX-License-Identifier: Apache-2.0
"""Branches of which one way is expected: what the other needs is not computed on it."""

import platform

import pytest

import lanewise as lw
from lanewise.pipelines.target import host_target

CROSS = """
__global__ void cross(float *out, const float *in, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < n - 1 && y > 0 && y < n - 1) {
        const float *p = in + y * n + x;
        out[y * n + x] = 0.5f * p[0] + 0.125f * (p[-1] + p[1] + p[-n] + p[n]);
    }
}
"""


@pytest.mark.skipif(
    platform.machine() != "x86_64" or host_target().processor.lanes < 8, reason="looks for instructions of AVX2"
)
def test_masks_of_the_border_are_not_computed_in_every_group():
    module = lw.compile(CROSS, language="cuda", mapping="lanes:8x4")
    text = module.ir("work-group", block=(64, 4))
    assert '"branch_weights"' in text
    assert '"function_entry_count"' in text
    code = module.asm(block=(64, 4))
    before_the_sums = code[: code.index("vaddps")]
    assert "vpcmp" in code
    assert "vpcmp" not in before_the_sums


def test_without_such_branches_there_is_no_profile():
    module = lw.compile("__global__ void k(int *p) { p[threadIdx.x] = 1; }", language="cuda")
    assert "!prof" not in module.ir("work-group", block=256)
