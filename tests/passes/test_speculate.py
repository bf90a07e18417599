# SPDX-License-Identifier: Apache-2.0
"""Kernels with small arms, as `speculate` leaves them: the same results, and fewer branches."""

import numpy as np
import pytest
from bench.gpu.counted import counted
from bench.gpu.problem import Launch
from bench.gpu.tools import find_tools

import lanewise as lw
from bench.gpu import compilers
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


def _ptx(enabled: frozenset[str]) -> str:
    return compilers.ptx("lanewise", SOURCE, "sm_80", find_tools(None), frozenset(), enabled)


def test_results_are_those_of_the_program_and_an_arm_of_arithmetic_becomes_selects():
    rng = np.random.default_rng(5)
    a, b = rng.random(64, np.float32), rng.random(300, np.float32)
    texts = [_ptx(frozenset()), _ptx(frozenset({"speculate"}))]
    assert [text.count("bra") for text in texts] == [2, 1]  # what is left is around a load
    assert [text.count("selp") for text in texts] == [0, 1]
    plain, hoisted = (
        counted(text, Launch((2,), (32,), (np.zeros(64, np.float32), a, b, 20))).arrays[0] for text in texts
    )
    np.testing.assert_array_equal(hoisted, plain)
    wanted = np.where(np.arange(64) & 2, b[3 * (np.arange(64) + 20)], 0)
    np.testing.assert_array_equal(hoisted[a >= 0.5], wanted[a >= 0.5])


def test_the_step_waits_to_be_asked_for():
    module = lw.compile(SOURCE, language="cuda")
    assert "speculate" not in [stage.step for stage in module.stages(target="ptx", texts=())]
    stages = module.stages(target="ptx", texts=(), enable=["speculate"])
    assert next(stage for stage in stages if stage.step == "speculate").changed
    with pytest.raises(lw.Error, match="no step is called 'speculation'"):
        module.stages(target="ptx", enable=["speculation"])


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
