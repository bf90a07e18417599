# SPDX-License-Identifier: Apache-2.0
"""The charts of an ablation: groups added one after another, by kinds of kernels (Figure 10 of "gpucc"), and the effect
of each part on each kernel by the kernel's size (Figure 4 of "CUDA: Compiling and Optimizing for a GPU Platform").

matplotlib, the extra `plot`, draws them. ImportError where it is not installed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ..cpu.geometric import mean
from .ablation import GROUPS, NOTABLE, Counts, cumulative, effects
from .suite import kernel

_COLOURS: Final = ("#20507a", "#4f8fc0", "#7a9e3f", "#c9c23c", "#e08a1e", "#a03060", "#555555")
_COLUMNS: Final = 4
_TICKS: Final = (0.75, 1, 1.5, 2, 3)
_BETTER, _SAME, _WORSE = "#7a9e3f", "#b0b0b0", "#a03060"


def draw_groups(found: Counts, path: Path) -> None:
    """Write a PNG: a group of bars for each kind of kernels, and for all."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # pyright: ignore[reportMissingImports]
    from matplotlib.figure import Figure  # pyright: ignore[reportMissingImports]

    by_group = cumulative(found)
    kinds: dict[str, list[str]] = {}
    for name in found[frozenset()]:
        kinds.setdefault(kernel(name).kind, []).append(name)
    kinds["all"] = list(found[frozenset()])
    figure = Figure(figsize=(11, 4.5), dpi=120, layout="constrained")
    axes = figure.add_subplot()
    width = 0.85 / len(GROUPS)
    for place, (group, colour) in enumerate(zip(GROUPS, _COLOURS, strict=True)):
        gains = [100 * (mean([by_group[group][name] for name in names]) - 1) for names in kinds.values()]
        middles = [row + (place - (len(GROUPS) - 1) / 2) * width for row in range(len(kinds))]
        axes.bar(middles, gains, width, color=colour, label=f"+ {group}")
    axes.axhline(0, color="black", linewidth=1)
    axes.set_xticks(range(len(kinds)), [f"{kind}\n{len(names)}" for kind, names in kinds.items()], fontsize=8)
    axes.set_ylabel("more dynamic SASS without our steps and switches, %")
    axes.grid(axis="y", alpha=0.3)
    axes.legend(fontsize=8)
    FigureCanvasAgg(figure).print_png(str(path))


def draw_parts(found: Counts, path: Path) -> None:
    """Write a PNG: a panel for each part, a point in it for each kernel."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # pyright: ignore[reportMissingImports]
    from matplotlib.figure import Figure  # pyright: ignore[reportMissingImports]
    from matplotlib.ticker import NullFormatter, ScalarFormatter  # pyright: ignore[reportMissingImports]

    panels, sizes = effects(found), found[frozenset()]
    rows = -(-len(panels) // _COLUMNS)
    figure = Figure(figsize=(11, 2.1 * rows + 0.4), dpi=100, layout="constrained")
    grid = figure.subplots(rows, _COLUMNS, sharex=True, sharey=True, squeeze=False)
    for axes, (part, ratios) in zip(grid.flat, panels.items(), strict=False):
        axes.axhline(1, color="black", linewidth=0.8)
        axes.scatter(
            [sizes[name] for name in ratios], list(ratios.values()), s=9, c=[_colour(r) for r in ratios.values()]
        )
        axes.set_title(part, fontsize=8)
        axes.set_xscale("log")
        axes.set_yscale("log", base=2)
        axes.yaxis.set_major_formatter(ScalarFormatter())
        axes.yaxis.set_minor_formatter(NullFormatter())
        axes.set_yticks(_TICKS)
        axes.grid(alpha=0.3)
        axes.tick_params(labelsize=7)
    for axes in grid.flat[len(panels) :]:
        axes.axis("off")
    figure.supxlabel("dynamic SASS of the kernel, with everything", fontsize=9)
    figure.supylabel("times as much without it", fontsize=9)
    FigureCanvasAgg(figure).print_png(str(path))


def _colour(ratio: float) -> str:
    return _BETTER if ratio > NOTABLE else _WORSE if ratio < 1 / NOTABLE else _SAME
