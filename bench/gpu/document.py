# SPDX-License-Identifier: Apache-2.0
"""The measured parts of docs/gpu.md, and its charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from . import ablation, ablation_chart, report
from .suite import check_whole, sets

_DOCUMENT: Final = Path(__file__).parents[2] / "docs" / "gpu.md"
KERNELGEN: Final = _DOCUMENT.with_name("kernelgen.md")
_MARKS: Final = {
    False: ("<!-- what python -m bench.gpu --document measured -->\n", "<!-- end of what it measured -->\n"),
    True: ("<!-- what python -m bench.gpu --document --held-out measured -->\n", "<!-- end of the held-out ones -->\n"),
}
_CHARTED: Final = "sm_80"
"""The architecture that the charts of the ablation are of."""
_HELD_OUT_MORE: Final = 0.02
"""How much the ratios of held-out kernels may be above those of the suite: the bound that was set, together with those
of the suite, for kernels that nobody looks at."""
_GROUPS: Final = _DOCUMENT.with_name("gpu-groups.png")
_PARTS: Final = _DOCUMENT.with_name("gpu-parts.png")


def write(found: Mapping[str, Sequence[report.Row]], names: Sequence[str], *, held_out: bool) -> None:
    """Replace the tables of the suite, or of the held-out kernels, by what was `found` per architecture. Error unless
    that is all of them."""
    for rows in found.values():
        check_whole((row.name for row, _ in rows), held_out=held_out)
    lines = _held_out(found, names) if held_out else _summary(found, names, 0)
    if not held_out:
        for arch, rows in found.items():
            lines += ["", f"Each kernel, for {arch}:", "", *_ratios(rows, names)]
    replace_part(_MARKS[held_out], lines)


def write_ablation(found: ablation.Ablation, *, held_out: bool) -> None:
    """Replace the tables of the ablation for its architecture, and the charts, which are of the suite on sm_80. Error
    unless it is of all kernels of the suite, or of those in bench/gpu/held_out."""
    check_whole(found.kernels, held_out=held_out)
    options = f"--ablation --arch {found.arch} --document" + (" --held-out" if held_out else "")
    end = f"<!-- end of the {'held-out ' if held_out else ''}ablation for {found.arch} -->\n"
    replace_part((f"<!-- what python -m bench.gpu {options} measured -->\n", end), list(ablation.report(found)))
    if not held_out and found.arch == _CHARTED:
        ablation_chart.draw_groups(found.counts, _GROUPS)
        ablation_chart.draw_parts(found.counts, _PARTS)


def replace_part(marks: tuple[str, str], lines: Sequence[str], document: Path = _DOCUMENT) -> None:
    """Put `lines` between two lines of docs/gpu.md, or of another document."""
    begin, end = marks
    before, mark, rest = document.read_text().partition(begin)
    if not mark:
        raise SystemExit(f"{document.name} has no line {begin.strip()}")
    document.write_text("\n".join([before + begin, *lines, "", end.strip()]) + "\n" + rest.partition(end)[2])


def _held_out(found: Mapping[str, Sequence[report.Row]], names: Sequence[str]) -> list[str]:
    """A summary for the kernels that are held out, one for those that were looked at, each with its number."""
    lines: list[str] = []
    for title, members in sets(row.name for row, _ in next(iter(found.values()))).items():
        part = {arch: [row for row in rows if row[0].name in members] for arch, rows in found.items()}
        lines += ["", f"The {len(members)} kernels {title}:", "", *_summary(part, names, _HELD_OUT_MORE)]
    return lines[1:]


def _summary(found: Mapping[str, Sequence[report.Row]], names: Sequence[str], more: float) -> list[str]:
    ours = names[0]
    table = [
        [
            "",
            *(f"{arch}, {len(found[arch])} kernels, to {other}" for arch in found for other in names[1:]),
            "to reach, to nvcc",
        ]
    ]
    means = {(arch, other): report.means(rows, ours, other) for arch, rows in found.items() for other in names[1:]}
    for each in report.RATIOS:
        cells = [f"{means[arch, other][each.field]:.3f}" for arch in found for other in names[1:]]
        table.append([each.title, *cells, f"{each.most + more:.2f}"])
    columns = len(table[0])
    head, *rest = (f"| {' | '.join(cells)} |" for cells in table)
    return [head, f"| --- |{' --: |' * (columns - 1)}", *rest]


def _ratios(rows: Sequence[report.Row], names: Sequence[str]) -> list[str]:
    ours, *others = names
    if not others:
        return []
    other = others[0]
    head = ["kernel", "kind", *(each.title for each in report.RATIOS), "registers of both", "bank conflicts of both"]
    lines = [head]
    for kernel, figures in rows:
        ratios = [report.ratio(figures, each.field, ours, other) for each in report.RATIOS]
        cells = ["-" if r is None else f"{r:.2f}" for r in ratios]
        registers = " / ".join(str(figures[name].registers) for name in (ours, other))
        conflicts = " / ".join(f"{figures[name].conflicts or 0:,}" for name in (ours, other))
        lines.append([kernel.name, kernel.kind, *cells, registers, conflicts])
    return list(report.markdown(lines))
