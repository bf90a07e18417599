# SPDX-License-Identifier: Apache-2.0
"""Arguments as written on a command line, for the parameters of a function of Python."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from lanewise.cli.binding import split_name
from lanewise.cli.values import Filler, read_value
from lanewise.errors import LaunchError
from lanewise.frontend.signature import Parameter
from lanewise.frontend.source_types import Kind
from lanewise.jit.annotations import annotations_of


def arguments_of(function: Callable[..., Any], written: Sequence[str], seed: int) -> dict[str, Any]:
    """The values of a function's parameters, by name: those that name it first, the others in order. LaunchError for
    names that it doesn't have, and for too few or too many values."""
    parameters = inspect.signature(function).parameters
    pairs = [split_name(text) for text in written]
    named = {name: text for name, text in pairs if name is not None}
    try:
        bound = inspect.signature(function).bind(*(text for name, text in pairs if name is None), **named)
    except TypeError as error:
        raise LaunchError(f"{function.__name__}({', '.join(parameters)}): {error}") from None
    filler, annotations = Filler(seed), annotations_of(function)
    return {name: _value(name, text, annotations.get(name), filler) for name, text in bound.arguments.items()}


def _value(name: str, text: str, annotation: Any, filler: Filler) -> Any:
    kind, dtype = _kind(text, annotation)
    type_ = "" if dtype is None else str(dtype)
    layout = "" if dtype is None else dtype.str
    value = read_value(text, Parameter(name, type_ or "any type", kind, 8, 0, layout, False), filler)
    if kind == "pointer" and value is None:
        raise LaunchError(f"{name}={text}: expected an array, such as rand:f64[100,100]")
    return value


def _kind(text: str, annotation: Any) -> tuple[Kind, np.dtype[Any] | None]:
    """The kind of a value, and the type of the elements of an array, as far as an annotation says."""
    element = getattr(annotation, "element", annotation)
    number = getattr(element, "__lanewise_number__", None)
    dtype = None if number is None else np.dtype(number.dtype)
    if element is not annotation or text.startswith("@") or "[" in text:
        return "pointer", dtype
    if annotation is bool or text in ("true", "false"):
        return "bool", None
    if annotation is float or (dtype is not None and dtype.kind == "f"):
        return "float", None
    if annotation is int or dtype is not None:
        return "int", None
    try:
        int(text, 0)
    except ValueError:
        return "float", None
    return "int", None
