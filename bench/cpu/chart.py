# SPDX-License-Identifier: Apache-2.0
"""The bar chart: how many times faster than each peer, a group of bars a kernel."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from .measure import Outcome
from .report import shown

_COLOURS: Final = {"intel": "#0068b5", "pocl": "#7a9e3f", "numba": "#e08a1e"}


def draw(outcomes: Sequence[Outcome], peers: Sequence[str], caption: str, path: Path) -> None:
    """Write a PNG, without peers that have no times. Raises ImportError where matplotlib, the extra `plot`, is not
    installed."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # pyright: ignore[reportMissingImports]
    from matplotlib.figure import Figure  # pyright: ignore[reportMissingImports]
    from matplotlib.ticker import FuncFormatter  # pyright: ignore[reportMissingImports]

    peers = [peer for peer in peers if any(outcome.ratio(peer) for outcome in outcomes)]
    figure = Figure(figsize=(9, 0.42 * len(outcomes) + 1.6), dpi=120, layout="constrained")
    axes = figure.add_subplot()
    height = 0.8 / max(len(peers), 1)
    for place, peer in enumerate(peers):
        rows = [(row, ratio) for row, outcome in enumerate(outcomes) if (ratio := outcome.ratio(peer))]
        axes.barh(
            [row + (place - (len(peers) - 1) / 2) * height for row, _ in rows],
            [ratio - 1 for _, ratio in rows],
            height,
            left=1,  # bars grow from "as fast as" to either side
            color=_COLOURS[peer],
            label=shown(peer),
        )
    axes.axvline(1, color="black", linewidth=1)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.set_yticks(range(len(outcomes)), [outcome.name for outcome in outcomes])
    axes.set_ylim(len(outcomes) - 0.4, -0.6)
    axes.set_xlabel("times faster than the peer (right of 1: Lanewise is faster)")
    axes.set_title(textwrap.fill(caption, 120), fontsize=8)
    axes.grid(axis="x", alpha=0.3)
    axes.legend()
    FigureCanvasAgg(figure).print_png(str(path))
