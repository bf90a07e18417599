# SPDX-License-Identifier: Apache-2.0
"""Types of values in compiled Python: numbers, arrays and tuples.

A number is of NumPy (`float32`) or of Python (`int`, `float`, `bool`). Python's numbers are *weak*: in an operation
with one of NumPy they take its type, as NumPy's NEP 50 has it. They are computed in 64 bits.
"""

import functools
from typing import Any, Final, NamedTuple, TypeAlias

from lanewise.ir import types as ty


class Field(NamedTuple):
    """A field of a record: its offset in bytes, and its type."""

    name: str
    offset: int
    type: "Number"


class Number(NamedTuple):
    """A type of numbers. `kind`: "bool", "int", "uint", "float" or "complex". `weak`: one of Python's. The elements of
    an array may also be records, of the kind "record": of `fields`, at addresses that `alignment` divides."""

    kind: str
    bits: int
    weak: bool = False
    fields: tuple[Field, ...] = ()
    alignment: int = 0

    @property
    def is_floating(self) -> bool:
        return self.kind == "float"

    @property
    def is_inexact(self) -> bool:
        """True if sums are rounded."""
        return self.kind in ("float", "complex")

    @property
    def strong(self) -> "Number":
        """The type of NumPy with the same values."""
        return self._replace(weak=False)

    @property
    def is_signed(self) -> bool:
        return self.kind == "int"

    @property
    def size(self) -> int:
        """Bytes in memory."""
        return max(self.bits // 8, 1)

    @property
    def register(self) -> ty.Type:
        """The IR type of values. Complex numbers are in two registers, of the type `part`."""
        assert self.kind != "complex", "a complex number is two registers"
        if self.kind == "float":
            return {16: ty.floating("half"), 32: ty.FLOAT, 64: ty.DOUBLE}[self.bits]
        return ty.I1 if self.kind == "bool" else ty.integer(self.bits)

    @property
    def memory(self) -> ty.Type:
        """The IR type in memory."""
        if self.kind == "record":
            return ty.array(self.size, ty.I8)
        if self.kind == "complex":
            return ty.array(2, self.part.register)
        return ty.I8 if self.kind == "bool" else self.register

    @property
    def part(self) -> "Number":
        """The type of the real and the imaginary part."""
        return Number("float", self.bits // 2, self.weak) if self.kind == "complex" else self

    @property
    def name(self) -> str:
        """The name that messages have: Python's or NumPy's."""
        if self.kind == "record":
            return f"record({', '.join(each.name for each in self.fields)})"
        if self.weak or self.kind == "bool":
            return self.kind
        return f"{self.kind}{self.bits}"

    @property
    def dtype(self) -> str:
        """NumPy's short name, such as `<f8`."""
        if self.kind == "record":
            return f"|V{self.size}"
        return f"{ {'bool': '|b', 'int': '<i', 'uint': '<u', 'float': '<f', 'complex': '<c'}[self.kind] }{self.size}"


BOOL: Final = Number("bool", 1)
INT: Final = Number("int", 64, weak=True)
"""Python's int, in 64 bits."""
FLOAT: Final = Number("float", 64, weak=True)
COMPLEX: Final = Number("complex", 128, weak=True)
PYTHON_BOOL: Final = Number("bool", 1, weak=True)
INT64: Final = Number("int", 64)
FLOAT64: Final = Number("float", 64)


class Array(NamedTuple):
    """A type of arrays. `contiguous`: in C order, so that its strides follow from its shape. `const`: it can't be
    written to. `dense`: the elements of a row lie side by side, which those of contiguous arrays do."""

    element: Number
    ndim: int
    contiguous: bool = True
    const: bool = False
    dense: bool = True

    @property
    def name(self) -> str:
        return f"{self.element.name}[{', '.join(':' * self.ndim)}]"


class Tuple(NamedTuple):
    """A type of tuples, with a length that is known."""

    items: "tuple[Type, ...]"

    @property
    def name(self) -> str:
        return f"({', '.join(item.name for item in self.items)})"

    @property
    def has_arrays(self) -> bool:
        return any(isinstance(item, Array) or (isinstance(item, Tuple) and item.has_arrays) for item in self.items)


Type: TypeAlias = Number | Array | Tuple


def number_of(dtype: object) -> Number | None:
    """The type of the elements of a dtype of NumPy; None if compiled code has none for it."""
    if getattr(dtype, "names", None):
        return _record(dtype)
    return _NUMBERS.get(getattr(dtype, "str", ""))


def _record(dtype: Any) -> Number | None:
    """The type of a structured dtype; None unless all fields are numbers."""
    fields: list[Field] = []
    for name in dtype.names:
        of, offset = dtype.fields[name][:2]
        number = None if of.names else number_of(of)
        if number is None:
            return None
        fields.append(Field(name, offset, number))
    return Number("record", 8 * dtype.itemsize, False, tuple(fields), dtype.alignment)


@functools.cache
def _two(a: str, b: str) -> Number | None:
    import numpy as np  # of the host, which passes arrays of it

    return number_of(np.result_type(np.dtype(a), np.dtype(b)))


_NUMBERS: Final = {
    number.dtype: number
    for number in (
        BOOL,
        *(Number(kind, bits) for kind in ("int", "uint") for bits in (8, 16, 32, 64)),
        *(Number("float", bits) for bits in (16, 32, 64)),
        *(Number("complex", bits) for bits in (64, 128)),
    )
} | {"|i1": Number("int", 8), "|u1": Number("uint", 8)}


def common(a: Number, b: Number) -> Number:
    """The type in which two numbers are added: NumPy's rules (NEP 50) if one is of NumPy, else Python's."""
    if a.weak and b.weak:
        return COMPLEX if COMPLEX in (a, b) else FLOAT if FLOAT in (a, b) else INT
    if a.weak != b.weak:
        weak, strong = (a, b) if a.weak else (b, a)
        if weak.kind == "complex" and strong.kind != "complex":
            return Number("complex", 64 if strong.kind == "float" and strong.bits <= 32 else 128)
        if weak.kind == "float" and not strong.is_inexact:
            return FLOAT64
        if weak.kind == "int" and strong.kind == "bool":
            return INT64
        return strong
    found = _two(a.dtype, b.dtype)
    assert found is not None
    return found


def joined(a: Type, b: Type) -> Type | None:
    """The type of a variable that both are assigned to; None if there is none."""
    if a == b:
        return a
    if isinstance(a, Number) and isinstance(b, Number):
        if a.kind == b.kind == "bool":
            return BOOL
        if {"bool", "record"} & {a.kind, b.kind}:
            return None
        return common(a, b)
    if isinstance(a, Array) and isinstance(b, Array) and a[:2] == b[:2]:
        return Array(a.element, a.ndim, a.contiguous and b.contiguous, a.const or b.const, a.dense and b.dense)
    if isinstance(a, Tuple) and isinstance(b, Tuple) and len(a.items) == len(b.items):
        items = [joined(x, y) for x, y in zip(a.items, b.items, strict=True)]
        return None if None in items else Tuple(tuple(item for item in items if item is not None))
    return None
