# SPDX-License-Identifier: Apache-2.0
"""One rejecting test, or more, for each numbered invariant in the docstring of the verifier."""

from __future__ import annotations

import re

import pytest

from lanewise.ir import types as ty
from lanewise.ir import verifier
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import Module
from lanewise.ir.reader import read_module
from lanewise.ir.values import i32
from lanewise.ir.verifier import VerifierError, verify

SOUND = """
@g = global i32 0
define i32 @f(i32 %a, ptr %p) {
entry:
  %b = add i32 %a, %a
  store i32 %b, ptr @g, align 4
  br label %exit

exit:
  ret i32 %b
}
"""


def rejected(unit: Module, rule: int) -> list[str]:
    """Lines of the error that `unit` gets, which is of this rule."""
    with pytest.raises(VerifierError) as caught:
        verify(unit)
    assert caught.value.rule == rule, str(caught.value)
    return str(caught.value).splitlines()


def body(text: str, header: str = "define void @f(i32 %a, i8 %b, float %w, ptr %p, <4 x i32> %v, i1 %c)") -> Module:
    return read_module(f"%T = type {{ i32, [2 x float] }}\ndeclare i32 @callee(i32, ptr)\n{header} {{\n{text}\n}}\n")


def test_sound_function_passes() -> None:
    module = read_module(SOUND)
    verify(module)
    verify(module.function("f"))
    verify(module.function("f"), module)


def test_error_shows_function_block_instruction_and_rule() -> None:
    module = read_module("define void @f(i32 %a, i8 %v1) {\nbegin:\n  %x = add i32 %a, 1\n  ret void\n}")
    function = module.function("f")
    function.entry.instructions[0].set_operand(1, function.arguments[1])
    assert rejected(module, 4) == [
        "@f breaks rule 4 of the IR:",
        "define void @f(i32 %a, i8 %v1) {",
        "begin:",
        "  %x = add i32 %a, %v1",
        "  ; error: arg 1 (%v1) has type i8, expected i32",
    ]


def test_every_rule_has_a_number_in_the_docstring() -> None:
    assert verifier.__doc__ is not None
    assert re.findall(r"^ ?(\d+)\. ", verifier.__doc__, re.MULTILINE) == [str(n) for n in range(1, 13)]


# Each row: the rule, a body that breaks it, and a piece of the message.
BROKEN = {
    "block_without_terminator": (1, "  %1 = add i32 %a, 1", "does not end in a terminator"),
    "terminator_inside_block": (1, "  ret void\n  %1 = add i32 %a, 1\n  ret void", "stands inside its block"),
    "empty_block": (1, "  br label %x\n\nx:", "does not end in a terminator"),
    "phi_behind_instruction": (
        2,
        "  br label %x\nx:\n  %1 = add i32 1, 1\n  %2 = phi i32 [ 0, %0 ]\n  ret void",
        "a phi stands behind another instruction",
    ),
    "phi_without_entry_for_predecessor": (
        2,
        "  br i1 %c, label %x, label %y\nx:\n  br label %y\ny:\n  %1 = phi i32 [ 0, %x ]\n  ret void",
        "the entries are not those of the predecessors",
    ),
    "phi_with_entry_of_no_predecessor": (
        2,
        "  br label %y\nx:\n  ret void\ny:\n  %1 = phi i32 [ 0, %0 ], [ 1, %x ]\n  ret void",
        "the entries are not those of the predecessors",
    ),
    "phi_with_two_values_for_one_predecessor": (
        2,
        "  br i1 %c, label %y, label %y\ny:\n  %1 = phi i32 [ 0, %0 ], [ 1, %0 ]\n  ret void",
        "%0 brings two values",
    ),
    "use_before_definition": (
        3,
        "  %u = add i32 %d, 1\n  %d = add i32 %a, 1\n  ret void",
        "%d does not dominate this use",
    ),
    "use_beside_definition": (
        3,
        "  br i1 %c, label %x, label %y\nx:\n  %d = add i32 %a, 1\n  br label %y\ny:\n  %u = add i32 %d, 1\n  ret void",
        "%d does not dominate this use",
    ),
    "phi_uses_value_that_misses_predecessor": (
        3,
        "  br i1 %c, label %x, label %y\nx:\n  %d = add i32 %a, 1\n  br label %y\ny:\n"
        "  %u = phi i32 [ 0, %x ], [ %d, %0 ]\n  ret void",
        "%d does not dominate this use",
    ),
    "integer_operation_on_float": (4, "  %1 = add float %w, %w\n  ret void", "expected an integer type"),
    "float_operation_on_integer": (4, "  %1 = fmul i32 %a, %a\n  ret void", "expected a floating-point type"),
    "negation_of_integer": (4, "  %1 = fneg i32 %a\n  ret void", "expected a floating-point type"),
    "truncation_to_wider": (4, "  %1 = trunc i32 %a to i64\n  ret void", "expected narrower integers"),
    "extension_to_same": (4, "  %1 = zext i32 %a to i32\n  ret void", "expected wider integers"),
    "cast_changes_shape": (4, "  %1 = sext <4 x i32> %v to i64\n  ret void", "in the shape of <4 x i32>"),
    "bitcast_changes_size": (4, "  %1 = bitcast i32 %a to i64\n  ret void", "of the same size as i32"),
    "bitcast_of_pointer_to_integer": (4, "  %1 = bitcast ptr %p to i64\n  ret void", "of the same size as ptr"),
    "address_space_cast_to_same": (4, "  %1 = addrspacecast ptr %p to ptr\n  ret void", "another address space"),
    "pointer_from_float": (4, "  %1 = inttoptr float %w to ptr\n  ret void", "expected integers"),
    "predicate_of_other_compare": (4, "  %1 = icmp olt i32 %a, 1\n  ret void", "'olt' is no predicate of icmp"),
    "float_compare_of_integers": (4, "  %1 = fcmp olt i32 %a, %a\n  ret void", "expected a floating-point type"),
    "select_on_integer": (4, "  %1 = select i32 %a, i8 %b, i8 %b\n  ret void", "expected i1"),
    "select_of_two_types": (
        4,
        "  %1 = select i1 %c, i32 %a, i8 %b\n  ret void",
        "arg 2 (%b) has type i8, expected i32",
    ),
    "insert_of_other_element": (
        4,
        "  %1 = insertelement <4 x i32> %v, i8 %b, i32 0\n  ret void",
        "arg 1 (%b) has type i8, expected i32",
    ),
    "element_at_float": (4, "  %1 = extractelement <4 x i32> %v, float %w\n  ret void", "expected an integer"),
    "shuffle_by_variable_mask": (
        4,
        "  %1 = shufflevector <4 x i32> %v, <4 x i32> %v, <4 x i32> %v\n  ret void",
        "expected a constant",
    ),
    "insert_of_other_member": (
        4,
        "  %1 = insertvalue %T undef, i32 %a, 1\n  ret void",
        "arg 1 (%a) has type i32, expected [2 x float]",
    ),
    "insert_out_of_range": (4, "  %1 = insertvalue %T undef, i32 %a, 2\n  ret void", "index 2, which %T doesn't have"),
    "address_of_integer": (4, "  %1 = getelementptr i8, i32 %a, i64 1\n  ret void", "expected a pointer"),
    "address_by_float": (4, "  %1 = getelementptr i8, ptr %p, float %w\n  ret void", "expected an integer"),
    "address_of_variable_field": (
        4,
        "  %1 = getelementptr %T, ptr %p, i64 0, i32 %a\n  ret void",
        "picks a field of { i32, [2 x float] }, expected a constant",
    ),
    "address_of_missing_field": (
        4,
        "  %1 = getelementptr %T, ptr %p, i64 0, i32 2\n  ret void",
        "index 2, which { i32, [2 x float] } doesn't have",
    ),
    "address_inside_scalar": (4, "  %1 = getelementptr i32, ptr %p, i64 0, i32 0\n  ret void", "too many for a i32"),
    "load_from_integer": (4, "  %1 = load i32, i32 %a\n  ret void", "expected a pointer"),
    "store_to_integer": (4, "  store ptr %p, i32 %a\n  ret void", "arg 1 (%a) has type i32, expected a pointer"),
    "atomic_load_without_ordering": (4, "  %1 = load atomic i32, ptr %p, align 4\n  ret void", "lacks an ordering"),
    "plain_store_with_ordering": (4, "  store i32 %a, ptr %p monotonic, align 4\n  ret void", "has an ordering"),
    "load_that_releases": (4, "  %1 = load atomic i32, ptr %p release, align 4\n  ret void", "load can't be release"),
    "atomic_operation_unknown": (
        4,
        "  %1 = atomicrmw mul ptr %p, i32 %a monotonic, align 4\n  ret void",
        "'mul' is no operation of atomicrmw",
    ),
    "atomic_float_add_of_integer": (
        4,
        "  %1 = atomicrmw fadd ptr %p, i32 %a monotonic, align 4\n  ret void",
        "expected a floating-point type",
    ),
    "exchange_of_float": (
        4,
        "  %1 = cmpxchg ptr %p, float %w, float %w monotonic monotonic\n  ret void",
        "expected an integer or pointer",
    ),
    "exchange_that_releases_where_it_fails": (
        4,
        "  %1 = cmpxchg ptr %p, i32 %a, i32 %a monotonic release\n  ret void",
        "cmpxchg can't be release where it fails",
    ),
    "fence_that_orders_nothing": (4, "  fence monotonic\n  ret void", "fence can't be monotonic"),
    "branch_on_integer": (4, "  br i32 %a, label %x, label %x\nx:\n  ret void", "arg 0 (%a) has type i32, expected i1"),
    "switch_with_case_twice": (
        4,
        "  switch i32 %a, label %x [\n    i32 1, label %x\n    i32 1, label %x\n  ]\nx:\n  ret void",
        "switch has case 1 twice",
    ),
    "switch_on_variable_case": (
        4,
        "  switch i32 %a, label %x [\n    i32 %a, label %x\n  ]\nx:\n  ret void",
        "expected an integer constant",
    ),
    "argument_missing": (
        5,
        "  %1 = call i32 (i32, ptr) @callee(i32 %a)\n  ret void",
        "1 arguments are given, expected 2",
    ),
    "argument_too_many": (
        5,
        "  %1 = call i32 (i32) @callee(i32 %a, ptr %p)\n  ret void",
        "2 arguments are given, expected 1",
    ),
    "argument_of_other_type": (
        5,
        "  %1 = call i32 (i32, ptr) @callee(i32 %a, i8 %b)\n  ret void",
        "arg 1 (%b) has type i8, expected ptr",
    ),
    "value_returned_from_void": (6, "  ret i32 %a", "i32 is returned, expected void"),
    "branch_to_entry": (9, "entry:\n  br label %entry", "branches to the entry"),
    "metadata_missing": (12, "  ret void, !dbg !7", "refers to !7, which the module doesn't have"),
    "attribute_group_missing": (
        12,
        "  %1 = call i32 @callee(i32 %a, ptr %p) #3\n  ret void",
        "refers to #3, which the module doesn't have",
    ),
    "named_type_missing": (12, "  %1 = alloca %U, align 4\n  ret void", "refers to %U, which the module doesn't have"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_body_is_rejected(name: str) -> None:
    rule, text, message = BROKEN[name]
    last = rejected(body(text), rule)[-1]
    assert last.startswith("  ; error: ")
    assert message in last


def test_6_nothing_returned_where_a_value_is_due() -> None:
    assert "nothing is returned, expected i32" in rejected(body("  ret void", "define i32 @f()"), 6)[-1]


def test_10_kernel_that_returns() -> None:
    module = body("  ret i32 0", "define ptx_kernel i32 @k()")
    assert "the kernel returns i32, expected void" in rejected(module, 10)[-1]


def test_10_kernel_of_variable_arguments() -> None:
    assert "variable number" in rejected(body("  ret void", "define ptx_kernel void @k(i32 %x, ...)"), 10)[-1]


def test_12_variable_of_missing_type() -> None:
    rejected(read_module("@x = global %U zeroinitializer"), 12)


def test_3_is_not_asked_of_unreached_blocks() -> None:
    verify(body("  ret void\nnever:\n  %u = add i32 %d, 1\n  %d = add i32 %u, 1\n  br label %never"))


def test_7_operand_without_use() -> None:
    module = read_module(SOUND)
    add = module.function("f").entry.instructions[0]
    add.operands[1] = i32(3)
    assert "the use list of %a does not agree" in rejected(module, 7)[-1]


def test_7_use_without_operand() -> None:
    module = read_module(SOUND)
    function = module.function("f")
    function.arguments[1].users[function.entry.instructions[0]] = 1
    assert "%p is said to be used by" in rejected(module, 7)[-1]


def test_7_symbol_used_by_instruction_that_is_gone() -> None:
    module = read_module(SOUND)
    Instruction("load", ty.I32, (module.symbols["g"],), source_type=ty.I32)
    rejected(module, 7)


def test_8_block_of_another_function() -> None:
    module = read_module(SOUND + SOUND.replace("@f", "@h").replace("@g = global i32 0", ""))
    module.function("f").blocks[1].function = module.function("h")
    assert "says that it belongs to <function @h>" in rejected(module, 8)[-1]


def test_8_instruction_that_does_not_know_its_block() -> None:
    module = read_module(SOUND)
    module.function("f").entry.instructions[0].block = None
    assert "it says that it belongs to None" in rejected(module, 8)[-1]


def test_8_instruction_in_two_places() -> None:
    module = read_module(SOUND)
    entry = module.function("f").entry
    entry.instructions.insert(0, entry.instructions[0])
    assert "stands in two places" in rejected(module, 8)[-1]


def test_8_block_twice() -> None:
    module = read_module(SOUND)
    function = module.function("f")
    function.blocks.append(function.blocks[1])
    assert "stands in the function twice" in rejected(module, 8)[-1]


def test_11_argument_of_another_function() -> None:
    module = read_module(SOUND + SOUND.replace("@f", "@h").replace("@g = global i32 0", ""))
    module.function("f").entry.instructions[0].set_operand(0, module.function("h").arguments[0])
    assert "belongs to another function or module" in rejected(module, 11)[-1]


def test_11_instruction_that_stands_nowhere() -> None:
    module = read_module(SOUND)
    entry = module.function("f").entry
    lost = Instruction("add", ty.I32, (i32(1), i32(2)), name="lost")
    entry.instructions[0].set_operand(0, lost)
    rejected(module, 11)


def test_11_block_of_no_function() -> None:
    module = read_module(SOUND)
    module.function("f").entry.terminator.set_operand(0, Block("elsewhere"))
    rejected(module, 11)


def test_11_symbol_of_another_module() -> None:
    module, other = read_module(SOUND), read_module(SOUND)
    module.function("f").entry.instructions[1].set_operand(1, other.symbols["g"])
    rejected(module, 11)


def test_11_symbol_of_another_module_in_a_constant() -> None:
    module = read_module("@a = global i32 0\n@b = global ptr getelementptr (i8, ptr @a, i64 1)")
    del module.symbols["a"]
    assert "@b refers to @a, which is not in the module" in rejected(module, 11)[-1]
