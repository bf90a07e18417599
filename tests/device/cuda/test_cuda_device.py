# SPDX-License-Identifier: Apache-2.0
"""The device cuda, with simulated GPUs behind the driver's calls: what a driver refuses, and what follows a fault."""

import ctypes
import gc
import sys
import time
import types

import numpy as np
import pytest

import lanewise as lw
from lanewise.config import Config
from lanewise.device.cuda import CudaDevice
from lanewise.device.cuda.driver import Driver
from lanewise.session import Session

from . import standin

CUDA = """
#include <cooperative_groups.h>
__global__ void put(int *p, long long i) { p[i] = 1; }
__global__ void turn(volatile int *p) { while (!p[0]) ; }
__global__ void fixed(int *p) {
    __shared__ int s[4096];
    extern __shared__ int more[];
    s[threadIdx.x] = more[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x] + more[threadIdx.x];
}
__global__ void sum(int *p, int *out) {
    p[blockIdx.x] = blockIdx.x + 1;
    cooperative_groups::this_grid().sync();
    if (blockIdx.x == 0) for (int i = 0; i < gridDim.x; i++) out[0] += p[i];
}
"""


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(CUDA, language="cuda")


def fresh() -> Session:
    return Session(Config(None, 1))


class TestWhichGpus:
    def test_all_are_listed(self, driver: standin.Driver):
        with standin.installed(driver):
            names = [device.name for device in fresh().devices()]
        assert names == ["cpu", "reference", "simt", "cuda", "cuda:1"]

    def test_one_has_one_object(self, driver: standin.Driver):
        session = fresh()
        with standin.installed(driver):
            assert session.device("cuda:0") is session.device("cuda")
            assert session.device("cuda:1") is not session.device("cuda")

    def test_numbers_that_there_are_not(self, driver: standin.Driver):
        with standin.installed(driver), pytest.raises(lw.Error, match="no GPU 2: the driver has 2 GPUs, counted from"):
            fresh().device("cuda:2")
        with pytest.raises(lw.Error, match="no device is called 'cuda:one'; the devices are cpu, reference, simt, cud"):
            fresh().device("cuda:one")

    def test_without_a_gpu(self):
        with standin.installed(standin.Driver(0)):
            with pytest.raises(lw.Error, match="no GPU can be used: CUDA_ERROR_NO_DEVICE: no device"):
                fresh().device("cuda")
            assert "cuda" not in [device.name for device in fresh().devices()]

    def test_without_the_package(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setitem(sys.modules, "cuda.bindings.driver", None)
        with pytest.raises(lw.Error, match=r"needs the package cuda-bindings: pip install 'lanewise\[cuda\]'"):
            fresh().device("cuda")

    def test_without_the_driver(self, monkeypatch: pytest.MonkeyPatch, driver: standin.Driver):
        def missing() -> None:
            raise RuntimeError("libcuda.so.1 is not there\nand more")

        monkeypatch.setattr(driver, "cuDriverGetVersion", missing, raising=False)
        told = r"NVIDIA's driver, which can't be loaded: libcuda.so.1 is not there$"
        with standin.installed(driver), pytest.raises(lw.Error, match=told):
            fresh().device("cuda")

    @pytest.mark.parametrize(("capability", "arch"), [((7, 5), "sm_75"), ((9, 0), "sm_90"), ((12, 9), "sm_121")])
    def test_the_newest_architecture_that_it_runs(self, capability: tuple[int, int], arch: str):
        assert CudaDevice(Driver(standin.Driver(1, capability)), 0).capabilities.arch == arch

    def test_one_that_is_too_old(self):
        with pytest.raises(lw.Error, match=r"Stand-in has compute capability 3.5; PTX is made for 5.0 and later"):
            CudaDevice(Driver(standin.Driver(1, (3, 5))), 0)


class TestLaunches:
    def test_more_shared_memory_than_every_kernel_has(self, module: lw.Module, gpu: CudaDevice):
        p = np.arange(4, dtype=np.int32)
        module["fixed"].launch(1, 4, (p,), shared=40000, device=gpu)
        assert p.tolist() == [3] * 4
        with pytest.raises(
            lw.LaunchError, match=r"fixed: 16384 bytes of static and 50000 of dynamic .* 65536 that a bl"
        ):
            module["fixed"].launch(1, 4, (p,), shared=50000, device=gpu)

    def test_cooperative_ones(self, module: lw.Module, gpu: CudaDevice, driver: standin.Driver):
        p, out = np.zeros(8, np.int32), np.zeros(1, np.int32)
        module["sum"].launch(8, 1, (p, out), cooperative=True, device=gpu)
        assert out[0] == 36
        assert driver.launches[-1].numAttrs == 1

    def test_ptx_reaches_the_driver_as_it_stands(self, gpu: CudaDevice, driver: standin.Driver, monkeypatch):
        images: list[bytes] = []
        load = driver.cuModuleLoadDataEx
        monkeypatch.setattr(
            driver, "cuModuleLoadDataEx", lambda image, *rest: images.append(image) or load(image, *rest)
        )
        text = ".version 7.0\n.target sm_50\n.address_size 64\n// mine\n.visible .entry k() { ret; }\n"
        lw.compile(text, language="ptx")["k"].launch(1, 1, (), device=gpu)
        assert images == [text.encode() + b"\0"]

    def test_ptx_that_the_driver_refuses(self, gpu: CudaDevice, driver: standin.Driver, monkeypatch):
        load = driver.cuModuleLoadDataEx
        monkeypatch.setattr(driver, "cuModuleLoadDataEx", lambda image, *rest: load(b"nonsense\0", *rest))
        text = ".version 7.0\n.target sm_50\n.address_size 64\n.visible .entry k() { ret; }\n"
        with pytest.raises(
            lw.CompileError, match=r"<source>: NVIDIA's driver refuses the PTX: ptxas error : .*nonsense"
        ):
            lw.compile(text, language="ptx")["k"].launch(1, 1, (), device=gpu)

    def test_textures_are_refused(self, gpu: CudaDevice):
        source = "__global__ void fetch(cudaTextureObject_t t, int *p) { p[0] = tex1Dfetch<int>(t, 0); }"
        texture = lw.Texture(np.zeros(4, np.int32))
        with pytest.raises(lw.LaunchError, match="textures, surfaces and images can't be used on cuda yet"):
            lw.compile(source, language="cuda")["fetch"].launch(1, 1, (texture, np.zeros(1, np.int32)), device=gpu)

    def test_no_context_is_left_behind(self, module: lw.Module, gpu: CudaDevice, driver: standin.Driver):
        module["put"].launch(1, 1, (np.zeros(4, np.int32), 0), device=gpu)
        gc.collect()
        assert driver.contexts() == []


class TestFailures:
    def test_a_fault_is_told_and_the_device_is_gone(self, module: lw.Module, gpu: CudaDevice, driver: standin.Driver):
        buffer = lw.zeros(4, "int32", gpu)
        with pytest.raises(
            lw.LaunchError, match=r"kernel put: CUDA_ERROR_ILLEGAL_ADDRESS: illegal address\. A GPU does"
        ):
            module["put"].launch(1, 1, (buffer, 1 << 40), device=gpu)
        for use in (
            lambda: module["put"].launch(1, 1, (np.zeros(4, np.int32), 0), device=gpu),
            lambda: lw.zeros(4, "int32", gpu),
        ):
            with pytest.raises(lw.Error, match=r"cuda can't be used any more in this process.*: kernel put: CUDA_ERR"):
                use()
        del buffer
        other = CudaDevice(Driver(standin.Driver(1)), 0)
        module["put"].launch(1, 1, (np.zeros(4, np.int32), 0), device=other)
        assert driver.contexts() == []

    def test_a_launch_that_outlives_its_timeout(self, module: lw.Module, gpu: CudaDevice):
        flag = lw.zeros(1, "int32", gpu)
        with pytest.raises(
            lw.LaunchError, match=r"kernel turn: the launch ran longer than its timeout of 0.1 s, and st"
        ):
            module["turn"].launch(1, 1, (flag,), timeout=0.1, device=gpu)
        with pytest.raises(lw.Error, match="cuda is busy: a launch that outlived its timeout still runs"):
            flag.copy_to_host()
        ctypes.c_int.from_address(flag.address).value = 1
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            try:
                assert flag.copy_to_host()[0] == 1
                return
            except lw.Error:
                time.sleep(0.01)
        pytest.fail("the device stays busy")

    def test_a_fault_of_a_launch_that_outlived_its_timeout(
        self, module: lw.Module, gpu: CudaDevice, driver: standin.Driver
    ):
        driver.seconds = 0.3
        flag = lw.zeros(1, "int32", gpu)
        with pytest.raises(lw.LaunchError, match="longer than its timeout"):
            module["turn"].launch(1, 1, (flag,), timeout=0.01, device=gpu)
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            with pytest.raises(lw.Error) as caught:
                flag.copy_to_host()
            if "is busy" not in str(caught.value):
                break
            time.sleep(0.05)
        assert "can't be used any more" in str(caught.value)
        assert "a launch that outlived its timeout: CUDA_ERROR_ILLEGAL_ADDRESS" in str(caught.value)

    def test_memory_that_is_full(self, gpu: CudaDevice):
        with pytest.raises(lw.Error, match=r"of the GPU's 67108864 bytes, 33554432 are free, not all in one piece"):
            lw.empty(1 << 26, "int32", gpu)

    def test_calls_that_the_driver_refuses(self, gpu: CudaDevice):
        with pytest.raises(lw.Error, match="cuda: a copy to the GPU: CUDA_ERROR_INVALID_VALUE: invalid value"):
            gpu.memory.write(64, np.zeros(4, np.uint8))


def test_the_driver_is_found_as_a_module_of_cuda_bindings(driver: standin.Driver):
    with standin.installed(driver):
        from lanewise.device.cuda.driver import bindings

        assert bindings() is driver
    assert not isinstance(sys.modules.get(standin.NAME, types.ModuleType("")), standin.Driver)
