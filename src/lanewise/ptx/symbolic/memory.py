# SPDX-License-Identifier: Apache-2.0
"""Accesses to memory, and tests for overlap between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from lanewise.ptx.control.steps import Register, Step
from lanewise.ptx.language.opcodes import OPCODES, Effect
from lanewise.ptx.language.statements import Instruction
from lanewise.ptx.symbolic.instructions import WIDTHS, type_of
from lanewise.ptx.symbolic.terms import Differs, Term, Terms, signed

_SPACES: Final = ("global", "shared", "local", "param", "const", "tex")
ALL_SPACES: Final = ("global", "shared", "local", "generic")
"""State spaces that a program may write."""
CLOBBERS: Final = frozenset({Effect.ATOMIC, Effect.FENCE, Effect.BARRIER, Effect.CALL})
"""Effects that may change any memory, or wait for other threads that do."""
_WEAK_ORDER: Final = frozenset({"volatile", "relaxed", "acquire", "release", "mmio", "cv", "acq_rel", "sc"})
"""Modifiers of loads that may read another value each time (9.7.9.8, 9.7.9.1 "Cache Operators")."""


@dataclass(eq=False, frozen=True, slots=True)
class Access:
    """A load or a store on a path.

    `elements` are the registers that a load writes, in order of their consecutive addresses. `bytes` is the size of
    one. `surely`: the access is executed whenever control reaches it, without a guard that may be false.
    """

    step: Step
    is_store: bool
    space: str
    address: Term
    bytes: int
    elements: tuple[Register | None, ...]
    surely: bool

    @property
    def total_bytes(self) -> int:
        return self.bytes * len(self.elements)

    def is_into(self, registers: tuple[Register, ...]) -> bool:
        """True if a load's value is in one of these registers."""
        return any(register in registers for register in self.elements)


def space_of(instruction: Instruction) -> str:
    """The state space of an access; "generic" without one."""
    for modifier in instruction.modifiers:
        space = modifier.partition("::")[0]
        if space in _SPACES:
            return space
    return "generic"


def is_constant(instruction: Instruction) -> bool:
    """True for a load from memory that doesn't change during the kernel: parameters, constants, `ld.global.nc`."""
    return space_of(instruction) in ("param", "const") or "nc" in instruction.modifiers or instruction.name == "ldu"


def is_weak(instruction: Instruction) -> bool:
    """True for a plain access: the compiler may assume that no other thread interferes with it."""
    return not any(modifier.partition("::")[0] in _WEAK_ORDER for modifier in instruction.modifiers)


def element_bytes(instruction: Instruction) -> int:
    return max(1, WIDTHS.get(type_of(instruction), 8) // 8)


def vector_length(instruction: Instruction) -> int:
    """Number of elements of an access: 4 for ld.global.v4.f32."""
    return next((int(m[1:]) for m in instruction.modifiers if m in ("v2", "v4", "v8")), 1)


def effect_of(instruction: Instruction) -> Effect | None:
    """The effect of an instruction; None for an unknown one."""
    known = OPCODES.get(instruction.name)
    if known is None:
        return None
    return Effect.STORE if instruction.name == "wmma" and "store" in instruction.modifiers else known.effect


def is_plain_store(instruction: Instruction) -> bool:
    """True for an immediate store of the operand to its address: no st.async, st.bulk or wmma.store."""
    return instruction.name == "st" and is_weak(instruction) and not {"async", "bulk"} & {*instruction.modifiers}


def clobbered_spaces(instruction: Instruction) -> tuple[str, ...]:
    """The state spaces of memory that an instruction, or others while it waits, may change."""
    effect = effect_of(instruction)
    if effect is None or effect in CLOBBERS:
        return ALL_SPACES
    if effect is Effect.LOAD and not is_weak(instruction):
        return ALL_SPACES
    if effect is Effect.STORE:
        space = space_of(instruction)
        return ALL_SPACES if space == "generic" or instruction.name != "st" else (space, "generic")
    return ()


def gathers_warp(instruction: Instruction) -> bool:
    """True for a barrier of the whole block at which all lanes of a warp are converged: `bar.sync 0`, in CUDA
    `__syncthreads()`. It is "aligned": all threads of the warp execute the same one (9.7.13.1), without a guard."""
    aligned = instruction.name == "bar" or (instruction.name == "barrier" and "aligned" in instruction.modifiers)
    whole = "sync" in instruction.modifiers and "warp" not in instruction.modifiers and len(instruction.operands) == 1
    return aligned and whole and instruction.guard is None


def lets_see(instruction: Instruction) -> bool:
    """True if an instruction may make further writes of other threads visible to a lane."""
    effect = effect_of(instruction)
    if effect is Effect.LOAD:
        return not is_weak(instruction)
    if effect is Effect.STORE:
        return not is_plain_store(instruction)
    return effect is None or effect in CLOBBERS


def may_touch(terms: Terms, store: Access, load: Access) -> bool:
    """True if `store`, by any lane of the warp, may change the memory that `load` read in this lane.

    The test uses the power of two that divides all terms of the difference of the addresses, except the constant. A
    store to `p + 8 i + 4` overlaps no load of `p + 8 j`, for any i and j.
    """
    if "generic" not in (store.space, load.space) and store.space != load.space:
        return False
    if is_constant(load.step.instruction):
        return False
    if store.address.width != load.address.width:
        return True
    width = store.address.width
    step = 1 << width
    for _, coefficient in terms.subtract(store.address, load.address).parts:
        step = min(step, coefficient & -coefficient)
    for address in (store.address, load.address):  # a term that cancels may differ in another lane
        for monomial, coefficient in address.parts:
            if any(atom.differs is not Differs.NOT for atom in monomial):
                step = min(step, coefficient & -coefficient)
    distance = (store.address.constant - load.address.constant) % step
    if step == 1 << width:
        distance = signed(distance, width)
        return -store.total_bytes < distance < load.total_bytes
    return not load.total_bytes <= distance <= step - store.total_bytes
