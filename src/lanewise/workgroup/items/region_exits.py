# SPDX-License-Identifier: Apache-2.0
"""Code after a region, when all work-items are done with it: the group goes on to the next one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, final

from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Constant, Value, i32, i64
from lanewise.workgroup.items.emission import Emission
from lanewise.workgroup.regions.regions import END, Destination, Region


@final
class RegionExits:
    """The exits of one region. `condition` returns the group's value of the condition of a group branch; None if the
    work-items have stored it."""

    def __init__(
        self, emission: Emission, region: Region, is_partial: bool, condition: Callable[[Block], Value | None]
    ) -> None:
        self._emission: Final = emission
        self._graph: Final = emission.regions.graph
        self._region: Final = region
        self._is_partial: Final = is_partial
        self._condition: Final = condition
        self.loses_items: Final = self._graph.loses_items(region)
        """Some work-items return while others go on."""
        self.destinations: Final = [d for d in region.destinations if d != END]
        """Destinations of the work-items that go on."""
        self.numbered: Final = len(self.destinations) > 1
        """True if work-items leave the number of their destination."""

    def number(self, destination: Destination) -> Value:
        """The number of a destination, i32."""
        return i32(self._region.destinations.index(destination))

    def emit(self, done: Builder) -> None:
        """Emit the code after the loop: the group goes on to the destinations of its live work-items."""
        function = self._emission.function
        if not self.destinations:
            if self._region.destinations:
                done.ret()
            else:
                done.unreachable()
            return
        if not self.loses_items:
            self._go_on(done, self._is_partial)
            return
        count = self._emission.storage.count_live(done, function)
        some = Builder(function.add_block(f"region.{self._region.index}.some"))
        nobody = Builder(function.add_block(f"region.{self._region.index}.nobody"))
        nobody.ret()
        cases = [(i64(0), nobody.block)]
        if not self._is_partial:
            everyone = Builder(function.add_block(f"region.{self._region.index}.everyone"))
            self._go_on(everyone, False)
            work_items = self._emission.lowering.frame.block.work_items
            if isinstance(work_items, Constant):
                cases.append((work_items, everyone.block))
            else:
                not_all = Builder(function.add_block(f"region.{self._region.index}.not.all"))
                done.branch_if(done.compare("eq", count, work_items), everyone.block, not_all.block)
                done = not_all
        self._go_on(some, True)
        done.switch(count, some.block, cases)

    def _go_on(self, done: Builder, is_partial: bool) -> None:
        """Go on to the destination that the live work-items came to, as a whole or partial group."""
        targets = [self._target(d, is_partial) for d in self.destinations]
        if not self.numbered:
            done.branch(targets[0])
            return
        assert self._emission.storage.next is not None
        number = done.load(ty.I32, self._emission.storage.next, "next")
        cases = [(self.number(d), target) for d, target in zip(self.destinations, targets, strict=True)]
        done.switch(number, targets[0], cases[1:])

    def _target(self, destination: Destination, is_partial: bool) -> Block:
        """The block to go on to for a destination: the next region, or a block with the group's branch."""
        regions = self._graph.regions
        if destination.start is not None:
            return self._emission.heads.head(regions[destination.start], is_partial)
        source = destination.branch
        assert source is not None
        block = self._emission.function.add_block(f"{source.name}.branch")
        build = Builder(block)
        terminator = source.terminator
        operands = [self._condition(source) or self._emission.storage.load_condition(source, build)]
        for operand in terminator.operands[1:]:
            operands.append(
                self._emission.heads.head(regions[operand], is_partial) if isinstance(operand, Block) else operand
            )
        build.emit(Instruction(terminator.op, ty.VOID, operands))
        return block
