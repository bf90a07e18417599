# SPDX-License-Identifier: Apache-2.0
import numpy as np

from lanewise.config import Config
from lanewise.ir.reader import read_module
from lanewise.ir.verifier import verify
from lanewise.ir.writer import write_module
from lanewise.llvm import LlvmModule
from lanewise.passes import copy_byval
from lanewise.pipelines.cpu import simplify
from lanewise.program.source.compilation import compile_source
from lanewise.session import Session

TEXT = """
%struct.S = type {{ i32, double }}
define ptx_kernel void @k(ptr %out, ptr byval(%struct.S) align 8 %s, i32 %n, ptr byval([3 x i16]) align 2 %t) {{
{}
  %a = load i32, ptr %s, align 8
  %b = load i16, ptr %t, align 2
  store i32 %a, ptr %out, align 4
  ret void
}}
"""
WRITES = "  store i32 %n, ptr %s, align 8"


def test_each_parameter_in_memory_is_copied_at_the_entry_and_the_copy_used():
    module = read_module(TEXT.format(WRITES))
    kernel = module.function("k")
    assert copy_byval.run(kernel, module)
    verify(module)
    LlvmModule.parse(write_module(module))
    lines = [line.strip() for line in write_module(module).splitlines()]
    assert "%s.own = alloca %struct.S, align 8" in lines
    assert "%t.own = alloca [3 x i16], align 2" in lines
    assert any("llvm.memcpy.p0.p0.i64(ptr align 8 %s.own, ptr align 8 %s, i64 16, i1 false)" in line for line in lines)
    assert any("llvm.memcpy.p0.p0.i64(ptr align 2 %t.own, ptr align 2 %t, i64 6, i1 false)" in line for line in lines)
    assert "store i32 %n, ptr %s.own, align 8" in lines
    assert "%a = load i32, ptr %s.own, align 8" in lines


def test_a_copy_that_nobody_writes_is_taken_away_again():
    module = read_module(TEXT.format(""))
    kernel = module.function("k")
    assert copy_byval.run(kernel, module)
    kernel = simplify(module, "k").function("k")
    assert not [i for i in kernel.instructions() if i.op == "alloca" or "memcpy" in i.callee]


def test_a_kernel_without_such_parameters_is_left_alone():
    text = write_module(read_module("define ptx_kernel void @k(ptr %p) {\n  ret void\n}\n"))
    module = read_module(text)
    assert not copy_byval.run(module.function("k"), module)
    assert write_module(module) == text


def test_work_items_write_their_own_copies():
    source = """
struct State { int sum; int values[4]; };
extern "C" __global__ void k(int *out, State state, int n) {
    for (int i = 0; i < n; ++i) {
        state.values[(threadIdx.x + i) % 4] += i;
        __syncthreads();
    }
    for (int value : state.values) state.sum += value * (threadIdx.x + 1);
    out[threadIdx.x] = state.sum;
}"""
    session = Session(Config(cache_dir=None, num_threads=1, device="cpu"))
    module = compile_source(session, source, language="cuda")
    state = np.array((7, [1, 2, 3, 4]), np.dtype([("sum", "i4"), ("values", "i4", 4)]))[()]
    out = np.zeros(16, np.int32)
    module["k"].launch(1, 16, (out, state, 5), device="cpu")
    assert (out == 7 + (10 + 10) * (np.arange(16) + 1)).all()
