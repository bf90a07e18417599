# SPDX-License-Identifier: Apache-2.0
"""docs/cpu.md and docs/cpu.png: what is measured beside the comparison, and how all of it gets there."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from . import chart, machine, report
from .compile_times import compile_times
from .environment import ROOT
from .measure import Outcome, measure
from .problem import kernel, names
from .roofline import Limit, Roofline
from .workers import Worker

_DOCUMENT: Final = ROOT / "docs" / "cpu.md"
_CHART: Final = ROOT / "docs" / "cpu.png"
_BEGIN, _END = "<!-- what make bench measured -->\n", "<!-- end of what make bench measured -->\n"
_LARGE: Final = {"saxpy": 128 << 20, "stencil": 11584, "transpose": 11584}
"""Kernels that memory bounds, with sizes at which two arrays are a GiB."""
_MAPPINGS: Final = ("loop", "lanes")
_COMPILATIONS: Final = 3


def limits(worker: Worker, threads: int, runs: int, folder: Path) -> str:
    """How near kernels come to what the machine can do, which takes turns with them."""
    roofline = Roofline(threads, folder)
    rows: list[Outcome] = []
    bandwidths: dict[int, Limit] = {}
    for name, size in [*((name, kernel(name).size) for name in _LARGE), *_LARGE.items()]:
        nbytes = _power_of_two(kernel(name).problem(size).array_bytes)
        if nbytes not in bandwidths:
            bandwidths[nbytes] = roofline.bandwidth(nbytes)
        rows.append(measure(name, kernel(name), size, [worker], runs, folder, bandwidths[nbytes]))
    multiply_adds = roofline.multiply_adds()
    for name in (name for name in names() if kernel(name).problem(kernel(name).tiny).flops):
        rows.append(measure(name, kernel(name), kernel(name).size, [worker], runs, folder, multiply_adds))
    print(shown := report.limits(bandwidths, multiply_adds, machine.last_level_cache(), rows), flush=True)
    return shown


def _power_of_two(nbytes: int) -> int:
    """The size at which bandwidth is measured."""
    return 1 << round(math.log2(nbytes))


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
