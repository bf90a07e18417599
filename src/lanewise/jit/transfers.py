# SPDX-License-Identifier: Apache-2.0
"""Calls of parallel regions on devices with memory of their own: what is copied, in which tiles, and where to.

The plan of a call follows from its loops, its numbers and the addresses of its arrays (`transfer`). The kernel gets the
address of each array in its buffer; one whose elements lie closer together there than in the host's memory gets other
strides, too, and a kernel that takes them.
"""

import ast
from collections import ChainMap
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast, final

import numpy as np

from lanewise.device.base import Device
from lanewise.errors import Error, LaunchError
from lanewise.frontend.python.callees import with_callees
from lanewise.frontend.python.parallel import Grid
from lanewise.frontend.python.python_types import Array, Type
from lanewise.frontend.python.references import ReferenceOfRegion, references_of
from lanewise.frontend.python.region import PythonRegion
from lanewise.jit.lmads import DescribedReference, described
from lanewise.jit.nests import CallNest, host_array, nest_of
from lanewise.transfer.costs import DeviceLimits
from lanewise.transfer.pipelining import may_overlap
from lanewise.transfer.plan import NestPlan, Transfers
from lanewise.transfer.tiling import tile

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST_PLANS: Final = 16
_BESIDE: Final = 2 * 4096
"""Bytes that an allocation may take beside its own."""


class Tile(NamedTuple):
    """A part of the iterations: the range of each axis of the grid, and its transfers."""

    axes: tuple[range, ...]
    plan: NestPlan


class TilesOfCall(NamedTuple):
    """The tiles of a call. `overlaps`: a tile is copied in while the one before it runs."""

    tiles: list[Tile]
    overlaps: bool


class TransferReport(NamedTuple):
    """The copies of one call. `whole`: bytes of all arrays that the region refers to. `overlaps`: see `TilesOfCall`."""

    kinds: tuple[str, ...]
    tiles: int
    bytes_in: int
    bytes_out: int
    whole: int
    overlaps: bool = False


class _Planned(NamedTuple):
    """The tiles of a call, and the nest that they are parts of, with the references of its region."""

    tiling: TilesOfCall
    nest: CallNest
    references: tuple[ReferenceOfRegion, ...]


@final
class RegionTransfers:
    """The transfers of a region's calls with certain types."""

    def __init__(self, region: PythonRegion, grid: Grid, types: Mapping[str, Type], transfers: Transfers) -> None:
        arrays = {name: of for name, of in types.items() if isinstance(of, Array) and name not in grid.copied}
        self._region: Final = region
        self._axes: Final = len(grid.axes)
        read_only = frozenset(name for name, of in arrays.items() if of.const or name not in grid.written)
        body = with_callees(grid.body, region.namespace, keep_deeper=True)
        ranks = {name: of.ndim for name, of in arrays.items()}
        found = references_of(region, grid._replace(body=body.statements), ranks, read_only)
        records = {name for name, of in arrays.items() if of.element.kind == "record"} - read_only

        def updated(each: ReferenceOfRegion) -> ReferenceOfRegion:
            """The reference; what a record is kept by may write its fields."""
            return each._replace(access="update") if each.array in records and each.access == "read" else each

        def in_source(each: ReferenceOfRegion) -> ReferenceOfRegion:
            """The reference with its node in the function that it is of; without, if that is in another file."""
            origin = body.origins.get(id(each.node))
            if origin is None:
                return each
            node = origin.node if origin.file == region.file and isinstance(origin.node, ast.Subscript) else None
            return each._replace(node=node)

        references = [in_source(updated(each)) for each in found.references]
        self._shape: Final = found._replace(references=tuple(references))
        self.recursive: Final = body.recursive
        """Names of functions that call themselves: what they touch isn't known."""
        self._transfers: Final[Transfers] = transfers
        self._plans: Final[dict[object, _Planned]] = {}
        self._last: tuple[_Planned, int] | None = None
        """The last call, and the bytes of its arrays."""

    def tiles(
        self, device: Device, axes: Sequence[range], inputs: Mapping[str, Any], there: Collection[str], reserved: int
    ) -> TilesOfCall:
        """The tiles of a call. `there`: names of arrays that are on the device anyway. `reserved`: bytes that the
        launch itself takes. LaunchError if no tiling fits."""
        arrays = {
            name: cast("NDArray[Any]", value)
            for name, value in inputs.items()
            if isinstance(value, np.ndarray) and name not in there
        }
        hosts = {name: host_array(name, array) for name, array in arrays.items()}
        limits = DeviceLimits(device.memory.free_bytes() - reserved, beside=_BESIDE)
        numbers = [each.shape if name in there else each for name, each in inputs.items() if name not in arrays]
        key = device, tuple(axes), tuple(hosts.values()), tuple(numbers)
        found = self._plans.get(key)
        if found is None or not _still_fits(found.tiling, limits):
            references = tuple(each for each in self._shape.references if each.array in arrays)
            shape = self._shape._replace(references=references)
            values = ChainMap(dict(inputs), dict(self._region.namespace))
            given = nest_of(shape, axes, values, hosts.__getitem__)
            nest, plans = self._planned(given, limits)
            overlaps = False
            if len(plans) > 1:
                nest, plans, overlaps = self._overlapping(given, limits) or (nest, plans, False)
            tiles = [Tile(tuple(_range(plan, number) for number in range(self._axes)), plan) for plan in plans]
            found = _Planned(TilesOfCall(tiles, overlaps), nest, references)
            if len(self._plans) >= _MOST_PLANS:
                self._plans.clear()
            self._plans[key] = found
        self._last = found, sum(array.nbytes for array in arrays.values())
        return found.tiling

    def _overlapping(self, nest: CallNest, limits: DeviceLimits) -> tuple[CallNest, list[NestPlan], bool] | None:
        """The plans of tiles of half the size, whose copies overlap with the work of others; None if they can't."""
        try:
            made, plans = self._planned(nest, replace(limits, memory=limits.memory // 2))
        except LaunchError:
            return None
        return (made, plans, True) if may_overlap(plans, limits) else None

    def _planned(self, nest: CallNest, limits: DeviceLimits) -> tuple[CallNest, list[NestPlan]]:
        """The plans of all tiles, and the nest that they are of: that of the call, or one with whole arrays in it."""
        *tries, last = (lambda: nest), nest.without_conditions, nest.without_subscripts
        try:
            for made in tries:
                tried = made()
                try:
                    return tried, tile(*tried, limits, self._transfers, strided=True)
                except LaunchError:
                    raise
                except Error:  # a subscript leaves its array, perhaps under a condition that never holds then
                    continue
            tried = last()
            return tried, tile(*tried, limits, self._transfers, strided=True)
        except LaunchError as error:
            raise LaunchError(f"{self._region.name}: {error}") from None

    @property
    def last(self) -> TransferReport | None:
        """The report on the last call; None before the first."""
        if self._last is None:
            return None
        ((tiles, overlaps), _, _), whole = self._last
        groups = [group for each in tiles for group in each.plan.groups]
        return TransferReport(
            tuple(dict.fromkeys(group.kind for group in groups)),
            len(tiles),
            sum(each.plan.bytes_in for each in tiles),
            sum(each.plan.bytes_out for each in tiles),
            whole,
            overlaps,
        )

    @property
    def touched(self) -> tuple[DescribedReference, ...]:
        """The elements that each reference of the last call touches; none before the first."""
        if self._last is None:
            return ()
        (_, nest, references), _ = self._last
        return described(references, nest)


def _range(plan: NestPlan, number: int) -> range:
    """The values of a loop's variable."""
    loop = plan.nest.loops[number]
    variable = plan.nest.variables[loop.name]
    first, step = variable.constant, variable.coefficient(loop.name)
    return range(first, first + step * loop.count({}), step)


def strided_in(plan: NestPlan, inputs: Mapping[str, Any]) -> frozenset[tuple[str, bool]]:
    """The arrays with strides of their own in the buffers of a tile, and whether their rows are dense there."""
    return frozenset(
        (name, view.strides[-1:] == (inputs[name].itemsize,))
        for group in plan.groups
        for name, view in group.views.items()
        if view.strides != inputs[name].strides
    )


def _still_fits(tiling: TilesOfCall, limits: DeviceLimits) -> bool:
    """True if the tiles fit a device that may have less room than it had."""
    plans = [each.plan for each in tiling.tiles]
    if tiling.overlaps:
        return may_overlap(plans, limits)
    return not any(limits.excess(group.size for group in each.groups) for each in plans)
