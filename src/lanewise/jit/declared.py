# SPDX-License-Identifier: Apache-2.0
"""`lw.type` and `lw.gpu`: types and the device of a function as unPython's decorators declare them.

Source: Garg and Amaral, "A Compilation Framework to Execute Python Numerical-Intensive Applications in a Hybrid CPU-GPU
Execution Environment", sections 2.2 and 2.3, Figures 2 and 3.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Final

from lanewise.errors import Error
from lanewise.jit.annotations import NUMBER_TYPES, ArrayAnnotation, NumberType
from lanewise.jit.decorators import jit
from lanewise.jit.function import JitFunction

_NAMES: Final = {
    "bool": "bool_", "float": "f32", "double": "f64", "float16": "f16", "float32": "f32", "float64": "f64",
    "int": "i32", "long": "i64", **{f"int{bits}": f"i{bits}" for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": f"u{bits}" for bits in (8, 16, 32, 64)},
}  # fmt: skip
"""NumPy's and C's names of types of numbers."""


def typed(*types: str | None) -> Callable[[Callable[..., Any]], JitFunction]:
    """See `lanewise.type`."""
    found = [None if each is None else _type(each) for each in types]

    def marked(function: Callable[..., Any]) -> JitFunction:
        if isinstance(function, JitFunction):
            raise Error("lw.type marks a function of Python: write it below lw.gpu, and without lw.jit")
        parameters = list(inspect.signature(function).parameters)
        if len(found) != len(parameters) + 1:
            raise Error(
                f"{function.__name__} has {len(parameters)} parameters: lw.type takes their types and that of the "
                f"result, {len(parameters) + 1}, not {len(found)}"
            )
        declared = dict(zip([*parameters, "return"], found, strict=True))
        function.__annotations__ = {**function.__annotations__, **declared}
        return jit(function, exact=False, boundscheck=False, fallback=False, transfers="auto", tiling="auto")

    return marked


def _type(text: object) -> NumberType | ArrayAnnotation:
    plain = text.replace(" ", "") if isinstance(text, str) else ""
    name = _NAMES.get(plain)
    if name is not None:
        return NUMBER_TYPES[name]
    if plain.startswith("ndarray[") and plain.endswith("]"):
        element, _, ndim = plain[len("ndarray[") : -1].partition(",")
        if element in _NAMES and ndim.isdecimal() and 1 <= int(ndim) <= 6:
            return ArrayAnnotation(NUMBER_TYPES[_NAMES[element]], int(ndim))
    raise Error(
        f"lw.type doesn't know {text!r}: types are {', '.join(_NAMES)}, arrays such as 'ndarray[double,2]' of 1 to 6 "
        "dimensions, and None for no result"
    )


def on_gpu(function: Callable[..., Any]) -> JitFunction:
    """See `lanewise.gpu`."""
    if isinstance(function, JitFunction):
        return function.for_gpu()
    return jit(function, exact=False, boundscheck=False, fallback=False, transfers="auto", tiling="auto").for_gpu()
