# SPDX-License-Identifier: Apache-2.0
"""Functions and their basic blocks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

from lanewise.ir import types as ty
from lanewise.ir.instruction import TERMINATORS, Instruction, Metadata
from lanewise.ir.types import Type
from lanewise.ir.values import Argument, Global, Value

KERNEL_CONVENTION = "ptx_kernel"


@final
class Block(Value):
    """A basic block: phis, then other instructions, then one terminator."""

    __slots__ = ("function", "instructions")

    def __init__(self, name: str | None = None, function: Function | None = None) -> None:
        super().__init__(ty.LABEL, name)
        self.function = function
        self.instructions: list[Instruction] = []

    def __repr__(self) -> str:
        return f"<block {self.name}>"

    @property
    def parent(self) -> Function:
        assert self.function is not None, "block stands in no function"
        return self.function

    def append(self, instruction: Instruction) -> Instruction:
        instruction.block = self
        self.instructions.append(instruction)
        return instruction

    def insert(self, index: int, instruction: Instruction) -> Instruction:
        instruction.block = self
        self.instructions.insert(index, instruction)
        return instruction

    @property
    def terminator(self) -> Instruction:
        last = self.instructions[-1]
        assert last.op in TERMINATORS, f"block {self.name} does not end in a terminator"
        return last

    @property
    def phis(self) -> list[Instruction]:
        return [i for i in self.instructions if i.op == "phi"]

    @property
    def successors(self) -> list[Block]:
        """Blocks that the terminator may go to, in operand order; one that stands there twice, twice."""
        return [o for o in self.terminator.operands if isinstance(o, Block)]

    @property
    def predecessors(self) -> list[Block]:
        """Blocks that may branch here, each once, in the order in which their branches were made."""
        return [u.parent for u in self.users if u.op in TERMINATORS and u.block is not None]


@final
class Function(Global):
    """A function, declared or (with `blocks`) defined.

    `linkage` and `convention` are words or empty. `prefix` holds the other words before the result type
    (dso_local, attributes of the result), `suffix` what follows the parameter list (attribute groups, section,
    alignment) without the metadata; both are kept as written.
    """

    __slots__ = ("arguments", "blocks", "convention", "linkage", "metadata", "prefix", "suffix")

    def __init__(
        self,
        name: str,
        value_type: Type,
        arguments: list[Argument],
        *,
        addrspace: int = 0,
        linkage: str = "",
        convention: str = "",
        prefix: tuple[str, ...] = (),
        suffix: str = "",
        metadata: Metadata = (),
    ) -> None:
        super().__init__(name, value_type, addrspace)
        self.arguments = arguments
        self.blocks: list[Block] = []
        self.linkage = linkage
        self.convention = convention
        self.prefix = prefix
        self.suffix = suffix
        self.metadata = metadata

    def __repr__(self) -> str:
        return f"<function @{self.name}>"

    @property
    def symbol(self) -> str:
        assert self.name is not None
        return self.name

    @property
    def is_kernel(self) -> bool:
        return self.convention == KERNEL_CONVENTION

    @property
    def is_declaration(self) -> bool:
        return not self.blocks

    @property
    def entry(self) -> Block:
        return self.blocks[0]

    @property
    def result_type(self) -> Type:
        return self.value_type.inner

    def instructions(self) -> Iterator[Instruction]:
        for block in self.blocks:
            yield from block.instructions

    def add_block(self, name: str | None = None) -> Block:
        block = Block(name, self)
        self.blocks.append(block)
        return block
