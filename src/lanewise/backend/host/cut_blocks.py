# SPDX-License-Identifier: Apache-2.0
"""Long basic blocks cut into pieces, just before code generation.

Why
    LLVM selects instructions for a whole block at once. Some of that takes time that is quadratic in the loads of the
    block: merging loads of the same address, clustering neighbours, finding aliases. Code in lanes with a block of
    6,262 instructions, of which 1,500 were loads, took 58 s, and takes 4.8 s in pieces.

Method
    A block of 600 instructions becomes two of 300. The first ends in

        callbr void asm "", "!i"() to label %lw.piece.1 [label %lw.never]

    and the second begins at `lw.piece.1`. A plain branch would not last: code generation first merges blocks that
    follow one another. Assembly that might jump keeps them apart, and is no instruction. It never jumps; `lw.never` is
    unreachable.

When not
    A block without a label, whose name is a number that the text doesn't say. Memory on the stack is allocated in the
    first piece of the entry, where its size counts as constant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

LONGEST: Final = 500
"""Instructions of a piece. Pieces of 250 make the example 25 % faster to compile, those of 1000 take 2.4 times as
long."""
WORTHWHILE: Final = 1000
"""Instructions of a block that is left whole. The convolution of bench/cpu, cut at 500, took some 7 % more time."""

_LABEL: Final = re.compile(r'("[^"]*"|[-\w.$]+):')
_NEVER: Final = "lw.never"
_INCOMING: Final = re.compile(r', %("[^"]*"|[-\w.$]+) \]')


def cut_blocks(text: str, longest: int = LONGEST, worthwhile: int = WORTHWHILE) -> str | None:
    """The IR, as LLVM prints it, with blocks of more than `worthwhile` instructions in pieces of about
    `longest`; None if it has none."""
    lines = text.split("\n")
    done: list[str] = []
    changed = False
    position = 0
    for start, end in functions_of(lines):
        body = lines[start:end]
        cut = _cut_function(body, longest, worthwhile)
        changed |= cut is not None
        done += lines[position:start]
        done += body if cut is None else cut
        position = end
    return "\n".join(done + lines[position:]) if changed else None


def functions_of(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The lines between the braces of each function."""
    start = 0
    for number, line in enumerate(lines):
        if line.startswith("define "):
            start = number + 1
        elif line == "}" and start:
            yield start, number
            start = 0


def _cut_function(lines: list[str], longest: int, worthwhile: int) -> list[str] | None:
    """The lines of a function with its long blocks cut; None if it has none."""
    last_pieces: dict[str, str] = {}
    done: list[str] = []
    count = 0
    for label, block in blocks_of(lines):
        places = _places(block, longest, worthwhile) if label else []
        position = 0
        for place in places:
            count += 1
            done += block[position:place]
            done.append(f'  callbr void asm "", "!i"() to label %lw.piece.{count} [label %{_NEVER}]')
            done.append(f"lw.piece.{count}:")
            last_pieces[label] = f"lw.piece.{count}"
            position = place
        done += block[position:]
    if not count:
        return None

    def renamed(match: re.Match[str]) -> str:
        return f", %{last_pieces.get(match[1], match[1])} ]"

    done = [_INCOMING.sub(renamed, line) if " = phi " in line else line for line in done]
    return [*done, f"{_NEVER}:", "  unreachable"]


def blocks_of(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The blocks of a function with their labels, "" without one."""
    label, start = "", 0
    for number, line in enumerate(lines):
        if line[:1] not in ("", " ", ";") and (found := _LABEL.match(line)):
            if number > start:
                yield label, list(lines[start:number])
            label, start = found[1], number
    yield label, list(lines[start:])


def _places(block: Sequence[str], longest: int, worthwhile: int) -> list[int]:
    """The lines of a block that begin a further piece of it."""
    if len(block) <= worthwhile:
        return []
    first, instructions = 0, list[int]()
    for number, line in enumerate(block):
        if line.startswith("  ") and line[2:3] not in (" ", "#", "]", ""):
            instructions.append(number)
            if " = phi " in line or " = alloca " in line:
                first = len(instructions)
    pieces = -(-len(instructions) // longest)
    cuts = (len(instructions) * piece // pieces for piece in range(1, pieces))
    return [instructions[cut] for cut in cuts if cut >= first]
