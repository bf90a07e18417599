# SPDX-License-Identifier: Apache-2.0
"""Functions of NumPy and methods of arrays on whole arrays, in compiled code.

Sums go through the elements in their order, which isn't that of NumPy: floating-point ones are refused in exact code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from lanewise.frontend.python import arrays
from lanewise.frontend.python.arithmetic import binary
from lanewise.frontend.python.code import PythonCode, described
from lanewise.frontend.python.elementwise import (
    assign_part,
    combined,
    element_of,
    elements,
    evaluated,
    for_each,
    is_whole,
    loops,
    new_array,
)
from lanewise.frontend.python.mathematics import builtin, conversion
from lanewise.frontend.python.python_types import BOOL, FLOAT64, INT, INT64, Array, Number, common, number_of
from lanewise.frontend.python.refusal import UnsupportedError
from lanewise.frontend.python.temporaries import LIST
from lanewise.frontend.python.values import ArrayValue, Elementwise, NumberValue, PythonObject, TupleValue, Value
from lanewise.ir import types as ty
from lanewise.ir.values import Value as IrValue
from lanewise.ir.values import i64

Named: TypeAlias = Mapping[str | None, Value]
ArrayRow: TypeAlias = Callable[[PythonCode, list[Value], Named], Value]
"""A function on evaluated arguments."""
_Step: TypeAlias = Callable[[PythonCode, NumberValue, NumberValue], NumberValue]


def array_function(target: object) -> ArrayRow | None:
    """The row of a function that takes or makes arrays; None for others."""
    if getattr(target, "__module__", None) != "numpy" or isinstance(target, type):
        return None
    return _FUNCTIONS.get(getattr(target, "__name__", ""))


def method(name: str) -> ArrayRow | None:
    """The row of a method of arrays, whose first argument is the array."""
    return _METHODS.get(name)


METHODS: Final = frozenset(
    {"sum", "mean", "min", "max", "prod", "any", "all", "copy", "dot", "astype", "conj", "conjugate", "reshape"}
)


def applied(code: PythonCode, function: object, arguments: Sequence[Value]) -> Value | None:
    """A function of numbers on the elements of arrays; None if it isn't one that NumPy applies so."""
    row = builtin(function)
    if row is None or not (type(function).__name__ == "ufunc" or function is abs):
        return None
    return combined(code, lambda values: row(code, list(values)), arguments)


def of_operator(code: PythonCode, sign: str, a: Value, b: Value) -> Value:
    """`a sign b`, of which one is an array."""
    if sign == "@":
        return _product(code, [a, b], {})
    return combined(code, lambda values: _operated(code, sign, *values), [a, b])


def _operated(code: PythonCode, sign: str, a: NumberValue, b: NumberValue) -> Value:
    if a.type.kind == b.type.kind == "bool" and sign in ("+", "*"):  # NumPy's bools are a Boolean algebra
        sign = {"+": "|", "*": "&"}[sign]
    return binary(code, sign, a, b)


def of_mask(code: PythonCode, array: ArrayValue, mask: Value) -> ArrayValue:
    """`array[mask]`: the elements at which a mask of the same shape is true, in a new array."""
    chosen = elements(code, mask)
    if len(chosen.shape) != array.type.ndim:
        raise UnsupportedError(f"{described(array)} is indexed by a mask of {len(chosen.shape)} dimensions")
    total = _count(code, array.shape)
    room = new_array(code, array.type.element, (total,), LIST)
    counter = code.entry.alloca(ty.I64, "chosen")
    code.build.store(i64(0), counter)
    both = combined(code, lambda values: values[0], [array, mask])  # of one shape

    def keep(indices: list[IrValue]) -> None:
        yes, end = code.new_block("mask.yes"), code.new_block("mask.end")
        code.build.branch_if(code.is_true(chosen.at(code, indices, True)), yes, end)
        code.go_on(yes)
        place = code.build.load(ty.I64, counter)
        found = elements(code, array).at(code, indices, True)
        arrays.store(code, room, arrays.address_within(code, room, [NumberValue(INT, place)]), found)
        code.build.store(code.plus(place, i64(1)), counter)
        code.branch(end)
        code.go_on(end)

    loops(code, [extent.ir for extent in both.shape], keep)
    count = NumberValue(INT, code.build.load(ty.I64, counter))
    return ArrayValue(room.type, room.pointer, (count,), room.strides)


_HALF: Final = Number("float", 16)
_FLOAT32: Final = Number("float", 32)


# -- reductions ------------------------------------------------------------------------------------------------


def _reduction(name: str, step: _Step, first: Callable[[Number], Any], type_of: Callable[[Number], Number]) -> ArrayRow:
    """A function that goes through all elements, or along axes: `np.sum(a, axis=0)`."""

    def row(code: PythonCode, arguments: list[Value], named: Named) -> Value:
        value, axes = _with_axes(code, name, arguments, named)
        whole = elements(code, value)
        if name in ("sum", "prod") and _is_half(whole.element):
            return _converted(code, _reduced(code, name, _as_floats(code, whole), axes, step, first, type_of), _HALF)
        return _reduced(code, name, whole, axes, step, first, type_of)

    return row


def _is_half(type_: Number) -> bool:
    return type_.is_floating and type_.bits == _HALF.bits


def _as_floats(code: PythonCode, value: Elementwise) -> Elementwise:
    """Halves as floats, in which NumPy adds them up and multiplies them."""
    return combined(code, lambda values: code.convert(values[0], _FLOAT32), [value])


def _converted(code: PythonCode, value: Value, type_: Number) -> Value:
    """A number, or the elements of an expression, in another type."""
    if is_whole(value):
        return combined(code, lambda values: code.convert(values[0], type_), [value])
    return code.convert(code.number(value), type_)


def _with_axes(
    code: PythonCode, name: str, arguments: list[Value], named: Named
) -> tuple[Value, tuple[int, ...] | None]:
    axis = named.get("axis", arguments[1] if len(arguments) == 2 else None)
    if set(named) - {"axis"} or not 1 <= len(arguments) <= 2 or not is_whole(arguments[0]):
        raise UnsupportedError(f"{name} takes an array, and an axis, in compiled code")
    if axis is None or (isinstance(axis, PythonObject) and axis.object is None):
        return arguments[0], None
    items = axis.items if isinstance(axis, TupleValue) else (axis,)
    ndim = len(elements(code, arguments[0]).shape)
    found: list[int] = []
    for each in items:
        constant = each.constant if isinstance(each, NumberValue) else None
        if not isinstance(constant, int) or not -ndim <= constant < ndim:
            raise UnsupportedError(f"the axis of {name} must be a constant, of {ndim} dimensions")
        found.append(constant % ndim)
    return arguments[0], tuple(found)


def _reduced(
    code: PythonCode,
    name: str,
    value: Elementwise,
    axes: tuple[int, ...] | None,
    step: _Step,
    first: Callable[[Number], Any],
    type_of: Callable[[Number], Number],
) -> Value:
    type_ = type_of(value.element)
    if name == "dot" and _is_half(type_):
        raise UnsupportedError("products of matrices of half precision aren't compiled: write a loop")
    if code.program.options.exact and type_.is_inexact and name in ("sum", "mean", "prod", "dot"):
        raise UnsupportedError(f"exact=True, and {name} adds up in another order than NumPy: write a loop")
    start = code.constant(first(type_), type_)
    if axes is None or len(axes) == len(value.shape):
        room = code.room(type_, name)
        code.put(start, type_, room)

        def add(indices: list[IrValue], element: NumberValue) -> None:
            code.put(step(code, code.get(type_, room), element), type_, room)

        for_each(code, value, add)
        return code.get(type_, room)
    kept = [axis for axis in range(len(value.shape)) if axis not in axes]

    def at(code: PythonCode, indices: Sequence[IrValue], same: bool) -> NumberValue:
        room = code.room(type_, name)
        code.put(start, type_, room)

        def add(inner: list[IrValue]) -> None:
            whole: list[IrValue] = [i64(0)] * len(value.shape)
            for axis, index in zip((*kept, *axes), (*indices, *inner), strict=True):
                whole[axis] = index
            code.put(step(code, code.get(type_, room), value.at(code, whole, same)), type_, room)

        loops(code, [value.shape[axis].ir for axis in axes], add)
        return code.get(type_, room)

    shape = tuple(value.shape[axis] for axis in kept)
    leaves = tuple(leaf._replace(each=False) for leaf in value.leaves)
    return Elementwise(type_, shape, at, leaves, value.equal)


def _wide(type_: Number) -> Number:
    """The type in which NumPy adds up."""
    if type_.is_inexact:
        return type_
    return Number("uint", 64) if type_.kind == "uint" else INT64


def _added(code: PythonCode, a: NumberValue, b: NumberValue) -> NumberValue:
    return code.number(binary(code, "+", a, code.convert(b, a.type)))


def _multiplied(code: PythonCode, a: NumberValue, b: NumberValue) -> NumberValue:
    return code.number(binary(code, "*", a, code.convert(b, a.type)))


def _extreme(name: str) -> _Step:
    import numpy as np  # whoever calls its functions has it loaded

    row = builtin(np.minimum if name == "min" else np.maximum)
    assert row is not None
    return lambda code, a, b: code.number(row(code, [a, b]))


def _lowest(type_: Number) -> float | int:
    if type_.kind == "bool":
        return False
    if type_.is_floating:
        return float("-inf")
    return -(1 << (type_.bits - 1)) if type_.is_signed else 0


def _highest(type_: Number) -> float | int:
    if type_.kind == "bool":
        return True
    return float("inf") if type_.is_floating else (1 << (type_.bits - type_.is_signed)) - 1


def _extreme_row(name: str) -> ArrayRow:
    def row(code: PythonCode, arguments: list[Value], named: Named) -> Value:
        made = _reduction(name, _extreme(name), _highest if name == "min" else _lowest, lambda type_: type_)
        if any(is_whole(each) and elements(code, each).element.kind == "complex" for each in arguments):
            raise UnsupportedError(f"{name} of complex numbers isn't compiled")
        return made(code, arguments, named)

    return row


def _logical(name: str) -> ArrayRow:
    def step(code: PythonCode, a: NumberValue, b: NumberValue) -> NumberValue:
        return NumberValue(BOOL, code.build.binary("and" if name == "all" else "or", a.ir, code.is_true(b)))

    return _reduction(name, step, lambda type_: name == "all", lambda type_: BOOL)


def _mean(code: PythonCode, arguments: list[Value], named: Named) -> Value:
    value, axes = _with_axes(code, "mean", arguments, named)
    given = elements(code, value)
    is_half = _is_half(given.element)
    whole = _as_floats(code, given) if is_half else given
    total = _reduced(
        code, "mean", whole, axes, _added, lambda type_: 0, lambda type_: type_ if type_.is_inexact else FLOAT64
    )
    shape = whole.shape if axes is None else tuple(whole.shape[axis] for axis in axes)
    count = code.convert(_count(code, shape), INT)
    weak = code.convert(count, FLOAT64._replace(weak=True))
    if is_whole(total):
        mean: Value = combined(code, lambda values: binary(code, "/", values[0], weak), [total])
    else:
        mean = binary(code, "/", total, weak)
    return _converted(code, mean, _HALF) if is_half else mean


def _count(code: PythonCode, shape: Sequence[NumberValue]) -> NumberValue:
    total: IrValue = i64(1)
    for extent in shape:
        total = code.times(total, extent.ir)
    return NumberValue(INT, total)


def _product(code: PythonCode, arguments: list[Value], named: Named) -> Value:
    """`a @ b` and `np.dot(a, b)`, of one or two dimensions each."""
    if len(arguments) != 2 or named or not all(is_whole(each) for each in arguments):
        raise UnsupportedError("a product of matrices takes two arrays in compiled code")
    a, b = (elements(code, each) for each in arguments)
    if not (1 <= len(a.shape) <= 2 and 1 <= len(b.shape) <= 2):
        raise UnsupportedError("products of matrices are of arrays of one or two dimensions in compiled code")
    rows, columns = a.shape[:-1], b.shape[1:]

    def term(code: PythonCode, indices: Sequence[IrValue], same: bool) -> NumberValue:
        *outer, k = indices
        left = a.at(code, [*outer[: len(rows)], k], same)
        right = b.at(code, [k, *outer[len(rows) :]], same)
        return code.number(_operated(code, "*", left, right))

    leaves = tuple(leaf._replace(each=False) for leaf in (*a.leaves, *b.leaves))
    terms = Elementwise(INT64, (*rows, *columns, a.shape[-1]), term, leaves, (*a.equal, *b.equal))
    terms = terms._replace(element=element_of(code, terms))
    kind = terms.element  # NumPy's products stay in the type of their factors
    return _reduced(code, "dot", terms, (len(terms.shape) - 1,), _added, lambda type_: 0, lambda type_: kind)


# -- new arrays ------------------------------------------------------------------------------------------------


def _filled(value: float | None) -> ArrayRow:
    """`np.zeros(shape, dtype)` and the like."""

    def row(code: PythonCode, arguments: list[Value], named: Named) -> Value:
        if not 1 <= len(arguments) <= 2 or set(named) - {"dtype"}:
            raise UnsupportedError("an array is made of a shape and a dtype in compiled code")
        dtype = named.get("dtype", arguments[1] if len(arguments) == 2 else None)
        type_ = FLOAT64 if dtype is None else _number_of(dtype)
        given = arguments[0]
        shape = tuple(code.index(each) for each in (given.items if isinstance(given, TupleValue) else (given,)))
        made = new_array(code, type_, shape, LIST)
        if value is not None:
            start = code.constant(value)
            assign_part(code, made, code.convert(start, type_))
        return made

    return row


def _like(name: str) -> ArrayRow:
    def row(code: PythonCode, arguments: list[Value], named: Named) -> Value:
        if len(arguments) != 1 or not is_whole(arguments[0]) or set(named) - {"dtype"}:
            raise UnsupportedError(f"np.{name}_like takes an array in compiled code")
        whole = elements(code, arguments[0])
        type_ = _number_of(named["dtype"]) if "dtype" in named else whole.element
        row = _FUNCTIONS[name]
        return row(code, [TupleValue(whole.shape), PythonObject(type_)], {})

    return row


def _number_of(dtype: Value) -> Number:
    if isinstance(dtype, PythonObject):
        if isinstance(dtype.object, Number):
            return dtype.object
        import numpy as np

        declared = getattr(dtype.object, "__lanewise_number__", None)
        found = declared or number_of(np.dtype(dtype.object))
        if isinstance(found, Number):
            return found
    raise UnsupportedError("a dtype of compiled code is needed here, such as np.float64")


def _range(code: PythonCode, arguments: list[Value], named: Named) -> Value:
    """`np.arange(n)`, of integers."""
    if len(arguments) != 1 or named:
        raise UnsupportedError("np.arange takes one integer in compiled code")
    stop = code.index(arguments[0])
    count = code.build.select(code.compare("sgt", stop.ir, i64(0)), stop.ir, i64(0))

    def at(code: PythonCode, indices: Sequence[IrValue], same: bool) -> NumberValue:
        return NumberValue(INT64, indices[0])

    return Elementwise(INT64, (NumberValue(INT, count),), at, (), ())


def _where(code: PythonCode, arguments: list[Value], named: Named) -> Value:
    if len(arguments) != 3 or named:
        raise UnsupportedError("np.where takes a condition and two values in compiled code")

    def choose(values: list[NumberValue]) -> NumberValue:
        test, a, b = values
        type_ = common(a.type, b.type)
        return code.selected(code.is_true(test), code.convert(a, type_), code.convert(b, type_))

    if any(is_whole(each) for each in arguments):
        return combined(code, choose, arguments)
    return choose([code.number(each) for each in arguments])


def _copy(code: PythonCode, arguments: list[Value], named: Named) -> Value:
    if len(arguments) != 1 or named:
        raise UnsupportedError("copy takes no arguments in compiled code")
    return evaluated(code, combined(code, lambda values: values[0], arguments))


def _cast(code: PythonCode, arguments: list[Value], named: Named) -> Value:
    """`a.astype(np.float32)`."""
    if len(arguments) != 2 or named:
        raise UnsupportedError("astype takes a dtype in compiled code")
    type_ = _number_of(arguments[1])
    return combined(code, lambda values: conversion(code, values[0], type_), arguments[:1])


def _reshaped(code: PythonCode, arguments: list[Value], named: Named) -> Value:
    """`a.reshape(shape)` of an array in C order, which isn't copied."""
    array = evaluated(code, arguments[0])
    given = arguments[1].items if len(arguments) == 2 and isinstance(arguments[1], TupleValue) else arguments[1:]
    if named or not given:
        raise UnsupportedError("reshape takes a shape in compiled code")
    if not array.type.contiguous:
        raise UnsupportedError(f"{described(array)} may have strides: copy it before it is reshaped")
    shape = tuple(code.index(each) for each in given)
    if any(extent.constant is not None and extent.constant < 0 for extent in shape):
        raise UnsupportedError("reshape needs all extents in compiled code, and none may be -1")
    type_ = Array(array.type.element, len(shape), const=array.type.const)
    return ArrayValue(type_, array.pointer, shape, code.strides_of(type_, shape))


def _conjugated(code: PythonCode, arguments: list[Value], named: Named) -> Value:
    import numpy as np

    made = applied(code, np.conjugate, arguments)
    if made is None:
        raise UnsupportedError("'conjugate' isn't compiled")
    return made


_SUM: Final = _reduction("sum", _added, lambda type_: 0, _wide)
_PROD: Final = _reduction("prod", _multiplied, lambda type_: 1, _wide)
_FUNCTIONS: Final[dict[str, ArrayRow]] = {
    "sum": _SUM,
    "prod": _PROD,
    "mean": _mean,
    **{name: _extreme_row(name[-3:]) for name in ("min", "max", "amin", "amax")},
    **{name: _logical(name) for name in ("any", "all")},
    "dot": _product,
    "where": _where,
    "zeros": _filled(0),
    "ones": _filled(1),
    "empty": _filled(None),
    **{f"{name}_like": _like(name) for name in ("zeros", "ones", "empty")},
    "arange": _range,
    "copy": _copy,
    "reshape": _reshaped,
}
_METHODS: Final[dict[str, ArrayRow]] = {
    **{name: _FUNCTIONS[name] for name in ("sum", "prod", "mean", "min", "max", "any", "all", "dot", "copy")},
    "astype": _cast,
    "reshape": _reshaped,
    "conj": _conjugated,
    "conjugate": _conjugated,
}
