# SPDX-License-Identifier: Apache-2.0
"""The body of a function: basic blocks, and one instruction after the other.

A block begins where a branch leads. A guarded instruction gets a block of its own.
"""

from __future__ import annotations

from collections.abc import Mapping

from lanewise.frontend.ptx.code import PtxCode
from lanewise.frontend.ptx.instructions.words import Row
from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.frontend.ptx.targets import ENDS, targets_of
from lanewise.ir.function import Block
from lanewise.ir.values import Value
from lanewise.ptx.language.statements import Instruction


def translate_body(code: PtxCode, rows: Mapping[str, Row]) -> None:
    """Translate all instructions. RefusedError for one that can't be."""
    _open_blocks(code)
    code.registers.open(code.entry.block, 0)
    first = code.blocks.get(0) or code.new_block("start", 1)
    code.registers.connect(code.entry.block, first)
    code.go_on(first)
    _take_arguments(code)
    for step in code.steps:
        code.step = step
        labelled = code.blocks.get(step.number)
        if labelled is not None and step.number:
            if not code.is_ended():
                code.branch(labelled)
            code.go_on(labelled)
        elif code.is_ended():
            code.build.block = code.new_block("dead", 0)
        with code.function.at_place(code.symbols.place(step.instruction.start, code.function)):
            if code.counters is not None:
                code.counters.enter(step.number)
            _translate_step(code, rows)
    _end(code)
    code.entry.branch(first)
    code.registers.finish()


def _take_arguments(code: PtxCode) -> None:
    """Set the registers that are parameters."""
    for name, argument in code.frame.registers():
        if code.steps:
            code.step = code.steps[0]
            register = code.outermost.register(name)
            assert register is not None
            code.registers.write(code.build.block, register, code.as_type(argument, code.type_of(register)))


def _end(code: PtxCode) -> None:
    last = code.blocks.get(len(code.steps))
    if last is not None:
        if not code.is_ended():
            code.branch(last)
        code.go_on(last)
    if not code.is_ended():
        code.return_()


def _translate_step(code: PtxCode, rows: Mapping[str, Row]) -> None:
    instruction = code.step.instruction
    row = rows.get(instruction.name)
    try:
        if row is None:
            raise RefusedError("it is not supported")
        guard = instruction.guard
        if guard is None:
            _apply(code, row, instruction)
            return
        condition = code.read(guard.name, "pred")
        if instruction.name == "bra":
            if code.counters is not None:
                code.counters.branch(code.step.number, condition)
            _apply(code, row, instruction)
            return
        guarded, after = code.new_block("guarded", 1), Block("after", code.function)
        _branch_on(code, condition, guard.negated, guarded, after)
        skipped = code.build.block
        code.build.block = guarded
        _apply(code, row, instruction)
        ended = code.is_ended()
        code.add_block(after, 1 if ended else 2)
        code.registers.connect(skipped, after)
        if not ended:
            code.branch(after)
        code.build.block = after
    except RefusedError as error:
        if error.start < 0:
            error.start = instruction.start
            if instruction.opcode not in error.reason:
                error.reason = f"{instruction.opcode}: {error.reason}"
        raise


def _apply(code: PtxCode, row: Row, instruction: Instruction) -> None:
    """Translate an instruction. Rows take its words and operands apart as the manual has them, and no others."""
    try:
        if code.counters is not None:
            code.counters.access(code.step.number)
        row(code, instruction)
    except (ValueError, LookupError, StopIteration):
        raise RefusedError("these words and operands don't go together") from None


def _branch_on(code: PtxCode, condition: Value, negated: bool, yes: Block, no: Block) -> None:
    """End the block; only the edge to `yes` is noted."""
    code.build.branch_if(condition, *((no, yes) if negated else (yes, no)))
    code.registers.connect(code.build.block, yes)


def _open_blocks(code: PtxCode) -> None:
    """Make a block for each place that a branch names."""
    targets: dict[int, int] = {}
    for step in code.steps:
        for place in targets_of(step):
            targets[place] = targets.get(place, 0) + 1
    for place, count in sorted(targets.items()):
        before = code.steps[place - 1].instruction if place else None
        falls = before is None or before.name not in ENDS or (before.guard is not None and before.name != "bra")
        block = code.blocks[place] = Block(f"at.{place}", code.function)
        code.registers.open(block, count + falls)
