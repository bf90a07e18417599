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
    "untiled": ("Lanewise, no tiling", "#9ecae1"),
    "rows": ("Lanewise, rows in registers", "#4292c6"),
    "lanewise": ("Lanewise, and packed columns", "#084594"),
}
"""Peers in the order of their bars, with colours that all eyes tell apart."""
_PARTS: Final = {"execution": "#084594", "transfer": "#e69f00", "compilation": "#999999"}


def speeds(file: Path, times: Mapping[str, Mapping[str, float]], about: str) -> None:
    """Draw a bar per case and peer: speed relative to Lanewise without tiling.

    `times`: nanoseconds by case and peer.
    """
    cases = [case for case, each in times.items() if "untiled" in each]
    peers = [peer for peer in _SHOWN if any(peer in times[case] for case in cases)]
    width = 0.8 / len(peers)
    figure, axes = plt.subplots(figsize=(max(6.0, 1.3 * len(cases)), 4.2), layout="constrained")
    for number, peer in enumerate(peers):
        label, colour = _SHOWN[peer]
        places = [place for place, case in enumerate(cases) if peer in times[case]]
        heights = [times[cases[place]]["untiled"] / times[cases[place]][peer] for place in places]
        axes.bar([place + (number + 0.5) * width - 0.4 for place in places], heights, width, label=label, color=colour)
    axes.axhline(1, color="black", linewidth=0.6)
    axes.set_yscale("log")
    axes.set_ylabel("speed, 1: Lanewise without tiling")
    _finish(axes, cases, about)
    figure.savefig(file, dpi=110)
    plt.close(figure)


def split(file: Path, seconds: Mapping[str, Mapping[str, float]], about: str) -> None:
    """Draw a bar per case, all of one height: the shares of its first call."""
    cases = list(seconds)
    figure, axes = plt.subplots(figsize=(max(6.0, 1.1 * len(cases)), 4.2), layout="constrained")
    bottom = [0.0] * len(cases)
    for part, colour in _PARTS.items():
        shares = [100 * seconds[case][part] / sum(seconds[case].values()) for case in cases]
        axes.bar(range(len(cases)), shares, 0.6, bottom=bottom, label=part, color=colour)
        bottom = [low + share for low, share in zip(bottom, shares, strict=True)]
    axes.set_ylabel("% of the first call")
    _finish(axes, cases, about)
    figure.savefig(file, dpi=110)
    plt.close(figure)


def _finish(axes: plt.Axes, cases: Sequence[str], about: str) -> None:
    axes.set_xticks(range(len(cases)), [case.replace(":float", "\nf") for case in cases], fontsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(fontsize=8, frameon=False, ncols=3, loc="upper center", bbox_to_anchor=(0.5, 1.16))
    axes.set_xlabel(about, fontsize=7, color="#555555")
