# SPDX-License-Identifier: Apache-2.0
"""The interface of a mapping that makes a region's code other than by loops over work-items, such as to lanes."""

from __future__ import annotations

from typing import Protocol

from lanewise.ir.builder import Builder
from lanewise.workgroup.items.item_code import ItemCode


class RegionMapper(Protocol):
    """A mapping of one kernel's regions."""

    @property
    def required(self) -> bool:
        """The kernel has operations of the warp, which loops over work-items can't do."""
        ...

    def takes(self, in_step: bool) -> bool:
        """Return whether a region is to be mapped. `in_step`: its warps are to run in step."""
        ...

    def map(self, item: ItemCode, before: Builder, in_step: bool) -> tuple[Builder, list[str]]:
        """Put code for all work-items into the function, entered from `before`. Returns the place after it, and remarks
        on the choice and its costs.

        `in_step`: each warp makes one access after the other. CannotMap leaves code that does the same as before.
        """
        ...
