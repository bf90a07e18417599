# SPDX-License-Identifier: Apache-2.0
"""Whether the arrays of a launch overlap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray


def are_apart(arrays: Sequence[object], written: Sequence[int]) -> bool:
    """The memory of the arrays with the numbers in `written` has nothing in common with that of any other one. All of
    the memory that an array was made as a part of counts: a kernel may well look beside the part that it was given."""
    extents = [_extent(cast("NDArray[Any]", each)) if isinstance(each, np.ndarray) else (0, 0) for each in arrays]
    for number in written:
        start, end = extents[number]
        for other, (first, last) in enumerate(extents):
            if other != number and start < last and first < end:
                return False
    return True


def _extent(array: NDArray[Any]) -> tuple[int, int]:
    """The first address of the memory that an array is part of, and that behind it."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    start = array.__array_interface__["data"][0]
    return start, start + array.nbytes
