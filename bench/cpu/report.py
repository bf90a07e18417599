# SPDX-License-Identifier: Apache-2.0
"""What was measured, in Markdown."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from . import geometric
from .compile_times import CompileTimes
from .measure import Outcome
from .roofline import Limit

_SHOWN: Final = {"lanewise": "Lanewise", "intel": "Intel", "pocl": "pocl", "numba": "Numba"}
_BEST: Final = 3


def shown(peer: str) -> str:
    return _SHOWN[peer]


def heading(peers: Sequence[str]) -> str:
    columns = ["kernel", "size", "Lanewise ms", *(f"{shown(peer)} ms | times" for peer in peers)]
    return f"| {' | '.join(columns)} |\n| --- | --- | --: |{' --: | --: |' * len(peers)}"


def line(outcome: Outcome, peers: Sequence[str]) -> str:
    """A row of the table: our time, then each peer's and how many times faster than it we are."""
    cells = [outcome.name, outcome.shown, _milliseconds(outcome.nanoseconds.get("lanewise"))]
    for peer in peers:
        cells += [_milliseconds(outcome.nanoseconds.get(peer)), _number(outcome.ratio(peer))]
    return _row(cells)


def means(outcomes: Sequence[Outcome], peers: Sequence[str]) -> str:
    """Geometric means of the ratios by peer, and the worst kernel."""
    rows = {"geometric mean": [], f"without our best {_BEST}": [], "worst": []}
    for peer in peers:
        ratios = {outcome.name: ratio for outcome in outcomes if (ratio := outcome.ratio(peer))}
        worst = min(ratios, key=ratios.__getitem__, default="")
        rows["geometric mean"] += ["", _number(geometric.mean(list(ratios.values())))]
        rows[f"without our best {_BEST}"] += ["", _number(geometric.mean_without_best(list(ratios.values()), _BEST))]
        rows["worst"] += [worst, _number(ratios.get(worst))]
    return "\n".join(_row([f"**{name}**", "", "", *cells]) for name, cells in rows.items())


def table(outcomes: Sequence[Outcome], peers: Sequence[str], missing: dict[str, str]) -> str:
    lines = [heading(peers), *(line(outcome, peers) for outcome in outcomes), means(outcomes, peers)]
    return "\n".join([*lines, "", failures(outcomes, missing)]).strip()


def failures(outcomes: Sequence[Outcome], missing: dict[str, str]) -> str:
    """Why peers have no times; what several kernels have in common once."""
    lines = [f"* {shown(peer)}: {why}" for peer, why in missing.items()]
    kernels: dict[tuple[str, str], list[str]] = {}
    for outcome in outcomes:
        for peer, why in outcome.failures.items():
            kernels.setdefault((peer, why.splitlines()[0]), []).append(outcome.name)
    for (peer, why), names in kernels.items():
        which = "all kernels" if len(names) == len(outcomes) > 1 else ", ".join(names)
        lines.append(f"* {which}, {shown(peer)}: {why}")
    return "\n".join(lines)


def limits(bandwidths: Mapping[int, Limit], multiply_adds: Limit, cache: int, rows: Iterable[Outcome]) -> str:
    """What the machine can do, bandwidths by bytes of data, and how near to it outcomes came."""
    lines = ["| GB/s | read | copy | copy past the caches |", "| --- | --: | --: | --: |"]
    for nbytes, limit in bandwidths.items():
        within = "fits" if nbytes <= cache else "does not fit"
        size = f"{nbytes >> 20} MiB, which {within} into the last-level cache"
        lines.append(_row([size, *(_number(limit.median(way)) for way in ("read", "copy", "stream"))]))
    lines += ["", f"Fused multiply-adds of floats: {multiply_adds.median('fma'):.0f} Gflop/s.", ""]
    lines += ["| kernel | data MiB | ms | bound ms | of the bound |", "| --- | --: | --: | --: | --: |"]
    for outcome in rows:
        took, share = outcome.nanoseconds.get("lanewise"), outcome.share
        bound = statistics.median(outcome.bounds) if outcome.bounds else None
        cells = [str(outcome.problem.array_bytes >> 20), _milliseconds(took), _milliseconds(bound)]
        lines.append(_row([outcome.name, *cells, "" if share is None else f"{share:.0%}"]))
    return "\n".join(lines)


def compiling(times: Sequence[CompileTimes], mappings: Sequence[str]) -> str:
    """The table of times from source to first result, with geometric means and greatest values."""
    lines = [f"| kernel | empty cache ms | {' | '.join(f'{each} ms' for each in mappings)} |"]
    lines.append(f"| --- | --: |{' --: |' * len(mappings)}")
    lines += [_row([each.name, _number(each.cold), *(_number(each.mapped[m]) for m in mappings)]) for each in times]
    columns = [[each.cold for each in times], *([each.mapped[m] for each in times] for m in mappings)]
    known = [[value for value in column if value is not None] for column in columns]
    lines.append(_row(["**geometric mean**", *(_number(geometric.mean(column)) for column in known)]))
    lines.append(_row(["**greatest**", *(_number(max(column, default=None)) for column in known)]))
    return "\n".join(lines)


def _milliseconds(nanoseconds: float | None) -> str:
    return "" if nanoseconds is None else _number(nanoseconds / 1e6)


def _number(value: float | None) -> str:
    """With three digits that count."""
    if value is None or value != value:
        return ""
    return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f}"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
