# SPDX-License-Identifier: Apache-2.0
"""A vector and the element before it are one load in loops over work-items, whether these were asked for or not."""

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
kernel void shifted(global uchar16 *out, global const uchar *p) {
    size_t i = get_global_id(0);
    const global uchar *row = p + 16 * i;
    uchar16 most = 0;
    for (int k = 0; k < 3; k++, row += 80) {
        uchar16 v = vload16(1, row);
        most = max(most, max(v, (uchar16)(row[15], v.s0123, v.s456789ab, v.scde)));
    }
    out[i] = most;
}
"""


@pytest.mark.parametrize("mapping", ["loop", "auto"])
def test_shifted_vectors_are_loaded(mapping: str) -> None:
    module = lw.compile(SOURCE, language="opencl", mapping=mapping)
    assert "a loop over work-items" in module["shifted"].remarks(4)[0]
    assert module.ir("work-group", "shifted", block=4).count("load <16 x i8>") == 2
    given = np.random.default_rng(1).integers(0, 256, 512, np.uint8)
    out = np.zeros(64, np.uint8)
    module["shifted"].ndrange(4, 4)(out, given)
    rows = [given[16 + 80 * k + first : 80 + 80 * k + first] for k in range(3) for first in (0, -1)]
    np.testing.assert_array_equal(out, np.max(rows, 0))
