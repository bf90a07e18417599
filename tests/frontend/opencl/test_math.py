# SPDX-License-Identifier: Apache-2.0
"""Math functions (6.12.2), all types and widths: each calls the function that it is named for, for each component. How
accurate those are, the tests of the mathematical library say."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.frontend.opencl.running import DEVICES, DTYPES, WIDTHS, Array, aligned, run_at_all_widths, same_bits

import lanewise as lw
from lanewise.backend.host.features import instruction_sets

FLOATS = ("float", "double", "half")
COUNT = 48
TOLERANCE = {"float": 4e-6, "double": 1e-13, "half": 2e-3}
PI = math.pi

# Of x from 0.1 to 0.9 unless the function says otherwise.
UNARY: dict[str, Callable[[float], float]] = {
    "acos": math.acos, "acosh": lambda x: math.acosh(x), "acospi": lambda x: math.acos(x) / PI, "asin": math.asin,
    "asinh": math.asinh, "asinpi": lambda x: math.asin(x) / PI, "atan": math.atan, "atanh": math.atanh,
    "atanpi": lambda x: math.atan(x) / PI, "cbrt": lambda x: x ** (1 / 3), "ceil": math.ceil, "cos": math.cos,
    "cosh": math.cosh, "cospi": lambda x: math.cos(PI * x), "erfc": math.erfc, "erf": math.erf, "exp": math.exp,
    "exp2": lambda x: 2**x, "exp10": lambda x: 10**x, "expm1": math.expm1, "fabs": abs, "floor": math.floor,
    "log": math.log, "log2": math.log2, "log10": math.log10, "log1p": math.log1p,
    "logb": lambda x: math.frexp(x)[1] - 1, "rint": round, "round": lambda x: math.floor(x + 0.5),
    "rsqrt": lambda x: x**-0.5, "sin": math.sin, "sinh": math.sinh, "sinpi": lambda x: math.sin(PI * x),
    "sqrt": math.sqrt, "tan": math.tan, "tanh": math.tanh, "tanpi": lambda x: math.tan(PI * x), "tgamma": math.gamma,
    "trunc": math.trunc, "lgamma": math.lgamma,
}  # fmt: skip
BINARY: dict[str, Callable[[float, float], float]] = {
    "atan2": math.atan2, "atan2pi": lambda x, y: math.atan2(x, y) / PI, "copysign": math.copysign,
    "fdim": lambda x, y: max(x - y, 0), "fmod": math.fmod, "hypot": math.hypot,
    "maxmag": lambda x, y: max(x, y, key=abs), "minmag": lambda x, y: min(x, y, key=abs), "pow": math.pow,
    "powr": math.pow, "remainder": math.remainder, "fmax": max, "fmin": min,
}  # fmt: skip
FAST: dict[str, Callable[[float], float]] = {
    **{name: UNARY[name] for name in ("cos", "exp", "exp2", "exp10", "log", "log2", "log10", "rsqrt", "sin", "sqrt")},
    "tan": math.tan, "recip": lambda x: 1 / x,
}  # fmt: skip


def _numbers(type_: str, seed: int, low: float = 0.1, high: float = 0.9) -> Array:
    return np.random.default_rng(seed).uniform(low, high, COUNT).astype(DTYPES[type_])


def _assert_near(found: Array, wanted: list[Any], type_: str, what: str, tolerance: float = 1) -> None:
    expected = np.array(wanted, np.float64)
    limit = tolerance * TOLERANCE[type_]
    np.testing.assert_allclose(found.astype(np.float64), expected, rtol=limit, atol=limit / 8, err_msg=what)


@pytest.mark.parametrize("type_", FLOATS)
def test_functions_of_one_number(type_: str):
    x = _numbers(type_, 1)
    calls = {name: f"{name}(x + 1)" if name == "acosh" else f"{name}(x)" for name in UNARY}
    one = DTYPES[type_](1)
    at_all_widths = {call: type_ for call in calls.values() if call in ("cbrt(x)", "floor(x)")}
    found_at = run_at_all_widths({"x": (type_, x)}, dict.fromkeys(calls.values(), type_), (1,))
    found_at |= run_at_all_widths({"x": (type_, x)}, at_all_widths, WIDTHS[1:])
    for where, found in found_at.items():
        for name, call in ((name, call) for name, call in calls.items() if call in found):
            values = (x + one if name == "acosh" else x).astype(np.float64).tolist()
            _assert_near(found[call], [UNARY[name](v) for v in values], type_, f"{name} of {type_} at {where}")


@pytest.mark.parametrize("type_", FLOATS)
def test_functions_of_several_numbers(type_: str):
    x, y, z = _numbers(type_, 2, 0.2, 3), _numbers(type_, 3, -2, -0.3), _numbers(type_, 4, -1, 1)
    n = np.random.default_rng(5).integers(-3, 4, COUNT).astype(np.int32)
    n[n == 0] = 3
    a, b, c = (v.astype(np.float64).tolist() for v in (x, y, z))
    wanted: dict[str, list[Any]] = {f"{f}(x, y)": [BINARY[f](*v) for v in zip(a, b, strict=True)] for f in BINARY}
    wanted |= {f"{f}(x, y, z)": [u * v + w for u, v, w in zip(a, b, c, strict=True)] for f in ("fma", "mad")}
    wanted["ldexp(x, n)"] = [math.ldexp(u, k) for u, k in zip(a, n.tolist(), strict=True)]
    wanted["pown(y, n)"] = [v**k for v, k in zip(b, n.tolist(), strict=True)]
    wanted["rootn(x, n)"] = [u ** (1 / k) for u, k in zip(a, n.tolist(), strict=True)]
    wanted["ldexp(x, 2)"] = [4 * u for u in a]
    wanted[f"fmax(z, ({type_})0)"] = [max(w, 0) for w in c]
    wanted[f"fmin(z, ({type_})0)"] = [min(w, 0) for w in c]
    inputs = {"x": (type_, x), "y": (type_, y), "z": (type_, z), "n": ("int", n)}
    cheap = [call for call in wanted if not call.startswith(("atan", "pow", "root", "hypot", "fmod", "remainder"))]
    found_at = run_at_all_widths(inputs, dict.fromkeys(wanted, type_), (2,))
    found_at |= run_at_all_widths(inputs, dict.fromkeys(cheap, type_), (1, 3, 4, 8, 16), ("cpu",))
    for where, found in found_at.items():
        for call in found:
            _assert_near(found[call], wanted[call], type_, f"{call} of {type_} at {where}", 4)


@pytest.mark.parametrize("type_", FLOATS)
def test_results_to_the_bit(type_: str):
    """Next numbers, NaNs with a code, and the exponent."""
    info = np.finfo(DTYPES[type_])
    special = [0.0, -0.0, 1, -1, np.inf, -np.inf, np.nan, info.tiny, -info.smallest_subnormal, info.max, -2, 0.75]
    x, y = np.resize(np.array(special, DTYPES[type_]), 144), np.repeat(np.array(special, DTYPES[type_]), 12)
    bits = f"u{x.dtype.itemsize}"
    code_type = {2: "ushort", 4: "uint", 8: "ulong"}[x.dtype.itemsize]
    codes = np.random.default_rng(1).integers(0, 256, 144).astype(bits)
    inputs = {"x": (type_, x), "y": (type_, y), "c": (code_type, codes)}
    quiet = np.array(np.nan, DTYPES[type_]).view(bits)
    for where, found in run_at_all_widths(
        inputs, {"nextafter(x, y)": type_, "nan(c)": type_, "ilogb(x)": "int"}
    ).items():
        with np.errstate(all="ignore"):
            following = np.where(x == y, y, np.nextafter(x, y))  # NumPy gives x, to which a half -0 matters
            assert same_bits(found["nextafter(x, y)"], following).all(), where
        np.testing.assert_array_equal(found["nan(c)"].view(bits), codes | quiet, str(where))
        ordinary = np.isfinite(x) & (x != 0)
        exponents = np.frexp(x.astype(np.float64))[1] - 1
        np.testing.assert_array_equal(found["ilogb(x)"][ordinary], exponents[ordinary], str(where))
        assert (found["ilogb(x)"][(x == 0) | np.isnan(x)] == -(2**31)).all()  # FP_ILOGB0 and FP_ILOGBNAN
        assert (found["ilogb(x)"][np.isinf(x)] == 2**31 - 1).all()


TWO_RESULTS = {
    "fract": ("T", lambda x: (x - math.floor(x), math.floor(x))),
    "modf": ("T", lambda x: math.modf(x)),
    "sincos": ("T", lambda x: (math.sin(x), math.cos(x))),
    "frexp": ("int", lambda x: math.frexp(x)),
    "lgamma_r": ("int", lambda x: (math.lgamma(x), math.copysign(1, math.gamma(x)))),
    "remquo": ("int", lambda x: (math.remainder(x, 0.75), round(x / 0.75))),
}


def _two_results_kernel(name: str, type_: str, second: str, width: int) -> str:
    """`firsts` and `seconds` hold three rows: with the second result in private, local and global memory."""
    n = "" if width == 1 else str(width)
    more = f"({type_}{n})0.75, " if name == "remquo" else ""
    load = f"vload{n}(i, in)" if n else "in[i]"
    lines: list[str] = []
    for row, (pointer, place) in enumerate((("&mine", "mine"), ("near + i", "near[i]"), ("far + i", "far[i]"))):
        for value, into in ((f"{name}(x, {more}{pointer})", "firsts"), (place, "seconds")):
            lines.append(
                f"vstore{n}({value}, i, {into} + {COUNT * row});" if n else f"{into}[{COUNT * row} + i] = {value};"
            )
    body = "\n      ".join(lines)
    return f"""kernel void of_width_{width}(global const {type_} *in, global {type_} *firsts, global {second} *seconds,
                                           global {second}{n} *far) {{
      size_t i = get_global_id(0);
      local {second}{n} near[{COUNT}];
      {second}{n} mine;
      {type_}{n} x = {load};
      {body}
    }}
    """


@pytest.mark.parametrize("type_", FLOATS)
@pytest.mark.parametrize("name", list(TWO_RESULTS))
def test_functions_with_two_results(name: str, type_: str):
    kind, function = TWO_RESULTS[name]
    second = type_ if kind == "T" else "int"
    widths = (1, 3) if name in ("sincos", "lgamma_r", "remquo") else WIDTHS
    text = "".join(_two_results_kernel(name, type_, second, width) for width in widths)
    module = lw.compile(f"#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n{text}", language="opencl")
    x = _numbers(type_, 6, -3, 3)
    pairs = [function(v) for v in x.astype(np.float64).tolist()]
    for device in DEVICES:
        for width in widths:
            firsts, seconds = np.zeros((3, COUNT), DTYPES[type_]), np.zeros((3, COUNT), DTYPES[second])
            far = aligned((COUNT * 2,), second)
            module[f"of_width_{width}"].ndrange(COUNT // width, device=device)(x, firsts, seconds, far)
            for row in range(3):
                where = f"{name} of {type_}{width} on {device}, {row}"
                _assert_near(firsts[row], [first for first, _ in pairs], type_, where, 4)
                _assert_near(seconds[row], [other for _, other in pairs], type_, f"second of {where}", 4)


def test_fast_functions():
    x, y = _numbers("float", 7), _numbers("float", 8)
    a, b = x.astype(np.float64).tolist(), y.astype(np.float64).tolist()
    wanted: dict[str, list[Any]] = {}
    for kind in ("native", "half"):
        wanted |= {f"{kind}_{name}(x)": [function(v) for v in a] for name, function in FAST.items()}
        wanted[f"{kind}_divide(x, y)"] = [u / v for u, v in zip(a, b, strict=True)]
        wanted[f"{kind}_powr(x, y)"] = [u**v for u, v in zip(a, b, strict=True)]
    inputs = {"x": ("float", x), "y": ("float", y)}
    for where, found in run_at_all_widths(inputs, dict.fromkeys(wanted, "float"), (1, 3)).items():
        for call, expected in wanted.items():
            _assert_near(found[call], expected, "float", f"{call} at {where}", 8)


def test_reciprocal_roots_of_relaxed_programs():
    """Estimates, refined: at most 4 ulp (7.5, table of relaxed functions), 2 with AVX-512, and one instruction of a
    GPU."""
    source = (
        "kernel void roots(global float *y, global const float *x) { size_t i = get_global_id(0); y[i] = rsqrt(x[i]); }"
    )
    module = lw.compile(source, language="opencl", options="-cl-fast-relaxed-math")
    x = np.arange(0x3F800000, 0x40800000, 257, dtype=np.uint32).view(np.float32)  # 1 to 4: all exponents do the same
    found = np.zeros_like(x)
    module["roots"].ndrange(len(x))(found, x)
    expected = 1 / np.sqrt(x.astype(np.float64))
    most = 2 if "avx512vl" in instruction_sets() else 4
    assert (abs(found - expected) <= most * np.spacing(expected.astype(np.float32))).all()
    assert "divps" not in module.asm(block=64)
    assert module.ptx().count("rsqrt.approx.f32") == 1
    assert "sqrt.rn" not in module.ptx()
