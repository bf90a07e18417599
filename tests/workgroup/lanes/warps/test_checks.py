# SPDX-License-Identifier: Apache-2.0
"""Checks in kernels with operations of the warp: exchanges before a branch may be made twice, stores may not."""

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
__global__ void exchange(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned active = __activemask();
    float left = __shfl_up_sync(active, (float)i, 1);
    if (i < n) out[i] = in[i] + left * __popc(active);
}
__global__ void store(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = __popc(__activemask());
    if (i < n) out[i] += in[i];
}
"""


@pytest.mark.parametrize(("name", "checked"), [("exchange", True), ("store", False)])
def test_a_unit_starts_again_only_if_it_has_stored_nothing(name: str, checked: bool):
    text = lw.compile(SOURCE, mapping="lanes:16x2").ir("work-group", name, block=64)
    plain = [line for line in text.splitlines() if "= load <16 x float>" in line or "= load <32 x float>" in line]
    assert bool(plain) == checked


@pytest.mark.parametrize("n", [0, 17, 32, 150, 256])
@pytest.mark.parametrize("name", ["exchange", "store"])
def test_as_on_the_reference_device(name: str, n: int):
    kernel = lw.compile(SOURCE)[name]
    given = np.arange(256, dtype=np.float32)
    found, expected = np.zeros_like(given), np.zeros_like(given)
    kernel.launch(4, 64, (found, given, n), device="cpu")
    kernel.launch(4, 64, (expected, given, n), device="reference")
    assert (found == expected).all()
