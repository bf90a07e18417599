# SPDX-License-Identifier: Apache-2.0
"""Arguments of kernels in Python: what a kernel is compiled for, and how they become its parameters."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias, cast, final

import numpy as np

from lanewise.device.base import Device
from lanewise.device.launch import Arguments, Parameters
from lanewise.errors import LaunchTypeError, LaunchValueError
from lanewise.frontend.python.python_types import Array, Number, Tuple, Type
from lanewise.frontend.signature import Signature
from lanewise.jit.arguments import kind_of, type_of
from lanewise.program.arguments.foreign_arrays import ForeignArrayError, as_array
from lanewise.program.arguments.numbers import Convert, bool_converter, float_converter, int_converter
from lanewise.program.arguments.packer import packing, require_reachable
from lanewise.program.memory.buffer import Buffer

Append: TypeAlias = Callable[[Any, list[Any], list[Any]], None]
"""Appends an argument to the values of parameters, and to what each of them refers to."""

_ARRAY: Final = np.ndarray
_NUMPYS: Final = cast("type[object]", np.generic)
_PLAIN: Final = frozenset({int, float, bool})


def argument_kind(value: Any) -> object:
    """The properties of an argument that a kernel's code depends on. None for an array of another library or of a class
    of its own, and for a tuple that has one: `as_numpy` makes NumPy's arrays of these."""
    type_ = cast("type[object]", type(value))
    if type_ in _PLAIN or type_ is _ARRAY or issubclass(type_, _NUMPYS):
        return kind_of(value)
    if type_ is Buffer:
        return kind_of(value.layout)
    if isinstance(value, tuple):
        kinds = tuple([argument_kind(item) for item in cast("tuple[object, ...]", value)])
        return None if None in kinds else kinds
    return next((plain for plain in (bool, int, float) if isinstance(value, plain)), None)


def as_numpy(value: Any, what: str) -> Any:
    """An array of another library as NumPy's, of the same memory, also in a tuple; all else as it is."""
    if isinstance(value, tuple):
        return tuple([as_numpy(item, what) for item in cast("tuple[object, ...]", value)])
    if isinstance(value, Buffer):
        return value
    try:
        array = as_array(value)
    except ForeignArrayError as error:
        raise LaunchValueError(f"{what}: {error}") from None
    return value if array is None else array


def argument_type(value: Any, name: str, kernel: str) -> Type:
    """The type of an argument. LaunchError for values that compiled code doesn't have."""
    if isinstance(value, tuple):
        return Tuple(tuple(argument_type(item, name, kernel) for item in cast("tuple[object, ...]", value)))
    return type_of(value.layout if isinstance(value, Buffer) else value, name, f"kernel {kernel}")


@final
class KernelPacker:
    """Makes the parameters of a kernel from arguments of certain types. An array becomes its address, its extents and,
    unless it is contiguous, its strides."""

    def __init__(self, name: str, signature: Signature, types: Mapping[str, Type], leading: Mapping[str, Type]) -> None:
        """`leading`: parameters that come before those of the source, of which only the address is passed."""
        self._name: Final = name
        self._parameters: Final = signature.parameters
        self._appends: Final = (
            *(_append_address for _ in leading),
            *(_append(type_, f"kernel {name}: argument '{each}'") for each, type_ in types.items()),
        )
        self._facts: Final = Parameters(
            tuple(each.name for each in self._parameters),
            tuple(each.kind == "pointer" and each.const for each in self._parameters),
            struct.Struct(packing(self._parameters)),
        )

    def pack(self, given: Sequence[Any], device: Device) -> Arguments:
        """The arguments of a launch on `device`. LaunchError for a number that its type doesn't hold, and for memory of
        another device."""
        values: list[Any] = []
        arrays: list[Any] = []
        for append, value in zip(self._appends, given, strict=True):
            append(value, values, arrays)
        for array in arrays:
            if array is not None and array.__class__ is not _ARRAY:
                require_reachable(self._name, self._parameters, arrays, device)
                break
        return Arguments(tuple(values), tuple(arrays), self._facts)

    def check_count(self, given: Sequence[Any]) -> None:
        """Nothing is left to check: arguments are bound to parameters before."""


def _append(type_: Type, what: str) -> Append:
    if isinstance(type_, Number) and type_.kind == "complex":
        raise LaunchTypeError(f"{what} is a complex number, which a kernel takes in two arguments: z.real and z.imag")
    if isinstance(type_, Number):
        return _append_number(_converter(type_, what))
    if isinstance(type_, Tuple):
        parts = [_append(item, what) for item in type_.items]

        def append_items(value: Any, values: list[Any], arrays: list[Any]) -> None:
            for append, item in zip(parts, value, strict=True):
                append(item, values, arrays)

        return append_items
    return _append_array(type_, what)


def _append_number(convert: Convert) -> Append:
    def append(value: Any, values: list[Any], arrays: list[Any]) -> None:
        values.append(convert(value))
        arrays.append(None)

    return append


def _converter(type_: Number, what: str) -> Convert:
    if type_.kind == "bool":
        return bool_converter(what)
    if type_.is_floating:
        return float_converter(type_.size, type_.name, what)
    return int_converter(type_.size, type_.is_signed, type_.name, what)


def _append_array(type_: Array, what: str) -> Append:
    size, rest = type_.element.size, (None,) * (type_.ndim if type_.contiguous else 2 * type_.ndim)

    def append(value: Any, values: list[Any], arrays: list[Any]) -> None:
        layout = value
        if value.__class__ is not _ARRAY:  # a buffer
            layout, address = value.layout, value.address
            if value.allocation is None:
                value = layout
            elif not type_.contiguous:
                raise LaunchValueError(f"{what}: a buffer in a device's own memory must be C-contiguous")
        else:
            address = value.__array_interface__["data"][0]
        if address % size:
            raise LaunchValueError(f"{what}: the array isn't aligned to its elements of {size} bytes: pass a copy")
        values.append(address)
        values.extend(layout.shape)
        if not type_.contiguous:
            values.extend(layout.strides)
        arrays.append(value)
        arrays.extend(rest)

    return append


def _append_address(value: Any, values: list[Any], arrays: list[Any]) -> None:
    values.append(value.__array_interface__["data"][0])
    arrays.append(value)
