# SPDX-License-Identifier: Apache-2.0
"""Denormal numbers on the CPU: kept by default, and 0 where a program asks for that and computes in float alone."""

import ctypes
import platform
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import lanewise as lw
from lanewise.program.module import loaded
from lanewise.program.source.compilation import compile_source
from lanewise.session import Session

SMALL = np.array([1e-38, -1e-40, 1e-45, 1], np.float32)
HALVES = SMALL / np.float32(2)
FLUSHED = np.array([0, -0.0, 0, 0.5], np.float32)

CUDA = """
__device__ float deep(float x, int n) { return n ? deep(x, n - 1) : x * 0.5f; }
extern "C" __global__ void halves(float *x) { x[threadIdx.x] *= 0.5f; }
extern "C" __global__ void moves(float *out, const float *x) { out[threadIdx.x] = -x[threadIdx.x]; }
extern "C" __global__ void zeros(int *out, const float *x) { out[threadIdx.x] = x[threadIdx.x] == 0; }
extern "C" __global__ void calls(float *x) { x[threadIdx.x] = deep(x[threadIdx.x], 3); }
extern "C" __global__ void mixed(float *x, double *y) { x[threadIdx.x] *= 0.5f; y[threadIdx.x] *= 0.5; }
extern "C" __global__ void adds(float *x, double *sum) { x[threadIdx.x] *= 0.5f; atomicAdd(sum, 1e-310); }
"""
OPENCL = "__kernel void halves(__global float *x) { x[get_global_id(0)] *= 0.5f; }"


def halved(module: lw.Module, kernel: str = "halves", *more: NDArray[np.float64]) -> bytes:
    x = SMALL.copy()
    module[kernel].launch(1, 4, (x, *more), device="cpu")
    return x.tobytes()


@pytest.mark.parametrize("option", ["-ftz=true", "--ftz=true", "-use_fast_math"])
def test_flushed_in_cuda(option: str):
    module = lw.compile(CUDA, language="cuda", options=[option])
    assert halved(module) == FLUSHED.tobytes()
    zero = np.zeros(4, np.int32)
    module["zeros"].launch(1, 4, (zero, SMALL), device="cpu")
    assert zero.tolist() == [1, 1, 1, 0]


@pytest.mark.parametrize("options", ["-cl-denorms-are-zero", "-cl-mad-enable -cl-denorms-are-zero -w"])
def test_flushed_in_opencl(options: str):
    module = lw.compile(OPENCL, language="opencl", options=options)
    assert halved(module) == FLUSHED.tobytes()
    assert ".ftz" in module.ptx()


def test_kept_without_the_option():
    for options in ([], ["-ftz=false"], ["-ftz=true", "-ftz=false"]):
        assert halved(lw.compile(CUDA, language="cuda", options=options)) == HALVES.tobytes()
    for options in ("", "-cl-fast-relaxed-math"):
        assert halved(lw.compile(OPENCL, language="opencl", options=options)) == HALVES.tobytes()


@pytest.mark.parametrize("kernel", ["mixed", "adds"])
def test_kept_where_the_kernel_computes_in_double(kernel: str):
    module, y = lw.compile(CUDA, language="cuda", options=["-ftz=true"]), np.full(4, 1e-310)
    assert halved(module, kernel, y) == HALVES.tobytes()
    assert y[0] == (5e-311 if kernel == "mixed" else sum([1e-310] * 5))


def test_kept_where_functions_are_called():
    module = lw.compile(CUDA, language="cuda", options=["-ftz=true"])
    assert halved(module, "calls") == HALVES.tobytes()


def test_moving_a_number_is_no_operation():
    out = np.zeros(4, np.float32)
    lw.compile(CUDA, language="cuda", options=["-ftz=true"])["moves"].launch(1, 4, (out, SMALL), device="cpu")
    assert out.tobytes() == (-SMALL).tobytes()


def test_the_cache_and_saved_modules_know(session: Session, tmp_path: Path):
    module = compile_source(session, CUDA, language="cuda", options=["-ftz=true"])
    assert halved(module) == FLUSHED.tobytes()
    again = Session(session.config)
    assert halved(compile_source(again, CUDA, language="cuda", options=["-ftz=true"])) == FLUSHED.tobytes()
    module.save(tmp_path / "k.lwo")
    assert halved(loaded(session, tmp_path / "k.lwo", False)) == FLUSHED.tobytes()


@pytest.fixture
def host_without_denormals() -> Iterator[None]:
    """This thread flushes them, as libraries that were linked with -ffast-math make their process do."""
    libm = ctypes.CDLL("libm.so.6")
    before = (ctypes.c_uint32 * 8)()  # glibc's fenv_t; the last word is the control register of SSE
    libm.fegetenv(before)
    changed = type(before)(*before)
    changed[7] |= 0x8040
    libm.fesetenv(changed)
    yield
    libm.fesetenv(before)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="sets the control register of SSE")
def test_a_host_that_flushes_them_changes_no_kernel(host_without_denormals: None):
    assert halved(lw.compile(CUDA, language="cuda")) == HALVES.tobytes()


@pytest.mark.parametrize("kernel", ["halves", "mixed", "calls"])
def test_the_reference_flushes_float_in_all_kernels(kernel: str):
    x, y = SMALL.copy(), np.full(4, 1e-310)
    module = lw.compile(CUDA, language="cuda", options=["-ftz=true"])
    module[kernel].launch(1, 4, (x, *([y] if kernel == "mixed" else [])), device="reference")
    assert x.tobytes() == FLUSHED.tobytes()
    assert y[0] == (5e-311 if kernel == "mixed" else 1e-310)
