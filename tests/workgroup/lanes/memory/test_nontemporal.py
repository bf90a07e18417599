# SPDX-License-Identifier: Apache-2.0
"""Stores past the caches: which there are, and that they store the same, wherever arrays begin."""

import platform
from itertools import product
from typing import Any

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
template <typename T> __global__ void twice(T *out, const T *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] + in[i];
}
template __global__ void twice(unsigned char *, const unsigned char *, int);
template __global__ void twice(short *, const short *, int);
template __global__ void twice(float *, const float *, int);
template __global__ void twice(double *, const double *, int);
__global__ void of_four(float4 *out, const float4 *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = make_float4(in[i].w, in[i].z, in[i].y, in[i].x);
}
__global__ void rows(float *out, const float *in, int pitch) {
    int i = (blockIdx.y * blockDim.y + threadIdx.y) * pitch + blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] + 1;
}
__global__ void by_tile(float *out, const float *in, int n) {
    __shared__ float tile[16][17];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[(blockIdx.y * 16 + y) * n + blockIdx.x * 16 + x];
    __syncthreads();
    out[(blockIdx.x * 16 + y) * n + blockIdx.y * 16 + x] = tile[x][y];
}
__global__ void two(float *out, double *other, const float *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
    other[i] = 2.0 * in[i];
}

__global__ void loads_it(float *out, const float *in) { out[threadIdx.x] += in[threadIdx.x]; }
__global__ void in_a_loop(float *out, const float *in, int n) {
    for (int k = 0; k < n; ++k) { out[threadIdx.x + k] = in[k * n]; }
}
__global__ void fences(float *out, int *flag) {
    out[threadIdx.x] = 1;
    __threadfence();
    flag[threadIdx.x] = 1;
}
__global__ void counts(float *out, int *sum) { out[threadIdx.x] = 1; atomicAdd(sum, 1); }
__global__ void tells(float *out, volatile int *flag) { out[threadIdx.x] = 1; *flag = 1; }
__global__ void gives_away(float *out, float **place) { out[threadIdx.x] = 1; *place = out; }
__global__ void prints(float *out) { out[threadIdx.x] = 1; printf("%p\\n", out); }
__global__ void elsewhere(float *out, const int *order) { out[order[threadIdx.x]] = 1; }
__global__ void apart(float *out) { out[4 * threadIdx.x] = 1; }
"""
STREAMING = {
    "twice<unsigned char>": 256, "twice<short>": 256, "twice<float>": 256, "twice<double>": 256, "of_four": 256,
    "rows": (64, 4), "by_tile": (16, 16), "two": 256,
}  # fmt: skip
OTHERS = ["loads_it", "in_a_loop", "fences", "counts", "tells", "gives_away", "prints", "elsewhere", "apart"]
ON_X86 = pytest.mark.skipif(platform.machine() != "x86_64", reason="only there are they used")


@pytest.fixture(scope="module")
def modules() -> dict[str, lw.Module]:
    return {m: lw.compile(SOURCE, language="cuda", mapping=m) for m in ("lanes:16x4", "lanes:8x2", "lanes:4x4")}


def shifted(array: Any, offset: int) -> Any:
    """A copy that begins so many elements behind a page."""
    memory = np.zeros(array.nbytes + 8192, np.uint8)
    start = -memory.ctypes.data % 4096 + offset * array.itemsize
    copy = memory[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


@ON_X86
@pytest.mark.parametrize("name", STREAMING)
def test_there_are_such_stores(modules: dict[str, lw.Module], name: str):
    text = modules["lanes:16x4"].ir("work-group", name, block=STREAMING[name])
    past = [line for line in text.splitlines() if "!nontemporal" in line]
    assert past
    for line in past:
        assert ", align 64," in line or ("align 16," in line and "char" in name) or ("align 32," in line)
    (marks,) = {line.rpartition("!nontemporal ")[2] for line in past}
    assert f"{marks} = !{{i32 1}}" in text
    assert "vmovnt" in (code := modules["lanes:16x4"].asm(name, block=STREAMING[name])) or "movnt" in code


@pytest.mark.parametrize("name", OTHERS)
def test_there_are_none(modules: dict[str, lw.Module], name: str):
    assert "!nontemporal" not in modules["lanes:16x4"].ir("work-group", name, block=64)


@pytest.mark.usefixtures("_no_caches")
@pytest.mark.parametrize("offset", [0, 1, 4, 15, 16])
@pytest.mark.parametrize("mapping", ["lanes:16x4", "lanes:8x2", "lanes:4x4"])
def test_values(modules: dict[str, lw.Module], mapping: str, offset: int):
    module = modules[mapping]
    random = np.random.default_rng(offset)
    n = 20 * 256 - 7
    for kind, dtype in (("unsigned char", "u1"), ("short", "i2"), ("float", "f4"), ("double", "f8")):
        given = random.integers(0, 100, n).astype(dtype)
        out = shifted(np.zeros(n + 1, dtype), offset)
        module[f"twice<{kind}>"][20, 256](out[:n], given, n)
        assert out.tobytes() == np.append(given + given, 0).astype(dtype).tobytes()
        module[f"twice<{kind}>"][20, 256](same := shifted(given, offset), same, n)
        assert same.tobytes() == (given + given).tobytes()
    given = random.random((n, 4), np.float32)
    out = shifted(np.zeros_like(given), offset // 4 * 4)
    module["of_four"][20, 256](out, given, n)
    assert (out == given[:, ::-1]).all()
    for pitch, rows in product((128, 144, 131), (4, 12)):
        given = random.random((rows, pitch), np.float32)
        out = shifted(np.zeros_like(given), offset)
        module["rows"][(2, rows // 4), (64, 4)](out, given, pitch)
        assert (out[:, :128] == given[:, :128] + 1).all()
        assert (out[:, 128:] == 0).all()
    given = random.random((48, 48), np.float32)
    out = shifted(np.zeros_like(given), offset)
    module["by_tile"][(3, 3), (16, 16)](out, given, 48)
    assert (out == given.T).all()
    given = random.random(1024, np.float32)
    out, other = shifted(np.zeros_like(given), offset), shifted(np.zeros(1024), offset)
    module["two"][4, 256](out, other, given)
    assert (out == given).all()
    assert (other == 2.0 * given).all()
