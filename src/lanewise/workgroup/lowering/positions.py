# SPDX-License-Identifier: Apache-2.0
"""Reports of debug code: the thread's place in the source, for messages about failures."""

from __future__ import annotations

from collections.abc import Sequence

from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Value, i32
from lanewise.workgroup.layout import abi
from lanewise.workgroup.layout.frame import Frame, ItemIds


def keep_position(place: Sequence[Value], frame: Frame, build: Builder, ids: ItemIds | None) -> None:
    """Write file, function and line (`place`), and the work-item if it is known, to the thread's `lw_position`."""
    position = build.load(ty.PTR, build.offset(frame.launch, abi.LAUNCH_POSITION), align=8)
    offsets = (abi.POSITION_FILE, abi.POSITION_FUNCTION, abi.POSITION_LINE, *abi.POSITION_THREAD)
    thread = () if ids is None else ids.local
    for offset, value in zip(offsets, (*place, *thread), strict=False):
        _store(build, value, build.offset(position, offset))
    known = abi.KNOWS_PLACE | (abi.KNOWS_THREAD if thread else 0)
    _store(build, i32(known), build.offset(position, abi.POSITION_KNOWN))


def _store(build: Builder, value: Value, address: Value) -> None:
    """Volatile: a signal handler reads it, which LLVM can't see."""
    build.emit(Instruction("store", ty.VOID, (value, address), flags=("volatile",)))
