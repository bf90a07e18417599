# SPDX-License-Identifier: Apache-2.0
"""Variables, functions and constants of the device module in a work-group function."""

import numpy as np
import pytest

from lanewise.errors import CompileError
from lanewise.ir.writer import write_module
from lanewise.program.source.compilation import compile_source

from ..parts import compiled, kernel_text, run, session

VARIABLES = """
@a = addrspace(1) externally_initialized global i32 5, align 4
@b = addrspace(1) externally_initialized global [4 x i32] zeroinitializer, align 4
@unused = addrspace(1) externally_initialized global i32 0, align 4
@table = addrspace(4) externally_initialized constant [2 x i32] [i32 1, i32 2], align 4
@text = private unnamed_addr constant [3 x i8] c"ab\\00", align 1
"""


def test_variables_stand_in_the_table_in_the_order_of_their_use():
    body = """
  %t2 = getelementptr [2 x i32], ptr addrspace(4) @table, i32 0, i32 %n
  %x = load i32, ptr addrspace(4) %t2
  store i32 %x, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @b, i64 8)
  %y = load i32, ptr addrspace(1) @a
  store i32 %y, ptr addrspace(1) @b
  ret void"""
    function = compiled(kernel_text(body, more=VARIABLES))
    assert set(function.facts.variables) == {"table", "b", "a"}
    text = write_module(function.module)
    assert "@lw_variables = global [3 x ptr] zeroinitializer" in text
    assert "@unused" not in text


def test_a_kernel_without_variables_has_no_table():
    function = compiled(kernel_text("  store i32 1, ptr %out\n  ret void", more=VARIABLES))
    assert function.facts.variables == ()
    assert "lw_variables" not in write_module(function.module)


def test_constant_data_that_nobody_else_sees_is_embedded():
    body = """
  %p = getelementptr [3 x i8], ptr @text, i32 0, i32 %n
  %c = load i8, ptr %p
  store i8 %c, ptr %out
  ret void"""
    function = compiled(kernel_text(body, more=VARIABLES))
    assert function.facts.variables == ()
    assert '@text = internal unnamed_addr constant [3 x i8] c"ab\\00", align 1' in write_module(function.module)


def test_variables_are_shared_by_the_kernels_of_a_module():
    source = """
__device__ int counter = 3;
__constant__ float factors[2] = {2.0f, 0.5f};
__device__ int *const self = &counter;
extern "C" __global__ void add(int n) { atomicAdd(&counter, n); }
extern "C" __global__ void read(float *out) { out[threadIdx.x] = factors[threadIdx.x & 1] * *self; }
"""
    module = compile_source(session(), source, language="cuda")
    module["add"].launch(2, 8, (5,), device="cpu")
    out = np.zeros(4, np.float32)
    module["read"].launch(1, 4, (out,), device="cpu")
    assert out.tolist() == [166.0, 41.5, 166.0, 41.5]


def test_dynamic_shared_memory_comes_last_and_all_its_names_mean_the_same():
    source = """
extern __shared__ unsigned char bytes[];
extern __shared__ double numbers[];
extern "C" __global__ void k(unsigned *out) {
    __shared__ unsigned fixed[32];
    unsigned mine[3] = {threadIdx.x, 1, 2};
    fixed[threadIdx.x] = 7;
    numbers[threadIdx.x] = threadIdx.x;
    __syncthreads();
    mine[out[threadIdx.x] % 3] += bytes[8 * threadIdx.x + 7];
    __syncthreads();
    out[threadIdx.x] = mine[0] + mine[1] + mine[2] + fixed[31 - threadIdx.x];
}
"""
    out = np.arange(32, dtype=np.uint32)
    top = np.arange(32.0).view(np.uint8)[7::8]
    run(source, 1, 32, out, language="cuda", kernel="k", shared=256)
    assert (out == np.arange(32) + 3 + 7 + top).all()


def test_an_alias_is_refused():
    more = "@there = addrspace(1) global i32 0\n@alias = alias i32, ptr addrspace(1) @there"
    body = "  %r = load volatile i32, ptr addrspace(1) @alias\n  store i32 %r, ptr %out\n  ret void"
    with pytest.raises(CompileError, match="alias @alias can't be used in device code"):
        compiled(kernel_text(body, more=more))
