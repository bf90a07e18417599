# SPDX-License-Identifier: Apache-2.0
"""Computed goto as a switch over the numbers of labels.

    Before                                             After
    @t = constant [2 x ptr]                            @t = constant [2 x ptr]
           [ptr blockaddress(@f, %a), ...]                    [ptr inttoptr (i64 1 to ptr), ...]
    indirectbr ptr %p, [label %a, label %b]            %n = ptrtoint ptr %p to i64
                                                       switch i64 %n, label %nowhere [i64 1, label %a  i64 2, ...]

Why: no GPU has indirect branches within a function that its compilers make for C, no target of ours needs them, and
LLVM never inlines a function that has one. Labels are numbered from 1 in each function, in order of their blocks: the
address of a label is good for its own function only (GNU C manual, "Labels as Values").
"""

from __future__ import annotations

import re
from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import Module
from lanewise.ir.reader import read_module
from lanewise.ir.values import Constant, Value, i64
from lanewise.ir.writer import local_names, write_module, write_value

_LABEL: Final = re.compile(r"blockaddress\(@(\"[^\"]*\"|[\w$.]+), (%\"[^\"]*\"|%[\w$.]+)\)")


def without_computed_goto(text: str) -> str:
    """The module without indirect branches and addresses of blocks."""
    if "indirectbr" not in text and "blockaddress(" not in text:
        return text
    module = read_module(text)
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
        _replace_branches(module, function)
    return write_module(module)


def _numbers(function: Function) -> dict[str, int]:
    """The number of each block, by its name as operands write it."""
    names = local_names(function)
    return {write_value(block, names): number for number, block in enumerate(function.blocks, 1)}


class _Rewriter:
    def __init__(self, numbers: dict[str, dict[str, int]]) -> None:
        self._numbers: Final = numbers

    def value(self, value: Value) -> Value:
        """`value` with addresses of blocks as numbers."""
        if not isinstance(value, Constant):
            return value
        if value.kind == "other" and (match := _LABEL.fullmatch(value.text)):
            number = i64(self._numbers[match[1]][match[2]])
            return Constant(value.type, "expr", operands=(number,), opcode="inttoptr")
        operands = tuple(self.value(o) for o in value.operands)
        if all(new is old for new, old in zip(operands, value.operands, strict=True)):
            return value
        return Constant(
            value.type, value.kind, value.text, operands, opcode=value.opcode, flags=value.flags,
            source_type=value.source_type,
        )  # fmt: skip


def _replace_branches(module: Module, function: Function) -> None:
    branches = [b.terminator for b in function.blocks if b.terminator.op == "indirectbr"]
    if not branches:
        return
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
        switch: Instruction = build.switch(number, nowhere, [(i64(number_of[t]), t) for t in chosen])
        switch.metadata = number.metadata
