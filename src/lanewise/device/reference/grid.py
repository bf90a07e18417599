# SPDX-License-Identifier: Apache-2.0
"""Runs the work-groups of a cooperative launch in turns, each from one meeting of the whole grid to the next.

There is one shared memory, whose content is changed with the group that runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Final

from lanewise.device.reference.machine import Triple
from lanewise.device.reference.memory import Memory
from lanewise.errors import LaunchError

MOST_WORK_ITEMS: Final = 1 << 16
"""Of a cooperative launch: each is there from the beginning to the end, with a few kilobytes of the interpreter's."""


def check_size(kernel: str, grid: Triple, block: Triple) -> None:
    """LaunchError for a grid that is too large to be there as a whole."""
    if prod(grid) * prod(block) > MOST_WORK_ITEMS:
        raise LaunchError(
            f"kernel {kernel}: a cooperative launch that synchronises its grid has at most {MOST_WORK_ITEMS} "
            f"work-items on the reference device, not {prod(grid) * prod(block)}"
        )


def run_together(kernel: str, memory: Memory, groups: Sequence[Iterator[None]]) -> None:
    """Run all groups, in linear order; each yields where it waits for the others. LaunchError where one has ended."""
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
