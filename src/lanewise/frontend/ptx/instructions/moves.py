# SPDX-License-Identifier: Apache-2.0
"""Moves between registers, and addresses between spaces.

An address of global, constant or local memory is the generic one; that of shared memory is an offset.

Source: PTX ISA 9.0, 9.7.9 "Data Movement and Conversion Instructions".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from lanewise.frontend.ptx.address_spaces import POINTER_TO_SHARED, generic
from lanewise.frontend.ptx.instructions.words import Row, only, type_word
from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.ir import types as ty
from lanewise.ir.values import i32, int_constant
from lanewise.ptx.language.operands import Name
from lanewise.ptx.language.statements import Instruction

if TYPE_CHECKING:
    from lanewise.frontend.ptx.code import PtxCode


def _mov(code: PtxCode, instruction: Instruction) -> None:
    only(instruction)
    target, source = instruction.operands
    code.write(target, code.read(source, type_word(instruction)))


_SELECTIONS: Final[dict[str, Callable[[int, int], int]]] = {
    "f4e": lambda number, byte: number + byte,
    "b4e": lambda number, byte: (number - byte) % 8,
    "rc8": lambda number, byte: number,
    "ecl": lambda number, byte: max(number, byte),
    "ecr": lambda number, byte: min(number, byte),
    "rc16": lambda number, byte: 2 * (number % 2) + byte % 2,
}
"""The byte of the eight that each byte of the result is, by the low two bits of the third operand."""


def _selector(mode: str, number: int) -> int:
    """The same as a selector of prmt without a mode."""
    return sum(_SELECTIONS[mode](number, byte) << 4 * byte for byte in range(4))


def _prmt(code: PtxCode, instruction: Instruction) -> None:
    only(instruction, "b32", *_SELECTIONS)
    target, a, b, c = instruction.operands
    values = [code.read(operand, "b32") for operand in (a, b, c)]
    mode = next((word for word in instruction.modifiers if word in _SELECTIONS), None)
    if mode is not None:
        number = code.build.cast("zext", code.build.binary("and", values[2], i32(3)), ty.I64)
        all_four = sum(_selector(mode, each) << 16 * each for each in range(4))
        start = code.build.binary("shl", number, int_constant(ty.I64, 4))
        found = code.build.binary("lshr", int_constant(ty.I64, all_four), start)
        values[2] = code.build.cast("trunc", found, ty.I32)
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
    if space == "param":  # a parameter that has an address is in the generic space
        code.write(instruction.operands[0], int_constant(ty.I1, 0))
        return
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


def _createpolicy(code: PtxCode, instruction: Instruction) -> None:
    """A policy for caches, which means nothing."""
    code.write(instruction.operands[0], int_constant(ty.I64, 0))


def _nothing(code: PtxCode, instruction: Instruction) -> None:
    """A hint."""


ROWS: Final[dict[str, Row]] = {
    "mov": _mov,
    "prmt": _prmt,
    "cvta": _cvta,
    "isspacep": _isspacep,
    "mapa": _mapa,
    "getctarank": _getctarank,
    "createpolicy": _createpolicy,
    **dict.fromkeys(("prefetch", "prefetchu", "applypriority", "discard", "pmevent"), _nothing),
}
