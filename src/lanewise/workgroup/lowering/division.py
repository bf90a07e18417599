# SPDX-License-Identifier: Apache-2.0
"""Integer division that never traps.

Before
    define i32 @f(i32 %a, i32 %b) {
    entry:
      %q = sdiv i32 %a, %b
      ret i32 %q
    }

After
    define i32 @f(i32 %a, i32 %b) {
    entry:
      %0 = icmp eq i32 %b, 0
      %1 = icmp eq i32 %a, -2147483648
      %2 = icmp eq i32 %b, -1
      %3 = and i1 %1, %2
      %4 = or i1 %0, %3
      %5 = select i1 %4, i32 1, i32 %b
      %q = sdiv i32 %a, %5
      ret i32 %q
    }

Why: on a GPU division by zero has some result, which programs don't use. On x86 it is a signal that ends the process,
with all that it had computed. If the divisor is a constant, nothing is added.

The result for a divisor of zero is the dividend (of a remainder: 0), and INT_MIN / -1 is INT_MIN: the language leaves
both undefined. The reference device reports them.
"""

from __future__ import annotations

from typing import Final

from lanewise.ir.builder import Builder
from lanewise.ir.instruction import Instruction
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value, int_constant

DIVISIONS: Final = frozenset({"sdiv", "udiv", "srem", "urem"})


def safe_division(build: Builder, op: str, dividend: Value, divisor: Value) -> list[Value]:
    """Operands with which `op` can't trap, for any values of the given ones."""
    if isinstance(divisor, Constant) and divisor.kind == "int" and divisor.integer not in (0, -1):
        return [dividend, divisor]
    type_ = divisor.type
    unsafe: Value = build.compare("eq", divisor, _all(type_, 0))
    if op in ("sdiv", "srem"):
        lowest = build.compare("eq", dividend, _all(type_, 1 << type_.scalar.bits - 1))
        wraps = build.binary("and", lowest, build.compare("eq", divisor, _all(type_, -1)))
        unsafe = build.binary("or", unsafe, wraps)
    return [dividend, build.select(unsafe, _all(type_, 1), divisor)]


def unguarded_divisor(op: str, dividend: Value, divisor: Value) -> Value:
    """The divisor that `safe_division` was given for these operands; the same if that changed nothing."""
    if not isinstance(divisor, Instruction) or divisor.op != "select":
        return divisor
    unsafe, one, given = divisor.operands
    if not isinstance(one, Constant) or one.kind != "int" or one.integer != 1 or not isinstance(unsafe, Instruction):
        return divisor
    zero = unsafe
    if op in ("sdiv", "srem"):
        if unsafe.op != "or" or not _wraps(unsafe.operands[1], dividend, given):
            return divisor
        zero = unsafe.operands[0]
    return given if _is_equal(zero, given, 0) else divisor


def _wraps(test: Value, dividend: Value, divisor: Value) -> bool:
    if not isinstance(test, Instruction) or test.op != "and":
        return False
    lowest, minus_one = test.operands
    return _is_equal(lowest, dividend, -1 << dividend.type.bits - 1) and _is_equal(minus_one, divisor, -1)


def _is_equal(test: Value, value: Value, number: int) -> bool:
    """Return whether `test` compares a value with a number."""
    if (
        not isinstance(test, Instruction)
        or test.op != "icmp"
        or test.predicate != "eq"
        or test.operands[0] is not value
    ):
        return False
    other = test.operands[1]
    return isinstance(other, Constant) and other.kind == "int" and other.integer == number


def _all(type_: Type, value: int) -> Constant:
    """An integer, or a vector of it."""
    scalar = int_constant(type_.scalar, value)
    return Constant(type_, "splat", operands=(scalar,)) if type_.kind == "vector" else scalar
