# SPDX-License-Identifier: Apache-2.0
"""Values that the code of a work-group function has at hand everywhere."""

from collections.abc import Sequence
from typing import Final, NamedTuple, final

from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Block, Function
from lanewise.ir.module import Module
from lanewise.ir.values import Value, i32, i64
from lanewise.workgroup.layout import abi
from lanewise.workgroup.layout.arena import LINE, ArenaPlace
from lanewise.workgroup.layout.local_size import Extent, LocalSize

WARP: Final = 32


class ItemIds(NamedTuple):
    """The place of the work-item at hand in its group."""

    local: tuple[Value, Value, Value]
    """Place along x, y, z, i32."""
    linear: Value
    """i64, x fastest."""


@final
class Frame:
    """The parameters of a work-group function, and values that are loaded once, at its entry.

    `block` is the local size that the function is made for, in work-items along x, y, z; None for any.
    """

    def __init__(self, module: Module, entry: Builder, given: Sequence[Value], block: Extent | None) -> None:
        """`given`: the values that the core hands to a work-group function."""
        self.launch, self.arena, *group = given
        self.group: Final[tuple[Value, ...]] = tuple(group)
        """Index of the work-group along x, y, z, i32."""
        self.entry: Final = entry
        self.own_warp: Value | None = None
        """Number of the only warp that a call of the function is for, i32; None: it is for all."""
        self.own_thread: Value | None = None
        """The same of the only work-item, in linear order."""
        self.block: Final = LocalSize(block, module, self.entry, self.launch)
        self._grid: Final[dict[int, Value]] = {}
        self._services: Final[dict[int, Value]] = {}
        self._textures: Final[dict[int, Value]] = {}

    def take_one_warp(self) -> None:
        """Make the function one for a single warp at each call, on a stack of its own: see `runtime/core/warps.c`."""
        rounded = self.entry.binary("add", self.block.work_items, i64(WARP - 1))
        warps = self.entry.cast("trunc", self.entry.binary("udiv", rounded, i64(WARP)), ty.I32)
        given = (self.launch, self.arena, *self.group, warps)
        self.own_warp = self.entry.call(self.service(abi.SERVICE_OWN_WARP), abi.OWN_WARP, given, "own.warp")

    def take_one_thread(self) -> None:
        """Make the function one for a single work-item at each call, on a stack of its own."""
        threads = self.entry.cast("trunc", self.block.work_items, ty.I32)
        given = (self.launch, self.arena, *self.group, threads)
        self.own_thread = self.entry.call(self.service(abi.SERVICE_OWN_THREAD), abi.OWN_WARP, given, "own.thread")

    def enter(self, function: Function, first: Block) -> None:
        """End the entry: go to the first block, unless all warps or threads have run."""
        own = self.own_warp or self.own_thread
        if own is None:
            self.entry.branch(first)
            return
        done = function.add_block("warps.done" if self.own_warp else "threads.done")
        Builder(done).ret(None)
        self.entry.branch_if(self.entry.compare("sge", own, i32(0)), first, done)

    def address(self, place: ArenaPlace, name: str | None) -> Value:
        """Address of a place in the arena."""
        if not place.per_item:
            return self.entry.offset(self.arena, place.fixed, name)
        items = self.entry.binary("mul", self.block.work_items, i64(place.per_item))
        rounded = self.entry.binary("and", self.entry.binary("add", items, i64(LINE - 1)), i64(-LINE))
        offset = self.entry.binary("add", rounded, i64(place.fixed))
        return self.entry.address(ty.I8, self.arena, [offset], name)

    def grid(self, axis: int) -> Value:
        """Work-groups in the grid along an axis, i32."""
        known = self._grid.get(axis)
        if known is None:
            place = self.entry.offset(self.launch, abi.LAUNCH_GRID[axis])
            known = self._grid[axis] = self.entry.load(ty.I32, place, "grid." + "xyz"[axis], align=4)
        return known

    def service(self, offset: int) -> Value:
        """Address of a function of the runtime core."""
        known = self._services.get(offset)
        if known is None:
            place = self.entry.offset(self.launch, abi.LAUNCH_SERVICES)
            table = self.entry.load(ty.PTR, place, align=8)
            known = self.entry.load(ty.PTR, self.entry.offset(table, offset), align=8)
            self._services[offset] = known
        return known

    def is_service(self, function: Value, offset: int) -> bool:
        """Return whether a value is the address of that function of the runtime core."""
        return self._services.get(offset) is function

    def texture_service(self, offset: int) -> Value:
        """Address of a function of `struct lw_texture_services`."""
        known = self._textures.get(offset)
        if known is None:
            table = self.service(abi.SERVICE_TEXTURES)
            known = self._textures[offset] = self.entry.load(ty.PTR, self.entry.offset(table, offset), align=8)
        return known
