# SPDX-License-Identifier: Apache-2.0
"""Overlap between the arrays of a launch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.lib.array_utils import byte_bounds
from numpy.typing import NDArray


def are_apart(arrays: Sequence[object], written: Sequence[int]) -> bool:
    """True if no array whose number is in `written` overlaps another array. Only addresses are compared: memory that is
    mapped twice is not seen. A view counts as the whole array that it is part of, since a kernel may access memory
    beside the view. Other arguments count as empty: code that relies on `written` reads no textures."""
    extents = [_extent(cast("NDArray[Any]", each)) if isinstance(each, np.ndarray) else (0, 0) for each in arrays]
    for number in written:
        start, end = extents[number]
        for other, (first, last) in enumerate(extents):
            if other != number and start < last and first < end:
                return False
    return True


def _extent(array: NDArray[Any]) -> tuple[int, int]:
    """Start and end addresses of the memory that an array is part of. Arrays may have negative strides, or gaps between
    their rows."""
    start = array.__array_interface__["data"][0]
    end = start + array.nbytes  # arguments are contiguous
    while isinstance(array.base, np.ndarray):
        array = array.base
        first, last = byte_bounds(array)
        start, end = min(start, first), max(end, last)
    return start, end
