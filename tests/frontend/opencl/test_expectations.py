# SPDX-License-Identifier: Apache-2.0
"""Expectations and assumptions (cl_khr_expect_assume) change nothing of what a kernel computes."""

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
#ifndef cl_khr_expect_assume
#error "without the extension"
#endif
kernel void k(global int *out, global const long *in) {
  size_t i = get_global_id(0);
  __builtin_assume(in[i] >= -4);
  bool is_small = __builtin_expect(in[i] < 4, true);
  out[i] = is_small ? 1 : __builtin_expect_with_probability(in[i], 100L, 0.9) == 100 ? 2 : in[i] < -4 ? 9 : 3;
}
"""


@pytest.mark.parametrize("device", ["reference", "cpu", "simt"])
def test_expected_and_other_values(device: str) -> None:
    values, out = np.array([-4, 3, 4, 100, 1 << 40], np.int64), np.zeros(5, np.int32)
    lw.compile(SOURCE, language="opencl")["k"].ndrange(5, device=device)(out, values)
    assert out.tolist() == [1, 1, 3, 2, 3]
