# SPDX-License-Identifier: Apache-2.0
"""Regions in which only the first work-items along x do anything: `if (threadIdx.x < step)`, `<= m`, `== 0`.

Trees and wavefronts in shared memory have such regions, some ten in a row, with fewer work-items each time. A loop over
work-items then ends after the last of those. It needs no test, and its length is known when it starts.

Before
    define ptx_kernel void @k(ptr %out, i32 %step) {
    entry:
      %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %active = icmp ult i32 %x, %step
      br i1 %active, label %work, label %end
    work:
      %p = getelementptr i32, ptr %out, i32 %x
      store i32 %step, ptr %p, align 4
      br label %end
    end:
      ret void
    }
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

After, for groups of 32
    region.0:
      %1 = icmp ult i32 %step, 32
      %2 = select i1 %1, i32 %step, i32 32
      %3 = icmp ne i32 %2, 0
      br i1 %3, label %region.0.some, label %region.0.done
    region.0.some:
      br label %x.loop.0
    ...
    work:
    ...
    x.next.0:
      %6 = add nuw nsw i32 %x, 1
      %7 = icmp ult i32 %6, %2
      br i1 %7, label %x.loop.0, label %region.0.done

Needs
    1. The code up to the branch changes nothing.
    2. The branch compares the place along x, from 0 up, with a value of the group.
    3. The compare holds for the first work-items, and for no other.
    4. The others come to the end of the region and do nothing.

A sum over blocks of 256 in shared memory takes a twentieth of the time so, in code for any local size: LLVM makes
vectors of its loops, without masks.
"""

from typing import Final, NamedTuple

from lanewise.ir import effects
from lanewise.ir.builder import Builder
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Constant, Value, int_constant
from lanewise.workgroup.items.item_code import ItemCode

_INVERSE: Final = {
    "ult": "uge", "uge": "ult", "ule": "ugt", "ugt": "ule", "slt": "sge", "sge": "slt", "sle": "sgt", "sgt": "sle",
    "eq": "ne", "ne": "eq",
}  # fmt: skip
_SWAPPED: Final = {
    "ult": "ugt", "ugt": "ult", "ule": "uge", "uge": "ule", "slt": "sgt", "sgt": "slt", "sle": "sge", "sge": "sle",
    "eq": "eq", "ne": "ne",
}  # fmt: skip


class LeadingItems(NamedTuple):
    """The branch that only the first work-items along x come to `work` from: those whose place is below `bound`, or at
    most `bound`, as `predicate` says."""

    branch: Instruction
    work: Block
    predicate: str
    bound: Value

    def number(self, size: Value, build: Builder) -> Value:
        """Their number, of the `size` work-items along x; an i32, made by `build`."""
        bound, predicate = self.bound, self.predicate
        wide = size if bound.type == size.type else build.cast("zext", size, bound.type)
        zero, one = int_constant(bound.type, 0), int_constant(bound.type, 1)
        # A bound that is no less than the size is not added to, so nothing wraps round.
        within = build.compare(f"{predicate[0]}lt", bound, wide)
        count = build.binary("add", bound, one) if predicate.endswith("le") else bound
        count = build.select(within, count, wide)
        if predicate[0] == "s":
            count = build.select(build.compare(predicate.replace("l", "g"), bound, zero), count, zero)
        return count if count.type == size.type else build.cast("trunc", count, size.type)

    def test_no_more(self) -> None:
        """Let all work-items come to `work`."""
        block = self.branch.parent
        self.branch.drop_operands()
        block.instructions.remove(self.branch)
        Builder(block).branch(self.work)


def leading_items(item: ItemCode) -> LeadingItems | None:
    """The branch in the code of a work-item, if it is as above."""
    x, own = item.indices[0], set(item.blocks())
    branch = _first_branch(item)
    if x is None or branch is None:
        return None
    compare = branch.operands[0]
    if not isinstance(compare, Instruction) or compare.op != "icmp" or compare.parent not in own:
        return None
    predicate, (place, bound) = compare.predicate, compare.operands
    if not _is_place(place, x):
        place, bound, predicate = bound, place, _SWAPPED[predicate]
    if not _is_place(place, x) or (isinstance(bound, Instruction) and bound.parent in own):  # 2
        return None
    work, rest = branch.parent.successors
    if _does_nothing(work, item.last):
        work, rest, predicate = rest, work, _INVERSE[predicate]
    if not _does_nothing(rest, item.last) or _does_nothing(work, item.last):  # 4
        return None
    if predicate == "eq" and isinstance(bound, Constant) and bound.kind == "int" and bound.integer == 0:
        predicate = "ule"
    if predicate not in ("ult", "ule", "slt", "sle"):  # 3
        return None
    return LeadingItems(branch, work, predicate, bound)


def _first_branch(item: ItemCode) -> Instruction | None:
    """The first branch with two targets, if nothing happens before."""
    block, seen = item.first, set[Block]()
    while block is not item.last and block not in seen:
        seen.add(block)
        if not all(
            i.op == "phi" or i.is_terminator or i.op == "load" or effects.is_pure(i) for i in block.instructions
        ):
            return None  # 1
        if any(i.op == "load" and (i.flags or i.is_volatile) for i in block.instructions):
            return None  # 1
        targets = block.successors
        if block.terminator.op != "br" or len(targets) > 2 or not targets:
            return None
        if len(targets) == 2:
            return block.terminator if targets[0] is not targets[1] else None
        block = targets[0]
    return None


def _is_place(value: Value, x: Instruction) -> bool:
    return value is x or (isinstance(value, Instruction) and value.op == "zext" and value.operands[0] is x)


def _does_nothing(block: Block, last: Block) -> bool:
    """True if the code from `block` on only leads to `last`."""
    seen: set[Block] = set()
    while block is not last:
        if block in seen or len(block.instructions) != 1 or len(block.successors) != 1:
            return False
        seen.add(block)
        block = block.successors[0]
    return True
