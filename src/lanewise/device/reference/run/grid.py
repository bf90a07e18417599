# SPDX-License-Identifier: Apache-2.0
"""Interleaved execution of the work-groups of a cooperative launch, each from one grid synchronisation to the next.

There is one shared memory, whose content is swapped when another group runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Final

from lanewise.device.reference.memory.objects import Memory
from lanewise.device.reference.run.work_item import Triple
from lanewise.errors import LaunchError

MOST_WORK_ITEMS: Final = 1 << 16
"""Limit for a cooperative launch: each work-item exists from start to end and takes a few kilobytes of the
interpreter's memory."""


def check_size(kernel: str, grid: Triple, block: Triple) -> None:
    """Raise LaunchError for a grid whose work-items can't all exist at the same time."""
    if prod(grid) * prod(block) > MOST_WORK_ITEMS:
        raise LaunchError(
            f"kernel {kernel}: a cooperative launch that synchronises its grid has at most {MOST_WORK_ITEMS} "
            f"work-items on the reference device, not {prod(grid) * prod(block)}"
        )


def run_together(kernel: str, memory: Memory, groups: Sequence[Iterator[None]]) -> None:
    """Run all groups, in linear order; each yields when it waits for the others. LaunchError if one has ended."""
    memory.begin_group()
    fresh = memory.shared_content()
    content = [fresh] * len(groups)
    while True:
        waiting: list[int] = []
        for number, group in enumerate(groups):
            memory.set_shared_content(content[number])
            if _waits(group):
                waiting.append(number)
                content[number] = memory.shared_content()
        if not waiting:
            return
        if len(waiting) < len(groups):
            raise LaunchError(
                f"kernel {kernel}: {len(waiting)} of {len(groups)} work-groups wait for the grid, the others have ended"
            )


def _waits(group: Iterator[None]) -> bool:
    for _ in group:
        return True
    return False
