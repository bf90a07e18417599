# SPDX-License-Identifier: Apache-2.0
"""Allocations in a device's own memory, and arrays that stand for them on the host.

Shapes, strides, parts and views of a buffer are NumPy's to compute, which takes an array. For memory that the host
can't reach, that array is over addresses that are reserved and never accessible: only its metadata are used, and a
mistake is a fault rather than a wrong value.
"""

from __future__ import annotations

import mmap
import weakref
from collections.abc import Iterator, Sequence
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from lanewise.device.base import Device
from lanewise.device.memory import GroupingMemory

_NO_RESERVE: Final = 0x4000
"""MAP_NORESERVE of Linux, which the module `mmap` doesn't name."""


@final
class Allocation:
    """Memory of a device with memory of its own; freed with the last reference to it."""

    def __init__(self, device: Device, nbytes: int, zeroed: bool, address: int | None = None) -> None:
        """`address`: memory that is already allocated, which this takes over. MemoryError."""
        memory = device.memory
        self.device: Final = device
        self.address: Final = memory.allocate(nbytes, zeroed) if address is None else address
        weakref.finalize(self, memory.free, self.address).atexit = False
        self.layout: Final = np.asarray(_Reserved(nbytes))
        """Bytes that can't be accessed, for the metadata of arrays."""
        self._start: Final = _address(self.layout)

    @classmethod
    def group(cls, device: Device, sizes: Sequence[int]) -> list[Allocation]:
        """Allocations, not zeroed, that are made and freed together. MemoryError."""
        memory = device.memory
        if not isinstance(memory, GroupingMemory):
            return [cls(device, nbytes, zeroed=False) for nbytes in sizes]
        addresses = memory.allocate_group(sizes, zeroed=False)
        return [cls(device, nbytes, False, address) for nbytes, address in zip(sizes, addresses, strict=True)]

    def address_of(self, layout: NDArray[Any]) -> int:
        """The device's address of an array that was made from `layout`."""
        return self.address + _address(layout) - self._start

    def read(self, layout: NDArray[Any]) -> NDArray[Any]:
        """A copy of the part that `layout` describes."""
        memory, address = self.device.memory, self.address_of(layout)
        out = np.empty(layout.nbytes, np.uint8)
        for offset, place, length in runs(layout):
            memory.read(address + offset, out[place : place + length])
        return out.view(layout.dtype).reshape(layout.shape)

    def write(self, layout: NDArray[Any], values: NDArray[Any]) -> None:
        """Copy values, broadcast and converted as by `numpy.copyto`, to a part. ValueError, TypeError."""
        memory, address = self.device.memory, self.address_of(layout)
        whole = np.empty(layout.shape, layout.dtype)
        np.copyto(whole, values, "unsafe")
        data = whole.reshape(-1).view(np.uint8)
        for offset, place, length in runs(layout):
            memory.write(address + offset, data[place : place + length])

    def fill(self, layout: NDArray[Any], byte: int) -> None:
        """Set each byte of a part."""
        memory, address = self.device.memory, self.address_of(layout)
        for offset, _, length in runs(layout):
            memory.fill(address + offset, length, byte)

    def copy(self, layout: NDArray[Any], source: Allocation, of: NDArray[Any]) -> None:
        """Copy a part of `source`, which `of` describes, to a part of the same shape and dtype; from another device by
        way of the host."""
        if source.device is self.device and layout.flags.c_contiguous and of.flags.c_contiguous:
            self.device.memory.copy(self.address_of(layout), source.address_of(of), of.nbytes)
        else:
            self.write(layout, source.read(of))


@final
class _Reserved:
    """A range of addresses that nothing can be read from or written to."""

    def __init__(self, nbytes: int) -> None:
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NO_RESERVE
        try:
            reserved = mmap.mmap(-1, max(nbytes, 1), flags, 0)
        except OSError as error:
            raise MemoryError(f"no {nbytes} addresses to stand for it: {error}") from None
        self.range: Final = np.frombuffer(reserved, np.uint8)
        self.__array_interface__: Final = {
            "shape": (nbytes,), "typestr": "|u1", "data": (_address(self.range), False), "version": 3,
        }  # fmt: skip


def _address(array: NDArray[Any]) -> int:
    return int(array.__array_interface__["data"][0])


def runs(array: NDArray[Any]) -> Iterator[tuple[int, int, int]]:
    """The contiguous pieces of an array in C order: the offset of each from the array's first element, its place among
    the bytes of a contiguous copy, and its length, all in bytes. Only metadata of the array are used."""
    if not array.size:
        return
    length, axes = array.itemsize, array.ndim
    while axes and (array.shape[axes - 1] == 1 or array.strides[axes - 1] == length):
        axes -= 1
        length *= array.shape[axes]
    place = 0
    for index in np.ndindex(array.shape[:axes]):
        yield sum(i * stride for i, stride in zip(index, array.strides, strict=False)), place, length
        place += length
