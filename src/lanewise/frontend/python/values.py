# SPDX-License-Identifier: Apache-2.0
"""Values of expressions: numbers, array views and tuples in terms of IR, and objects of the compiling Python."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from lanewise.frontend.python.python_types import Array, Number, Tuple, Type
from lanewise.frontend.python.refusal import UnsupportedError
from lanewise.ir import types as ty
from lanewise.ir.values import Value as IrValue


class NumberValue(NamedTuple):
    """A number in a register. `constant`: its value, if it is known; then `ir` may be made again for another type.
    `imag`: the imaginary part of a complex number, whose real part is `ir`."""

    type: Number
    ir: IrValue
    constant: int | float | None = None
    imag: IrValue | None = None


class ArrayValue(NamedTuple):
    """A view of an array. `strides` are in bytes; `shape` and `strides` are i64."""

    type: Array
    pointer: IrValue
    shape: tuple[NumberValue, ...]
    strides: tuple[IrValue, ...]


class Leaf(NamedTuple):
    """An array in an expression. `each`: an element of the expression depends on that of the same indices alone."""

    array: ArrayValue
    each: bool


class Elementwise(NamedTuple):
    """An expression of whole arrays that isn't evaluated yet (`elementwise`).

    `at` makes the code of the element with certain indices; its last argument says that all extents are those of the
    result, which the tests `equal` (i1) find out. `leaves`: the arrays that it reads.
    """

    element: Number
    shape: tuple[NumberValue, ...]
    at: "Callable[[Any, Sequence[IrValue], bool], NumberValue]"
    leaves: tuple[Leaf, ...]
    equal: tuple[IrValue, ...]

    @property
    def type(self) -> Array:
        return Array(self.element, len(self.shape))


class RecordValue(NamedTuple):
    """An element of an array of records: its address. `const`: of an array that can't be written to."""

    type: Number
    address: IrValue
    const: bool


class TupleValue(NamedTuple):
    """A tuple. `names`: those of the items of a named tuple."""

    items: "tuple[Value, ...]"

    @property
    def type(self) -> Tuple:
        return Tuple(tuple(_type_of(item) for item in self.items))


class PythonObject(NamedTuple):
    """Something that exists while compiling only: a module, a function, a dtype, None, a string."""

    object: Any

    @property
    def type(self) -> None:
        return None


Value: TypeAlias = NumberValue | ArrayValue | Elementwise | RecordValue | TupleValue | PythonObject


def _type_of(value: Value) -> Type:
    assert value.type is not None
    return value.type


def part_types(type_: Type) -> list[ty.Type]:
    """The registers that a value of a type consists of; an array's has all strides."""
    if isinstance(type_, Number):
        return registers(type_)
    if isinstance(type_, Tuple):
        return [part for item in type_.items for part in part_types(item)]
    return [ty.PTR, *[ty.I64] * (2 * type_.ndim)]


def registers(type_: Number) -> list[ty.Type]:
    """The registers of a number or a record."""
    if type_.kind == "record":
        return [ty.PTR]
    return [type_.part.register] * (2 if type_.kind == "complex" else 1)


def parts(value: Value) -> list[IrValue]:
    """The registers that a value consists of."""
    if isinstance(value, RecordValue):
        return [value.address]
    if isinstance(value, NumberValue):
        return [value.ir] if value.imag is None else [value.ir, value.imag]
    if isinstance(value, TupleValue):
        return [part for item in value.items for part in parts(item)]
    assert isinstance(value, ArrayValue)
    return [value.pointer, *(extent.ir for extent in value.shape), *value.strides]


def numbers_in(type_: Type) -> list[Number]:
    """The types of the numbers that a type consists of."""
    if isinstance(type_, Number) and type_.kind != "record":
        return [type_]
    if isinstance(type_, Tuple):
        return [part for item in type_.items for part in numbers_in(item)]
    raise UnsupportedError("an array or a record is returned, which isn't compiled")


def numbers_of(value: Value) -> list[NumberValue]:
    """The numbers that a value consists of."""
    if isinstance(value, NumberValue):
        return [value]
    if isinstance(value, TupleValue):
        return [part for item in value.items for part in numbers_of(item)]
    raise UnsupportedError("only numbers and tuples of numbers are returned from compiled code")


def rebuilt(type_: Type, numbers: Iterator[NumberValue]) -> Value:
    """The inverse of `numbers_of`."""
    if isinstance(type_, Number):
        return next(numbers)
    assert isinstance(type_, Tuple)
    return TupleValue(tuple(rebuilt(item, numbers) for item in type_.items))


def from_registers(type_: Number, given: Iterator[IrValue]) -> NumberValue:
    """A number, from the registers that it consists of."""
    real = next(given)
    return NumberValue(type_, real, imag=next(given) if type_.kind == "complex" else None)


def read_from(type_: Number, given: Iterator[IrValue]) -> NumberValue | RecordValue:
    """A number or a record, from the registers that it consists of."""
    if type_.kind == "record":
        return RecordValue(type_, next(given), const=False)
    return from_registers(type_, given)


def described_type(type_: Type) -> str:
    """A type for messages."""
    return f"an array {type_.name}" if isinstance(type_, Array) else f"a {type_.name}"
