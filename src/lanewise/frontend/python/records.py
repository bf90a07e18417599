# SPDX-License-Identifier: Apache-2.0
"""Records: elements of arrays with a structured dtype, and their fields.

A record is the address of an element, so that `p = a[i]; p['x'] = 1` changes the array, as in NumPy. Fields of a packed
dtype may lie anywhere: those that aren't aligned are loaded and stored byte by byte.
"""

from math import gcd

from lanewise.frontend.python.code import PythonCode, described
from lanewise.frontend.python.numbers_in_memory import load_number, store_number
from lanewise.frontend.python.python_types import Array, Field, Number
from lanewise.frontend.python.refusal import UnsupportedError
from lanewise.frontend.python.values import ArrayValue, NumberValue, RecordValue, TupleValue, Value
from lanewise.frontend.python.watching import note
from lanewise.ir import types as ty
from lanewise.ir.values import Value as IrValue


def field_of(type_: Number, name: str) -> Field:
    """A field of a record by its name."""
    found = next((each for each in type_.fields if each.name == name), None)
    if found is None:
        names = ", ".join(each.name for each in type_.fields)
        raise UnsupportedError(f"a record has no field '{name}': it has {names}")
    return found


def load_field(code: PythonCode, record: RecordValue, name: str) -> NumberValue:
    """`record[name]`."""
    field = field_of(record.type, name)
    place = code.build.offset(record.address, field.offset)
    note(code, place, field.type.size, writes=False)
    if _is_aligned(record.type, field):
        return load_number(code, place, field.type)
    room = code.entry.alloca(field.type.memory, name, align=field.type.size)
    _copy_bytes(code, place, room, field.type.size)
    return load_number(code, room, field.type)


def store_field(code: PythonCode, record: RecordValue, name: str, value: Value) -> None:
    """`record[name] = value`."""
    if record.const:
        raise UnsupportedError(f"{described(record)} is of a read-only array, and is assigned to")
    field = field_of(record.type, name)
    number = code.convert(code.number(value), field.type)
    place = code.build.offset(record.address, field.offset)
    note(code, place, field.type.size, writes=True)
    if _is_aligned(record.type, field):
        store_number(code, place, number)
        return
    room = code.entry.alloca(field.type.memory, name, align=field.type.size)
    store_number(code, room, number)
    _copy_bytes(code, room, place, field.type.size)


def store_record(code: PythonCode, record: RecordValue, value: Value) -> None:
    """`a[i] = value`, of a tuple, or of a record with the same fields."""
    if isinstance(value, RecordValue) and value.type == record.type:
        loaded = [load_field(code, value, each.name) for each in record.type.fields]
    elif isinstance(value, TupleValue) and len(value.items) == len(record.type.fields):
        loaded = list(value.items)
    else:
        raise UnsupportedError(f"{described(value)} is assigned to {described(record)}: assign a tuple of its fields")
    for each, part in zip(record.type.fields, loaded, strict=True):
        store_field(code, record, each.name, part)


def field_view(code: PythonCode, array: ArrayValue, name: str) -> ArrayValue:
    """`array[name]`, which doesn't copy."""
    element = array.type.element
    field = field_of(element, name)
    if not _is_aligned(element, field):
        raise UnsupportedError(
            f"the field '{name}' isn't aligned, and can't be an array of its own: use that of one record at a time, "
            "or a dtype with align=True"
        )
    type_ = Array(field.type, array.type.ndim, False, array.type.const, False)
    return ArrayValue(type_, code.build.offset(array.pointer, field.offset), array.shape, array.strides)


def field_as_array(code: PythonCode, record: RecordValue, name: str) -> ArrayValue:
    """A field as an array without dimensions, for atomic operations on it."""
    field = field_of(record.type, name)
    if not _is_aligned(record.type, field):
        raise UnsupportedError(f"iterations may add to one field '{name}', which isn't aligned: use align=True")
    pointer = code.build.offset(record.address, field.offset)
    return ArrayValue(Array(field.type, 0, const=record.const), pointer, (), ())


def _is_aligned(record: Number, field: Field) -> bool:
    alignment = field.type.part.size
    return gcd(field.offset, record.size, record.alignment) % alignment == 0


def _copy_bytes(code: PythonCode, source: IrValue, target: IrValue, count: int) -> None:
    for place in range(count):
        byte = code.build.load(ty.I8, code.build.offset(source, place), align=1)
        code.build.store(byte, code.build.offset(target, place), 1)


def field_name(node: object) -> str | None:
    """The text of a constant that is the name of a field; None for another index."""
    value = getattr(node, "value", None)
    return value if isinstance(value, str) else None
