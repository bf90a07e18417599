# SPDX-License-Identifier: Apache-2.0
"""Bufalloc: an allocator for few large buffers in one region of addresses.

Why
    The buffers of kernels are large, live long, and come and go in groups: the arguments of a kernel are allocated by
    successive calls, and freed likewise. So neighbours in time are made neighbours in memory, which keeps what is free
    in few pieces. The allocator never touches the memory itself, which may be a device's.

Method
    The region is a list of chunks in the order of their addresses, each free or allocated. A request is served by the
    first free chunk that is large enough; what it doesn't need becomes a free chunk behind it. The last chunk holds all
    that was never allocated. In *greedy* mode a request is served from there as long as it has room, so that successive
    requests get successive addresses. A chunk that is freed is joined with its free neighbours.
    A whole group of buffers, such as the arguments of one kernel, is served as one request and then cut up, so that it
    leaves one free piece when it goes. If no chunk holds the group, its buffers are served one by one.

Source
    pocl (Jääskeläinen et al., 2014), section 3, "Bufalloc".
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Final, NamedTuple, final


class Chunk(NamedTuple):
    """A piece of the region; `end` is behind its last byte."""

    start: int
    end: int
    allocated: bool

    @property
    def size(self) -> int:
        return self.end - self.start


@final
class Bufalloc:
    """The chunks of one region. Not for several threads at once."""

    def __init__(self, start: int, size: int, greedy: bool = True) -> None:
        self.greedy: Final = greedy
        self._chunks: Final = [Chunk(start, start + size, False)]

    @property
    def free_bytes(self) -> int:
        return sum(chunk.size for chunk in self._chunks if not chunk.allocated)

    @property
    def largest_free(self) -> int:
        """The largest request that can be served."""
        return max((chunk.size for chunk in self._chunks if not chunk.allocated), default=0)

    @property
    def chunks(self) -> tuple[Chunk, ...]:
        """All chunks in the order of their addresses."""
        return tuple(self._chunks)

    def allocate(self, size: int) -> int | None:
        """Address of a new chunk of `size` bytes, at least 1; None if no free chunk is large enough."""
        number = self._place_for(size)
        if number is None:
            return None
        start, end, _ = self._chunks[number]
        rest = [Chunk(start + size, end, False)] if start + size < end else []
        self._chunks[number : number + 1] = [Chunk(start, start + size, True), *rest]
        return start

    def allocate_group(self, sizes: Sequence[int]) -> list[int] | None:
        """Addresses of new chunks of `sizes` bytes, neighbours in this order if one free chunk holds them all. None,
        and nothing is allocated, if there is no room for one of them."""
        number = self._place_for(sum(sizes)) if sizes else None
        if number is not None:
            start, end, _ = self._chunks[number]
            edges = list(accumulate(sizes, initial=start))
            rest = [Chunk(edges[-1], end, False)] if edges[-1] < end else []
            self._chunks[number : number + 1] = [*(Chunk(a, b, True) for a, b in pairwise(edges)), *rest]
            return edges[:-1]
        found: list[int] = []
        for size in sizes:
            address = self.allocate(size)
            if address is None:
                for each in found:
                    self.free(each)
                return None
            found.append(address)
        return found

    def free(self, address: int) -> None:
        """Give back the chunk that starts at `address`. KeyError if no allocated one does."""
        number = self._number_at(address)
        chunk = self._chunks[number]
        if chunk.start != address or not chunk.allocated:
            raise KeyError(f"no chunk was allocated at {address:#x}")
        first, last = number, number + 1
        if first > 0 and not self._chunks[first - 1].allocated:
            first -= 1
        if last < len(self._chunks) and not self._chunks[last].allocated:
            last += 1
        self._chunks[first:last] = [Chunk(self._chunks[first].start, self._chunks[last - 1].end, False)]

    def chunk_at(self, address: int) -> Chunk | None:
        """The chunk that an address of the region is in; None for another address."""
        chunk = self._chunks[self._number_at(address)]
        return chunk if chunk.start <= address < chunk.end else None

    def _place_for(self, size: int) -> int | None:
        last = len(self._chunks) - 1
        if self.greedy and self._can_hold(last, size):
            return last
        return next((number for number in range(last + 1) if self._can_hold(number, size)), None)

    def _can_hold(self, number: int, size: int) -> bool:
        chunk = self._chunks[number]
        return not chunk.allocated and chunk.size >= size

    def _number_at(self, address: int) -> int:
        """Number of the last chunk that starts at or before `address`; 0 without one."""
        return max(bisect_right(self._chunks, address, key=lambda chunk: chunk.start) - 1, 0)
