# SPDX-License-Identifier: Apache-2.0
"""Atomic operations.

Source: PTX ISA 9.0, 9.7.13.14 "atom", 9.7.13.15 "red".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lanewise.frontend.ptx.instructions.memory import scope_of, space_of
from lanewise.frontend.ptx.instructions.words import Row, type_word
from lanewise.frontend.ptx.ptx_types import TYPES, bits_of, is_floating, is_signed
from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction as Made
from lanewise.ir.instruction import Ordering
from lanewise.ir.types import Type
from lanewise.ir.values import Value
from lanewise.ptx.language.operands import Operand, Vector
from lanewise.ptx.language.statements import Instruction

if TYPE_CHECKING:
    from lanewise.frontend.ptx.code import PtxCode

_ORDERS: Final = {"relaxed": "monotonic", "acquire": "acquire", "release": "release", "acq_rel": "acq_rel"}
_OPERATIONS: Final = {
    "exch": "xchg", "add": "add", "and": "and", "or": "or", "xor": "xor", "inc": "uinc_wrap", "dec": "udec_wrap",
}  # fmt: skip


def _atom(code: PtxCode, instruction: Instruction) -> None:
    target, address, *values = instruction.operands
    code.write(target, _done(code, instruction, address, values))


def _red(code: PtxCode, instruction: Instruction) -> None:
    if "async" in instruction.modifiers:
        raise RefusedError("red.async is not supported")
    address, *values = instruction.operands
    _done(code, instruction, address, values)


def _done(code: PtxCode, instruction: Instruction, address: Operand, values: list[Operand]) -> Value:
    word = type_word(instruction)
    type_ = TYPES[word]
    if any(isinstance(value, Vector) for value in values):
        raise RefusedError("vectors are not supported")
    order = next((_ORDERS[each] for each in instruction.modifiers if each in _ORDERS), "monotonic")
    pointer = code.pointer(address, space_of(instruction))
    if "cas" in instruction.modifiers:
        return _exchanged(code, pointer, type_, values, order, scope_of(instruction))
    operation = _operation(instruction, word)
    value = code.read_as(values[0], type_)
    ordering = Ordering(order, scope=scope_of(instruction))
    align = bits_of(type_) // 8
    made = Made("atomicrmw", type_, (pointer, value), predicate=operation, ordering=ordering, align=align)
    return code.build.emit(made)


def _operation(instruction: Instruction, word: str) -> str:
    words = instruction.modifiers
    if "add" in words and is_floating(word):
        return "fadd"
    for extreme in ("min", "max"):
        if extreme in words:
            if is_floating(word):
                return f"f{extreme}"
            return extreme if is_signed(word) else f"u{extreme}"
    found = next((_OPERATIONS[each] for each in words if each in _OPERATIONS), None)
    if found is None:
        raise RefusedError("it has no operation that is supported")
    return found


def _exchanged(code: PtxCode, pointer: Value, type_: Type, values: list[Operand], order: str, scope: str) -> Value:
    whole = ty.integer(bits_of(type_))
    expected, new = (code.read_as(value, whole) for value in values[:2])
    failure = {"release": "monotonic", "acq_rel": "acquire"}.get(order, order)
    pair = ty.struct((whole, ty.I1))
    made = Made(
        "cmpxchg", pair, (pointer, expected, new), ordering=Ordering(order, failure, scope), align=whole.bits // 8
    )
    result = code.build.emit(made)
    return code.build.emit(Made("extractvalue", whole, (result,), indices=(0,)))


ROWS: Final[dict[str, Row]] = {"atom": _atom, "red": _red}
