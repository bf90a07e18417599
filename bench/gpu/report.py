# SPDX-License-Identifier: Apache-2.0
"""Tables and means of what was measured, for terminals, documents and other programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final, NamedTuple

from ..cpu.geometric import mean
from .measure import Figures, disagrees
from .problem import Kernel
from .suite import kernel

Row = tuple[Kernel, Mapping[str, Figures]]


class Ratio(NamedTuple):
    """A quantity that is compared: a field of `Figures`."""

    field: str
    title: str
    most: float
    """The ratio that we mean to reach, as a geometric mean over the suite."""


RATIOS: Final = (
    Ratio("dynamic", "dynamic SASS", 0.92),
    Ratio("weighted", "weighted SASS", 0.88),
    Ratio("static", "SASS as it comes", 0.98),
    Ratio("registers", "registers", 1.02),
)
WORST: Final = 1.15
"""The ratio beyond which a kernel wants a reason."""
_HEADINGS: Final = (
    "kernel", "of", "registers", "occupancy, %", "spills", "stack", "SASS", "weighted", "dynamic", "sectors",
    "conflicts",
)  # fmt: skip
_FIELDS: Final = ("registers", "occupancy", "spills", "stack", "static", "weighted", "dynamic", "sectors", "conflicts")


def ratio(figures: Mapping[str, Figures], field: str, of: str, to: str) -> float | None:
    """A quantity of one compiler over that of another; None if one of them is missing or 0."""
    values = [getattr(figures[name], field) if name in figures else None for name in (of, to)]
    return values[0] / values[1] if values[0] and values[1] else None


def means(rows: Sequence[Row], of: str, to: str) -> dict[str, float]:
    """The geometric mean of each ratio, over the kernels that have it."""
    return {each.field: mean(list(_ratios(rows, each.field, of, to).values())) for each in RATIOS}


def _ratios(rows: Sequence[Row], field: str, of: str, to: str) -> dict[str, float]:
    return {row.name: r for row, figures in rows if (r := ratio(figures, field, of, to)) is not None}


def table(rows: Sequence[Row], names: Sequence[str]) -> Iterator[list[str]]:
    """Headings, then a row per kernel: values of all compilers in a cell, in their order, with a bar between them."""
    others = [name for name in names if name != names[0]]
    yield [*_HEADINGS, *(f"dynamic, to {name}" for name in others)]
    for each, figures in rows:
        failures = [f"{name}: {figures[name].failure}" for name in names if figures[name].failure]
        cells = [" | ".join(_shown(figures[name], field) for name in names) for field in _FIELDS]
        ratios = [_number(ratio(figures, "dynamic", names[0], name)) for name in others]
        yield [each.name, each.kind, *cells, *(failures or ratios)]


def _shown(figures: Figures, field: str) -> str:
    value = getattr(figures, field)
    if value is None:
        return "-"
    return f"{100 * value:.0f}" if field == "occupancy" else f"{value:,}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def remarks(rows: Sequence[Row], names: Sequence[str]) -> Iterator[str]:
    """Means, kernels that are far off, spills, different results, one line each."""
    ours = names[0]
    for other in names[1:]:
        for each in RATIOS:
            found = _ratios(rows, each.field, ours, other)
            if found:
                best, worst = min(found, key=found.__getitem__), max(found, key=found.__getitem__)
                yield (
                    f"{each.title}, {ours} to {other}: geometric mean {mean(list(found.values())):.3f} of {len(found)} "
                    f"(to reach: {each.most}), least {found[best]:.2f} ({best}), greatest {found[worst]:.2f} ({worst})"
                )
        far = {name: r for name, r in _ratios(rows, "dynamic", ours, other).items() if r > WORST}
        if far:
            shown = ", ".join(f"{name} {r:.2f}" for name, r in sorted(far.items(), key=lambda each: -each[1]))
            yield f"dynamic SASS beyond {WORST} of {other}'s: {len(far)}: {shown}"
        spilling = [
            row.name for row, f in rows if (f[ours].spills or 0) > (f[other].spills or 0) and not f[other].failure
        ]
        if spilling:
            yield f"spills more than {other}: {', '.join(spilling)}"
        differing = [row.name for row, f in rows if disagrees(f[other])]
        if differing:
            yield f"results of {other} differ: {', '.join(differing)}"


def markdown(lines: Iterable[Sequence[str]]) -> Iterator[str]:
    """A table of Markdown: the first line is its head."""
    for number, cells in enumerate(lines):
        yield f"| {' | '.join(cells)} |"
        if number == 0:
            yield f"| --- | --- |{' --: |' * (len(cells) - 2)}"


def from_json(data: Mapping[str, Any]) -> tuple[list[Row], tuple[str, ...]]:
    """Rows and names of compilers, of what `as_json` has made. Error for a kernel that isn't there any more."""
    names = tuple(data["compilers"])
    rows: list[Row] = [
        (kernel(each["name"]), {name: Figures(**each[name]) for name in names}) for each in data["kernels"]
    ]
    return rows, names


def as_json(rows: Sequence[Row], names: Sequence[str], arch: str) -> dict[str, Any]:
    """All numbers, and the means of ratios to each other compiler."""
    return {
        "arch": arch,
        "compilers": list(names),
        "kernels": [
            {"name": row.name, "kind": row.kind, **{name: asdict(figures[name]) for name in names}}
            for row, figures in rows
        ],
        "means": {other: means(rows, names[0], other) for other in names[1:]},
    }
