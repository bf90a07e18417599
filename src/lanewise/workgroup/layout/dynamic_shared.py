# SPDX-License-Identifier: Apache-2.0
"""The start of dynamic shared memory: after all else in the arena, so its offset is filled in at the end."""

from __future__ import annotations

from typing import Final, final

from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import i64
from lanewise.workgroup.layout import abi
from lanewise.workgroup.layout.arena import Arena
from lanewise.workgroup.layout.frame import Frame


@final
class DynamicShared:
    """The address of dynamic shared memory. It is computed at the function's entry, and completed by `place`."""

    def __init__(self, frame: Frame) -> None:
        entry = frame.entry
        self._items: Instruction | None = None
        offset = i64(0)
        if frame.block.known is None:
            self._items = entry.binary("mul", frame.block.work_items, i64(0))
            self._end: Final = entry.binary("add", self._items, i64(0))
            offset = entry.binary("and", self._end, i64(-abi.DYNAMIC_ALIGNMENT))
        self.address: Final = entry.address(ty.I8, frame.arena, [offset], "dynamic.shared")

    def place(self, arena: Arena) -> None:
        """Fill in the offset, which is `abi.arena_bytes`: all other places are given out."""
        if self._items is None:
            self.address.set_operand(1, i64(arena.fixed_bytes))
        else:
            self._items.set_operand(1, i64(arena.item_bytes))
            self._end.set_operand(1, i64(arena.end + abi.DYNAMIC_ALIGNMENT - 1))
