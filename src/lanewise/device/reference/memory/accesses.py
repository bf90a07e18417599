# SPDX-License-Identifier: Apache-2.0
"""Typed loads and stores. Each access in the program has a function of its own, which remembers the object that it
found last. Most accesses stay in the same object and then cost one indexing. Offsets in it are small numbers, which
Python computes with faster than with addresses."""

from collections.abc import Callable
from typing import Final, NamedTuple

from lanewise.device.reference.arithmetic.encoding import Codec
from lanewise.device.reference.arithmetic.indeterminate import Value, check_stored
from lanewise.device.reference.memory.objects import Cells, Memory, read_bits, write_bits
from lanewise.ir.types import Type

Load = Callable[[Value], Value]
Store = Callable[[Value, Value], None]


class _Cell(NamedTuple):
    """A scalar type that a memoryview has a code for, and the code of unsigned numbers of its size."""

    code: str
    unsigned: str
    size: int


_CELLS: Final[dict[str, _Cell]] = {
    "i8": _Cell("b", "B", 1), "i16": _Cell("h", "H", 2), "i32": _Cell("i", "I", 4), "i64": _Cell("q", "Q", 8),
    "float": _Cell("f", "I", 4), "double": _Cell("d", "Q", 8),
}  # fmt: skip
_POINTER_CELL: Final = _Cell("Q", "Q", 8)


def _cell_of(type_: Type) -> _Cell | None:
    return _POINTER_CELL if type_.is_pointer else _CELLS.get(type_.text)


def load_any(memory: Memory, codec: Codec, align: int, access: str = "load") -> Load:
    """Load of any type that looks up the object each time."""
    size, decode = codec.size, codec.decode

    def load(address: Value) -> Value:
        item = memory.find(address, size, align, access)
        return decode(*read_bits(item, address, size))

    return load


def store_any(memory: Memory, codec: Codec, align: int, access: str = "store") -> Store:
    """Store of any type that looks up the object each time."""
    size, encode = codec.size, codec.encode

    def store(address: Value, value: Value) -> None:
        item = memory.find(address, size, align, access)
        if not item.is_private:
            check_stored(value, keeps_record=item.unknown is not None)
        write_bits(item, address, size, *encode(value))

    return store


def load_at(memory: Memory, type_: Type, codec: Codec, align: int) -> Load:
    """The load of one place in the program."""
    slow = load_any(memory, codec, align)
    cell = _cell_of(type_)
    if cell is None or align < cell.size:
        return slow
    code, unsigned, size = cell
    shift, low_bits = size.bit_length() - 1, align - 1
    base, last = 0, -1
    cells: Cells = b""
    unknown: Cells = None

    def load(address: Value) -> Value:
        nonlocal base, last, cells, unknown
        try:
            offset = address - base
            if 0 <= offset <= last and not offset & low_bits:
                index = offset >> shift
                if unknown is None or not unknown[index]:
                    value = cells[index]
                    if value == value:  # NaNs may have bits that a Python float would lose
                        return value
                return slow(address)
        except (TypeError, ValueError):  # the address is indeterminate; the object's life has ended
            pass
        item = memory.find(address, size, align, "load")
        views = item.typed(code, size, unsigned)
        if views is not None and not item.base & low_bits:
            cells, unknown = views
            base, last = item.base, (len(cells) - 1) * size
        return slow(address)

    return load


def store_at(memory: Memory, type_: Type, codec: Codec, align: int) -> Store:
    """The store of one place in the program."""
    slow = store_any(memory, codec, align)
    cell = _cell_of(type_)
    if cell is None or align < cell.size:
        return slow
    code, unsigned, size = cell
    shift, low_bits = size.bit_length() - 1, align - 1
    base, last = 0, -1
    cells: Cells = b""
    unknown: Cells = None

    def store(address: Value, value: Value) -> None:
        nonlocal base, last, cells, unknown
        try:
            offset = address - base
            if 0 <= offset <= last and not offset & low_bits and value == value:
                index = offset >> shift
                cells[index] = value
                if unknown is not None:
                    unknown[index] = 0
                return
        except (TypeError, ValueError):
            pass
        item = memory.find(address, size, align, "store")
        views = item.typed(code, size, unsigned)
        if views is not None and not item.base & low_bits:
            cells, unknown = views
            base, last = item.base, (len(cells) - 1) * size
        slow(address, value)

    return store
