# SPDX-License-Identifier: Apache-2.0
"""Branches, calls, and the end of a work-item.

Source: PTX ISA 9.0, 9.7.12 "Control Flow Instructions", 9.7.19 "Miscellaneous Instructions".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lanewise.frontend.ptx.instructions.words import Row
from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.frontend.ptx.signatures import function_type
from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction as Made
from lanewise.ir.types import Type
from lanewise.ir.values import Value, i32
from lanewise.ptx.language.operands import Group, Name, Operand
from lanewise.ptx.language.statements import Declaration, Instruction

if TYPE_CHECKING:
    from lanewise.frontend.ptx.code import PtxCode


def _bra(code: PtxCode, instruction: Instruction) -> None:
    label = instruction.operands[0]
    if not isinstance(label, Name):
        raise RefusedError("its target is no label")
    target = code.labelled(label.text)
    guard = instruction.guard
    if guard is None:
        code.branch(target)
        return
    following = code.block_at(code.step.number + 1)
    condition = code.read(guard.name, "pred")
    code.branch_if(condition, *((following, target) if guard.negated else (target, following)))


def _brx(code: PtxCode, instruction: Instruction) -> None:
    index, targets = instruction.operands
    names = code.step.scope.targets_of(targets.text) if isinstance(targets, Name) else None
    if not names:
        raise RefusedError("it has no list of targets")
    blocks = [code.labelled(name) for name in names]
    code.switch(code.read(index, "u32"), blocks[0], [(i32(place), block) for place, block in enumerate(blocks)])


def _ret(code: PtxCode, instruction: Instruction) -> None:
    code.return_()


def _exit(code: PtxCode, instruction: Instruction) -> None:
    if code.function.is_kernel:
        code.return_()
        return
    code.intrinsic("nvvm.exit", ty.VOID)
    code.build.unreachable()


def _trap(code: PtxCode, instruction: Instruction) -> None:
    code.intrinsic("trap", ty.VOID)
    code.build.unreachable()


def _nanosleep(code: PtxCode, instruction: Instruction) -> None:
    """A turn for others: a loop that sleeps is likely to wait for them."""
    code.intrinsic("nvvm.nanosleep", ty.VOID, code.read(instruction.operands[0], "u32"))


def _brkpt(code: PtxCode, instruction: Instruction) -> None:
    code.intrinsic("debugtrap", ty.VOID)


# ---- Calls ---------------------------------------------------------------------------------------------------


def _call(code: PtxCode, instruction: Instruction) -> None:
    operands = list(instruction.operands)
    first = operands[0]
    results = first.items if isinstance(first, Group) and len(operands) > 1 else ()
    callee, *more = operands[1 if results or isinstance(first, Group) else 0 :]
    given = more[0].items if more and isinstance(more[0], Group) else ()
    if not isinstance(callee, Name):
        raise RefusedError("its function has no name")
    if code.register(callee.text) is not None:
        target: Value = code.build.cast("inttoptr", code.read(callee, "u64"), ty.PTR)
        type_ = function_type(*([_declared(code, each) for each in group] for group in (results, given)))
    else:
        target = code.symbols.function(callee.text)
        type_ = target.value_type
    if len(given) != len(type_.fields):
        raise RefusedError(f"{callee} takes {len(type_.fields)} arguments, not {len(given)}")
    arguments = [_argument(code, each, wanted) for each, wanted in zip(given, type_.fields, strict=True)]
    made = code.build.call(target, type_, arguments)
    if results:
        _take_results(code, made, results)


def _declared(code: PtxCode, operand: Operand) -> Declaration:
    """The declaration of a call's parameter, which says its type where the function has no name."""
    found = code.declaration(operand.text) if isinstance(operand, Name) else None
    if found is None:
        raise RefusedError(f"{operand} in a call by address is not supported")
    return found


def _argument(code: PtxCode, operand: Operand, type_: Type) -> Value:
    """An argument: what the call's parameter holds, or its address where that is a structure."""
    if not isinstance(operand, Name) or code.register(operand.text) is not None:
        value = code.read_as(operand, ty.I64 if type_.is_pointer else type_)
        return code.build.cast("inttoptr", value, type_) if type_.is_pointer else value
    memory = code.variable(operand.text)
    declaration = code.declaration(operand.text)
    if type_.is_pointer and declaration is not None and declaration.declarators[0].dimensions:
        return memory
    if type_.is_pointer:
        return code.build.cast("inttoptr", code.build.load(ty.I64, memory, align=1), type_)
    return code.build.load(type_, memory, align=1)


def _take_results(code: PtxCode, made: Value, results: tuple[Operand, ...]) -> None:
    if made.type is ty.VOID:
        raise RefusedError("the function has no result")
    if len(results) == 1:
        _take_result(code, made, results[0])
        return
    for place, (result, field) in enumerate(zip(results, made.type.fields, strict=True)):
        _take_result(code, code.build.emit(Made("extractvalue", field, (made,), indices=(place,))), result)


def _take_result(code: PtxCode, value: Value, result: Operand) -> None:
    if value.type.is_pointer:
        value = code.build.cast("ptrtoint", value, ty.I64)
    if not isinstance(result, Name) or code.register(result.text) is not None:
        code.write(result, value)
    else:
        code.build.store(value, code.variable(result.text), align=1)


ROWS: Final[dict[str, Row]] = {
    "bra": _bra,
    "brx": _brx,
    "ret": _ret,
    "exit": _exit,
    "trap": _trap,
    "nanosleep": _nanosleep,
    "brkpt": _brkpt,
    "call": _call,
}
