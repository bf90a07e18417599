# SPDX-License-Identifier: Apache-2.0
"""The integer linear program of 4.3.4, second case: constraints 29 to 34, through SciPy's HiGHS.

Constraint 30 is for b_m and the sum of constraint 32 starts at p = k + 1: the paper's text has slips in both.
SciPy is optional: without it, or past a limit, there is no solution and the caller takes the group's interval.
"""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

MOST_UNKNOWNS = 128
"""Unknowns of a program, above which it isn't tried: larger ones are seldom solved within `MOST_SECONDS`."""
MOST_SECONDS = 0.05
"""Seconds after which the solver gives up."""


def solve(
    bases: Sequence[int],
    strides: Sequence[int],
    counts: Sequence[tuple[int, ...]],
) -> list[tuple[tuple[int, ...], int]] | None:
    """Shifts t and remainder r of each member that make the sum of u' least (33); None if none were found."""
    n, d = len(bases), len(strides)
    unknowns = 1 + n + n * d + d
    if unknowns > MOST_UNKNOWNS:
        return None
    try:
        import scipy.optimize as scipy_optimize  # pyright: ignore[reportMissingTypeStubs]  # SciPy has no types
    except ImportError:
        return None
    optimize = cast(Any, scipy_optimize)
    low = min(bases)

    def t(m: int, k: int) -> int:
        return 1 + n + m * d + k

    def u(k: int) -> int:
        return 1 + n + n * d + k

    rows: list[tuple[dict[int, int], float, float]] = []
    for m in range(n):
        equal = {0: 1, 1 + m: 1} | {t(m, k): strides[k] for k in range(d)}
        rows.append((equal, bases[m] - low, bases[m] - low))  # (30), b' counted from b_1
        rows += [({u(k): 1, t(m, k): -1}, counts[m][k], np.inf) for k in range(d)]  # (31)
    for k in range(d - 1):
        room = strides[k] - strides[-1] + sum(strides[k + 1 :])
        rows.append(({u(p): strides[p] for p in range(k + 1, d)}, -np.inf, room))  # (32)
    matrix = np.zeros((len(rows), unknowns))
    for row, (terms, _, _) in enumerate(rows):
        for column, coefficient in terms.items():
            matrix[row, column] = coefficient
    lower, upper = np.zeros(unknowns), np.full(unknowns, np.inf)
    lower[0], upper[0] = 1 - strides[0], 0  # (34)
    upper[1 : 1 + n] = strides[-1] - 1  # (29)
    objective = np.zeros(unknowns)
    objective[u(0) :] = 1  # (33)
    found = optimize.milp(
        objective,
        integrality=np.ones(unknowns),
        bounds=optimize.Bounds(lower, upper),
        constraints=optimize.LinearConstraint(matrix, [row[1] for row in rows], [row[2] for row in rows]),
        options={"time_limit": MOST_SECONDS},
    )
    if found.x is None:
        return None
    x = [round(value) for value in found.x]
    digits = [(tuple(x[t(m, k)] for k in range(d)), x[1 + m]) for m in range(n)]
    exact = all(
        x[0] + r + sum(s * c for s, c in zip(strides, shifts, strict=True)) == base - low and 0 <= r < strides[-1]
        for base, (shifts, r) in zip(bases, digits, strict=True)
    )
    return digits if exact else None  # the solver's numbers are floating-point
