# SPDX-License-Identifier: Apache-2.0
"""Numbers of PTX as constants of the kernel IR.

Source: PTX ISA 9.0, 4.5 "Constants".
"""

from __future__ import annotations

import math
import struct

from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, int_constant
from lanewise.ptx.language.operands import Immediate

_PACKED = {"half": "<e", "float": "<f", "double": "<d"}


def constant(number: Immediate, type_: Type) -> Constant:
    """A number as a type; a number of floating point given as bits has those of its own width."""
    if type_.is_int:
        if isinstance(number.value, float):
            return int_constant(type_, _bits(number.value, type_.bits))
        return int_constant(type_, number.value)
    if not type_.is_float:
        raise RefusedError(f"the number {number} as {type_}")
    if isinstance(number.value, float):
        return float_constant(number.value, type_)
    written = number.text.lstrip("-")[:2].lower()
    if written in ("0f", "0d"):
        bits = 32 if written == "0f" else 64
        return float_of_bits(number.value & ((1 << bits) - 1), bits, type_)
    return float_constant(float(number.value), type_)


def float_constant(value: float, type_: Type) -> Constant:
    """A number of floating point, rounded to its type."""
    if type_.kind == "bfloat":
        raise RefusedError("a constant of type bf16")
    if type_.kind == "float" and math.isfinite(value):
        try:
            value = struct.unpack("<f", struct.pack("<f", value))[0]
        except OverflowError:
            value = math.copysign(math.inf, value)
    if type_.kind == "half":
        return Constant(type_, "float", f"0xH{struct.unpack('<H', struct.pack('<e', value))[0]:04X}")
    return Constant(type_, "float", f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}")


def float_of_bits(value: int, bits: int, type_: Type) -> Constant:
    """The number with these bits, of `bits` bits, as a type."""
    if bits == type_.bits == 64:
        return Constant(type_, "float", f"0x{value:016X}")
    if bits == type_.bits == 32 and value & 0x7F800000 == 0x7F800000 and value & 0x7FFFFF:  # a NaN keeps its bits
        wide = (value & 0x80000000) << 32 | 0x7FF << 52 | (value & 0x7FFFFF) << 29
        return Constant(type_, "float", f"0x{wide:016X}")
    return float_constant(
        struct.unpack(*(("<f", struct.pack("<I", value)) if bits == 32 else ("<d", struct.pack("<Q", value))))[0], type_
    )


def _bits(value: float, bits: int) -> int:
    """The bits of a decimal, as an instruction on bits has them."""
    kind = {16: "half", 32: "float", 64: "double"}.get(bits)
    if kind is None:
        raise RefusedError(f"{value} in {bits} bits")
    return int.from_bytes(struct.pack(_PACKED[kind], value), "little")
