# SPDX-License-Identifier: Apache-2.0
"""Tiles whose copies overlap with each other's work: a tile is copied in while the one before it runs.

Needs
    1. two tiles or more
    2. room on the device for two sets of buffers
    3. no byte that one tile copies out is copied in for the next one: that would be copied too early.

When not  A buffer that is an image of an interval, or a whole array, is often copied in as a whole, with what the tile
          before has written (3).
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise, zip_longest
from math import prod
from typing import TYPE_CHECKING, Final

import numpy as np

from lanewise.transfer.copies import StridedCopy
from lanewise.transfer.costs import DeviceLimits
from lanewise.transfer.plan import NestPlan

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST_BLOCKS: Final = 1 << 16
"""Blocks of a tile's copies, above which only the intervals around them are compared."""


def set_sizes(plans: Sequence[NestPlan]) -> list[int]:
    """The sizes of buffers that each of the tiles fits into, one buffer per group."""
    sizes = [[group.size for group in plan.groups] for plan in plans]
    return [max(each) for each in zip_longest(*sizes, fillvalue=0)]


def may_overlap(plans: Sequence[NestPlan], limits: DeviceLimits) -> bool:
    """True if the tiles' copies may overlap with each other's work."""
    if len(plans) < 2:  # 1
        return False
    if limits.excess(2 * set_sizes(plans)):  # 2
        return False
    return all(  # 3
        are_disjoint(
            [copy for group in before.groups for copy in group.copies_out],
            [copy for group in after.groups for copy in group.copies_in],
        )
        for before, after in pairwise(plans)
    )


def are_disjoint(some: Sequence[StridedCopy], others: Sequence[StridedCopy]) -> bool:
    """True if no byte of the host's memory is in copies of both. What has too many blocks counts as its interval."""
    if not some or not others or not _meet(some, others):
        return True
    if max(_blocks(some), _blocks(others)) > _MOST_BLOCKS:
        return False
    starts, ends = _intervals(some)
    order = np.argsort(starts)
    starts, reached = starts[order], np.maximum.accumulate(ends[order])
    first, last = _intervals(others)
    before = np.searchsorted(starts, last)  # of `some`, those that start before each of the others ends
    return not bool(np.any((before > 0) & (reached[before - 1] > first)))


def _meet(some: Iterable[StridedCopy], others: Sequence[StridedCopy]) -> bool:
    """True if the interval around a copy overlaps that around another."""
    around = [each.host_interval() for each in others]
    return any(
        first < last_of_other and first_of_other < last
        for first, last in (each.host_interval() for each in some)
        for first_of_other, last_of_other in around
    )


def _blocks(copies: Iterable[StridedCopy]) -> int:
    return sum(prod(each.counts) for each in copies)


def _intervals(copies: Iterable[StridedCopy]) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
    """The first byte of each block, and the one after its last."""
    starts: list[NDArray[np.int64]] = []
    ends: list[NDArray[np.int64]] = []
    for each in copies:
        made = np.array([each.host], np.int64)
        for stride, count in zip(each.host_strides, each.counts, strict=True):
            made = (made[:, None] + stride * np.arange(count)).reshape(-1)
        starts.append(made)
        ends.append(made + each.block)
    return np.concatenate(starts), np.concatenate(ends)
