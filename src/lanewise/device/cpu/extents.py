# SPDX-License-Identifier: Apache-2.0
"""Whether the arrays of a launch overlap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.lib.array_utils import byte_bounds
from numpy.typing import NDArray


def are_apart(arrays: Sequence[object], written: Sequence[int]) -> bool:
    """The memory of the arrays with the numbers in `written` has nothing in common with that of any other one, by its
    addresses: memory that is mapped twice is not seen. Of an array that is part of another one, all of that counts: a
    kernel may well look beside the part that it was given. Other arguments count as nothing: code that looks at
    `written` reads no textures."""
    extents = [_extent(cast("NDArray[Any]", each)) if isinstance(each, np.ndarray) else (0, 0) for each in arrays]
    for number in written:
        start, end = extents[number]
        for other, (first, last) in enumerate(extents):
            if other != number and start < last and first < end:
                return False
    return True


def _extent(array: NDArray[Any]) -> tuple[int, int]:
    """The first address of the memory that an array is part of, and that behind it. Arrays may go downwards, or leave
    out what lies between their rows."""
    start = array.__array_interface__["data"][0]
    end = start + array.nbytes  # arguments are contiguous
    while isinstance(array.base, np.ndarray):
        array = array.base
        first, last = byte_bounds(array)
        start, end = min(start, first), max(end, last)
    return start, end
