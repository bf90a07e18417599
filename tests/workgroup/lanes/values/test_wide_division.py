# SPDX-License-Identifier: Apache-2.0
"""Division and remainder of 64-bit integers in lanes, of vectors with small numbers, with large ones, and with both."""

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
template <typename T> __global__ void each(T *quotients, T *remainders, const T *a, const T *b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    quotients[i] = a[i] / b[i];
    remainders[i] = a[i] % b[i];
}
template <typename T> __global__ void some(T *quotients, T *remainders, const T *a, const T *b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T quotient = 77, remainder = 77;
    if (a[i] & 1) {
        quotient = a[i] / b[i];
        remainder = a[i] % b[i];
    }
    quotients[i] = quotient;
    remainders[i] = remainder;
}
template __global__ void each(long long *, long long *, const long long *, const long long *);
template __global__ void each(unsigned long long *, unsigned long long *, const unsigned long long *,
                              const unsigned long long *);
template __global__ void some(long long *, long long *, const long long *, const long long *);
"""
BITS = (0, 1, 2, 3, 31, 32, 33, 51, 52, 53, 62, 63)


def _pairs(signed: bool) -> tuple[list[int], list[int]]:
    """Numbers near powers of two, those of a block about as large; then random ones, small and of any size by turns."""
    near = sorted({(1 << k) + d for k in BITS for d in (-1, 0, 1)} - {1 << 63, (1 << 63) + 1} | {0})
    near = [sign * each for each in near for sign in ((1, -1) if signed else (1,))]
    near += [-1 << 63] if signed else [1 << 63, (1 << 64) - 1]
    pairs = [(a, b) for a in near for b in near]
    random = np.random.default_rng(7)
    for bits in (20, 51, 52, 53, 63):
        words = random.integers(0, 1 << 63, (64, 2), np.int64)
        shifts = random.integers(63 - bits, 63, (64, 2))
        pairs += [(int(a) >> int(s), int(b) >> int(t)) for (a, b), (s, t) in zip(words, shifts, strict=True)]
    # n b - 1 and n b are where a quotient goes up.
    pairs += [
        (n * b - d, b) for n in ((1 << 21) - 1, (1 << 26) + 1) for b in range((1 << 26) - 16, 1 << 26) for d in (0, 1)
    ]
    pairs += [(5, 3)] * (-len(pairs) % 64)
    first, second = zip(*pairs, strict=True)
    return list(first), list(second)


def _divided(a: int, b: int) -> tuple[int, int]:
    """Rounded towards 0. A divisor of 0 counts as 1."""
    b = b or 1
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return quotient, a - quotient * b


@pytest.mark.parametrize("kernel", ["each<long long>", "each<unsigned long long>", "some<long long>"])
def test_quotients_and_remainders(kernel: str):
    module = lw.compile(SOURCE, language="cuda", mapping="lanes")
    assert "division.small" in module.ir("work-group", kernel, block=64)
    type_ = np.dtype(np.uint64 if "unsigned" in kernel else np.int64)
    a, b = _pairs(type_.kind == "i")
    expected = [(77, 77) if "some" in kernel and not x & 1 else _divided(x, y) for x, y in zip(a, b, strict=True)]
    quotients, remainders = np.zeros(len(a), type_), np.zeros(len(a), type_)
    module[kernel].launch(len(a) // 64, 64, (quotients, remainders, np.array(a, type_), np.array(b, type_)))
    for x, y, found, wanted in zip(a, b, zip(quotients, remainders, strict=True), expected, strict=True):
        assert [int(each) % 2**64 for each in found] == [each % 2**64 for each in wanted], f"{x} by {y}"
