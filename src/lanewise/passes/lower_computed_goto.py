# SPDX-License-Identifier: Apache-2.0
"""lower-computed-goto: makes a switch over the numbers of labels of a branch to an address.

Why
    No GPU has indirect branches within a function that its compilers make for C, no target of ours needs them, and LLVM
    never inlines a function that has one.

Before
    @labels = internal constant [2 x ptr] [ptr blockaddress(@f, %a), ptr blockaddress(@f, %b)]
    define i32 @f(i64 %i) {
    entry:
      %place = getelementptr [2 x ptr], ptr @labels, i64 0, i64 %i
      %p = load ptr, ptr %place
      indirectbr ptr %p, [label %a, label %b]
    a:
      ret i32 1
    b:
      ret i32 2
    }

After
    @labels = internal constant [2 x ptr] [ptr inttoptr (i64 2 to ptr), ptr inttoptr (i64 3 to ptr)]
    define i32 @f(i64 %i) {
    entry:
      %place = getelementptr [2 x ptr], ptr @labels, i64 0, i64 %i
      %p = load ptr, ptr %place
      %0 = ptrtoint ptr %p to i64
      switch i64 %0, label %nowhere [
        i64 2, label %a
        i64 3, label %b
      ]
    a:
      ret i32 1
    b:
      ret i32 2
    nowhere:
      unreachable
    }

Needs
    1. The constant is the address of a block. It may be inside another constant or an initial value.
    2. The branch is indirect.

Method
    Labels are numbered from 1 in each function, in order of their blocks: the address of a label is good for its own
    function only (GNU C manual, "Labels as Values").

When not
    A program that compares labels of different functions sees equal ones. The manual promises nothing for those.

Neighbours
    Front ends run it, since the initial values of variables are read from the kernel IR as they made it
    (`device/cpu/variables.py`).
"""

from __future__ import annotations

import re
from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Block, Function
from lanewise.ir.module import Module
from lanewise.ir.values import Constant, Value, i64
from lanewise.ir.writer import local_names, write_value

_LABEL: Final = re.compile(r"blockaddress\(@(\"[^\"]*\"|[-\w$.]+), (%\"[^\"]*\"|%[-\w$.]+)\)").fullmatch


def run(module: Module) -> bool:
    """Replace indirect branches and addresses of blocks; returns whether there are any."""
    numbers = {f'"{f.symbol}"': _numbers(f) for f in module.functions} | {
        f.symbol: _numbers(f) for f in module.functions
    }
    rewriter = _Rewriter(numbers)
    for variable in module.variables:
        if variable.initializer is not None:
            variable.initializer = rewriter.value(variable.initializer)
    for function in module.functions:
        for instruction in function.instructions():
            for index, operand in enumerate(instruction.operands):
                if isinstance(operand, Constant):
                    instruction.set_operand(index, rewriter.value(operand))
    replaced = sum(_replace_branches(function) for function in module.functions)
    return rewriter.replaced or replaced > 0


def _numbers(function: Function) -> dict[str, int]:
    """The number of each block, by its name as operands write it."""
    names = local_names(function)
    return {write_value(block, names): number for number, block in enumerate(function.blocks, 1)}


class _Rewriter:
    def __init__(self, numbers: dict[str, dict[str, int]]) -> None:
        self._numbers: Final = numbers
        self.replaced = False

    def value(self, value: Value) -> Value:
        """`value` with addresses of blocks as numbers."""
        if not isinstance(value, Constant):
            return value
        if value.kind == "other" and (match := _LABEL(value.text)):  # 1
            self.replaced = True
            number = i64(self._numbers[match[1]][match[2]])
            return Constant(value.type, "expr", operands=(number,), opcode="inttoptr")
        operands = tuple(self.value(o) for o in value.operands)
        if all(new is old for new, old in zip(operands, value.operands, strict=True)):
            return value
        return Constant(
            value.type, value.kind, value.text, operands, opcode=value.opcode, flags=value.flags,
            source_type=value.source_type,
        )  # fmt: skip


def _replace_branches(function: Function) -> bool:
    branches = [b.terminator for b in function.blocks if b.terminator.op == "indirectbr"]  # 2
    if not branches:
        return False
    number_of = {block: number for number, block in enumerate(function.blocks, 1)}
    nowhere = Block("nowhere", function)
    Builder(nowhere).unreachable()
    function.blocks.append(nowhere)
    for branch in branches:
        pointer, *targets = branch.operands
        block = branch.parent
        build = Builder(block)
        block.instructions.remove(branch)
        branch.block = None
        branch.drop_operands()
        number = build.cast("ptrtoint", pointer, ty.I64)
        number.metadata = tuple(m for m in branch.metadata if m[0] == "!dbg")
        chosen = [t for t in dict.fromkeys(targets) if isinstance(t, Block)]
        switch = build.switch(number, nowhere, [(i64(number_of[t]), t) for t in chosen])
        switch.metadata = number.metadata
    return True
