# SPDX-License-Identifier: Apache-2.0
"""The tables in docs/mathematics.md: a line a function, replaced when that is measured anew."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Final

from .judge import Outcome
from .speed import Speed
from .table import CORRECTLY_ROUNDED, Row, rows

DOCUMENT: Final = Path(__file__).parent.parent.parent / "docs" / "mathematics.md"
_HEADING: Final = (
    "| function | points | ulp | at | OpenCL | CUDA | loop | scalar | libm |\n"
    "| --- | --: | --: | --- | --: | --: | --: | --: | --: |\n"
)
_ON_GPU_HEADING: Final = (
    "| on an H100 | points | ulp | at | CUDA | CUDA's own |\n| --- | --: | --: | --- | --: | --: |\n"
)
_HARDWARE_HEADING: Final = "| on a GPU | points | ulp | at | CUDA |\n| --- | --: | --: | --- | --: |\n"


def update(row: Row, outcome: Outcome, speed: Speed) -> None:
    """Put the row's line into the document, which appears whole."""
    _put(_HEADING, row, _line(row, outcome, speed))


def update_hardware(row: Row, outcome: Outcome, exceeded: bool) -> None:
    """The same for a function in the form for GPUs."""
    _put(_HARDWARE_HEADING, row, _line_by_cuda(row, outcome, exceeded))


def update_on_gpu(row: Row, outcome: Outcome, exceeded: bool, own: float | None) -> None:
    """The same for what a GPU computed. `own`: the greatest error of CUDA's function there."""
    shown = "" if own is None else f"{own:.3f}"
    _put(_ON_GPU_HEADING, row, f"{_line_by_cuda(row, outcome, exceeded)} {shown} |")


def _line_by_cuda(row: Row, outcome: Outcome, exceeded: bool) -> str:
    cuda = "" if row.cuda is None else _bound(row.cuda, math.inf if exceeded else 0)
    return f"| {' | '.join([*_found(row, outcome), cuda])} |"


def _put(table_heading: str, row: Row, new_line: str) -> None:
    text = DOCUMENT.read_text()
    before, heading, rest = text.partition(table_heading)
    if not heading:
        raise SystemExit(f"{DOCUMENT.name} has lost its table")
    table, end, after = f"\n{rest}".partition("\n\n")  # an empty table, too
    lines = {line.split("|")[1].strip(" `"): line for line in table.splitlines() if line}
    lines[row.name] = new_line
    order = {each.name: place for place, each in enumerate(rows())}
    kept = sorted((name for name in lines if name in order), key=order.__getitem__)
    new = before + heading + "\n".join(lines[name] for name in kept) + (end + after if end else "\n")
    unfinished = DOCUMENT.with_suffix(f".{os.getpid()}")
    unfinished.write_text(new)
    unfinished.replace(DOCUMENT)


def _line(row: Row, outcome: Outcome, speed: Speed) -> str:
    worst = outcome.ulp
    cells = [
        *_found(row, outcome),
        _bound(row.opencl, worst.error),
        _bound(row.cuda, worst.error),
        *("" if nanoseconds is None else f"{nanoseconds:.2f}" for nanoseconds in speed),
    ]
    return f"| {' | '.join(cells)} |"


def _found(row: Row, outcome: Outcome) -> list[str]:
    """Function, points, error, and where it is."""
    worst = outcome.ulp
    error = f"{worst.error:.3f}" if worst.error else "0"
    if outcome.wrong_count:
        error += f", {outcome.wrong_count} wrong"
    if outcome.absolute.error:
        error += f"; {outcome.absolute.error:.1e} absolute"
    return [
        f"`{row.name}`",
        "all" if outcome.points >= 1 << 32 else f"{outcome.points:,}",
        error,
        ", ".join(f"`{argument.hex()}`" for argument in worst.arguments) if worst.error else "",
    ]


def _bound(bound: float | None, error: float) -> str:
    if bound is None:
        return ""
    words = "exact" if bound == CORRECTLY_ROUNDED else f"{bound:g}"
    return f"**{words}**" if error > bound else words
