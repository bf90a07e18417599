# SPDX-License-Identifier: Apache-2.0
"""thread-repeated-tests: makes code that tests one condition again and again twice, for each of its values.

Why
    A filter asks for each row of its window whether the work-item is at the border of the image. In a loop over
    work-items, these are branches around single loads, between which LLVM can't move code. Of the 100 instructions of
    an erosion (`bench/unseen_kinds`), 42 were tests and what they chose.

Before
    define i32 @f(ptr %p, i1 %inside) {
    entry:
      br i1 %inside, label %load, label %next
    load:
      %a = load i32, ptr %p, align 4
      br label %next
    next:
      %x = phi i32 [ 0, %entry ], [ %a, %load ]
      %q = getelementptr i8, ptr %p, i64 64
      br i1 %inside, label %load2, label %next2
    load2:
      %b = load i32, ptr %q, align 4
      br label %next2
    next2:
      %y = phi i32 [ 0, %next ], [ %b, %load2 ]
      %s = add i32 %x, %y
      br i1 %inside, label %load3, label %end
    load3:
      %r = getelementptr i8, ptr %p, i64 128
      %c = load i32, ptr %r, align 4
      br label %end
    end:
      %z = phi i32 [ 0, %next2 ], [ %c, %load3 ]
      %t = add i32 %s, %z
      ret i32 %t
    }

After
    define i32 @f(ptr %p, i1 %inside) {
    entry:
      br i1 %inside, label %0, label %next
    next:
      %x = phi i32 [ 0, %entry ]
      %q = getelementptr i8, ptr %p, i64 64
      %s = add i32 %x, 0
      %t = add i32 %s, 0
      ret i32 %t
    0:
      %1 = load i32, ptr %p, align 4
      %2 = getelementptr i8, ptr %p, i64 64
      %3 = load i32, ptr %2, align 4
      %4 = add i32 %1, %3
      %5 = getelementptr i8, ptr %p, i64 128
      %6 = load i32, ptr %5, align 4
      %7 = add i32 %4, %6
      ret i32 %7
    }

Needs
    1. At least three branches by the same value, of which the first dominates two others. Branches that it doesn't
       dominate stay in the original.
    2. That one is in no loop: what comes after it never comes back to it.
    3. Work-items don't meet after it, and no function is called that may have them do so. A barrier must not be in two
       places.
    4. At most 2,000 operations are copied in a function.
    5. No private array begins after it: each takes its place in a frame, also the one of the other copy.
    6. No computed goto comes after it: the addresses that it chooses from are those of the original.

Method
    All that can be reached from the first of the branches is copied. One of its edges leads to the copy, in which the
    condition is true, so that all later branches are decided. The other leads to the original, in which it is false
    wherever the first branch dominates, and later branches are decided there. Blocks that nothing leads to any more are
    dropped. That is repeated in either, for other conditions. A value from there is used only there, so that no value
    needs a phi. As blocks run in the same order as before, nothing is computed that wasn't. Source: Mueller and
    Whalley, Avoiding Conditional Branches by Code Replication (1995).

When not
    In lanes both copies would run under masks, one after the other, where work-items differ. So this is for loops over
    work-items.

Neighbours
    LLVM's jump-threading copies single blocks between two tests, and its loop unswitching loops of a work-item, but
    runs when a loop over work-items is around these, in which the conditions vary.
"""

from collections.abc import Iterable
from typing import Final

from lanewise.ir.builder import Builder
from lanewise.ir.copied_blocks import copied_blocks
from lanewise.ir.dominators import DominatorTree, dominators
from lanewise.ir.function import Block, Function
from lanewise.ir.intrinsics import intrinsic_of
from lanewise.ir.loops import find_loops
from lanewise.ir.reached_blocks import drop_unreachable_blocks, reached_blocks
from lanewise.ir.values import Constant, Value

_LEAST_TESTS: Final = 3
"""Branches by one condition for which code is made twice."""
_MOST_COPIED: Final = 2_000
"""Operations that are copied in a function, at most: some 100 ms of LLVM's time."""


def run(function: Function) -> bool:
    """Decide repeated tests of a function; see above. Returns whether anything changed."""
    left = _MOST_COPIED
    while (first := _first_of_repeated(function, left)) is not None:
        after = frozenset(reached_blocks(first.successors))
        left -= _size(after)
        _decide(first, after)
    if left == _MOST_COPIED:
        return False
    _merge_blocks(function)
    return True


def applies(function: Function) -> bool:
    """Return whether `run` would change anything."""
    return bool(function.blocks) and _first_of_repeated(function, _MOST_COPIED) is not None


def _first_of_repeated(function: Function, most: int) -> Block | None:
    """The block with the first of several branches by the same condition, so that at most that many operations are to
    be copied."""
    tests: dict[Value, list[Block]] = {}
    for block in function.blocks:
        if _is_test(block):
            tests.setdefault(block.terminator.operands[0], []).append(block)
    repeated = [blocks for blocks in tests.values() if len(blocks) >= _LEAST_TESTS]  # 1
    if not repeated:
        return None
    tree = dominators(function)
    loops = find_loops(function, tree)
    for blocks in repeated:
        first = _first(blocks, tree)
        if first is None or loops.innermost(first) is not None:  # 2
            continue
        after = frozenset(reached_blocks(first.successors))
        if _size(after) > most:  # 4
            continue
        if first not in after and not _stay_single(after):  # 2
            return first
    return None


def _is_test(block: Block) -> bool:
    branch = block.terminator
    return branch.op == "br" and len(set(branch.operands)) == 3 and not isinstance(branch.operands[0], Constant)


def _first(blocks: list[Block], tree: DominatorTree) -> Block | None:
    """The block that dominates enough of the others; None if there is none."""
    for block in blocks:
        if sum(tree.dominates(block, other) for other in blocks) >= _LEAST_TESTS:  # 1
            return block
    return None


def _size(blocks: Iterable[Block]) -> int:
    return sum(len(block.instructions) for block in blocks)


def _stay_single(blocks: Iterable[Block]) -> bool:
    """True if something in these blocks must not be in two places."""
    for block in blocks:
        for each in block.instructions:
            if each.op == "alloca":  # 5
                return True
            if each.op == "indirectbr":  # 6
                return True
            if each.op == "call" and ((row := intrinsic_of(each.callee)) is None or row.convergent):  # 3
                return True
    return False


def _decide(first: Block, after: frozenset[Block]) -> None:
    """Copy the blocks after a test, for the case that its condition is true; they are left for the other case, and for
    all cases where paths lead to them on which the test isn't."""
    function = first.parent
    tree = dominators(function)
    condition, if_true, _ = first.terminator.operands
    blocks = [block for block in function.blocks if block in after]
    made, copies = copied_blocks(blocks)
    function.blocks += made
    first.terminator.set_operand(1, copies[if_true])
    for block, copy in zip(blocks, made, strict=True):
        if _is_test(block) and block.terminator.operands[0] is condition:
            _take(copy, 1)
            if tree.dominates(first, block):
                _take(block, 2)
    drop_unreachable_blocks(function)
    _drop_incoming(function)


def _take(block: Block, taken: int) -> None:
    """Make a branch lead to one of its targets always."""
    branch = block.instructions.pop()
    target = branch.operands[taken]
    assert isinstance(target, Block)
    branch.drop_operands()
    Builder(block).branch(target)


def _drop_incoming(function: Function) -> None:
    """Drop what phis have from blocks that don't lead to them any more."""
    for block in function.blocks:
        before = set(block.predecessors)
        for phi in block.phis:
            kept = [pair for pair in phi.incoming() if pair[1] in before]
            phi.drop_operands()
            for operand in (operand for pair in kept for operand in pair):
                phi.append_operand(operand)


def _merge_blocks(function: Function) -> None:
    """Merge each block with the next one where neither has another neighbour there."""
    merged: set[Block] = set()
    for block in function.blocks:
        while block not in merged and (after := _only_successor(block)) is not None:
            block.instructions.pop().drop_operands()
            for instruction in after.instructions:
                if instruction.op == "phi":
                    instruction.replace_all_uses(instruction.operands[0])
                    instruction.drop_operands()
                else:
                    block.append(instruction)
            after.instructions = []
            after.replace_all_uses(block)
            merged.add(after)
    function.blocks = [block for block in function.blocks if block not in merged]


def _only_successor(block: Block) -> Block | None:
    """The only block after another, if that is the only one before it."""
    after = block.successors
    return after[0] if len(after) == 1 and after[0].predecessors == [block] and after[0] is not block else None
