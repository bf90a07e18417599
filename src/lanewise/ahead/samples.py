# SPDX-License-Identifier: Apache-2.0
"""Types of expressions of a driver, found by evaluating them for samples: small values of the types that are known.

A driver is Python and may call anything. Only what is known to have no effects, and to be done soon, is evaluated; all
else is UNKNOWN. Sizes have no meaning in samples: each extent is EXTENT.
"""

from __future__ import annotations

import ast
import builtins
import math
import operator
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, Final, cast, final

import numpy as np

from lanewise.errors import Error
from lanewise.jit.annotations import ArrayAnnotation, NumberType

EXTENT: Final = 4


@final
class Unknown:
    """The sample of what isn't known."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = Unknown()

Call = Callable[[Any, list[Any]], Any]
"""The result of calling an object of Lanewise's own with samples; UNKNOWN for all others."""

_BINARY: Final[dict[type[ast.operator], str]] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod",
    ast.Pow: "pow", ast.BitAnd: "and_", ast.BitOr: "or_", ast.BitXor: "xor", ast.LShift: "lshift",
    ast.RShift: "rshift", ast.MatMult: "matmul",
}  # fmt: skip
_UNARY: Final[dict[type[ast.unaryop], str]] = {
    ast.UAdd: "pos", ast.USub: "neg", ast.Not: "not_", ast.Invert: "invert",
}  # fmt: skip
_COMPARED: Final[dict[type[ast.cmpop], str]] = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge",
}  # fmt: skip
"""Functions of the module `operator`."""
_BUILTINS: Final = (abs, bool, divmod, float, int, len, max, min, round, sum)
_MAKE_ARRAYS: Final = (
    np.arange, np.empty, np.empty_like, np.eye, np.full, np.full_like, np.linspace, np.ones, np.ones_like, np.zeros,
    np.zeros_like,
)  # fmt: skip
_OF_ARRAYS: Final = (
    np.all, np.any, np.argmax, np.argmin, np.argsort, np.array, np.asarray, np.ascontiguousarray, np.clip,
    np.concatenate, np.copy, np.count_nonzero, np.cumsum, np.dot, np.max, np.mean, np.min, np.prod, np.sort, np.std,
    np.sum, np.transpose, np.var, np.where,
)  # fmt: skip
_ATTRIBUTES: Final = frozenset({"T", "dtype", "itemsize", "nbytes", "ndim", "shape", "size"})
_METHODS: Final = frozenset({
    "all", "any", "argmax", "argmin", "astype", "copy", "cumsum", "dot", "flatten", "item", "max", "mean", "min",
    "prod", "ravel", "std", "sum", "transpose", "var",
})  # fmt: skip
_MOST: Final = 64
"""Largest int of a sample that is computed with: powers and sizes stay small."""


def sample_of(annotation: Any) -> Any:
    """A sample of an annotated parameter; UNKNOWN for an annotation that says nothing here."""
    if isinstance(annotation, ArrayAnnotation):
        return np.ones((EXTENT,) * annotation.ndim, annotation.element.__lanewise_number__.dtype)
    if isinstance(annotation, NumberType):
        return annotation(1)
    return {int: EXTENT, float: 1.0, bool: True}.get(annotation, UNKNOWN) if isinstance(annotation, type) else UNKNOWN


def kind_of_sample(value: Any) -> object:
    """The type that a sample stands for: equal for samples that code is the same for."""
    if type(value) in (tuple, list):
        return cast("object", type(value)), *[kind_of_sample(each) for each in value]
    return (value.dtype, value.ndim) if _is_array(value) else cast("object", type(value))


@final
class Samples:
    """Evaluates expressions. `names` has the samples of variables, which the caller changes; `namespace` the objects of
    the function's module; `call` calls Lanewise's own."""

    def __init__(self, names: dict[str, Any], namespace: Mapping[str, Any], call: Call) -> None:
        self.names = names
        self._namespace: Final = namespace
        self._call_own: Final = call

    def value(self, node: ast.expr) -> Any:
        """The sample of an expression, or an object of the module; UNKNOWN for what isn't evaluated."""
        try:
            with np.errstate(all="ignore"):
                return self._value(node)
        except Error:  # of the code that is built
            raise
        except Exception:  # of any kind: the sample is at fault, not the program
            return UNKNOWN

    def _value(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name):
                if name in self.names:
                    return self.names[name]
                return self._namespace.get(name, getattr(builtins, name, UNKNOWN))
            case ast.Attribute(value=owner, attr=attribute):
                return _attribute(self._value(owner), attribute)
            case ast.Tuple(elts=elements):
                return tuple([self._value(each) for each in elements])
            case ast.List(elts=elements):
                return [self._value(each) for each in elements]
            case ast.Subscript(value=array, slice=index):
                return _element(self._value(array), self._index(index))
            case ast.BinOp(left=left, op=op, right=right):
                return _binary(op, self._value(left), self._value(right))
            case ast.UnaryOp(op=op, operand=operand):
                return _operated(_UNARY[type(op)], self._value(operand))
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return _operated(_COMPARED[type(op)], self._value(left), self._value(right))
            case ast.Compare() | ast.BoolOp(op=ast.And() | ast.Or(), values=[ast.Compare(), *_]):
                return True
            case ast.IfExp(body=body, orelse=other):
                first, second = self._value(body), self._value(other)
                return first if kind_of_sample(first) == kind_of_sample(second) else UNKNOWN
            case ast.Call():
                return self._called(node)
            case _:
                return UNKNOWN

    def _index(self, node: ast.expr) -> Any:
        match node:
            case ast.Slice(lower=lower, upper=upper, step=step):
                return slice(*[None if each is None else self._value(each) for each in (lower, upper, step)])
            case ast.Tuple(elts=elements):
                return tuple([self._index(each) for each in elements])
            case _:
                return self._value(node)

    def _called(self, node: ast.Call) -> Any:
        arguments = [self._value(each) for each in node.args]
        named = {each.arg or "**": self._value(each.value) for each in node.keywords}
        if isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS:
            owner = self._value(node.func.value)
            if _is_array(owner) or _is_number(owner):
                return getattr(owner, node.func.attr)(*_known(arguments), **named)
        function = self._value(node.func)
        if not named:
            found = self._call_own(function, arguments)
            if found is not UNKNOWN:
                return found
        if not _is_harmless(function):
            return UNKNOWN
        if any(function is each for each in _MAKE_ARRAYS):
            arguments, named = [_small(each) for each in arguments], {n: _small(v) for n, v in named.items()}
        return function(*_known(arguments), **dict(zip(named, _known([*named.values()]), strict=True)))


def _attribute(owner: Any, name: str) -> Any:
    if _is_array(owner) or _is_number(owner):
        return getattr(owner, name) if name in _ATTRIBUTES else UNKNOWN
    return getattr(owner, name) if isinstance(owner, ModuleType) else UNKNOWN


def _element(owner: Any, index: Any) -> Any:
    if _is_array(owner):
        parts: list[Any] = [*index] if type(index) is tuple else [index]
        return owner[tuple([0 if type(each) is int else each for each in parts])]
    return owner[index] if type(owner) in (tuple, list) else UNKNOWN


def _binary(op: ast.operator, left: Any, right: Any) -> Any:
    if isinstance(op, ast.Pow | ast.LShift) and max(_size(left), _size(right)) > _MOST:
        return left
    return _operated(_BINARY[type(op)], left, right)


def _operated(operation: str, *operands: Any) -> Any:
    """The result of an operation on numbers and arrays; TypeError for others, whose operators may do anything."""
    if not all(_is_array(each) or _is_number(each) for each in operands):
        raise TypeError
    return getattr(operator, operation)(*operands)


def _size(value: Any) -> int:
    """The magnitude of an int."""
    return abs(value) if type(value) is int else 0


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | complex | np.generic)


def _known(values: list[Any]) -> list[Any]:
    """The values, if all are known."""
    if any(each is UNKNOWN for each in values):
        raise TypeError
    return values


def _small(value: Any) -> Any:
    """A value with each int in it brought down to a sample's extent."""
    if type(value) is tuple:
        parts: list[Any] = [*value]
        return tuple([_small(each) for each in parts])
    return min(value, EXTENT) if type(value) is int else value


def _is_harmless(function: Any) -> bool:
    """True for functions of numbers and arrays that have no effects."""
    if isinstance(function, np.ufunc | NumberType):
        return True
    if isinstance(function, type):
        return issubclass(function, np.generic) or any(function is each for each in _BUILTINS)
    if any(function is each for each in (*_BUILTINS, *_MAKE_ARRAYS, *_OF_ARRAYS)):
        return True
    return getattr(function, "__module__", "") == "math" and function not in (math.factorial, math.comb, math.perm)
