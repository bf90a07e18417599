# SPDX-License-Identifier: Apache-2.0
"""Arrays that each work-item has for itself."""

from typing import Final

from lanewise.frontend.python import arrays
from lanewise.frontend.python.code import PythonCode
from lanewise.frontend.python.python_types import Array, Number
from lanewise.frontend.python.values import ArrayValue, NumberValue
from lanewise.ir import types as ty
from lanewise.ir.values import Value as IrValue

_ALIGNMENT: Final = 64
"""Bytes of a cache line."""


def own_array(code: PythonCode, name: str, count: int, element: Number) -> ArrayValue:
    """An array of so many elements."""
    place = code.entry.alloca(ty.array(count, element.memory), name, align=_ALIGNMENT)
    type_, shape = Array(element, 1), (code.constant(count),)
    return ArrayValue(type_, place, shape, code.strides_of(type_, shape))


def set_element(code: PythonCode, array: ArrayValue, place: IrValue, value: object) -> None:
    """Store a number."""
    assert isinstance(value, NumberValue)
    arrays.store(code, array, _address(code, array, place), value)


def element(code: PythonCode, array: ArrayValue, place: IrValue) -> NumberValue:
    """Load a number."""
    return arrays.load(code, array, _address(code, array, place))


def _address(code: PythonCode, array: ArrayValue, place: IrValue) -> IrValue:
    return code.build.address(array.type.element.memory, array.pointer, [place])
