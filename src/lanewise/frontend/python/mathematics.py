# SPDX-License-Identifier: Apache-2.0
"""Functions of `math`, NumPy and Python on numbers: one table.

`math` returns Python's numbers. NumPy's functions return the type of their argument; integers become float64.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from lanewise.frontend.python.arithmetic import binary, comparison, negative
from lanewise.frontend.python.code import PythonCode, described
from lanewise.frontend.python.complex_numbers import (
    FUNCTIONS,
    complex_function,
    conjugate,
    in_polar_form,
    magnitude,
    parts,
    phase,
)
from lanewise.frontend.python.primitives import function, intrinsic
from lanewise.frontend.python.python_types import (
    BOOL,
    COMPLEX,
    FLOAT,
    FLOAT64,
    INT,
    PYTHON_BOOL,
    Number,
    common,
    number_of,
)
from lanewise.frontend.python.refusal import UnsupportedError
from lanewise.frontend.python.values import ArrayValue, NumberValue, TupleValue, Value
from lanewise.ir import types as ty

if TYPE_CHECKING:
    pass

Row: TypeAlias = Callable[[PythonCode, list[Value]], Value]
"""A function on evaluated arguments."""


def builtin(target: object) -> Row | None:
    """The row of a Python object that is called; None if it isn't compiled."""
    name = getattr(target, "__name__", None)
    if name is None:
        return None
    home = "numpy" if type(target).__name__ == "ufunc" else getattr(target, "__module__", None)
    row = _TABLE.get((home, name))
    if row is None and home == "numpy" and isinstance(target, type):
        return _conversion_to_dtype(target)
    return row


def conversion(code: PythonCode, value: Value, to: Number) -> NumberValue:
    """`float(x)` and the like."""
    number = code.number(value)
    if number.constant is not None and to.weak:
        return code.constant({"int": int, "float": float, "bool": bool, "complex": complex}[to.kind](number.constant))
    return code.convert(number, to)


def _conversion_to_dtype(target: type[Any]) -> Row | None:
    """`np.float32(x)`."""
    import numpy as np  # whoever names one of its types has it loaded

    if not issubclass(target, np.generic):
        return None
    to = number_of(np.dtype(target.__name__))
    return None if to is None else lambda code, arguments: conversion(code, _only(arguments), to)


def _only(arguments: list[Value]) -> Value:
    if len(arguments) != 1:
        raise UnsupportedError(f"one argument is expected, not {len(arguments)}")
    return arguments[0]


def _numbers(code: PythonCode, arguments: list[Value], count: int) -> list[NumberValue]:
    if len(arguments) != count:
        raise UnsupportedError(f"{count} argument{'s' if count > 1 else ''} expected, not {len(arguments)}")
    return [code.number(argument) for argument in arguments]


def _floating_type(values: list[NumberValue]) -> Number:
    """The type in which NumPy computes a function of these."""
    type_ = values[0].type
    for value in values[1:]:
        type_ = common(type_, value.type)
    return type_._replace(weak=False) if type_.is_floating else FLOAT64


def _of_math(name: str, count: int = 1) -> Row:
    """A function of `math`, which computes in double."""

    def row(code: PythonCode, arguments: list[Value]) -> NumberValue:
        values = [code.convert(value, FLOAT).ir for value in _numbers(code, arguments, count)]
        return NumberValue(FLOAT, _called(code, name, FLOAT, *values))

    return row


def _of_numpy(name: str, count: int = 1) -> Row:
    """A function of NumPy, which computes in the type of its argument."""

    def row(code: PythonCode, arguments: list[Value]) -> NumberValue:
        values = _numbers(code, arguments, count)
        if count == 1 and values[0].imag is not None:
            return _of_complex(code, name, values[0])
        type_ = _floating_type(values)
        return NumberValue(type_, _called(code, name, type_, *(code.convert(value, type_).ir for value in values)))

    return row


def _of_complex(code: PythonCode, name: str, value: NumberValue) -> NumberValue:
    if name not in FUNCTIONS:
        raise UnsupportedError(f"{name} of complex numbers isn't compiled")
    return complex_function(code, name, value)


def _of_cmath(name: str) -> Row:
    """A function of `cmath`, which computes in complex double."""

    def row(code: PythonCode, arguments: list[Value]) -> NumberValue:
        (value,) = _numbers(code, arguments, 1)
        return complex_function(code, name, code.convert(value, COMPLEX))

    return row


def _complex(code: PythonCode, arguments: list[Value]) -> NumberValue:
    """`complex(x, y)`."""
    if len(arguments) != 2:
        return conversion(code, _only(arguments), COMPLEX)
    x, y = _numbers(code, arguments, 2)
    if x.imag is not None or y.imag is not None:
        raise UnsupportedError("complex(x, y) takes two real numbers in compiled code")
    real, imag = (code.convert(each, COMPLEX.part).ir for each in (x, y))
    return NumberValue(COMPLEX, real, imag=imag)


def _part(place: int) -> Row:
    """`np.real` and `np.imag`."""
    return lambda code, arguments: parts(code, _numbers(code, arguments, 1)[0])[place]


def _conjugate(code: PythonCode, arguments: list[Value]) -> NumberValue:
    return conjugate(code, _numbers(code, arguments, 1)[0])


def _phase(code: PythonCode, arguments: list[Value]) -> NumberValue:
    """`cmath.phase`, and `np.angle`."""
    (value,) = _numbers(code, arguments, 1)
    return phase(code, value if value.imag is not None else code.convert(value, COMPLEX))


def _polar(code: PythonCode, arguments: list[Value]) -> TupleValue:
    """`cmath.polar`."""
    value = code.convert(_numbers(code, arguments, 1)[0], COMPLEX)
    return TupleValue((magnitude(code, value), phase(code, value)))


def _rect(code: PythonCode, arguments: list[Value]) -> NumberValue:
    """`cmath.rect`."""
    size, angle = _numbers(code, arguments, 2)
    return in_polar_form(code, size, angle)


_INTRINSICS: Final = {
    "sqrt": "sqrt",
    "floor": "floor",
    "ceil": "ceil",
    "trunc": "trunc",
    "fabs": "fabs",
    "rint": "rint",
}


def _called(code: PythonCode, name: str, type_: Number, *values: Any) -> Any:
    if name in _INTRINSICS:
        return intrinsic(code, _INTRINSICS[name], type_, *values)
    return function(code, name, type_, *values)


def _rounded(name: str) -> Row:
    """`math.floor` and the like, which return an int."""

    def row(code: PythonCode, arguments: list[Value]) -> NumberValue:
        (value,) = _numbers(code, arguments, 1)
        if not value.type.is_floating:
            return code.convert(value, INT)
        wide = code.convert(value, FLOAT)
        return NumberValue(INT, code.build.cast("fptosi", intrinsic(code, name, FLOAT, wide.ir), ty.I64))

    return row


def _round(code: PythonCode, arguments: list[Value]) -> Value:
    """`round(x)`: to the nearest integer, and to the even one of two."""
    if len(arguments) != 1:
        raise UnsupportedError("round(x, digits) isn't compiled")
    return _rounded("rint")(code, arguments)


def _absolute(code: PythonCode, arguments: list[Value]) -> NumberValue:
    (value,) = _numbers(code, arguments, 1)
    if value.constant is not None and value.type.weak:
        return code.constant(abs(value.constant))
    if value.imag is not None:
        return magnitude(code, value)
    if value.type.is_floating:
        return NumberValue(value.type, intrinsic(code, "fabs", value.type, value.ir))
    if value.type.kind == "uint":
        return value
    if value.type.kind == "bool":
        return code.convert(value, INT) if value.type.weak else value
    zero = code.constant(0, value.type)
    is_negative = code.compare("slt", value.ir, zero.ir)
    return NumberValue(value.type, code.build.select(is_negative, negative(code, value).ir, value.ir))


def _extreme(sign: str) -> Row:
    """`min` and `max`: the first of the equal ones, as Python has it."""
    import ast

    op: ast.cmpop = ast.Lt() if sign == "min" else ast.Gt()

    def row(code: PythonCode, arguments: list[Value]) -> NumberValue:
        if len(arguments) == 1 and isinstance(arguments[0], TupleValue):
            arguments = list(arguments[0].items)
        if len(arguments) < 2:
            raise UnsupportedError(f"{sign} takes two or more numbers in compiled code; for an array, write a loop")
        values = [code.number(argument) for argument in arguments]
        best = values[0]
        for value in values[1:]:
            type_ = best.type if best.type == value.type else common(best.type, value.type)
            better = comparison(code, op, value, best)
            best = NumberValue(
                type_, code.build.select(better.ir, code.convert(value, type_).ir, code.convert(best, type_).ir)
            )
        return best

    return row


def _numpy_extreme(sign: str) -> Row:
    """`np.minimum` and `np.maximum`: NaN if one is."""

    def row(code: PythonCode, arguments: list[Value]) -> NumberValue:
        a, b = _numbers(code, arguments, 2)
        type_ = common(a.type, b.type)
        if type_.kind == "complex":
            raise UnsupportedError("the extreme of complex numbers isn't compiled")
        x, y = code.convert(a, type_).ir, code.convert(b, type_).ir
        if type_.is_floating:
            first = code.compare("ole" if sign == "min" else "oge", x, y, floating=True)
            is_nan = code.compare("uno", x, x, floating=True)
            return NumberValue(type_, code.build.select(code.build.binary("or", first, is_nan), x, y))
        predicate = ("s" if type_.is_signed else "u") + ("le" if sign == "min" else "ge")
        return NumberValue(type_, code.build.select(code.compare(predicate, x, y), x, y))

    return row


def _of_either(code: PythonCode, row: Row, op: str, value: NumberValue) -> NumberValue:
    """A test of both parts of a complex number."""
    a, b = (code.number(row(code, [part])) for part in parts(code, value))
    return NumberValue(PYTHON_BOOL, code.build.binary(op, a.ir, b.ir))


def _is_nan(code: PythonCode, arguments: list[Value]) -> NumberValue:
    (value,) = _numbers(code, arguments, 1)
    if value.imag is not None:
        return _of_either(code, _is_nan, "or", value)
    if not value.type.is_floating:
        return code.constant(False)
    return NumberValue(PYTHON_BOOL, code.compare("uno", value.ir, value.ir, floating=True))


def _beside_infinity(predicate: str, *, of_integers: bool) -> Row:
    """`isinf` and `isfinite`: a comparison of the magnitude with infinity; the answer for integers is known."""

    def row(code: PythonCode, arguments: list[Value]) -> NumberValue:
        (value,) = _numbers(code, arguments, 1)
        if value.imag is not None:
            return _of_either(code, row, "and" if of_integers else "or", value)
        if not value.type.is_floating:
            return code.constant(of_integers)
        size = intrinsic(code, "fabs", value.type, value.ir)
        infinity = code.constant(float("inf"), value.type).ir
        return NumberValue(PYTHON_BOOL, code.compare(predicate, size, infinity, floating=True))

    return row


def _power(code: PythonCode, arguments: list[Value]) -> NumberValue:
    """`math.pow`, which always computes in double."""
    x, y = (code.convert(value, FLOAT) for value in _numbers(code, arguments, 2))
    return NumberValue(FLOAT, function(code, "pow", FLOAT, x.ir, y.ir))


def _operator(sign: str) -> Row:
    def row(code: PythonCode, arguments: list[Value]) -> Value:
        if len(arguments) != 2:
            raise UnsupportedError(f"two arguments expected, not {len(arguments)}")
        return binary(code, sign, *arguments)

    return row


def _logical(op: str) -> Row:
    def row(code: PythonCode, arguments: list[Value]) -> NumberValue:
        a, b = _numbers(code, arguments, 2)
        return NumberValue(BOOL, code.build.binary(op, code.is_true(a), code.is_true(b)))

    return row


def _not(code: PythonCode, arguments: list[Value]) -> NumberValue:
    (value,) = _numbers(code, arguments, 1)
    return NumberValue(BOOL, code.build.binary("xor", code.is_true(value), code.constant(True).ir))


def _square(code: PythonCode, arguments: list[Value]) -> Value:
    value = code.number(_only(arguments))
    return binary(code, "*", value, value)


def _length(code: PythonCode, arguments: list[Value]) -> NumberValue:
    value = _only(arguments)
    if isinstance(value, ArrayValue):
        return value.shape[0]
    if isinstance(value, TupleValue):
        return code.constant(len(value.items))
    raise UnsupportedError(f"{described(value)} has no length")


def _to(type_: Number) -> Row:
    return lambda code, arguments: conversion(code, _only(arguments), type_)


def _divmod(code: PythonCode, arguments: list[Value]) -> TupleValue:
    a, b = _numbers(code, arguments, 2)
    return TupleValue((binary(code, "//", a, b), binary(code, "%", a, b)))


def _shape(code: PythonCode, arguments: list[Value]) -> TupleValue:
    """`np.shape(a)`."""
    value = _only(arguments)
    if not isinstance(value, ArrayValue):
        raise UnsupportedError(f"{described(value)} has no shape in compiled code")
    return TupleValue(value.shape)


def _sum(code: PythonCode, arguments: list[Value]) -> Value:
    value = _only(arguments)
    if not isinstance(value, TupleValue) or not value.items:
        raise UnsupportedError("sum takes a tuple of numbers in compiled code; for an array, write a loop")
    total: Value = code.constant(0)
    for item in value.items:
        total = binary(code, "+", total, item)
    return total


def _population(code: PythonCode, arguments: list[Value]) -> NumberValue:
    """`np.bitwise_count(x)`."""
    (value,) = _numbers(code, arguments, 1)
    count = intrinsic(code, "ctpop", value.type, value.ir)
    return code.convert(NumberValue(value.type._replace(kind="uint", weak=False), count), Number("uint", 8))


_BOTH: Final = (
    "sqrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh",
    "cbrt", "fabs",
)  # fmt: skip
"""Functions of one name in `math`, NumPy and C."""
_OTHERS_OF_MATH: Final = ("asin", "acos", "atan", "asinh", "acosh", "atanh", "erf", "erfc", "gamma", "lgamma")
_C_NAMES: Final = {"gamma": "tgamma"}

_TABLE: Final[dict[tuple[str | None, str], Row]] = {
    **{("math", name): _of_math(name) for name in _BOTH},
    **{("numpy", name): _of_numpy(name) for name in _BOTH},
    **{("math", name): _of_math(_C_NAMES.get(name, name)) for name in _OTHERS_OF_MATH},
    **{("numpy", f"arc{name}"): _of_numpy(f"a{name}") for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
    **{("math", name): _of_math(name, 2) for name in ("atan2", "fmod", "copysign", "hypot")},
    **{("numpy", name): _of_numpy(name, 2) for name in ("hypot", "copysign", "fmod", "fmin", "fmax")},
    **{("numpy", name): _of_numpy(name) for name in ("floor", "ceil", "trunc", "rint")},
    **{("math", name): _rounded(name) for name in ("floor", "ceil", "trunc")},
    ("numpy", "arctan2"): _of_numpy("atan2", 2),
    ("math", "pow"): _power,
    ("math", "isnan"): _is_nan,
    ("math", "isinf"): _beside_infinity("oeq", of_integers=False),
    ("math", "isfinite"): _beside_infinity("olt", of_integers=True),
    ("numpy", "isnan"): _is_nan,
    ("numpy", "isinf"): _beside_infinity("oeq", of_integers=False),
    ("numpy", "isfinite"): _beside_infinity("olt", of_integers=True),
    ("numpy", "absolute"): _absolute,
    ("numpy", "minimum"): _numpy_extreme("min"),
    ("numpy", "maximum"): _numpy_extreme("max"),
    ("numpy", "add"): _operator("+"),
    ("numpy", "subtract"): _operator("-"),
    ("numpy", "multiply"): _operator("*"),
    ("numpy", "divide"): _operator("/"),
    ("numpy", "floor_divide"): _operator("//"),
    ("numpy", "remainder"): _operator("%"),
    ("numpy", "power"): _operator("**"),
    ("numpy", "square"): _square,
    ("numpy", "shape"): _shape,
    ("numpy", "bitwise_count"): _population,
    ("numpy", "bitwise_and"): _operator("&"),
    ("numpy", "bitwise_or"): _operator("|"),
    ("numpy", "bitwise_xor"): _operator("^"),
    ("numpy", "logical_and"): _logical("and"),
    ("numpy", "logical_or"): _logical("or"),
    ("numpy", "logical_xor"): _logical("xor"),
    ("numpy", "logical_not"): _not,
    ("builtins", "abs"): _absolute,
    ("builtins", "min"): _extreme("min"),
    ("builtins", "max"): _extreme("max"),
    ("builtins", "len"): _length,
    ("builtins", "int"): _to(INT),
    ("builtins", "float"): _to(FLOAT),
    ("builtins", "complex"): _complex,
    **{("cmath", name): _of_cmath(name) for name in FUNCTIONS},
    ("cmath", "phase"): _phase,
    ("cmath", "polar"): _polar,
    ("cmath", "rect"): _rect,
    ("cmath", "isnan"): _is_nan,
    ("cmath", "isinf"): _beside_infinity("oeq", of_integers=False),
    ("cmath", "isfinite"): _beside_infinity("olt", of_integers=True),
    ("numpy", "angle"): _phase,
    ("numpy", "real"): _part(0),
    ("numpy", "imag"): _part(1),
    ("numpy", "conjugate"): _conjugate,
    ("numpy", "conj"): _conjugate,
    ("builtins", "bool"): _to(PYTHON_BOOL),
    ("builtins", "round"): _round,
    ("builtins", "divmod"): _divmod,
    ("builtins", "sum"): _sum,
    ("builtins", "pow"): _operator("**"),
    ("numpy", "bool"): _to(BOOL),
}
