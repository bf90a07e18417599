# SPDX-License-Identifier: Apache-2.0
"""Keeps code away from an error of LLVM 22 in how a mask gets from a vector register into a general one.

What is wrong
    vpmovq2m  %xmm17, %k0              becomes    vmovmskpd %xmm17, %eax
    kmovd     %k0, %eax
which has no place for a register above 15, so that it reads xmm1; and %k0 is lost, also where it is read later. LLVM's
pass X86CompressEVEX does it (issues 191304 and 198197 of llvm-project).

Method
    In code for AVX-512 it is that pass that makes instructions of the family MOVMSK. An object that has one is
generated again without AVX-512; what MOVMSK is in it then is right. That is rare: such masks come from the signs of
narrow vectors, and from masks whose lanes are moved.

When not
    Leaving out AVX512DQ and AVX512BW alone, whose instructions the pass begins with, would do, but there are operations
on halves that LLVM 22 can't select for such a processor, which ends the process.
"""

from __future__ import annotations

import re
from typing import Final

from lanewise.llvm import Machine, code_of

_AVX512: Final = "+avx512f"
_MOVMSK: Final = re.compile(
    rb"(?:\xc5|\xc4[\x01\x21\x41\x61\x81\xa1\xc1\xe1])[\x78-\x7f\xf8-\xff][\x50\xd7][\xc0-\xff]", re.DOTALL
)
"""vmovmskps, vmovmskpd and vpmovmskb: VEX of two bytes, or of three with map 0F; no second operand, vvvv = 1111; opcode
50 or D7; two registers (Intel's manual, volume 2, 2.3.5). Now and then other bytes look like it."""


def may_have_wrong_mask(machine: Machine, object_file: bytes) -> bool:
    """True if an object file that was generated for `machine` must be generated again."""
    return _AVX512 in machine.features.split(",") and _MOVMSK.search(code_of(object_file)) is not None


def without_mask_moves(machine: Machine) -> Machine:
    """The same machine as one for which LLVM doesn't go wrong."""
    kept = [feature for feature in machine.features.split(",") if feature != _AVX512]
    return machine._replace(features=",".join([*kept, "-avx512f"]))
