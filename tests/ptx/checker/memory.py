# SPDX-License-Identifier: Apache-2.0
"""Memory of a launch: arrays far apart in 64 bits of address, pieces of blocks and threads, checks of each access.

All bytes stand in one buffer. What an access reads or writes is found by its address alone, so a wild one is noticed:
it is in no array, or not aligned.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from .formats import BITS, Lanes

_SLOT: Final = 1 << 37
"""Bytes of address space an array: 32 bits of index, times 16, stay within it."""
_WINDOW: Final = 1 << 32
_u64: Final = np.uint64


class Undefined(Exception):
    """The program does what PTX leaves undefined. The message says where and which thread."""


@dataclass(frozen=True, slots=True)
class Placed:
    """An argument: a pointer, and arrays at these distances of bytes from it, of which none need be 0."""

    parts: tuple[tuple[int, Lanes], ...]


class Fault(Exception):
    """What is wrong with the access of `lane`."""

    def __init__(self, message: str, lane: int) -> None:
        super().__init__(message)
        self.lane = lane


def root(array: Lanes) -> Lanes:
    """The array that it is a slice of."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    if not array.flags.c_contiguous:
        raise ValueError("arrays must be contiguous, or slices of such ones")
    return array


def start(array: Lanes) -> int:
    """Where its first element is, here."""
    return int(array.__array_interface__["data"][0])


class Memory:
    """`blocks` and `threads` say how many pieces of shared and of local memory there are, of these many bytes."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._slots = list(rng.permutation(np.arange(4, 260)))
        self._windows = {"shared": self._take() & -_WINDOW, "local": self._take() & -_WINDOW}
        self._segments: list[tuple[int, int, int]] = []  # address, size, place in the buffer
        self._size = 64
        self._roots: dict[int, tuple[Lanes, int, int]] = {}  # by the start of its data: array, address, place
        self._pieces: dict[str, tuple[int, int, Lanes]] = {}  # of a space: size, first place, piece of each lane
        self.views: dict[int, Lanes] = {}
        self.writers: Lanes | None = None
        """Where asked for: the lane that wrote each byte last, or -1."""

    # -- before the launch --------------------------------------------------------------------------------------

    def _take(self) -> int:
        """An address in the middle of a slot of its own."""
        return int(self._slots.pop()) * _SLOT + _SLOT // 2 + int(self._rng.integers(1 << 20)) * 256

    def _reserve(self, size: int) -> int:
        place = self._size
        self._size += size + 63 & -32  # aligned for the widest access
        return place

    def _segment(self, address: int, size: int) -> int:
        place = self._reserve(size)
        self._segments.append((address, size, place))
        return place

    def add(self, size: int) -> tuple[int, int]:
        """Address and place in the buffer of something new."""
        address = self._take()
        return address, self._segment(address, size)

    def pointer(self, argument: Lanes | Placed) -> int:
        """The address of an array of the caller; equal for the same array, and slices of one are where they are."""
        if isinstance(argument, Placed):
            base = self._take()
            for distance, part in argument.parts:
                place = self._segment(base + distance, part.nbytes)
                self._roots[start(part)] = (part, base + distance, place)
            return base
        whole = root(argument)
        known = self._roots.get(start(whole))
        if known is None:
            known = self._roots[start(whole)] = (whole, *self.add(whole.nbytes))
        return known[1] + start(argument) - start(whole)

    def private(self, space: str, size: int, piece: Lanes) -> None:
        """`size` bytes of shared or local memory for each different number in `piece`, which has one a lane."""
        stride = size + 31 & -32
        place = self._reserve(stride * (int(piece.max()) + 1) if size else 0)
        self._pieces[space] = (size, place, (piece * stride + place).astype(np.int64))

    def begin(self, trace: bool) -> None:
        """All is known: bytes get values, random ones where nothing says which."""
        content = np.frombuffer(self._rng.bytes(self._size), np.uint8).copy()
        for array, _, place in self._roots.values():
            content[place : place + array.nbytes] = array.reshape(-1).view(np.uint8)
        self._segments.sort()
        self._addresses = [address for address, _, _ in self._segments]
        self._at = np.array(self._addresses, _u64)
        self._sizes = np.array([size for _, size, _ in self._segments], _u64)
        self._places = np.array([place for _, _, place in self._segments], _u64)
        self.views = {bits // 8: content.view(raw) for bits, raw in BITS.items()}
        if trace:
            self.writers = np.full(content.size, -1, np.int32)

    def fill(self, place: int, content: bytes) -> None:
        self.views[1][place : place + len(content)] = np.frombuffer(content, np.uint8)

    # -- after it -----------------------------------------------------------------------------------------------

    def give_back(self) -> None:
        """The caller's arrays get what they hold now."""
        for array, _, place in self._roots.values():
            array.reshape(-1).view(np.uint8)[:] = self.views[1][place : place + array.nbytes]

    def writer(self, array: Lanes, index: int) -> int:
        """The lane that wrote an element of one of the caller's arrays last, by flat index; -1 if none did."""
        assert self.writers is not None
        whole = root(array)
        _, _, place = self._roots[start(whole)]
        return int(self.writers[place + start(array) - start(whole) + index * array.itemsize])

    # -- accesses -----------------------------------------------------------------------------------------------

    def window(self, space: str) -> int:
        """The generic address of offset 0 of a space."""
        return self._windows.get(space, 0)

    def places(self, space: str, address: Lanes, lanes: Lanes, width: int) -> Lanes:
        """Where in `views[width]` the accesses of `width` bytes to `address` of these lanes are. Raises Fault."""
        if (address & _u64(width - 1)).any():
            self._fail(address, lanes, (address & _u64(width - 1)) != 0, f"not a multiple of {width}")
        if space == "generic":
            for window in ("shared", "local"):
                offset = address - _u64(self._windows[window])
                within = offset < _u64(_WINDOW)
                if within.all():
                    return self._private(window, offset, lanes, width)
                if within.any():
                    found = np.empty(len(lanes), np.int64)
                    found[within] = self._private(window, offset[within], lanes[within], width)
                    found[~within] = self.places(space, address[~within], lanes[~within], width)
                    return found
        if space in self._windows:
            return self._private(space, address, lanes, width)
        return self._global(address, lanes, width)

    def _private(self, space: str, offset: Lanes, lanes: Lanes, width: int) -> Lanes:
        size, _, begins = self._pieces[space]
        if int(offset.max()) + width > size:
            self._fail(offset, lanes, offset + _u64(width) > _u64(size), f"beyond the {size} bytes of {space} memory")
        return (begins[lanes] + offset.astype(np.int64)) // width

    def _global(self, address: Lanes, lanes: Lanes, width: int) -> Lanes:
        low = int(address.min())
        segment = bisect_right(self._addresses, low) - 1
        if segment >= 0:
            begin, size, place = self._segments[segment]
            if int(address.max()) + width <= begin + size:  # the common case: all in one array
                return (address - _u64(begin) + _u64(place)) // _u64(width)
        segments = np.searchsorted(self._at, address, side="right") - 1
        offset = address - self._at[segments]
        wild = (segments < 0) | (offset + _u64(width) > self._sizes[segments])
        if wild.any():
            self._fail(address, lanes, wild, "outside any array")
        return (offset + self._places[segments]) // _u64(width)

    def _fail(self, address: Lanes, lanes: Lanes, wrong: Lanes, what: str) -> None:
        first = int(np.flatnonzero(wrong)[0])
        raise Fault(f"{int(address[first]):#x} is {what}{self._nearest(int(address[first]))}", int(lanes[first]))

    def _nearest(self, address: int) -> str:
        distances: Sequence[tuple[int, int, int]] = [
            (abs(address - begin), address - begin, size) for begin, size, _ in self._segments
        ]
        if not distances or min(distances)[0] > _SLOT // 2:
            return ""
        _, offset, size = min(distances)
        return f" (byte {offset} of an array of {size})"
