# SPDX-License-Identifier: Apache-2.0
"""Text at every stage: kernel IR, PTX, assembly."""

from collections.abc import Callable

import pytest

import lanewise as lw
from lanewise.llvm import verify

SOURCE = """
template <typename T> __global__ void reduce(const T *in, T *out) {
    __shared__ T scratch[256];
    int i = threadIdx.x;
    scratch[i] = in[blockIdx.x * blockDim.x + i];
    for (int half = blockDim.x / 2; half; half /= 2) {
        __syncthreads();
        if (i < half) scratch[i] += scratch[i + half];
    }
    if (i == 0) out[blockIdx.x] = scratch[0];
}
template __global__ void reduce<float>(const float *, float *);
__global__ void other() {}
"""


@pytest.fixture
def module(compile_cuda: Callable[[str], lw.Module]) -> lw.Module:
    return compile_cuda(SOURCE)


@pytest.mark.parametrize("stage", ["front-end", "isolate", "simplify", "work-group"])
def test_llvm_accepts_the_ir_of_every_stage(module: lw.Module, stage: str):
    text = module.ir(stage, "reduce", (64, 2))
    verify(text)
    assert "define" in text


def test_the_front_end_s_ir_has_all_kernels(module: lw.Module):
    text = module.ir()
    assert text.count("ptx_kernel") >= 2
    assert "nvptx64" in text
    assert "ptx_kernel void @_Z5otherv" not in module.ir("isolate", "reduce")


def test_a_module_s_only_kernel_need_not_be_named(compile_cuda: Callable[[str], lw.Module]):
    module = compile_cuda("__global__ void only(int *p) { *p = 1; }")
    assert module.ir("work-group") == module.ir("work-group", "only")
    assert "lw_group" in module.asm()


def test_assembly(module: lw.Module):
    text = module.asm("reduce<float>", 128)
    assert "lw_group:" in text
    assert text == module.asm("reduce", 128)


def test_ptx_has_all_kernels_and_the_target(module: lw.Module):
    text = module.ptx()
    assert ".target sm_80" in text
    assert text.count(".entry") == 2
    assert ".target sm_90" in module.ptx(arch="sm_90")
    assert ".version 8.3" in module.ptx(arch="sm_80", ptx_version=83)
