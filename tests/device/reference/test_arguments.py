# SPDX-License-Identifier: Apache-2.0
"""What a launch takes, and what it refuses."""

from typing import Any

import numpy as np
import pytest

from lanewise.errors import LaunchError

from .conftest import Make

SCALARS = """
__global__ void k(double *out, char c, unsigned short s, int i, unsigned long long l, float f, double d, bool b) {
    out[0] = c; out[1] = s; out[2] = i; out[3] = l; out[4] = f; out[5] = d; out[6] = b;
}
"""


def test_scalars(cuda: Make) -> None:
    out = np.zeros(7)
    cuda(SCALARS)("k", out, -3, 65535, -(2**31), 2**64 - 2048, 0.1, 0.1, True)
    assert out.tolist() == [-3, 65535, -(2**31), 2**64 - 2048, float(np.float32(0.1)), 0.1, 1]


def test_numpy_scalars(cuda: Make) -> None:
    out = np.zeros(7)
    arguments = (np.int8(-3), np.uint16(9), np.int32(7), np.uint64(8), np.float32(0.5), np.float64(0.25), np.True_)
    cuda(SCALARS)("k", out, *arguments)
    assert out.tolist() == [-3, 9, 7, 8, 0.5, 0.25, 1]


def test_structs_by_value_are_each_work_items_own(cuda: Make) -> None:
    kernels = cuda("""
struct Options { int scale; float offsets[3]; char flag; };
__global__ void k(float *out, Options o, float2 v, uchar4 c) {
    o.scale += threadIdx.x;
    for (int i = 0; i < 3; i++) o.offsets[i] += i;
    out[threadIdx.x] = o.scale + o.offsets[threadIdx.x] + o.flag + v.x * v.y + c.z;
}
""")
    options = np.zeros((), np.dtype([("scale", "i4"), ("offsets", "f4", 3), ("flag", "i1")], align=True))
    options["scale"], options["offsets"], options["flag"] = 100, [0.5, 0.25, 0.125], 7
    out = np.zeros(3, np.float32)
    pair = np.array([3, 4], np.float32)
    kernels("k", out, options, pair.tobytes(), bytes([1, 2, 3, 4]), block=3)
    assert out.tolist() == [122.5, 124.25, 126.125]
    assert options["scale"] == 100


def test_a_struct_by_value_and_shared_variables_are_aligned_as_declared(cuda: Make) -> None:
    kernels = cuda("""
struct alignas(128) Wide { int v[96]; };
__global__ void k(int *out, Wide w) {
    __shared__ int before[3];
    __shared__ alignas(512) int tile[40];
    Wide copy = w;
    copy.v[threadIdx.x] += 1;
    tile[threadIdx.x] = copy.v[threadIdx.x];
    before[threadIdx.x] = (size_t)tile % 512;
    out[threadIdx.x] = tile[threadIdx.x] + before[threadIdx.x];
}
""")
    out = np.zeros(3, np.int32)
    kernels("k", out, np.arange(96, dtype=np.int32).tobytes(), block=3)
    assert out.tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1,), "kernel '.*' takes 2 arguments, 1 were given"),
        ((np.zeros(1, np.float32), 2**32), r"argument 'n': 4294967296 does not fit i32"),
        ((np.zeros(1, np.float32), "x"), r"argument 'n': a str was given for a parameter of type i32"),
        ((np.zeros(1, np.float32), 1.5), r"argument 'n': a float was given for a parameter of type i32"),
        ((2.5, 1), r"argument 'out': a float was given for a pointer"),
    ],
)
def test_arguments_that_do_not_fit(cuda: Make, arguments: tuple[Any, ...], message: str) -> None:
    kernels = cuda("__global__ void k(float *out, int n) { out[0] = n; }")
    with pytest.raises(LaunchError, match=message):
        kernels("k", *arguments)


def test_a_struct_of_another_size(cuda: Make) -> None:
    kernels = cuda("__global__ void k(float *out, float4 v) { out[0] = v.w; }")
    with pytest.raises(LaunchError, match=r"argument 'v': 8 bytes were given for a parameter of 16 bytes"):
        kernels("k", np.zeros(1, np.float32), bytes(8))


def test_an_unknown_kernel(cuda: Make) -> None:
    kernels = cuda("__global__ void k() {}")
    with pytest.raises(LaunchError, match="the module has no kernel 'other'; its kernels are: _Z1kv"):
        kernels.module.launch("other", (1, 1, 1), (1, 1, 1), ())


def test_where_work_items_stand(cuda: Make) -> None:
    kernels = cuda("""
__global__ void k(int *out) {
    int group = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    int item = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    int *mine = out + 6 * (group * blockDim.x * blockDim.y * blockDim.z + item);
    mine[0] = blockIdx.x; mine[1] = blockIdx.y; mine[2] = blockIdx.z;
    mine[3] = threadIdx.x; mine[4] = threadIdx.y; mine[5] = threadIdx.z;
}
""")
    out = np.zeros((4, 3, 2, 2, 3, 2, 6), np.int32)
    kernels("k", out, grid=(2, 3, 4), block=(2, 3, 2))
    for place in np.ndindex(4, 3, 2, 2, 3, 2):
        z, y, x, tz, ty, tx = place
        assert out[place].tolist() == [x, y, z, tx, ty, tz]
