# SPDX-License-Identifier: Apache-2.0
"""Whether two peers computed the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .problem import Array, Problem


def difference(problem: Problem, results: Sequence[Array], expected: Sequence[Array]) -> str:
    """What is wrong with the results; empty where nothing is."""
    for place, found, wanted in zip(problem.results, results, expected, strict=True):
        found, wanted = found.reshape(-1).astype(np.float64), wanted.reshape(-1).astype(np.float64)
        greatest = np.abs(wanted).max()
        errors = np.abs(found - wanted)
        wrong = ~(errors <= problem.tolerance * greatest)  # NaN is wrong, too
        if np.count_nonzero(wrong) > problem.differing * wrong.size:
            where = int(np.argmax(np.where(np.isnan(errors), np.inf, errors)))
            share = np.count_nonzero(wrong) / wrong.size
            return (
                f"argument {place}: {share:.2%} of the elements differ, most at {where}: "
                f"{found[where]:.9g}, not {wanted[where]:.9g}"
            )
    return ""
