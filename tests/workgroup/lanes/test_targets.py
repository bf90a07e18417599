# SPDX-License-Identifier: Apache-2.0
"""Lane code for processors that may not be at hand: it is generated, and the instructions are looked at."""

import re

import pytest

import lanewise as lw
from lanewise.llvm import LlvmModule, Machine

SOURCE = """
__global__ void saxpy(float *y, const float *x, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
"""
TARGETS = {
    "x86-64 with AVX-512": (Machine("x86_64-linux-gnu", "x86-64-v4", ""), 16, r"vfmadd\w+\s.*%zmm"),
    "x86-64 with AVX2": (Machine("x86_64-linux-gnu", "haswell", ""), 8, r"vfmadd\w+\s.*%ymm"),
    "x86-64 with SSE4": (Machine("x86_64-linux-gnu", "nehalem", ""), 4, r"mulps\s.*%xmm"),
    "AArch64 with NEON": (Machine("aarch64-linux-gnu", "cortex-a72", ""), 4, r"fmla\s+v\d+\.4s"),
}


@pytest.mark.parametrize("name", TARGETS)
def test_vectors_of_the_target(name: str):
    machine, width, expected = TARGETS[name]
    text = lw.compile(SOURCE, language="cuda", mapping=f"lanes:{width}x2").ir("work-group", block=64)
    if name.endswith("SSE4"):  # LLVM calls fmaf() where there is no instruction: the front end doesn't contract then
        text = re.sub(r"llvm\.fma\.", "llvm.fmuladd.", text)
    module = LlvmModule.parse(text)
    machine.claim(module)
    machine.optimise(module)
    assembly = machine.assembly(module)
    assert re.search(expected, assembly)
    assert "fmaf" not in assembly
