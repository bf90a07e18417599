# SPDX-License-Identifier: Apache-2.0
"""Keeps code away from an error of LLVM 22 in how a mask gets from a vector register into a general one.

What is wrong
    vpmovq2m  %xmm17, %k0              becomes    vmovmskpd %xmm17, %eax
    kmovd     %k0, %eax
which has no place for a register above 15, so that it reads xmm1; and %k0 is lost, also where it is read later. LLVM's
pass X86CompressEVEX does it (issues 191304 and 198197 of llvm-project).

Method
    In code for AVX-512 it is that pass that makes instructions of the family MOVMSK, and where the sign of a single
number is all that is asked for of its bits, the selection of instructions, which is right. The two look alike. So an
object that has one is generated again, first with masks of their own where the IR moves them into general registers,
and with bits of numbers of which LLVM doesn't know what they are:

        %lw.moved.0 = call <16 x i1> asm "", "=k,0"(<16 x i1> %mask)
        %bits = bitcast <16 x i1> %lw.moved.0 to i16

so that the pass finds no move behind the instruction that makes the mask. If there still is a MOVMSK, as for masks that
LLVM itself takes apart, the object is generated without AVX-512; what MOVMSK is in it then is right. All that is rare:
such masks come from the signs of narrow vectors, and from masks whose lanes are moved; signs of single numbers, from
`pow`.

When not
    Leaving out AVX512DQ and AVX512BW alone, whose instructions the pass begins with, would do, but there are operations
on halves that LLVM 22 can't select for such a processor, which ends the process.
"""

from __future__ import annotations

import re
from itertools import count
from typing import Final

from lanewise.backend.host.load_masks import NAME, own_mask
from lanewise.llvm import Machine, code_of

_AVX512: Final = "+avx512f"
_MOVMSK: Final = re.compile(
    rb"(?:\xc5|\xc4[\x01\x21\x41\x61\x81\xa1\xc1\xe1])[\x78-\x7f\xf8-\xff][\x50\xd7][\xc0-\xff]", re.DOTALL
)
"""vmovmskps, vmovmskpd and vpmovmskb: VEX of two bytes, or of three with map 0F; no second operand, vvvv = 1111; opcode
50 or D7; two registers (Intel's manual, volume 2, 2.3.5). Now and then other bytes look like it."""
_MOVE: Final = re.compile(
    r" = (?:bitcast|extractelement|(?:tail )?call (?:\w+ )*i1 @llvm\.vector\.reduce\.\w+\.v\d+i1\()"
    rf" ?<(2|4|8|16|32) x i1> ({NAME})"
)
"""A move of a mask out of its register. Those of 64 lanes come from vectors for which there is no MOVMSK."""
_BITS: Final = re.compile(rf"^  ({NAME}) = bitcast (?:float {NAME} to (i32)|double {NAME} to (i64))")


def may_have_wrong_mask(machine: Machine, object_file: bytes) -> bool:
    """True if an object file that was generated for `machine` must be generated again."""
    return _AVX512 in machine.features.split(",") and _MOVMSK.search(code_of(object_file)) is not None


def hide_moved_masks(text: str, widest: int) -> str | None:
    """The IR, as LLVM prints it, in which what is moved out of a mask register is a mask of its own, and LLVM knows no
    number of which it has the bits; None if there is neither. `widest`: the lanes of the widest mask that a register
    holds."""
    numbers = count()
    prefix = next(name for n in count() if (name := f"%lw.moved{n or ''}.") not in text)
    done: list[str] = []
    for line in text.split("\n"):
        if bits := _BITS.match(line):
            name, type_ = bits[1], bits[2] or bits[3]
            own = f"{prefix}{next(numbers)}"
            done.append(f"{line[: bits.start(1)]}{own}{line[bits.end(1) :]}")
            done.append(f'  {name} = call {type_} asm "", "=r,0"({type_} {own})')
        elif (found := _MOVE.search(line)) and int(found[1]) <= widest:
            own = f"{prefix}{next(numbers)}"
            done += own_mask(own, int(found[1]), found[2])
            done.append(f"{line[: found.start(2)]}{own}{line[found.end(2) :]}")
        else:
            done.append(line)
    return "\n".join(done) if next(numbers) else None


def without_mask_moves(machine: Machine) -> Machine:
    """The same machine as one for which LLVM doesn't go wrong."""
    kept = [feature for feature in machine.features.split(",") if feature != _AVX512]
    return machine._replace(features=",".join([*kept, "-avx512f"]))
