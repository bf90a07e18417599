# SPDX-License-Identifier: Apache-2.0
"""Functions that can't be inlined: which they are, what becomes of them and of their callers, what is refused."""

import numpy as np
import pytest

from lanewise.analysis.call_graph import CallGraph
from lanewise.errors import CompileError
from lanewise.ir.reader import read_module
from lanewise.ir.writer import write_module
from lanewise.llvm import LlvmModule
from lanewise.pipelines.out_of_line_functions import compile_out_of_line
from lanewise.program.source.compilation import compile_source
from lanewise.workgroup.layout.out_of_line import out_of_line_functions

from .parts import DECLARATIONS, compiled, kernel_text, run, session

SELF = """
define i32 @down(i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %z = icmp eq i32 %n, 0
  br i1 %z, label %end, label %more
more:
  %m = sub i32 %n, 1
  %r = call i32 @down(i32 %m)
  %s = add i32 %r, 2
  ret i32 %s
end:
  ret i32 %x
}
"""
CALL = """
  TID
  %r = call i32 @down(i32 %n)
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %r, ptr %p
  ret void"""


def test_a_call_passes_the_record_of_the_work_item():
    function = compiled(kernel_text(CALL, more=SELF), block=(4, 1, 1))
    text = write_module(function.module)
    assert function.facts.variables == ("down",)
    assert function.facts.calls == ("down",)
    assert "call i32 %down(ptr %record, i32 %n)" in text
    assert "@down" not in text


def test_the_out_of_line_function_gets_all_from_its_record():
    made = compile_out_of_line(kernel_text(CALL, more=SELF))
    text = write_module(made.module)
    LlvmModule.parse(text)
    assert made.functions == ("down",)
    assert not made.refusals
    assert "@lw.call.down(ptr noalias noundef readonly align 8 %record, i32 %n)" in text
    assert "tid" not in text


def test_it_runs():
    out = np.zeros(4, np.int32)
    run(kernel_text(CALL, more=SELF), 1, 4, out, None, 5, 0)
    assert out.tolist() == [10, 11, 12, 13]


def test_a_kernel_that_calls_none_gets_none():
    """Nor does it pay for those of other kernels: no record, no table, no reserved shared memory."""
    function = compiled(kernel_text("  store i32 1, ptr %out\n  ret void", more=SELF))
    assert function.facts.variables == ()
    assert function.facts.calls == ()
    assert "record" not in write_module(function.module)


GRAPH = f"""{DECLARATIONS}
@table = global [2 x ptr] [ptr @one, ptr @two]
@shared = addrspace(3) global [3 x i32] undef
@wide = addrspace(3) global double undef
@unused = addrspace(3) global i32 undef
define i32 @one(i32 %a) {{
  store i32 1, ptr addrspace(3) @shared
  ret i32 1
}}
define i32 @two(i32 %a) {{
  %r = call i32 @inner(i32 %a)
  ret i32 %r
}}
define i32 @inner(i32 %a) {{
  store double 1.0, ptr addrspace(3) @wide
  ret i32 2
}}
define float @three(float %a) {{
  %f = load ptr, ptr @table
  %r = call i32 %f(i32 1)
  ret float 3.0
}}
define i32 @ping(i32 %a) {{
  %r = call i32 @pong(i32 %a)
  ret i32 %r
}}
define i32 @pong(i32 %a) {{
  %r = call i32 @ping(i32 %a)
  ret i32 %r
}}
define ptx_kernel void @k(ptr %out) {{
  %p = call i32 @ping(i32 3)
  store ptr @three, ptr %out
  ret void
}}
"""


def test_which_functions_are_out_of_line():
    graph = CallGraph(read_module(GRAPH))
    assert [f.symbol for f in graph.addressed] == ["one", "two", "three"]
    assert {f.symbol for f in graph.cyclic} == {"ping", "pong"}
    assert [f.symbol for f in graph.out_of_line] == ["one", "two", "three", "ping", "pong"]


def test_what_an_out_of_line_function_may_call():
    module = read_module(GRAPH)
    out_of_line = out_of_line_functions(CallGraph(module))
    assert set(out_of_line.may_call["three"]) == {"three", "one", "two"}
    assert set(out_of_line.may_call["ping"]) == {"ping", "pong"}
    assert out_of_line.may_call["one"] == ("one",)
    assert out_of_line.called_from(module.function("k")) == out_of_line.may_call["ping"]


def test_shared_variables_of_out_of_line_functions_have_the_same_places_everywhere():
    out_of_line = out_of_line_functions(CallGraph(read_module(GRAPH)))
    assert out_of_line.shared_places == {"shared": 0, "wide": 16}
    assert out_of_line.shared_bytes == 24


def test_mutual_recursion_through_many_functions_is_found():
    ring = "".join(f"define void @f{i}() {{\n  call void @f{(i + 1) % 300}()\n  ret void\n}}\n" for i in range(300))
    chain = "".join(f"define void @g{i}() {{\n  call void @g{i + 1}()\n  ret void\n}}\n" for i in range(2000))
    graph = CallGraph(read_module(f"{ring}{chain}define void @g2000() {{\n  ret void\n}}\n"))
    assert {f.symbol for f in graph.cyclic} == {f"f{i}" for i in range(300)}


BARRIER_INSIDE = """
namespace solver {
template <class Number> struct Step {
    __device__ Number run(int n) {
        if (n > 0) return run(n - 1);
        __syncthreads();
        return 1;
    }
};
}
__device__ int undefined(int);
__device__ int asks(int n) { return n ? asks(n - 1) : undefined(n); }
__device__ float harmless(float v) { return 2 * v; }
__device__ float (*pointer)(float) = harmless;
__device__ int alone(int v) { __syncthreads(); return v + 1; }
__global__ void meets(int *out) { *out = solver::Step<int>().run(2); }
__global__ void calls(int *out) { *out = asks(2); }
__global__ void others(int *out) { *out = (int)pointer(*out); }
__global__ void known(int *out) { int (*target)(int) = alone; out[threadIdx.x] = target(threadIdx.x); }
"""


@pytest.mark.parametrize(
    ("kernel", "said"),
    [
        ("meets", r"^kernel meets may call .*: function solver::Step<int>::run waits at a barrier"),
        ("calls", r"^kernel calls may call .*: function asks calls undefined\(\), which is declared but defined now"),
    ],
)
def test_what_a_function_can_not_do_is_said_of_it(kernel: str, said: str):
    module = compile_source(session(), BARRIER_INSIDE, language="cuda")
    for _ in range(2):
        with pytest.raises(CompileError, match=said):
            module[kernel].launch(1, 4, (np.zeros(4, np.int32),), device="cpu")


def test_other_kernels_of_the_program_run():
    module = compile_source(session(), BARRIER_INSIDE, language="cuda")
    out = np.array([3], np.int32)
    module["others"].launch(1, 1, (out,), device="cpu")
    assert out[0] == 6


def test_a_pointer_that_turns_out_to_be_known_is_inlined_with_its_barrier():
    out = np.zeros(8, np.int32)
    compile_source(session(), BARRIER_INSIDE, language="cuda")["known"].launch(1, 8, (out,), device="cpu")
    assert out.tolist() == list(range(1, 9))


def test_warps_that_are_only_synchronised_become_loops_with_barriers():
    """A loop over work-items has no warps: `__syncwarp` is a barrier of the group there."""
    source = """
__device__ int fibonacci(const int *in, int n) { return n < 2 ? in[n] : fibonacci(in, n - 1) + fibonacci(in, n - 2); }
extern "C" __global__ void k(int *out, const int *in) {
    __shared__ int tile[64];
    tile[threadIdx.x] = fibonacci(in, threadIdx.x % 8);
    __syncwarp();
    out[threadIdx.x] = tile[threadIdx.x ^ 5];
}"""
    out = np.zeros(64, np.int32)
    run(source, 1, 64, out, np.arange(2, dtype=np.int32), language="cuda")
    assert (out == np.array([0, 1, 1, 2, 3, 5, 8, 13])[(np.arange(64) ^ 5) % 8]).all()
