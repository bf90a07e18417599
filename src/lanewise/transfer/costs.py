# SPDX-License-Identifier: Apache-2.0
"""The model of a transfer's time, from which `transfers="auto"` chooses."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lanewise.errors import LaunchError
from lanewise.transfer.copies import StridedCopy, link_copies


@dataclass(frozen=True, slots=True)
class TransferCosts:
    """Seconds per copy of the link and per byte of it. The defaults are of PCIe 4.0 with 16 lanes.

    Blocks that aren't one in memory are gathered or scattered by the host, in staging memory, which goes over the link
    as a whole. That costs `host_copy` seconds per copy, for the call, and seconds per byte that moves: those of the
    cache lines that the blocks are in, and those of the blocks. Up to `cached` bytes are in caches, where a byte takes
    `cached_byte`; others take `memory_byte`. The defaults are fitted to `python -m bench.transfers`.
    """

    start: float = 8e-6
    per_byte: float = 1 / 22e9
    host_copy: float = 7e-6
    cached: int = 6 << 20
    cached_byte: float = 1 / 25e9
    memory_byte: float = 1 / 10e9

    def seconds(self, copies: Sequence[StridedCopy]) -> float:
        """The time of a buffer's copies in one direction."""
        made = link_copies(copies)
        total = sum(self.start + copy.bytes * self.per_byte for copy in made.direct)
        if made.staged:
            first, end = made.interval
            total += self.start + (end - first) * self.per_byte
            moved = sum(copy.bytes + copy.bytes_of_lines for copy in made.staged)
            total += len(made.staged) * self.host_copy
            total += min(moved, self.cached) * self.cached_byte + max(moved - self.cached, 0) * self.memory_byte
        return total


@dataclass(frozen=True, slots=True)
class DeviceLimits:
    """Limits of a device's resources (3.2): bytes of all buffers, of the largest, and how many there may be.

    `beside`: bytes that each buffer takes beside its own, such as what it is rounded up by.
    """

    memory: int
    largest_buffer: int | None = None
    buffers: int | None = None
    beside: int = 0

    def excess(self, sizes: Iterable[int]) -> str | None:
        """The limit that buffers of these sizes break, in words; None if they fit."""
        sizes = list(sizes)
        taken = sum(sizes) + self.beside * len(sizes)
        if taken > self.memory:
            return f"{taken} bytes in all, of {max(self.memory, 0)}"
        if self.largest_buffer is not None and max(sizes, default=0) > self.largest_buffer:
            return f"a buffer of {max(sizes)} bytes, of at most {self.largest_buffer}"
        if self.buffers is not None and len(sizes) > self.buffers:
            return f"{len(sizes)} buffers, of at most {self.buffers}"
        return None

    def check(self, sizes: Iterable[int]) -> None:
        """Raise `LaunchError` for buffers that don't fit."""
        excess = self.excess(sizes)
        if excess:
            raise LaunchError(f"the device has too little memory for one tile: {excess}")
