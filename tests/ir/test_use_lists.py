# SPDX-License-Identifier: Apache-2.0
"""Use lists stay true under random edits: the verifier compares them with the operands after each."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction
from lanewise.ir.reader import read_module
from lanewise.ir.values import Value, i32
from lanewise.ir.verifier import verify
from lanewise.ir.writer import write_module

TEXT = """
@g = global i32 0
define i32 @f(i32 %a, i32 %b) {
  %1 = add i32 %a, %a
  %2 = mul i32 %1, %b
  %3 = sub i32 %2, 7
  %4 = select i1 true, i32 %1, i32 %3
  ret i32 %4
}
"""


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 20), st.integers(0, 20)), max_size=25))
def test_random_edits(edits: list[tuple[int, int, int]]) -> None:
    module = read_module(TEXT)
    function = module.function("f")
    block = function.entry
    for what, first, second in edits:
        values: list[Value] = [i32(first), *function.arguments, *block.instructions[:-1]]
        at = first % len(block.instructions)
        instruction = block.instructions[at]
        earlier = [v for v in values if not isinstance(v, Instruction) or block.instructions.index(v) < at]
        new = earlier[second % len(earlier)]
        match what:
            case 0:
                index = second % len(instruction.operands)
                if instruction.operands[index].type is ty.I32:
                    instruction.set_operand(index, new)
            case 1:
                old = instruction.operands[-1]
                instruction.replace_operand(old, new)
                assert old is new or all(operand is not old for operand in instruction.operands)
            case 2:
                if instruction.type is ty.I32:
                    users = set(instruction.users)
                    instruction.replace_all_uses(new)
                    assert not instruction.users
                    assert users <= set(new.users) or not users or new.users == {}
            case 3:
                if instruction.type is ty.I32 and not instruction.users:
                    instruction.erase()
            case _:
                block.insert(at, Instruction("xor", ty.I32, (new, new)))
        verify(module)
    once = write_module(module)
    assert write_module(read_module(once)) == once


def test_operand_that_stands_twice_counts_twice() -> None:
    function = read_module(TEXT).function("f")
    add = function.entry.instructions[0]
    argument = function.arguments[0]
    assert argument.users == {add: 2}
    add.set_operand(0, i32(1))
    assert argument.users == {add: 1}
    add.set_operand(1, i32(1))
    assert argument.users == {}


def test_dropped_operands_are_no_uses() -> None:
    function = read_module(TEXT).function("f")
    add = function.entry.instructions[0]
    add.drop_operands()
    assert add.operands == []
    assert function.arguments[0].users == {}


def test_phi_and_branch_use_blocks() -> None:
    module = read_module("define void @f() {\n  br label %a\na:\n  %p = phi i32 [ 1, %0 ], [ 2, %a ]\n  br label %a\n}")
    entry, loop = module.function("f").blocks
    assert loop.predecessors == [entry, loop]
    assert loop.successors == [loop]
    assert list(loop.phis[0].incoming())[1][1] is loop


def test_value_used_before_its_definition_is_the_definition() -> None:
    body = "br label %l\nl:\n  %p = phi i32 [ 0, %0 ], [ %n, %l ]\n  %n = add i32 %p, 1\n  br label %l"
    loop = read_module(f"define i32 @f() {{\n  {body}\n}}").function("f").blocks[1]
    phi, following, _ = loop.instructions
    assert phi.operands[2] is following
    assert following.users == {phi: 1}
