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
from lanewise.ir.intrinsics import spelled
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
    for item, result in _done(code, instruction, address, target, values):
        code.write(item, result)


def _red(code: PtxCode, instruction: Instruction) -> None:
    if "async" in instruction.modifiers:
        raise RefusedError("red.async is not supported")
    address, *values = instruction.operands
    _done(code, instruction, address, values[0], values)


def _done(
    code: PtxCode, instruction: Instruction, address: Operand, target: Operand, values: list[Operand]
) -> list[tuple[Operand, Value]]:
    """The values that memory had before, for each part of the target. The elements of a vector are updated one after
    the other: the manual promises no more."""
    word = type_word(instruction)
    type_ = TYPES[word]
    order = next((_ORDERS[each] for each in instruction.modifiers if each in _ORDERS), "monotonic")
    pointer = code.pointer(address, space_of(instruction))
    if "cas" in instruction.modifiers:
        return [(target, _exchanged(code, pointer, type_, values, order, scope_of(instruction)))]
    operation = _operation(instruction, word)
    ordering = Ordering(order, scope=scope_of(instruction))
    align = bits_of(type_) // 8
    given = values[0].items if is_vector(instruction) and isinstance(values[0], Vector) else (values[0],)
    targets = target.items if is_vector(instruction) and isinstance(target, Vector) else (target,)
    results: list[tuple[Operand, Value]] = []
    for place, (item, each) in enumerate(zip(targets, given, strict=True)):
        value = code.read_as(each, type_)
        at = code.offset(pointer, place * align)
        if is_floating(word) and type_ not in (ty.FLOAT, ty.DOUBLE):
            results.append((item, _retried(code, at, value, operation, ordering)))
            continue
        made = Made("atomicrmw", type_, (at, value), predicate=operation, ordering=ordering, align=align)
        results.append((item, code.build.emit(made)))
    return results


def _retried(code: PtxCode, pointer: Value, value: Value, operation: str, ordering: Ordering) -> Value:
    """An operation on numbers narrower than a float, or a pair of them, by compare and exchange. `monotonic` reads the
    first value."""
    build, type_ = code.build, value.type
    whole = ty.integer(bits_of(type_))
    align = whole.bits // 8
    read = Ordering("monotonic", scope=ordering.scope)
    first = build.emit(
        Made("load", whole, (pointer,), flags=("atomic",), source_type=whole, align=align, ordering=read)
    )
    before, retry = build.block, code.new_block("retry", 2)
    code.branch(retry)
    code.go_on(retry)
    seen = build.phi(whole, [(first, before)])
    changed = _applied(code, operation, code.as_type(seen, type_), value)
    failure = {"release": "monotonic", "acq_rel": "acquire"}.get(ordering.success, ordering.success)
    exchange = Ordering(ordering.success, failure, ordering.scope)
    operands = (pointer, seen, code.as_integer(changed))
    pair = build.emit(Made("cmpxchg", ty.struct((whole, ty.I1)), operands, ordering=exchange, align=align))
    found, done = (
        build.emit(Made("extractvalue", field, (pair,), indices=(n,))) for n, field in enumerate((whole, ty.I1))
    )
    seen.append_operand(found)
    seen.append_operand(build.block)
    after = code.new_block("exchanged", 1)
    code.branch_if(done, after, retry)
    code.go_on(after)
    return code.as_type(found, type_)


def _applied(code: PtxCode, operation: str, a: Value, b: Value) -> Value:
    if operation == "fadd":
        return code.build.binary("fadd", a, b)
    function = {"fmin": "minimumnum", "fmax": "maximumnum"}[operation]
    return code.intrinsic(f"{function}.{spelled(a.type)}", a.type, a, b)


def is_vector(instruction: Instruction) -> bool:
    """True for `.v2.f32` and the like."""
    return any(word in ("v2", "v4", "v8") for word in instruction.modifiers)


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
