# SPDX-License-Identifier: Apache-2.0
"""Masks in vectors of whole lanes, from one block to the next, on processors without registers for masks.

Why
    LLVM selects instructions block by block. A <8 x i1> that lives from one block to another, such as the mask of a
    loop that work-items leave at different times, is made eight 16-bit lanes for that. Comparisons and blends of 32-bit
    lanes have eight of 32 bits, so that each use packs or unpacks: three instructions with AVX2, one after the other.

Method
    The mask of a loop is

        %mask = phi <8 x i1> [ %entered, %entry ], [ %left, %loop ]

    and becomes

        %lw.mask.2 = phi <8 x i32> [ %lw.mask.0, %entry ], [ %lw.mask.1, %loop ]
        %mask = icmp slt <8 x i32> %lw.mask.2, zeroinitializer

    with `%lw.mask.0 = sext <8 x i1> %entered to <8 x i32>` at the end of `entry`. Blends and MOVMSK read the signs
    alone, so that the comparison mostly goes.

When not
    A mask that is defined in one block and used in another without a phi. A <16 x i1>, which LLVM makes sixteen bytes
    of, one register for two of comparisons: as wide as those it made mandelbrot of bench/cpu no faster.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import count
from typing import Final

from lanewise.backend.host.cut_blocks import blocks_of, functions_of
from lanewise.llvm import Machine

_PHI: Final = re.compile(r"^  (%\S+) = phi <(4|8) x i1> (.*)$", re.MULTILINE)
_INCOMING: Final = re.compile(r'\[ (.+?), %("[^"]*"|[-\w.$]+) \]')
_NUMBERED: Final = re.compile(r"%\d+(?![-\w.$])")
_START: Final = re.compile(r"  [^ \]#]")
"""The start of an instruction, rather than a further line of it or of debug records."""


def has_no_mask_registers(machine: Machine) -> bool:
    """Return whether a processor compares into vectors of whole lanes: x86-64 without AVX-512."""
    return machine.architecture == "x86_64" and "+avx512f" not in machine.features.split(",")


def widen_masks(text: str) -> str | None:
    """The IR, as LLVM prints it, with the phis of masks widened; None if it has none."""
    if not _PHI.search(text):
        return None
    prefix = next(name for n in count() if (name := f"%lw.mask{n or ''}.") not in text)
    lines = text.split("\n")
    done: list[str] = []
    position = 0
    for start, end in functions_of(lines):
        body = lines[start:end]
        done += lines[position:start]
        done += _widened(body, prefix)
        position = end
    return "\n".join(done + lines[position:])


def _widened(body: Sequence[str], prefix: str) -> list[str]:
    """The lines of a function with its phis widened. `prefix`: of new names."""
    blocks = list(blocks_of(body))
    labels = {label for label, _ in blocks}
    extended: dict[str, dict[tuple[str, str], str]] = {}
    """Block -> mask and its number of lanes -> the wide mask at the block's end."""
    numbers = count()
    renamed: dict[str, str] = {}
    """Masks with numbers for names, which must increase from one instruction to the next."""

    def wide(value: str, lanes: str, block: str) -> str:
        known = extended.setdefault(block if block in labels else "", {})
        if (value, lanes) not in known:
            known[value, lanes] = f"{prefix}{next(numbers)}"
        return known[value, lanes]

    for number, (label, block) in enumerate(blocks):
        made: list[str] = []
        compared: list[str] = []
        for line in block:
            phi = _PHI.match(line)
            if phi is None:
                if compared and " = phi " not in line:
                    made += compared
                    compared = []
                made.append(line)
                continue
            name, lanes, rest = phi.groups()
            if name[1:].isdigit():
                renamed[name] = f"{prefix}{next(numbers)}"
            incoming = [f"[ {wide(value, lanes, source)}, %{source} ]" for value, source in _INCOMING.findall(rest)]
            wide_name = f"{prefix}{next(numbers)}"
            made.append(f"  {wide_name} = phi <{lanes} x i32> {', '.join(incoming)}")
            compared.append(f"  {name} = icmp slt <{lanes} x i32> {wide_name}, zeroinitializer")
        blocks[number] = label, made
    lines = [line for label, block in blocks for line in _with_ends(block, extended.get(label, {}))]
    return [_NUMBERED.sub(lambda name: renamed.get(name[0], name[0]), line) for line in lines] if renamed else lines


def _with_ends(block: list[str], extended: dict[tuple[str, str], str]) -> list[str]:
    """A block with wide masks made before its terminator."""
    if not extended:
        return block
    end = max(number for number, line in enumerate(block) if _START.match(line))
    made = [f"  {name} = sext <{n} x i1> {value} to <{n} x i32>" for (value, n), name in extended.items()]
    return [*block[:end], *made, *block[end:]]
