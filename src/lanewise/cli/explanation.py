# SPDX-License-Identifier: Apache-2.0
"""The text of `lanewise opt --explain`: what became of each load, and why that is right, or why nothing did."""

from __future__ import annotations

from typing import Final

from lanewise.ptx.language.module import Module
from lanewise.ptx.shuffles.overflow import Check
from lanewise.ptx.shuffles.proof import Proof
from lanewise.ptx.shuffles.report import Declined, KernelReport, Replaced
from lanewise.ptx.symbolic.trace import Printer

_LABELS: Final = 10
"""Width of the column of labels."""


def explained(module: Module, kernel: KernelReport) -> str:
    """The kernel's summary, then a paragraph for each load that was replaced or might have been, in the order of the
    lines."""
    lines = module.source.text.split("\n")
    parts = [(load.line, _replaced(load, lines, kernel.printer)) for load in kernel.replaced]
    parts += [(declined.line, _declined(declined, lines)) for declined in kernel.declined]
    parts.sort(key=lambda part: part[0])
    return "".join(f"{text}\n" for text in (kernel.summary, *(text for _, text in parts)))


def _replaced(load: Replaced, lines: list[str], printer: Printer | None) -> str:
    told = _heading(load.line, load.source, lines)
    several = len(load.proofs) > 1
    for element, proof in enumerate(load.proofs):
        source = load.sources[element]
        label = f"part {element}" if several else "value"
        told.append(_row(label, f"what line {source} loads, {_away(load.lanes[element])}"))
        if printer is not None:
            told.append(_row("here", printer.text(proof.address)))
            told.append(_row("there", printer.text(proof.there)))
        told += _proven(proof)
    return "\n".join(told)


def _proven(proof: Proof) -> list[str]:
    facts = f" from {_counted(proof.facts, 'fact')}" if proof.facts else ""
    pairs = f", for each of {proof.flows} pairs of paths that lead to it" if proof.flows > 1 else ""
    told = [_row("proven", f"here = there{facts}{pairs}")]
    if proof.source.lanes:
        near = "if all 32 lanes are active, that lane is in this warp, its thread in this row of the block"
        conditions = [near, *map(_unwrapped, proof.checks)]
        if proof.together.loops:
            conditions.append("and all lanes are in the same iteration, which is counted and compared")
        text = ",\n".join(conditions) + ";\nelse loaded as before"
        told += [_row("" if n else "shuffled", line) for n, line in enumerate(text.split("\n"))]
    return told


def _unwrapped(check: Check) -> str:
    first, last = (_shifted(check.register.name, by) for by in (check.low, check.high))
    return f"and {first} to {last} doesn't wrap round ({'s' if check.is_signed else 'u'}32)"


def _shifted(name: str, by: int) -> str:
    if not by:
        return name
    return f"{name} {'+' if by > 0 else '-'} {abs(by)}"


def _declined(declined: Declined, lines: list[str]) -> str:
    return "\n".join([*_heading(declined.line, declined.source, lines), _row("stays", declined.why)])


def _heading(line: int, source: str | None, lines: list[str]) -> list[str]:
    place = "" if source is None else f" ({source})"
    code = " ".join(lines[line - 1].split()) if 0 < line <= len(lines) else ""
    return ["", f"  line {line}{place}: {code}"]


def _away(lanes: int) -> str:
    if not lanes:
        return "in the same lane (N = 0)"
    return f"{_counted(abs(lanes), 'lane')} {'on' if lanes > 0 else 'back'} (N = {lanes})"


def _counted(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"


def _row(label: str, text: str) -> str:
    return f"    {label:{_LABELS}}{text}"
