# SPDX-License-Identifier: Apache-2.0
"""The table of instructions: the operands that each writes, and its other effects.

Source: PTX ISA 9.0, chapter 9 "Instruction Set", including the names.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from lanewise.ptx.language.operands import Group, Operand
from lanewise.ptx.language.statements import Instruction


class Effect(Enum):
    """Effect of an instruction, apart from computing results from operands."""

    NONE = "none"
    LOAD = "load"
    """It reads memory."""
    STORE = "store"
    """It writes memory."""
    ATOMIC = "atomic"
    FENCE = "fence"
    """It orders accesses, or waits for those of other threads: fences, waiting for copies."""
    BARRIER = "barrier"
    """It waits for other work-items."""
    CALL = "call"
    WARP = "warp"
    """Its result depends on the whole warp: shuffles, votes."""
    MOVING = "moving"
    """Its result differs from one time to the next: clocks."""
    BRANCH = "branch"
    END = "end"
    """Nothing comes after it: ret, exit, trap."""


@dataclass(frozen=True, slots=True)
class Opcode:
    """`results` is the number of leading operands that are written. `forms` maps a modifier to another number."""

    effect: Effect
    results: int
    forms: tuple[tuple[str, int], ...] = ()


def _all(words: str, effect: Effect = Effect.NONE, results: int = 1, **forms: int) -> dict[str, Opcode]:
    return dict.fromkeys(words.split(), Opcode(effect, results, tuple(forms.items())))


OPCODES: Final[dict[str, Opcode]] = {
    # 9.7.1, 9.7.2 integer arithmetic; 9.7.3 to 9.7.5 floating point
    **_all("add addc sub subc mul mad madc mul24 mad24 sad div rem abs neg min max popc clz bfind fns brev bfe bfi"),
    **_all("bmsk szext dp4a dp2a testp copysign fma rcp sqrt rsqrt sin cos lg2 ex2 tanh"),
    # 9.7.6 to 9.7.8 comparison, logic and shift
    **_all("set setp selp slct and or xor not cnot lop3 shf shl shr"),
    # 9.7.9 data movement
    **_all("mov prmt isspacep cvta cvt mapa getctarank createpolicy istypep txq suq"),
    **_all("shfl match vote activemask redux elect", Effect.WARP),
    **_all("ld ldu", Effect.LOAD),
    **_all("st discard", Effect.STORE, 0),
    **_all("multimem", Effect.ATOMIC, 0, ld_reduce=1),
    **_all("prefetch prefetchu applypriority", results=0),
    **_all("cp", Effect.ATOMIC, 0),
    **_all("tensormap", Effect.ATOMIC, 0),
    # 9.7.10, 9.7.11 textures and surfaces
    **_all("tex tld4 suld", Effect.LOAD),
    **_all("sust", Effect.STORE, 0),
    **_all("sured", Effect.ATOMIC, 0),
    # 9.7.12 control flow
    **_all("bra brx", Effect.BRANCH, 0),
    **_all("call", Effect.CALL, 0),
    **_all("ret exit trap", Effect.END, 0),
    # 9.7.13 synchronisation
    **_all("bar barrier", Effect.BARRIER, 0, red=1),
    **_all("membar fence griddepcontrol", Effect.FENCE, 0),
    **_all("atom", Effect.ATOMIC),
    **_all("red", Effect.ATOMIC, 0),
    **_all("mbarrier", Effect.BARRIER, 0, arrive=1, arrive_drop=1, test_wait=1, try_wait=1, pending_count=1),
    **_all("clusterlaunchcontrol", Effect.BARRIER, 0, query_cancel=1),
    # 9.7.14 to 9.7.16 matrices and the tensor cores
    **_all("wmma", Effect.LOAD, 1, store=0),
    **_all("mma movmatrix", Effect.WARP),
    **_all("ldmatrix", Effect.LOAD),
    **_all("stmatrix", Effect.STORE, 0),
    **_all("wgmma", Effect.ATOMIC, 0, mma_async=1),
    **_all("tcgen05", Effect.ATOMIC, 0, ld=1),
    **_all("setmaxnreg", Effect.BARRIER, 0),
    # 9.7.17 the stack; 9.7.18 video; 9.7.19 others
    **_all("stacksave alloca", Effect.MOVING),
    **_all("stackrestore", results=0),
    **_all("vadd vsub vabsdiff vmin vmax vshl vshr vmad vset"),
    **_all("vadd2 vsub2 vavrg2 vabsdiff2 vmin2 vmax2 vset2 vadd4 vsub4 vavrg4 vabsdiff4 vmin4 vmax4 vset4"),
    **_all("brkpt nanosleep pmevent", Effect.FENCE, 0),
}

CARRIES: Final = frozenset({"addc", "subc", "madc"})
"""They read the carry from an instruction with `.cc` (9.7.2)."""


def results_of(instruction: Instruction) -> tuple[Operand, ...]:
    """The operands that an instruction writes; empty for one that is not in the table."""
    operands = instruction.operands
    known = OPCODES.get(instruction.name)
    if known is None:
        return ()
    if known.effect is Effect.CALL:
        return operands[:1] if len(operands) > 1 and isinstance(operands[0], Group) else ()
    count = known.results
    for modifier, number in known.forms:
        if modifier in instruction.modifiers:
            count = number
    return operands[:count]


def arguments_of(instruction: Instruction) -> tuple[Operand, ...]:
    """The operands that an instruction reads."""
    return instruction.operands[len(results_of(instruction)) :]
