# SPDX-License-Identifier: Apache-2.0
"""An edge from within an inner loop to the header of an outer one: lanes that take it keep what the header's phis get,
however long others stay in the inner loop."""

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
__global__ void k(unsigned *out, const unsigned *in, int n) {
    unsigned item = threadIdx.x;
    int rounds = 0, c = item;
    const int end = 2 + (in[item + 64] & 3);
    for (;;) {
        ++rounds;
        c += item;
        if (rounds < end && (in[item] & 4)) continue;
        out[512 + 8 * item + (c & 1)] = 7;
        c -= item;
        if (rounds >= end || ((3u + (unsigned)n) & 1)) break;
    }
    out[2 * item] = c;
    out[2 * item + 1] = rounds;
}
"""


@pytest.mark.parametrize("mapping", ["auto", "lanes", "lanes:4x1", "lanes:8x2", "loop"])
@pytest.mark.parametrize("n", [0, 1])
def test_lanes_that_go_on_earlier_keep_their_values(mapping: str, n: int):
    values = np.random.default_rng(1).integers(0, 2**31, 128).astype(np.uint32)
    kernel = lw.compile(SOURCE, language="cuda", mapping=mapping)["k"]
    found, wanted = np.zeros(1024, np.uint32), np.zeros(1024, np.uint32)
    kernel.launch(1, 64, (found, values, n), device="cpu")
    kernel.launch(1, 64, (wanted, values, n), device="reference")
    assert (found == wanted).all()
