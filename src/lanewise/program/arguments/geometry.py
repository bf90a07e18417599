# SPDX-License-Identifier: Apache-2.0
"""Grids and blocks: what the user writes, checked.

Limits: CUDA Programming Guide, "Compute Capabilities". OpenCL leaves them to the device; here they are for OpenCL C as
large as Intel's on CPUs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import index
from typing import Final

from lanewise.device.base import Extent
from lanewise.errors import LaunchTypeError, LaunchValueError
from lanewise.workgroup.layout import local_size

Size = int | Sequence[int]
"""An extent as written: one number, or up to three for x, y, z."""

MAX_GRID: Final = (2**31 - 1, 65535, 65535)
MAX_BLOCK: Final = (1024, 1024, 64)
MAX_WORK_ITEMS: Final = 1024
MAX_LARGE_BLOCK: Final = (local_size.MAX_WORK_ITEMS, local_size.MAX_WORK_ITEMS, local_size.MAX_WORK_ITEMS)
MAX_LARGE_WORK_ITEMS: Final = local_size.MAX_WORK_ITEMS
DEFAULT_BLOCK: Final = (256, 1, 1)
"""Local size for which text of the CPU's stages is shown if the caller names none."""


def grid_extent(size: Size) -> Extent:
    """Work-groups along x, y, z. LaunchError if there are none or too many."""
    return _checked("grid", size, MAX_GRID)


def block_extent(size: Size, what: str = "block", *, large: bool = False) -> Extent:
    """Work-items of a group along x, y, z. LaunchError, which calls it `what`, if there are none or too many.
    `large`: the limits are those of OpenCL C."""
    limits, most = (MAX_LARGE_BLOCK, MAX_LARGE_WORK_ITEMS) if large else (MAX_BLOCK, MAX_WORK_ITEMS)
    block = _checked(what, size, limits)
    total = block[0] * block[1] * block[2]
    if total > most:
        raise LaunchValueError(f"{what} {_shown(block)} has {total} work-items; a work-group has at most {most}")
    return block


def _checked(what: str, size: Size, limits: Extent) -> Extent:
    numbers = numbers_of(what, size)
    for axis, number, limit in zip("xyz", numbers, limits, strict=False):
        if not 1 <= number <= limit:
            raise LaunchValueError(f"{what} {_shown(numbers)}: {axis} must be 1 to {limit}, not {number}")
    x, y, z = (*numbers, 1, 1)[:3]
    return x, y, z


def numbers_of(what: str, size: object) -> tuple[int, ...]:
    """The one to three numbers of an extent as written. LaunchError, which calls it `what`, for anything else."""
    given: Iterable[object] = size if isinstance(size, Iterable) and not isinstance(size, str) else (size,)  # pyright: ignore[reportUnknownVariableType] : elements are checked one by one
    try:
        numbers = tuple(index(number) for number in given)  # pyright: ignore[reportArgumentType] : index() refuses the rest
    except TypeError:
        raise LaunchTypeError(f"{what} {size!r}: expected an int or a tuple of 1 to 3 ints") from None
    if not 1 <= len(numbers) <= 3:
        raise LaunchValueError(f"{what} {_shown(numbers)}: expected an int or 1 to 3 of them, for x, y, z")
    return numbers


def _shown(numbers: Sequence[int]) -> str:
    return "(" + ", ".join(map(str, numbers)) + ")"
