# SPDX-License-Identifier: Apache-2.0
"""Asynchronous copies, done at once: who waits for them finds them done.

Source: PTX ISA 9.0, 9.7.9.25 "Data Movement and Conversion Instructions: Asynchronous copy".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lanewise.frontend.ptx.instructions import mbarriers
from lanewise.frontend.ptx.instructions.words import Row
from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction as Made
from lanewise.ir.values import Value, i32, i64, int_constant
from lanewise.ptx.language.operands import Immediate, Name
from lanewise.ptx.language.statements import Instruction

if TYPE_CHECKING:
    from lanewise.frontend.ptx.code import PtxCode

_WORD: Final = 4
_WAITS: Final = frozenset({"commit_group", "wait_group", "wait_all"})
_BULK_WAITS: Final = frozenset({"commit_group", "wait_group"})
_ENDS: Final = 2
"""Spaces that a copy is between."""


def _cp(code: PtxCode, instruction: Instruction) -> None:
    words = instruction.modifiers
    if "tensor" in words:
        raise RefusedError("tensor maps are not supported")
    if "async" not in words or "reduce" in words:
        raise RefusedError("it is not supported")
    if "mbarrier" in words:
        _arrive(code, instruction)
        return
    if "bulk" in words:
        _bulk(code, instruction)
        return
    if _WAITS & set(words):
        return
    target, source, size, *more = instruction.operands
    if not isinstance(size, Immediate) or size.value not in (4, 8, 16):
        raise RefusedError("its size is not 4, 8 or 16")
    if any("L2" in word for word in words) and len(more) > 1:
        more = more[:1]
    if more and isinstance(more[0], Name) and (register := code.register(more[0].text)) and register.type == "pred":
        raise RefusedError("a predicate that leaves out the source is not supported")
    given = code.read(more[0], "u32") if more and not _is_policy(instruction) else None
    to, from_ = code.pointer(target, "shared"), code.pointer(source, "global")
    for place in range(0, int(size.value), _WORD):
        _copy_word(code, to, from_, place, given)


def _arrive(code: PtxCode, instruction: Instruction) -> None:
    """Let an mbarrier count the copies of this thread, which are done. Without `.noinc` it waits for one arrival
    more, so nothing changes."""
    if "noinc" in instruction.modifiers:
        word = mbarriers.word_at(code, instruction, instruction.operands[0])
        mbarriers.update(code, word, i64(1), i64(0), i64(0))


def _bulk(code: PtxCode, instruction: Instruction) -> None:
    """Copy any number of bytes at once; an mbarrier has them counted."""
    words = instruction.modifiers
    if _BULK_WAITS & set(words) or "prefetch" in words:
        return
    spaces = [space for word in words if (space := word.partition("::")[0]) in ("shared", "global")]
    if len(spaces) != _ENDS or "multicast::cluster" in words or "cp_mask" in words:
        raise RefusedError("it is not supported")
    to, from_, size, *more = instruction.operands
    count = mbarriers.number(code, size)
    ends = [mbarriers.flat(code, code.pointer(place, space)) for place, space in zip((to, from_), spaces, strict=True)]
    code.intrinsic("memcpy.p0.p0.i64", ty.VOID, *ends, count, int_constant(ty.I1, 0))
    if spaces[0] == "shared":
        word = mbarriers.flat(code, code.pointer(more[0], "shared"))
        missing = code.build.binary("sub", i64(0), count)
        mbarriers.update(code, word, i64(0), i64(0), missing)


def _is_policy(instruction: Instruction) -> bool:
    """True where the last operand is a hint for caches."""
    return "L2::cache_hint" in instruction.opcode and len(instruction.operands) == 4


def _copy_word(code: PtxCode, to: Value, from_: Value, place: int, given: Value | None) -> None:
    """Copy four bytes, or write zeros if fewer bytes are given than come before them."""
    if given is None:
        _store(code, to, place, _load(code, from_, place))
        return
    read, after = code.new_block("read", 1), code.new_block("after", 2)
    zeros = code.new_block("zeros", 1)
    code.branch_if(code.build.compare("ugt", given, i32(place)), read, zeros)
    code.build.block = read
    _store(code, to, place, _load(code, from_, place))
    code.branch(after)
    code.build.block = zeros
    _store(code, to, place, i32(0))
    code.branch(after)
    code.build.block = after


def _load(code: PtxCode, pointer: Value, place: int) -> Value:
    return code.build.emit(Made("load", ty.I32, (code.offset(pointer, place),), source_type=ty.I32, align=_WORD))


def _store(code: PtxCode, pointer: Value, place: int, value: Value) -> None:
    code.build.store(value, code.offset(pointer, place), align=_WORD)


ROWS: Final[dict[str, Row]] = {"cp": _cp}
