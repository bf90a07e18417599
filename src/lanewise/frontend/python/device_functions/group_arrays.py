# SPDX-License-Identifier: Apache-2.0
"""Arrays that a work-group shares, and arrays of one work-item. A call is a declaration: each has one array, however
often it is run."""

from __future__ import annotations

from math import prod
from typing import Any, Final

from lanewise.frontend.python.code import PythonCode, described
from lanewise.frontend.python.device_functions.call import constant_integer
from lanewise.frontend.python.python_types import Array, Number, number_of
from lanewise.frontend.python.refusal import UnsupportedError
from lanewise.frontend.python.values import ArrayValue, NumberValue, PythonObject, TupleValue, Value
from lanewise.ir import types as ty
from lanewise.ir.address_spaces import SHARED
from lanewise.ir.layout import size_of
from lanewise.ir.module import GlobalVariable, Module
from lanewise.ir.values import Constant
from lanewise.ir.values import Value as IrValue

_ALIGNMENT: Final = 16
"""Bytes, enough for vectors of any element that a GPU loads at once."""
_DYNAMIC: Final = "__lw_dynamic_shared"
_MOST_BYTES: Final = 1 << 31


def shared(code: PythonCode, shape: Value, type_: Value) -> ArrayValue:
    """An array of fixed shape in the memory of the work-group."""
    extents, element = _constant_shape(code, shape), _element(type_)
    room = _room(extents, element)
    symbol = f"{code.function.symbol}.shared.{len(code.program.module.variables)}"
    prefix = ("internal", "addrspace(3)", "global")
    suffix = f", align {_ALIGNMENT}"
    variable = GlobalVariable(symbol, room, Constant(room, "undef"), addrspace=SHARED, prefix=prefix, suffix=suffix)
    code.program.module.add(variable)
    return _array(code, element, extents, code.entry.cast("addrspacecast", variable, ty.PTR))


def dynamic_shared(code: PythonCode, shape: Value, type_: Value, offset: Value) -> ArrayValue:
    """A part of the shared memory that the launch asks for."""
    element, extents = _element(type_), _extents(code, shape)
    variable = code.program.module.symbols.get(_DYNAMIC)
    if variable is None:
        bytes_ = ty.array(0, ty.I8)
        prefix, suffix = ("external", "addrspace(3)", "global"), f", align {_ALIGNMENT}"
        variable = GlobalVariable(_DYNAMIC, bytes_, None, addrspace=SHARED, prefix=prefix, suffix=suffix)
        code.program.module.add(variable)
    start = code.entry.cast("addrspacecast", variable, ty.PTR)
    return _array(code, element, extents, code.build.address(ty.I8, start, [code.index(offset).ir]))


def local_array(code: PythonCode, shape: Value, type_: Value) -> ArrayValue:
    """An array of fixed shape that each work-item has for itself."""
    extents, element = _constant_shape(code, shape), _element(type_)
    place = code.entry.alloca(_room(extents, element), "local.array", align=_ALIGNMENT)
    return _array(code, element, extents, place)


def shared_bytes(module: Module) -> int:
    """Bytes of all shared arrays of fixed shape."""
    return sum(
        size_of(variable.value_type, module.types)
        for variable in module.variables
        if variable.type.addrspace == SHARED and variable.initializer is not None
    )


def _array(code: PythonCode, element: Number, extents: list[NumberValue], pointer: IrValue) -> ArrayValue:
    type_, shape = Array(element, len(extents)), tuple(extents)
    return ArrayValue(type_, pointer, shape, code.strides_of(type_, shape))


def _extents(code: PythonCode, shape: Value) -> list[NumberValue]:
    return [code.index(item) for item in (shape.items if isinstance(shape, TupleValue) else (shape,))]


def _constant_shape(code: PythonCode, shape: Value) -> list[NumberValue]:
    items = shape.items if isinstance(shape, TupleValue) else (shape,)
    extents = [constant_integer(item, "each extent of an array that a kernel declares") for item in items]
    if any(extent < 1 for extent in extents):
        raise UnsupportedError(f"each extent of an array is at least 1, not {min(extents)}")
    return [code.constant(extent) for extent in extents]


def _room(extents: list[NumberValue], element: Number) -> ty.Type:
    count = prod(int(extent.constant or 0) for extent in extents)
    if count * element.size >= _MOST_BYTES:
        raise UnsupportedError(f"an array of {count * element.size} bytes is larger than any work-group may have")
    return ty.array(count, element.memory)


def _element(type_: Value) -> Number:
    """The type that `lw.f32`, `np.float32`, `a.dtype`, `int` or "f4" means."""
    if isinstance(type_, PythonObject):
        number: Any = getattr(type_.object, "__lanewise_number__", None)
        number = number or (type_.object is not None and _of_numpy(type_.object))
        if isinstance(number, Number):
            return number
    raise UnsupportedError(
        f"the type of an array's elements is one such as lw.f32 or np.float32, not {described(type_)}"
    )


def _of_numpy(given: Any) -> Number | None:
    import numpy as np  # whoever names one of its types has it loaded

    try:
        return number_of(np.dtype(given))
    except TypeError:
        return None
