# SPDX-License-Identifier: Apache-2.0
"""The table of recordings, and summaries of halves and of programs."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Final

from bench.cpu import geometric

from .measure import OURS, Outcome

_SLOW: Final = 0.8
"""A ratio below which a kernel has to be explained."""
_FAR: Final = 1.3
"""So many times the best mapping's time is far from it."""
HEADING: Final = (
    "| kernel | half | auto ms | loop | lanes | Intel ms | times | pocl ms | times | auto / best |\n"
    "| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: |"
)


def line(outcome: Outcome) -> str:
    took = outcome.nanoseconds
    cells = [outcome.name, outcome.half]
    for player in (OURS + mapping for mapping in ("auto", "loop", "lanes")):
        same = " =" if player in took and outcome.has_code_of_auto(player) else ""
        cells.append(_milliseconds(took.get(player)) + same)
    for peer in ("intel", "pocl"):
        cells += [_milliseconds(took.get(peer)), number(outcome.ratio(peer))]
    return f"| {' | '.join([*cells, number(outcome.of_best_mapping)])} |"


def failures(outcomes: Sequence[Outcome]) -> str:
    return "\n".join(
        f"* {outcome.name}, {player}: {why.splitlines()[0] if why else why}"
        for outcome in outcomes
        for player, why in outcome.failures.items()
    )


def unsettled(outcomes: Sequence[Outcome]) -> str:
    return "\n".join(
        f"* {outcome.name}, {player}: its code was still to change"
        for outcome in outcomes
        for player in outcome.unsettled
    )


def summary(groups: Sequence[tuple[str, Sequence[Outcome]]]) -> str:
    """A column per group, named: the distribution of how many times faster than Intel's runtime Lanewise is. Rows for
    which nothing was measured are left out."""
    rows: dict[str, list[str]] = {}
    for _, outcomes in groups:
        ratios = sorted(ratio for each in outcomes if (ratio := each.ratio("intel")))
        better = [ratio for each in outcomes if each.ratio("intel") and (ratio := each.of_better_peer)]
        pocl = [ratio for each in outcomes if (ratio := each.ratio("pocl"))]
        best = [ratio for each in outcomes if (ratio := each.of_best_mapping)]
        values = {
            "kernels compared with Intel's": str(len(ratios)),
            "geometric mean of times Intel's speed": number(geometric.mean(ratios)),
            "median": number(statistics.median(ratios) if ratios else None),
            "tenth, ninetieth percentile": ", ".join(number(_percentile(ratios, share)) for share in (0.1, 0.9)),
            "at 1.0 or more": _share(sum(ratio >= 1 for ratio in ratios), len(ratios)),
            f"below {_SLOW}": str(sum(ratio < _SLOW for ratio in ratios)),
            "least": _of_three_digits(min(ratios, default=None)),
            "geometric mean of times pocl's speed": number(geometric.mean(pocl)),
            "the same of the better of both": number(geometric.mean(better)) if pocl else "",
            "`auto` by the best mapping's time": number(geometric.mean(best)),
            "the greatest": number(max(best, default=None)),
            f"above {_FAR}": str(sum(ratio > _FAR for ratio in best)) if best else "",
            "wrong or failed by Lanewise": str(sum(each.has_failed for each in outcomes)),
        }
        for name, value in values.items():
            rows.setdefault(name, []).append(value)
    lines = [f"| | {' | '.join(name for name, _ in groups)} |", f"| --- |{' --: |' * len(groups)}"]
    measured = {name: cells for name, cells in rows.items() if any(cells)}
    return "\n".join([*lines, *(f"| {name} | {' | '.join(cells)} |" for name, cells in measured.items())])


def groups(outcomes: Sequence[Outcome]) -> list[tuple[str, list[Outcome]]]:
    """All, the halves, and the programs, each with its outcomes."""
    found: dict[str, list[Outcome]] = {"all": list(outcomes)}
    for half in sorted({each.half for each in outcomes}, reverse=True):
        found[half] = [each for each in outcomes if each.half == half]
    for each in outcomes:
        found.setdefault(each.name.partition("/")[0], []).append(each)
    return list(found.items())


def _percentile(ordered: Sequence[float], share: float) -> float | None:
    return ordered[round(share * (len(ordered) - 1))] if ordered else None


def _share(count: int, of: int) -> str:
    return f"{count / of:.0%}" if of else ""


def _milliseconds(nanoseconds: float | None) -> str:
    return "" if nanoseconds is None else f"{nanoseconds / 1e6:.3f}"


def _of_three_digits(value: float | None) -> str:
    """A ratio that may be far below 1."""
    return "" if value is None else f"{value:.3f}"


def number(value: float | None) -> str:
    return "" if value is None or value != value else f"{value:.2f}"
