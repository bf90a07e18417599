# SPDX-License-Identifier: Apache-2.0
"""Values of a call as a kernel takes them: their types, and what is passed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from lanewise.errors import LaunchError
from lanewise.frontend.python.python_types import (
    COMPLEX,
    FLOAT,
    INT,
    PYTHON_BOOL,
    Array,
    Number,
    Tuple,
    Type,
    number_of,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lanewise.jit.places import DevicePlace

    AnyArray: TypeAlias = NDArray[Any]


def kind_of(value: Any) -> object:
    """The properties of a value that a kernel's code depends on; quickly found."""
    if type(value) is np.ndarray:
        array: AnyArray = value
        flags = array.flags
        contiguous = flags.c_contiguous
        dense = contiguous or has_dense_rows(array)
        return array.dtype, array.ndim, contiguous, dense, flags.writeable, flags.aligned
    if isinstance(value, tuple):
        return tuple([kind_of(item) for item in cast("tuple[object, ...]", value)])
    if isinstance(value, np.ndarray):
        array = cast("AnyArray", value)  # of a subclass
        return cast("object", type(array)), kind_of(array.view(np.ndarray))
    return cast("type[Any]", type(value))


def type_of(value: object, name: str, region: str) -> Type:
    """The type of an input. LaunchError for values that compiled code doesn't have."""
    if isinstance(value, np.ndarray):
        return _array_type(cast("AnyArray", value), name, region)
    number = number_of(getattr(value, "dtype", None)) if _is_numpys_number(value) else None
    if number is not None:
        return number
    if isinstance(value, bool):
        return PYTHON_BOOL
    if isinstance(value, int):
        return INT
    if isinstance(value, float):
        return FLOAT
    if isinstance(value, complex):
        return COMPLEX
    if isinstance(value, tuple):
        return Tuple(tuple(type_of(item, name, region) for item in cast("tuple[object, ...]", value)))
    raise LaunchError(
        f"{region}: '{name}' is a {type(value).__name__}: compiled code takes numbers, NumPy arrays, tuples "
        "of these, and buffers"
    )


def _is_numpys_number(value: object) -> bool:
    return isinstance(value, np.generic)


def _array_type(array: AnyArray, name: str, region: str) -> Array:
    if type(array) is not np.ndarray and isinstance(array, np.ma.MaskedArray):  # not to import np.ma
        raise LaunchError(
            f"{region}: '{name}' is a masked array, whose mask compiled loops don't see: pass a.filled(x)"
        )
    element = number_of(array.dtype)
    if element is None:
        raise LaunchError(f"{region}: '{name}' has the dtype {array.dtype}, which compiled code doesn't have")
    if not array.flags.aligned:
        raise LaunchError(f"{region}: '{name}' isn't aligned to its elements: pass a copy")
    contiguous = array.flags.c_contiguous
    return Array(element, array.ndim, contiguous, not array.flags.writeable, contiguous or has_dense_rows(array))


def has_dense_rows(array: AnyArray) -> bool:
    """True if the elements of a row lie side by side."""
    return array.strides[-1:] == (array.itemsize,)


def append(value: object, type_: Type, values: list[Any], arrays: list[Any], place: DevicePlace | None = None) -> None:
    """Append a value to what is passed, as `kernel.Kernel` has its parameters for this type. `arrays` has what
    addresses refer to. `place`: where an array is on a device with memory of its own."""
    if isinstance(value, np.ndarray):
        array = cast("AnyArray", value)
        strides = array.strides if is_strided(type_) else ()
        if place is not None:
            if place.strides is not None:
                strides = place.strides
            values += (place.address, *array.shape, *strides)
            arrays.append(place.buffer)
        else:
            append_address(array, values, arrays)
            values += (*array.shape, *strides)
        arrays += [None] * (array.ndim + len(strides))
    elif isinstance(type_, Tuple):
        for item, of in zip(cast("tuple[object, ...]", value), type_.items, strict=True):
            append(item, of, values, arrays)
    elif isinstance(type_, Number) and type_.kind == "complex":
        number = cast("complex", value)
        values += (number.real, number.imag)
        arrays += (None, None)
    else:
        values.append(value)
        arrays.append(None)


def is_strided(type_: Type) -> bool:
    """True for arrays whose strides are passed."""
    return isinstance(type_, Array) and not type_.contiguous


def append_address(array: AnyArray, values: list[Any], arrays: list[Any]) -> None:
    """Append an array's address alone."""
    values.append(address_of(array))
    arrays.append(array)


def address_of(array: AnyArray) -> int:
    """The address of the first element."""
    return array.__array_interface__["data"][0]


def as_python(number: Any, type_: Number) -> Any:
    """A result as Python has it: a number of Python's for a weak type, else NumPy's."""
    return number.item() if type_.weak else number


def number_named(name: str, dtype: str) -> Number:
    """The type of a parameter, by the name that the front end gives it."""
    weak = {"int": INT, "float": FLOAT, "complex": COMPLEX}.get(name)
    if weak is not None:
        return weak
    found = number_of(np.dtype(dtype))
    assert found is not None
    return found
