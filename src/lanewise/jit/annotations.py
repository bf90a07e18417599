# SPDX-License-Identifier: Apache-2.0
"""Types in the annotations of compiled functions: `lw.f64[:, :]`, `n: int`."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from numbers import Complex, Integral, Real
from typing import Any, Final, final

from lanewise.errors import Error, LaunchTypeError
from lanewise.frontend.python.code import PythonCode
from lanewise.frontend.python.python_types import BOOL, COMPLEX, FLOAT, INT, PYTHON_BOOL, Number
from lanewise.frontend.python.refusal import UnsupportedError
from lanewise.frontend.python.values import Value


@final
class NumberType:
    """A type of numbers, such as `lw.f32`. `lw.f32[:, :]` is that of arrays of two dimensions. Calling it converts, as
    NumPy's type does."""

    __slots__ = ("__lanewise_number__", "__name__")

    def __init__(self, name: str, number: Number) -> None:
        self.__name__ = name
        self.__lanewise_number__ = number

    def __repr__(self) -> str:
        return f"lw.{self.__name__}"

    def __call__(self, value: Any) -> Any:
        import numpy as np  # only who converts needs it

        return np.dtype(self.__lanewise_number__.dtype).type(value)

    def __lanewise_device__(self, code: PythonCode, arguments: list[Value], named: dict[str | None, Value]) -> Value:
        """A conversion in compiled code."""
        from lanewise.frontend.python.mathematics import conversion

        if named or len(arguments) != 1:
            raise UnsupportedError(f"{self!r} converts one number")
        return conversion(code, arguments[0], self.__lanewise_number__)

    def __getitem__(self, axes: slice | tuple[slice, ...]) -> ArrayAnnotation:
        parts = axes if isinstance(axes, tuple) else (axes,)
        if not parts or any(part != slice(None) for part in parts):
            raise Error(f"an array's type is written with a colon for each dimension, such as {self!r}[:, :]")
        return ArrayAnnotation(self, len(parts))


@final
class ArrayAnnotation:
    """A type of arrays."""

    __slots__ = ("element", "ndim")

    def __init__(self, element: NumberType, ndim: int) -> None:
        self.element = element
        self.ndim = ndim

    def __repr__(self) -> str:
        return f"{self.element!r}[{', '.join(':' * self.ndim)}]"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ArrayAnnotation) and repr(other) == repr(self)

    def __hash__(self) -> int:
        return hash(repr(self))


NUMBER_TYPES: Final = {
    "bool_": NumberType("bool_", BOOL),
    **{f"i{bits}": NumberType(f"i{bits}", Number("int", bits)) for bits in (8, 16, 32, 64)},
    **{f"u{bits}": NumberType(f"u{bits}", Number("uint", bits)) for bits in (8, 16, 32, 64)},
    **{f"f{bits}": NumberType(f"f{bits}", Number("float", bits)) for bits in (16, 32, 64)},
    **{f"c{bits}": NumberType(f"c{bits}", Number("complex", bits)) for bits in (64, 128)},
}
"""The public names, attributes of `lanewise`."""


def checks_of(function: Callable[..., Any]) -> dict[str, Callable[[Any], Any]]:
    """A check of each annotated parameter: it returns the argument, a number in the type that is written, or raises
    LaunchError. Annotations that mean nothing here have none."""
    checks: dict[str, Callable[[Any], Any]] = {}
    for name, annotation in annotations_of(function).items():
        where = f"{function.__name__}: argument '{name}'"
        if name == "return":
            continue
        if isinstance(annotation, ArrayAnnotation):
            checks[name] = functools.partial(_array, where, annotation)
        elif isinstance(annotation, NumberType) or annotation in (int, float, complex):
            checks[name] = functools.partial(_number, where, annotation)
    return checks


def declared_numbers(function: Callable[..., Any]) -> dict[str, Number]:
    """The types of the parameters that are annotated as numbers."""
    found: dict[str, Number] = {}
    for name, annotation in annotations_of(function).items():
        number = _PYTHONS.get(annotation) if isinstance(annotation, type) else None
        number = number or getattr(annotation, "__lanewise_number__", None)
        if number is not None and name != "return":
            found[name] = number
    return found


_PYTHONS: Final[dict[type, Number]] = {int: INT, float: FLOAT, complex: COMPLEX, bool: PYTHON_BOOL}


def annotations_of(function: Callable[..., Any]) -> dict[str, Any]:
    """The annotations of a function; none if they are text that only a type checker understands."""
    try:
        return inspect.get_annotations(function, eval_str=True)
    except (NameError, AttributeError, SyntaxError):
        return {}


def _array(where: str, annotation: ArrayAnnotation, value: Any) -> Any:
    dtype = annotation.element.__lanewise_number__.dtype
    shape = getattr(value, "shape", None)
    if shape is None or value.dtype != dtype or len(shape) != annotation.ndim:
        given = type(value).__name__ if shape is None else f"an array of {value.dtype} with {len(shape)} dimensions"
        raise LaunchTypeError(f"{where} must be an array {annotation!r}, not {given}")
    return value


def _number(where: str, annotation: Any, value: Any) -> Any:
    if annotation is complex or getattr(annotation, "__lanewise_number__", FLOAT).kind == "complex":
        if not isinstance(value, Complex):
            raise LaunchTypeError(f"{where} must be a complex number ({annotation.__name__}), not {value!r}")
        return annotation(value)
    integral = annotation is int or getattr(annotation, "__lanewise_number__", FLOAT).kind in ("int", "uint")
    wanted: type[Any] = Integral if integral else Real
    if not isinstance(value, wanted):
        name = getattr(annotation, "__name__", "")
        raise LaunchTypeError(f"{where} must be {'an integer' if integral else 'a number'} ({name}), not {value!r}")
    return annotation(value)
