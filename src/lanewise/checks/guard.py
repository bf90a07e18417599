# SPDX-License-Identifier: Apache-2.0
"""An instruction under a test: if the test fails, that is told, and the instruction is left out."""

from __future__ import annotations

from typing import Final, final

from lanewise.checks.fault import FUNCTION_TYPE
from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import CHECK_FAULT
from lanewise.ir.module import Module
from lanewise.ir.values import Constant, Value


@final
class Guard:
    """A test before an instruction, which is being made.

    guard = Guard(module, instruction)
    guard.before        makes code before the instruction
    guard.test(right)   ends that code; `right` (i1) says whether the instruction may be executed
    guard.otherwise     makes the code for the case that it may not
    guard.tell(...)     ends that code
    """

    def __init__(self, module: Module, instruction: Instruction) -> None:
        self._module: Final = module
        self._instruction: Final = instruction
        self._block: Final = instruction.parent
        self._tail: Final = _cut(self._block, instruction)
        function = self._block.parent
        self._inner, self._fault, self._rest = (Block(None, function) for _ in range(3))
        self.before: Final = Builder(self._block)
        self.otherwise: Final = Builder(self._fault)

    def test(self, right: Value) -> None:
        """Branch by `right`."""
        block, instruction = self._block, self._instruction
        blocks = block.parent.blocks
        after = blocks.index(block) + 1
        blocks[after:after] = [self._inner, self._fault, self._rest]
        self.before.branch_if(right, self._inner, self._fault)
        self._inner.append(instruction)
        Builder(self._inner).branch(self._rest)

    def tell(self, report: Value, site: Value, what: Value, number: Value, instead: Value | None = None) -> None:
        """Tell of the fault, and go on behind the instruction, with `instead` as its result; None: with zero."""
        instruction, rest = self._instruction, self._rest
        function = self._module.declare(CHECK_FAULT, FUNCTION_TYPE)
        self.otherwise.call_function(function, (report, site, what, number))
        self.otherwise.branch(rest)
        if instruction.type is not ty.VOID:
            phi = rest.append(Instruction("phi", instruction.type))
            instruction.replace_all_uses(phi)
            other = Constant(instruction.type, "zeroinitializer") if instead is None else instead
            for value, origin in ((instruction, self._inner), (other, self._fault)):
                phi.append_operand(value)
                phi.append_operand(origin)
        for each in self._tail:
            rest.append(each)
        for successor in set(rest.successors):
            for phi in successor.phis:
                phi.replace_operand(self._block, rest)


@final
class TestBefore:
    """A test before an instruction, which is executed in any case: what fails is told. As `Guard`, but `tell` needs no
    other result."""

    def __init__(self, module: Module, instruction: Instruction) -> None:
        self._module: Final = module
        self._block: Final = instruction.parent
        tail = [instruction, *_cut(self._block, instruction)]
        function = self._block.parent
        self._right, self._fault, self._rest = (Block(None, function) for _ in range(3))
        for each in tail:
            self._rest.append(each)
        for successor in set(self._rest.successors):
            for phi in successor.phis:
                phi.replace_operand(self._block, self._rest)
        blocks = function.blocks
        after = blocks.index(self._block) + 1
        blocks[after:after] = [self._right, self._fault, self._rest]
        self.before: Final = Builder(self._block)
        self.otherwise: Final = Builder(self._fault)

    def test(self, right: Value) -> None:
        """Branch by `right`."""
        self.before.branch_if(right, self._right, self._fault)
        Builder(self._right).branch(self._rest)

    def tell(self, report: Value, site: Value, what: Value, number: Value) -> None:
        """Tell of the fault, and go on with the instruction."""
        function = self._module.declare(CHECK_FAULT, FUNCTION_TYPE)
        self.otherwise.call_function(function, (report, site, what, number))
        self.otherwise.branch(self._rest)

    def replace_by_zero(self, value: Value) -> None:
        """Behind the test, take zero for a value that was computed before it, if the test failed."""
        phi = Instruction("phi", value.type)
        value.replace_all_uses(phi)
        for each, origin in ((value, self._right), (Constant(value.type, "zeroinitializer"), self._fault)):
            phi.append_operand(each)
            phi.append_operand(origin)
        self._rest.insert(0, phi)


def _cut(block: Block, instruction: Instruction) -> list[Instruction]:
    """Take an instruction and all behind it out of a block. Returns those behind it."""
    number = block.instructions.index(instruction)
    tail = block.instructions[number + 1 :]
    del block.instructions[number:]
    return tail
