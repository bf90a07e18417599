# SPDX-License-Identifier: Apache-2.0
"""Vectors of float are divided by the processor's division, whatever the program promises of infinities."""

import numpy as np
import pytest

import lanewise as lw
from lanewise.backend.host.divisions import divide_without_estimates


@pytest.mark.parametrize(
    ("flags", "left"),
    [
        ("fast", "reassoc nnan nsz arcp contract afn"),
        ("nnan ninf nsz arcp", "nnan nsz arcp"),
        ("arcp", None),
    ],
)
def test_only_the_promise_of_no_infinities_goes(flags: str, left: str | None) -> None:
    line = "  %q = fdiv {} <8 x float> splat (float 1.000000e+00), %b, !dbg !7\n"
    assert divide_without_estimates(line.format(flags)) == (None if left is None else line.format(left))


def test_scalars_and_doubles_are_left_alone() -> None:
    assert divide_without_estimates("  %q = fdiv fast float %a, %b\n") is None
    assert divide_without_estimates("  %q = fadd fast <8 x float> %a, %b\n") is None


def test_divisors_without_bounds_under_relaxed_mathematics() -> None:
    """As on GPUs: a divisor that overflows gives 0, and 0 an infinity."""
    module = lw.compile(
        """
        kernel void sigmoids(global float *out, global const float *x) {
            size_t i = get_global_id(0);
            out[i] = 1 / (1 + exp(-x[i]));
        }
        kernel void quotients(global float *out, global const float *x) {
            size_t i = get_global_id(0);
            out[i] = 3 / x[i];
        }
        """,
        language="opencl",
        options="-cl-fast-relaxed-math",
    )
    x = np.linspace(-200, 200, 64, dtype=np.float32)
    out = np.zeros_like(x)
    module["sigmoids"].ndrange(64)(out, x)
    assert np.allclose(out, 1 / (1 + np.exp(-x.astype(np.float64))), atol=1e-6)
    x[:3] = 0, np.inf, -np.inf
    module["quotients"].ndrange(64)(out, x)
    assert out[:3].tolist() == [np.inf, 0, 0]
