# SPDX-License-Identifier: Apache-2.0
"""The heap of device code: memory from malloc and new, which lives across launches until free or delete.

No address is used twice, so that a use of freed memory is recognised. Source: CUDA C++ Programming Guide, "Dynamic
Global Memory Allocation and Operations".
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Final, final

from lanewise.device.reference.address_windows import HEAP_WINDOW
from lanewise.device.reference.arithmetic.indeterminate import Indeterminate, Value
from lanewise.device.reference.faults import Fault
from lanewise.device.reference.memory.objects import MemoryObject, fresh_object

MAX_HEAP_BYTES: Final = 1 << 28
"""Limit on live bytes, beyond which malloc returns a null pointer."""

_ALIGNMENT: Final = 16
_GUARD: Final = 64  # unused bytes between two blocks


@final
class Heap:
    """The heap of one module; its blocks are in order of address."""

    def __init__(self) -> None:
        self._bases: Final[list[int]] = []
        self._blocks: Final[list[MemoryObject]] = []
        self._freed: Final[set[int]] = set()
        self._next = HEAP_WINDOW + _GUARD
        self._live_bytes = 0

    def allocate(self, size: Value) -> int:
        """malloc."""
        if size.__class__ is Indeterminate:
            raise Fault(f"a malloc() of a size that depends on {size.why}")
        size &= (1 << 64) - 1
        if self._live_bytes + size > MAX_HEAP_BYTES:
            return 0
        base = self._next
        self._next += -(-(size + _GUARD) // _ALIGNMENT) * _ALIGNMENT
        self._live_bytes += size
        self._bases.append(base)
        self._blocks.append(fresh_object("memory from malloc()", base, size))
        return base

    def release(self, address: Value) -> None:
        """free."""
        if address.__class__ is Indeterminate:
            raise Fault(f"a free() of an address that depends on {address.why}")
        if not address:
            return
        if address in self._freed:
            raise Fault(f"a free() of memory at {address:#x} that was freed before")
        block = self.near(address)
        if block is None or block.base != address:
            raise Fault(f"a free() of {address:#x}, which malloc() has not given")
        block.end_life()
        self._freed.add(address)
        self._live_bytes -= block.size

    def near(self, address: int) -> MemoryObject | None:
        """The last block that starts at or before an address."""
        index = bisect_right(self._bases, address) - 1
        return self._blocks[index] if index >= 0 else None

    def objects(self) -> list[MemoryObject]:
        """All blocks that were ever allocated."""
        return list(self._blocks)

    def find(self, address: int, access: str) -> MemoryObject | None:
        """The same as `near`, but a fault if the block was freed."""
        block = self.near(address)
        if block is not None and block.base in self._freed and address < block.base + block.size:
            offset = address - block.base
            raise Fault(f"a {access} at offset {offset} of {block.name} ({block.size} bytes) that was freed before")
        return block
