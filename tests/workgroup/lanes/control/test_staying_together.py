# SPDX-License-Identifier: Apache-2.0
"""Loops that all work-items of a unit stay in go without masks; whether they stay is told by the first or the last."""

import re

import numpy as np
import pytest

import lanewise as lw

HEADS = {
    "upwards": "for (int i = first; i < n; i += stride)",
    "modular": "for (unsigned i = first; i < (unsigned)n; i += stride)",
    "wide": "for (long long i = first; i < n; i += stride)",
    "downwards": "for (int i = n - 1 - first; i >= 0; i -= stride)",
    "wraps": "for (unsigned i = first + 0xffffff00u; i > 0xfffffe00u || i < (unsigned)n; i += stride)",
}
BY_SCALARS = ["upwards", "modular", "wide", "downwards"]
TEMPLATE = """
__global__ void NAME(float *out, const float *in, int n) {
    int first = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
    float sum = 0;
    HEAD sum += in[i & 1023] * (i & 7);
    out[first] = sum;
}
"""
MODULE = lw.compile(
    "".join(TEMPLATE.replace("NAME", name).replace("HEAD", head) for name, head in HEADS.items()),
    language="cuda",
    mapping="lanes:8x2",
)


@pytest.mark.parametrize("name", HEADS)
def test_results(name: str):
    data = np.arange(1024, dtype=np.float32)
    for n in (0, 1, 60, 64, 128, 129, 200, 1000, 1024):
        found, expected = np.zeros(128, np.float32), np.zeros(128, np.float32)
        MODULE[name].launch(2, 64, (found, data, n))
        MODULE[name].launch(2, 64, (expected, data, n), device="reference")
        assert found.tobytes() == expected.tobytes(), n


@pytest.mark.parametrize("name", BY_SCALARS)
def test_one_comparison_tells_that_all_stay(name: str):
    text = MODULE.ir("work-group", name, block=64)
    (start,) = re.findall(r"^[\w.]+\.together:$", text, re.MULTILINE)
    together = text[text.index(f"\n{start}") :].partition(".parting\n")[0]
    assert "label %" in together
    assert "llvm.vector.reduce.and" not in together
