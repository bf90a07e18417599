# SPDX-License-Identifier: Apache-2.0
"""What the runtime core gives to a work-group function: offsets in bytes, as `runtime/core/lanewise_rt.h` has them.

void kernel(const lw_launch *launch, char *arena, uint32_t gx, uint32_t gy, uint32_t gz)
"""

from __future__ import annotations

from typing import Final

from lanewise.ir import types as ty

LAUNCH_ARGS: Final = 0
LAUNCH_SERVICES: Final = 8
LAUNCH_GRID: Final = (24, 28, 32)

SERVICE_TRAP: Final = 0
SERVICE_ASSERT: Final = 8
SERVICE_PRINTF: Final = 16

GROUP_FUNCTION: Final = ty.function(ty.VOID, (ty.PTR, ty.PTR, ty.I32, ty.I32, ty.I32))
_WHERE: Final = (ty.PTR, *(ty.I32,) * 6)
TRAP: Final = ty.function(ty.VOID, _WHERE)
ASSERT: Final = ty.function(ty.VOID, (*_WHERE, ty.PTR, ty.PTR, ty.I32, ty.PTR))
PRINTF: Final = ty.function(ty.I32, (ty.PTR, ty.PTR, ty.PTR))

ENTRY_SYMBOL: Final = "lw_group"
"""Name of the work-group function in a compiled object."""

VARIABLES_SYMBOL: Final = "lw_variables"
"""Name of the table of addresses of the module's variables, which whoever loads the object fills in."""
