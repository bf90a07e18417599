# SPDX-License-Identifier: Apache-2.0
"""A kernel on its way to a work-group function: the facts found about it, the places given, and the code so far."""

from __future__ import annotations

from functools import cached_property
from typing import Final, final

from lanewise.analysis.uniformity import Uniformity
from lanewise.ir import types as ty
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import Module
from lanewise.ir.values import Argument, Constant, Global, Value
from lanewise.workgroup.contexts import Contexts
from lanewise.workgroup.frame import ItemIds
from lanewise.workgroup.lanes.mapping import LaneMapping
from lanewise.workgroup.lanes.streams import Streams
from lanewise.workgroup.lowering import Lowering
from lanewise.workgroup.regions import Region, RegionGraph
from lanewise.workgroup.storage import Storage

Values = dict[Value, Value]
"""Value of the kernel -> value of the work-group function."""


@final
class Group:
    """What the codes of a kernel's regions share, and where each begins."""

    def __init__(
        self, graph: RegionGraph, facts: Uniformity, contexts: Contexts, storage: Storage, lowering: Lowering,
        arguments: Values, function: Function, module: Module, lanes: LaneMapping | None,
        in_step: frozenset[Region] = frozenset(), shapes: list[str] | None = None, streams: Streams | None = None,
    ) -> None:  # fmt: skip
        self.graph: Final = graph
        self.facts: Final = facts
        self.contexts: Final = contexts
        self.storage: Final = storage
        self.lowering: Final = lowering
        self.arguments: Final = arguments
        self.function: Final = function
        self.module: Final = module
        self.lanes: Final = lanes
        """How regions become vector code; None where they are to be loops."""
        self.in_step: Final = in_step
        """Regions whose warps are to make one access after the other."""
        self.shapes: Final = shapes
        """Gets the tables of shapes of each region in lanes; None where nobody wants them."""
        self.streams: Final = streams
        """What lanes may store to past the caches; None where they may not."""
        self.remarks: Final[list[str]] = []
        self.items: Final[dict[Block, ItemIds]] = {}
        """Which work-item a block is code of, in regions that became loops."""
        self.has_loops = False
        """Some region became a loop over work-items."""
        self._heads: Final[dict[tuple[Region, bool], Block]] = {}
        self._waiting: Final[list[tuple[Region, bool]]] = []

    def head(self, region: Region, thinned: bool) -> Block:
        """Where the code of `region` begins, in the version for groups that have lost work-items or not."""
        known = self._heads.get((region, thinned))
        if known is None:
            name = f"region.{region.index}{'.thinned' if thinned else ''}"
            known = self._heads[region, thinned] = Block(name, self.function)
            self._waiting.append((region, thinned))
        return known

    def next_region(self) -> tuple[Region, bool] | None:
        """A region, and in which version, whose code somebody branches to and nobody has made yet; its head joins
        the function now."""
        if not self._waiting:
            return None
        region, thinned = self._waiting.pop(0)
        self.function.blocks.append(self._heads[region, thinned])
        return region, thinned

    def barrier_before(self, region: Region) -> Instruction | None:
        """The barrier with a result that `region` starts after."""
        return self._barriers.get(region.start)

    @cached_property
    def _barriers(self) -> dict[Block, Instruction]:
        """Start of a region -> the barrier with a result before it."""
        found: dict[Block, Instruction] = {}
        for region in self.graph:
            for destination in region.destinations:
                barrier = destination.barrier
                if destination.start is not None and barrier is not None and barrier.type is not ty.VOID:
                    found.setdefault(destination.start, barrier)
        return found

    def value(self, value: Value) -> Value:
        """The work-group function's value for an argument or constant of the kernel."""
        if isinstance(value, Argument):
            return self.arguments[value]
        assert isinstance(value, Constant | Global), f"{value!r} is not at hand"
        return self.lowering.symbols.constant(value)
