# SPDX-License-Identifier: Apache-2.0
"""Two exits of a divergent loop, each taken by all lanes that are left or by none, whose paths meet after it: lane code
runs both paths, and the values of the exit that was taken are kept."""

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
__global__ void k(unsigned *out, const unsigned *in, unsigned n, unsigned m) {
    unsigned item = threadIdx.x, v = in[item], result;
    for (unsigned round = 0;; ++round) {
        v = v * 3 + 1;
        if ((v & 0x30) == 0) {
            out[item] = round;
            return;
        }
        if (round == n) { result = v * 7; out[item + 64] = 1; goto meet; }
        v ^= in[item + 64];
        if (round == m) { result = v / 5; out[item + 128] = 1; goto meet; }
    }
meet:
    out[item] = result;
}
"""


@pytest.mark.parametrize("mapping", ["auto", "lanes:4x1", "lanes:8x2", "loop"])
@pytest.mark.parametrize(("n", "m"), [(1, 5), (5, 1), (0, 9), (9, 0)])
def test_the_values_of_the_exit_that_was_taken_are_kept(mapping: str, n: int, m: int):
    values = np.random.default_rng(1).integers(0, 2**20, 128).astype(np.uint32)
    kernel = lw.compile(SOURCE, language="cuda", mapping=mapping)["k"]
    found, wanted = np.zeros(192, np.uint32), np.zeros(192, np.uint32)
    kernel.launch(1, 64, (found, values, n, m), device="cpu")
    kernel.launch(1, 64, (wanted, values, n, m), device="reference")
    assert (found == wanted).all()
    assert (wanted[:64] < 16).any()
    assert (wanted[:64] >= 16).any(), "lanes by both exits"
