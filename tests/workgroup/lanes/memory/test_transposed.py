# SPDX-License-Identifier: Apache-2.0
"""Accesses by columns, with more and with fewer chunks than lanes."""

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
template <typename T> __global__ void load_columns(T *out, const T *in, int n) {
    out[threadIdx.y * n + threadIdx.x] = in[threadIdx.x * n + threadIdx.y];
}
template <typename T> __global__ void store_columns(T *out, const T *in, int n) {
    out[threadIdx.x * n + threadIdx.y] = in[threadIdx.y * n + threadIdx.x];
}
#define BOTH(T) template __global__ void load_columns(T *, const T *, int); \\
    template __global__ void store_columns(T *, const T *, int);
BOTH(unsigned char)
BOTH(short)
BOTH(float)
BOTH(double)
"""
TYPES = {"unsigned char": np.uint8, "short": np.int16, "float": np.float32, "double": np.float64}


@pytest.mark.parametrize("mapping", ["lanes:16x2", "lanes:16x4", "lanes:16x16", "lanes:8x8", "lanes:4x8", "lanes:4x16"])
@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("access", ["load", "store"])
def test_transpositions(access: str, kind: str, mapping: str):
    kernel = lw.compile(SOURCE, language="cuda", mapping=mapping)[f"{access}_columns<{kind}>"]
    given = np.arange(20 * 20).reshape(20, 20).astype(TYPES[kind])
    out = np.zeros_like(given)
    kernel[1, (16, 16)](out, given, 20)
    expected = np.zeros_like(given)
    expected[:16, :16] = given[:16, :16].T
    assert out.tobytes() == expected.tobytes()
