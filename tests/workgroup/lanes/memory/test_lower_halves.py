# SPDX-License-Identifier: Apache-2.0
"""Indices that are the lower half of a sum of 64 bits, `int i = get_global_id(0) + k`: neighbours, unless they wrap."""

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
kernel void signed_(global float *a, long k, int n) {
    int j = get_global_id(0) + (k + 1), i = get_global_id(1) + (k + 1);
    int w = n + 1;                          // columns: j is -1 or more
    if (i < n && j < n && i > -1 && j > -2) a[i * w + j + 1] = 2 * a[i * w + j + 1] + j;
}
kernel void not_negative(global float *a, long k, int n) {
    int j = get_global_id(0) + k, i = get_global_id(1);
    if (i < n && j < n && j >= 0) a[i * n + j] = 2 * a[i * n + j] + j;
}
kernel void unsigned_(global float *a, long k, int n) {
    uint j = get_global_id(0) + k;
    int i = get_global_id(1);
    if (i < n && j < n) a[(ulong)i * n + j] = 2 * a[(ulong)i * n + j] + j;
}
kernel void downwards(global char *a, long k, int n) {
    int j = k - 3 * get_global_id(0), i = get_global_id(1);
    if (i < n && j < n && j >= 0) a[i * n + j] = 2 * a[i * n + j] + j;
}
kernel void ring(global float *a, long k, int n) {
    size_t j = (get_global_id(0) + k) & 31, i = get_global_id(1);    // wraps after 32, which is no half
    if (i < n && get_global_id(0) < 32) a[i * n + j] = 2 * a[i * n + j] + j;
}
"""
OFFSETS = (-(1 << 32) - 2, -3, -1, 0, 5, (1 << 31) - 9, (1 << 32) - 7, (1 << 32) + 4)


@pytest.mark.parametrize("name", ["signed_", "not_negative", "unsigned_", "downwards", "ring"])
def test_results_are_those_of_single_work_items(name: str) -> None:
    found = {}
    for mapping in ("lanes:8", "loop"):
        kernel = lw.compile(SOURCE, language="opencl", mapping=mapping)[name]
        for offset in OFFSETS:
            array = np.arange(52 * 52).astype(np.int8 if name == "downwards" else np.float32)
            kernel.ndrange((64, 56), (32, 8))(array, offset, 50)
            assert found.setdefault(offset, array.tobytes()) == array.tobytes(), (name, offset, mapping)


@pytest.mark.parametrize("name", ["signed_", "not_negative", "unsigned_"])
def test_neighbours_need_no_gather(name: str) -> None:
    remarks = lw.compile(SOURCE, language="opencl")[name].remarks((32, 8))
    assert not [remark for remark in remarks if "gather" in remark or "scatter" in remark]
    assert [remark for remark in lw.compile(SOURCE, language="opencl")["ring"].remarks((32, 8)) if "gather" in remark]
