# SPDX-License-Identifier: Apache-2.0
"""Kernels whose lanes may meet at different instructions.

    if (lane < 16) { a[0] = 1; __syncwarp(); }        // these two are one meeting of all lanes, since Volta:
    else           { __syncwarp(); x = a[0]; }        // PTX ISA, "bar.warp.sync"

In lock-step, the arms of a branch run one after the other: the second may have stored what the first has read before.
Such a kernel is mapped to threads with stacks of their own.

An operation is *open* if its mask may name lanes that don't come to it together with the others. Its lanes meet those
only if these come to an operation of the same name. So a kernel parts if there is a divergent branch with
    1. a target that leads to an open operation, before the paths meet,
    2. another target that leads to one of the same name, past no barrier of the group,
    3. whose mask may be the same, and may name lanes that don't come to it.
Otherwise nobody could come: the operation then takes place without them, as if they had ended.

A mask names none but lanes that come together if
    - it is that of a tile, or a part of one, all of whose lanes take the same branches (`lane_levels.py`), or
    - `activemask`, a vote or a match has found it, and from there on no branch parts these lanes, or they meet again.
      Branches by the mask, the vote or the value that was matched part none.

Kernels that compute a mask from what `activemask` finds stay in lock-step, where lanes come together again behind a
branch. OpenCL C's non-uniform functions and parts of coalesced groups rely on that. A kernel that does so and parts
elsewhere isn't found.
"""

from __future__ import annotations

from typing import Final, final

from lanewise.analysis.uniformity import has_barrier, is_barrier
from lanewise.ir import effects
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Constant, Value
from lanewise.workgroup.lanes.warps import mask_position
from lanewise.workgroup.layout.local_size import Extent
from lanewise.workgroup.threads.lane_levels import LaneLevels, is_masked
from lanewise.workgroup.threads.linear_values import WHOLE, integer_of

_ACTIVE: Final = "llvm.nvvm.activemask"
_BALLOT: Final = "llvm.nvvm.vote.ballot"
_MATCH: Final = "llvm.nvvm.match.any.sync."
_PASS_ON: Final = ("phi", "freeze")
"""Instructions whose result is one of their operands, for all lanes that a mask names."""


def may_part(kernel: Function, block: Extent | None) -> bool:
    """Return whether lanes of a warp may meet at different instructions, in groups of `block` work-items or any."""
    operations = [i for i in kernel.instructions() if is_masked(i)]
    if not operations or not any(len(b.successors) > 1 for b in kernel.blocks):
        return False
    names = [i.callee for i in operations]
    repeated = any(names.count(name) > 1 for name in set(names))
    if not repeated and not any(_comes_again(i.parent) for i in operations):
        return False
    if computes_masks(kernel):
        return False
    levels = LaneLevels(kernel, block)
    apart = [i for i in operations if levels.of_block(i.parent) < WHOLE]
    if not apart:
        return False
    masks = _Masks(levels)
    meeting = [i for i in operations if not masks.names_no_others(_mask(i), i.parent)]
    return any(i in meeting and _may_meet(i, meeting, levels) for i in apart)


def computes_masks(kernel: Function) -> bool:
    """Return whether a kernel computes a mask from what `activemask` finds."""
    return any(_becomes_other_mask(i) for i in kernel.instructions())


def _becomes_other_mask(instruction: Instruction) -> bool:
    """Return whether an instruction is an activemask from which another mask is computed."""
    if instruction.op != "call" or instruction.callee != _ACTIVE:
        return False
    found: set[tuple[Instruction, bool]] = set()
    work = [(instruction, False)]
    while work:
        value, is_computed = work.pop()
        if (value, is_computed) in found:
            continue
        found.add((value, is_computed))
        if is_computed and any(is_masked(user) and _mask(user) is value for user in value.users):
            return True
        for user in value.users:
            if user.op not in ("call", "load", "store"):
                work.append((user, is_computed or user.op not in _PASS_ON))
    return False


def _mask(operation: Instruction) -> Value:
    position = mask_position(operation.callee)
    assert position is not None
    return operation.arguments[position]


def _may_meet(operation: Instruction, others: list[Instruction], levels: LaneLevels) -> bool:
    """Return whether lanes that go elsewhere may come to one of `others` that the lanes of `operation` wait for."""
    partners = [o for o in others if o.callee == operation.callee and _may_be_same(_mask(o), _mask(operation))]
    for branch, between in levels.between.items():
        if operation.parent not in between:
            continue
        targets = levels.staying(branch)
        here = [t for t in targets if operation.parent in _reached(t, branch)]
        for target in targets:
            if here == [target]:
                continue
            reached = _reached(target)
            if any(p.parent in reached and not _is_behind_barrier(p) for p in partners):
                return True
    return False


def _may_be_same(a: Value, b: Value) -> bool:
    known = [integer_of(mask) for mask in (a, b)]
    return None in known or known[0] == known[1]


def _reached(start: Block, stop: Block | None = None) -> set[Block]:
    """Blocks that paths from `start` come to, `stop` left out, up to a barrier of the group."""
    found: set[Block] = set()
    work = [start]
    while work:
        block = work.pop()
        if block in found or block is stop:
            continue
        found.add(block)
        if not has_barrier(block):
            work += block.successors
    return found


def _is_behind_barrier(operation: Instruction) -> bool:
    """Return whether a barrier of the group is before an operation in its block."""
    instructions = operation.parent.instructions
    return any(is_barrier(i) for i in instructions[: instructions.index(operation)])


def _comes_again(block: Block) -> bool:
    """Return whether a block is in a cycle."""
    return any(block in _reached(s) for s in block.successors)


@final
class _Masks:
    """Tells masks that name none but the lanes that come to a block together."""

    def __init__(self, levels: LaneLevels) -> None:
        self._levels: Final = levels
        self._assumed: Final[set[Instruction]] = set()
        """Phis that are being looked at. By induction over the turns of a loop, they do if what comes in does."""

    def names_no_others(self, mask: Value, block: Block) -> bool:
        own = self._levels.own_group(mask)
        if own is not None and own <= self._levels.of_block(block):
            return True
        if not isinstance(mask, Instruction):
            return False
        if mask.op == "and":
            return any(self.names_no_others(o, block) for o in mask.operands)
        if mask.op == "phi":
            return self._all_come_with(mask) and self._stay_together(mask, block)
        if mask.op == "freeze":
            return self.names_no_others(mask.operands[0], block)
        if mask.callee == _ACTIVE or mask.callee.startswith((_BALLOT, _MATCH)):
            return self._stay_together(mask, block)
        if mask.op == "extractvalue" and isinstance(mask.operands[0], Instruction):
            call = mask.operands[0]
            return call.callee.startswith("llvm.nvvm.match.all.sync.") and self._stay_together(call, block)
        return False

    def _all_come_with(self, phi: Instruction) -> bool:
        """The same of a phi at its place: lanes come to it with masks that name those that come with them."""
        if phi in self._assumed:
            return True
        self._assumed.add(phi)
        found = all(self._comes_with(mask, before, phi.parent) for mask, before in phi.incoming())
        self._assumed.discard(phi)
        return found

    def _comes_with(self, mask: Value, before: Block, block: Block) -> bool:
        if len(set(before.successors)) > 1 and self._levels.of(before.terminator.operands[0]) < WHOLE:
            return self.names_no_others(mask, block)
        return self._levels.of_block(before) == WHOLE or self.names_no_others(mask, before)

    def _stay_together(self, found: Instruction, block: Block) -> bool:
        """Return whether the lanes that find a mask all come to `block`."""
        begin = found.parent
        if begin is block:
            return True
        behind: set[Block] = set()
        work = list(begin.successors)
        while work:
            each = work.pop()
            if each not in behind and each is not begin:
                behind.add(each)
                work += each.successors
        ahead: set[Block] = set()
        work = [block]
        while work:
            each = work.pop()
            if each not in ahead:
                ahead.add(each)
                if each is not begin:
                    work += each.predecessors
        region = (behind & ahead) | {begin}
        return all(self._keeps(each, found, block, region) for each in region)

    def _keeps(self, branch: Block, found: Instruction, block: Block, region: set[Block]) -> bool:
        """Return whether all lanes of a mask that go on to `block` take the same edge of a branch of `region`."""
        terminator = branch.terminator
        if branch is block or len(set(branch.successors)) < 2:
            return True
        condition = terminator.operands[0]
        if found.callee.startswith(_BALLOT):
            edge = _edge_of(found.arguments[-1], condition)
            then = None if edge is None else branch.successors[edge]
            if then is not None and then.predecessors == [branch] and _only_by(then, branch, block):
                return True
        if block not in self._levels.between.get(branch, ()):
            return True
        return self._is_alike(condition, found, region, set())

    def _is_alike(self, value: Value, found: Instruction, region: set[Block], assumed: set[Value]) -> bool:
        """Return whether the lanes that a mask names have the same value, as far as they come through `region`
        together: it follows from the mask, or from what was matched. A phi does if branches that decide on it do."""
        if value is found or value in assumed or not isinstance(value, Instruction) or self._levels.of(value) == WHOLE:
            return True
        if found.callee.startswith(_MATCH) and value is found.arguments[-1]:
            return True
        deciding: list[Value] = list(value.operands)
        if value.op == "phi":
            deciding = [incoming for incoming, _ in value.incoming()]
            deciding += [b.terminator.operands[0] for b in self._levels.branches_before(value.parent) if b in region]
        elif not effects.is_pure(value):
            return False
        assumed.add(value)
        return all(self._is_alike(each, found, region, assumed) for each in deciding)


def _edge_of(vote: Value, condition: Value) -> int | None:
    """The number of the edge, of a branch by `condition`, that those take who have voted; None if that isn't known."""
    if vote is condition:
        return 0
    if not (isinstance(vote, Instruction) and isinstance(condition, Instruction) and vote.op == condition.op == "icmp"):
        return None
    counter, limit = vote.operands
    if condition.predicate not in ("eq", "ne") or condition.operands[0] is not counter:
        return None
    # LLVM makes of k < n a comparison k != n, where k counts from 0 until they are equal.
    alike = condition.operands[1] is limit and vote.predicate == "ult" and _counts_up(counter)
    return None if not alike else 1 if condition.predicate == "eq" else 0


def _counts_up(counter: Value) -> bool:
    """Return whether a value counts from 0, by one in each turn of a loop."""
    if not isinstance(counter, Instruction) or counter.op != "phi":
        return False
    begins, steps = False, False
    for value, _ in counter.incoming():
        if isinstance(value, Constant):
            begins = value.kind in ("int", "zeroinitializer") and value.integer == 0
        elif isinstance(value, Instruction) and value.op == "add" and value.operands[0] is counter:
            step = value.operands[1]
            steps = isinstance(step, Constant) and step.kind == "int" and step.integer == 1
        else:
            return False
    return begins and steps


def _only_by(through: Block, after: Block, block: Block) -> bool:
    """Return whether each path from `after` to `block` goes through `through`."""
    others = [s for s in after.successors if s is not through]
    return not any(block in _without(other, through) for other in others)


def _without(start: Block, stop: Block) -> set[Block]:
    found: set[Block] = set()
    work = [start]
    while work:
        block = work.pop()
        if block not in found and block is not stop:
            found.add(block)
            work += block.successors
    return found
