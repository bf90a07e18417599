# SPDX-License-Identifier: Apache-2.0
"""Remarks on gathers, strides and divergence, with the lines of the accesses."""

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
__device__ float table[64];
struct P { float x, y, z; int tag; };
__global__ void gathers(float *y, const float *x, const int *order) { y[threadIdx.x] = x[order[threadIdx.x]]; }
__global__ void scatters(float *y, const float *x, const int *order) { y[order[threadIdx.x]] = x[threadIdx.x]; }
__global__ void looks_up(float *y, const int *order) { y[threadIdx.x] = table[order[threadIdx.x] & 63]; }
__global__ void strides(P *p, float by) { p[threadIdx.x].y += by; }
__global__ void parts(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 0) y[i] = sqrtf(x[i]);
}
__global__ void inner(float *y, const float *x, int n) {
    int i = threadIdx.x;
    if (i > 0 && i < n - 1) y[i] = sqrtf(x[i]);
}
__global__ void leaves(float *y, const float *x) {
    float v = x[threadIdx.x];
    while (v > 1) v *= 0.5f;
    y[threadIdx.x] = v;
}
__global__ void plain(float *y, const float *x, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}
__global__ void reversed(float *y, const float *x) { y[threadIdx.x] = x[255 - threadIdx.x]; }
__global__ void privately(int *y, const int *order) {
    __shared__ int tile[256];
    tile[order[threadIdx.x] & 255] = 1;
    __syncthreads();
    int own[8];
    for (int i = 0; i < 8; ++i) own[i] = i * y[threadIdx.x];
    y[threadIdx.x] = own[order[threadIdx.x] & 7] + tile[255 - threadIdx.x];
}
"""
ALONE = "each thread has an address of its own"
APART = "16 bytes from one thread to the next"


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(SOURCE, language="cuda", mapping="lanes:8x1")


@pytest.mark.parametrize(
    ("kernel", "costs"),
    [
        ("gathers", [f"gather: load from x (<source>:4): {ALONE}"]),
        ("scatters", [f"scatter: store to y (<source>:5): {ALONE}"]),
        ("looks_up", [f"gather: load from table (<source>:6): {ALONE}"]),
        ("strides", [f"strided: load from p (<source>:7): {APART}", f"strided: store to p (<source>:7): {APART}"]),
        ("parts", ["divergent branch: both sides run, under masks"]),
        ("leaves", ["divergent loop: it runs until the last of the threads side by side has left it"]),
        ("plain", []),
        ("inner", []),
        ("reversed", []),
        ("privately", []),
    ],
)
def test_what_costs(module: lw.Module, kernel: str, costs: list[str]):
    remarks = module[kernel].info(256).remarks
    words = ("gather:", "scatter:", "strided:", "divergent")
    found = [remark.partition(": ")[2] for remark in remarks if remark.partition(": ")[2].startswith(words)]
    if kernel == "leaves":  # the test before the first iteration is one of its own
        found = [each for each in found if "branch" not in each]
    assert found == costs


COLUMN = """
__global__ void columns(float *y, const float *x, int rows) {
    int at = blockIdx.x * rows + blockIdx.y * blockDim.y + threadIdx.y;
    y[at] = 2 * x[at];
}
__global__ void planes(float *y, const float *x, int rows) {
    int at = blockIdx.x * rows + blockIdx.y * blockDim.z + threadIdx.z;
    y[at] = 2 * x[at];
}
"""


@pytest.mark.parametrize("mapping", ["lanes:8x2", "auto"])
def test_threads_along_y_alone_are_neighbours(mapping: str):
    kernel = lw.compile(COLUMN, language="cuda", mapping=mapping)["columns"]
    assert not [line for line in kernel.remarks((1, 64)) if ALONE in line]
    x = np.arange(4 * 128, dtype=np.float32)
    for shape in ((1, 64), (1, 1, 64), (1, 50)):
        y = np.zeros_like(x)
        kernel[(4, 2), shape](y, x, 128)
        each = shape[1]
        wanted = np.zeros((4, 128), np.float32)
        for start in (0, each):
            wanted[:, start : start + each] = 2 * x.reshape(4, 128)[:, start : start + each]
        if shape == (1, 1, 64):  # threadIdx.y is 0
            wanted[:] = 0
            wanted[:, :2] = 2 * x.reshape(4, 128)[:, :2]
        np.testing.assert_array_equal(y.reshape(4, 128), wanted, str(shape))


@pytest.mark.parametrize("mapping", ["lanes:8x2", "auto"])
def test_threads_along_z_alone_are_neighbours(mapping: str):
    kernel = lw.compile(COLUMN, language="cuda", mapping=mapping)["planes"]
    x = np.arange(4 * 128, dtype=np.float32)
    for shape in ((1, 1, 50), (1, 2, 25)):  # in rows of y, threads side by side have one z or two
        assert any(ALONE in line for line in kernel.remarks(shape)) == (shape[1] > 1)
        y, wanted = np.zeros_like(x), np.zeros((4, 128), np.float32)
        kernel[(4, 2), shape](y, x, 128)
        wanted[:, : 2 * shape[2]] = 2 * x.reshape(4, 128)[:, : 2 * shape[2]]
        np.testing.assert_array_equal(y.reshape(4, 128), wanted, str(shape))
