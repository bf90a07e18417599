# SPDX-License-Identifier: Apache-2.0
"""Windows of addresses, one per kind of memory.

Pointers are plain numbers. Arrays of the host and variables of the module keep their real addresses. Shared memory,
private variables and functions have addresses in windows that no host uses, so that the address alone identifies the
kind of object:

    SHARED_WINDOW      the work-group's shared variables: the same addresses in every group
    PRIVATE_WINDOW     each work-item's own 2**44 bytes of private variables; no address is used twice
    FUNCTION_WINDOW    functions, which have no bytes
    HEAP_WINDOW        memory from malloc; no address is used twice
"""

from __future__ import annotations

from typing import Final

SHARED_WINDOW: Final = 1 << 60
PRIVATE_WINDOW: Final = 2 << 60
FUNCTION_WINDOW: Final = 3 << 60
HEAP_WINDOW: Final = 4 << 60
WINDOW_SHIFT: Final = 60
PRIVATE_SHIFT: Final = 44

SHARED_TEST: Final = f">> {WINDOW_SHIFT} == {SHARED_WINDOW >> WINDOW_SHIFT}"
"""The end of an expression in Python that begins with an address: true if that is in shared memory."""
