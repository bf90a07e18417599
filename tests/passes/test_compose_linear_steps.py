# SPDX-License-Identifier: Apache-2.0
"""`compose-linear-steps` in the pipelines: one step for many where a program permits it, with about its results."""

import re

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
kernel void normalised(global float *y, global const float4 *x) {
    int i = get_global_id(0);
    float4 v = ((x[i] * (1.0f / 255) - 0.5f) * 3.0f + (float4)(1, 2, 3, 4)) * 0.7f - 0.1f;
    y[i] = v.x + v.y * v.z - v.w;
}
"""
RELAXED = ("-cl-mad-enable", "-cl-fast-relaxed-math")


@pytest.mark.parametrize("mapping", ["lanes", "loop"])
def test_results_are_about_those_of_single_steps(mapping: str):
    x = np.linspace(0, 255, 4 * 64, dtype=np.float32).reshape(64, 4)
    found = np.zeros(64, np.float32)
    lw.compile(SOURCE, language="opencl", options=RELAXED, mapping=mapping)["normalised"].ndrange(64, 32)(found, x)
    v = ((x.astype(np.float64) / 255 - 0.5) * 3 + [1, 2, 3, 4]) * 0.7 - 0.1
    np.testing.assert_allclose(found, v[:, 0] + v[:, 1] * v[:, 2] - v[:, 3], rtol=1e-5, atol=1e-5)


def _steps(*options: str) -> int:
    program = lw.compile(SOURCE, language="opencl", options=options)
    text = program.ir("compose-linear-steps", "normalised", block=32)
    return sum("call " in line and "@llvm.fma.v4f32(" in line for line in text.splitlines())


def test_only_where_the_program_permits_it():
    assert (_steps(*RELAXED), _steps()) == (1, 3)


def _steps_on_a_gpu(*enabled: str) -> list[int]:
    """The numbers of steps that LLVM leaves, and that the pass leaves of these."""
    program = lw.compile(SOURCE, language="opencl", options=RELAXED)
    stages = program.stages(target="ptx", enable=enabled, texts=["optimise", "compose-linear-steps"])
    return [len(re.findall(r"call .*@llvm\.fma\.", stage.text)) for stage in stages if stage.text]


def test_on_a_gpu_if_asked():
    before, after = _steps_on_a_gpu("compose-linear-steps")
    assert (before, after) == (4, 2)
    assert _steps_on_a_gpu() == [before]
