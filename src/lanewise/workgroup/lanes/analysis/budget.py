# SPDX-License-Identifier: Apache-2.0
"""A bound on the lane code of one kernel, so that the time to compile a kernel is in proportion to its size.

Most instructions of a work-item become one or two of lane code. Those that become one for each lane (volatile and
atomic accesses, functions of the host) may make a hundred each, and LLVM takes 0.1 to 0.3 ms for every one of them.
Instructions are counted, not time, so that the same kernel always gets the same code.

A region whose code would go beyond the bound is laid out again, each time for less code, as `cheaper` says; if nothing
fits, it becomes a loop over work-items. Regions whose warps run in step, and kernels with volatile warp-synchronous
code, would lose their lock-step there: they get the code that is cheapest then, however large. Kernels with operations
of the warp have no bound, nor do those whose mapping the user chose.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, final

from lanewise.workgroup.items.refusal import CannotMap
from lanewise.workgroup.lanes.analysis.plan import Plan

ALWAYS: Final = 12_000
"""Instructions that the lane code of every kernel may have: some 3 seconds of LLVM's time."""
EACH: Final = 3
"""Further instructions of lane code for each instruction of the kernel: straight-line code stays in lanes, however long
it is."""


class TooLarge(CannotMap):
    """The lane code of a region has more instructions than are left."""


@final
class Budget:
    """The instructions that the lane code of a kernel may have. `size`: instructions of the kernel; None: no bound."""

    def __init__(self, size: int | None) -> None:
        self.size: Final = size
        self._spent = 0

    @property
    def most(self) -> int | None:
        """Most instructions of all regions together."""
        return None if self.size is None else ALWAYS + EACH * self.size

    def spend(self, instructions: int) -> None:
        """Subtract the instructions of a finished region from those that are left."""
        self._spent += instructions

    def check(self, instructions: int) -> None:
        """Raise TooLarge if the code of the region at hand has more instructions than are left."""
        if self.most is not None and self._spent + instructions > self.most:
            raise TooLarge(f"its size: more than {self.most} instructions in lanes for {self.size} of a work-item")


def cheaper(plan: Plan, warps: bool) -> Iterator[tuple[Plan, bool]]:
    """Plans to try in order, and whether they get a fast version beside the careful one."""
    yield plan, True
    if not warps and plan.extent.chunks > 1:
        yield plan.of_chunks(1), True
    yield plan if warps else plan.of_chunks(1), False
