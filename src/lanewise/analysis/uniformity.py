# SPDX-License-Identifier: Apache-2.0
"""Uniformity: values that are the same for all work-items of a group, and blocks that all of them reach together.

Why: a uniform value is kept once per group, and a uniform branch is taken once per group. Only a loop whose exits are
uniform can be run with all work-items in lock-step (pocl-2014, section 4.6). The compiler of the 2012 paper calls
this variance analysis (cuda-compiling-and-optimizing-2012, section 3.2).

Terms.
    uniform value     all live work-items that execute the instruction together compute the same
    varying value     any other
    divergent branch  its condition is varying
    divergent block   not all live work-items reach it together
    parted block      a divergent one on a path from a divergent branch to where its paths meet, without exit edges
    exit edge         an edge with no barrier ahead, from a branch with another edge that has one ahead; or, with no
                      barrier ahead of any, an edge straight to `ret`. A work-item that takes it leaves the live set,
                      so that those that stay still agree (an early return before a barrier is legal).
    out of step       work-items may come here between different barriers: at a divergent branch, some passed by a
                      barrier that others wait at. Legal if those that passed by end without another barrier.

Method. Varying values start with the ids of work-items and with operations that the tables call varying. They flow
forward over operands (data dependence) and over control. A divergent branch makes divergent all blocks between its
targets and the block where its paths meet again: its nearest post-dominator once exit edges are gone. The phis in
these blocks are varying. A loop that work-items leave at different iterations lies in the influence of its exit branch
altogether. So its phis are varying as well, and temporal divergence needs no rule of its own. Loads are uniform if
address and block are. Volatile and atomic ones, and all loads of private memory, are varying.

A barrier may lie between a divergent branch and the block where its paths meet, while a path leads past it to the end
without another one. Then those that come to that block are not together: some may wait at the barrier while others go
on and end. From such a branch on, all that can be reached is divergent and out of step. (If every path met another
barrier, live work-items that part would never agree on one, which no legal program does.)

A load returns the same to all work-items if no other one stores there between two barriers, as data-race freedom
warrants. Not so if a work-item may have waited for another one's store first. So loads are varying after a fence, an
atomic or volatile access or an unknown call, until the next barrier: each gets another number from a counter behind a
lock. Atomic operations whose result nobody uses are no waits. Constants and parameters stay uniform.

Limits. The result of a call that is not inlined is varying. Uniform here is for the whole group, not for a row or a
warp of it. Operations of the warp order nothing between warps, and within a warp all make a load at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, final

from lanewise.analysis.dataflow import solve
from lanewise.analysis.memory_objects import objects_of
from lanewise.ir import effects
from lanewise.ir.address_spaces import CONSTANT, PARAMETER
from lanewise.ir.dominators import post_dominators
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import BARRIERS, intrinsic_of
from lanewise.ir.module import GlobalVariable
from lanewise.ir.reached_blocks import reached_blocks
from lanewise.ir.values import Argument, Value
from lanewise.ir.writer import local_names, write_value


@final
class Uniformity:
    """The uniform values and blocks of one kernel. Arguments and constants are always uniform."""

    def __init__(
        self,
        varying: frozenset[Value],
        divergent: frozenset[Block],
        parted: frozenset[Block],
        out_of_step: frozenset[Block],
        exits: ExitEdges,
    ) -> None:
        self.varying: Final = varying
        self.divergent_blocks: Final = divergent
        self.parted: Final = parted
        """Divergent blocks that only some of the remaining work-items reach. Includes `out_of_step`."""
        self.out_of_step: Final = out_of_step
        self.exit_edges: Final = exits

    def is_uniform(self, value: Value) -> bool:
        return value not in self.varying

    def takes_one_way(self, block: Block) -> bool:
        """True if all live work-items come to the end of `block` together and take the same edge."""
        terminator = block.terminator
        return block not in self.divergent_blocks and (
            not terminator.operands or terminator.operands[0] not in self.varying
        )

    def table(self, function: Function) -> str:
        """One line per block and instruction: `uniform` or `varying`, and the IR."""
        names = local_names(function)
        lines: list[str] = []
        for block in function.blocks:
            state = "divergent" if block in self.divergent_blocks else "together"
            lines.append(f"{state:<10} {write_value(block, names)[1:]}:")
            for instruction in block.instructions:
                state = "varying" if instruction in self.varying else "uniform"
                lines.append(f"{state:<10}   {instruction!r}"[:110])
        return "\n".join(lines)


@final
class ExitEdges:
    """The exit edges of a function (see the module's docstring).

    Blocks are ranked by the code ahead: 2 for a barrier, 1 for anything else, 0 for nothing but the end (or a trap,
    from which no work-item comes back). An edge is an exit edge if its target's rank is below that of another target of
    the same branch.
    """

    def __init__(self, function: Function) -> None:
        ahead = _reaching(function, filter(has_barrier, function.blocks))
        returning = _reaching(function, (b for b in function.blocks if b.terminator.op == "ret"))
        rank = {
            block: 2 if block in ahead else 0 if _only_ends(block) or block not in returning else 1
            for block in function.blocks
        }
        self._staying: Final = {block: _highest(block.successors, rank) for block in function.blocks}

    def staying(self, block: Block) -> tuple[Block, ...]:
        """Successors by edges that are no exit edges, each once."""
        return self._staying[block]

    def leaving(self, block: Block) -> tuple[Block, ...]:
        """Successors by exit edges."""
        return tuple(s for s in dict.fromkeys(block.successors) if s not in self._staying[block])


def is_barrier(instruction: Instruction) -> bool:
    """True for a call of a barrier of the whole work-group."""
    return instruction.op == "call" and instruction.callee in BARRIERS


def has_barrier(block: Block) -> bool:
    return any(is_barrier(i) for i in block.instructions)


def uniformity(function: Function) -> Uniformity:
    """The uniformity of a kernel whose callees with work-item queries or barriers are inlined."""
    return _Propagation(function).run()


class _Propagation:
    def __init__(self, function: Function) -> None:
        self.function = function
        self.exits = ExitEdges(function)
        self.tree = post_dominators(function, self.exits.staying)
        self.unhindered = _unhindered(function)
        self.varying: set[Value] = set()
        self.divergent: set[Block] = set()
        self.parted: set[Block] = set()
        self.out_of_step: set[Block] = set()
        self.work: list[Instruction] = []

    def run(self) -> Uniformity:
        for instruction in self.function.instructions():
            if effects.divergence(instruction) in ("varying", "warp"):
                self.mark(instruction)
        for load in _loads_out_of_order(self.function):
            if load not in self.varying:
                self.mark(load)
        while self.work:
            instruction = self.work.pop()
            for user in instruction.users:
                if user.is_terminator:
                    self.branch_diverges(user.parent)
                elif user not in self.varying and effects.divergence(user) == "operands":
                    self.mark(user)
        return Uniformity(
            frozenset(self.varying),
            frozenset(self.divergent),
            frozenset(self.parted),
            frozenset(self.out_of_step),
            self.exits,
        )

    def mark(self, instruction: Instruction) -> None:
        self.varying.add(instruction)
        self.work.append(instruction)

    def branch_diverges(self, block: Block) -> None:
        """Record that the branch at the end of `block` is divergent, and so is what it influences."""
        for successor in self.exits.leaving(block):
            self.block_diverges(reached_blocks((successor,)))
        staying = self.exits.staying(block)
        if len(staying) < 2:
            return
        meeting = self.tree.immediate(block)
        between = reached_blocks(staying, meeting)
        if not self.unhindered.isdisjoint(staying) and any(map(has_barrier, between)):
            meeting = None
            between = reached_blocks(staying)
            self.out_of_step.update(between)
        self.parted.update(between)
        self.block_diverges(between)
        if meeting is not None:
            for phi in meeting.phis:
                self.mark_phi(phi)

    def block_diverges(self, blocks: Iterable[Block]) -> None:
        for block in blocks:
            if block in self.divergent:
                continue
            self.divergent.add(block)
            for instruction in block.instructions:
                if instruction.op == "phi":
                    self.mark_phi(instruction)
                elif instruction not in self.varying and _varies_where_divergent(instruction):
                    self.mark(instruction)

    def mark_phi(self, phi: Instruction) -> None:
        values = {id(value) for value, _ in phi.incoming()}
        if phi not in self.varying and len(values) > 1:
            self.mark(phi)


def _varies_where_divergent(instruction: Instruction) -> bool:
    """True if an instruction reads what may change while work-items are on different paths."""
    return effects.reads(instruction) and not is_barrier(instruction)  # all pass a barrier together


def _loads_out_of_order(function: Function) -> Iterable[Instruction]:
    """Loads that another work-item's store may come before, since something other than a barrier orders the two."""
    if not any(map(_hands_over, function.instructions())):
        return

    def after(block: Block, ordered: frozenset[bool]) -> frozenset[bool]:
        for instruction in reversed(block.instructions):
            if is_barrier(instruction):
                return frozenset()
            if _hands_over(instruction):
                return frozenset({True})
        return ordered

    found = solve(function.blocks, lambda block: block.predecessors, after)
    for block in function.blocks:
        ordered = any(found[before] for before in block.predecessors)
        for instruction in block.instructions:
            if is_barrier(instruction):
                ordered = False
            elif _hands_over(instruction):
                ordered = True
            elif ordered and instruction.op == "load" and not _is_fixed(effects.pointer_operand(instruction)):
                yield instruction


def _hands_over(instruction: Instruction) -> bool:
    """True if a work-item may have waited here for what another one has stored."""
    if not effects.orders(instruction):
        return False
    if instruction.op in ("atomicrmw", "cmpxchg") and not instruction.users:
        return False  # nobody can tell what came before it, as in a histogram
    row = intrinsic_of(instruction.callee) if instruction.op == "call" else None
    return row is None or not row.convergent


def _is_fixed(pointer: Value) -> bool:
    """True if nothing stores through a pointer while the kernel runs: it points to a constant or to parameters."""
    return all(
        (place.type.is_pointer and place.type.addrspace in (CONSTANT, PARAMETER))
        or (isinstance(place, GlobalVariable) and place.is_constant)
        or (isinstance(place, Argument) and place.byval is not None)
        for place in objects_of(pointer)
    )


def _only_ends(block: Block) -> bool:
    return block.instructions[0].op in ("ret", "unreachable")


def _highest(successors: list[Block], rank: dict[Block, int]) -> tuple[Block, ...]:
    top = max((rank[s] for s in successors), default=0)
    return tuple(s for s in dict.fromkeys(successors) if rank[s] == top)


def _reaching(function: Function, targets: Iterable[Block]) -> set[Block]:
    """Blocks from which one of `targets` can be reached, the targets included."""
    found: set[Block] = set()
    work = list(targets)
    while work:
        block = work.pop()
        if block not in found:
            found.add(block)
            work.extend(block.predecessors)
    return found


def _unhindered(function: Function) -> set[Block]:
    """Blocks from which a path leads to the end and meets no barrier."""
    found: set[Block] = set()
    work = [b for b in function.blocks if b.terminator.op == "ret"]
    while work:
        block = work.pop()
        if block not in found and not has_barrier(block):
            found.add(block)
            work.extend(block.predecessors)
    return found
