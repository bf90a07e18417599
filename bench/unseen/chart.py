# SPDX-License-Identifier: Apache-2.0
"""The chart of a corpus: how many times faster than Intel's runtime, a point per kernel, from the slowest on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from .measure import Outcome

_COLOURS: Final = ("#0068b5", "#e08a1e", "#7a9e3f", "#a03060", "#555555", "#20a0a0")


def draw(outcomes: Sequence[Outcome], path: Path) -> None:
    """Write a PNG. Raises ImportError where matplotlib, the extra `plot`, is not installed."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # pyright: ignore[reportMissingImports]
    from matplotlib.figure import Figure  # pyright: ignore[reportMissingImports]
    from matplotlib.ticker import FuncFormatter  # pyright: ignore[reportMissingImports]

    measured = [(ratio, each.name.partition("/")[0]) for each in outcomes if (ratio := each.ratio("intel"))]
    measured.sort()
    figure = Figure(figsize=(9, 4), dpi=120, layout="constrained")
    axes = figure.add_subplot()
    programs = sorted({program for _, program in measured})
    for program, colour in zip(programs, _COLOURS * len(programs), strict=False):
        points = [(place, ratio) for place, (ratio, own) in enumerate(measured) if own == program]
        axes.bar(
            [place for place, _ in points],
            [ratio - 1 for _, ratio in points],
            width=1,
            bottom=1,  # bars grow from "as fast as" to either side
            color=colour,
            label=program,
        )
    axes.axhline(1, color="black", linewidth=1)
    axes.set_yscale("log", base=2)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.set_xlim(-1, len(measured))
    axes.set_xlabel("recorded kernels, from the one that compares worst")
    axes.set_ylabel("times faster than Intel's runtime")
    axes.grid(axis="y", alpha=0.3)
    axes.legend()
    FigureCanvasAgg(figure).print_png(str(path))
