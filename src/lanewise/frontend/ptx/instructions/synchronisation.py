# SPDX-License-Identifier: Apache-2.0
"""Barriers and fences.

Source: PTX ISA 9.0, 9.7.13.1 "bar, barrier", 9.7.13.4 "membar, fence".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lanewise.frontend.ptx.instructions.words import Row
from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.ir import types as ty
from lanewise.ir.values import i32
from lanewise.ptx.language.operands import Immediate, Operand
from lanewise.ptx.language.statements import Instruction

if TYPE_CHECKING:
    from lanewise.frontend.ptx.code import PtxCode

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
        raise RefusedError("a barrier that some threads only arrive at is not supported")
    else:
        _all_threads(instruction.operands)
        code.intrinsic("nvvm.barrier.cta.sync.aligned.all", ty.VOID, i32(0))


def _cluster(code: PtxCode, instruction: Instruction) -> None:
    """A cluster is one block: who waits meets the others, and arriving needs nothing."""
    if "wait" in instruction.modifiers:
        code.intrinsic("nvvm.barrier.cta.sync.aligned.all", ty.VOID, i32(0))


def _all_threads(operands: tuple[Operand, ...]) -> None:
    """RefusedError for a barrier of some threads of the block. One of all threads needs no name: no thread is at
    another meanwhile."""
    if not operands:
        raise RefusedError("it has no number")
    if len(operands) > 1:
        raise RefusedError("a barrier with a number of threads is not supported")
    if not all(isinstance(operand, Immediate) for operand in operands):
        raise RefusedError("a barrier whose number is in a register is not supported")


def _reduction(code: PtxCode, instruction: Instruction) -> None:
    kind = next((word for word in instruction.modifiers if word in ("popc", "and", "or")), None)
    if kind is None:
        raise RefusedError("it has no operation")
    target, *operands = instruction.operands
    _all_threads(tuple(operands[:-1]))
    condition = code.read(operands[-1], "pred")
    result = ty.I32 if kind == "popc" else ty.I1
    code.write(target, code.intrinsic(f"nvvm.barrier.cta.red.{kind}.aligned.all", result, i32(0), condition))


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
