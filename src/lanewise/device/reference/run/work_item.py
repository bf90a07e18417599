# SPDX-License-Identifier: Apache-2.0
"""A work-item: its indices, its private memory, and what it has seen of others."""

from __future__ import annotations

from typing import Final, final

from lanewise.device.reference.memory.objects import PrivateMemory
from lanewise.device.reference.run.warp import WARP_SIZE

Triple = tuple[int, int, int]
"""x, y, z."""


@final
class WorkItem:
    """Indices of a work-item, and its private memory. The names are those of PTX's special registers."""

    __slots__ = (
        "block", "ctaid_x", "ctaid_y", "ctaid_z", "lane", "nctaid_x", "nctaid_y", "nctaid_z", "ntid_x", "ntid_y",
        "ntid_z", "number", "ordered_at", "private", "seen", "tid_x", "tid_y", "tid_z", "warp", "warps",
    )  # fmt: skip

    def __init__(
        self,
        number: int,
        thread: Triple,
        block: Triple,
        block_size: Triple,
        grid_size: Triple,
        warp_size: int = WARP_SIZE,
    ) -> None:
        self.private: Final = PrivateMemory(number)
        self.number: Final = number
        """Linear number within its group."""
        self.seen: dict[int, int] = {}
        """Number of a work-item -> the time up to which its accesses are visible to this one (`races.py`)."""
        self.ordered_at = 0
        """Time of its last atomic operation or fence."""
        self.lane: Final = number % warp_size
        self.warp: Final = number // warp_size
        self.warps: Final = -(-block_size[0] * block_size[1] * block_size[2] // warp_size)
        self.tid_x, self.tid_y, self.tid_z = thread
        self.block: Final = block
        self.ctaid_x, self.ctaid_y, self.ctaid_z = block
        self.ntid_x, self.ntid_y, self.ntid_z = block_size
        self.nctaid_x, self.nctaid_y, self.nctaid_z = grid_size
