# SPDX-License-Identifier: Apache-2.0
"""Kernel arguments as runtime values.

| parameter                                | argument                                                          |
| ---------------------------------------- | ----------------------------------------------------------------- |
| pointer                                  | a C-contiguous NumPy array, used in place; None; an address       |
| iN                                       | int or bool, within the range of iN or uN                         |
| half, bfloat, float, double              | int, float or bool, rounded to the format                         |
| struct, array or vector by value         | bytes, or a NumPy array or scalar, as large as the type           |

NumPy scalars are taken as their Python values. An address is useful only for memory that the launch knows from another
argument, a variable of the module or `reachable`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.lib.array_utils import byte_bounds

from lanewise.device.reference.arithmetic.encoding import Codecs
from lanewise.device.reference.arithmetic.formats import rounder
from lanewise.device.reference.arithmetic.indeterminate import Value
from lanewise.device.reference.arithmetic.integers import wrapped
from lanewise.device.reference.memory.objects import HostRange
from lanewise.errors import LaunchError
from lanewise.ir.cursor import Cursor
from lanewise.ir.function import Function
from lanewise.ir.layout import size_of
from lanewise.ir.lexer import tokens
from lanewise.ir.values import Argument

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
ArgumentValue: TypeAlias = Array | np.generic | int | float | bool | bytes | None


class Bound:
    """The arguments of one launch: values, the memory they refer to, and the owners of that memory."""

    def __init__(self) -> None:
        self.values: list[Value] = []
        self.regions: list[HostRange] = []
        self._kept: list[Array] = []

    def refer_to(self, name: str, array: Array) -> int:
        """The address of an array's first element. The launch may now use the memory from its least to its greatest
        address."""
        address: int = array.__array_interface__["data"][0]
        start, end = byte_bounds(array) if array.size else (address, address)
        self.regions.append(HostRange(name, start, end - start, bool(array.flags.writeable)))
        self._kept.append(array)
        return address


def bind(kernel: Function, arguments: Sequence[ArgumentValue], reachable: Sequence[Array], codecs: Codecs) -> Bound:
    """Bind arguments to the kernel's parameters. LaunchError, naming the argument, if one does not fit its
    parameter."""
    if len(arguments) != len(kernel.arguments):
        raise LaunchError(
            f"kernel {kernel.symbol!r} takes {len(kernel.arguments)} arguments, {len(arguments)} were given"
        )
    bound = Bound()
    for array in reachable:
        bound.refer_to("reachable memory", array)
    for number, (parameter, argument) in enumerate(zip(kernel.arguments, arguments, strict=True), 1):
        shown = f"argument '{parameter.name}'" if parameter.name else f"argument {number}"
        bound.values.append(_value(bound, shown, parameter, argument, codecs))
    return bound


def _value(bound: Bound, name: str, parameter: Argument, argument: ArgumentValue, codecs: Codecs) -> Value:
    type_ = parameter.type
    if parameter.byval is not None:
        by_value = Cursor(tokens(parameter.byval), 0, {}).type()
        content = np.frombuffer(_content(name, argument, codecs.of(by_value).size, by_value.text), np.uint8)
        aligned = _aligned_copy(content)
        return bound.refer_to(name, aligned)
    if type_.is_pointer:
        return _pointer(bound, name, argument)
    if type_.is_vector or type_.is_aggregate or type_.kind == "bfloat":
        codec = codecs.of(type_)
        content = _content(name, argument, size_of(type_, {}), type_.text)  # three elements include the gap after them
        return codec.decode(int.from_bytes(content[: codec.size], "little"), 0)
    number = argument.item() if isinstance(argument, np.generic) else argument
    if type_.is_int and isinstance(number, int):
        if not -(1 << (type_.bits - 1)) <= number < 1 << type_.bits:
            raise LaunchError(f"{name}: {number} does not fit {type_}")
        return wrapped(number, type_.bits)
    if type_.is_float and isinstance(number, (int, float)):
        return rounder(type_.kind)(float(number))
    raise LaunchError(f"{name}: a {type(argument).__name__} was given for a parameter of type {type_}")


def _pointer(bound: Bound, name: str, argument: ArgumentValue) -> int:
    if argument is None:
        return 0
    if isinstance(argument, np.ndarray):
        return bound.refer_to(name, argument)
    number = argument.item() if isinstance(argument, np.generic) else argument
    if isinstance(number, int) and 0 <= number < 1 << 64:
        return number
    raise LaunchError(f"{name}: a {type(argument).__name__} was given for a pointer, which takes a NumPy array, "
                      "None or an address")  # fmt: skip


def _content(name: str, argument: ArgumentValue, size: int, type_: str) -> bytes:
    """The bytes of an argument passed by value."""
    if isinstance(argument, (np.ndarray, np.generic)):
        content = argument.tobytes()
    elif isinstance(argument, bytes):
        content = argument
    else:
        raise LaunchError(f"{name}: a {type(argument).__name__} was given for a parameter of type {type_}")
    if len(content) != size:
        raise LaunchError(f"{name}: {len(content)} bytes were given for a parameter of {size} bytes ({type_})")
    return content


def _aligned_copy(content: Array) -> Array:
    """A copy at an address that is aligned for any type."""
    whole = np.zeros(content.size + 256, np.uint8)
    start = -whole.__array_interface__["data"][0] % 256
    copy = whole[start : start + content.size]
    copy[:] = content
    return copy
