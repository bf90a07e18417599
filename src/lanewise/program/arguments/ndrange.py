# SPDX-License-Identifier: Apache-2.0
"""Launches in OpenCL's terms: global size, local size and offset, each in work-items.

Source: The OpenCL Specification 1.2, clEnqueueNDRangeKernel; for local sizes that don't divide the global size, 2.0.
"""

import functools
from typing import Final, NamedTuple

from lanewise.device.base import Extent
from lanewise.errors import LaunchValueError
from lanewise.frontend.signature import LaunchBounds
from lanewise.program.arguments.geometry import Size, block_extent, numbers_of

WANTED: Final = 256
"""Work-items of a work-group whose size the caller doesn't name: enough for all lanes, and few enough for memory."""
LEAST: Final = 32
"""Fewer along x than a warp has, and work-groups of unequal size are the lesser evil."""
_MAX_GROUPS: Final = 2**31 - 1


class Range(NamedTuple):
    """Work-groups and work-items a group, as launches count them; `offset` and `size` of the whole range in
    work-items; `dimensions` is how many numbers it was written with. `is_plain`: no offset, and all work-groups of one
    size."""

    groups: Extent
    local: Extent
    offset: Extent
    size: Extent
    dimensions: int

    @property
    def is_plain(self) -> bool:
        return not any(self.offset) and all(
            groups * local == size for groups, local, size in zip(self.groups, self.local, self.size, strict=True)
        )

    @property
    def apparent_dimensions(self) -> int:
        """As far as sizes tell."""
        return 3 if self.size[2] > 1 else 2 if self.size[1] > 1 else 1


def ndrange(
    name: str,
    global_size: Size,
    local_size: Size | None,
    offset: Size | None,
    bounds: LaunchBounds,
    *,
    may_be_uneven: bool,
) -> Range:
    """The range of a launch of kernel `name`. `may_be_uneven`: the last work-groups may be smaller than the others.
    LaunchError for sizes that can't be."""
    size, dimensions = _extent(f"kernel {name}: global size", global_size, 1)
    start, _ = _extent(f"kernel {name}: offset", 0 if offset is None else offset, 0)
    if local_size is None:
        local = bounds.block or _chosen(size, bounds.max_work_items or WANTED, may_be_uneven, bounds.goes_along_y)
    else:
        local = block_extent(local_size, f"kernel {name}: local size", large=bounds.has_large_groups)
    x, y, z = (-(-whole // part) for whole, part in zip(size, local, strict=True))
    if max(x, y, z) > _MAX_GROUPS:
        raise LaunchValueError(
            f"kernel {name}: global size {size} has more than {_MAX_GROUPS} work-groups along an axis"
        )
    fault = bounds.fault((x, y, z), local, "local size")
    if fault is not None:
        raise LaunchValueError(f"kernel {name}: {fault}")
    return Range((x, y, z), local, start, size, dimensions)


def _extent(what: str, given: Size, least: int) -> tuple[Extent, int]:
    """The extent that was written, and with how many numbers."""
    numbers = numbers_of(what, given)
    if not all(least <= number < 1 << 63 for number in numbers):
        raise LaunchValueError(f"{what} {given!r}: each must be {least} or more")
    x, y, z = (*numbers, least, least)[:3]
    return (x, y, z), len(numbers)


@functools.lru_cache(maxsize=256)
def _chosen(size: Extent, most: int, may_be_uneven: bool, along_y: bool) -> Extent:
    """A local size for the range: as many work-items along x as divide it, then along y and z; along y first if there
    is reason to, and enough are there."""
    left = most
    local = [1, 1, 1]
    first, second = (1, 0) if along_y and size[1] >= LEAST else (0, 1)
    for axis in (first, second, 2):
        extent = size[axis]
        part = _largest_divisor(extent, min(left, 64 if axis == 2 else 1024))
        if axis == first and part < min(LEAST, extent) and may_be_uneven:
            part = min(left, extent)
        local[axis] = part
        left //= part
    return local[0], local[1], local[2]


def _largest_divisor(number: int, most: int) -> int:
    return next(part for part in range(min(number, most), 0, -1) if number % part == 0)
