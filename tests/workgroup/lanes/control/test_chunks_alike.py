# SPDX-License-Identifier: Apache-2.0
"""What depends on a work-item's lane only is kept once for all chunks, also where they are active differently."""

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
__global__ void kernel(unsigned *out, const unsigned *in) {
    const unsigned item = threadIdx.x, all = __ballot_sync(0xffffffffu, true);
    unsigned c = 1000, a = in[item];
    if (a & 4) {
        unsigned t = 1;
        for (; t < item % WIDTH; ++t) out[64 + item] = t;
        c = t;
        out[128 + item] = a;
    }
    out[item] = c;
    out[192 + item] = all;
}
"""


@pytest.mark.parametrize(("mapping", "width"), [("lanes:8x4", 8), ("lanes:16x2", 16), ("lanes:4x8", 4), ("auto", 16)])
def test_the_last_value_of_a_loop(mapping: str, width: int):
    values = np.random.default_rng(0).integers(0, 1 << 32, 64, dtype=np.uint64).astype(np.uint32)
    kernel = lw.compile(SOURCE, language="cuda", mapping=mapping, defines={"WIDTH": width})["kernel"]
    out = np.zeros(256, np.uint32)
    kernel[1, 64](out, values)
    wanted = np.where(values & 4, np.maximum(1, np.arange(64) % width), 1000)
    assert out[:64].tolist() == wanted.tolist()
