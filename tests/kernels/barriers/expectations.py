# SPDX-License-Identifier: Apache-2.0
"""What the expectations of barrier kernels are written with: arrays of a row a group, a column a work-item."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..case import Arguments, Launch

Rows = NDArray[Any]


def inputs(launch: Launch, given: Arguments) -> Rows:
    """The array `in`, by group; a copy."""
    return launch.by_group(given["in"]).copy()


def after(values: Rows, by: int = 1) -> Rows:
    """What each work-item finds `by` places after its own, round the group."""
    return np.roll(values, -by, axis=1)


def mirrored(values: Rows) -> Rows:
    """What each work-item finds at the place opposite to its own."""
    return values[:, ::-1]


def items(launch: Launch) -> Rows:
    """The work-items' indices within their group, in one row."""
    return np.arange(launch.items, dtype=np.uint32)[None, :]


def each_group(launch: Launch, given: Arguments, compute: Callable[[int, Rows], Rows]) -> Rows:
    """Stacks what `compute` makes of each group's index and inputs (one row, so that rolls work on axis 1)."""
    values = inputs(launch, given)
    return np.concatenate([compute(group, values[group : group + 1]) for group in range(launch.groups)])
