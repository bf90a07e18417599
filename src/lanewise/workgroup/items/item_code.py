# SPDX-License-Identifier: Apache-2.0
"""The code of one work-item in a region, before it becomes that of all: by loops (`loop_nest.py`) or by lanes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, final

from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import Module
from lanewise.ir.values import Value, i32, i64
from lanewise.workgroup.layout.frame import ItemIds
from lanewise.workgroup.layout.local_size import LocalSize

_NO_WRAP: Final = ("nuw", "nsw")


@final
class ItemCode:
    """Blocks from `first` to `last`, none of which is in the function yet.

    The work-item's ids are phis without operands, at the start: loops over work-items count in them, and lanes have
    shapes of their own for them.
    """

    def __init__(self, module: Module, function: Function, size: LocalSize, number: int) -> None:
        """`size`: the local size. `number`: the region's number, for names."""
        self.function: Final = function
        self.number: Final = number
        self.size: Final = size
        self._module: Final = module
        self.first: Final = Block(f"item.{number}", function)
        self.last: Final = Block(f"item.end.{number}", function)
        """The block that all paths lead to. It is empty."""
        self._blocks: Final[list[Block]] = []
        extents = [size.extent(axis) if size.may_exceed_one(axis) else None for axis in (2, 1, 0)]
        self.extents: Final = (extents[2], extents[1], extents[0])
        """Work-items along x, y and z; None for an axis that has one."""
        x, y, z = (
            None if extent is None else Builder(self.first).phi(ty.I32, (), name)
            for extent, name in zip(self.extents, "xyz", strict=True)
        )
        self.indices: Final = (x, y, z)
        """The phis for the work-item's place along x, y and z; None for an axis of one work-item."""
        self.ids: Final = ItemIds((x or i32(0), y or i32(0), z or i32(0)), self._linear())
        self._access_group: str | None = None

    def _linear(self) -> Value:
        build = Builder(self.first)
        linear: Value | None = None
        for axis in (2, 1, 0):
            if linear is not None:
                linear = build.binary("mul", linear, self.size.wide_extent(axis), flags=_NO_WRAP)
            index = self.indices[axis]
            if index is not None:
                wide = build.cast("zext", index, ty.I64)
                linear = wide if linear is None else build.binary("add", linear, wide, flags=_NO_WRAP)
        return linear if linear is not None else i64(0)

    # -- code --------------------------------------------------------------------------------------------------

    def begin(self) -> Builder:
        return Builder(self.first)

    def new_block(self, name: str | None) -> Block:
        """Add a block to the code."""
        block = Block(name, self.function)
        self._blocks.append(block)
        return block

    def only_if(self, condition: Value, build: Builder) -> Builder:
        """Go on only if `condition` holds; else the work-item has ended."""
        block = self.new_block(f"live.{self.number}")
        build.branch_if(condition, block, self.last)
        return Builder(block)

    def end(self, build: Builder) -> None:
        build.branch(self.last)

    def blocks(self) -> list[Block]:
        """All blocks but `last`, the first one first."""
        return [self.first, *self._blocks]

    def discard(self) -> None:
        """Drop the code, so that nothing counts as used by it."""
        for block in (*self.blocks(), self.last):
            for instruction in block.instructions:
                instruction.drop_operands()

    # -- independence of work-items ----------------------------------------------------------------------------

    @property
    def access_group(self) -> str | None:
        """The metadata that marks accesses on which no other work-item's depend; None if there are none."""
        return self._access_group

    def mark_accesses(self, instructions: Iterable[Instruction]) -> None:
        """Mark memory accesses on which no other work-item's depend."""
        for instruction in instructions:
            if instruction.op in ("load", "store") and not instruction.flags:
                if self._access_group is None:
                    self._access_group = self._module.add_metadata("distinct !{}")
                instruction.metadata += (("!llvm.access.group", self._access_group),)

    def unmark_accesses(self) -> None:
        """Remove the marks of memory accesses."""
        for block in self.blocks():
            for instruction in block.instructions:
                instruction.metadata = tuple(m for m in instruction.metadata if m[0] != "!llvm.access.group")
        self._access_group = None
