# SPDX-License-Identifier: Apache-2.0
"""Means of ratios."""

import math
from collections.abc import Sequence


def mean(values: Sequence[float]) -> float:
    """The geometric mean; NaN of nothing."""
    return math.exp(math.fsum(map(math.log, values)) / len(values)) if values else math.nan


def mean_without_best(values: Sequence[float], count: int) -> float:
    """The geometric mean of all but the `count` greatest."""
    return mean(sorted(values)[: max(len(values) - count, 0)])
