# SPDX-License-Identifier: Apache-2.0
"""What a target can't have is refused by name, before LLVM would end the process on it."""

from __future__ import annotations

import pytest

import lanewise as lw
from lanewise.errors import CompileError
from lanewise.frontend.cuda import CudaOptions, Source, compile_cuda
from lanewise.pipelines.gpu import compile_ptx


def refusals(ir: str, arch: str = "sm_80", ptx: int | None = None) -> tuple[str, ...]:
    with pytest.raises(CompileError) as caught:
        compile_ptx(ir, arch, ptx)
    assert str(caught.value) == f"no PTX for {arch}:\n" + "\n".join(caught.value.diagnostics)
    return caught.value.diagnostics


def cuda(source: str) -> str:
    return compile_cuda(Source(source), CudaOptions()).text


def kernel(body: str, declarations: str = "") -> str:
    header = "define ptx_kernel void @k(ptr %p, i32 %n, float %x, double %d, i128 %w)"
    return f"{declarations}\n{header} {{\n{body}\n  ret void\n}}\n"


def test_a_function_that_is_not_linked_in_is_named_with_kernel_place_and_reason() -> None:
    source = "__device__ float g(float x) {\n  return sinf(x);\n}\n__global__ void wave(float *p) { *p = g(*p); }\n"
    assert refusals(cuda(source)) == ("<source>:2:10: kernel wave calls sinf, which is declared and nowhere defined",)


def test_all_faults_are_told_each_once() -> None:
    source = "__global__ void a(double *p) { p[0] = pow(p[1], p[2]); p[3] = pow(p[4], 0.3); }\n"
    source += (
        "__global__ void b(float *p) { p[0] = expf(p[1]); }\n__global__ void fine(float *p) { p[0] = sqrtf(p[1]); }\n"
    )
    found = refusals(cuda(source))
    assert [line.split(": ")[1].split(",")[0] for line in found] == ["kernel a calls pow", "kernel b calls expf"]


def test_mathematics_that_nobody_calls_is_no_fault() -> None:
    compile_ptx(
        cuda("__device__ float g(float x) { return sinf(x); }\n__global__ void k(float *p) { *p = 1; }"), "sm_80"
    )


def test_system_calls_are_left_to_the_driver() -> None:
    source = """
#include <cassert>
__global__ void k(int *p) {
  printf("%d", *p);
  assert(p[1] > 0);
  int *q = (int *)malloc(4);
  *q = *p;
  p[2] = *q;
  free(q);
}"""
    text = compile_ptx(cuda(source), "sm_80")
    for name in ("vprintf", "__assertfail"):
        assert f"\n{name}\n" in text or f" {name}\n" in text


def test_function_without_definition() -> None:
    source = "extern __device__ int elsewhere(int);\n__global__ void k(int *p) { *p = elsewhere(1); }"
    (found,) = refusals(cuda(source))
    assert found.endswith("kernel k calls elsewhere, which is declared and nowhere defined")


def test_function_without_definition_in_a_table() -> None:
    module = """
@table = internal constant [1 x ptr] [ptr @elsewhere]
declare void @elsewhere()
define ptx_kernel void @k(i64 %i) {
  %at = getelementptr ptr, ptr @table, i64 %i
  %f = load ptr, ptr %at
  call void %f()
  ret void
}"""
    assert "elsewhere" in refusals(module)[0]


def test_variable_without_definition() -> None:
    module = "@v = external addrspace(1) global i32\n" + kernel("  store i32 1, ptr addrspace(1) @v")
    assert refusals(module) == ("kernel k uses the variable v, which is declared extern and nowhere defined",)


def test_intrinsic_of_a_later_architecture() -> None:
    declaration = "declare i32 @llvm.nvvm.redux.sync.add(i32, i32)"
    module = kernel("  %r = call i32 @llvm.nvvm.redux.sync.add(i32 %n, i32 -1)\n  store i32 %r, ptr %p", declaration)
    assert refusals(module, "sm_75") == (
        "kernel k uses llvm.nvvm.redux.sync.add, which needs sm_80 and PTX 7.0; the target is sm_75 with PTX 7.8",
    )
    assert "redux.sync.add.s32" in compile_ptx(module, "sm_80")


def test_unknown_intrinsic() -> None:
    declaration = "declare i32 @llvm.nvvm.fns(i32, i32, i32)"
    module = kernel("  %r = call i32 @llvm.nvvm.fns(i32 %n, i32 1, i32 2)\n  store i32 %r, ptr %p", declaration)
    assert refusals(module) == ("kernel k uses llvm.nvvm.fns, an intrinsic that this compiler does not know",)


# A body that a target can't have, with declarations that it needs, the target, and a piece of the message.
REFUSED = {
    "sine": (
        "  %r = call float @llvm.sin.f32(float %x)\n  store float %r, ptr %p",
        "declare float @llvm.sin.f32(float)",
        "sm_80",
        "uses llvm.sin.f32, for which PTX has no instruction",
    ),
    "exp2_of_double": (
        "  %r = call double @llvm.exp2.f64(double %d)\n  store double %r, ptr %p",
        "declare double @llvm.exp2.f64(double)",
        "sm_80",
        "uses llvm.exp2.f64, for which PTX has no instruction",
    ),
    "canonicalisation_of_half": (
        "  %h = load half, ptr %p\n  %r = call half @llvm.canonicalize.f16(half %h)\n  store half %r, ptr %p",
        "declare half @llvm.canonicalize.f16(half)",
        "sm_50",
        "no canonicalisation of half",
    ),
    "conversion_to_128_bits": (
        "  %r = fptosi float %x to i128\n  store i128 %r, ptr %p",
        "",
        "sm_80",
        "converts float to i128",
    ),
    "wide_float": (
        "  %l = load fp128, ptr %p\n  %r = fadd fp128 %l, %l\n  store fp128 %r, ptr %p",
        "",
        "sm_80",
        "has a value of type fp128, which PTX doesn't have",
    ),
    "scalable_vector": (
        "  %l = load <vscale x 2 x i32>, ptr %p\n  store volatile <vscale x 2 x i32> %l, ptr %p",
        "",
        "sm_80",
        "has a value of type <vscale x 2 x i32>",
    ),
    "computed_jump": (
        "  %l = load ptr, ptr %p\n  indirectbr ptr %l, [label %a, label %b]\na:\n  store volatile i32 1, ptr %p\n"
        "  store volatile ptr blockaddress(@k, %a), ptr %p\n  br label %b\nb:\n"
        "  store volatile ptr blockaddress(@k, %b), ptr %p",
        "",
        "sm_80",
        "jumps to a computed label",
    ),
    "atomic_of_128_bits": (
        "  %r = atomicrmw xchg ptr %p, i128 %w monotonic, align 16\n  store i128 %r, ptr %p",
        "",
        "sm_80",
        "has an atomic operation on i128, which needs sm_90 and PTX 8.4",
    ),
    "atomic_of_unknown_scope": (
        '  %r = atomicrmw add ptr %p, i32 1 syncscope("galaxy") monotonic, align 4',
        "",
        "sm_80",
        "has an atomic operation of scope 'galaxy'",
    ),
    "atomic_of_cluster_before_clusters": (
        '  %r = atomicrmw add ptr %p, i32 1 syncscope("cluster") monotonic, align 4',
        "",
        "sm_80",
        "of scope 'cluster', which needs sm_90",
    ),
    "acquiring_load": (
        "  %r = load atomic i32, ptr %p acquire, align 4\n  store i32 %r, ptr %p",
        "",
        "sm_60",
        "has an atomic load of order acquire, which needs sm_70",
    ),
    "atomic_off_its_alignment": (
        "  %r = atomicrmw add ptr %p, i32 1 monotonic, align 2\n  store i32 %r, ptr %p",
        "",
        "sm_80",
        "at a multiple of 2 bytes, expected 4",
    ),
    "array_of_variable_length": (
        "  %a = alloca i32, i32 %n\n  store volatile i32 1, ptr %a",
        "",
        "sm_50",
        "has an array of variable length, which needs sm_52",
    ),
    "assembly_with_unknown_constraint": (
        '  call void asm sideeffect "x $0;", "S"(i32 %n)',
        "",
        "sm_80",
        "the constraint 'S' on i32",
    ),
    "assembly_with_modifier": (
        '  call void asm sideeffect "x ${0:w};", "r"(i32 %n)',
        "",
        "sm_80",
        "the operand modifier 'w'",
    ),
    "assembly_with_128_bits": (
        '  call void asm sideeffect "x $0;", "q"(i128 %w)',
        "",
        "sm_60",
        "a 128-bit operand, which needs sm_70",
    ),
    "other_address_space": (
        "  %q = addrspacecast ptr %p to ptr addrspace(9)\n  store ptr addrspace(9) %q, ptr %p",
        "",
        "sm_80",
        "has a pointer to address space 9",
    ),
    "operand_bundle": (
        '  call void @f() [ "mine"(i32 1) ]',
        "define internal void @f() noinline {\n  call void asm sideeffect \"\", \"\"()\n  ret void\n}",
        "sm_80",
        "has a call with operand bundles",
    ),
    "thread_local_variable": (
        "  store volatile i32 1, ptr @t",
        "@t = thread_local global i32 0",
        "sm_80",
        "the variable t is thread_local",
    ),
    "initial_value_of_shared_variable": (
        "  store volatile i32 1, ptr addrspace(3) @s",
        "@s = internal addrspace(3) global i32 7",
        "sm_80",
        "the shared variable s has an initial value",
    ),
    "constructor": (
        "",
        "%C = type { i32, ptr, ptr }\n"
        "@llvm.global_ctors = appending global [1 x %C] [%C { i32 1, ptr @c, ptr null }]\n"
        "define void @c() {\n  call void asm sideeffect \"\", \"\"()\n  ret void\n}",
        "sm_80",
        "constructors or destructors",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    body, declarations, arch, message = REFUSED[name]
    assert any(message in line for line in refusals(kernel(body, declarations), arch))


def test_accepted_where_the_target_has_it() -> None:
    for name, arch, version in (
        ("atomic_of_128_bits", "sm_90", 84),
        ("acquiring_load", "sm_70", None),
        ("array_of_variable_length", "sm_80", None),
        ("assembly_with_128_bits", "sm_90", 83),
        ("canonicalisation_of_half", "sm_80", None),
        ("atomic_of_cluster_before_clusters", "sm_90", None),
    ):
        body, declarations, _, _ = REFUSED[name]
        assert ".entry k(" in compile_ptx(kernel(body, declarations), arch, version)


def test_empty_parameter() -> None:
    assert refusals("define ptx_kernel void @k({} %x) {\n  ret void\n}") == (
        "parameter 0 of k is empty, which PTX can't pass",
    )


def test_alias_that_is_exported() -> None:
    module = "@a = alias i32, ptr @v\n@v = weak global i32 0\n" + kernel("  store i32 1, ptr @a")
    compile_ptx(module, "sm_80")


def test_functions_that_only_a_variable_names_are_looked_at():
    module = lw.compile(
        """
        __device__ float narrowed(unsigned __int128 x) { return x; }
        __device__ float (*table[1])(unsigned __int128) = {narrowed};
        __global__ void k(int *p) { *p = 1; }
        """,
        language="cuda",
    )
    with pytest.raises(lw.CompileError, match="function narrowed converts i128 to float, for which PTX has no"):
        module.ptx()


NAME_FAULT = "PTX allows a-z, A-Z, 0-9, _ and $ in a name, and no digit at its start"


def test_names_that_ptx_does_not_allow():
    source = "__device__ int ü;\n__global__ void größe(int *p) { *p = ü; }\n"
    assert refusals(cuda(source)) == (f"variable ü: {NAME_FAULT}", f"kernel größe: {NAME_FAULT}")


@pytest.mark.parametrize("name", ["two-words", "1st", "_"])
def test_names_of_kernel_ir_that_ptx_does_not_allow(name: str):
    body = "{\n  store i32 1, ptr %p\n  ret void\n}\n"
    assert refusals(f'define ptx_kernel void @"{name}"(ptr %p) {body}') == (f"kernel {name}: {NAME_FAULT}",)


def test_names_that_nobody_outside_sees_are_free():
    declared = '@"a-b" = internal addrspace(3) global [4 x i32] undef\n@0 = addrspace(1) global i32 0'
    stores = 'store volatile i32 1, ptr addrspace(3) @"a-b"\n  store volatile i32 1, ptr addrspace(1) @0'
    ptx = compile_ptx(kernel(stores, declared), "sm_80")
    assert "a_$_b" in ptx
    assert "__unnamed" in ptx
