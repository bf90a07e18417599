# SPDX-License-Identifier: Apache-2.0
"""Barriers and fences.

Source: PTX ISA 9.0, 9.7.13.1 "bar, barrier", 9.7.13.4 "membar, fence".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from lanewise.frontend.ptx.instructions.words import Row
from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.ir import types as ty
from lanewise.ir.values import Value, i32
from lanewise.ptx.language.operands import Immediate, Operand
from lanewise.ptx.language.statements import Instruction

if TYPE_CHECKING:
    from lanewise.frontend.ptx.code import PtxCode

_BARRIERS: Final = 16
"""Barriers of a block."""
_WARP: Final = 32
_MEMBARS: Final = {"cta": "cta", "gl": "gl", "sys": "sys", "gpu": "gl", "cluster": "gl"}


def _bar(code: PtxCode, instruction: Instruction) -> None:
    words = instruction.modifiers
    if "warp" in words:
        members = code.read(instruction.operands[0], "b32")
        code.intrinsic("nvvm.bar.warp.sync", ty.VOID, members)
    elif "cluster" in words:
        _cluster(code, instruction)
    elif "red" in words:
        _reduction(code, instruction)
    elif "arrive" in words:
        _arrive(code, instruction)
    else:
        number, count = _number(code, instruction.operands[:1]), _count(code, instruction.operands[1:2])
        if count is None:
            code.intrinsic("nvvm.barrier.cta.sync.aligned.all", ty.VOID, number)
        else:
            code.intrinsic(f"nvvm.barrier.cta.sync{_form(instruction)}.count", ty.VOID, number, count)


def _cluster(code: PtxCode, instruction: Instruction) -> None:
    """A cluster is one block: who waits meets the others, and arriving needs nothing."""
    if "wait" in instruction.modifiers:
        code.intrinsic("nvvm.barrier.cta.sync.aligned.all", ty.VOID, i32(0))


def _form(instruction: Instruction) -> str:
    """The word of the intrinsics for a barrier that all lanes of a warp execute together, as `bar` always is."""
    return ".aligned" if instruction.name == "bar" or "aligned" in instruction.modifiers else ""


def _number(code: PtxCode, operands: Sequence[Operand]) -> Value:
    if not operands:
        raise RefusedError("it has no number")
    if isinstance(operands[0], Immediate) and not 0 <= operands[0].value < _BARRIERS:
        raise RefusedError(f"barrier {operands[0]} is none of 0 to {_BARRIERS - 1}")
    return code.read(operands[0], "u32")


def _count(code: PtxCode, operands: Sequence[Operand]) -> Value | None:
    """The number of threads of a barrier; None for all of the block."""
    if not operands:
        return None
    if isinstance(operands[0], Immediate) and (operands[0].value <= 0 or operands[0].value % _WARP):
        raise RefusedError(f"the count {operands[0]} is no positive multiple of {_WARP}, the size of a warp")
    return code.read(operands[0], "u32")


def _arrive(code: PtxCode, instruction: Instruction) -> None:
    number, count = _number(code, instruction.operands[:1]), _count(code, instruction.operands[1:2])
    if count is None:
        raise RefusedError("it has no number of threads, which arriving needs")
    code.intrinsic(f"nvvm.barrier.cta.arrive{_form(instruction)}.count", ty.VOID, number, count)


def _reduction(code: PtxCode, instruction: Instruction) -> None:
    kind = next((word for word in instruction.modifiers if word in ("popc", "and", "or")), None)
    if kind is None or len(instruction.operands) < 3:
        raise RefusedError("it has no operation" if kind is None else "it has too few operands")
    target, *operands = instruction.operands
    number, count = _number(code, operands[:1]), _count(code, operands[1:-1])
    condition = code.read(operands[-1], "pred")
    result = ty.I32 if kind == "popc" else ty.I1
    name = f"nvvm.barrier.cta.red.{kind}"
    if count is None:
        code.write(target, code.intrinsic(f"{name}.aligned.all", result, number, condition))
    else:
        code.write(target, code.intrinsic(f"{name}{_form(instruction)}.count", result, number, count, condition))


def _fence(code: PtxCode, instruction: Instruction) -> None:
    words = instruction.modifiers
    if "proxy" in words or "mbarrier_init" in words:
        return
    scope = next((_MEMBARS[word] for word in words if word in _MEMBARS), "gl")
    code.intrinsic(f"nvvm.membar.{scope}", ty.VOID)


def _griddepcontrol(code: PtxCode, instruction: Instruction) -> None:
    """Kernels start after those before them have ended."""


ROWS: Final[dict[str, Row]] = {
    "bar": _bar,
    "barrier": _bar,
    "membar": _fence,
    "fence": _fence,
    "griddepcontrol": _griddepcontrol,
}
