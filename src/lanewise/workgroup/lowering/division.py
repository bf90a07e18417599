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


def _all(type_: Type, value: int) -> Constant:
    """An integer, or a vector of it."""
    scalar = int_constant(type_.scalar, value)
    return Constant(type_, "splat", operands=(scalar,)) if type_.kind == "vector" else scalar
