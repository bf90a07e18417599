# SPDX-License-Identifier: Apache-2.0
"""Complex numbers in compiled loops, against the interpreter."""

import cmath
from typing import Any

import numpy as np
import pytest

import lanewise as lw

RANDOM = np.random.default_rng(5)


def numbers(count: int, dtype: Any) -> Any:
    """Complex numbers of many magnitudes, some of them real, imaginary or 0."""
    parts = RANDOM.standard_normal((2, count)) * 2.0 ** RANDOM.integers(-20, 20, (2, count))
    parts[:, ::7] = np.round(parts[:, ::7])
    return (parts[0] + 1j * parts[1]).astype(dtype)


@lw.jit(exact=True)
def arithmetic(a, b, out, equal):
    for i in lw.prange(len(a)):
        z, w = a[i], b[i]
        out[0, i] = z + w
        out[1, i] = z - w * 2
        out[2, i] = z * w + 1j
        out[3, i] = z / (w + 3)
        out[4, i] = -z.conjugate() + z.real
        out[5, i] = w.imag if z == w else w
        out[6, i] = 2.5 / (z + (1 - 2j))
        equal[i] = (z == w or z != z) + 2 * (z.imag == 0) + 4 * bool(z)


@lw.jit(exact=True)
def of_python(count, z, w):
    product = 1 + 0j
    for i in range(count):
        product = product * z / (w + 0.3 * i) + i
    return product


@lw.jit
def functions(a, out):
    for i in lw.prange(len(a)):
        z = a[i]
        out[0, i] = np.exp(z)
        out[1, i] = np.log(z)
        out[2, i] = np.sqrt(z)
        out[3, i] = np.sin(z)
        out[10, i] = np.cos(z)
        out[4, i] = np.tan(z)
        out[5, i] = np.sinh(z)
        out[11, i] = np.cosh(z)
        out[6, i] = np.tanh(z)
        out[7, i] = abs(z) + 1j * np.angle(z)
        out[8, i] = z**3
        out[12, i] = z**-2
        out[9, i] = z ** (0.5 + 0.25j)


@lw.jit
def of_cmath(a, out):
    for i in lw.prange(len(a)):
        size, angle = cmath.polar(a[i])
        out[i] = cmath.exp(a[i]) + cmath.rect(size, angle) + complex(size, angle) * cmath.log10(a[i])


@lw.jit
def turned(z, angle):
    return z * np.exp(1j * angle)


@lw.jit
def sums(a, bins, where):
    total = 0j
    product = 1 + 0j
    for i in lw.prange(len(a)):
        total += turned(a[i], 0.5)
        product *= a[i] / abs(a[i])
        bins[where[i]] += a[i]
    return total, product


@lw.jit
def views(a, b):
    for i in lw.prange(a.shape[0]):
        row = a[i]
        row.real[0] = 5
        row.imag[1] = row.real[0] + i
        b[i] = a[i] * (1 + 2j) + np.conj(a[i])
        b[i, 0] = np.sum(a[i]) if a[i, 0].imag > 0 else a[i, 1:].mean()


@pytest.mark.parametrize("device", ["cpu", "reference", "simt"])
@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_arithmetic_is_exact(device: str, dtype: Any):
    a, b = numbers(70, dtype), numbers(70, dtype)
    b[::5] = a[::5]
    out, equal = np.zeros((7, 70), dtype), np.zeros(70, int)
    expected, flags = out.copy(), equal.copy()
    with lw.on(device):
        arithmetic(a, b, out, equal)
    arithmetic.py_func(a, b, expected, flags)
    assert (out.view(out.real.dtype) == expected.view(out.real.dtype)).all()
    assert (equal == flags).all()


def test_numbers_of_python():
    got = of_python(20, 0.3 + 0.9j, -0.25j)
    assert type(got) is complex
    assert got == of_python.py_func(20, 0.3 + 0.9j, -0.25j)


def test_division_by_zero():
    out, a = np.zeros(3, complex), np.array([1 + 1j, -1j, 0])

    @lw.jit
    def divided(a, zero, out):
        for i in lw.prange(3):
            out[i] = a[i] / zero

    divided(a, np.complex128(0), out)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(out, a / np.zeros(3, complex))


@pytest.mark.parametrize("device", ["cpu", "reference"])
@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_functions(device: str, dtype: Any):
    a = (RANDOM.standard_normal(60) * 3 + 1j * RANDOM.standard_normal(60)).astype(dtype)
    a[:4] = 1 + 1e-3j, -2, 2j, 1
    out, expected = np.zeros((13, 60), dtype), np.zeros((13, 60), dtype)
    with lw.on(device):
        functions(a, out)
    functions.py_func(a, expected)
    eps = np.finfo(dtype).eps
    worst = (abs(out - expected) / np.maximum(abs(expected), eps)).max(axis=1) / eps
    assert (worst <= 16).all(), worst


def test_cmath():
    a = numbers(50, complex) * 1e-6 + 0.5
    out, expected = np.zeros(50, complex), np.zeros(50, complex)
    of_cmath(a, out)
    of_cmath.py_func(a, expected)
    np.testing.assert_allclose(out, expected, rtol=1e-14)


@pytest.mark.parametrize("device", ["cpu", "simt"])
def test_sums(device: str):
    a = RANDOM.standard_normal(3000) + 1j * RANDOM.standard_normal(3000)
    bins, where = np.zeros(5, complex), RANDOM.integers(0, 5, 3000)
    expected = bins.copy()
    with lw.on(device):
        total, product = sums(a, bins, where)
    wanted = sums.py_func(a, expected, where)
    np.testing.assert_allclose((total, product), wanted, rtol=1e-10)
    np.testing.assert_allclose(bins, expected, rtol=1e-12)


@pytest.mark.parametrize("device", ["cpu", "reference", "simt"])
def test_views_and_whole_arrays(device: str):
    a = numbers(40, complex).reshape(8, 5)[::-1, ::2]
    b, expected_a, expected = np.zeros((8, 3), complex), a.copy(), np.zeros((8, 3), complex)
    with lw.on(device):
        views(a, b)
    views.py_func(expected_a, expected)
    np.testing.assert_allclose(b, expected, rtol=1e-13)
    assert (a == expected_a).all()


def test_annotations():
    @lw.jit
    def scaled(a: lw.c128[:], z: lw.c128):  # type: ignore[valid-type]
        for i in lw.prange(len(a)):
            a[i] *= z

    a = np.ones(4, complex)
    scaled(a, 2)
    scaled(a, 1j)
    assert (a == 2j).all()
    with pytest.raises(lw.LaunchError, match=r"must be an array lw.c128\[:\]"):
        scaled(np.ones(4), 1j)


@lw.jit
def ordered(a):
    for i in lw.prange(len(a)):
        if a[i] < 1:
            a[i] = 0


@lw.jit
def to_real(a, b):
    for i in lw.prange(len(a)):
        b[i] = a[i]


@lw.jit
def remainder(a):
    for i in lw.prange(len(a)):
        a[i] = a[i] % 2


@pytest.mark.parametrize(
    ("function", "arguments", "reason"),
    [
        (ordered, (np.ones(3, complex),), "complex numbers have no order"),
        (to_real, (np.ones(3, complex), np.ones(3)), "a complex number becomes a float64: write z.real"),
        (remainder, (np.ones(3, complex),), "'%' isn't defined for complex numbers"),
    ],
)
def test_what_is_refused(function: Any, arguments: tuple[Any, ...], reason: str):
    with pytest.raises(lw.CompileError, match=reason):
        function(*arguments)
