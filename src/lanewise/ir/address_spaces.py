# SPDX-License-Identifier: Apache-2.0
"""Numbers of the address spaces: `ptr addrspace(3)` points to shared memory.

Source: LLVM, "User Guide for NVPTX Back-end", section "Address Spaces".
"""

from __future__ import annotations

from typing import Final

GENERIC: Final = 0
"""Any memory; the hardware tells which by the address."""
GLOBAL: Final = 1
SHARED: Final = 3
"""Memory of a work-group: `__shared__`, `__local`."""
CONSTANT: Final = 4
LOCAL: Final = 5
"""Memory of a work-item: `__private`."""
SHARED_OF_CLUSTER: Final = 7
PARAMETER: Final = 101
"""Parameters of a kernel."""
