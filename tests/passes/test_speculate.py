# SPDX-License-Identifier: Apache-2.0
"""Kernels with small arms, as `speculate` leaves them: the same results, and fewer branches."""

import numpy as np
import pytest

import lanewise as lw
from lanewise.ir.reader import read_module
from lanewise.passes import speculate

SOURCE = """
extern "C" __global__ void choose(float *out, const float *a, const float *b, int j) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = a[i], force = 0;
    if (x < 0.5f) {
        float inverse = 1.0f / (x + 2.0f), square = inverse * inverse;
        force = inverse * (square * 1.5f - 1.0f) + square * square;
    }
    float y = 0;
    if (i & 2)
        y = b[(i + j) * 3];
    out[i] = force + y;
}
"""


def test_results_are_those_of_the_program():
    rng = np.random.default_rng(5)
    a, b = rng.random(64, np.float32), rng.random(300, np.float32)
    kernel = lw.compile(SOURCE, language="cuda", math="same-bits")["choose"]
    found = {device: np.zeros(64, np.float32) for device in ("reference", "simt")}
    for device, out in found.items():
        kernel.launch(2, 32, (out, a, b, 20), device=device)
    np.testing.assert_array_equal(found["simt"], found["reference"])
    wanted = np.where(np.arange(64) & 2, b[3 * (np.arange(64) + 20)], 0)
    np.testing.assert_array_equal(found["simt"][a >= 0.5], wanted[a >= 0.5])


def test_an_arm_of_arithmetic_becomes_selects():
    ptx = lw.compile(SOURCE, language="cuda").ptx("sm_80")
    assert ptx.count("bra") == 1  # around the load alone
    assert "selp" in ptx


@pytest.mark.parametrize("operations", [speculate.MOST_HOISTED, speculate.MOST_HOISTED + 1])
def test_no_more_operations_are_hoisted_than_the_limit(operations: int):
    steps = "".join(f"  %v{number + 1} = mul i32 %v{number}, %v{number}\n" for number in range(operations))
    module = read_module(f"""
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @f(ptr %out) {{
entry:
  %v0 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %few = icmp ult i32 %v0, 7
  br i1 %few, label %arm, label %join
arm:
{steps}  br label %join
join:
  %v = phi i32 [ %v{operations}, %arm ], [ 0, %entry ]
  store i32 %v, ptr %out, align 4
  ret void
}}
""")
    assert speculate.run(module.function("f")) == (operations == speculate.MOST_HOISTED)
