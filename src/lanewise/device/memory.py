# SPDX-License-Identifier: Apache-2.0
"""Memory of devices: the protocol, and the host's memory for devices whose kernels access that."""

import ctypes
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeAlias, final, runtime_checkable

if TYPE_CHECKING:
    import numpy as np  # 80 ms, and compiling needs none
    from numpy.typing import NDArray

Bytes: TypeAlias = "NDArray[np.uint8]"
"""A contiguous array of bytes."""

ALIGNMENT: Final = 256
"""Alignment of an allocation's first byte, as cudaMalloc promises (CUDA C++ Programming Guide, "Device Memory
Accesses")."""


class Span(NamedTuple):
    """A piece of a device's memory."""

    address: int
    nbytes: int


class DeviceMemory(Protocol):
    """The memory that a device's kernels access. Addresses are the device's.

    Calls come from any thread and return when they are done; streams order them. The ranges that a call gets lie within
    allocations or variables.
    """

    def allocate(self, nbytes: int, zeroed: bool) -> int:
        """Address of new memory, a multiple of `ALIGNMENT`: all zeros, or undefined. `nbytes` may be 0. MemoryError."""
        ...

    def free(self, address: int) -> None:
        """Give back what `allocate` returned. May be called by a finalizer, at any point of any thread."""
        ...

    def free_bytes(self) -> int:
        """Bytes that nobody has, of which an allocation may take a few more than it asks for."""
        ...

    def read(self, address: int, out: Bytes) -> None:
        """Copy from the device into `out`."""
        ...

    def write(self, address: int, data: Bytes) -> None:
        """Copy `data` to the device."""
        ...

    def copy(self, destination: int, source: int, nbytes: int) -> None:
        """Copy within the device. The ranges may overlap."""
        ...

    def fill(self, address: int, nbytes: int, byte: int) -> None:
        """Set each byte of a range."""
        ...


@runtime_checkable
class GroupingMemory(Protocol):
    """A memory that keeps buffers together which come and go together."""

    def allocate_group(self, sizes: Sequence[int], zeroed: bool) -> list[int]:
        """As `allocate`, for several buffers. MemoryError, and none is allocated, if there is no room for one."""
        ...


class AddressableMemory:
    """The part of `DeviceMemory` that moves bytes, for memory whose addresses are those of this process."""

    def read(self, address: int, out: Bytes) -> None:
        ctypes.memmove(out.ctypes.data, address, out.nbytes)

    def write(self, address: int, data: Bytes) -> None:
        ctypes.memmove(address, data.ctypes.data, data.nbytes)

    def copy(self, destination: int, source: int, nbytes: int) -> None:
        ctypes.memmove(destination, source, nbytes)

    def fill(self, address: int, nbytes: int, byte: int) -> None:
        ctypes.memset(address, byte, nbytes)


@final
class HostMemory(AddressableMemory):
    """The host's memory. Buffers on it are NumPy arrays, which keep it alive; nothing else needs to be copied."""

    def __init__(self, array: Callable[[int, bool], Bytes]) -> None:
        """`array(nbytes, zeroed)` returns a new array whose first byte is at a multiple of `ALIGNMENT`. MemoryError."""
        self.array: Final = array
        self._allocated: Final[dict[int, Bytes]] = {}

    def allocate(self, nbytes: int, zeroed: bool) -> int:
        made = self.array(max(nbytes, 1), zeroed)  # one byte, so that no two allocations have one address
        address: int = made.__array_interface__["data"][0]
        self._allocated[address] = made
        return address

    def free_bytes(self) -> int:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")

    def free(self, address: int) -> None:
        del self._allocated[address]
