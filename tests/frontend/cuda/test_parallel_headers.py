# SPDX-License-Identifier: Apache-2.0
"""Built-in variables, barriers, fences, atomics and warp intrinsics: the instructions that they become."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest


@pytest.fixture(scope="module")
def one_line(compiled: Callable, inlined: Callable) -> Callable[[dict[str, str]], dict[str, str]]:
    """Compiles each statement in a device function of its own; gives the functions' inlined IR."""

    def run(statements: dict[str, str]) -> dict[str, str]:
        parameters = "int *i, unsigned *u, unsigned long long *ull, long long *ll, float *f, double *d, int n"
        text = "".join(
            f'extern "C" __device__ void {name}({parameters}) {{ {statement} }}\n'
            for name, statement in statements.items()
        )
        ir = inlined(compiled(text).text)
        bodies = re.findall(r"^define [^\n]*@(\w+)\((.*?)^}", ir, re.MULTILINE | re.DOTALL)
        return dict(bodies)

    return run


def test_each_atomic_is_one_relaxed_instruction(one_line: Callable) -> None:
    pointers = {"int": "i", "unsigned int": "u", "unsigned long long": "ull", "long long": "ll", "float": "f"}
    pointers["double"] = "d"
    add_types = ("int", "unsigned int", "unsigned long long", "float", "double")
    every = ("int", "unsigned int", "unsigned long long", "long long")
    table: list[tuple[str, tuple[str, ...], dict[str, str]]] = [
        ("Add", add_types, {"float": "fadd", "double": "fadd", "": "add"}),
        ("Sub", ("int", "unsigned int"), {"": "sub"}),
        ("Exch", ("int", "unsigned int", "unsigned long long", "float"), {"": "xchg"}),
        ("Min", every, {"unsigned int": "umin", "unsigned long long": "umin", "": "min"}),
        ("Max", every, {"unsigned int": "umax", "unsigned long long": "umax", "": "max"}),
        ("And", every, {"": "and"}),
        ("Or", every, {"": "or"}),
        ("Xor", every, {"": "xor"}),
        ("Inc", ("unsigned int",), {"": "uinc_wrap"}),
        ("Dec", ("unsigned int",), {"": "udec_wrap"}),
    ]
    statements = {}
    expected = {}
    for operation, types, instructions in table:
        for kind in types:
            for scope in ("", "_block", "_system"):
                name = f"a{len(statements)}"
                pointer = pointers[kind]
                statements[name] = f"{pointer}[1] = atomic{operation}{scope}({pointer}, ({kind})3);"
                expected[name] = f"atomicrmw {instructions.get(kind, instructions[''])} ptr"
    for kind in ("int", "unsigned int", "unsigned long long"):
        name = f"a{len(statements)}"
        pointer = pointers[kind]
        statements[name] = f"{pointer}[1] = atomicCAS({pointer}, ({kind})3, ({kind})4);"
        expected[name] = "cmpxchg ptr"
    statements["half"] = "atomicCAS((unsigned short *)i, (unsigned short)3, (unsigned short)4);"
    expected["half"] = "cmpxchg ptr"
    bodies = one_line(statements)
    for name, instruction in expected.items():
        assert bodies[name].count(instruction) == 1, statements[name]
        assert "monotonic" in bodies[name], statements[name]
        assert len(re.findall(r"= atomicrmw |= cmpxchg | call ", bodies[name])) == 1, statements[name]


def test_barriers_and_fences(one_line: Callable) -> None:
    expected = {
        "__syncthreads();": "@llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)",
        "i[0] = __syncthreads_count(n);": "@llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0",
        "i[0] = __syncthreads_and(n);": "@llvm.nvvm.barrier.cta.red.and.aligned.all(i32 0",
        "i[0] = __syncthreads_or(n);": "@llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0",
        "__syncwarp();": "@llvm.nvvm.bar.warp.sync(i32 -1)",
        "__syncwarp(n);": "@llvm.nvvm.bar.warp.sync(i32 %n)",
        "__threadfence_block();": "@llvm.nvvm.membar.cta()",
        "__threadfence();": "@llvm.nvvm.membar.gl()",
        "__threadfence_system();": "@llvm.nvvm.membar.sys()",
        "__trap();": "@llvm.trap()",
        "i[0] = clock();": "@llvm.nvvm.read.ptx.sreg.clock()",
        "ll[0] = clock64();": "@llvm.nvvm.read.ptx.sreg.clock64()",
        "ull[0] = __globaltimer();": "@llvm.nvvm.read.ptx.sreg.globaltimer()",
        "__nanosleep(20);": "@llvm.nvvm.nanosleep(i32 20)",
    }
    bodies = one_line({f"s{index}": statement for index, statement in enumerate(expected)})
    for index, (statement, call) in enumerate(expected.items()):
        assert call in bodies[f"s{index}"], statement


def test_built_in_variables_read_registers_and_take_no_memory(one_line: Callable) -> None:
    registers = {"threadIdx": "tid", "blockIdx": "ctaid", "blockDim": "ntid", "gridDim": "nctaid"}
    statements = {f"{variable}_{axis}": f"u[0] = {variable}.{axis};" for variable in registers for axis in "xyz"}
    statements |= {f"{variable}_whole": f"dim3 v = {variable}; u[0] = v.y;" for variable in registers}
    statements |= {f"{variable}_vector": f"uint3 v = {variable}; u[0] = v.z;" for variable in registers}
    statements["warp"] = "i[0] = warpSize;"
    bodies = one_line(statements)
    for variable, register in registers.items():
        for axis in "xyz":
            assert f"@llvm.nvvm.read.ptx.sreg.{register}.{axis}()" in bodies[f"{variable}_{axis}"]
        assert f"@llvm.nvvm.read.ptx.sreg.{register}.y()" in bodies[f"{variable}_whole"]
        assert f"@llvm.nvvm.read.ptx.sreg.{register}.z()" in bodies[f"{variable}_vector"]
        assert f"@_ZL8{variable}" not in "".join(bodies.values())
    assert "store i32 32" in bodies["warp"]


def test_warp_intrinsics(one_line: Callable) -> None:
    shuffles = {"__shfl_sync": "idx", "__shfl_up_sync": "up", "__shfl_down_sync": "down", "__shfl_xor_sync": "bfly"}
    statements = {}
    expected = {}

    def expect(statement: str, *calls: str) -> None:
        name = f"s{len(statements)}"
        statements[name] = statement
        expected[name] = calls

    for name, instruction in shuffles.items():
        for pointer in ("i", "u", "f", "d", "ll", "ull"):
            expect(f"{pointer}[0] = {name}(~0u, {pointer}[1], n);", f"@llvm.nvvm.shfl.sync.{instruction}.i32(i32 -1")
        expect(f"i[0] = {name}(~0u, i[1], 1, 8);", "i32 6144)" if instruction == "up" else "i32 6175)")
        expect(f"long v = {name}(~0u, 3L, n) + {name}(~0u, 3UL, n); ll[0] = v;", f"sync.{instruction}.i32")
    for name in ("__shfl", "__shfl_up", "__shfl_down", "__shfl_xor"):
        expect(f"f[0] = {name}(f[1], 1);", "@llvm.nvvm.activemask()", "@llvm.nvvm.shfl.sync.")
    expect("i[0] = __all_sync(~0u, n);", "@llvm.nvvm.vote.all.sync(i32 -1")
    expect("i[0] = __any_sync(~0u, n);", "@llvm.nvvm.vote.any.sync(i32 -1")
    expect("i[0] = __uni_sync(~0u, n);", "@llvm.nvvm.vote.uni.sync(i32 -1")
    expect("u[0] = __ballot_sync(~0u, n);", "@llvm.nvvm.vote.ballot.sync(i32 -1")
    expect("i[0] = __all(n) + __any(n) + __ballot(n);", "@llvm.nvvm.activemask()")
    expect("u[0] = __activemask() + __lane_id();", "@llvm.nvvm.activemask()", "@llvm.nvvm.read.ptx.sreg.laneid()")
    for pointer, bits in (("i", 32), ("u", 32), ("f", 32), ("d", 64), ("ll", 64), ("ull", 64)):
        expect(f"u[0] = __match_any_sync(~0u, {pointer}[1]);", f"@llvm.nvvm.match.any.sync.i{bits}(i32 -1")
        expect(f"u[0] = __match_all_sync(~0u, {pointer}[1], i);", f"@llvm.nvvm.match.all.sync.i{bits}p(i32 -1")
    for operation in ("add", "min", "max"):
        expect(f"i[0] = __reduce_{operation}_sync(7u, i[1]);", f"@llvm.nvvm.redux.sync.{operation}(i32 %", "i32 7)")
        unsigned = operation if operation == "add" else f"u{operation}"
        expect(f"u[0] = __reduce_{operation}_sync(7u, u[1]);", f"@llvm.nvvm.redux.sync.{unsigned}(i32 %", "i32 7)")
    for operation in ("and", "or", "xor"):
        expect(f"u[0] = __reduce_{operation}_sync(7u, u[1]);", f"@llvm.nvvm.redux.sync.{operation}(i32 %", "i32 7)")
    bodies = one_line(statements)
    for name, calls in expected.items():
        for call in calls:
            assert call in bodies[name], statements[name]


def test_memory_hints_are_plain_accesses(one_line: Callable) -> None:
    loads = ("__ldg", "__ldcg", "__ldca", "__ldcs", "__ldlu")
    stores = ("__stwb", "__stcg", "__stcs", "__stwt")
    statements = {name.strip("_"): f"f[0] = {name}(f + 1);" for name in loads}
    statements |= {name.strip("_"): f"{name}(f, 1.0f);" for name in stores}
    statements["ldcv"] = "f[0] = __ldcv(f + 1);"
    statements["space"] = "u[0] = __isGlobal(i) + __isShared(i) + __isConstant(i) + __isLocal(i);"
    bodies = one_line(statements)
    for name in (*loads, *stores):
        assert "call" not in bodies[name.strip("_")]
    assert "load volatile float" in bodies["ldcv"]
    assert "@llvm.nvvm.isspacep.shared" in bodies["space"]


def test_warp_and_barrier_functions_are_convergent(compiled: Callable) -> None:
    ir = compiled('extern "C" __device__ int f(int n) { return __any_sync(~0u, n) + __syncthreads_or(n); }').text
    for name in ("__any_sync", "__syncthreads_or"):
        attributes = re.search(rf"^define [^\n]*{name}[^\n]*#(\d+)", ir, re.MULTILINE)
        assert attributes
        assert re.search(rf"^attributes #{attributes[1]} = {{ [^\n]*\bconvergent\b", ir, re.MULTILINE)


def test_newer_instructions_are_absent_on_older_architectures(compiled: Callable) -> None:
    compiled("__global__ void k(int *p) { p[0] = __shfl_sync(~0u, p[1], 0); }", arch="sm_60")
    with pytest.raises(Exception, match="__reduce_add_sync"):
        compiled("__global__ void k(int *p) { p[0] = __reduce_add_sync(~0u, p[1]); }", arch="sm_75")
    with pytest.raises(Exception, match="__match_any_sync"):
        compiled("__global__ void k(int *p) { p[0] = __match_any_sync(~0u, p[1]); }", arch="sm_60")


def test_a_program_may_define_globaltimer(compiled: Callable) -> None:
    ir = compiled(
        "__device__ unsigned long long __globaltimer() { return 42; }"
        "__global__ void k(unsigned long long *p) { *p = __globaltimer(); }"
    ).text
    assert "ret i64 42" in ir
