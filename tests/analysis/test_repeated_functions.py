# SPDX-License-Identifier: Apache-2.0
"""Repeated functions: which functions of a large program stay out of line, and which never do."""

import pytest

from lanewise.analysis.repeated_functions import (
    LARGE_FUNCTION,
    LARGE_KERNEL,
    MOST_INLINED,
    has_too_many_copies,
    repeated_functions,
)
from lanewise.ir.reader import read_module

SHARED = "@tile = internal addrspace(3) global [4 x float] undef\n"
ID = "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
ASKS = f"{ID}define void @asks() {{\n  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  ret void\n}}\n"
ATTRIBUTES = 'attributes #0 = { "denormal-fp-math-f32"="preserve-sign,preserve-sign" }\n'
CALL = "call void @mix(ptr %p)"


def program(
    *,
    more: str = "",
    type_: str = "ptr",
    call: str = CALL,
    calls: int = LARGE_KERNEL // LARGE_FUNCTION,
    size: int = LARGE_FUNCTION,
    of_kernel: str = "",
    suffix: str = "",
    symbols: str = "",
) -> str:
    """A kernel that calls a function of `size` instructions `calls` times, with `more` in the function."""
    lines = "\n".join(f"  %x{n} = add i32 {n}, {n}" for n in range(size - 1))
    return (
        f"{symbols}define ptx_kernel void @k(ptr %p) {suffix} {{\n{of_kernel}"
        + f"  {call}\n" * calls
        + f"  ret void\n}}\ndefine internal void @mix({type_} %q) {{\n{lines}\n{more}  ret void\n}}\n"
    )


def found(text: str) -> list[str]:
    return sorted(repeated_functions(read_module(text)))


def test_a_large_function_that_is_called_again_and_again_is_one() -> None:
    assert found(program()) == ["mix"]


def test_kernels_up_to_a_size_have_none() -> None:  # 1
    assert found(program(calls=LARGE_KERNEL // LARGE_FUNCTION - 1)) == []


def test_small_functions_and_those_called_once_are_none() -> None:  # 2
    assert found(program(size=LARGE_FUNCTION - 1, calls=LARGE_KERNEL // LARGE_FUNCTION + 2)) == ["mix"]
    assert found(program(size=40, calls=LARGE_KERNEL // 40)) == []
    assert found(program(size=LARGE_KERNEL, calls=1)) == []


def test_many_copies_of_a_middling_function_are_large() -> None:  # 2
    assert found(program(size=60, calls=400)) == ["mix"]
    lines = "\n".join(f"  %y{n} = add i32 {n}, {n}" for n in range(LARGE_KERNEL))
    huge = f"define internal void @huge(ptr %q) {{\n{lines}\n  ret void\n}}\n"
    assert found(program(size=60, calls=100, of_kernel="  call void @huge(ptr %p)\n" * 2) + huge) == ["huge"]


@pytest.mark.parametrize(
    ("more", "symbols"),
    [
        ("  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n", ID),
        ("  call void @llvm.nvvm.barrier0()\n", "declare void @llvm.nvvm.barrier0()\n"),
        ("  store float 1.0, ptr addrspace(3) @tile\n", SHARED),
        ("  %s = load ptr addrspace(3), ptr %q\n  store float 1.0, ptr addrspace(3) %s\n", ""),
        ("  %s = load <2 x ptr addrspace(3)>, ptr %q\n", ""),
        ("  store float 1.0, ptr addrspace(3) inttoptr (i64 64 to ptr addrspace(3))\n", ""),
        ("  %old = atomicrmw add ptr %q, i32 1 seq_cst\n", ""),
        ("  store volatile i32 1, ptr %q\n", ""),
        ('  call void asm sideeffect "", ""()\n', ""),
        ("  call void @elsewhere()\n", "declare void @elsewhere()\n"),
        ("  call void @asks()\n", ASKS),
    ],
)
def test_functions_that_do_more_than_compute_are_inlined(more: str, symbols: str) -> None:  # 3
    assert found(program(more=more, symbols=symbols)) == []


@pytest.mark.parametrize(
    ("type_", "argument"),
    [("ptr addrspace(3)", "undef"), ("<8 x float>", "undef"), ("half", "0.0"), ("{ i32, i32 }", "undef")],
)
def test_functions_with_other_parameters_are_inlined(type_: str, argument: str) -> None:  # 4
    assert found(program(type_=type_, call=f"call void @mix({type_} {argument})")) == []


@pytest.mark.parametrize("type_", ["<4 x float>", "i64", "double", "ptr addrspace(1)"])
def test_numbers_pointers_and_short_vectors_are_passed(type_: str) -> None:  # 4
    assert found(program(type_=type_, call=f"call void @mix({type_} undef)")) == ["mix"]


def test_programs_with_other_out_of_line_functions_have_none() -> None:  # 5
    cyclic = "define void @itself() {\n  call void @itself()\n  ret void\n}\n"
    assert found(program() + cyclic) == []


def test_programs_that_flush_denormals_have_none() -> None:  # 5
    assert found(program(suffix="#0") + ATTRIBUTES) == []


GENERIC = "ptr addrspacecast (ptr addrspace(3) @tile to ptr)"


@pytest.mark.parametrize(
    "cast",
    [
        "  %g = addrspacecast ptr addrspace(3) @tile to ptr\n",
        f"  store i32 1, {GENERIC}\n",
        f"  store i32 1, ptr getelementptr (i8, {GENERIC}, i64 4)\n",
        f"  store [2 x ptr] [ptr null, {GENERIC}], ptr %p\n",
        f"  store <2 x ptr> <ptr null, {GENERIC}>, ptr %p\n",
        f"  br label %next\nnext:\n  %g = phi ptr [ getelementptr (i8, {GENERIC}, i64 4), %0 ]\n",
        "  %g = addrspacecast <2 x ptr addrspace(3)> undef to <2 x ptr>\n",
    ],
)
def test_programs_with_generic_pointers_to_shared_memory_have_none(cast: str) -> None:  # 5
    assert found(program(of_kernel=cast, symbols=SHARED)) == []


TABLE = "@table = internal addrspace(4) constant [2 x i32] [i32 3, i32 1]\n"
DATA = "ptr addrspacecast (ptr addrspace(4) @table to ptr)"


@pytest.mark.parametrize(
    "code",
    [
        f"  %same = icmp eq {DATA}, null\n",
        f"  %number = ptrtoint {DATA} to i64\n",
        f"  %far = sub i64 0, ptrtoint ({DATA} to i64)\n",
        f"  store i64 ptrtoint (ptr getelementptr (i8, {DATA}, i64 4) to i64), ptr null\n",
    ],
)
def test_programs_that_look_at_addresses_of_constant_data_have_none(code: str) -> None:  # 6
    assert found(program(more=code, symbols=TABLE)) == []
    assert found(program(of_kernel=code, symbols=TABLE)) == []


def test_constant_data_may_be_read_and_passed() -> None:  # 6
    reads = f"  %v = load i32, {DATA}\n  %w = sub i32 %v, 1\n"
    assert found(program(more=reads, of_kernel=reads, symbols=TABLE, call=f"call void @mix({DATA})")) == ["mix"]


def test_a_kernel_has_too_many_copies_beyond_a_number_of_instructions() -> None:
    inner = "".join(f"  %x{n} = add i32 {n}, {n}\n" for n in range(198))  # 20,001 instructions in each call of @outer
    text = (
        f"define internal void @inner() {{\n{inner}  ret void\n}}\n"
        + "define internal void @outer() {\n"
        + "  call void @inner()\n" * 100
        + "  ret void\n}\n"
    )
    most = MOST_INLINED // 20_002
    for symbol, calls in (("within", most), ("beyond", most + 1)):
        text += f"define ptx_kernel void @{symbol}() {{\n" + "  call void @outer()\n" * calls + "  ret void\n}\n"
    assert not has_too_many_copies(read_module(text), "within")
    assert has_too_many_copies(read_module(text), "beyond")
