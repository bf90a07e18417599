# SPDX-License-Identifier: Apache-2.0
"""Keeps code away from an error of LLVM 22 in masked loads for AVX-512: they read lanes that are switched off.

What is wrong
    %x = load of the lanes that %mask has on           vmovups  (%rdi), %zmm0
    %y = sum of %x and %b                     becomes  vaddps   %zmm1, %zmm0, %zmm0 {%k1} {z}
    %z = %y where %mask has a lane on, else 0
which ends the process if a lane that is off lies in a page that isn't there. LLVM makes the load an operand of the
masked sum, since both have one mask (llvm-project's pull request 161074), where it still is right. A later pass that
takes the operand out again forgets the mask. Instructions that move values between lanes come out wrong by the same
way, though the page is there (pull request 178888).

Method
    Loads get a mask of their own, which is the same and of which LLVM doesn't know that it is:

        %lw.on.0 = call <16 x i1> asm "", "=k,0"(<16 x i1> %mask)

    That is one move between mask registers for each mask and block, or none.

When not
    Masks of other than 2, 4, 8, 16, 32 or 64 lanes, of which vectors of Lanewise have none; those of more than 16 lanes
    for processors without AVX512BW, whose mask registers have 16 bits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from typing import Final

from lanewise.backend.host.cut_blocks import blocks_of, functions_of
from lanewise.llvm import Machine

_LOAD: Final = "@llvm.masked.load."
NAME: Final = r'(?:%"[^"]*"|%[-\w.$]+)'
"""The name of a value, as LLVM prints it."""
_MASK: Final = re.compile(rf", <(2|4|8|16|32|64) x i1> ({NAME}|<[^>]*>|splat \([^)]*\)|\w+), <")
_LEAST: Final = 8
"""Lanes of the narrowest mask that assembly takes."""
_WIDEST: Final = 64
_WIDEST_WITHOUT_BW: Final = 16


def lanes_of_mask_registers(machine: Machine) -> int:
    """The lanes of the widest mask that a register holds: 0 for a processor without AVX-512."""
    features = machine.features.split(",")
    if machine.architecture != "x86_64" or "+avx512f" not in features:
        return 0
    return _WIDEST if "+avx512bw" in features else _WIDEST_WITHOUT_BW


def part_load_masks(text: str, widest: int = _WIDEST) -> str | None:
    """The IR, as LLVM prints it, in which masked loads have masks of their own, if these have at most `widest` lanes;
    None if it has no masked load."""
    if _LOAD not in text:
        return None
    prefix = next(name for n in count() if (name := f"%lw.on{n or ''}.") not in text)
    lines = text.split("\n")
    done: list[str] = []
    position = 0
    for start, end in functions_of(lines):
        done += lines[position:start]
        numbers = count()
        for _, block in blocks_of(lines[start:end]):
            done += _parted(block, prefix, numbers, widest)
        position = end
    return "\n".join(done + lines[position:])


def _parted(block: list[str], prefix: str, numbers: Iterator[int], widest: int) -> Iterator[str]:
    """The lines of a block, each mask of loads made before the first of them."""
    known: dict[tuple[str, str], str] = {}
    for line in block:
        found = _MASK.search(line) if _LOAD in line else None
        if found is None or int(found[1]) > widest:
            yield line
            continue
        lanes, mask = found.groups()
        if (lanes, mask) not in known:
            known[lanes, mask] = own = f"{prefix}{next(numbers)}"
            yield from own_mask(own, int(lanes), mask)
        yield f"{line[: found.start(2)]}{known[lanes, mask]}{line[found.end(2) :]}"


def own_mask(own: str, lanes: int, mask: str) -> Iterator[str]:
    """The lines of IR that make a mask that is the same, of which LLVM doesn't know that it is."""
    if lanes >= _LEAST:
        yield f'  {own} = call <{lanes} x i1> asm "", "=k,0"(<{lanes} x i1> {mask})'
        return
    some, wide = f"<{lanes} x i1>", f"<{_LEAST} x i1>"
    there = [f"i32 {lane}" if lane < lanes else "i32 poison" for lane in range(_LEAST)]
    yield f"  {own}.wide = shufflevector {some} {mask}, {some} poison, <{_LEAST} x i32> <{', '.join(there)}>"
    yield f'  {own}.hidden = call {wide} asm "", "=k,0"({wide} {own}.wide)'
    back = ", ".join(there[:lanes])
    yield f"  {own} = shufflevector {wide} {own}.hidden, {wide} poison, <{lanes} x i32> <{back}>"
