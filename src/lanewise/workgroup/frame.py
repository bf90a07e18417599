# SPDX-License-Identifier: Apache-2.0
"""What the code of a work-group function has at hand everywhere."""

from __future__ import annotations

from typing import Final, NamedTuple, final

from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Function
from lanewise.ir.values import Value
from lanewise.workgroup import abi


class ItemIds(NamedTuple):
    """Where the work-item at hand stands in its group."""

    local: tuple[Value, Value, Value]
    """i32, in x, y, z."""
    linear: Value
    """i64, x fastest."""


@final
class Frame:
    """Arguments of the work-group function, and what is loaded once, at its entry.

    `block` is the local size that the function is made for, in work-items along x, y, z.
    """

    def __init__(self, function: Function, block: tuple[int, int, int]) -> None:
        self.launch, self.arena, *group = function.arguments
        self.group: Final[tuple[Value, ...]] = tuple(group)
        """Index of the work-group along x, y, z, i32."""
        self.block: Final = block
        self.entry: Final = Builder(function.add_block("entry"))
        self._grid: Final[dict[int, Value]] = {}
        self._services: Final[dict[int, Value]] = {}

    @property
    def work_items(self) -> int:
        """Work-items of a group."""
        return self.block[0] * self.block[1] * self.block[2]

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
