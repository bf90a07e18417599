# SPDX-License-Identifier: Apache-2.0
"""Conversions to formats of which kernel IR has no type.

Source: PTX ISA 9.0, 9.7.9.21 "cvt", 5.2.3 "Alternate Floating-Point Data Formats".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lanewise.frontend.ptx.instructions.words import only
from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction as Made
from lanewise.ir.values import Value, i32
from lanewise.ptx.language.statements import Instruction

if TYPE_CHECKING:
    from lanewise.frontend.ptx.code import PtxCode

_CUT: Final = 13
"""Bits of a float's fraction that tf32 lacks."""
_NAN: Final = 0x7FFFFFFF


def round_to_tf32(code: PtxCode, instruction: Instruction) -> None:
    """cvt.tf32.f32: a float with ten bits of fraction. `rna` rounds halves away from zero."""
    only(instruction, "rna", "rn", "rz", "relu", "tf32")
    build = code.build
    value = code.read(instruction.operands[1], "f32")
    bits = code.as_integer(value)
    half = i32(1 << (_CUT - 1))
    if "rna" in instruction.modifiers:
        bits = build.binary("add", bits, half)
    elif "rn" in instruction.modifiers:
        odd = build.binary("and", build.binary("lshr", bits, i32(_CUT)), i32(1))
        bits = build.binary("add", bits, build.binary("add", odd, i32((1 << (_CUT - 1)) - 1)))
    result: Value = build.binary("and", bits, i32(-(1 << _CUT)))
    if "relu" in instruction.modifiers:
        result = build.select(build.compare("slt", result, i32(0)), i32(0), result)
    nan = build.emit(Made("fcmp", ty.I1, (value, value), predicate="uno"))
    code.write(instruction.operands[0], build.select(nan, i32(_NAN), result))
