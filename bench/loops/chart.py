# SPDX-License-Identifier: Apache-2.0
"""Charts of the loops' times, as unPython's authors show them: how fast each is (Figures 9 and 10), and where the time
goes (Figure 11). matplotlib draws them: pip install 'lanewise[plot]'.

Source: Garg and Amaral, section 5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import matplotlib as mpl

mpl.use("Agg")
from matplotlib import pyplot as plt

_SHOWN: Final = {
    "numpy": ("NumPy and BLAS", "#999999"),
    "numba": ("Numba", "#e69f00"),
    "rows": ("Lanewise, rows in registers", "#4292c6"),
    "lanewise": ("Lanewise", "#084594"),
}
"""Peers in the order of their bars, with colours that all eyes tell apart."""
_PARTS: Final = {"execution": "#084594", "transfer": "#e69f00", "compilation": "#999999"}


_ROW: Final = 14
"""Most cases that stand side by side."""


def speeds(file: Path, times: Mapping[str, Mapping[str, float]], about: str) -> None:
    """Draw a bar per case and peer: speed relative to Lanewise without tiling, upwards if it is faster than that.

    `times`: nanoseconds by case and peer.
    """
    cases = [case for case, each in times.items() if "untiled" in each]
    peers = [peer for peer in _SHOWN if any(peer in times[case] for case in cases)]
    width = 0.8 / len(peers)
    count = max(1, -(-len(cases) // _ROW))
    longest = -(-len(cases) // count)
    rows = [cases[longest * row : longest * (row + 1)] for row in range(count)]
    size = (max(6.0, 0.85 * longest), 3.4 * count + 0.6)
    figure, all_axes = plt.subplots(count, figsize=size, layout="constrained", sharey=True, squeeze=False)
    for axes, row in zip(all_axes[:, 0], rows, strict=True):
        for number, peer in enumerate(peers):
            label, colour = _SHOWN[peer]
            places = [place for place, case in enumerate(row) if peer in times[case]]
            heights = [times[row[place]]["untiled"] / times[row[place]][peer] - 1 for place in places]
            left = [place + (number + 0.5) * width - 0.4 for place in places]
            axes.bar(left, heights, width, bottom=1, label=label, color=colour)
        axes.axhline(1, color="black", linewidth=0.6)
        axes.set_yscale("log")
        axes.set_xlim(-0.6, longest - 0.4)
        _name(axes, row)
    figure.supylabel("speed, 1: Lanewise without tiling", fontsize=9)
    _finish(figure, all_axes[0, 0], about)
    figure.savefig(file, dpi=110)
    plt.close(figure)


def split(file: Path, seconds: Mapping[str, Mapping[str, float]], about: str) -> None:
    """Draw the parts of a first call of each case, in milliseconds."""
    cases = list(seconds)
    figure, axes = plt.subplots(figsize=(max(6.0, 0.9 * len(cases)), 4.0), layout="constrained")
    width = 0.8 / len(_PARTS)
    for number, (part, colour) in enumerate(_PARTS.items()):
        left = [place + (number + 0.5) * width - 0.4 for place in range(len(cases))]
        axes.bar(left, [1e3 * seconds[case][part] for case in cases], width, label=part, color=colour)
    axes.set_yscale("log")
    axes.set_ylabel("milliseconds of the first call", fontsize=9)
    _name(axes, cases)
    _finish(figure, axes, about)
    figure.savefig(file, dpi=110)
    plt.close(figure)


def _name(axes: plt.Axes, cases: Sequence[str]) -> None:
    names = [case.replace(":float", "\nf").replace("_", " ") for case in cases]
    axes.set_xticks(range(len(cases)), names, fontsize=8)
    axes.spines[["top", "right"]].set_visible(False)


def _finish(figure: plt.Figure, first: plt.Axes, about: str) -> None:
    handles, labels = first.get_legend_handles_labels()
    figure.legend(handles, labels, fontsize=8, frameon=False, ncols=len(labels), loc="outside upper center")
    figure.supxlabel(about, fontsize=7, color="#555555")
