# SPDX-License-Identifier: Apache-2.0
"""Registers as values in SSA form.

Values are looked up backwards from where they are read, and phis made where paths meet; a block is *sealed* once all
its predecessors are known. Source: Braun et al., "Simple and Efficient Construction of Static Single Assignment Form"
(2013), 2.1 to 2.3, without recursion: a path may be as long as the program.
"""

from __future__ import annotations

from typing import Final, final

from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value
from lanewise.ptx.control.steps import Register


@final
class Registers:
    """The values of a function's registers."""

    def __init__(self) -> None:
        self._values: Final[dict[Block, dict[Register, Value]]] = {}
        self._predecessors: Final[dict[Block, list[Block]]] = {}
        self._awaited: Final[dict[Block, int]] = {}  # predecessors that are not known yet
        self._incomplete: Final[dict[Block, dict[Register, Instruction]]] = {}
        self._phis: Final[list[Instruction]] = []

    def open(self, block: Block, predecessors: int) -> None:
        """Begin a block with so many predecessors."""
        self._values[block] = {}
        self._predecessors[block] = []
        self._awaited[block] = predecessors

    def connect(self, source: Block, target: Block) -> None:
        """Note an edge. The last one that a block waits for seals it; all that reads need of `source` is written."""
        self._predecessors[target].append(source)
        self._awaited[target] -= 1
        if self._awaited[target] == 0:
            for register, phi in self._incomplete.pop(target, {}).items():
                self._fill(target, register, phi)

    def write(self, block: Block, register: Register, value: Value) -> None:
        """Set a register."""
        self._values[block][register] = value

    def read(self, block: Block, register: Register, type_: Type) -> Value:
        """The register's value at the present end of a block; undefined if nothing has written it."""
        found, filling = self._look_up(block, register, type_)
        while filling:
            at, phi = filling.pop()
            for predecessor in self._predecessors[at]:
                value, more = self._look_up(predecessor, register, type_)
                phi.append_operand(value)
                phi.append_operand(predecessor)
                filling += more
        return found

    def _look_up(self, block: Block, register: Register, type_: Type) -> tuple[Value, list[tuple[Block, Instruction]]]:
        """The value at the end of a block, with a phi that is still to be filled, if one had to be made."""
        passed: list[Block] = []
        filling: list[tuple[Block, Instruction]] = []
        while (value := self._values[block].get(register)) is None:
            predecessors = self._predecessors[block]
            passed.append(block)
            if self._awaited[block] == 0 and len(predecessors) == 1:
                block = predecessors[0]
                continue
            if self._awaited[block] == 0 and not predecessors:
                value = Constant(type_, "undef")
            else:
                value = Instruction("phi", type_)
                value.block = block
                self._phis.append(value)
                if self._awaited[block] == 0:
                    filling.append((block, value))
                else:
                    self._incomplete.setdefault(block, {})[register] = value
            break
        for each in passed:
            self._values[each][register] = value
        return value, filling

    def _fill(self, block: Block, register: Register, phi: Instruction) -> None:
        for predecessor in self._predecessors[block]:
            phi.append_operand(self.read(predecessor, register, phi.type))
            phi.append_operand(predecessor)

    def finish(self) -> None:
        """Put the phis that are needed at the heads of their blocks."""
        work = list(self._phis)
        gone: set[Instruction] = set()
        while work:
            phi = work.pop()
            if phi in gone:
                continue
            values = {id(value): value for value, _ in phi.incoming() if value is not phi}
            if len(values) != 1 and not all(_is_undefined(value) for value in values.values()):
                continue
            gone.add(phi)
            phis = [user for user in phi.users if user.op == "phi" and user is not phi]
            phi.replace_all_uses(next(iter(values.values()), Constant(phi.type, "undef")))
            phi.drop_operands()
            work += phis
        for phi in reversed(self._phis):
            if phi not in gone:
                phi.parent.insert(0, phi)


def _is_undefined(value: Value) -> bool:
    return isinstance(value, Constant) and value.kind == "undef"
