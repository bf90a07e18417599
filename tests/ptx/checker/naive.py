# SPDX-License-Identifier: Apache-2.0
"""Shuffles by the look of the text: right for plain stencils, and wrong in any one way that is asked for.

It is there to see that the checker lets the right ones pass and catches the others. Of two loads of 32 bits at the same
address register, in the same basic block, the second takes its value from the lane that many elements away. For other
stencils than plain ones that is wrong as well: an address need not be that of the neighbouring lane plus an element.
"""

from __future__ import annotations

import re
from typing import Final

RIGHT: Final = ""
WRONG: Final = (
    "lane by tid.x", "no check of incomplete warps", "no corner case", "no check of the neighbour", "wrong sign",
    "stale source", "all lanes named", "one further", "corner case by one", "stores overlooked", "ways overlooked",
    "guards overlooked",
)  # fmt: skip

_LOAD: Final = re.compile(r"\tld\.global(?:\.nc)?\.[fsub]32 \t(%\w+), \[(%\w+)(?:\+(-?\d+))?\];").fullmatch
_REGISTERS: Final = (
    "\t.reg .b32 %lane, %far, %members, %moved;", "\t.reg .b32 %nx, %tx;", "\t.reg .pred %incomplete, %corner;",
)  # fmt: skip
_GUARDED: Final = re.compile(r"(?:\t@\S+ )(.*)").fullmatch
_LEAVES: Final = re.compile(r"\t(?:@\S+ )?(?:bra|ret|exit)\b").match
_CHANGES: Final = re.compile(r"\t(?:st|bar|atom|red)\.").match
_WRITES: Final = re.compile(r"\t(?:@\S+ )?(?!st\.|bra|ret)\S+ \t(%\w+),").match


def rewritten(text: str, mistake: str = RIGHT) -> str:
    """`mistake`: one of WRONG, or RIGHT."""
    lines: list[str] = []
    sources: dict[str, list[tuple[int, str, str]]] = {}  # by address register: offset, register, copy of its value
    copies = 0
    for line in text.split("\n"):
        way = (line.endswith(":") or _LEAVES(line)) and mistake != "ways overlooked"
        if way or (_CHANGES(line) and mistake != "stores overlooked"):
            sources.clear()
        guarded = _GUARDED(line) if mistake == "guards overlooked" else None
        match = _LOAD("\t" + guarded[1] if guarded else line)
        if not match:
            lines.append(line)
            if line == "{":
                lines += [*_REGISTERS, "\t.reg .b32 %copy<100>;", *_lane(mistake)]
            written = _WRITES(line)
            if written:
                sources.pop(written[1], None)
            continue
        result, address, offset = match[1], match[2], int(match[3] or 0)
        near = [each for each in sources.get(address, []) if abs(offset - each[0]) <= 4 * 31]
        if near and not guarded:
            at, register, copy = near[0]
            source = register if mistake == "stale source" else copy
            lines += _shuffle((offset - at) // 4, result, source, line, mistake)
        else:
            lines.append(line)
        copies += 1
        lines.append(f"\tmov.b32 \t%copy{copies}, {result};")
        if not near or guarded:
            sources.setdefault(address, []).append((offset, result, f"%copy{copies}"))
    return "\n".join(lines)


def _lane(mistake: str) -> list[str]:
    if mistake == "lane by tid.x":
        return ["\tmov.u32 %tx, %tid.x;", "\trem.u32 %lane, %tx, 32;"]
    return ["\tmov.u32 %lane, %laneid;", "\tmov.u32 %tx, %tid.x;", "\tmov.u32 %nx, %ntid.x;"]


def _shuffle(delta: int, result: str, source: str, load: str, mistake: str) -> list[str]:
    """`load` is what remains for lanes in a corner."""
    if not delta:
        return [f"\tmov.b32 {result}, {source};"]
    moved = delta
    if mistake == "wrong sign":
        moved = -delta
    elif mistake == "one further":
        moved = delta + (1 if 0 < delta < 31 else -1)
    members = "-1" if mistake == "all lanes named" else "%members"
    way, clamp = ("down", 31) if moved > 0 else ("up", 0)
    found = [
        "\tactivemask.b32 %members;",
        "\tsetp.ne.s32 %incomplete, %members, -1;",
        f"\tadd.s32 %far, %lane, {delta + (mistake == 'corner case by one') * (-1 if delta > 0 else 1)};",
        "\tsetp.gt.u32 %corner, %far, 31;",
        f"\tshfl.sync.{way}.b32 %moved, {source}, {abs(moved)}, {clamp}, {members};",
    ]
    if mistake == "no corner case":
        found.append("\tsetp.ne.s32 %corner, 0, 0;")
    elif mistake not in ("lane by tid.x", "no check of the neighbour"):
        found += [f"\tadd.s32 %far, %tx, {delta};", "\tsetp.ge.or.u32 %corner, %far, %nx, %corner;"]
    if mistake != "no check of incomplete warps":
        found.append("\tor.pred %corner, %corner, %incomplete;")
    return [*found, f"\tmov.b32 {result}, %moved;", "\t@%corner " + load.strip()]
