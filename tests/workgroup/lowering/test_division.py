# SPDX-License-Identifier: Apache-2.0
"""Integer division by zero, and INT_MIN / -1, don't end the process; all other quotients are C's."""

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
template <class T> __global__ void divide(T *q, T *r, const T *a, const T *b) {
    int i = threadIdx.x;
    q[i] = a[i] / b[i];
    r[i] = a[i] % b[i];
}
"""


@pytest.mark.parametrize("ctype", ["int", "unsigned", "long long", "short", "unsigned char"])
def test_no_division_traps(ctype: str):
    module = lw.compile(SOURCE, language="cuda")
    dtype = {"int": "i4", "unsigned": "u4", "long long": "i8", "short": "i2", "unsigned char": "u1"}[ctype]
    limits = np.iinfo(dtype)
    a = np.array([7, limits.max, limits.min, limits.min, 100, 5, 0, limits.max], dtype)
    b = np.array([2, 3, 5, limits.max if limits.min == 0 else -1, 0, 0, 0, 1], dtype)
    q, r = np.zeros_like(a), np.zeros_like(a)
    module[f"divide<{ctype}>"][1, 8](q, r, a, b)
    for i in range(8):
        if b[i] != 0 and not (a[i] == limits.min < 0 and b[i] == -1):
            quotient = int(abs(int(a[i])) // abs(int(b[i]))) * (1 if (a[i] < 0) == (b[i] < 0) else -1)
            assert (q[i], r[i]) == (quotient, int(a[i]) - quotient * int(b[i]))
