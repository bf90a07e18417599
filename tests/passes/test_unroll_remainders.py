# SPDX-License-Identifier: Apache-2.0
"""Loops whose remainders `unroll-remainders` unrolls: each number of turns gives what it gave before."""

import numpy as np

import lanewise as lw

SOURCE = """
extern "C" __global__ void sums(float *out, const float *in, int most) {
    int n = threadIdx.x;
    float any = 0, odd = 0;
    int last = -1;
    for (int i = 0; i < n; i++) {
        any = 2 * any + in[i];
        last = i;
    }
    for (int i = -n; i <= n; i++)
        odd = 0.5f * odd + in[i + most];
    out[3 * n] = any;
    out[3 * n + 1] = odd;
    out[3 * n + 2] = last;
}
"""
MOST = 20


def test_each_number_of_turns():
    values = np.arange(1, 2 * MOST + 2, dtype=np.float32)
    program = lw.compile(SOURCE, language="cuda")
    results = {}
    for device in ("simt", "reference"):
        results[device] = np.zeros((MOST + 1, 3), np.float32)
        program["sums"].launch(1, MOST + 1, (results[device], values, MOST), device=device)
    np.testing.assert_array_equal(results["simt"], results["reference"])
    np.testing.assert_array_equal(results["simt"][:, 2], np.arange(MOST + 1) - 1)
    without = lw.compile(SOURCE.replace("for (", "\n#pragma unroll 1\nfor ("), language="cuda")
    assert program.ptx("sm_90").count("ld.global") >= without.ptx("sm_90").count("ld.global") + 2 * (8 + 4)
