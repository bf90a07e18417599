# SPDX-License-Identifier: Apache-2.0
"""Masked stores to memory of the group, as loads, selects and plain stores."""

import numpy as np
import pytest

import lanewise as lw
from lanewise.ir.module import Module
from lanewise.ir.reader import read_module
from lanewise.ir.verifier import verify
from lanewise.ir.writer import write_module
from lanewise.llvm import LlvmModule, Machine
from lanewise.llvm import verify as verify_with_llvm
from lanewise.workgroup.function import build_work_group_function
from lanewise.workgroup.mapping import mapping_of
from lanewise.workgroup.processor import Processor

SLOW_MASKS = Processor(lanes=8, nontemporal_stores=False, truncating_stores=False, masked_stores=False)
LAYOUT = 'target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"\ntarget triple = "nvptx64-nvidia-cuda"\n'
KERNEL = """
@tile = internal addrspace(3) global [64 x TYPE] undef, align 8
define ptx_kernel void @k(ptr %array, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %some = icmp ult i32 %x, %n
  br i1 %some, label %store, label %done
store:
  %p = getelementptr TYPE, ptr ARRAY, i32 %x
  store TYPE 1, ptr %p
  br label %done
done:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""
GROUP = "addrspacecast (ptr addrspace(3) @tile to ptr)"


def lanes(array: str = GROUP, type_: str = "i32", mapping: str = "lanes:8x1", processor: Processor = SLOW_MASKS) -> str:
    source: Module = read_module(LAYOUT + KERNEL.replace("ARRAY", array).replace("TYPE", type_))
    kernel = source.function("k")
    made = build_work_group_function(source, kernel, (64, 1, 1), mapping=mapping_of(mapping), processor=processor)
    verify(made.module)
    text = write_module(made.module)
    verify_with_llvm(text)
    return text


def test_a_masked_store_to_memory_of_the_group_is_blended():
    text = lanes()
    assert "masked.store" not in text
    assert "load volatile <8 x i32>" in text


def test_llvm_makes_no_masked_store_of_it():
    machine, module = Machine("x86_64-linux-gnu", "haswell", ""), LlvmModule.parse(lanes())
    machine.claim(module)
    machine.optimise(module)
    assert "vpmaskmovd\t%ymm" not in machine.assembly(module)


@pytest.mark.parametrize("processor", [Processor(nontemporal_stores=False)])
def test_needs_1_slow_masked_stores(processor: Processor):
    assert "masked.store" in lanes(processor=processor)


def test_needs_2_memory_of_the_group():
    assert "masked.store" in lanes(array="%array")


def test_needs_3_a_vector_within_the_margin():
    assert "masked.store" not in lanes(type_="i64", mapping="lanes:16x1")
    assert "masked.store" in lanes(type_="i64", mapping="lanes:32x1")


SOURCE = """
template <class T> __device__ void edges(T *out, int first, int n, int base) {
    __shared__ T s[48];
    int t = threadIdx.x;
    if (t < 48) s[t] = 7;
    __syncthreads();
    if (t >= first && t < n) s[t - first] = t;            // lanes before the array are switched off
    __syncthreads();
    if (t < n - 16) s[t + 24] += s[t];                    // and lanes after its end
    __syncthreads();
    if (t > 100 + n) s[base + t] = 1;                     // nobody
    __syncthreads();
    if (t < 48) out[t] = s[t];
}
__global__ void bytes(signed char *out, int first, int n, int base) { edges(out, first, n, base); }
__global__ void floats(float *out, int first, int n, int base) { edges(out, first, n, base); }
__global__ void doubles(double *out, int first, int n, int base) { edges(out, first, n, base); }
__global__ void pairs(float2 *out, int first, int n, int base) {
    __shared__ float2 s[64];
    int t = threadIdx.x;
    s[t] = make_float2(1, 2);
    __syncthreads();
    if (t >= first && t < n) s[t - first] = make_float2(t, -t);
    __syncthreads();
    if (t % 3 == 1) s[t].y = 5;
    if (t > 100 + n) s[base + t] = s[base + t + 1];
    __syncthreads();
    out[t] = s[t];
}
"""
MODULE = {
    mapping: lw.compile(SOURCE, language="cuda", mapping=mapping) for mapping in ("auto", "lanes:8x1", "lanes:16x2")
}


@pytest.mark.parametrize("mapping", MODULE)
@pytest.mark.parametrize(("name", "type_"), [("bytes", np.int8), ("floats", np.float32), ("doubles", np.float64)])
def test_stores_at_the_edges_of_an_array(name: str, type_: type, mapping: str):
    for first, n in ((0, 40), (7, 40), (15, 33), (39, 40), (5, 5)):
        expected, found = np.zeros(48, type_), np.zeros(48, type_)
        MODULE["auto"][name].launch(1, 64, (expected, first, n, 1 << 28), device="reference")
        MODULE[mapping][name][1, 64](found, first, n, 1 << 28)
        assert found.tobytes() == expected.tobytes()


@pytest.mark.parametrize("mapping", MODULE)
def test_records(mapping: str):
    for first, n in ((0, 40), (7, 64), (63, 64), (9, 9)):
        expected, found = np.zeros(128, np.float32), np.zeros(128, np.float32)
        MODULE["auto"]["pairs"].launch(1, 64, (expected, first, n, 1 << 27), device="reference")
        MODULE[mapping]["pairs"][1, 64](found, first, n, 1 << 27)
        assert found.tobytes() == expected.tobytes()
