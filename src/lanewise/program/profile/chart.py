# SPDX-License-Identifier: Apache-2.0
"""A profile as a picture: the launch under the GPU's roofline, its limits, and its worst lines.

The roofline is that of instructions: warp instructions a second over warp instructions per sector of global memory. The
launch lies where its counters put it, on the roof, since no time is measured. A second mark shows where it would lie
with as few sectors as its accesses need. The roof is that of the whole GPU, also for a launch of few blocks.

Source: N. Ding and S. Williams, "An Instruction Roofline Model for GPUs" (PMBS 2019).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from os import PathLike, fspath
from typing import Any, Final

from lanewise.device.gpus import Gpu, gpu_named
from lanewise.errors import Error
from lanewise.program.profile.lines import ProfiledLine, worst_first
from lanewise.program.profile.roofline import Roofline

_SECTOR: Final = 32
_KINDS: Final = ("load", "store", "atomic")
_MOST_LINES: Final = 8
_WIDEST_TEXT: Final = 44
_NEEDED: Final = "#4477aa"
_TOO_MANY: Final = "#cc6677"


def draw(
    path: str | PathLike[str], title: str, counters: Mapping[str, int], limits: Roofline, lines: Sequence[ProfiledLine]
) -> None:
    """Write the picture to `path`, whose ending says the format: `.png`, `.svg` or `.pdf`. Error without matplotlib,
    and for a file that can't be written."""
    try:
        matplotlib: Any = import_module("matplotlib")
        made_of: Any = import_module("matplotlib.figure")
    except ImportError:
        raise Error("a chart needs matplotlib, which isn't installed: pip install 'lanewise[plot]'") from None
    figure = made_of.Figure(figsize=(10, 7.5), dpi=120, layout="constrained")
    figure.suptitle(title, fontsize=11)
    upper, lower = figure.subfigures(2, 1)
    roof, times = upper.subplots(1, 2)
    _draw_roofline(roof, gpu_named(limits.gpu), counters)
    _draw_limits(times, limits)
    _draw_lines(lower.subplots(1, 2), lines)
    try:
        with matplotlib.rc_context({"svg.fonttype": "none"}):  # text stays text
            figure.savefig(fspath(path))
    except (OSError, ValueError) as error:
        raise Error(f"the chart can't be written to {fspath(path)}: {error}") from None


def _draw_roofline(axes: Any, gpu: Gpu, counters: Mapping[str, int]) -> None:
    issued = gpu.schedulers * gpu.clock * gpu.multiprocessors
    moved = gpu.bandwidth / _SECTOR
    instructions = max(1, counters["warp_instructions"])
    used, needed = _sectors(counters, "sectors"), _sectors(counters, "ideal_sectors")
    named = (("this launch", used, _TOO_MANY), ("with the sectors needed", needed if needed < used else 0, _NEEDED))
    marks = [(name, instructions / sectors, colour) for name, sectors, colour in named if sectors]
    edge = issued / moved
    first = min([edge, *(place for _, place, _ in marks)]) / 8
    last = max([edge, *(place for _, place, _ in marks)]) * 8
    axes.loglog([first, edge, last], [first * moved, issued, issued], color="black", linewidth=1.5)
    for name, place, colour in marks:
        axes.plot([place], [min(place * moved, issued)], "o", color=colour, label=name, markersize=8)
        axes.axvline(place, color=colour, linewidth=0.8, linestyle=":")
    if marks:
        axes.legend(loc="lower right", fontsize=8)
    else:
        axes.text(0.5, 0.5, "no access of global memory", transform=axes.transAxes, ha="center")
    axes.set_title(f"roofline of {gpu.name}: memory left of the edge, instructions right of it", fontsize=9)
    axes.set_xlabel("warp instructions per sector of global memory", fontsize=8)
    axes.set_ylabel("warp instructions a second, at most", fontsize=8)
    axes.grid(alpha=0.3, which="both")


def _sectors(counters: Mapping[str, int], what: str) -> int:
    """Sectors of all kinds of accesses; not more than are used are needed, since lanes may share what they load."""
    return sum(min(counters[f"global_{kind}_{what}"], counters[f"global_{kind}_sectors"]) for kind in _KINDS)


def _draw_limits(axes: Any, limits: Roofline) -> None:
    shown = [each for each in limits.limits if each.seconds > 0]
    axes.barh(range(len(shown)), [1e6 * each.seconds for each in shown], color=_NEEDED)
    axes.set_yticks(range(len(shown)), [each.name for each in shown], fontsize=8)
    axes.invert_yaxis()
    axes.set_title(f"least time on {limits.gpu} by each limit", fontsize=9)
    axes.set_xlabel("microseconds", fontsize=8)
    axes.grid(axis="x", alpha=0.3)


def _draw_lines(both: Sequence[Any], lines: Sequence[ProfiledLine]) -> None:
    """The worst lines: what they move, and the instructions that they execute."""
    shown = worst_first(lines)[:_MOST_LINES]
    labels = [f"{line.line}: {_shortened(line.text)}" for line in shown]
    moved = [sum(_moved(line, space, unit) for space, unit in _UNITS) for line in shown]
    needed = [sum(_moved(line, space, unit, "ideal_") for space, unit in _UNITS) for line in shown]
    first, second = both
    first.barh(range(len(shown)), needed, color=_NEEDED, label="needed")
    excess = [of_all - least for of_all, least in zip(moved, needed, strict=True)]
    first.barh(range(len(shown)), excess, left=needed, color=_TOO_MANY, label="more than needed")
    first.set_yticks(range(len(shown)), labels, fontsize=8, family="monospace")
    first.set_xlabel("sectors and wavefronts", fontsize=8)
    first.set_title("worst lines", fontsize=9)
    first.legend(loc="lower right", fontsize=8)
    second.barh(range(len(shown)), [line.counters["warp_instructions"] for line in shown], color=_NEEDED)
    second.set_yticks(range(len(shown)), [""] * len(shown))
    second.set_xlabel("warp instructions", fontsize=8)
    for axes in both:
        axes.invert_yaxis()
        axes.grid(axis="x", alpha=0.3)


_UNITS: Final = (("global", "sectors"), ("shared", "wavefronts"))


def _moved(line: ProfiledLine, space: str, unit: str, which: str = "") -> int:
    counters = line.counters
    return sum(
        min(counters[f"{space}_{kind}_{which}{unit}"], counters[f"{space}_{kind}_{unit}"]) for kind in _KINDS
    )  # fmt: skip


def _shortened(text: str) -> str:
    text = text.strip()
    return text if len(text) <= _WIDEST_TEXT else f"{text[: _WIDEST_TEXT - 3]}..."
