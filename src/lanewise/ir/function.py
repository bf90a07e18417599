# SPDX-License-Identifier: Apache-2.0
"""Functions and their basic blocks."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import final

from lanewise.ir import types as ty
from lanewise.ir.effects import ACCESSES
from lanewise.ir.instruction import TERMINATORS, Instruction, Metadata
from lanewise.ir.types import Type
from lanewise.ir.values import Argument, Global, Value

KERNEL_CONVENTION = "ptx_kernel"

_COMPUTES_NOTHING = TERMINATORS | {"phi", "alloca", "getelementptr", "ptrtoint", "insertelement", "extractelement"}


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
        if self.function is not None:
            self.function.give_place(instruction)
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
        """Blocks that the terminator may branch to, in operand order; one of two edges is listed twice."""
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

    __slots__ = (
        "_gives_places",
        "_place",
        "arguments",
        "blocks",
        "convention",
        "linkage",
        "metadata",
        "prefix",
        "suffix",
    )

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
        self.arguments: list[Argument] = arguments
        self.blocks: list[Block] = []
        self.linkage: str = linkage
        self.convention: str = convention
        self.prefix: tuple[str, ...] = prefix
        self.suffix: str = suffix
        self.metadata: Metadata = metadata
        self._place: str | None = None
        self._gives_places = False

    def __repr__(self) -> str:
        return f"<function @{self.name}>"

    @property
    def symbol(self) -> str:
        assert self.name is not None
        return self.name

    def take_head_of(self, other: Function) -> None:
        """Get the type, the arguments and the attributes of a function without a body, as this one has none either.
        Its uses stay."""
        self.type, self.value_type, self.arguments = other.type, other.value_type, other.arguments
        self.linkage, self.convention = other.linkage, other.convention
        self.prefix, self.suffix, self.metadata = other.prefix, other.suffix, other.metadata

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

    @contextmanager
    def at_place_of(self, original: Instruction) -> Generator[None, None, None]:
        """Within, accesses to memory and calls that are appended to blocks of this function come from the same place in
        the source as `original`."""
        with self.at_place(original.metadata_of("!dbg")):
            yield

    @contextmanager
    def at_place(self, place: str | None) -> Generator[None, None, None]:
        """The same for the place of a node; None if it isn't known."""
        before = self._place, self._gives_places
        self._place, self._gives_places = place, True
        try:
            yield
        finally:
            self._place, self._gives_places = before

    def give_place(self, instruction: Instruction) -> None:
        """Attach the place in the source to an instruction just appended, if it accesses memory or may come to: code
        generation merges a load with what is computed from it."""
        op = instruction.op
        if not self._gives_places or instruction.metadata_of("!dbg") is not None or op in _COMPUTES_NOTHING:
            return
        place = self._place if op in ACCESSES or op == "call" else None
        if op not in ACCESSES:
            place = next(filter(None, map(_loaded_at, instruction.operands)), place)
        if place is not None:
            instruction.metadata += (("!dbg", place),)

    def add_block(self, name: str | None = None) -> Block:
        block = Block(name, self)
        self.blocks.append(block)
        return block


def _loaded_at(value: Value) -> str | None:
    """The place of the load that a value comes from, perhaps as one element of a vector; None for all others."""
    while isinstance(value, Instruction) and value.op == "insertelement":
        value = value.operands[1]
    return value.metadata_of("!dbg") if isinstance(value, Instruction) and value.op == "load" else None
