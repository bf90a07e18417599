# SPDX-License-Identifier: Apache-2.0
"""A profile as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from lanewise.program.profile.advice import WARP, advice
from lanewise.program.profile.counts import Counts
from lanewise.program.profile.lines import ProfiledLine, worst_first
from lanewise.program.profile.roofline import Occupancy, Roofline

_MOST_LINES: Final = 20
_MOST_LIMITS: Final = 3
_WIDEST_TEXT: Final = 60
_SPACES: Final = (
    ("global", ("load", "store", "atomic"), "sectors", "ideal_sectors"),
    ("shared", ("load", "store", "atomic"), "wavefronts", "ideal_wavefronts"),
)


def table(
    title: str,
    counters: Mapping[str, int],
    instructions: Mapping[str, int],
    gpu: Sequence[str],
    lines: Sequence[ProfiledLine],
) -> str:
    """The counters of a launch, what a GPU would make of it, then the lines, the worst first, each with what is wrong
    with it."""
    told = [title, "", *_totals(counters, instructions), "", *gpu, ""]
    shown = worst_first(lines)[:_MOST_LINES]
    rows = [("line", "warps", "lanes", "sectors", "ideal", "wavefronts", "ideal", "")]
    one_file = len({line.file for line in lines}) == 1
    rows += [(f"{line.line}" if one_file else f"{line.file}:{line.line}", *_row(line)) for line in shown]
    used = [column for column in range(len(rows[0]) - 1) if any(row[column] for row in rows[1:])]
    rows = [(*(row[column] for column in used), row[-1]) for row in rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for number, row in enumerate(rows):
        cells = [row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:-1], widths[1:-1], strict=True)), row[-1]]
        told.append("  ".join(cells).rstrip())
        if number:
            told += [f"    {sentence}" for sentence in advice(shown[number - 1].counters)]
    if len(lines) > _MOST_LINES:
        told.append(f"and {len(lines) - _MOST_LINES} more lines")
    return "\n".join(told)


def on_gpu(occupied: Occupancy, limits: Roofline) -> list[str]:
    """Two lines on a GPU."""
    registers = f"{'about ' if occupied.registers.estimated else ''}{occupied.registers.number} registers a thread"
    times = [f"{each.name} {_time(each.seconds)}" for each in limits.limits if each.seconds > 0]
    limited = f", limited by {occupied.limit}" if occupied.warps < occupied.most else ""
    return [
        f"on {limits.gpu}: {occupied.warps} of {occupied.most} warps a multiprocessor{limited}; {registers}",
        f"at least {', '.join(times[:_MOST_LIMITS]) or 'no time'}",
    ]


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def _totals(counters: Mapping[str, int], instructions: Mapping[str, int]) -> list[str]:
    warps, threads = counters["warp_instructions"], counters["thread_instructions"]
    rows = [
        ("warp instructions", f"{warps:,}", ", ".join(f"{kind} {count:,}" for kind, count in instructions.items())),
        ("active lanes", f"{threads / max(1, warps):.1f}", f"of {WARP}, on average"),
        ("branches", f"{counters['branches']:,}", f"{counters['divergent_branches']:,} of them divergent"),
    ]
    for space, kinds, unit, ideal in _SPACES:
        for kind in kinds:
            requests = counters[f"{space}_{kind}_requests"]
            if requests:
                used = counters[f"{space}_{kind}_{unit}"]
                needed = f"{min(used, counters[f'{space}_{kind}_{ideal}']):,} would do, for {requests:,} requests"
                rows.append((f"{space} {kind}s: {unit}", f"{used:,}", needed))
    if counters["barriers"]:
        rows.append(("barriers", f"{counters['barriers']:,}", "by warps"))
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    return [f"{name.ljust(widths[0])}  {number.rjust(widths[1])}  {note}".rstrip() for name, number, note in rows]


def _row(line: ProfiledLine) -> tuple[str, ...]:
    counters = line.counters
    cells = [f"{counters['warp_instructions']:,}", _lanes(counters)]
    for space, kinds, unit, ideal in _SPACES:
        used, needed = (sum(counters[f"{space}_{kind}_{name}"] for kind in kinds) for name in (unit, ideal))
        cells += [f"{used:,}", f"{min(used, needed):,}"] if used else ["", ""]  # lanes may share what they load
    text = line.text if len(line.text) <= _WIDEST_TEXT else f"{line.text[: _WIDEST_TEXT - 3]}..."
    return (*cells, text)


def _lanes(counters: Counts) -> str:
    return f"{counters['thread_instructions'] / max(1, counters['warp_instructions']):.1f}"
