# SPDX-License-Identifier: Apache-2.0
"""load-bits-as-words: makes loads and stores of words out of those of vectors whose elements are less than a byte.

Why
    LLVM 22 makes a test of one bit of a loaded vector an element of a vector of bits: of `<4 x i32>`, a load of
    `<128 x i1>`. In memory such elements lie eight to a byte. Lanes take a vector apart, an element a lane's load, and
    each element would have a byte of its own.

Before
    define i1 @f(ptr %p) {
      %v = load <128 x i1>, ptr %p, align 4
      %r = extractelement <128 x i1> %v, i64 99
      ret i1 %r
    }

After
    define i1 @f(ptr %p) {
      %1 = getelementptr i8, ptr %p, i64 12
      %2 = load i32, ptr %1, align 4
      %3 = lshr i32 %2, 3
      %r = trunc i32 %3 to i1
      ret i1 %r
    }

Needs
    1. A load or a store of a vector.
    2. Elements of less than eight bits.

Method
    The vector is an integer in memory, of as many whole bytes, and a `bitcast` makes the vector of it. The shorter form
    above is for elements with constant numbers, of one, two or four bits, which lie within a word. A word has 32 bits
    where the vector consists of such words and is aligned to them, else eight. A volatile access stays a single one.

When not
    In functions that don't become lanes: LLVM knows how such vectors lie in memory.

Neighbours
    Runs on the simplified kernel, before lanes. LLVM would make the vectors again.
"""

from __future__ import annotations

from math import gcd
from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value, i64, int_constant

_BYTE: Final = 8
_WORD: Final = 32


def run(function: Function) -> bool:
    """Rewrite the accesses of a function; see above. Returns whether anything changed."""
    found = [i for i in function.instructions() if _is_of_bits(i)]
    for access in found:
        if access.op == "store":
            _store_integer(access)
        elif _numbers(access) and "volatile" not in access.flags:
            _load_words(access)
        else:
            _load_integer(access)
    return bool(found)


def _is_of_bits(access: Instruction) -> bool:
    if access.op not in ("load", "store") or not _type(access).is_vector:  # 1
        return False
    element = _type(access).scalar
    return element.is_int and element.bits < _BYTE  # 2


def _type(access: Instruction) -> Type:
    """The vector that is loaded or stored."""
    return access.type if access.op == "load" else access.operands[0].type


def _numbers(load: Instruction) -> dict[Instruction, int]:
    """The number of the element that each user takes; none if one takes something else."""
    if load.type.scalar.bits not in (1, 2, 4):
        return {}
    found: dict[Instruction, int] = {}
    for user in load.users:
        number = user.operands[1] if user.op == "extractelement" else None
        if not isinstance(number, Constant) or number.kind != "int":
            return {}
        found[user] = number.integer
    return found


def _load_words(load: Instruction) -> None:
    bits = load.type.scalar.bits
    size = bits * load.type.count
    width = _WORD if size % _WORD == 0 and load.align >= _WORD // _BYTE else _BYTE
    word, words = ty.integer(width), dict[int, Instruction]()
    for element, number in _numbers(load).items():
        place, first = divmod(number * bits, width)
        offset = place * width // _BYTE
        if offset not in words:
            pointer = load.operands[0]
            if offset:
                pointer = _emit(load, "getelementptr", pointer.type, (pointer, i64(offset)), source_type=ty.I8)
            words[offset] = _emit(load, "load", word, (pointer,), align=gcd(load.align or 1, offset))
        shifted = _emit(load, "lshr", word, (words[offset], int_constant(word, first))) if first else words[offset]
        narrow = _emit(load, "trunc", load.type.scalar, (shifted,))
        narrow.name = element.name
        element.replace_all_uses(narrow)
        element.erase()
    load.erase()


def _load_integer(load: Instruction) -> None:
    size = load.type.scalar.bits * load.type.count
    whole = ty.integer(-(-size // _BYTE) * _BYTE)
    value = _emit(load, "load", whole, load.operands, flags=load.flags, align=load.align or 1)
    if whole.bits != size:
        value = _emit(load, "trunc", ty.integer(size), (value,))
    vector = _emit(load, "bitcast", load.type, (value,))
    vector.name = load.name
    load.replace_all_uses(vector)
    load.erase()


def _store_integer(store: Instruction) -> None:
    vector, pointer = store.operands
    size = vector.type.scalar.bits * vector.type.count
    whole = ty.integer(-(-size // _BYTE) * _BYTE)
    value: Value = _emit(store, "bitcast", ty.integer(size), (vector,))
    if whole.bits != size:
        value = _emit(store, "zext", whole, (value,))
    _emit(store, "store", ty.VOID, (value, pointer), flags=store.flags, align=store.align or 1)
    store.erase()


def _emit(
    before: Instruction,
    op: str,
    type_: Type,
    operands: list[Value] | tuple[Value, ...],
    *,
    flags: tuple[str, ...] = (),
    source_type: Type | None = None,
    align: int = 0,
) -> Instruction:
    line = tuple(each for each in before.metadata if each[0] == "!dbg")
    made = Instruction(op, type_, operands, flags=flags, metadata=line, source_type=source_type, align=align)
    block = before.parent
    return block.insert(block.instructions.index(before), made)
