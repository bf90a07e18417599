# SPDX-License-Identifier: Apache-2.0
"""The bits that an integer takes when it is read without a sign, as far as the operations before it tell."""

from typing import Final

from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Constant, Value

MAX_DEPTH: Final = 6
"""Limit on operations that are looked through."""


def unsigned_width(value: Value, depth: int = MAX_DEPTH) -> int:
    """The bits of an integer, at most, when it is read without a sign: 2 for `lshr i64 %x, 62`."""
    most = value.type.bits
    if isinstance(value, Constant):
        return value.integer.bit_length() if value.kind == "int" and value.integer >= 0 else most
    if not isinstance(value, Instruction) or not depth:
        return most
    if value.op == "zext":
        return unsigned_width(value.operands[0], depth - 1)
    if value.op in ("and", "urem"):
        return min(unsigned_width(operand, depth - 1) for operand in value.operands)
    if value.op in ("or", "xor"):
        return max(unsigned_width(operand, depth - 1) for operand in value.operands)
    if value.op == "udiv":
        return unsigned_width(value.operands[0], depth - 1)
    if value.op == "lshr" and isinstance(count := value.operands[1], Constant) and count.kind == "int":
        return max(0, unsigned_width(value.operands[0], depth - 1) - count.integer)
    return most
