# SPDX-License-Identifier: Apache-2.0
"""A work-group function while its code is made, region by region."""

from typing import Final, NamedTuple, final

from lanewise.analysis.uniformity import Uniformity
from lanewise.ir.function import Block, Function
from lanewise.ir.module import Module
from lanewise.ir.values import Argument, Constant, Global, Value
from lanewise.workgroup.items.region_mapper import RegionMapper
from lanewise.workgroup.items.storage import Storage
from lanewise.workgroup.layout.frame import ItemIds
from lanewise.workgroup.lowering.lowering import Lowering
from lanewise.workgroup.regions.live_values import LiveValues
from lanewise.workgroup.regions.regions import Region, RegionGraph

Values = dict[Value, Value]
"""Value of the kernel -> value of the work-group function."""


class KernelRegions(NamedTuple):
    """The regions of a kernel, and facts about them."""

    graph: RegionGraph
    uniformity: Uniformity
    live_values: LiveValues
    in_step: frozenset[Region]
    """Regions whose warps are to make one access after the other."""


@final
class RegionHeads:
    """The first block of each region's code, and the regions whose code is still to be made.

    A region has two versions: one for whole groups, one for those that have lost work-items (`is_partial`).
    """

    def __init__(self, function: Function) -> None:
        self._function: Final = function
        self._heads: Final[dict[tuple[Region, bool], Block]] = {}
        self._waiting: Final[list[tuple[Region, bool]]] = []

    def head(self, region: Region, is_partial: bool) -> Block:
        """The block to branch to for a region; its code will be made if it has not been yet."""
        known = self._heads.get((region, is_partial))
        if known is None:
            name = f"region.{region.index}{'.partial' if is_partial else ''}"
            known = self._heads[region, is_partial] = Block(name, self._function)
            self._waiting.append((region, is_partial))
        return known

    def next(self) -> tuple[Region, bool] | None:
        """The next region, and version, whose code is to be made. Its head joins the function now."""
        if not self._waiting:
            return None
        region, is_partial = self._waiting.pop(0)
        self._function.blocks.append(self._heads[region, is_partial])
        return region, is_partial


@final
class Emission:
    """The parts that the codes of a kernel's regions share, and the results of the regions so far."""

    def __init__(
        self, regions: KernelRegions, storage: Storage, lowering: Lowering, arguments: Values, function: Function,
        module: Module, mapper: RegionMapper | None,
    ) -> None:  # fmt: skip
        self.regions: Final = regions
        self.storage: Final = storage
        self.lowering: Final = lowering
        self.function: Final = function
        self.module: Final = module
        self.mapper: Final = mapper
        """The mapping to use instead of loops over work-items, for regions that it takes."""
        self.heads: Final = RegionHeads(function)
        self.remarks: Final[list[str]] = []
        self.items: Final[dict[Block, ItemIds]] = {}
        """Block of a loop over work-items -> the ids of the work-item at hand."""
        self._arguments: Final = arguments

    @property
    def has_loops(self) -> bool:
        """Some region became a loop over work-items."""
        return bool(self.items)

    def value(self, value: Value) -> Value:
        """The work-group function's value for an argument or constant of the kernel."""
        if isinstance(value, Argument):
            return self._arguments[value]
        assert isinstance(value, Constant | Global), f"{value!r} is not at hand"
        return self.lowering.symbols.constant(value)
