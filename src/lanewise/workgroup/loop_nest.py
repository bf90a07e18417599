# SPDX-License-Identifier: Apache-2.0
"""The loops over the work-items of a group: z around y around x, each as long as the local size says."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, final

from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction, Metadata
from lanewise.ir.module import Module
from lanewise.ir.values import Constant, Value, i32, i64
from lanewise.workgroup.frame import Frame, ItemIds
from lanewise.workgroup.local_size import LocalSize

_NO_WRAP: Final = ("nuw", "nsw")


@final
class LoopNest:
    """Built around the code of one work-item, which stands between `begin_item` and `end_item`.

    Nothing joins the function before `close`, so that a nest whose items do nothing can be discarded. Dimensions that
    are known to have one work-item have no loop.
    """

    def __init__(self, module: Module, function: Function, frame: Frame, number: int) -> None:
        self._module: Final = module
        self._function: Final = function
        self._number: Final = number
        axes = [axis for axis in (2, 1, 0) if frame.block.may_exceed_one(axis)]
        self._loops: Final = [self._block(f"{'xyz'[axis]}.loop") for axis in axes]
        self._latches: Final = [self._block(f"{'xyz'[axis]}.next") for axis in axes]
        self._sizes: Final = [frame.block.extent(axis) for axis in axes]
        self.first: Final = self._loops[-1] if axes else self._block("item")
        """Where the code of a work-item begins."""
        self.last: Final = self._latches[-1] if axes else self._block("item.end")
        """Where it ends."""
        self._items: Final[list[Block]] = []
        self._indices: Final = [
            Builder(loop).phi(ty.I32, (), "xyz"[axis]) for loop, axis in zip(self._loops, axes, strict=True)
        ]
        local: list[Value] = [i32(0), i32(0), i32(0)]
        for axis, index in zip(axes, self._indices, strict=True):
            local[axis] = index
        self.ids: Final = ItemIds((local[0], local[1], local[2]), self._linear(local, frame.block))
        of_axis: dict[int, Value] = dict(zip(axes, self._indices, strict=True))
        self.indices: Final = (of_axis.get(0), of_axis.get(1), of_axis.get(2))
        """Of the loops along x, y and z; None where there is none."""
        self._access_group: str | None = None

    def _block(self, name: str) -> Block:
        return Block(f"{name}.{self._number}", self._function)

    def _linear(self, local: list[Value], block: LocalSize) -> Value:
        build = Builder(self.first)
        linear: Value | None = None
        for axis in (2, 1, 0):
            if linear is not None:
                linear = build.binary("mul", linear, block.wide_extent(axis), flags=_NO_WRAP)
            if block.may_exceed_one(axis):
                wide = build.cast("zext", local[axis], ty.I64)
                linear = wide if linear is None else build.binary("add", linear, wide, flags=_NO_WRAP)
        return linear if linear is not None else i64(0)

    # -- the code of one work-item -----------------------------------------------------------------------------

    def begin_item(self) -> Builder:
        return Builder(self.first)

    def new_block(self, name: str | None) -> Block:
        """Another block of the work-item's code."""
        block = Block(name, self._function)
        self._items.append(block)
        return block

    def only_if(self, condition: Value, build: Builder) -> Builder:
        """Go on only where `condition` holds; else the work-item has ended."""
        block = self.new_block(f"live.{self._number}")
        build.branch_if(condition, block, self.last)
        return Builder(block)

    def end_item(self, build: Builder) -> None:
        build.branch(self.last)

    def item_blocks(self) -> list[Block]:
        """Blocks of the work-item's code, the first one first."""
        return [self.first, *self._items]

    def mark_accesses(self, instructions: Iterable[Instruction]) -> None:
        """Say of memory accesses that no other work-item's depend on them."""
        for instruction in instructions:
            if instruction.op in ("load", "store") and not instruction.flags:
                instruction.metadata += (("!llvm.access.group", self._group()),)

    def promise_nothing(self) -> None:
        """Take back what was said of memory accesses."""
        for block in self.item_blocks():
            for instruction in block.instructions:
                instruction.metadata = tuple(m for m in instruction.metadata if m[0] != "!llvm.access.group")
        self._access_group = None

    def _group(self) -> str:
        if self._access_group is None:
            self._access_group = self._module.add_metadata("distinct !{}")
        return self._access_group

    # -- the loops ---------------------------------------------------------------------------------------------

    def discard(self) -> None:
        """Leave no trace."""
        for block in (*self._loops, *self._latches, self.first, self.last, *self._items):
            for instruction in block.instructions:
                instruction.drop_operands()

    def close(self, before: Builder) -> Builder:
        """Put the loops into the function, entered from `before`; gives where control is after them."""
        done = Block(f"region.{self._number}.done", self._function)
        entering = before.block
        before.branch(self._loops[0] if self._loops else self.first)
        for depth, (loop, index) in enumerate(zip(self._loops, self._indices, strict=True)):
            index.append_operand(i32(0))
            index.append_operand(entering)
            entering = loop
            if depth + 1 < len(self._loops):
                Builder(loop).branch(self._loops[depth + 1])
        for depth, latch in enumerate(self._latches):
            build = Builder(latch)
            following = build.binary("add", self._indices[depth], i32(1), flags=_NO_WRAP)
            self._indices[depth].append_operand(following)
            self._indices[depth].append_operand(latch)
            more = build.compare("ult", following, self._sizes[depth])
            outer = self._latches[depth - 1] if depth else done
            innermost = depth + 1 == len(self._latches)
            known = isinstance(self._sizes[depth], Constant)
            build.branch_if(more, self._loops[depth], outer, self._loop_metadata(may_unroll=known and not innermost))
        if not self._latches:
            Builder(self.last).branch(done)
        inside = self._items if self._loops else [self.first, *self._items]
        ends = list(reversed(self._latches)) or [self.last]
        self._function.blocks += [*self._loops, *inside, *ends, done]
        return Builder(done)

    def _loop_metadata(self, may_unroll: bool) -> Metadata:
        """What LLVM is told of a loop: that its iterations don't depend on each other; and where it must not be
        unrolled. The innermost one: that happens before vectorisation, which then takes the loop around it and gathers
        along y what lies together along x. One around it, of a length that isn't known: four copies of all that is
        inside take four times as long to compile, most of that in LLVM's loop strength reduction."""
        hints: list[str] = []
        if self._access_group is not None:
            hints.append(self._module.add_metadata(f'!{{!"llvm.loop.parallel_accesses", {self._access_group}}}'))
        if not may_unroll:
            hints.append(self._module.add_metadata('!{!"llvm.loop.unroll.disable"}'))
        if not hints:
            return ()
        loop = self._module.add_metadata("")
        self._module.metadata[loop] = f"distinct !{{{', '.join([loop, *hints])}}}"
        return (("!llvm.loop", loop),)
