# SPDX-License-Identifier: Apache-2.0
"""Sums that `round-by-remainder` rounds downwards: what exact arithmetic gives, for factors near and between digits."""

from fractions import Fraction

import numpy as np
import pytest

import lanewise as lw

SUMS = {
    "of_an_exponential": (252.0, 12582913.0, "rd"),
    "of_fractions": (0.7, 1.1, "rz"),
    "of_the_constant": (1.0, 1.0, "rd"),
}


def _sources() -> str:
    return "\n".join(
        f"""extern "C" __global__ void {name}(float *out, const float *x) {{
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            out[i] = __fmaf_{rounding}(fminf(fmaxf(x[i], 0.0f), 0.99f), {factor}f, {summand}f);
        }}"""
        for name, (factor, summand, rounding) in SUMS.items()
    )


def _factors() -> np.ndarray:
    random = np.random.default_rng(7)
    whole = (np.arange(252, dtype=np.float32) / np.float32(252)).astype(np.float32)
    near = [np.nextafter(whole, np.float32(to), dtype=np.float32) for to in (-1, 2)]
    tiny = np.array([0, -0.0, 1e-45, -1e-45, 1e-38, 1e-10, np.nan, np.inf, -np.inf, 0.99, 1, 2, -3], np.float32)
    found = np.concatenate([whole, *near, tiny, random.random(4096, dtype=np.float32)])
    return found[: len(found) // 64 * 64]


@pytest.mark.parametrize("name", SUMS)
def test_exact_sums_rounded_downwards(name: str):
    kernel, x = lw.compile(_sources(), language="cuda")[name], _factors()
    out = np.zeros_like(x)
    kernel.launch(len(x) // 64, 64, (out, x))
    factor, summand = (Fraction(float(np.float32(number))) for number in SUMS[name][:2])
    bounded = np.fmin(np.fmax(x, np.float32(0)), np.float32(0.99))
    for value, found in zip(bounded, out, strict=True):
        exact = Fraction(float(value)) * factor + summand
        assert Fraction(float(found)) <= exact < Fraction(float(np.nextafter(found, np.float32(np.inf))))
