# SPDX-License-Identifier: Apache-2.0
"""eliminate-dead-stores: removes stores that nobody reads.

Why
    Kernels fill an array in shared memory step by step, and store results to global memory in between. A store to the
    array that another one overwrites is dead if the pointers in between don't reach it: that takes to know that a
    kernel's parameters point to other memory. Rodinia's lavaMD gained a factor of 5 by it (gpucc-cgo2016, section 3.3).

Before
    @near = external addrspace(3) global [0 x float], align 4
    define ptx_kernel void @f(ptr %out, ptr %in, i64 %i) {
      %p = getelementptr float, ptr addrspacecast (ptr addrspace(3) @near to ptr), i64 %i
      store float 0.0, ptr %p, align 4
      %x = load float, ptr %in, align 4
      store float %x, ptr %out, align 4
      store float %x, ptr %p, align 4
      call void @llvm.nvvm.barrier0()
      ret void
    }
    declare void @llvm.nvvm.barrier0()

After
    @near = external addrspace(3) global [0 x float], align 4
    define ptx_kernel void @f(ptr %out, ptr %in, i64 %i) {
      %p = getelementptr float, ptr addrspacecast (ptr addrspace(3) @near to ptr), i64 %i
      %x = load float, ptr %in, align 4
      store float %x, ptr %out, align 4
      store float %x, ptr %p, align 4
      call void @llvm.nvvm.barrier0()
      ret void
    }
    declare void @llvm.nvvm.barrier0()

Needs
    1. The store is neither volatile nor atomic.
    2. On each path from the store, one that covers all its bytes comes before anything that may read them, as
       `analysis/aliases.py` tells, and before the end of the function or of the thread. Or no store comes, but the
       bytes are those of private variables that only this function knows, and the function ends. Or
    3. nothing is ever loaded from the variables that it goes to, which are shared or private ones.
    4. A store covers the bytes if its address is at a known distance, and no value that the addresses are computed from
       is computed anew in between, as in the next turn of a loop.

Method
    Each store is followed along all paths until the answer is known, or a limit is reached. What goes with a store may
    have been the only use of a load, and a variable without loads takes no more stores: so it is done again until
    nothing changes.

When not
    It runs on request: docs/gpu.md has the kernels that gain. Copies of many bytes stay, and don't count as stores
    that cover others.

Neighbours
    LLVM's pass of the same name has run. It doesn't know that parameters of kernels can't point to shared memory whose
    size the launch says, and runs before loops are unrolled. Runs before reuse-loads, which sees fewer stores then.
"""

from typing import Final, NamedTuple, final

from lanewise.analysis.aliases import AccessedBytes, Aliases
from lanewise.ir import effects
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import Module
from lanewise.ir.remarks import leave_alone
from lanewise.ir.unused import erase_unused

_MOST_STEPS: Final = 300
"""Instructions that touch memory and are looked at after a store. Longer walks cost more than they found."""


def run(function: Function, module: Module) -> bool:
    """Remove dead stores of a function; see above. Returns whether anything changed."""
    changed = False
    while function.blocks and _once(function, module):
        changed = True
    return changed


def _once(function: Function, module: Module) -> bool:
    stores = [each for each in function.instructions() if each.op == "store" and not effects.is_ordered(each)]  # 1
    if not stores:
        return False
    search = _Search(function, module)
    dead = [store for store in stores if search.is_dead(store)]
    for store in dead:
        operands = [operand for operand in store.operands if isinstance(operand, Instruction)]
        store.erase()
        _erase(operands)
    return bool(dead)


def _erase(values: list[Instruction]) -> None:
    """Erase values that have no users, loads among them, and what only they were computed from."""
    for value in values:
        if value.op == "load" and not value.users and value.block is not None and not effects.is_ordered(value):
            operands = [operand for operand in value.operands if isinstance(operand, Instruction)]
            value.erase()
            _erase(operands)
    erase_unused(values)


class _Event(NamedTuple):
    """An instruction of a block that touches memory or may not return, and its place."""

    place: int
    instruction: Instruction


@final
class _Search:
    """The search for what comes after a store."""

    def __init__(self, function: Function, module: Module) -> None:
        self._aliases: Final = Aliases(function, module)
        self._events: Final[dict[Block, list[_Event]]] = {}

    def is_dead(self, store: Instruction) -> bool:
        """True if nobody reads what a store has stored."""
        location = self._aliases.location(store)
        if self._aliases.is_never_read(location):  # 3
            return True
        visible = self._aliases.is_visible(location)
        renewing = {part.parent for part in location.address.parts if isinstance(part, Instruction)}
        start = store.parent
        seen: set[tuple[Block, bool]] = set()
        work: list[tuple[Block, int, bool]] = [(start, start.instructions.index(store), False)]
        steps = 0
        while work:
            block, after, stale = work.pop()
            stale = stale or (after < 0 and block in renewing)  # 4
            for place, instruction in self._events_of(block):
                if place <= after:
                    continue
                steps += 1
                if steps > _MOST_STEPS:
                    leave_alone(start, f"more than {_MOST_STEPS} accesses to look at after a store")
                    return False
                if self._ends_search(instruction, location, visible, stale):
                    return False
                if instruction.op == "store" and not stale and self._covers(instruction, location):
                    break
            else:
                if visible and block.terminator.op == "ret":  # 2
                    return False
                for successor in block.successors:
                    if (successor, stale) not in seen:
                        seen.add((successor, stale))
                        work.append((successor, -1, stale))
        return True

    def _events_of(self, block: Block) -> list[_Event]:
        if block not in self._events:
            self._events[block] = _events(block)
        return self._events[block]

    def _covers(self, store: Instruction, location: AccessedBytes) -> bool:
        return not effects.is_ordered(store) and self._aliases.location(store).covers(location)

    def _ends_search(self, instruction: Instruction, location: AccessedBytes, visible: bool, stale: bool) -> bool:
        """True if an instruction may read the bytes, or let others do so."""
        if visible and effects.may_not_return(instruction):  # 2
            return True
        return self._aliases.may_read(instruction, location if not stale else location._replace(size=None))


def _events(block: Block) -> list[_Event]:
    return [
        _Event(place, each)
        for place, each in enumerate(block.instructions)
        if each.op in ("load", "store") or effects.touches_memory(each) or effects.may_not_return(each)
    ]
