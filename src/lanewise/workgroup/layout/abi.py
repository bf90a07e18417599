# SPDX-License-Identifier: Apache-2.0
"""The interface between the runtime core and work-group functions: offsets in bytes, as in
`runtime/core/lanewise_rt.h`.

void kernel(const lw_launch *launch, char *arena, uint32_t gx, uint32_t gy, uint32_t gz)
"""

from __future__ import annotations

from typing import Final

from lanewise.ir import types as ty

VERSION: Final = 2
"""Version of this interface, for code that was saved. Raise it when something here changes its place or meaning; not
for services that are appended."""

LAUNCH_ARGS: Final = 0
LAUNCH_SERVICES: Final = 8
LAUNCH_GRID: Final = (24, 28, 32)
LAUNCH_BLOCK: Final = (36, 40, 44)
LAUNCH_DYNAMIC_SHARED: Final = 48
LAUNCH_FLAGS: Final = 52
"""i32; its lowest bit says that the launch is cooperative."""
LAUNCH_POSITION: Final = 56
"""Pointer to the thread's `lw_position`, which code for debugging keeps up to date."""
LAUNCH_STREAM_BYTES: Final = 64
"""i64: the launch stores past the last-level caches if each work-group stores more bytes than this."""

POSITION_FILE: Final = 0
POSITION_FUNCTION: Final = 8
POSITION_LINE: Final = 16
POSITION_KNOWN: Final = 20
POSITION_THREAD: Final = (24, 28, 32)
POSITION_MARK: Final = "__lw_position"
"""Function in kernel IR that names the place in the source that debug code is at: (file, function, line)."""
KNOWS_PLACE: Final = 1
KNOWS_THREAD: Final = 2

SERVICE_TRAP: Final = 0
SERVICE_ASSERT: Final = 8
SERVICE_PRINTF: Final = 16
SERVICE_YIELD: Final = 24
SERVICE_TEXTURES: Final = 32
SERVICE_ALLOCATE: Final = 40
SERVICE_RELEASE: Final = 48
SERVICE_GRID_SYNC: Final = 56
SERVICE_WAITING: Final = 64
SERVICE_OWN_WARP: Final = 72
SERVICE_MEET: Final = 80
SERVICE_OWN_THREAD: Final = 88
SERVICE_EXCHANGE: Final = 96
SERVICE_CHECK_FAULT: Final = 104
SERVICE_CHECK_SHARED: Final = 112
SERVICE_CHECK_MEETING: Final = 120
SERVICE_CHECK_GLOBAL: Final = 128
SERVICE_CHECK_ACCESSES: Final = 136
SERVICE_MEMORY_START: Final = 144
SERVICE_MEMORY_BYTES: Final = 152

WAITING_IDLE: Final = 0
"""Offsets in the thread's `lw_waiting`, which SERVICE_WAITING returns."""
WAITING_CHANGES: Final = 8
WAITING_THREAD: Final = (16, 20, 24)
WAITING_KNOWS_THREAD: Final = 28

GROUP_FUNCTION: Final = ty.function(ty.VOID, (ty.PTR, ty.PTR, ty.I32, ty.I32, ty.I32))
_WHERE: Final = (ty.PTR, *(ty.I32,) * 6)
TRAP: Final = ty.function(ty.VOID, _WHERE)
ASSERT: Final = ty.function(ty.VOID, (*_WHERE, ty.PTR, ty.PTR, ty.I32, ty.PTR))
ALLOCATE: Final = ty.function(ty.PTR, (ty.I64,))
RELEASE: Final = ty.function(ty.VOID, (*_WHERE, ty.PTR))
YIELD: Final = ty.function(ty.VOID, (ty.PTR,))
GRID_SYNC: Final = ty.function(ty.VOID, (ty.PTR,))
WAITING: Final = ty.function(ty.PTR, (ty.PTR,))
OWN_WARP: Final = ty.function(ty.I32, (ty.PTR, ty.PTR, *(ty.I32,) * 4))
MEET: Final = ty.function(ty.I32, (ty.PTR, ty.PTR, *(ty.I32,) * 5))
EXCHANGE: Final = ty.function(ty.I32, (ty.PTR, ty.PTR, *(ty.I32,) * 3, ty.PTR))
EXCHANGE_AT_PLACE: Final = 1 << 30
"""Flag of the operation that SERVICE_EXCHANGE is given: it is the number of an instruction."""
MEET_ARRIVES: Final = 4
"""Flags of SERVICE_MEET, beside the reduction: 0 for none, 1 for the count, 2 for and, 3 for or."""
MEET_WHOLE_WARPS: Final = 8
MEET_ONLY_WAITS: Final = 16
CHECK_FAULT: Final = ty.function(ty.VOID, (*_WHERE, ty.PTR, ty.I32, ty.I32, ty.I64))
CHECK_SHARED: Final = ty.function(
    ty.VOID, (*_WHERE, ty.PTR, ty.I32, ty.PTR, ty.I64, ty.I32, ty.I32, ty.I64, ty.I32, ty.I32)
)
CHECK_ACCESSES: Final = ty.function(ty.VOID, (ty.PTR, *(ty.I32,) * 3, ty.PTR, *(ty.I32,) * 5, ty.I64, *(ty.PTR,) * 4))
FIND_MEMORY: Final = ty.function(ty.I64, (ty.PTR, ty.PTR))
CHECK_MEETING: Final = ty.function(ty.VOID, (*_WHERE, ty.PTR, *(ty.I32,) * 4))
PRINTF: Final = ty.function(ty.I32, (ty.PTR, ty.PTR, ty.PTR))

ENTRY_SYMBOL: Final = "lw_group"
"""Name of the work-group function in a compiled object."""

VARIABLES_SYMBOL: Final = "lw_variables"
"""Name of the table of addresses of the program's variables and out-of-line functions that an object uses. It is filled
in when the object is loaded."""

FUNCTIONS_SYMBOL: Final = "lw_functions"
"""Name of the table of addresses of the out-of-line functions that an object holds."""

ARENA_MARGIN: Final = 128
"""Bytes before and after an arena that its thread may read and write, too."""

DYNAMIC_ALIGNMENT: Final = 128
"""Bytes of dynamic shared memory."""


def arena_bytes(fixed: int, per_item: int, work_items: int) -> int:
    """Bytes of a worker's arena up to dynamic shared memory, which starts there."""
    return -(-(fixed + per_item * work_items) // DYNAMIC_ALIGNMENT) * DYNAMIC_ALIGNMENT
