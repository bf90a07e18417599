# SPDX-License-Identifier: Apache-2.0
"""What MPFR says of results that a GPU computed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from .. import hardware, points
from ..judge import Judge, Outcome
from ..table import Row, rows
from . import sources


def outcomes(folder: Path) -> Iterator[tuple[Row, Outcome, int]]:
    """Of each function: row, outcome and how many points were looked at. Of functions of one float, the worst is
    judged again; the number of results that are wrong in kind is the GPU's."""
    by_name = {row.name: row for row in rows()}
    for each in json.loads((folder / "floats.json").read_text())["floats"]:
        row = by_name[each["name"]]
        at, got = (np.array([float.fromhex(each[key])], np.float32) for key in ("at", "got"))
        outcome = _judged(row, [([at], got)])
        yield row, outcome._replace(wrong_count=each["wrong"]), 1 << 32
    arrays = np.load(folder / "points.npz")
    for row in sources.at_points():
        got, done, pieces = arrays[row.name], 0, []
        for columns in points.chunks(row, sources.POINTS):
            pieces.append((columns, got[done : done + len(columns[0])]))
            done += len(columns[0])
        yield row, _judged(row, pieces), done


def exceeded(row: Row, outcome: Outcome) -> bool:
    """True where the worst result is beyond CUDA's bound."""
    return hardware.exceeded(row, outcome) is not None


def _judged(row: Row, pieces: list[Any]) -> Outcome:
    judge = Judge(row)
    for columns, got in pieces:
        judge.add([np.ascontiguousarray(each) for each in columns], np.ascontiguousarray(got))
    return judge.outcome
