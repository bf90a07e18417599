# SPDX-License-Identifier: Apache-2.0
"""Keeps code away from an error of LLVM 22 in masks of which some lanes are off, whatever the others are: for AVX-512,
it may leave them on.

What is wrong
    %low = shufflevector <16 x i1> %mask, <16 x i1> zeroinitializer, of lanes 0 to 7 and of eight lanes that are off
becomes
    kmovb %k1, %k2
which clears the lanes from 8 on. LLVM's tables say of that instruction that it copies a register, as `kmovw` does. So
where there are too few registers for masks, and %low is to be kept in memory, %mask is stored instead and loaded again.

Method
    The lanes are switched off by an operation that LLVM takes for nothing else:

        %lw.lanes.0 = freeze <16 x i1> %mask
        %low = and <16 x i1> %lw.lanes.0, <i1 true, ... i1 false, ...>

    It is one instruction, too, and one more for the constant.

When not
    Lanes that are off because of an `and` in the IR: LLVM leaves that as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import count
from typing import Final

_CONSTANT: Final = r"zeroinitializer|splat \([^)]*\)|<[^>]*>"
_NAME: Final = r'%"[^"]*"|%[-\w.$]+'
_OPERAND: Final = rf"{_NAME}|poison|undef|{_CONSTANT}"
_SHUFFLE: Final = re.compile(
    rf"^  (?P<result>{_NAME}) = shufflevector <(?P<lanes>\d+) x i1> (?P<left>{_OPERAND}), "
    rf"<\d+ x i1> (?P<right>{_OPERAND}), <(?P<width>\d+) x i32> (?P<places>{_CONSTANT}|poison)(?P<rest>.*)$",
    re.MULTILINE,
)


def clear_masks_by_and(text: str) -> str | None:
    """The IR, as LLVM prints it, without moves among masks that switch lanes off; None if it has none."""
    numbers, changed = count(), False
    prefix = next(name for n in count() if (name := f"%lw.lanes{n or ''}.") not in text)

    def replaced(found: re.Match[str]) -> str:
        nonlocal changed
        made = _without_constant(found, f"{prefix}{next(numbers)}")
        changed |= made is not None
        return made or found[0]

    text = _SHUFFLE.sub(replaced, text) if " x i1>" in text else text
    return text if changed else None


def _without_constant(found: re.Match[str], name: str) -> str | None:
    """The lines for a move of lanes; None where it takes no lane from a constant that is off."""
    lanes, width = int(found["lanes"]), int(found["width"])
    sides = [_bits(found["left"], lanes), _bits(found["right"], lanes)]
    if (sides[0] is None) == (sides[1] is None):
        return None
    places = [_number(place) for place in _elements(found["places"], width)]
    given: list[bool | None] = []
    for place in places:
        side = sides[place // lanes] if place is not None else None
        given.append(side[place % lanes] if side and place is not None else None)
    if False not in given:
        return None
    mask = found["right"] if sides[0] is not None else found["left"]
    offset = lanes if sides[0] is not None else 0
    wanted = [
        None if place is None or bit is not None or place // lanes * lanes != offset else place - offset
        for place, bit in zip(places, given, strict=True)
    ]
    lines: list[str] = []
    if width != lanes or any(place not in (None, lane) for lane, place in enumerate(wanted)):
        moved = ", ".join("i32 poison" if place is None else f"i32 {place}" for place in wanted)
        lines.append(
            f"{name}.moved = shufflevector <{lanes} x i1> {mask}, <{lanes} x i1> poison, <{width} x i32> <{moved}>"
        )
        mask = f"{name}.moved"
    result, kind = found["result"], f"<{width} x i1>"
    on = True in given
    lines.append(f"{name} = freeze {kind} {mask}")
    kept = f"{name}.kept" if on else result
    lines.append(f"{kept} = and {kind} {name}, {_constant(bit is not False for bit in given)}{found['rest']}")
    if on:
        lines.append(f"{result} = or {kind} {kept}, {_constant(bit is True for bit in given)}{found['rest']}")
    return "\n".join(f"  {line}" for line in lines)


def _bits(operand: str, lanes: int) -> Sequence[bool | None] | None:
    """The lanes of a constant, None for those that are open; None if it is no constant."""
    if operand.startswith("%"):
        return None
    return [{"true": True, "false": False, "0": False}.get(bit) for bit in _elements(operand, lanes)]


def _elements(constant: str, count: int) -> list[str]:
    """The words for the elements of a constant vector."""
    if constant.startswith("<"):
        return [element.split()[-1] for element in constant[1:-1].split(", ")]
    word = {"zeroinitializer": "0", "poison": "poison", "undef": "poison"}.get(constant)
    return [word or constant[len("splat (") : -1].split()[-1]] * count


def _number(word: str) -> int | None:
    return int(word) if word.isdigit() else None


def _constant(bits: Iterable[bool]) -> str:
    return "<" + ", ".join(f"i1 {str(bit).lower()}" for bit in bits) + ">"
