# SPDX-License-Identifier: Apache-2.0
"""The local size: work-items of a group along x, y and z, constants of the code or values from the launch.

Code for one local size has loops of known lengths and an arena of known layout. Code for any local size reads the
extents from the launch, once per group:

    %block.x = load i32, ptr (launch + 36), !range 1 to 8192
    %work.items = mul nuw nsw i64 %block.z, %block.y, %block.x
"""

from __future__ import annotations

from typing import Final, final

from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.module import Module
from lanewise.ir.values import Value, i32, i64
from lanewise.workgroup.layout import abi

Extent = tuple[int, int, int]
"""Work-items along x, y, z."""

MAX_WORK_ITEMS: Final = 8192
"""The most work-items of a group, in any shape: the limit in OpenCL C. CUDA's limits are below."""

_NO_WRAP: Final = ("nuw", "nsw")


@final
class LocalSize:
    """Gives the extents as values. `known` is None in code for any local size."""

    def __init__(self, known: Extent | None, module: Module, entry: Builder, launch: Value) -> None:
        self.known: Final = known
        self._module: Final = module
        self._entry: Final = entry
        self._launch: Final = launch
        self._narrow: Final[dict[int, Value]] = {}
        self._wide: Final[dict[int, Value]] = {}
        self._items: Value | None = None

    def may_exceed_one(self, axis: int) -> bool:
        """Return whether there may be several work-items along the axis."""
        return self.known is None or self.known[axis] > 1

    def extent(self, axis: int) -> Value:
        """Work-items along an axis, i32."""
        if self.known is not None:
            return i32(self.known[axis])
        value = self._narrow.get(axis)
        if value is None:
            limits = self._module.add_metadata(f"!{{i32 1, i32 {MAX_WORK_ITEMS + 1}}}")
            place = self._entry.offset(self._launch, abi.LAUNCH_BLOCK[axis])
            value = self._narrow[axis] = self._entry.load(
                ty.I32, place, "block." + "xyz"[axis], align=4, metadata=(("!range", limits),)
            )
        return value

    def wide_extent(self, axis: int) -> Value:
        """Work-items along an axis, i64."""
        if self.known is not None:
            return i64(self.known[axis])
        value = self._wide.get(axis)
        if value is None:
            value = self._wide[axis] = self._entry.cast("zext", self.extent(axis), ty.I64)
        return value

    @property
    def work_items(self) -> Value:
        """Work-items of a group, i64."""
        if self.known is not None:
            return i64(self.known[0] * self.known[1] * self.known[2])
        if self._items is None:
            layer = self._entry.binary("mul", self.wide_extent(0), self.wide_extent(1), flags=_NO_WRAP)
            self._items = self._entry.binary("mul", layer, self.wide_extent(2), "work.items", _NO_WRAP)
        return self._items
