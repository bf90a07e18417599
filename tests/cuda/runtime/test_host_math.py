# SPDX-License-Identifier: Apache-2.0
"""CUDA's mathematical functions in host code, compiled by clang's host pass with nothing but our headers."""

from __future__ import annotations

import ctypes
import math
from pathlib import Path
from statistics import NormalDist

import pytest

from lanewise.frontend.cuda.prologue import ALWAYS, HEADERS
from lanewise.runtime.build import libc_arguments
from lanewise.toolchain import link_shared_object, run_zig

UNARY = "rsqrt rcbrt sinpi cospi normcdf normcdfinv erfcx erfinv erfcinv cyl_bessel_i0 cyl_bessel_i1"

PROGRAM = """
__device__ float in_device_code(float x) { return rsqrtf(x) + normcdff(x); }
#define CALL(name) extern "C" double call_##name(double x) { return name(x); }        \\
  extern "C" float call_##name##f(float x) { return name##f(x); }
%s
extern "C" double lengths() {
  double s, c;
  sincospi(0.5, &s, &c);
  double inverse = 3 * rnorm3d(1, 2, 2) + 9 * rnorm4d(2, 4, 5, 6) + 5 * rhypot(3, 4);
  return norm3d(1, 2, 2) + norm4d(2, 4, 5, 6) + inverse + s + c;
}
"""

VALUES = [
    ("rsqrt", 2.0, 0.70710678118654752),
    ("rcbrt", -8.0, -0.5),
    ("sinpi", 1.25, -0.70710678118654752),
    ("sinpi", 1e15 + 0.5, 1.0),
    ("sinpi", -0.3, -0.80901699437494742),
    ("sinpi", 1.9, -0.30901699437494742),
    ("cospi", 2.5, 0.0),
    ("cospi", -0.6, -0.30901699437494742),
    ("cospi", 1.0, -1.0),
    ("normcdf", 1.96, NormalDist().cdf(1.96)),
    ("normcdf", -30.0, 4.906713927148187e-198),
    ("normcdfinv", 0.975, 1.9599639845400539),
    ("normcdfinv", 0.25, -0.67448975019608174),
    ("erfcx", 5.0, 0.11070463773306862),
    ("erfcx", 30.0, 0.018795888861416751),
    ("erfcx", -1.0, 5.008980080762283),
    ("erfinv", 0.3, 0.2724627147267543),
    ("erfinv", -0.999999, -3.4589107372754990),
    ("erfinv", 1e-12, 8.862269254527580e-13),
    ("erfinv", 1.0, math.inf),
    ("erfcinv", 1e-200, 21.374783049026263),
    ("erfcinv", 0.4, 0.5951160814499948),
    ("erfcinv", 1.5, -0.4769362762044699),
    ("erfcinv", 3.0, math.nan),
    ("cyl_bessel_i0", 2.5, 3.2898391440501231),
    ("cyl_bessel_i1", 50.0, 2.9030785901035567e20),
    ("cyl_bessel_i1", -1.0, -0.56515910399248503),
]
"""Function, argument and value, from tables of 16 digits."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    folder = tmp_path_factory.mktemp("host")
    source = folder / "program.cu"
    source.write_text(PROGRAM % " ".join(f"CALL({name})" for name in UNARY.split()))
    arguments = ["clang", *libc_arguments(), "-x", "cuda", "-std=c++17", "-O1", "-fPIC", "--cuda-host-only"]
    arguments += ["-nocudainc", "-nocudalib", f"--cuda-path={HEADERS.parent}", "-Xclang", "-target-sdk-version=12.8"]
    arguments += ["-D__CUDACC__=1", "-isystem", str(HEADERS), "-include", ALWAYS, "-Werror", "-Wall"]
    compiled = run_zig([*arguments, "-c", str(source), "-o", "-"], "the host side can't be compiled")
    path = Path(folder, "program.so")
    path.write_bytes(link_shared_object([compiled]))
    ctypes.CDLL("libm.so.6", ctypes.RTLD_GLOBAL)
    return ctypes.CDLL(str(path))


@pytest.mark.parametrize(("name", "argument", "value"), VALUES)
def test_values(library: ctypes.CDLL, name: str, argument: float, value: float):
    function, in_float = library[f"call_{name}"], library[f"call_{name}f"]
    function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double]
    in_float.restype, in_float.argtypes = ctypes.c_float, [ctypes.c_float]
    assert function(argument) == pytest.approx(value, rel=2e-15, nan_ok=True)
    if abs(argument) < 1e9 and value != 0 and 1e-30 < abs(value) < 1e30:
        shorter = ctypes.c_float(argument).value
        assert in_float(argument) == ctypes.c_float(function(shorter)).value


def test_lengths(library: ctypes.CDLL):
    library.lengths.restype = ctypes.c_double
    assert library.lengths() == pytest.approx(3 + 9 + 1 + 1 + 1 + 1 + 0, rel=1e-15)
