# SPDX-License-Identifier: Apache-2.0
"""Vectors of float are divided by the processor's division, whatever the program promises of infinities."""

import os
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest

import lanewise as lw
from lanewise.backend.host.divisions import divide_without_estimates
from lanewise.backend.host.features import instruction_sets
from lanewise.config import CPU_LEVELS


@pytest.mark.parametrize(
    ("flags", "left"),
    [
        ("fast", "reassoc nnan nsz arcp contract afn"),
        ("nnan ninf nsz arcp", "nnan nsz arcp"),
        ("arcp", None),
    ],
)
def test_only_the_promise_of_no_infinities_goes(flags: str, left: str | None) -> None:
    line = "  %q = fdiv {0} <8 x float> splat (float 1.000000e+00), %b, !dbg !7\n  %h = fdiv {0} <8 x half> %a, %c\n"
    assert divide_without_estimates(line.format(flags)) == (None if left is None else line.format(left))


@pytest.mark.parametrize("type_", ["float", "<8 x double>", "half", "double"])
def test_scalars_and_other_types_are_left_alone(type_: str) -> None:
    assert divide_without_estimates(f"  %q = fdiv fast {type_} %a, %b\n") is None
    assert divide_without_estimates(f"  %q = fadd fast {type_} %a, %b\n") is None


ROOTS = """
define void @f(<8 x float> %a, <8 x float> %b) {{
  %s = tail call fast <8 x float> @llvm.sqrt.v8f32(<8 x float> %b), !dbg !7
  %p = fmul fast <8 x float> %a, %s
  %d = fpext <8 x float> %p to <8 x double>
  %n = fneg fast <8 x double> %d
  %q = fdiv {} <8 x double> splat (double 1.000000e+00), %n, !dbg !7
  %t = fdiv fast <8 x double> %d, %q
  ret void
}}

define void @g(float %s, float %b) {{
  %q = fdiv fast float %b, %s
  %r = call float @llvm.sqrt.f32(float %q)
  %p = fmul float %r, %b
  %u = fdiv {} float %b, %p
  ret void
}}
"""


@pytest.mark.parametrize(("flags", "left"), [("fast", "reassoc nnan ninf nsz contract afn"), ("nsz arcp", "nsz")])
def test_divisors_that_come_of_roots_have_no_reciprocals(flags: str, left: str) -> None:
    """Neither do other quotients of the function lose theirs, nor those of another one by a value of the same name."""
    assert divide_without_estimates(ROOTS.format(flags, flags)) == ROOTS.format(left, left)
    assert divide_without_estimates(ROOTS.format("nnan", "nnan")) is None


def test_reciprocals_of_roots_themselves_are_still_estimated() -> None:
    text = "  %r = call float @llvm.sqrt.f32(float %x)\n  %q = fdiv {} float %a, %r, !dbg !7\n"
    made = divide_without_estimates(text.format("fast"))
    assert made is not None
    assert "fdiv reassoc nsz arcp contract afn float 1.000000e+00, %r\n" in made
    assert made.endswith('  %q = fmul reassoc nsz contract float %a, %"lw.q.all", !dbg !7\n')
    assert divide_without_estimates(text.format("nnan arcp")) == text.format("nnan")  # an infinity's sign counts


LEVELS = """
import numpy as np
import lanewise as lw
text = "kernel void k(global float *y, global const float *x) { size_t i = get_global_id(0); y[i] = 3 * rsqrt(x[i]); }"
kernel = lw.compile(text, language="opencl", options="-cl-fast-relaxed-math")["k"]
tiny = np.array([1, 2, 71362, (1 << 23) - 1, 1 << 23, (1 << 23) + 1, 0, 0x7F800000] * 8, np.uint32)
x = np.concatenate([tiny, np.arange(1, 0x40800000, 10007, dtype=np.uint32)[: 1 << 15]]).view(np.float32)
y = np.zeros_like(x)
kernel.ndrange(len(x))(y, x)
with np.errstate(divide="ignore"):
    expected = 3 / np.sqrt(x.astype(np.float64))
assert (y[6], y[7]) == (np.inf, 0)
assert np.allclose(y, expected, rtol=1e-6, atol=0)
"""


@pytest.mark.parametrize("level", sorted(CPU_LEVELS))
def test_reciprocal_roots_of_denormals_on_processors_of_each_level(level: str) -> None:
    """Processors without AVX-512 estimate them as that of 0."""
    if not CPU_LEVELS[level] <= instruction_sets():
        pytest.skip(f"this processor is below {level}")
    environment = {**os.environ, "LANEWISE_CPU": level}
    done = subprocess.run([sys.executable, "-c", LEVELS], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


SIGMOIDS = """
kernel void sigmoids(global float *out, global const float *x) {
    size_t i = get_global_id(0);
    out[i] = 1 / (1 + exp(-x[i]));
}
"""
QUOTIENTS = """
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void quotients(global T *out, global const T *x) {
    size_t i = get_global_id(0);
    T found = QUOTIENT;
    out[i] = found;
}
"""
FAST = "-cl-fast-relaxed-math"
TYPES = {"float": np.float32, "double": np.float64, "half": np.float16}


def test_divisors_without_bounds_under_relaxed_mathematics() -> None:
    """As on GPUs: a divisor that overflows gives 0."""
    x = np.linspace(-200, 200, 64, dtype=np.float32)
    out = np.zeros_like(x)
    lw.compile(SIGMOIDS, language="opencl", options=FAST)["sigmoids"].ndrange(64)(out, x)
    assert np.allclose(out, 1 / (1 + np.exp(-x.astype(np.float64))), atol=1e-6)


@pytest.mark.parametrize("mapping", ["auto", "loop"])
@pytest.mark.parametrize(
    ("type_", "quotient", "function"),
    [
        ("float", "3 / x[i]", lambda x: 3 / x),
        ("half", "3 / x[i]", lambda x: 3 / x),
        ("half", "1 / sqrt(x[i])", lambda x: 1 / np.sqrt(x)),
        ("double", "3 / x[i]", lambda x: 3 / x),
        ("float", "i % 2 ? 3 / x[i] : 2 / x[i]", lambda x: np.where(np.arange(64) % 2, 3, 2) / x),
        ("float", "(i + 1) / x[i] + (i + 2) / x[i]", lambda x: (2 * np.arange(64) + 3) / x),
        ("float", "1 / sqrt(x[i])", lambda x: 1 / np.sqrt(x)),
        ("double", "1 / sqrt(x[i])", lambda x: 1 / np.sqrt(x)),
        ("double", "3.0 / (double)sqrt((float)x[i])", lambda x: 3 / np.sqrt(x.astype(np.float32))),
        ("float", "3 / (x[i ^ 32] * sqrt(x[i]))", lambda x: 3 / (x[np.arange(64) ^ 32] * np.sqrt(x))),
        ("float", "i == 1 ? 1 / sqrt(x[0]) : 1 / sqrt(x[1])", lambda x: np.where(np.arange(64) == 1, np.inf, 0)),
        ("float", "rsqrt(x[i])", lambda x: 1 / np.sqrt(x)),
        ("float", "native_rsqrt((float4)(1, x[i], 2, 3)).y", lambda x: 1 / np.sqrt(x)),
        ("float", "3 / sqrt(sqrt(x[i]))", lambda x: 3 / np.sqrt(np.sqrt(x))),
    ],
)
def test_divisors_of_0_and_infinity(
    type_: str, quotient: str, function: Callable[[np.ndarray], np.ndarray], mapping: str
) -> None:
    """As on GPUs, they give an infinity and 0, also -0.0 and denormal ones, and also where they or their roots are the
    divisors of several quotients. Of a root that is -0.0, the sign doesn't count."""
    options = f"{FAST} -D T={type_} -D 'QUOTIENT={quotient}'"
    kernel = lw.compile(QUOTIENTS, language="opencl", options=options, mapping=mapping)["quotients"]
    x = np.linspace(1, 200, 64).astype(TYPES[type_])
    x[:6] = 0, np.inf, -0.0, np.finfo(x.dtype).smallest_subnormal, 0, np.inf
    out = np.zeros_like(x)
    kernel.ndrange(64)(out, x)
    with np.errstate(divide="ignore", over="ignore"):
        expected = function(x.astype(np.float64)).astype(x.dtype)
    if "sqrt" in quotient:
        out[2], expected[2] = abs(out[2]), abs(expected[2])
    assert np.allclose(out, expected, rtol=2e-3 if type_ == "half" else 3e-6, atol=0)
