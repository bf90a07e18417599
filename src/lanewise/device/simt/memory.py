# SPDX-License-Identifier: Apache-2.0
"""Memory of a simulated GPU.

Addresses of the device are addresses of this process, so that lanes need no translation. But only buffers can be
accessed: each lies at the end of pages of its own, and the page behind them faults, as do all pages of the region that
no buffer has. What a buffer leaves of its pages is marked, so that writes to it are found. A buffer's pages and the
one behind them count against the capacity.
"""

from __future__ import annotations

import ctypes
import mmap
from collections import deque
from collections.abc import Sequence
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from lanewise import locks
from lanewise.device.memory import ALIGNMENT, AddressableMemory, Span
from lanewise.device.simt.bufalloc import Bufalloc
from lanewise.device.simt.capacity import shown

PAGE: Final = mmap.PAGESIZE
_NO_RESERVE: Final = 0x4000
"""MAP_NORESERVE of Linux, which the module `mmap` doesn't name."""
_NONE: Final = 0
_READ_WRITE: Final = 3
WORTH_HUGE_PAGES: Final = 4 << 20
"""Bytes from which a buffer gets huge pages, as arrays of the CPU do (`runtime/core/guarded.c`)."""
_HUGE_PAGES: Final[int | None] = getattr(mmap, "MADV_HUGEPAGE", None)
_SMALL_PAGES: Final[int | None] = getattr(mmap, "MADV_NOHUGEPAGE", None)
"""Advice of Linux alone."""
_MARK: Final = 0xA5
"""Each byte of a buffer's pages that isn't the buffer's."""
_MARKS: Final = bytes([_MARK]) * PAGE
GUARD: Final = 1 << 32
"""Bytes before and behind the region that nothing has."""


@final
class SimulatedMemory(AddressableMemory):
    """See `device.memory.DeviceMemory`. The region is reserved at the first allocation."""

    def __init__(self, capacity: int) -> None:
        self.capacity: Final = capacity
        self._lock: Final = locks.lock()
        self._region: mmap.mmap | None = None
        self._start = 0
        """Address of the region and what guards it."""
        self._chunks: Bufalloc | None = None
        self._buffers: Final[dict[int, Span]] = {}
        """Address of a chunk -> the buffer in it."""
        self._whole: Final[dict[int, NDArray[np.uint8]]] = {}
        """Address of a chunk -> the bytes of the buffer in it."""
        self._freed: Final[deque[int]] = deque()

    def allocate(self, nbytes: int, zeroed: bool) -> int:
        """New memory is all zeros, wanted or not."""
        return self.allocate_group([nbytes], zeroed)[0]

    def allocate_group(self, sizes: Sequence[int], zeroed: bool) -> list[int]:
        """The buffers are neighbours if there is room for that."""
        del zeroed
        aligned = [_rounded_up(max(nbytes, 1), ALIGNMENT) for nbytes in sizes]
        pages = [_rounded_up(size, PAGE) for size in aligned]
        with self._lock:
            chunks = self._opened()
            self._give_back(chunks)
            starts = chunks.allocate_group([each + PAGE for each in pages])
            if starts is None:
                free, largest = chunks.free_bytes, max(chunks.largest_free - PAGE, 0)
                raise MemoryError(
                    f"of the device's {shown(self.capacity)}, {free} bytes are free, and at most {largest} in one piece"
                )
            try:
                for start, length in zip(starts, pages, strict=True):
                    _protect(start, length, _READ_WRITE)
            except MemoryError:
                for start, length in zip(starts, pages, strict=True):
                    _protect(start, length, _NONE)
                    chunks.free(start)
                raise
            for start, length in zip(starts, pages, strict=True):
                if length >= WORTH_HUGE_PAGES:
                    self._advise(_HUGE_PAGES, start, length)
            for start, length, size, nbytes in zip(starts, pages, aligned, sizes, strict=True):
                buffer = self._buffers[start] = Span(start + length - size, nbytes)
                for first, end in _beside(buffer, start, start + length):
                    ctypes.memset(first, _MARK, end - first)
            return [self._buffers[start].address for start in starts]

    def free(self, address: int) -> None:
        self._freed.append(address)
        if self._lock.acquire(blocking=False):  # a finalizer may run within `allocate`: that, or the next one, does it
            try:
                self._give_back(self._opened())
            finally:
                self._lock.release()

    def free_bytes(self) -> int:
        with self._lock:
            chunks = self._opened()
            self._give_back(chunks)
            return chunks.free_bytes

    def part(self, address: int, nbytes: int) -> NDArray[np.uint8] | None:
        """At most `nbytes` bytes at an address, as a part of the whole buffer that it lies in; None if it lies in
        none."""
        with self._lock:
            chunk = self._opened().chunk_at(address)
            found = self._buffers.get(chunk.start) if chunk is not None else None
            if chunk is None or found is None or not 0 <= address - found.address < found.nbytes:
                return None
            whole = self._whole.get(chunk.start)
            if whole is None:
                whole = self._whole[chunk.start] = self.array(*found)
        return whole[address - found.address :][:nbytes]

    def nearest(self, address: int) -> Span | None:
        """The buffer closest to an address outside of all; None while there is none."""

        def distance(span: Span) -> int:
            return max(address - span.address - span.nbytes, span.address - address)

        with self._lock:
            return min(self._buffers.values(), key=distance, default=None)

    def written_beside(self, address: int) -> int | None:
        """Address of a byte beside the buffer whose chunk an address lies in that was written since it was allocated,
        or since the last call found it; None if there is none."""
        found: int | None = None
        with self._lock:
            chunk = self._opened().chunk_at(address)
            if chunk is None or chunk.start not in self._buffers:
                return None
            for first, end in _beside(self._buffers[chunk.start], chunk.start, chunk.end - PAGE):
                content = ctypes.string_at(first, end - first)
                if content != _MARKS[: end - first]:
                    found = first + next(place for place, byte in enumerate(content) if byte != _MARK)
                    ctypes.memset(first, _MARK, end - first)
        return found

    def array(self, address: int, nbytes: int) -> NDArray[np.uint8]:
        """The bytes at an address as an array of the host, for the runtime of this process alone."""
        return np.ctypeslib.as_array((ctypes.c_uint8 * nbytes).from_address(address))

    def _opened(self) -> Bufalloc:
        if self._chunks is None:
            flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NO_RESERVE
            try:
                self._region = mmap.mmap(-1, 2 * GUARD + _rounded_up(self.capacity, PAGE), flags, _NONE)
            except (OSError, OverflowError) as error:
                raise MemoryError(f"no {shown(self.capacity)} of addresses for the device's memory: {error}") from None
            self._start = int(np.frombuffer(self._region, np.uint8).__array_interface__["data"][0])
            self._chunks = Bufalloc(self._start + GUARD, self.capacity // PAGE * PAGE, greedy=False)
        return self._chunks

    def _advise(self, advice: int | None, start: int, nbytes: int) -> None:
        """Tell the system what the pages are for, if it takes such advice."""
        assert self._region is not None
        if advice is not None:
            self._region.madvise(advice, start - self._start, nbytes)

    def _give_back(self, chunks: Bufalloc) -> None:
        """Free what finalizers have listed. The pages lose their content, and fault from now on."""
        while self._freed:
            chunk = chunks.chunk_at(self._freed.popleft())
            assert chunk is not None
            del self._buffers[chunk.start]
            self._whole.pop(chunk.start, None)
            self._advise(mmap.MADV_DONTNEED, chunk.start, chunk.size)
            if chunk.size >= WORTH_HUGE_PAGES:
                self._advise(_SMALL_PAGES, chunk.start, chunk.size)
            _protect(chunk.start, chunk.size, _NONE)
            chunks.free(chunk.start)


def _beside(buffer: Span, start: int, end: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The ranges before and behind a buffer in its pages."""
    return (start, buffer.address), (buffer.address + buffer.nbytes, end)


def _rounded_up(number: int, multiple: int) -> int:
    return -(-number // multiple) * multiple


def _protect(address: int, nbytes: int, protection: int) -> None:
    """MemoryError where the system refuses."""
    if _libc().mprotect(ctypes.c_void_p(address), ctypes.c_size_t(nbytes), protection) != 0:
        raise MemoryError(f"the system grants no access to {nbytes} bytes more")


def _libc() -> Any:
    return ctypes.CDLL(None)
