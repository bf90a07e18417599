# SPDX-License-Identifier: Apache-2.0
"""Devices that take PTX: simulated GPUs, and those of the device cuda with a stand-in for the driver."""

import numpy as np
import pytest

import lanewise as lw
from lanewise.device.cuda import CudaDevice
from lanewise.device.cuda.driver import Driver

from .cuda import standin

CUDA = """
__device__ int total;
__constant__ int step = 10;
template <int n> __global__ void more(int *p) { p[threadIdx.x] += n; atomicAdd(&total, 1); }
__global__ void add(int *p, const int *q, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += step * q[i];
    atomicAdd(&total, 1);
}
__global__ void put(int *p, long long i) { p[i] = 1; }
struct Pair { char tag; double value; };
__global__ void mixed(double *out, char c, Pair pair, float f, long long l, short s) {
    out[0] = c + pair.tag + pair.value + f + l + s;
}
__global__ void dynamic(int *p) {
    extern __shared__ int s[];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
"""
OPENCL = """
kernel void add(global int *p, global const int *q, local int *s) {
    size_t i = get_local_id(0);
    s[i] = q[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    p[i] += s[get_local_size(0) - 1 - i];
}
"""


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(CUDA, language="cuda")


@pytest.fixture(params=["simt", "cuda"])
def two(request: pytest.FixtureRequest) -> tuple[lw.Device, lw.Device]:
    if request.param == "simt":
        return lw.device("simt", memory=1 << 20), lw.device("simt", memory=1 << 20)
    driver = Driver(standin.Driver(2))
    return CudaDevice(driver, 0), CudaDevice(driver, 1)


@pytest.fixture
def gpu(two: tuple[lw.Device, lw.Device]) -> lw.Device:
    return two[0]


def test_arrays_are_copied_and_variables_are_there(module: lw.Module, gpu: lw.Device):
    p, q = np.arange(8, dtype=np.int32), np.ones(8, np.int32)
    module["add"].launch(1, 8, (p, q, 8), device=gpu)
    assert p.tolist() == list(range(10, 18))
    assert module.variable("total", gpu).read() == 8
    module.variable("step", gpu).write(100)
    module["add"].launch(1, 8, (p, q, 8), device=gpu)
    assert p.tolist() == list(range(110, 118))


def test_each_device_has_its_own_variables(module: lw.Module, two: tuple[lw.Device, lw.Device]):
    first, second = two
    p, q = np.zeros(4, np.int32), np.ones(4, np.int32)
    module["add"].launch(1, 4, (p, q, 4), device=first)
    assert module.variable("total", first).read() == 4
    assert module.variable("total", second).read() == 0
    with pytest.raises(lw.LaunchError, match=r"> is in that device's own memory"):
        module["add"].launch(1, 4, (lw.to_device(p, first), q, 4), device=second)


def test_template_instances_made_later(module: lw.Module, gpu: lw.Device):
    p = np.zeros(4, np.int32)
    for n in (3, 4):
        module[f"more<{n}>"].launch(1, 4, (p,), device=gpu)
    assert p.tolist() == [7] * 4


def test_opencl(gpu: lw.Device):
    p, q = np.zeros(8, np.int32), np.arange(8, dtype=np.int32)
    lw.compile(OPENCL, language="opencl")["add"].launch(1, 8, (p, q, lw.local(32)), device=gpu)
    assert p.tolist() == list(range(8))[::-1]


def test_ptx(module: lw.Module, gpu: lw.Device):
    p = np.zeros(4, np.int32)
    ptx = module.ptx(arch=gpu.capabilities.arch, kernel="put")
    lw.compile(ptx, language="ptx")["put"].launch(1, 1, (lw.to_device(p, gpu), 2), device=gpu)
    buffer = lw.to_device(p, gpu)
    module["put"].launch(1, 1, (buffer, 2), device=gpu)
    assert buffer.copy_to_host().tolist() == [0, 0, 1, 0]


def test_arguments_of_all_sizes(module: lw.Module, gpu: lw.Device):
    out = np.zeros(1)
    pair = np.array((3, 0.5), np.dtype([("tag", "i1"), ("value", "f8")], align=True))
    module["mixed"].launch(1, 1, (out, 1, pair, 0.25, 1 << 40, -2), device=gpu)
    assert out[0] == 1 + 3 + 0.5 + 0.25 + (1 << 40) - 2


def test_dynamic_shared_memory(module: lw.Module, gpu: lw.Device):
    p = np.arange(4, dtype=np.int32)
    module["dynamic"].launch(1, 4, (p,), shared=60000, device=gpu)
    assert p.tolist() == [3, 2, 1, 0]


def test_variables_keep_their_values_when_an_instance_is_made(module: lw.Module, gpu: lw.Device):
    p, total = np.zeros(4, np.int32), module.variable("total", gpu)
    module["more<5>"].launch(1, 4, (p,), device=gpu)
    assert total.read() == 4
    module["more<6>"].launch(1, 4, (p,), device=gpu)
    assert total.read() == 8
    total.write(1)
    module["more<5>"].launch(1, 4, (p,), device=gpu)
    assert total.read() == 5


def test_buffers_copied_within_the_device(gpu: lw.Device):
    buffer = lw.to_device(np.arange(100, dtype=np.int32), gpu)
    lw.copy_async(buffer[1:51], buffer[:50])
    lw.memset_async(buffer[90:], 0)
    lw.synchronize()
    assert buffer.copy_to_host().tolist() == [0, *range(50), *range(51, 90), *[0] * 10]
    assert not lw.zeros(7, "int64", gpu).copy_to_host().any()
