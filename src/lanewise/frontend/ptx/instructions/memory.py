# SPDX-License-Identifier: Apache-2.0
"""Loads and stores.

A vector is loaded and stored element by element. Hints for caches mean nothing.

Source: PTX ISA 9.0, 9.7.9.8 "ld", 9.7.9.9 "ld.global.nc", 9.7.9.11 "st", 9.7.17 "Stack Manipulation Instructions", 8
"Memory Consistency Model".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lanewise.frontend.ptx.instructions.words import Row, type_word
from lanewise.frontend.ptx.ptx_types import TYPES, bits_of, is_signed
from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction as Made
from lanewise.ir.instruction import Ordering
from lanewise.ir.values import Value
from lanewise.ptx.language.operands import Immediate, Operand, Vector
from lanewise.ptx.language.statements import Instruction

if TYPE_CHECKING:
    from lanewise.frontend.ptx.code import PtxCode

SPACES: Final = ("global", "shared", "local", "const", "param")
_ORDERS: Final = {"relaxed": "monotonic", "mmio": "monotonic", "acquire": "acquire", "release": "release"}
_SCOPES: Final = {
    "cta": 'syncscope("block")',
    "cluster": 'syncscope("cluster")',
    "gpu": 'syncscope("device")',
    "sys": "",
}


def space_of(instruction: Instruction) -> str:
    """The state space among the words; "" for a generic access."""
    for word in instruction.modifiers:
        space = word.partition("::")[0]
        if space in SPACES:
            return space
    return ""


def scope_of(instruction: Instruction) -> str:
    """The scope of an access as LLVM writes it."""
    return next((_SCOPES[word] for word in instruction.modifiers if word in _SCOPES), _SCOPES["gpu"])


def _order(instruction: Instruction) -> Ordering | None:
    """The order of an atomic access; None of a plain one."""
    words = instruction.modifiers
    order = next((_ORDERS[word] for word in words if word in _ORDERS), None)
    return None if order is None else Ordering(order, scope=scope_of(instruction))


def _elements(
    code: PtxCode, instruction: Instruction, operand: Operand, address: Operand
) -> list[tuple[Operand, Value, int]]:
    """The parts of an access, with the address and the alignment of each."""
    items = operand.items if isinstance(operand, Vector) else (operand,)
    size = bits_of(TYPES[type_word(instruction)]) // 8
    pointer = code.pointer(address, space_of(instruction))
    whole = size * len(items)
    parts: list[tuple[Operand, Value, int]] = []
    for place, item in enumerate(items):
        offset = place * size
        align = whole if offset == 0 else offset & -offset
        parts.append((item, code.offset(pointer, offset), min(align, 16)))
    return parts


def _ld(code: PtxCode, instruction: Instruction) -> None:
    word = type_word(instruction)
    type_ = TYPES[word]
    target, address, *_ = instruction.operands
    if space_of(instruction) == "param":
        argument = code.frame.argument(code, address, type_)
        if argument is not None:
            value = argument
            if argument.type.is_pointer:
                value = code.build.cast("ptrtoint", argument, ty.I64)
            code.write(target, code.as_type(value, type_), is_signed(word))
            return
    order = _order(instruction)
    flags = _flags(instruction, order)
    for item, pointer, align in _elements(code, instruction, target, address):
        loaded = _in_memory(type_, order is not None)
        made = Made("load", loaded, (pointer,), flags=flags, source_type=loaded, align=align, ordering=order)
        code.write(item, code.as_type(code.build.emit(made), type_), is_signed(word))


def _flags(instruction: Instruction, order: Ordering | None) -> tuple[str, ...]:
    """The words that an access to memory has before its type."""
    volatile = ("volatile",) if "volatile" in instruction.modifiers else ()
    return volatile if order is None else ("atomic", *volatile)


def _in_memory(type_: ty.Type, atomic: bool) -> ty.Type:
    """The type of an access: atomic ones are of integers, and so are those of predicates."""
    if type_.is_vector or (atomic and not type_.is_int):
        return ty.integer(bits_of(type_))
    return type_


def _st(code: PtxCode, instruction: Instruction) -> None:
    type_ = TYPES[type_word(instruction)]
    address, source, *_ = instruction.operands
    order = _order(instruction)
    flags = _flags(instruction, order)
    for item, pointer, align in _elements(code, instruction, source, address):
        value = code.as_type(code.read_as(item, type_), _in_memory(type_, order is not None))
        code.build.emit(Made("store", ty.VOID, (value, pointer), flags=flags, align=align, ordering=order))


# ---- The stack -----------------------------------------------------------------------------------------------


def _alloca(code: PtxCode, instruction: Instruction) -> None:
    target, size, *more = instruction.operands
    align = more[0].value if more and isinstance(more[0], Immediate) else 8
    made = Made("alloca", ty.PTR, (code.read(size, "u64"),), source_type=ty.I8, align=int(align))
    code.write(target, code.build.cast("ptrtoint", code.build.emit(made), ty.I64))


def _stacksave(code: PtxCode, instruction: Instruction) -> None:
    code.write(instruction.operands[0], code.build.cast("ptrtoint", code.intrinsic("stacksave.p0", ty.PTR), ty.I64))


def _stackrestore(code: PtxCode, instruction: Instruction) -> None:
    saved = code.build.cast("inttoptr", code.read(instruction.operands[0], "u64"), ty.PTR)
    code.intrinsic("stackrestore.p0", ty.VOID, saved)


ROWS: Final[dict[str, Row]] = {
    "ld": _ld,
    "ldu": _ld,
    "st": _st,
    "alloca": _alloca,
    "stacksave": _stacksave,
    "stackrestore": _stackrestore,
}
