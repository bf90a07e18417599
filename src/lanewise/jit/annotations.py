# SPDX-License-Identifier: Apache-2.0
"""Types in the annotations of compiled functions: `lw.f64[:, :]`, `n: int`."""

from __future__ import annotations

from typing import Any, Final, final

from lanewise.errors import Error
from lanewise.frontend.python.python_types import BOOL, Number


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
}
"""The public names, attributes of `lanewise`."""
