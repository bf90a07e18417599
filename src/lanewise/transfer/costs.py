# SPDX-License-Identifier: Apache-2.0
"""The model of a transfer's time, from which `transfers="auto"` chooses."""

from collections.abc import Iterable
from dataclasses import dataclass

from lanewise.errors import LaunchError
from lanewise.transfer.copies import StridedCopy


@dataclass(frozen=True, slots=True)
class TransferCosts:
    """Seconds per copy and per byte. The defaults are of a PCIe 4.0 link with 16 lanes; a device measures its own.

    A gathered copy costs the host's work per block and per byte, too. Rows cost the engine `row` seconds each.
    """

    start: float = 8e-6
    per_byte: float = 1 / 22e9
    row: float = 2e-8
    gathered_block: float = 1.5e-9
    gathered_byte: float = 1 / 8e9

    def seconds(self, copies: Iterable[StridedCopy]) -> float:
        """The time of the copies. All gathered ones go through one staging buffer, in one copy of the engine."""
        total, gathered = 0.0, False
        for copy in copies:
            total += copy.bytes * self.per_byte
            blocks = copy.bytes // copy.block
            if copy.method == "gather":
                gathered = True
                total += blocks * self.gathered_block + copy.bytes * self.gathered_byte
            else:
                total += self.start + (blocks * self.row if copy.method == "rows" else 0)
        return total + (self.start if gathered else 0)


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
