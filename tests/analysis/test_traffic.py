# SPDX-License-Identifier: Apache-2.0
"""Which arrays a kernel reads and writes."""

import pytest

import lanewise as lw

SOURCE = """
__global__ void saxpy(float *y, const float *x, float a) { y[threadIdx.x] += a * x[threadIdx.x]; }
__global__ void copy(int *out, const int *in, const int *unused) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void one_of(int *p, int *q, int *r, bool second) { (second ? q : p)[0] = r[0]; }
__global__ void count(int *counts, const int *in) { atomicAdd(counts + in[threadIdx.x], 1); }
__global__ void clear(char *out, char *to, const char *from) { memset(out, 0, 64); memcpy(to, from, 64); }
__global__ void walk(int *out, const int *p) { int s = 0; while (*p) s += *p++; *out = s; }
__device__ int deep(const int *p, int n) { return n ? deep(p + 1, n - 1) + p[0] : 0; }
__global__ void calls(int *out, const int *in, int n) { *out = deep(in, n); }
"""


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(SOURCE, language="cuda")


@pytest.mark.parametrize(
    ("kernel", "reads", "writes"),
    [
        ("saxpy", ("y", "x"), ("y",)),
        ("copy", ("in",), ("out",)),
        ("one_of", ("r",), ("p", "q")),
        ("count", ("counts", "in"), ("counts",)),
        ("clear", ("from",), ("out", "to")),
        ("walk", ("p",), ("out",)),
        ("calls", ("in",), ("out", "in")),
    ],
)
def test_what_is_read_and_written(module: lw.Module, kernel: str, reads: tuple[str, ...], writes: tuple[str, ...]):
    info = module[kernel].info(64)
    assert (info.reads, info.writes) == (reads, writes)
