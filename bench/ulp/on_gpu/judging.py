# SPDX-License-Identifier: Apache-2.0
"""Judges results that a GPU computed, by MPFR."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...gpu.timing.records import record
from .. import hardware, points
from ..judge import Judge, Outcome
from ..table import Row, rows
from . import sources


class Found(NamedTuple):
    """A function, and what was found out about it. `cuda`: the greatest error of CUDA's own, if that was computed."""

    row: Row
    outcome: Outcome
    cuda: float | None = None


def outcomes(folder: Path) -> Iterator[Found]:
    """The outcome of each function. Of those of one float, the GPU knows the worst result, and some that are wrong in
    kind if there are such, beside CUDA's function in double precision; all these are judged again."""
    by_name = {row.name: row for row in rows()}
    floats = record(folder / "floats.json", "floats", "what `play` writes")["floats"]
    theirs = {each["name"]: each for each in floats if each["by"] == "floats-by-nvcc"}
    for each in floats:
        if each["by"] == "floats":
            row = by_name[each["name"]]
            outcome, cuda = _of_floats(row, each), _of_floats(row, theirs[row.name])
            yield Found(row, outcome, cuda.ulp.error)
    arrays = np.load(folder / "points.npz")
    for row in sources.at_points():
        got, done, pieces = arrays[row.name], 0, []
        for columns in points.chunks(row, sources.POINTS):
            pieces.append((columns, got[done : done + len(columns[0])]))
            done += len(columns[0])
        yield Found(row, _judged(row, pieces))


def exceeded(row: Row, outcome: Outcome) -> bool:
    """True where the worst result is beyond CUDA's bound."""
    return hardware.exceeded(row, outcome) is not None


def _of_floats(row: Row, found: Mapping[str, Any]) -> Outcome:
    at, got = (np.array([float.fromhex(each) for each in found[key]], np.float32) for key in ("at", "got"))
    outcome = _judged(row, [([at], got)])
    all_judged = found["wrong"] < len(at)  # beside the worst
    return outcome._replace(points=1 << 32, wrong_count=outcome.wrong_count if all_judged else found["wrong"])


def _judged(row: Row, pieces: list[Any]) -> Outcome:
    judge = Judge(row)
    for columns, got in pieces:
        judge.add([np.ascontiguousarray(each) for each in columns], np.ascontiguousarray(got))
    return judge.outcome
