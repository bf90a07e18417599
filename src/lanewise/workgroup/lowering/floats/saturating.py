# SPDX-License-Identifier: Apache-2.0
"""Conversions of floating-point numbers to integers that saturate: beyond the integer's range its end, of a NaN 0.

That is what conversions of OpenCL C and PTX do. LLVM makes one lane after the other of them on x86, whose instruction
gives the lowest integer for all that doesn't fit. So they are written out, unless the processor's instruction saturates
by itself, as that of AArch64 does. From float to int:

    raised = %x < -2^31 ? -2^31 : %x
    converted = freeze (fptosi raised)               ; arbitrary for what the selections replace
    result = %x is a NaN ? 0 : %x >= 2^31 ? 2^31 - 1 : converted

which is an instruction each in vectors. If the format holds the greatest integer, it is a bound before the conversion.
Unsigned integers of fewer than 32 bits are converted as int: before AVX-512 there is no instruction for unsigned ones.

Source: LLVM Language Reference, "Saturating floating-point to integer conversions".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction
from lanewise.ir.types import Type
from lanewise.ir.values import Value
from lanewise.workgroup.lowering.floats.builder import FloatBuilder

_PRECISION: Final = {"float": 24, "double": 53}
"""Digits of a significand."""
_LEAST_BITS: Final = 32
"""Bits of the narrowest integer that processors convert to."""
_MOST_BITS: Final = 64
"""Bits of the widest one. 2^128, beyond unsigned integers of 128 bits, is no float."""


def saturating(call: Instruction) -> bool:
    """Return whether a conversion is written out: those of float and double to integers of processors are."""
    return call.type.scalar.bits <= _MOST_BITS and all(
        operand.type.scalar.kind in _PRECISION for operand in call.operands[1:]
    )


def to_signed(at: FloatBuilder, result: Type, arguments: Sequence[Value]) -> Value:
    """llvm.fptosi.sat."""
    return _converted(at, result, arguments[0], signed=True)


def to_unsigned(at: FloatBuilder, result: Type, arguments: Sequence[Value]) -> Value:
    """llvm.fptoui.sat."""
    return _converted(at, result, arguments[0], signed=False)


def _converted(at: FloatBuilder, result: Type, value: Value, signed: bool) -> Value:
    bits = result.scalar.bits
    least, beyond = (-(2.0 ** (bits - 1)), 2.0 ** (bits - 1)) if signed else (0.0, 2.0**bits)
    low = at.floating(value.type, least)
    inside = at.select(at.compare("olt", value, low), low, value)
    fits = bits - signed <= _PRECISION[value.type.scalar.kind]
    if fits:
        high = at.floating(value.type, beyond - 1)
        inside = at.select(at.compare("ogt", inside, high), high, inside)
    wide = ty.integer(max(bits, _LEAST_BITS)).with_shape_of(result)
    is_unsigned = not signed and bits == wide.scalar.bits
    converted = at.build.cast("fptoui" if is_unsigned else "fptosi", inside, wide)
    converted = at.build.emit(Instruction("freeze", wide, (converted,)))
    if wide is not result:
        converted = at.build.cast("trunc", converted, result)
    if not fits:
        most = at.integer(result, 2 ** (bits - signed) - 1)
        converted = at.select(at.compare("oge", value, at.floating(value.type, beyond)), most, converted)
    return at.select(at.compare("uno", value, value), at.integer(result, 0), converted)
