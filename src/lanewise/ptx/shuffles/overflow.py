# SPDX-License-Identifier: Apache-2.0
"""Wrap-around of a neighbour's 32-bit index that is extended to 64 bits.

`sext(i + 2)` is `sext(i) + 2` unless the sum exceeds the largest number. If the kernel's own conditions don't exclude
that for a whole warp, the new code checks it: one addition and one comparison at the extension of the index.
"""

from __future__ import annotations

from dataclasses import dataclass

from lanewise.ptx.control.steps import Register, Step
from lanewise.ptx.shuffles.forms import EXTENSIONS
from lanewise.ptx.symbolic.execution import Emulation
from lanewise.ptx.symbolic.terms import Term, signed


@dataclass(frozen=True, slots=True)
class Range:
    """The assumption that `extension` of `stem + c` wraps round for no c from `low` to `high`."""

    extension: str
    stem: Term
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Check:
    """Check before `step`, which extends `register`: true if `register + low .. register + high` wraps round."""

    step: Step
    register: Register
    is_signed: bool
    low: int
    high: int


def ranges_of(found: Emulation, *addresses: Term) -> list[Range]:
    """The ranges that must not wrap round, so that extensions in these addresses differ by their constants only."""
    constants: dict[tuple[str, Term], set[int]] = {}
    for address in addresses:
        for atom in address.atoms():
            if atom.op in EXTENSIONS:
                inner = atom.args[0]
                stem = found.terms.without_constant(inner)
                constants.setdefault((atom.op, stem), set()).add(signed(inner.constant, inner.width))
    return [Range(op, stem, min(c), max(c)) for (op, stem), c in constants.items() if len(c) > 1]


def wraps(found: Emulation, needed: Range) -> Term:
    """The predicate that a range wraps round in this lane."""
    terms, stem = found.terms, needed.stem
    first = terms.add(stem, terms.constant(stem.width, needed.low))
    limit = _limit(needed.extension == "sext", stem.width, needed.high - needed.low)
    return found.operations.binary(
        "slt" if needed.extension == "sext" else "ult", terms.constant(stem.width, limit), first
    )


def _limit(is_signed: bool, width: int, span: int) -> int:
    """The largest start to which `span` can be added without wrap-around."""
    return (1 << (width - 1 if is_signed else width)) - 1 - span


def check_of(found: Emulation, needed: Range, step: Step, block: int) -> Check | None:
    """The check of a range before `step` in a block; None if no register holds the index."""
    for atom, makers in found.extensions.items():
        inner = atom.args[0]
        if atom.op != needed.extension or inner.width != 32:
            continue
        if found.terms.without_constant(inner) is not needed.stem:
            continue
        own = signed(inner.constant, inner.width)
        for number in sorted(makers):
            maker, register = found.flow.steps[number], found.extended.get((number, atom))
            at = found.flow.block_of(number)
            before = found.flow.dominates(at, block) and (at != block or number < step.number)
            if register is not None and maker.guard is None and before and found.made_by[number] == {atom}:
                return Check(maker, register, atom.op == "sext", needed.low - own, needed.high - own)
    return None


def text_of(check: Check, scratch: str, predicate: str) -> list[str]:
    """The instructions of a check. `scratch` and `predicate` are registers of its own."""
    kind = "s32" if check.is_signed else "u32"
    limit = _limit(check.is_signed, 32, check.high - check.low)
    register = check.register.name
    lines: list[str] = []
    if check.low:
        lines.append(f"add.s32 {scratch}, {register}, {check.low};")
        register = scratch
    return [*lines, f"setp.gt.{kind} {predicate}, {register}, {limit};"]
