# SPDX-License-Identifier: Apache-2.0
"""The mathematical functions of the headers: which names there are, and what each becomes."""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Callable

import pytest

LIBM_UNARY = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "cbrt",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "sin",
    "sinh",
    "tan",
    "tanh",
    "tgamma",
]
LIBM_BINARY = ["atan2", "fmod", "hypot", "nextafter", "pow", "remainder"]
INTRINSICS = {
    "fabs": "fabs",
    "floor": "floor",
    "ceil": "ceil",
    "trunc": "trunc",
    "rint": "rint",
    "nearbyint": "nearbyint",
    "round": "round",
    "sqrt": "sqrt",
}
INTRINSICS_BINARY = {"copysign": "copysign", "fmin": "minnum", "fmax": "maxnum"}


def body(ir: str, function: str) -> str:
    match = re.search(rf"^define [^\n]*@{function}\(.*?^}}", ir, re.MULTILINE | re.DOTALL)
    assert match, f"{function} is not in the module"
    return match[0]


def one_line_functions(expressions: dict[str, tuple[str, str]]) -> str:
    """A device function for each name: (result and parameters as `float(float x)`, the returned expression)."""
    lines = []
    for name, (signature, expression) in expressions.items():
        result, _, parameters = signature.partition("(")
        lines.append(f'extern "C" __device__ {result} {name}({parameters} {{ return {expression}; }}')
    return "\n".join(lines)


def test_libm_names_become_calls_of_libm_in_both_precisions_and_by_cpp_name(compiled, inlined) -> None:
    functions = {}
    expected = {}
    for name in LIBM_UNARY:
        for form, signature, expression, symbol in (
            ("d", "double(double x)", f"{name}(x)", name),
            ("f", "float(float x)", f"{name}f(x)", f"{name}f"),
            ("o", "float(float x)", f"{name}(x)", f"{name}f"),
            ("s", "float(float x)", f"std::{name}(x)", f"{name}f"),
            ("i", "double(int x)", f"{name}(x)", name),
        ):
            functions[f"{form}_{name}"] = (signature, expression)
            expected[f"{form}_{name}"] = f"@{symbol}("
    for name in LIBM_BINARY:
        for form, signature, expression, symbol in (
            ("d", "double(double x, double y)", f"{name}(x, y)", name),
            ("f", "float(float x, float y)", f"{name}f(x, y)", f"{name}f"),
            ("o", "float(float x, float y)", f"std::{name}(x, y)", f"{name}f"),
            ("m", "double(float x, double y)", f"{name}(x, y)", name),
            ("u", "double(unsigned x, float y)", f"{name}(x, y)", name),
        ):
            functions[f"{form}_{name}"] = (signature, expression)
            expected[f"{form}_{name}"] = f"@{symbol}("
    ir = inlined(compiled(one_line_functions(functions)).text)
    for name, symbol in expected.items():
        assert symbol in body(ir, name), name


def test_functions_with_an_instruction_become_intrinsics_not_calls(compiled, inlined) -> None:
    functions = {}
    expected = {}
    for name, intrinsic in INTRINSICS.items():
        for form, signature, expression in (
            ("d", "double(double x)", f"{name}(x)"),
            ("f", "float(float x)", f"{name}f(x)"),
            ("o", "float(float x)", f"std::{name}(x)"),
        ):
            functions[f"{form}_{name}"] = (signature, expression)
            expected[f"{form}_{name}"] = f"@llvm.{intrinsic}.f{64 if form == 'd' else 32}"
    for name, intrinsic in INTRINSICS_BINARY.items():
        for form, signature, expression in (
            ("d", "double(double x, double y)", f"{name}(x, y)"),
            ("f", "float(float x, float y)", f"{name}f(x, y)"),
            ("o", "float(float x, float y)", f"std::{name}(x, y)"),
        ):
            functions[f"{form}_{name}"] = (signature, expression)
            expected[f"{form}_{name}"] = f"@llvm.{intrinsic}.f{64 if form == 'd' else 32}"
    functions["fused"] = ("float(float x, float y, float z)", "fmaf(x, y, z) + fma(x, y, z) + __fmaf_rn(x, y, z)")
    functions["fused_double"] = ("double(double x, double y, double z)", "fma(x, y, z) + __fma_rn(x, y, z)")
    expected["fused"] = "@llvm.fma.f32"
    expected["fused_double"] = "@llvm.fma.f64"
    ir = inlined(compiled(one_line_functions(functions)).text)
    for name, intrinsic in expected.items():
        assert intrinsic in body(ir, name), name
    assert not re.search(r"call [^@\n]*@(?!llvm\.)", ir), "some function is still a call"


REMAINING = """
extern "C" __device__ double all_others(float x, double d, int n, float *f, double *p, int *i) {
  double sum = j0(d) + j1(d) + y0(d) + y1(d) + j0f(x) + j1f(x) + y0f(x) + y1f(x) + jn(n, d) + yn(n, d) + jnf(n, x)
      + ynf(n, x) + ldexp(d, n) + ldexpf(x, n) + ldexp(x, n) + scalbn(d, n) + scalbnf(x, n) + scalbln(d, 3L)
      + scalblnf(x, 3L) + ilogb(d) + ilogbf(x) + frexp(d, i) + frexpf(x, i) + remquo(d, d, i) + remquof(x, x, i)
      + modf(d, p) + modff(x, f) + fdim(d, d) + fdimf(x, x) + lrint(d) + lrintf(x) + llrint(d) + llrintf(x)
      + lround(d) + lroundf(x) + llround(d) + llroundf(x) + nan("") + nanf("");
  sincos(d, p, p); sincosf(x, f, f); sincospi(d, p, p); sincospif(x, f, f); __sincosf(x, f, f);
  sum += rsqrt(d) + rsqrtf(x) + rcbrt(d) + rcbrtf(x) + rhypot(d, d) + rhypotf(x, x) + norm3d(d, d, d)
      + norm3df(x, x, x) + rnorm3d(d, d, d) + rnorm3df(x, x, x) + norm4d(d, d, d, d) + norm4df(x, x, x, x)
      + rnorm4d(d, d, d, d) + rnorm4df(x, x, x, x) + norm(3, p) + normf(3, f) + rnorm(3, p) + rnormf(3, f)
      + exp10(d) + exp10f(x) + erfcx(d) + erfcxf(x) + normcdf(d) + normcdff(x) + sinpi(d) + sinpif(x) + cospi(d)
      + cospif(x) + fdividef(x, x) + rsqrt(x) ;
  sum += __sinf(x) + __cosf(x) + __tanf(x) + __expf(x) + __exp10f(x) + __logf(x) + __log2f(x) + __log10f(x)
      + __powf(x, x) + __tanhf(x) + __fdividef(x, x) + __fdivide(d, d) + __saturatef(x) + saturate(x);
  sum += pow(x, 3) + pow(d, 3) + pow(3, x) + pow(2, 3) + std::pow(x, 2) + powif_like(x);
  sum += abs(n) + abs(3L) + abs(4LL) + abs(x) + abs(d) + labs(2L) + llabs(3LL) + std::abs(x) + std::abs(n);
  sum += min(n, 2) + max(n, 2u) + min(2u, n) + max(3L, 4L) + min(3UL, 4L) + max(3LL, 4ULL) + min(x, d) + max(d, x)
      + min(x, 2.0f) + max(d, 2.0) + umin(1u, 2u) + umax(1u, 2u) + llmin(1, 2) + llmax(1, 2) + ullmin(1, 2)
      + ullmax(1, 2);
  sum += isnan(x) + isnan(d) + isinf(x) + isinf(d) + isfinite(x) + isfinite(d) + signbit(x) + signbit(d)
      + isnormal(x) + isnormal(d) + finite(d) + finitef(x) + __isnanf(x) + __isinff(x) + __finitef(x) + __signbitf(x)
      + __isnan(d) + __isinf(d) + __finite(d) + __signbitd(d) + std::isnan(x) + std::isinf(d) + std::isfinite(x)
      + std::signbit(x);
  return sum;
}
"""


@pytest.mark.parametrize("header", ["", "#include <cmath>\n", "#include <math.h>\n", "#include <algorithm>\n"])
def test_every_other_name_compiles_whatever_standard_header_stands_before(compiled, header: str) -> None:
    compiled(header + "__device__ float powif_like(float x) { return powf(x, 2); }\n" + REMAINING)


def test_values_of_the_functions_that_are_no_calls(on_host: Callable) -> None:
    host = on_host(
        one_line_functions(
            {
                "fdim_": ("double(double x)", "fdim(x, 1.0)"),
                "fraction_": ("double(double x)", "modf(x, &x)"),
            }
        )
    )

    def value(name: str, x: float) -> float:
        return host.function(name, ctypes.c_double, ctypes.c_double)(x)

    assert value("fdim_", 3.0) == 2.0
    assert value("fdim_", 0.5) == 0.0
    assert math.isnan(value("fdim_", math.nan))
    assert value("fraction_", -2.5) == -0.5
    assert value("fraction_", math.inf) == 0.0


FAST = ["sinf", "cosf", "tanf", "expf", "exp10f", "logf", "log2f", "log10f"]


def test_fast_math_replaces_the_float_forms(compiled) -> None:
    functions = {f"f_{name}": ("float(float x)", f"{name}(x)") for name in FAST}
    functions |= {f"o_{name}": ("float(float x)", f"{name[:-1]}(x)") for name in FAST}
    functions["f_powf"] = ("float(float x)", "powf(x, x) + std::pow(x, x)")
    functions["f_sincosf"] = ("float(float x)", "(sincosf(x, &x, &x), x)")
    calls = re.compile(r"^declare [^@\n]*@(sin|cos|tan|exp|log|pow)\w*f\(", re.MULTILINE)
    assert calls.search(compiled(one_line_functions(functions)).text)
    assert not calls.search(compiled(one_line_functions(functions), options=("--use_fast_math",)).text)


def test_classification_needs_no_floating_point_class_intrinsic(on_host: Callable, compiled) -> None:
    text = one_line_functions(
        {f"{name}_": ("int(float x)", f"{name}(x)") for name in ("isnan", "isinf", "isfinite", "signbit", "isnormal")}
    )
    assert "is.fpclass" not in compiled(text).text
    host = on_host(text)
    samples = (0.0, -0.0, 1.0, -1.0, 1e-40, math.inf, -math.inf, math.nan)
    for name, expected in {
        "isnan": math.isnan,
        "isinf": math.isinf,
        "isfinite": math.isfinite,
        "signbit": lambda x: math.copysign(1, x) < 0,
        "isnormal": lambda x: math.isfinite(x) and abs(x) >= 2**-126,
    }.items():
        function = host.function(f"{name}_", ctypes.c_int, ctypes.c_float)
        assert [bool(function(x)) for x in samples] == [expected(x) for x in samples], name


def test_mathematical_calls_are_free_of_effects_so_that_they_can_be_moved_and_vectorised(compiled) -> None:
    ir = compiled('extern "C" __device__ float f(float x) { return sinf(x); }').text
    attributes = re.search(r"^declare [^\n]*@sinf\([^\n]*#(\d+)", ir, re.MULTILINE)
    assert attributes
    listed = re.search(rf"^attributes #{attributes[1]} = {{(.*)}}", ir, re.MULTILINE)
    assert listed
    assert "memory(none)" in listed[1]
    assert "nounwind" in listed[1]
    assert "convergent" not in listed[1]


def test_floating_contraction_is_left_to_later_stages(compiled) -> None:
    assert "fmul contract" in compiled('extern "C" __device__ float f(float x) { return x * x + x; }').text
