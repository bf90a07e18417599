# SPDX-License-Identifier: Apache-2.0
"""Occupancy and limits on GPUs, by hand; registers of a thread; descriptions of GPUs against each other."""

from math import isclose

import numpy as np
import pytest

import lanewise as lw
from lanewise.device.gpus import GPUS, gpu_named
from lanewise.program.profile.registers import ThreadRegisters, estimate
from lanewise.program.profile.roofline import Occupancy, occupancy, roofline
from lanewise.ptx.language.parser import parse


@pytest.mark.parametrize(
    ("gpu", "threads", "shared", "registers", "warps", "limit"),
    [
        ("A100", 256, 0, 32, 64, "warps"),  # 8 blocks of 8 warps
        ("A100", 256, 0, 40, 48, "registers"),  # 1280 a warp, 10240 a block: 6 blocks
        ("A100", 256, 48 * 1024, 32, 24, "shared memory"),  # 49 KiB with the system's: 3 in 164
        ("A100", 32, 0, 16, 32, "blocks"),
        ("A100", 1024, 0, 65, 0, "registers"),  # 65 * 32 = 2080, rounded to 2304 a warp: none fits
        ("H100", 1024, 0, 32, 64, "warps"),
        ("RTX 4090", 1024, 0, 32, 32, "warps"),  # one block of 32 in 48
        ("T4", 100, 0, 64, 32, "warps"),  # 100 threads are 4 warps
    ],
)
def test_occupancy(gpu: str, threads: int, shared: int, registers: int, warps: int, limit: str):
    found = occupancy(gpu_named(gpu), threads, shared, ThreadRegisters(registers, False))
    most, blocks = gpu_named(gpu).warps, warps // -(-threads // 32)
    assert found == Occupancy(warps, most, blocks, limit, ThreadRegisters(registers, False))


def test_limits():
    names = [f"{space}_{kind}_{unit}" for space, unit in (("global", "sectors"), ("shared", "wavefronts"))
             for kind in ("load", "store", "atomic")]  # fmt: skip
    counters = dict.fromkeys(names, 0) | {"warp_instructions": 4000, "global_load_sectors": 1000}
    found = roofline(gpu_named("A100"), 10, counters, {"fp64": 320})
    seconds = {each.name: each.seconds for each in found.limits}
    assert found.bound.name == "instructions"
    assert isclose(seconds["instructions"], 4000 / 4 / 10 / 1.41e9)  # ten multiprocessors have a block
    assert isclose(seconds["double precision"], 320 * 32 / 32 / 10 / 1.41e9)
    assert isclose(seconds["global memory"], 32000 / 1555e9)
    assert seconds["shared memory"] == 0
    assert isclose(roofline(gpu_named("A100"), 1000, counters, {}).limits[-1].seconds, 0)


def test_the_data_sheets_agree_with_themselves():
    """Peak rates as NVIDIA states them, in TFLOPS."""
    for name, single in (("A100", 19.5), ("H100", 66.9), ("RTX 4090", 82.6), ("T4", 8.1)):
        assert isclose(GPUS[name].flops / 1e12, single, rel_tol=0.01), name
    assert gpu_named("rtx4090") is GPUS["RTX 4090"]
    with pytest.raises(lw.Error, match="no GPU is called 'A10'; known are A100"):
        gpu_named("A10")


def test_an_estimate_of_registers():
    text = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p) {
    .reg .b64 %rd<2>; .reg .b32 %r<40>; .reg .pred %q;
    ld.param.u64 %rd1, [p];
""" + "\n".join(f"    ld.global.u32 %r{i}, [%rd1+{4 * i}];" for i in range(30)) + """
    setp.eq.u32 %q, %r1, %r2;
""" + "\n".join(f"    st.global.u32 [%rd1+{4 * i}], %r{i};" for i in range(30)) + """
    ret;
}
"""  # fmt: skip
    (kernel,) = parse(text, "k.ptx").kernels
    assert estimate(kernel) == 2 + 30 + 4  # an address, thirty values, and what the system takes


def test_in_a_profile():
    source = """
    __global__ void k(float *y) {
        __shared__ float s[12 * 1024];
        s[threadIdx.x] = y[threadIdx.x];
        __syncthreads();
        y[threadIdx.x] = s[threadIdx.x ^ 1];
    }
    """
    profile = lw.compile(source)["k"].profile(1, 64, (np.zeros(64, np.float32),), gpu="T4")
    assert profile.occupancy.limit == "shared memory"
    assert profile.occupancy.warps == 2
    assert profile.roofline.gpu == "T4"
    assert "on T4: 2 of 32 warps a multiprocessor, limited by shared memory" in str(profile)
    with pytest.raises(lw.Error, match="no GPU is called"):
        lw.compile(source)["k"].profile(1, 64, (np.zeros(64, np.float32),), gpu="T5")


def test_profiles_on_a_simulated_gpu_are_of_that_gpu():
    kernel = lw.compile("__global__ void k(float *p) { p[threadIdx.x] = 1; }", language="cuda")["k"]
    gpu = lw.device("simt", gpu="H100", memory="1 MiB")
    on_gpu = lw.zeros(64, np.float32, gpu)
    profile = kernel.profile(1, 64, (on_gpu,), device=gpu)
    assert (profile.roofline.gpu, profile.counters["global_store_sectors"]) == ("H100", 8)
    assert on_gpu.copy_to_host().all()
    assert kernel.profile(1, 64, (on_gpu,), device=gpu, gpu="T4").roofline.gpu == "T4"
    with lw.on(gpu):
        assert kernel.profile(1, 64, (on_gpu,)).roofline.gpu == "H100"
    with lw.on("reference"):
        assert kernel.profile(1, 64, (np.zeros(64, np.float32),)).roofline.gpu == "A100"
