# SPDX-License-Identifier: Apache-2.0
"""Products with powers of two in vectors, by the instruction of AVX-512 for it.

    %i = fptosi <16 x float> %n to <16 x i32>                     vscalefps  %zmm_n, %zmm_x, %zmm_r
    %f = freeze <16 x i32> %i                            becomes
    %r = llvm.ldexp(<16 x float> %x, <16 x i32> %f)

The instruction takes the exponent as a floating-point number. LLVM would convert %n to an integer and back. Calls of
`llvm.ldexp` come from `passes/scale_in_one_instruction.py`. Where that converts a number, %n is an integer, or a NaN if
the result is one, and it freezes what it has converted; so it does not matter that the instruction rounds %n down. It
does for a number that the program has converted, by (int)n, which is not frozen.

Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, VSCALEFPS.
"""

from __future__ import annotations

from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Value, int_constant
from lanewise.workgroup.lanes.values.lane_code import LaneCode
from lanewise.workgroup.lanes.values.lane_values import shuffle

_REGISTER_BITS: Final = (512, 256, 128)
_CURRENT_DIRECTION: Final = 4
"""The operand for rounding as MXCSR says."""
_LEAST_MASK: Final = 8
"""Bits of the narrowest mask."""


def scaled(code: LaneCode, value: Value, exponent: Value) -> Value | None:
    """The vector `value` times 2^`exponent`; None if that isn't one of the instruction's forms."""
    number = _converted_from(exponent)
    if not code.processor.scales or number is None or number.type is not value.type:
        return None
    count, bits = value.type.count, value.type.scalar.bits
    register = next((size for size in _REGISTER_BITS if count * bits % size == 0), None)
    if register is None:
        return None
    lanes = register // bits
    parts = [_part(code, value, number, start, lanes) for start in range(0, count, lanes)]
    while len(parts) > 1:
        pairs = zip(parts[::2], parts[1::2], strict=True)
        parts = [shuffle(a, b, list(range(2 * a.type.count)), code.build) for a, b in pairs]
    return parts[0]


def _converted_from(exponent: Value) -> Value | None:
    """The integral floating-point number that the library has converted to an exponent."""
    if not isinstance(exponent, Instruction) or exponent.op != "freeze":
        return None
    converted = exponent.operands[0]
    return converted.operands[0] if isinstance(converted, Instruction) and converted.op == "fptosi" else None


def _part(code: LaneCode, value: Value, number: Value, start: int, lanes: int) -> Value:
    """The product in the lanes from `start` on, as many as a register has."""
    if lanes < value.type.count:
        places = list(range(start, start + lanes))
        value, number = (shuffle(each, None, places, code.build) for each in (value, number))
    bits = value.type.scalar.bits
    size = lanes * bits
    all_lanes = int_constant(ty.integer(max(lanes, _LEAST_MASK)), -1)
    rounding = [int_constant(ty.I32, _CURRENT_DIRECTION)] if size == _REGISTER_BITS[0] else []
    name = f"llvm.x86.avx512.mask.scalef.{'ps' if bits == 32 else 'pd'}.{size}"
    return code.intrinsic(name, value.type, [value, number, value, all_lanes, *rounding])
