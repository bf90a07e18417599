# SPDX-License-Identifier: Apache-2.0
"""Prefetches for the work-groups that come next: of which loads, how far ahead, and that nothing else changes."""

import platform
import re

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
#define X (blockIdx.x * blockDim.x + threadIdx.x)
#define Y (blockIdx.y * blockDim.y + threadIdx.y)
__global__ void cross(float *out, const float *in, int n) {
    int x = X, y = Y;
    if (x > 0 && x < n - 1 && y > 0 && y < n - 1) {
        const float *p = in + y * n + x;
        out[y * n + x] = 0.5f * p[0] + 0.125f * (p[-1] + p[1] + p[-n] + p[n]);
    }
}
__global__ void columns(float *out, const float *in, int n) { out[Y * n + X] = in[X * n + Y]; }
__global__ void every_second(double *out, const double *in, int n) { out[Y * n + X] = in[2 * (Y * n + X)]; }
__global__ void one_row(float *out, const float *in, int n) { out[Y * n + X] = in[threadIdx.x]; }
__global__ void sums(float *out, const float *in, int n) {
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += in[k * n + X];
    out[Y * n + X] = sum;
}
__global__ void many(float *out, const float *in, int n) {
    float sum = 0;
    _Pragma("unroll") for (int k = 0; k < 17; ++k) sum += in[(Y + k) * n + X];
    out[Y * n + X] = sum;
}
__global__ void in_place(float *out, const float *in, int n) { out[Y * n + X] += in[Y * n + X]; }
"""
ON_X86 = pytest.mark.skipif(platform.machine() != "x86_64", reason="only there are stores that pass by the caches")


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(SOURCE, language="cuda", mapping="lanes:16x4")


def distances(module: lw.Module, kernel: str, block: tuple[int, int]) -> list[int]:
    """How far behind addresses of loads the kernel prefetches, in bytes."""
    text = module.ir("work-group", kernel, block=block)
    pointers = re.findall(r"call void @llvm\.prefetch\.p0\(ptr (%[\w.]+),", text)
    return [int(re.findall(rf"{re.escape(p)} = getelementptr i8, ptr %[\w.]+, i64 (\d+)", text)[0]) for p in pointers]


@ON_X86
def test_four_groups_ahead_but_not_over_a_kilobyte(module: lw.Module):
    assert distances(module, "cross", (16, 16)) == 3 * 4 * [256], "of neighbours in a row one"
    assert set(distances(module, "cross", (64, 4))) == {1024}
    assert set(distances(module, "cross", (128, 2))) == {1024}
    assert set(distances(module, "every_second", (16, 16))) == {1024, 1024 + 64}, "both lines of a vector"


@ON_X86
@pytest.mark.parametrize("kernel", ["columns", "one_row", "sums", "many", "in_place"])
def test_nothing_is_prefetched(module: lw.Module, kernel: str):
    assert distances(module, kernel, (16, 16)) == []


@ON_X86
def test_long_rows_need_none(module: lw.Module):
    assert distances(module, "cross", (512, 2)) == []
    assert distances(module, "cross", (128, 1)) == []


@pytest.mark.usefixtures("_no_caches")
@pytest.mark.parametrize("n", [512, 528, 200])
def test_values(module: lw.Module, n: int):
    image = np.random.default_rng(n).integers(0, 64, (n, n)).astype(np.float32)
    out = np.zeros_like(image)
    module["cross"][(-(-n // 16), -(-n // 16)), (16, 16)](out, image, n)
    wanted = np.zeros_like(image)
    around = image[1:-1, :-2] + image[1:-1, 2:] + image[:-2, 1:-1] + image[2:, 1:-1]
    wanted[1:-1, 1:-1] = 0.5 * image[1:-1, 1:-1] + 0.125 * around
    assert (out == wanted).all()
