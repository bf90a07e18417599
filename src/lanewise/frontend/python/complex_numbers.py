# SPDX-License-Identifier: Apache-2.0
"""Arithmetic and functions of complex numbers, as two registers: the real and the imaginary part.

Products are those of Python and NumPy. Quotients follow Smith's method (CACM 5 (1962), algorithm 116), each in the form
of its interpreter: NumPy multiplies by a reciprocal, Python divides. A real operand is made complex first. Functions
are made of those of real numbers: the error of a part is some units in the last place of the larger one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from lanewise.frontend.python.code import PythonCode
from lanewise.frontend.python.primitives import function, intrinsic
from lanewise.frontend.python.python_types import COMPLEX, Number, common
from lanewise.frontend.python.refusal import UnsupportedError
from lanewise.frontend.python.values import NumberValue
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Value as IrValue

_MOST_MULTIPLICATIONS: Final = 100
"""The largest constant exponent that is multiplied out, as in Python."""


class _Parts:
    """Arithmetic of the parts of complex numbers of one type."""

    def __init__(self, code: PythonCode, type_: Number) -> None:
        self._code: Final = code
        self.type: Final = type_.part

    def plus(self, a: IrValue, b: IrValue) -> IrValue:
        return self._code.build.binary("fadd", a, b, flags=self._code.flags)

    def minus(self, a: IrValue, b: IrValue) -> IrValue:
        return self._code.build.binary("fsub", a, b, flags=self._code.flags)

    def times(self, a: IrValue, b: IrValue) -> IrValue:
        return self._code.build.binary("fmul", a, b, flags=self._code.flags)

    def over(self, a: IrValue, b: IrValue) -> IrValue:
        return self._code.build.binary("fdiv", a, b, flags=self._code.flags)

    def minus_of(self, a: IrValue) -> IrValue:
        return self._code.build.emit(Instruction("fneg", a.type, (a,)))

    def number(self, value: float) -> IrValue:
        return self._code.constant(value, self.type).ir

    def magnitude(self, a: IrValue) -> IrValue:
        return intrinsic(self._code, "fabs", self.type, a)

    def of(self, name: str, *values: IrValue) -> IrValue:
        if name == "sqrt":
            return intrinsic(self._code, name, self.type, *values)
        return function(self._code, name, self.type, *values)

    def test(self, predicate: str, a: IrValue, b: IrValue) -> IrValue:
        return self._code.compare(predicate, a, b, floating=True)

    def select(self, test: IrValue, a: IrValue, b: IrValue) -> IrValue:
        return self._code.build.select(test, a, b)


def parts(code: PythonCode, value: NumberValue) -> tuple[NumberValue, NumberValue]:
    """The real and the imaginary part of any number."""
    if value.imag is None:
        zero = code.constant(0.0, value.type) if value.type.is_floating else code.constant(0)
        return value, zero
    part = value.type.part
    return NumberValue(part, value.ir), NumberValue(part, value.imag)


def made(real: IrValue, imag: IrValue, type_: Number) -> NumberValue:
    """A complex number of its parts."""
    return NumberValue(type_, real, imag=imag)


def complex_binary(code: PythonCode, sign: str, a: NumberValue, b: NumberValue) -> NumberValue:
    """`a sign b`, of which one is complex."""
    type_ = common(a.type, b.type)
    if sign == "**":
        return _power(code, a, b, type_)
    x, y = code.convert(a, type_), code.convert(b, type_)
    p = _Parts(code, type_)
    assert x.imag is not None
    assert y.imag is not None
    if sign == "+":
        return made(p.plus(x.ir, y.ir), p.plus(x.imag, y.imag), type_)
    if sign == "-":
        return made(p.minus(x.ir, y.ir), p.minus(x.imag, y.imag), type_)
    if sign == "*":
        return _product(p, x, y, type_)
    if sign == "/":
        return _quotient(code, p, x, y, type_)
    raise UnsupportedError(f"'{sign}' isn't defined for complex numbers")


def _product(p: _Parts, x: NumberValue, y: NumberValue, type_: Number) -> NumberValue:
    assert x.imag is not None
    assert y.imag is not None
    real = p.minus(p.times(x.ir, y.ir), p.times(x.imag, y.imag))
    return made(real, p.plus(p.times(x.ir, y.imag), p.times(x.imag, y.ir)), type_)


def _quotient(code: PythonCode, p: _Parts, x: NumberValue, y: NumberValue, type_: Number) -> NumberValue:
    assert x.imag is not None
    assert y.imag is not None
    larger = p.test("oge", p.magnitude(y.ir), p.magnitude(y.imag))
    first, second = p.select(larger, y.ir, y.imag), p.select(larger, y.imag, y.ir)
    ratio = p.over(second, first)
    below = p.plus(first, p.times(second, ratio))
    xr, xi = p.select(larger, x.ir, x.imag), p.select(larger, x.imag, x.ir)
    real = p.plus(xr, p.times(xi, ratio))
    left, right = p.select(larger, x.imag, p.times(x.imag, ratio)), p.select(larger, p.times(x.ir, ratio), x.ir)
    imag = p.minus(left, right)
    if type_.weak:
        made_real, made_imag = p.over(real, below), p.over(imag, below)
    else:
        scale = p.over(p.number(1.0), below)
        made_real, made_imag = p.times(real, scale), p.times(imag, scale)
    zero = p.number(0.0)
    by_zero = code.build.binary("and", p.test("oeq", y.ir, zero), p.test("oeq", y.imag, zero))
    divisor = p.magnitude(y.ir)
    made_real = p.select(by_zero, p.over(x.ir, divisor), made_real)
    return made(made_real, p.select(by_zero, p.over(x.imag, divisor), made_imag), type_)


def _power(code: PythonCode, a: NumberValue, b: NumberValue, type_: Number) -> NumberValue:
    exponent = b.constant
    x = code.convert(a, type_)
    if isinstance(exponent, int | float) and exponent == int(exponent) and abs(exponent) <= _MOST_MULTIPLICATIONS:
        return _integer_power(code, x, int(exponent), type_)
    logarithm = complex_function(code, "log", x)
    raised = complex_function(code, "exp", complex_binary(code, "*", code.convert(b, type_), logarithm))
    p = _Parts(code, type_)
    assert x.imag is not None
    zero = p.number(0.0)
    of_zero = code.build.binary("and", p.test("oeq", x.ir, zero), p.test("oeq", x.imag, zero))
    exponent_is_zero = code.build.binary("xor", code.is_true(b), code.constant(True).ir)
    at_zero = code.selected(exponent_is_zero, code.constant(1.0 + 0j, type_), code.constant(0j, type_))
    return code.selected(of_zero, at_zero, raised)


def _integer_power(code: PythonCode, x: NumberValue, exponent: int, type_: Number) -> NumberValue:
    p = _Parts(code, type_)
    result: NumberValue | None = None
    factor, rest = x, abs(exponent)
    while rest:
        if rest & 1:
            result = factor if result is None else _product(p, result, factor, type_)
        rest >>= 1
        if rest:
            factor = _product(p, factor, factor, type_)
    one = code.constant(1.0 + 0j, type_)
    if result is None:
        return one
    return result if exponent > 0 else complex_binary(code, "/", one, result)


def complex_equal(code: PythonCode, a: NumberValue, b: NumberValue, *, differs: bool) -> IrValue:
    """`a == b`, or `a != b`, as i1."""
    type_ = common(a.type, b.type)
    x, y = code.convert(a, type_), code.convert(b, type_)
    assert x.imag is not None
    assert y.imag is not None
    predicate = "une" if differs else "oeq"
    real, imag = (code.compare(predicate, *each, floating=True) for each in ((x.ir, y.ir), (x.imag, y.imag)))
    return code.build.binary("or" if differs else "and", real, imag)


def complex_negative(code: PythonCode, value: NumberValue) -> NumberValue:
    p = _Parts(code, value.type)
    assert value.imag is not None
    return made(p.minus_of(value.ir), p.minus_of(value.imag), value.type)


def conjugate(code: PythonCode, value: NumberValue) -> NumberValue:
    """The number with the other sign of the imaginary part; a real number as it is."""
    if value.imag is None:
        return value
    return made(value.ir, _Parts(code, value.type).minus_of(value.imag), value.type)


def magnitude(code: PythonCode, value: NumberValue) -> NumberValue:
    """`abs(z)`."""
    assert value.imag is not None
    return NumberValue(value.type.part, _Parts(code, value.type).of("hypot", value.ir, value.imag))


def phase(code: PythonCode, value: NumberValue) -> NumberValue:
    """The angle of a number in the plane."""
    assert value.imag is not None
    return NumberValue(value.type.part, _Parts(code, value.type).of("atan2", value.imag, value.ir))


def in_polar_form(code: PythonCode, size: NumberValue, angle: NumberValue) -> NumberValue:
    """`cmath.rect(size, angle)`."""
    p = _Parts(code, COMPLEX)
    r, at = (code.convert(each, COMPLEX.part).ir for each in (size, angle))
    return made(p.times(r, p.of("cos", at)), p.times(r, p.of("sin", at)), COMPLEX)


def complex_function(code: PythonCode, name: str, value: NumberValue) -> NumberValue:
    """A function of `FUNCTIONS` of a complex number."""
    p = _Parts(code, value.type)
    assert value.imag is not None
    real, imag = FUNCTIONS[name](code, p, value.ir, value.imag)
    return made(real, imag, value.type)


_Pair = tuple[IrValue, IrValue]


def _exp(code: PythonCode, p: _Parts, x: IrValue, y: IrValue) -> _Pair:
    size = p.of("exp", x)
    real = p.test("oeq", y, p.number(0.0))  # an infinite size times 0 would be no number
    return p.times(size, p.of("cos", y)), p.select(real, y, p.times(size, p.of("sin", y)))


def _log(code: PythonCode, p: _Parts, x: IrValue, y: IrValue) -> _Pair:
    """Near the unit circle, log(h) is log1p((a - 1) (a + 1) + b b) / 2, for the larger magnitude a and the other b."""
    ax, ay = p.magnitude(x), p.magnitude(y)
    larger = p.test("ogt", ax, ay)
    a, b = p.select(larger, ax, ay), p.select(larger, ay, ax)
    size = p.of("hypot", x, y)
    one = p.number(1.0)
    near = p.plus(p.times(p.minus(a, one), p.plus(a, one)), p.times(b, b))
    within = code.build.binary("and", p.test("oge", size, p.number(0.71)), p.test("ole", size, p.number(1.73)))
    real = p.select(within, p.times(p.of("log1p", near), p.number(0.5)), p.of("log", size))
    return real, p.of("atan2", y, x)


def _log10(code: PythonCode, p: _Parts, x: IrValue, y: IrValue) -> _Pair:
    real, imag = _log(code, p, x, y)
    scale = p.number(1 / math.log(10))
    return p.times(real, scale), p.times(imag, scale)


def _sqrt(code: PythonCode, p: _Parts, x: IrValue, y: IrValue) -> _Pair:
    zero = p.number(0.0)
    eighth = p.times(p.magnitude(x), p.number(0.125))
    root = p.of("sqrt", p.plus(eighth, p.of("hypot", eighth, p.times(p.magnitude(y), p.number(0.125)))))
    s = p.times(root, p.number(2.0))
    d = p.over(p.magnitude(y), p.times(s, p.number(2.0)))
    right = p.test("oge", x, zero)
    real, imag = p.select(right, s, d), p.of("copysign", p.select(right, d, s), y)
    nothing = code.build.binary("and", p.test("oeq", x, zero), p.test("oeq", y, zero))
    return p.select(nothing, zero, real), p.select(nothing, y, imag)


def _sin(code: PythonCode, p: _Parts, x: IrValue, y: IrValue) -> _Pair:
    return p.times(p.of("sin", x), p.of("cosh", y)), p.times(p.of("cos", x), p.of("sinh", y))


def _cos(code: PythonCode, p: _Parts, x: IrValue, y: IrValue) -> _Pair:
    return p.times(p.of("cos", x), p.of("cosh", y)), p.minus_of(p.times(p.of("sin", x), p.of("sinh", y)))


def _sinh(code: PythonCode, p: _Parts, x: IrValue, y: IrValue) -> _Pair:
    return p.times(p.of("sinh", x), p.of("cos", y)), p.times(p.of("cosh", x), p.of("sin", y))


def _cosh(code: PythonCode, p: _Parts, x: IrValue, y: IrValue) -> _Pair:
    return p.times(p.of("cosh", x), p.of("cos", y)), p.times(p.of("sinh", x), p.of("sin", y))


def _tanh(code: PythonCode, p: _Parts, x: IrValue, y: IrValue) -> _Pair:
    tx, ty = p.of("tanh", x), p.of("tan", y)
    both = p.times(tx, ty)
    one = p.number(1.0)
    below = p.plus(one, p.times(both, both))
    flat = p.over(one, p.of("cosh", x))
    real = p.over(p.times(tx, p.plus(one, p.times(ty, ty))), below)
    return real, p.times(p.times(p.over(ty, below), flat), flat)


def _tan(code: PythonCode, p: _Parts, x: IrValue, y: IrValue) -> _Pair:
    """-i tanh(i z)."""
    real, imag = _tanh(code, p, p.minus_of(y), x)
    return imag, p.minus_of(real)


FUNCTIONS: Final[dict[str, Callable[[PythonCode, _Parts, IrValue, IrValue], _Pair]]] = {
    "exp": _exp, "log": _log, "log10": _log10, "sqrt": _sqrt, "sin": _sin, "cos": _cos, "tan": _tan,
    "sinh": _sinh, "cosh": _cosh, "tanh": _tanh,
}  # fmt: skip
