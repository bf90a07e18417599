# SPDX-License-Identifier: Apache-2.0
"""Moves between registers, and addresses between spaces.

An address of global, constant or local memory is the generic one; that of shared memory is an offset.

Source: PTX ISA 9.0, 9.7.9 "Data Movement and Conversion Instructions".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lanewise.frontend.ptx.address_spaces import POINTER_TO_SHARED, generic
from lanewise.frontend.ptx.instructions.words import Row, only, type_word
from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.ir import types as ty
from lanewise.ir.values import i32
from lanewise.ptx.language.operands import Name
from lanewise.ptx.language.statements import Instruction

if TYPE_CHECKING:
    from lanewise.frontend.ptx.code import PtxCode


def _mov(code: PtxCode, instruction: Instruction) -> None:
    only(instruction)
    target, source = instruction.operands
    code.write(target, code.read(source, type_word(instruction)))


def _prmt(code: PtxCode, instruction: Instruction) -> None:
    only(instruction, "b32")
    target, a, b, c = instruction.operands
    values = [code.read(operand, "b32") for operand in (a, b, c)]
    code.write(target, code.intrinsic("nvvm.prmt", ty.I32, *values))


def _cvta(code: PtxCode, instruction: Instruction) -> None:
    only(instruction, "to", "global", "const", "local", "shared", "param", "shared::cta", "param::entry")
    word = type_word(instruction)
    target, source = instruction.operands
    shared = any(each.startswith("shared") for each in instruction.modifiers)
    if isinstance(source, Name) and code.register(source.text) is None and not shared:
        pointer = generic(code.variable(source.text))
        code.write(target, code.build.cast("ptrtoint", pointer, ty.I64))
        return
    number = code.read(source, word)
    if shared and "to" in instruction.modifiers:
        pointer = code.build.cast("inttoptr", number, ty.PTR)
        pointer = code.build.cast("addrspacecast", pointer, POINTER_TO_SHARED)
        number = code.build.cast("ptrtoint", pointer, number.type)
    elif shared:
        pointer = code.build.cast("inttoptr", number, POINTER_TO_SHARED)
        pointer = code.build.cast("addrspacecast", pointer, ty.PTR)
        number = code.build.cast("ptrtoint", pointer, number.type)
    code.write(target, number)


def _isspacep(code: PtxCode, instruction: Instruction) -> None:
    space = instruction.modifiers[0].partition("::")[0]
    if space not in ("global", "shared", "local", "const"):
        raise RefusedError(f".{space} is not supported")
    number = code.as_type(code.read(instruction.operands[1], "u64"), ty.I64)
    pointer = code.build.cast("inttoptr", number, ty.PTR)
    code.write(instruction.operands[0], code.intrinsic(f"nvvm.isspacep.{space}", ty.I1, pointer))


def _mapa(code: PtxCode, instruction: Instruction) -> None:
    """The address in another block of the cluster, which is this block."""
    code.write(instruction.operands[0], code.read(instruction.operands[1], type_word(instruction)))


def _getctarank(code: PtxCode, instruction: Instruction) -> None:
    code.write(instruction.operands[0], i32(0))


def _nothing(code: PtxCode, instruction: Instruction) -> None:
    """A hint."""


ROWS: Final[dict[str, Row]] = {
    "mov": _mov,
    "prmt": _prmt,
    "cvta": _cvta,
    "isspacep": _isspacep,
    "mapa": _mapa,
    "getctarank": _getctarank,
    **dict.fromkeys(("prefetch", "prefetchu", "applypriority", "discard", "pmevent", "nanosleep"), _nothing),
}
