# SPDX-License-Identifier: Apache-2.0
"""Python's operators on numbers.

Types follow NumPy's NEP 50 (`python_types.common`). Signs of `//` and `%` are Python's. Integers wrap in their type;
division by zero gives 0 for integers, as NumPy's scalars do, and an infinity or NaN for floating point.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, Final

from lanewise.frontend.python.code import PythonCode, described
from lanewise.frontend.python.complex_numbers import complex_binary, complex_equal, complex_negative
from lanewise.frontend.python.primitives import function, intrinsic
from lanewise.frontend.python.python_types import BOOL, FLOAT64, INT, INT64, PYTHON_BOOL, Number, common
from lanewise.frontend.python.refusal import UnsupportedError
from lanewise.frontend.python.values import NumberValue, TupleValue, Value
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Value as IrValue

SIGNS: Final[dict[type[ast.operator], str]] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.MatMult: "@",
}  # fmt: skip
_PYTHONS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "**": lambda a, b: a**b,
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
}
_SIMPLE: Final = {"+": ("add", "fadd"), "-": ("sub", "fsub"), "*": ("mul", "fmul")}
_BITWISE: Final = {"&": "and", "|": "or", "^": "xor"}
_MOST_MULTIPLICATIONS: Final = 64
"""The largest constant exponent of an integer that is multiplied out."""


def binary(code: PythonCode, sign: str, a: Value, b: Value) -> Value:
    """`a sign b`."""
    if isinstance(a, TupleValue) and isinstance(b, TupleValue) and sign == "+":
        return TupleValue((*a.items, *b.items))
    if not isinstance(a, NumberValue) or not isinstance(b, NumberValue):
        raise UnsupportedError(
            f"{described(a)} {sign} {described(b)}: compiled code computes with numbers: index the arrays here, or "
            "move the expression to code that Python runs"
        )
    if a.constant is not None and b.constant is not None and a.type.weak and b.type.weak:
        return _folded(code, sign, a.constant, b.constant)
    if "complex" in (a.type.kind, b.type.kind):
        return complex_binary(code, sign, a, b)
    if sign in _SIMPLE:
        return _simple(code, sign, a, b)
    if sign in _BITWISE:
        return _bitwise(code, sign, a, b)
    if sign in ("<<", ">>"):
        return _shift(code, sign, a, b)
    if sign == "/":
        type_ = common(a.type, b.type)
        if not type_.is_floating:
            type_ = FLOAT64._replace(weak=a.type.weak and b.type.weak)
        return NumberValue(type_, _floating(code, "fdiv", type_, a, b))
    if sign == "//":
        return _floor_division(code, a, b)
    if sign == "%":
        return _modulo(code, a, b)
    if sign == "**":
        return power(code, a, b)
    raise UnsupportedError(f"'{sign}' isn't compiled")


def _folded(code: PythonCode, sign: str, a: float, b: float) -> NumberValue:
    """An operation of Python's constants, done now."""
    try:
        return code.constant(_PYTHONS[sign](a, b))
    except (ArithmeticError, ValueError, TypeError) as error:
        raise UnsupportedError(f"{a} {sign} {b}: {error}") from None


def _arithmetic_type(a: Number, b: Number) -> Number:
    """The type of a sum. NumPy's bools add to a bool there, which nobody wants: they are integers here, as Python's."""
    type_ = common(a, b)
    return INT64 if type_.kind == "bool" else type_


def _simple(code: PythonCode, sign: str, a: NumberValue, b: NumberValue) -> NumberValue:
    type_ = _arithmetic_type(a.type, b.type)
    integer, floating = _SIMPLE[sign]
    if type_.is_floating:
        return NumberValue(type_, _floating(code, floating, type_, a, b))
    flags = ("nsw",) if type_.weak else ()  # Python's ints don't wrap, and must fit 64 bits here
    return NumberValue(type_, code.build.binary(integer, *_both(code, type_, a, b), flags=flags))


def _floating(code: PythonCode, op: str, type_: Number, a: NumberValue, b: NumberValue) -> Instruction:
    return code.build.binary(op, *_both(code, type_, a, b), flags=code.flags)


def _both(code: PythonCode, type_: Number, a: NumberValue, b: NumberValue) -> tuple[IrValue, IrValue]:
    return code.convert(a, type_).ir, code.convert(b, type_).ir


def _bitwise(code: PythonCode, sign: str, a: NumberValue, b: NumberValue) -> NumberValue:
    if a.type.kind == b.type.kind == "bool":
        type_ = PYTHON_BOOL if a.type.weak and b.type.weak else BOOL
    else:
        type_ = _arithmetic_type(a.type, b.type)
    _require_integers(sign, type_)
    return NumberValue(type_, code.build.binary(_BITWISE[sign], *_both(code, type_, a, b)))


def _require_integers(sign: str, type_: Number) -> None:
    if type_.is_inexact:
        raise UnsupportedError(f"'{sign}' takes integers, not a {type_.name}")


def _shift(code: PythonCode, sign: str, a: NumberValue, b: NumberValue) -> NumberValue:
    """Shifts by the width or more give 0, or -1 for negative numbers to the right."""
    type_ = _arithmetic_type(a.type, b.type)
    _require_integers(sign, type_)
    x, count = _both(code, type_, a, b)
    right = "ashr" if type_.is_signed else "lshr"
    op = "shl" if sign == "<<" else right
    if b.constant is not None and 0 <= b.constant < type_.bits:
        return NumberValue(type_, code.build.binary(op, x, count))
    last = code.constant(type_.bits - 1, type_).ir
    within = code.compare("ule", count, last)
    if op == "ashr":
        return NumberValue(type_, code.build.binary(op, x, code.build.select(within, count, last)))
    zero = code.constant(0, type_).ir
    shifted = code.build.binary(op, x, code.build.select(within, count, zero))
    return NumberValue(type_, code.build.select(within, shifted, zero))


def _floor_division(code: PythonCode, a: NumberValue, b: NumberValue) -> NumberValue:
    type_ = _arithmetic_type(a.type, b.type)
    if type_.is_floating:
        return _floating_divmod(code, type_, a, b)[0]
    quotient, remainder, is_off = _divided(code, type_, a, b)
    if remainder is None:
        return NumberValue(type_, quotient)
    one, zero = code.constant(1, type_).ir, code.constant(0, type_).ir
    assert is_off is not None
    return NumberValue(type_, code.build.binary("sub", quotient, code.build.select(is_off, one, zero)))


def _modulo(code: PythonCode, a: NumberValue, b: NumberValue) -> NumberValue:
    type_ = _arithmetic_type(a.type, b.type)
    if type_.is_floating:
        return _floating_divmod(code, type_, a, b)[1]
    x, y = _both(code, type_, a, b)
    y, is_zero = _safe_divisor(code, type_, y, b)
    if not type_.is_signed:
        return NumberValue(type_, _zero_if(code, type_, is_zero, code.build.binary("urem", x, y)))
    build, zero = code.build, code.constant(0, type_).ir
    remainder = build.binary("srem", x, y)
    off = build.select(_is_off(code, type_, remainder, y, b), y, zero)
    return NumberValue(type_, _zero_if(code, type_, is_zero, build.binary("add", remainder, off)))


def _divided(
    code: PythonCode, type_: Number, a: NumberValue, b: NumberValue
) -> tuple[IrValue, IrValue | None, IrValue | None]:
    """The quotient towards zero, the remainder, and whether the floor is one less; only the first if unsigned."""
    build = code.build
    x, y = _both(code, type_, a, b)
    y, is_zero = _safe_divisor(code, type_, y, b)
    if not type_.is_signed:
        return _zero_if(code, type_, is_zero, build.binary("udiv", x, y)), None, None
    quotient = build.binary("sdiv", x, y)
    remainder = build.binary("sub", x, build.binary("mul", quotient, y))
    is_off: IrValue = _is_off(code, type_, remainder, y, b)
    if is_zero is not None:
        is_off = build.binary("and", is_off, build.binary("xor", is_zero, code.constant(True).ir))
    return _zero_if(code, type_, is_zero, quotient), remainder, is_off


def _is_off(code: PythonCode, type_: Number, remainder: IrValue, y: IrValue, b: NumberValue) -> Instruction:
    """Test if a remainder isn't zero and has another sign than the divisor, as i1."""
    build, zero = code.build, code.constant(0, type_).ir
    if b.constant is not None and b.constant > 0:
        return code.compare("slt", remainder, zero)
    differs = code.compare("slt", build.binary("xor", remainder, y), zero)
    return build.binary("and", differs, code.compare("ne", remainder, zero))


def _safe_divisor(code: PythonCode, type_: Number, y: IrValue, b: NumberValue) -> tuple[IrValue, IrValue | None]:
    """The divisor, 1 in place of 0, and whether it was 0; None if it is known not to be."""
    if b.constant is not None and b.constant != 0:
        return y, None
    is_zero = code.compare("eq", y, code.constant(0, type_).ir)
    return code.build.select(is_zero, code.constant(1, type_).ir, y), is_zero


def _zero_if(code: PythonCode, type_: Number, is_zero: IrValue | None, value: IrValue) -> IrValue:
    return value if is_zero is None else code.build.select(is_zero, code.constant(0, type_).ir, value)


def _floating_divmod(
    code: PythonCode, type_: Number, a: NumberValue, b: NumberValue
) -> tuple[NumberValue, NumberValue]:
    """`a // b` and `a % b`, by the remainder towards zero, as CPython and NumPy do."""
    build = code.build
    x, y = _both(code, type_, a, b)
    zero = code.constant(0.0, type_).ir
    rest = function(code, "fmod", type_, x, y)
    quotient = build.binary("fdiv", build.binary("fsub", x, rest), y)
    has_rest = code.compare("une", rest, zero, floating=True)
    differs = build.binary(
        "xor", code.compare("olt", y, zero, floating=True), code.compare("olt", rest, zero, floating=True)
    )
    is_off = build.binary("and", has_rest, differs)
    signed_zero = function(code, "copysign", type_, zero, y)
    modulo = build.select(is_off, build.binary("fadd", rest, y), build.select(has_rest, rest, signed_zero))
    quotient = build.select(is_off, build.binary("fsub", quotient, code.constant(1.0, type_).ir), quotient)
    floor = intrinsic(code, "floor", type_, quotient)
    half = code.constant(0.5, type_).ir
    more = code.compare("ogt", build.binary("fsub", quotient, floor), half, floating=True)
    floor = build.select(more, build.binary("fadd", floor, code.constant(1.0, type_).ir), floor)
    is_zero = code.compare("oeq", quotient, zero, floating=True)
    nothing = function(code, "copysign", type_, zero, build.binary("fdiv", x, y))
    floor = build.select(is_zero, nothing, floor)
    by_zero = code.compare("oeq", y, zero, floating=True)
    floor = build.select(by_zero, build.binary("fdiv", x, y), floor)
    return NumberValue(type_, floor), NumberValue(type_, modulo)


def power(code: PythonCode, a: NumberValue, b: NumberValue) -> NumberValue:
    """`a ** b`. The result is an integer if both are: compiled code takes the exponent to be 0 or more."""
    type_ = _arithmetic_type(a.type, b.type)
    exponent = b.constant
    if type_.is_floating:
        if exponent == 2:
            x = code.convert(a, type_)
            return NumberValue(type_, code.build.binary("fmul", x.ir, x.ir, flags=code.flags))
        return NumberValue(type_, function(code, "pow", type_, *_both(code, type_, a, b)))
    if exponent is not None and exponent < 0:
        raise UnsupportedError("an integer's power with a negative exponent is a float: write float(...) ** ...")
    if exponent is None or exponent > _MOST_MULTIPLICATIONS:
        return _power_by_squaring(code, type_, a, b)
    result, factor, rest = code.constant(1, type_), code.convert(a, type_), int(exponent)
    while rest:
        if rest & 1:
            result = _simple(code, "*", result, factor) if result.constant != 1 else factor
        rest >>= 1
        if rest:
            factor = _simple(code, "*", factor, factor)
    return result


def _power_by_squaring(code: PythonCode, type_: Number, a: NumberValue, b: NumberValue) -> NumberValue:
    build, register = code.build, type_.register
    base, rest = _both(code, type_, a, b)
    slots = [code.entry.alloca(register, f"power.{part}") for part in ("result", "factor", "rest")]
    for slot, value in zip(slots, (code.constant(1, type_).ir, base, rest), strict=True):
        build.store(value, slot)
    result, factor, left = slots
    test, body, end = (code.new_block(f"power.{name}") for name in ("test", "body", "end"))
    zero, one = code.constant(0, type_).ir, code.constant(1, type_).ir
    code.branch(test)
    code.go_on(test)
    predicate = "sgt" if type_.is_signed else "ugt"
    build.branch_if(code.compare(predicate, build.load(register, left), zero), body, end)
    code.go_on(body)
    bit = code.compare("ne", build.binary("and", build.load(register, left), one), zero)
    times = build.select(bit, build.load(register, factor), one)
    build.store(build.binary("mul", build.load(register, result), times), result)
    build.store(build.binary("mul", build.load(register, factor), build.load(register, factor)), factor)
    build.store(build.binary("lshr", build.load(register, left), one), left)
    code.branch(test)
    code.go_on(end)
    return NumberValue(type_, build.load(register, result))


def negative(code: PythonCode, value: NumberValue) -> NumberValue:
    """`-value`."""
    if value.constant is not None and value.type.weak:
        return code.constant(-value.constant)
    if value.type.kind == "complex":
        return complex_negative(code, value)
    type_ = _arithmetic_type(value.type, value.type) if value.type.kind == "bool" else value.type
    if value.type.kind == "bool" and value.type.weak:
        type_ = INT
    ir = code.convert(value, type_).ir
    if type_.is_floating:
        return NumberValue(type_, code.build.emit(Instruction("fneg", type_.register, (ir,))))
    flags = ("nsw",) if type_.weak else ()
    return NumberValue(type_, code.build.binary("sub", code.constant(0, type_).ir, ir, flags=flags))


def inverted(code: PythonCode, value: NumberValue) -> NumberValue:
    """`~value`."""
    _require_integers("~", value.type)
    type_ = INT if value.type == PYTHON_BOOL else value.type
    return NumberValue(type_, code.build.binary("xor", code.convert(value, type_).ir, code.constant(-1, type_).ir))


_COMPARISONS: Final[dict[type[ast.cmpop], tuple[str, str, str]]] = {
    ast.Eq: ("eq", "eq", "oeq"),
    ast.NotEq: ("ne", "ne", "une"),
    ast.Lt: ("slt", "ult", "olt"),
    ast.LtE: ("sle", "ule", "ole"),
    ast.Gt: ("sgt", "ugt", "ogt"),
    ast.GtE: ("sge", "uge", "oge"),
}
"""Predicates of signed and unsigned integers and of floating point."""


def comparison(code: PythonCode, op: ast.cmpop, a: Value, b: Value) -> NumberValue:
    """`a op b`, of two numbers."""
    x, y = code.number(a), code.number(b)
    if type(op) not in _COMPARISONS:
        raise UnsupportedError("'in' and 'is' aren't compiled: compare numbers with ==")
    if "complex" in (x.type.kind, y.type.kind):
        if not isinstance(op, ast.Eq | ast.NotEq):
            raise UnsupportedError("complex numbers have no order: compare their magnitudes, or use == and !=")
        equal = complex_equal(code, x, y, differs=isinstance(op, ast.NotEq))
        return NumberValue(PYTHON_BOOL if x.type.weak and y.type.weak else BOOL, equal)
    signed, unsigned, floating = _COMPARISONS[type(op)]
    if not x.type.is_floating and not y.type.is_floating:
        ir = _exact_comparison(code, signed, unsigned, x, y)
        return NumberValue(PYTHON_BOOL if x.type.weak and y.type.weak else BOOL, ir)
    type_ = _arithmetic_type(x.type, y.type)
    left, right = _both(code, type_, x, y)
    ir = code.compare(floating, left, right, floating=True)
    return NumberValue(PYTHON_BOOL if x.type.weak and y.type.weak else BOOL, ir)


def _exact_comparison(code: PythonCode, signed: str, unsigned: str, x: NumberValue, y: NumberValue) -> IrValue:
    """A comparison of integers by their values, whatever their types, as NumPy compares."""
    if x.type.kind == y.type.kind and x.type.weak == y.type.weak:
        type_ = x.type if x.type.bits >= y.type.bits else y.type
        return code.compare(signed if type_.is_signed else unsigned, *_both(code, type_, x, y))
    wide = Number("uint", 64)
    if wide not in (x.type, y.type):
        return code.compare(signed, *_both(code, INT, x, y))
    a, b = _both(code, wide, x, y)
    result: IrValue = code.compare(unsigned, a, b)
    for value, is_left in ((x, True), (y, False)):
        if value.type.is_signed:  # a negative number is less than all of the other type
            is_negative = code.compare("slt", code.convert(value, INT).ir, code.constant(0).ir)
            decided = code.constant(signed == "ne" or signed.startswith("sl" if is_left else "sg"))
            result = code.build.select(is_negative, decided.ir, result)
    return result
