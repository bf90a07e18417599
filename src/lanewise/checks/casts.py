# SPDX-License-Identifier: Apache-2.0
"""Casts of the user's code that saturate, made plain conversions, whose ranges are tested (`values.py`).

    %i = call i32 @llvm.fptosi.sat.i32.f32(float %x), !dbg !5      becomes
    %i = fptosi float %x to i32, !dbg !5

Why
    In OpenCL C, the result of a cast that is out of range is defined by the implementation, and clang makes it
    saturate, as `convert_int_sat()` of our library does on purpose. A program that counts on the one is wrong
    elsewhere.

Needs
    1. The module before calls are inlined: the user's instructions have places in the source, those of the library
       have none, or places in our headers.
    2. A test of each conversion, since a plain one that is out of range has no result.
"""

from typing import Final

from lanewise.checks.names import SourceNames
from lanewise.checks.values import CONVERTED
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import Module

_PLAIN: Final = {"llvm.fptosi.sat.": "fptosi", "llvm.fptoui.sat.": "fptoui"}


def make_casts_plain(module: Module) -> None:
    """Make conversions of numbers, not of vectors, plain where the user's code has them."""
    names = SourceNames(module)
    for function in module.functions:
        for instruction in list(function.instructions()):
            op = next((op for start, op in _PLAIN.items() if instruction.callee.startswith(start)), None)
            if (
                op is not None
                and instruction.type.is_int
                and instruction.arguments[0].type.kind in CONVERTED
                and names.is_users(instruction)
            ):
                plain = Instruction(op, instruction.type, instruction.arguments, metadata=instruction.metadata)
                block = instruction.parent
                block.insert(block.instructions.index(instruction), plain)
                instruction.replace_all_uses(plain)
                instruction.erase()
