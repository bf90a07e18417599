# SPDX-License-Identifier: Apache-2.0
"""Products and quotients of cuda::std::complex, with infinite parts and parts that are no numbers (ISO C, G.5.1)."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import lanewise as lw

Numbers = NDArray[Any]

SOURCE = """
#include <cuda/std/complex>
template <typename T> __global__ void both(cuda::std::complex<T> *products, cuda::std::complex<T> *quotients,
                                           const cuda::std::complex<T> *a, const cuda::std::complex<T> *b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    products[i] = a[i] * b[i];
    quotients[i] = a[i] / b[i];
}
"""
PARTS = (0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan)
SPECIAL = np.array([complex(x, y) for x, y in product(PARTS, PARTS)])


def computed(a: Numbers, b: Numbers, dtype: Any) -> tuple[Numbers, Numbers]:
    """a * b and a / b, which must be the same on both devices."""
    kernel = lw.compile(SOURCE, language="cuda")["both<float>" if dtype is np.complex64 else "both<double>"]
    a, b = a.astype(dtype), b.astype(dtype)
    results: list[tuple[Numbers, Numbers]] = []
    for device in ("cpu", "reference"):
        results.append((np.zeros_like(a), np.zeros_like(a)))
        kernel.launch(a.size // 49, 49, (*results[-1], a, b), device=device)
    for cpu, reference in zip(*results, strict=True):
        np.testing.assert_array_equal(cpu, reference)
    return results[0]


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_numbers(dtype: Any):
    rng = np.random.default_rng(1)
    largest = {np.complex64: 30, np.complex128: 300}[dtype]  # a power of ten whose square is too large
    a, b = (rng.normal(size=98) + 1j * rng.normal(size=98) for _ in range(2))
    b[49:] *= 10.0 ** rng.integers(-largest, largest, 49)
    products, quotients = computed(a, b, dtype)
    tolerance = 8 * np.finfo(dtype).eps
    exact_a, exact_b = (x.astype(dtype).astype(np.clongdouble) for x in (a, b))
    assert (abs(products - exact_a * exact_b) <= tolerance * abs(exact_a * exact_b)).all()
    assert (abs(quotients - exact_a / exact_b) <= tolerance * abs(exact_a / exact_b)).all()


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_special_values(dtype: Any):
    a, b = (x.ravel() for x in np.meshgrid(SPECIAL, SPECIAL))
    products, quotients = computed(a, b, dtype)
    infinite_a, infinite_b, finite_a, finite_b = np.isinf(a), np.isinf(b), np.isfinite(a), np.isfinite(b)
    nonzero_a, nonzero_b = (finite_a & (a != 0)) | infinite_a, (finite_b & (b != 0)) | infinite_b
    assert np.isinf(products[(infinite_a & nonzero_b) | (nonzero_a & infinite_b)]).all()
    assert np.isinf(quotients[(infinite_a & finite_b) | (nonzero_a & (b == 0))]).all()
    assert (quotients[finite_a & infinite_b] == 0).all()
    assert np.isnan(products[(a == 0) & infinite_b]).all()
    assert np.isnan(quotients[(a == 0) & (b == 0)]).all()


def test_ptx():
    source = """
    #include <cuda/std/complex>
    __global__ void k(cuda::std::complex<float> *p, cuda::std::complex<double> *q) {
        p[0] = p[1] / p[2] * p[3];
        q[0] = q[1] / q[2] * q[3];
    }
    """
    assert ".extern" not in lw.compile(source, language="cuda").ptx()
