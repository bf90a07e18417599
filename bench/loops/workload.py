# SPDX-License-Identifier: Apache-2.0
"""A workload: plain loops in Python, the data that they run on at any size, and the same by NumPy.

`bench/loops/workloads/NAME.py` holds the functions with their loops, marked by `@lw.jit`, and a `WORKLOAD` of this
module's class. The files import `lanewise` and NumPy alone, since Numba's process imports them as well (`numba_peer`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

Values = tuple[Any, ...]
"""Arguments, or results: arrays and numbers."""


@dataclass(frozen=True)
class Workload:
    """Loops with their data at any size."""

    function: Callable[..., Any]
    """The loops. Running them again on what they have written takes as long as the first time."""
    inputs: Callable[[int, np.dtype[Any]], Values]
    """Arguments by size and type of the elements, the same ones each time."""
    reference: Callable[..., Values]
    """The results by NumPy, from the arguments, which it leaves alone."""
    results: tuple[int, ...]
    """Positions of the arguments that the function writes; what it returns comes in front of them."""
    size: int
    """The size that is measured."""
    tiny: int
    """A size that Python runs in a moment."""
    shown: str
    """The measured size in words: "4096 x 4096"."""
    dtypes: tuple[str, ...] = ("float64",)
    """Types of the elements that are measured."""
    tolerance: float = 1e-12
    """Greatest error in double precision, relative to the greatest magnitude of a result; 0: equal to the bit."""
    differing: float = 0.0
    """Share of the elements that may differ by more: if rounding decides how often a loop runs."""
    natural: bool = True
    """True if the reference is what NumPy's users would write, so that its time is worth comparing."""


class Case(NamedTuple):
    """A workload on elements of one type."""

    name: str
    workload: Workload
    dtype: np.dtype[Any]

    def arguments(self, size: int) -> Values:
        return self.workload.inputs(size, self.dtype)

    def written(self, returned: Any, arguments: Values) -> Values:
        """The results of a call: what was returned, if anything, and what was written."""
        first = () if returned is None else returned if isinstance(returned, tuple) else (returned,)
        return (*first, *(arguments[place] for place in self.workload.results))

    def difference(self, found: Values, expected: Values) -> str:
        """The places where they differ by more than the tolerance allows; empty if nowhere."""
        for place, (ours, theirs) in enumerate(zip(found, expected, strict=True)):
            wrong = _difference(np.asarray(ours), np.asarray(theirs), self._tolerance, self.workload.differing)
            if wrong:
                return f"result {place}: {wrong}"
        return ""

    @property
    def _tolerance(self) -> float:
        """Single precision has 2**29 times the error of double precision."""
        return self.workload.tolerance * (2.0**29 if self.dtype == np.float32 else 1.0)


def cases(workload: str) -> list[Case]:
    """The cases of a workload by its name; those of several types have the type behind a colon."""
    found: Workload = import_module(f"bench.loops.workloads.{workload}").WORKLOAD
    many = len(found.dtypes) > 1
    return [Case(f"{workload}:{each}" if many else workload, found, np.dtype(each)) for each in found.dtypes]


def names() -> list[str]:
    """All workloads, in the order of the table."""
    return list(import_module("bench.loops.workloads").NAMES)


def all_cases() -> list[Case]:
    return [case for name in names() for case in cases(name)]


def case(name: str) -> Case:
    """The case of a name such as "heat" or "matmul:float32"."""
    return next(each for each in cases(name.partition(":")[0]) if each.name == name)


def _difference(found: np.ndarray[Any, Any], expected: np.ndarray[Any, Any], tolerance: float, differing: float) -> str:
    if found.shape != expected.shape:
        return f"shape {found.shape}, not {expected.shape}"
    error = np.abs(found.astype(np.float64) - expected.astype(np.float64))
    error = np.where(np.isnan(error), np.inf, error)
    wrong = error > tolerance * np.abs(expected.astype(np.float64)).max(initial=0.0)
    count = np.count_nonzero(wrong)
    if count <= differing * wrong.size:
        return ""
    worst = np.unravel_index(int(error.argmax()), error.shape)
    at = tuple(map(int, worst))
    return f"{count} of {wrong.size} differ, most at {at}: {found[worst]}, not {expected[worst]}"
