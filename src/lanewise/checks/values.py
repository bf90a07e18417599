# SPDX-License-Identifier: Apache-2.0
"""check-values: tests operations whose result C++ and OpenCL C leave undefined for some operands.

Before
    define ptx_kernel void @k(ptr %p, i32 %a, i32 %b) {
    entry:
      %q = sdiv i32 %a, %b
      store i32 %q, ptr %p, align 4
      ret void
    }

After
    define ptx_kernel void @k(ptr %p, i32 %a, i32 %b, i64 %dynamic.size, ptr %report) {
    entry:
      %0 = icmp ne i32 %b, 0
      %1 = icmp ne i32 %a, -2147483648
      %2 = icmp ne i32 %b, -1
      %3 = or i1 %1, %2
      %4 = and i1 %0, %3
      br i1 %4, label %5, label %6
    5:
      %q = sdiv i32 %a, %b
      br label %9
    6:
      %7 = select i1 %0, i32 2, i32 1
      %8 = sext i32 %a to i64
      call void @__lw_check_fault(ptr %report, i32 0, i32 %7, i64 %8)
      br label %9
    9:
      %10 = phi i32 [ %q, %5 ], [ zeroinitializer, %6 ]
      store i32 %10, ptr %p, align 4
      ret void
    }

What is tested
    1. A division or remainder of integers: not by zero, and not of the least number by -1.
    2. A shift: by fewer bits than the number has. (In OpenCL C all counts are right, and clang masks them.)
    3. A conversion of a floating-point number to an integer: in its range. (For those of OpenCL C, see `casts.py`.)
    4. A sum, difference or product of signed integers: no overflow.

Of divisions of vectors, each element is tested, and the first that fails is told.

After a fault, a quotient (of a vector, all its elements) and a shifted number are zero, a converted number is the
nearest one, NaN gives zero, and a sum wraps round.

Source: C++ standard, [expr.mul]/4, [expr.shift]/1, [conv.fpint]/1, [expr.pre]/4.
"""

import struct
from collections.abc import Callable
from typing import Final, NamedTuple, final

from lanewise.checks.accesses import KernelAccesses
from lanewise.checks.guard import Guard
from lanewise.checks.parts import VALUES
from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.instruction import Instruction
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value, i32, int_constant

BY_ZERO: Final = 1
"""Code of a fault: a divisor of zero."""
TOO_LARGE: Final = 2
"""Code of a fault: the result has no place in its type."""

_DIVISIONS: Final = {"sdiv": "division", "udiv": "division", "srem": "remainder", "urem": "remainder"}
_SHIFTS: Final = ("shl", "lshr", "ashr")
_SUMS: Final = {"add": "sum", "sub": "difference", "mul": "product"}
_CONVERSIONS: Final = ("fptosi", "fptoui")
CONVERTED: Final = ("float", "double")
"""Types whose conversions to integers are tested."""
_WIDEST: Final = 64


@final
class ValueChecks:
    """Checks the operations of one kernel."""

    def __init__(self, accesses: KernelAccesses) -> None:
        self._of: Final = accesses
        self._module: Final = accesses.module

    def run(self) -> None:
        for block in list(self._of.kernel.blocks):
            for instruction in reversed(list(block.instructions)):
                check = self._check_of(instruction)
                if check is not None and instruction.type.scalar.bits <= _WIDEST:
                    with self._of.kernel.at_place_of(instruction):
                        check(instruction)

    def _check_of(self, instruction: Instruction) -> Callable[[Instruction], None] | None:
        op = instruction.op
        if op in _DIVISIONS:
            return None if _integer(instruction.operands[1]) not in (None, 0, -1) else self._division
        if not instruction.type.is_int:
            return None
        if op in _CONVERSIONS:
            return self._conversion if instruction.operands[0].type.kind in CONVERTED else None
        if op in _SHIFTS:
            count = _integer(instruction.operands[1])
            return None if count is not None and 0 <= count < instruction.type.bits else self._shift
        return self._sum if op in _SUMS and "nsw" in instruction.flags else None

    def _site(self, instruction: Instruction, what: str) -> Constant:
        return self._of.value_site(instruction, what, VALUES)

    def _division(self, instruction: Instruction) -> None:
        signed = instruction.op[0] == "s"
        guard = Guard(self._module, instruction)
        build = guard.before
        dividends, divisors = (_elements(each, build) for each in instruction.operands)
        tests = [_has_quotient(a, b, build, signed=signed) for a, b in zip(dividends, divisors, strict=True)]
        whole = tests[0].right
        for test in tests[1:]:
            whole = build.binary("and", whole, test.right)
        guard.test(whole)
        build = guard.otherwise
        what, number = _fault_of_division(dividends[-1], tests[-1], build, signed=signed)
        for dividend, test in zip(dividends[-2::-1], tests[-2::-1], strict=True):
            own = _fault_of_division(dividend, test, build, signed=signed)
            what, number = (build.select(test.right, *pair) for pair in ((what, own[0]), (number, own[1])))
        guard.tell(self._of.report, self._site(instruction, _DIVISIONS[instruction.op]), what, number)

    def _shift(self, instruction: Instruction) -> None:
        count = instruction.operands[1]
        guard = Guard(self._module, instruction)
        guard.test(guard.before.compare("ult", count, int_constant(instruction.type, instruction.type.bits)))
        number = _wide(count, guard.otherwise, signed=True)
        guard.tell(self._of.report, self._site(instruction, "shift"), i32(TOO_LARGE), number)

    def _conversion(self, instruction: Instruction) -> None:
        value = instruction.operands[0]
        signed = instruction.op == "fptosi"
        bits = instruction.type.bits - signed
        guard = Guard(self._module, instruction)
        build = guard.before
        below = _compare(build, "olt", value, _number(value.type, 2.0**bits))
        least = -(2.0**bits) if signed else 0.0
        exact = signed and bits >= _mantissa(value.type)  # no number lies between the least integer and the one before
        above = _compare(build, "oge" if exact else "ogt", value, _number(value.type, least if exact else least - 1))
        guard.test(build.binary("and", below, above))
        build = guard.otherwise
        double = value if value.type is ty.DOUBLE else build.cast("fpext", value, ty.DOUBLE)
        number = build.cast("bitcast", double, ty.I64)
        name = f"llvm.{instruction.op}.sat.i{instruction.type.bits}.{'f64' if value.type is ty.DOUBLE else 'f32'}"
        saturating = self._module.declare(name, ty.function(instruction.type, (value.type,)))
        nearest = build.call_function(saturating, (value,))
        guard.tell(self._of.report, self._site(instruction, "conversion"), i32(TOO_LARGE), number, nearest)

    def _sum(self, instruction: Instruction) -> None:
        type_ = instruction.type
        name = f"llvm.s{instruction.op}.with.overflow.i{type_.bits}"
        pair_type = ty.struct((type_, ty.I1))
        function = self._module.declare(name, ty.function(pair_type, (type_, type_)))
        guard = Guard(self._module, instruction)
        build = guard.before
        pair = build.call_function(function, instruction.operands)
        wrapped = build.emit(Instruction("extractvalue", type_, (pair,), indices=(0,)))
        overflow = build.emit(Instruction("extractvalue", ty.I1, (pair,), indices=(1,)))
        guard.test(build.binary("xor", overflow, int_constant(ty.I1, 1)))
        number = _wide(wrapped, guard.otherwise, signed=True)
        guard.tell(self._of.report, self._site(instruction, _SUMS[instruction.op]), i32(TOO_LARGE), number, wrapped)


class _QuotientTest(NamedTuple):
    """Conditions on a dividend and a divisor: that the divisor isn't zero, and that there is a quotient."""

    nonzero: Value
    right: Value


def _has_quotient(dividend: Value, divisor: Value, build: Builder, *, signed: bool) -> _QuotientTest:
    type_ = dividend.type
    nonzero = build.compare("ne", divisor, int_constant(type_, 0))
    if not signed:
        return _QuotientTest(nonzero, nonzero)
    other = build.compare("ne", dividend, int_constant(type_, 1 << (type_.bits - 1)))
    positive = build.compare("ne", divisor, int_constant(type_, -1))
    return _QuotientTest(nonzero, build.binary("and", nonzero, build.binary("or", other, positive)))


def _fault_of_division(dividend: Value, test: _QuotientTest, build: Builder, *, signed: bool) -> tuple[Value, Value]:
    """Code and number of a fault."""
    return build.select(test.nonzero, i32(TOO_LARGE), i32(BY_ZERO)), _wide(dividend, build, signed)


def _elements(value: Value, build: Builder) -> list[Value]:
    """The elements of a vector; of a number, itself."""
    type_ = value.type
    if not type_.is_vector:
        return [value]
    return [build.emit(Instruction("extractelement", type_.inner, (value, i32(n)))) for n in range(type_.count)]


def _integer(value: Value) -> int | None:
    return value.integer if isinstance(value, Constant) and value.kind in ("int", "zeroinitializer") else None


def _wide(value: Value, build: Builder, signed: bool) -> Value:
    return value if value.type is ty.I64 else build.cast("sext" if signed else "zext", value, ty.I64)


def _compare(build: Builder, predicate: str, a: Value, b: Value) -> Value:
    return build.emit(Instruction("fcmp", ty.I1, (a, b), predicate=predicate))


def _mantissa(type_: Type) -> int:
    return 53 if type_ is ty.DOUBLE else 24


def _number(type_: Type, number: float) -> Constant:
    """A floating-point literal; LLVM writes a float as the double that it is equal to."""
    return Constant(type_, "float", "0x" + struct.pack(">d", number).hex().upper())
