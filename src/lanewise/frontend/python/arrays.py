# SPDX-License-Identifier: Apache-2.0
"""Elements and slices of arrays, without copies.

Constant indices count from the end if they are negative. Other indices aren't changed, and none is checked, unless the
user asks for it: then all count from the end if they are negative, as Python's do.
"""

from typing import NamedTuple, TypeAlias

from lanewise.frontend.python.bounds import checked
from lanewise.frontend.python.code import PythonCode, described
from lanewise.frontend.python.numbers_in_memory import load_number, store_number
from lanewise.frontend.python.python_types import INT, Array
from lanewise.frontend.python.records import store_record
from lanewise.frontend.python.refusal import UnsupportedError
from lanewise.frontend.python.values import (
    ArrayValue,
    Elementwise,
    NumberValue,
    PythonObject,
    RecordValue,
    TupleValue,
    Value,
)
from lanewise.frontend.python.watching import note
from lanewise.ir import types as ty
from lanewise.ir.values import Value as IrValue
from lanewise.ir.values import i64


class Slice(NamedTuple):
    """`lower:upper:step` of a subscript; None for what isn't given."""

    lower: Value | None
    upper: Value | None
    step: Value | None


class NewAxis(NamedTuple):
    """`None` in a subscript."""


Index: TypeAlias = Value | Slice | NewAxis


def element_address(code: PythonCode, array: ArrayValue, indices: list[Index]) -> IrValue | None:
    """The address of the element that indices name; None if they name a part with several elements."""
    indices = _flattened(indices)
    if any(isinstance(index, ArrayValue | Elementwise) for index in indices):
        return None
    if len(indices) < array.type.ndim or any(isinstance(index, Slice | NewAxis) for index in indices):
        return None
    if len(indices) > array.type.ndim:
        raise UnsupportedError(f"{len(indices)} indices for {described(array)}")
    return _moved(code, array, [_position(code, array, axis, index) for axis, index in enumerate(indices)])


def address_within(code: PythonCode, array: ArrayValue, indices: list[Index]) -> IrValue:
    """The address of the element with indices that are known to be within the array, one for each dimension."""
    positions = [code.number(index).ir for index in indices if isinstance(index, NumberValue)]
    return _moved(code, array, positions)


def element(code: PythonCode, array: ArrayValue, address: IrValue) -> NumberValue | RecordValue:
    """The element at an address: a number, or a record."""
    if array.type.element.kind == "record":
        return RecordValue(array.type.element, address, array.type.const)
    return load(code, array, address)


def load(code: PythonCode, array: ArrayValue, address: IrValue) -> NumberValue:
    """The number at an address."""
    type_ = array.type.element
    if type_.kind == "record":
        raise UnsupportedError(f"{described(array)} is no array of numbers: name a field of its records")
    note(code, address, type_.size, writes=False)
    return load_number(code, address, type_)


def store(code: PythonCode, array: ArrayValue, address: IrValue, value: Value) -> None:
    """Assign to the element at an address."""
    type_ = array.type.element
    if array.type.const:
        raise UnsupportedError(f"{described(array)} is read-only, and is assigned to")
    if type_.kind == "record":
        store_record(code, RecordValue(type_, address, const=False), value)
        return
    given = code.number(value)
    number = code.convert(given, type_)
    note(code, address, type_.size, writes=True)
    store_number(code, address, number)


def part(code: PythonCode, array: ArrayValue, indices: list[Index]) -> ArrayValue:
    """The view that a subscript with slices names."""
    pointer = array.pointer
    shape: list[NumberValue] = []
    strides: list[IrValue] = []
    axis = 0
    offsets: list[tuple[IrValue, IrValue]] = []
    contiguous, dense = array.type.contiguous, array.type.dense
    for index in _flattened(indices):
        if isinstance(index, NewAxis):
            shape.append(NumberValue(INT, i64(1), 1))
            strides.append(i64(0))
            contiguous = dense = False
            continue
        if axis == array.type.ndim:
            raise UnsupportedError(f"too many indices for {described(array)}")
        if isinstance(index, Slice):
            contiguous &= index == Slice(None, None, None)
            dense &= axis < array.type.ndim - 1 or index.step is None
            start, extent, stride = _sliced(code, array, axis, index)
            offsets.append((start, array.strides[axis]))
            shape.append(NumberValue(INT, extent))
            strides.append(stride)
        else:
            contiguous &= not shape
            dense &= axis < array.type.ndim - 1
            offsets.append((_position(code, array, axis, index), array.strides[axis]))
        axis += 1
    pointer = _at(code, array, offsets)
    shape += array.shape[axis:]
    strides += array.strides[axis:]
    type_ = Array(array.type.element, len(shape), contiguous, array.type.const, dense or contiguous)
    return ArrayValue(type_, pointer, tuple(shape), tuple(strides))


def part_of_complex(code: PythonCode, array: ArrayValue, *, imag: bool) -> ArrayValue:
    """`array.real` and `array.imag`, which don't copy."""
    part = array.type.element.part
    pointer = code.build.offset(array.pointer, part.size) if imag else array.pointer
    type_ = Array(part, array.type.ndim, False, array.type.const, False)
    return ArrayValue(type_, pointer, array.shape, array.strides)


def transposed(array: ArrayValue) -> ArrayValue:
    """`array.T`."""
    flat = array.type.ndim < 2
    type_ = array.type._replace(contiguous=array.type.contiguous and flat, dense=array.type.dense and flat)
    return ArrayValue(type_, array.pointer, array.shape[::-1], array.strides[::-1])


def size(code: PythonCode, array: ArrayValue) -> NumberValue:
    """`array.size`."""
    total: IrValue = i64(1)
    for extent in array.shape:
        total = code.times(total, extent.ir)
    return NumberValue(INT, total)


def _flattened(indices: list[Index]) -> list[Index]:
    """Tuples among the indices taken apart."""
    flat: list[Index] = []
    for index in indices:
        flat += index.items if isinstance(index, TupleValue) else [index]
    return flat


def _position(code: PythonCode, array: ArrayValue, axis: int, index: Index) -> IrValue:
    """An index as i64, counted from the start."""
    if isinstance(index, ArrayValue | Elementwise):
        raise UnsupportedError("indexing by an array copies, which isn't compiled but for a mask: write a loop")
    if isinstance(index, PythonObject | Slice | NewAxis | TupleValue | RecordValue):
        raise UnsupportedError("an index must be an integer or a slice")
    if index.type.kind == "bool":
        raise UnsupportedError("a bool can't be an index in compiled code: write int(...)")
    position = code.index(index)
    if code.faults is not None:
        return checked(code, position.ir, array.shape[axis].ir, axis)
    if position.constant is not None and position.constant < 0:
        return code.plus(array.shape[axis].ir, position.ir)
    return position.ir


def _moved(code: PythonCode, array: ArrayValue, positions: list[IrValue]) -> IrValue:
    """The address of an element. That of a contiguous array is counted in elements, row by row."""
    if not positions:
        return array.pointer
    if not array.type.contiguous:
        return _at(code, array, list(zip(positions, array.strides, strict=True)))
    build = code.build
    place = positions[0]
    for position, extent in zip(positions[1:], array.shape[1:], strict=True):
        place = code.times(place, extent.ir)
        place = code.plus(place, position)
    return build.address(array.type.element.memory, array.pointer, [place])


def _at(code: PythonCode, array: ArrayValue, offsets: list[tuple[IrValue, IrValue]]) -> IrValue:
    """The address after steps along axes, each with its stride in bytes."""
    pointer = array.pointer
    for position, stride in offsets:
        bytes_ = code.times(position, stride)
        pointer = code.build.address(ty.I8, pointer, [bytes_])
    return pointer


def _sliced(code: PythonCode, array: ArrayValue, axis: int, index: Slice) -> tuple[IrValue, IrValue, IrValue]:
    """First position, extent and stride of a slice, by Python's rules."""
    build, whole = code.build, array.shape[axis].ir
    step = 1
    if index.step is not None:
        constant = code.index(index.step).constant
        if constant is None or constant == 0:
            raise UnsupportedError("the step of a slice must be a constant other than 0")
        step = int(constant)
    first, last = (i64(0), whole) if step > 0 else (i64(-1), build.binary("sub", whole, i64(1), flags=("nsw",)))
    low = (first if step > 0 else last) if index.lower is None else _bound(code, index.lower, whole, first, last)
    high = (last if step > 0 else first) if index.upper is None else _bound(code, index.upper, whole, first, last)
    if index == Slice(None, None, None):
        return low, whole, array.strides[axis]
    distance = build.binary("sub", high, low, flags=("nsw",))
    size_ = abs(step)
    if step < 0:
        distance = build.binary("sub", i64(0), distance, flags=("nsw",))
    if size_ > 1:
        distance = code.plus(distance, i64(size_ - 1))
        distance = build.binary("sdiv", distance, i64(size_))
    extent = build.select(code.compare("sgt", distance, i64(0)), distance, i64(0))
    stride = array.strides[axis]
    return low, extent, stride if step == 1 else code.times(stride, i64(step))


def _bound(code: PythonCode, bound: Value, whole: IrValue, first: IrValue, last: IrValue) -> IrValue:
    """A bound of a slice: from the end if negative, and within the array."""
    build = code.build
    value = code.index(bound).ir
    from_end = code.plus(value, whole)
    value = build.select(code.compare("slt", value, i64(0)), from_end, value)
    value = build.select(code.compare("slt", value, first), first, value)
    return build.select(code.compare("sgt", value, last), last, value)
