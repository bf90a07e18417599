# SPDX-License-Identifier: Apache-2.0
"""The measured parts of docs/gpu.md, and its charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from . import ablation, ablation_chart, report

_DOCUMENT: Final = Path(__file__).parents[2] / "docs" / "gpu.md"
KERNELGEN: Final = _DOCUMENT.with_name("kernelgen.md")
_MARKS: Final = {
    False: ("<!-- what python -m bench.gpu --document measured -->\n", "<!-- end of what it measured -->\n"),
    True: ("<!-- what python -m bench.gpu --document --held-out measured -->\n", "<!-- end of the held-out ones -->\n"),
}
_ABLATION: Final = {
    False: ("<!-- what python -m bench.gpu --ablation --document measured -->\n", "<!-- end of the ablation -->\n"),
    True: (
        "<!-- what python -m bench.gpu --ablation --document --held-out measured -->\n",
        "<!-- end of the held-out ablation -->\n",
    ),
}
_HELD_OUT_MORE: Final = 0.02
"""What the ratios of held-out kernels may be above those of the suite."""
_GROUPS: Final = _DOCUMENT.with_name("gpu-groups.png")
_PARTS: Final = _DOCUMENT.with_name("gpu-parts.png")


def write(found: Mapping[str, Sequence[report.Row]], names: Sequence[str], *, held_out: bool) -> None:
    """Replace the tables of the suite, or of the held-out kernels, by what was `found` per architecture."""
    lines = _summary(found, names, _HELD_OUT_MORE if held_out else 0)
    if not held_out:
        for arch, rows in found.items():
            lines += ["", f"Each kernel, for {arch}:", "", *_ratios(rows, names)]
    replace_part(_MARKS[held_out], lines)


def write_ablation(lines: Sequence[str], counts: ablation.Counts, *, held_out: bool) -> None:
    """Replace the tables of the ablation, and the charts, which are of the suite."""
    replace_part(_ABLATION[held_out], lines)
    if not held_out:
        ablation_chart.draw_groups(counts, _GROUPS)
        ablation_chart.draw_parts(counts, _PARTS)


def replace_part(marks: tuple[str, str], lines: Sequence[str], document: Path = _DOCUMENT) -> None:
    """Put `lines` between two lines of docs/gpu.md, or of another document."""
    begin, end = marks
    before, mark, rest = document.read_text().partition(begin)
    if not mark:
        raise SystemExit(f"{document.name} has no line {begin.strip()}")
    document.write_text("\n".join([before + begin, *lines, "", end.strip()]) + "\n" + rest.partition(end)[2])


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
