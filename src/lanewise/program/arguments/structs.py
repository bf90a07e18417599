# SPDX-License-Identifier: Apache-2.0
"""Structs and vectors by value: from tuples, member by member, to bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from lanewise.errors import LaunchTypeError
from lanewise.program.arguments.bfloat16 import bfloat16_bits, is_foreign_bfloat16
from lanewise.program.arguments.dtypes import leaf_dtype
from lanewise.program.arguments.numbers import Convert, bool_converter, described, float_converter, int_converter


def struct_converter(dtype: np.dtype[Any], ctype: str, what: str) -> Callable[[Any], bytes]:
    """A converter for the struct `ctype`, laid out as `dtype`.

    It takes a structured scalar of that dtype, bytes of its size, or a tuple with a value per member. If all members
    are of one type (float4), it takes a list or an array as well; if the only member is a number (__half), a number;
    for two floats, a complex number.
    """
    is_vector = leaf_dtype(dtype) is not None
    members = _member_converter(dtype, what)

    def convert(value: Any) -> bytes:
        if getattr(value, "dtype", None) == dtype and value.size == 1:
            return value.tobytes()
        if isinstance(value, bytes) and len(value) == dtype.itemsize:
            return value
        is_plain = dtype.kind == "V" and dtype.names is None
        if is_plain and (data := _bytes_of(value, dtype.itemsize)) is not None:
            return data
        if _is_scalar(value) and _is_number(dtype):
            return np.array(members(value), dtype).tobytes()
        if not isinstance(value, tuple) and not (
            is_vector and (isinstance(value, list | np.ndarray) or _is_complex(value))
        ):
            raise LaunchTypeError(
                f"{what}: expected {ctype} as a tuple or a structured scalar of dtype {dtype}, not {described(value)}"
            )
        return np.array(members(value), dtype).tobytes()

    return convert


def _bytes_of(value: Any, size: int) -> bytes | None:
    """The bytes of an array or a scalar of NumPy's; None if it has not so many, or is something else."""
    return value.tobytes() if isinstance(value, np.generic | np.ndarray) and value.nbytes == size else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType] : NumPy's scalars are generic


def _member_converter(dtype: np.dtype[Any], what: str) -> Convert:
    """A converter for one member, `what`: a number, an array or a struct. Its results are for `np.array`."""
    if dtype.names == ("bfloat16",):
        number = float_converter(4, "bfloat16", what)
        return lambda value: (bfloat16_bits(number(float(value) if _is_foreign(value) else value)),)
    if dtype.fields is not None:
        names = tuple(dtype.fields)
        converters = [_member_converter(member[0], f"{what}.{name}") for name, member in dtype.fields.items()]
        expected = f"{what}: expected {_counted(names)}"
        if _is_number(dtype):
            return lambda value: tuple(_each(converters, (value,) if _is_scalar(value) else value, expected))
        return lambda value: tuple(_each(converters, value, expected))
    if dtype.subdtype is not None:
        base, (count, *rest) = dtype.subdtype
        element = np.dtype((base, tuple(rest))) if rest else base
        converters = [_member_converter(element, f"{what}[{index}]") for index in range(count)]
        return lambda value: list(_each(converters, value, f"{what}: expected {count} values"))
    match dtype.kind:
        case "f":
            return float_converter(dtype.itemsize, str(dtype), what)
        case "b":
            return bool_converter(what)
        case "i" | "u":
            return int_converter(dtype.itemsize, dtype.kind == "i", str(dtype), what)
        case _:
            return _bytes_converter(dtype.itemsize, what)


def _is_scalar(value: Any) -> bool:
    """A Python or NumPy scalar, those of `ml_dtypes` too."""
    return isinstance(value, int | float | np.number) or _is_foreign(value)


def _is_complex(value: Any) -> bool:
    """A complex number of Python, which NumPy's complex128 is one of, or a complex64."""
    return isinstance(value, complex) or (getattr(value, "dtype", None) == np.complex64 and np.ndim(value) == 0)


def _is_foreign(value: Any) -> bool:
    return is_foreign_bfloat16(getattr(value, "dtype", _NO_NUMBER)) and np.ndim(value) == 0


_NO_NUMBER: Final = np.dtype("V1")


def _is_number(dtype: np.dtype[Any]) -> bool:
    """A struct of one number: __half, __nv_bfloat16."""
    while dtype.fields is not None and len(dtype.fields) == 1:
        (dtype,) = (member[0] for member in dtype.fields.values())
    return dtype.kind in "fiu"


def _each(converters: Sequence[Convert], value: Any, expected: str) -> list[Any]:
    if isinstance(value, np.void):
        value = value.tolist()
    if _is_complex(value):
        number = complex(value)
        value = (number.real, number.imag)
    if not isinstance(value, tuple | list | np.ndarray) or len(value) != len(converters):  # pyright: ignore[reportUnknownArgumentType] : elements are checked one by one
        raise LaunchTypeError(f"{expected}, not {described(value)}")
    return [convert(element) for convert, element in zip(converters, value, strict=True)]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] : as above


def _bytes_converter(size: int, what: str) -> Convert:
    """For what NumPy has no type for, such as a union."""

    def convert(value: Any) -> bytes:
        if not isinstance(value, bytes) or len(value) != size:
            raise LaunchTypeError(f"{what}: expected {size} bytes, not {described(value)}")
        return value

    return convert


def _counted(names: Sequence[str]) -> str:
    return f"{len(names)} value{'' if len(names) == 1 else 's'} ({', '.join(names)})"
