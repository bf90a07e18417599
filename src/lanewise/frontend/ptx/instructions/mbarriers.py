# SPDX-License-Identifier: Apache-2.0
"""Barriers in shared memory, `mbarrier`: words that the program's own atomic operations count in.

    bits 0-19   arrivals that the present phase still waits for
    bits 20-39  arrivals that the next phase will wait for
    bits 40-60  bytes that the present phase still waits for
    bits 61-63  number of the phase

A phase is complete when no arrivals and no bytes are missing. A state, which the program may keep, is the whole word
before an arrival. A test that fails lets other warps go on. Copies are done at once (`async_copies.py`), so their bytes
arrive before they are waited for.

Source: PTX ISA 9.0, 9.7.13.15 "mbarrier".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lanewise.frontend.ptx.address_spaces import generic
from lanewise.frontend.ptx.instructions.memory import space_of
from lanewise.frontend.ptx.instructions.words import Row
from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction as Made
from lanewise.ir.reader import read_into
from lanewise.ir.types import Type
from lanewise.ir.values import Value, i64
from lanewise.ptx.language.operands import Operand
from lanewise.ptx.language.statements import Instruction

if TYPE_CHECKING:
    from lanewise.frontend.ptx.code import PtxCode

_UPDATE: Final = "__lw_mbarrier_update"
_TEST: Final = "__lw_mbarrier_test"
_DEFINITIONS: Final = {
    _UPDATE: """\
define internal i64 @__lw_mbarrier_update(ptr %word, i64 %arrivals, i64 %dropped, i64 %bytes) alwaysinline {
entry:
  %first = load atomic i64, ptr %word syncscope("block") monotonic, align 8
  br label %again

again:
  %old = phi i64 [ %first, %entry ], [ %seen, %again ]
  %pending = sub i64 %old, %arrivals
  %left = and i64 %pending, 1048575
  %next = lshr i64 %old, 20
  %next.less = sub i64 %next, %dropped
  %following = and i64 %next.less, 1048575
  %bytes.old = lshr i64 %old, 40
  %bytes.sum = add i64 %bytes.old, %bytes
  %missing = and i64 %bytes.sum, 2097151
  %both = or i64 %left, %missing
  %complete = icmp eq i64 %both, 0
  %one = zext i1 %complete to i64
  %phase = lshr i64 %old, 61
  %phase.new = add i64 %phase, %one
  %count = select i1 %complete, i64 %following, i64 %left
  %following.bits = shl i64 %following, 20
  %missing.bits = shl i64 %missing, 40
  %phase.bits = shl i64 %phase.new, 61
  %low = or i64 %count, %following.bits
  %high = or i64 %missing.bits, %phase.bits
  %new = or i64 %low, %high
  %pair = cmpxchg ptr %word, i64 %old, i64 %new syncscope("block") acq_rel monotonic, align 8
  %seen = extractvalue { i64, i1 } %pair, 0
  %done = extractvalue { i64, i1 } %pair, 1
  br i1 %done, label %end, label %again

end:
  ret i64 %old
}
""",
    _TEST: """\
declare void @__lw_await_warps() convergent nounwind

define internal i1 @__lw_mbarrier_test(ptr %word, i64 %state, i64 %bits) alwaysinline convergent {
entry:
  %now = load atomic i64, ptr %word syncscope("block") acquire, align 8
  %differing = xor i64 %now, %state
  %phases = and i64 %differing, %bits
  %complete = icmp ne i64 %phases, 0
  br i1 %complete, label %end, label %wait

wait:
  call void @__lw_await_warps()
  br label %end

end:
  ret i1 %complete
}
""",
}
_MOST_ARRIVALS: Final = (1 << 20) - 1
_PHASE: Final = -(1 << 61)
_PARITY: Final = 1 << 61


def update(code: PtxCode, word: Value, arrivals: Value, dropped: Value, more_bytes: Value) -> Value:
    """Count arrivals, and bytes that are to come, at a generic address. Gives the state before."""
    return _call(code, _UPDATE, ty.I64, word, arrivals, dropped, more_bytes)


def word_at(code: PtxCode, instruction: Instruction, operand: Operand) -> Value:
    """The generic address of an mbarrier."""
    return flat(code, code.pointer(operand, space_of(instruction)))


def flat(code: PtxCode, pointer: Value) -> Value:
    """A pointer as a generic one."""
    pointer = generic(pointer)
    return code.build.cast("addrspacecast", pointer, ty.PTR) if pointer.type.addrspace else pointer


def number(code: PtxCode, operand: Operand) -> Value:
    """A count, in 64 bits."""
    return code.extended(code.read(operand, "u32"), ty.I64, signed=False)


def _mbarrier(code: PtxCode, instruction: Instruction) -> None:
    words = instruction.modifiers
    translate = next((_KINDS[word] for word in words if word in _KINDS), None)
    if translate is None:
        raise RefusedError("it is not supported")
    translate(code, instruction)


def _init(code: PtxCode, instruction: Instruction) -> None:
    word, count = instruction.operands
    arrivals = number(code, count)
    both = code.build.binary("mul", arrivals, i64(1 + (1 << 20)))
    code.build.store(both, word_at(code, instruction, word), align=8)


def _inval(code: PtxCode, instruction: Instruction) -> None:
    """The memory may be used for anything else."""


def _arrive(code: PtxCode, instruction: Instruction) -> None:
    words = instruction.modifiers
    state, word, *more = instruction.operands
    expects = "expect_tx" in words
    count = number(code, more[0]) if more and not expects else i64(1)
    expected = number(code, more[0]) if expects else i64(0)
    dropped = count if "arrive_drop" in words else i64(0)
    before = update(code, word_at(code, instruction, word), count, dropped, expected)
    code.write(state, before)


def _bytes(code: PtxCode, instruction: Instruction) -> None:
    word, count = instruction.operands
    given = number(code, count)
    if "complete_tx" in instruction.modifiers:
        given = code.build.binary("sub", i64(0), given)
    update(code, word_at(code, instruction, word), i64(0), i64(0), given)


def _wait(code: PtxCode, instruction: Instruction) -> None:
    result, word, state, *_ = instruction.operands
    address = word_at(code, instruction, word)
    if "parity" in instruction.modifiers:
        given, bits = code.build.binary("shl", number(code, state), i64(61)), _PARITY
    else:
        given, bits = code.read(state, "b64"), _PHASE
    code.write(result, _call(code, _TEST, ty.I1, address, given, i64(bits)))


def _pending_count(code: PtxCode, instruction: Instruction) -> None:
    count, state = instruction.operands
    pending = code.build.binary("and", code.read(state, "b64"), i64(_MOST_ARRIVALS))
    code.write(count, code.build.cast("trunc", pending, ty.I32))


def _call(code: PtxCode, name: str, result: Type, *arguments: Value) -> Made:
    """A call of a function of `_DEFINITIONS`, which the module then has."""
    module = code.symbols.module
    if name not in module.symbols:
        read_into(module, _DEFINITIONS[name])
    return code.build.call_function(module.function(name), arguments)


_KINDS: Final[dict[str, Row]] = {
    "init": _init,
    "inval": _inval,
    "arrive": _arrive,
    "arrive_drop": _arrive,
    "expect_tx": _bytes,
    "complete_tx": _bytes,
    "test_wait": _wait,
    "try_wait": _wait,
    "pending_count": _pending_count,
}
"""Word of the opcode -> its translation; `arrive.expect_tx` goes by its first word."""

ROWS: Final[dict[str, Row]] = {"mbarrier": _mbarrier}
