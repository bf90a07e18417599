# SPDX-License-Identifier: Apache-2.0
"""docs/cpu.md and docs/cpu.png: what is measured beside the comparison, and how all of it gets there."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from . import chart, machine, report
from .compile_times import compile_times
from .environment import ROOT
from .measure import Outcome, measure
from .problem import kernel, names
from .roofline import Roofline
from .workers import Worker

_DOCUMENT: Final = ROOT / "docs" / "cpu.md"
_CHART: Final = ROOT / "docs" / "cpu.png"
_BEGIN, _END = "<!-- what make bench measured -->\n", "<!-- end of what make bench measured -->\n"
_LARGE: Final = {"saxpy": 128 << 20, "stencil": 11584, "transpose": 11584}
"""Sizes at which two arrays are a GiB."""
_MAPPINGS: Final = ("loop", "lanes")
_COMPILATIONS: Final = 3


def limits(outcomes: Sequence[Outcome], ours: Worker, threads: int, runs: int, folder: Path) -> str:
    """How near kernels come to what the machine can do, at their size and with a GiB of data."""
    roofline = Roofline(threads, folder)
    large = [measure(name, kernel(name), size, [ours], runs, folder) for name, size in _LARGE.items()]
    measured = [outcome for outcome in outcomes if outcome.name in _LARGE] + large
    bandwidths = {size: roofline.bandwidth(size) for size in sorted({_size(each) for each in measured})}
    multiply_adds = roofline.multiply_adds()
    rows = [(each, _nbytes(each), each.problem.nbytes / bandwidths[_size(each)].best) for each in measured]
    for each in outcomes:
        if each.problem.flops:
            rows.append((each, _nbytes(each), each.problem.flops / multiply_adds))
    print(shown := report.limits(bandwidths.values(), multiply_adds, machine.last_level_cache(), rows), flush=True)
    return shown


def _nbytes(outcome: Outcome) -> int:
    return sum(each.nbytes for each in outcome.problem.arguments if isinstance(each, np.ndarray))


def _size(outcome: Outcome) -> int:
    """The power of two at which bandwidth is measured for the outcome."""
    return 1 << round(math.log2(_nbytes(outcome)))


def compiling(mapping: str, threads: int, folder: Path) -> str:
    times = [compile_times(name, mapping, _MAPPINGS, threads, _COMPILATIONS, folder) for name in names()]
    print(shown := report.compiling(times, _MAPPINGS), flush=True)
    return shown


def write(conditions: str, sections: Sequence[str], outcomes: Sequence[Outcome], peers: Sequence[str]) -> None:
    """Draw the chart, and put the sections between the marks of the document, which appears whole."""
    before, begin, rest = _DOCUMENT.read_text().partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not begin or not end:
        raise SystemExit(f"{_DOCUMENT.name} has lost its marks")
    try:
        chart.draw(outcomes, peers, conditions, _CHART)
        picture = f"![How many times faster than each peer, by kernel]({_CHART.name})"
    except ImportError:
        print(f"{_CHART.name} is not drawn: the extra `plot` is not installed")
        picture = ""
    unfinished = _DOCUMENT.with_suffix(f".{os.getpid()}")
    unfinished.write_text("\n\n".join([before + begin, conditions, picture, *sections, end + after]))
    unfinished.replace(_DOCUMENT)
