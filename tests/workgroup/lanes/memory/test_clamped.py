# SPDX-License-Identifier: Apache-2.0
"""Addresses whose index is clamped: neighbours if no active lane is."""

import numpy as np
import pytest

import lanewise as lw

CLAMPED = {
    "least": "max(t - c, a)",
    "greatest": "min(t + c, b)",
    "both": "min(max(t - c, a), b)",
    "mirrored": "63 - min(64 * c - t, b)",
    "wide": "(int)min((long long)t + c, (long long)b)",
}
OTHERS = {
    "downwards": "max(61 - c - t, a)",
    "of_two_varying": "max(t, 64 - c - t)",  # 1
    "wrapping": "min((unsigned)t - c, (unsigned)b)",  # 2: the first lane is far above
    "scaled_by_data": "min(t + c, b) * (in[t] > 2)",  # 3
}
TEMPLATE = """
__global__ void NAME(float *out, const float *in, int a, int b, int c, int n) {
    __shared__ float tile[64];
    int t = threadIdx.x;
    tile[t] = in[t];
    __syncthreads();
    out[t] = tile[INDEX];
    if (t >= a && t < n) out[64 + t] = tile[INDEX] + in[INDEX];
}
"""
SOURCE = "".join(TEMPLATE.replace("NAME", name).replace("INDEX", index) for name, index in (CLAMPED | OTHERS).items())
MODULES = {
    mapping: lw.compile(SOURCE, language="cuda", mapping=mapping) for mapping in ("auto", "lanes:8x1", "lanes:16x2")
}
VECTOR_TEST = "ptrtoint <8 x ptr>"
"""Part of the test that compares the addresses of all lanes."""


@pytest.mark.parametrize("mapping", MODULES)
@pytest.mark.parametrize("name", [*CLAMPED, *OTHERS])
def test_results(name: str, mapping: str):
    data = np.arange(64, dtype=np.float32)
    for a, b, n in ((0, 63, 64), (3, 40, 64), (30, 33, 50), (5, 63, 5), (17, 62, 61)):
        expected, found = np.zeros(128, np.float32), np.zeros(128, np.float32)
        MODULES["auto"][name].launch(1, 64, (expected, data, a, b, 1, n), device="reference")
        MODULES[mapping][name][1, 64](found, data, a, b, 1, n)
        assert found.tobytes() == expected.tobytes(), (a, b, n)


@pytest.mark.parametrize("name", CLAMPED)
def test_clamped_indices_are_tested_by_scalars(name: str):
    text = MODULES["lanes:8x1"].ir("work-group", name, block=64)
    assert "neighbours.yes" in text
    assert VECTOR_TEST not in text


@pytest.mark.parametrize("name", OTHERS)
def test_needs(name: str):
    text = MODULES["lanes:8x1"].ir("work-group", name, block=64)
    assert "neighbours.yes" not in text or VECTOR_TEST in text
