# SPDX-License-Identifier: Apache-2.0
"""Strided copies between host memory and a packed buffer, and the fastest method for each (4.5)."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Literal, NamedTuple

import numpy as np

CACHE_LINE = 64


@dataclass(frozen=True, slots=True)
class StridedCopy:
    """Blocks of `block` contiguous bytes: `counts` of them, at these strides in bytes on both sides.

    `host` is an address, `packed` an offset in the buffer. Strides are positive, largest on the host first.
    """

    host: int
    packed: int
    block: int
    host_strides: tuple[int, ...] = ()
    packed_strides: tuple[int, ...] = ()
    counts: tuple[int, ...] = ()

    @property
    def bytes(self) -> int:
        return self.block * prod(self.counts)

    def host_interval(self) -> tuple[int, int]:
        """The host's memory from the first byte to the last."""
        reach = sum(stride * (count - 1) for stride, count in zip(self.host_strides, self.counts, strict=True))
        return self.host, self.host + reach + self.block

    def packed_interval(self) -> tuple[int, int]:
        """The part of the buffer from the first byte to the last, as offsets."""
        reach = sum(stride * (count - 1) for stride, count in zip(self.packed_strides, self.counts, strict=True))
        return self.packed, self.packed + reach + self.block

    @property
    def bytes_of_lines(self) -> int:
        """Bytes of the host's cache lines that the blocks are in."""
        run, runs = self.block, 1
        for stride, count in zip(reversed(self.host_strides), reversed(self.counts), strict=True):
            if runs == 1 and stride - run < CACHE_LINE:
                run += stride * (count - 1)
            else:
                runs *= count
        return runs * -(-run // CACHE_LINE) * CACHE_LINE

    @property
    def method(self) -> Literal["contiguous", "rows", "gather"]:
        """One block; rows of blocks at a pitch, which a copy engine does alone; or elements gathered by the host.

        Rows are of at least 64 bytes, a cache line: below it the engine's transactions are larger than the rows.
        """
        if not self.counts:
            return "contiguous"
        return "rows" if self.block >= CACHE_LINE and len(self.counts) <= 2 else "gather"

    def alignment(self) -> int:
        """The largest power of two that divides all addresses and the block, at most 16 bytes."""
        value = self.block | self.host | self.packed | 16
        for stride in (*self.host_strides, *self.packed_strides):
            value |= stride
        return value & -value


MOST_DIRECT = 16
"""Copies of one block that go over the link each by itself; more are gathered as other copies are."""


class LinkCopies(NamedTuple):
    """The copies of a buffer in one direction, as they go over the link: `direct` ones each by itself, `staged` ones
    through memory of the host's that holds the part `interval` of the buffer."""

    direct: tuple[StridedCopy, ...]
    staged: tuple[StridedCopy, ...]

    @property
    def interval(self) -> tuple[int, int]:
        parts = [copy.packed_interval() for copy in self.staged]
        return min((first for first, _ in parts), default=0), max((end for _, end in parts), default=0)


def link_copies(copies: Sequence[StridedCopy]) -> LinkCopies:
    """The copies of one block, if they are few, and all others."""
    direct = tuple(copy for copy in copies if not copy.counts)
    if len(direct) > MOST_DIRECT:
        return LinkCopies((), tuple(copies))
    return LinkCopies(direct, tuple(copy for copy in copies if copy.counts))


def simplify(copy: StridedCopy) -> StridedCopy:
    """The same copy with axes of one step left out and axes that continue each other, or the block, made one."""
    axes = [a for a in zip(copy.host_strides, copy.packed_strides, copy.counts, strict=True) if a[2] != 1]
    block = copy.block
    while axes and axes[-1][0] == axes[-1][1] == block:
        block *= axes.pop()[2]
    merged: list[tuple[int, int, int]] = []
    for axis in reversed(axes):
        if merged:
            host, packed, count = merged[-1]
            if axis[0] == host * count and axis[1] == packed * count:
                merged[-1] = (host, packed, count * axis[2])
                continue
        merged.append(axis)
    merged.reverse()
    host_strides, packed_strides, counts = (tuple(axis[i] for axis in merged) for i in range(3))
    return StridedCopy(copy.host, copy.packed, block, host_strides, packed_strides, counts)


def copies_of_mask(mask: "np.ndarray[Any, np.dtype[np.bool_]]", unit: int, host: int, packed: int) -> list[StridedCopy]:
    """Copies of the marked units of an interval, at the same distance from its start on both sides.

    Runs of equal length at equal distances become one copy, twice: blocks, rows of blocks, planes of rows.
    """
    edges = np.flatnonzero(np.diff(np.concatenate(([False], mask, [False])).astype(np.int8)))
    entries: list[tuple[int, tuple[Any, ...]]] = [
        (int(first), (int(end - first),)) for first, end in zip(edges[::2], edges[1::2], strict=True)
    ]
    for _ in range(2):
        entries = _grouped(entries)
    return [_copy(start, shape, unit, host, packed) for start, shape in entries]


def _grouped(entries: Sequence[tuple[int, tuple[Any, ...]]]) -> list[tuple[int, tuple[Any, ...]]]:
    """Entries of equal shape at equal distances as one, with (stride, count) in front of the shape's axes."""
    result: list[tuple[int, tuple[Any, ...]]] = []
    index = 0
    while index < len(entries):
        start, shape = entries[index]
        end = index + 1
        if end < len(entries) and entries[end][1] == shape:
            stride = entries[end][0] - start
            while end < len(entries) and entries[end] == (start + stride * (end - index), shape):
                end += 1
            shape = (shape[0], (stride, end - index), *shape[1:])
        result.append((start, shape))
        index = end
    return result


def _copy(start: int, shape: tuple[Any, ...], unit: int, host: int, packed: int) -> StridedCopy:
    strides = tuple(stride * unit for stride, _ in shape[1:])
    counts = tuple(count for _, count in shape[1:])
    at = start * unit
    return simplify(StridedCopy(host + at, packed + at, shape[0] * unit, strides, strides, counts))
