# SPDX-License-Identifier: Apache-2.0
"""merge-counters: ends a loop by a counter that it has anyway, and drops the one that does nothing else.

Why
    LLVM's unroller gives each unrolled loop a counter of its own beside the program's: an addition per turn, and a
    register. The loops of most kernels are short, so that this is one instruction of ten to twenty.

Before
    define void @f(ptr %a, i32 %first, i32 %turns) {
    entry:
      br label %loop
    loop:
      %i = phi i32 [ %first, %entry ], [ %i.next, %loop ]
      %count = phi i32 [ 0, %entry ], [ %count.next, %loop ]
      %p = getelementptr float, ptr %a, i32 %i
      store float 0.0, ptr %p, align 4
      %i.next = add nsw i32 %i, 4
      %count.next = add i32 %count, 4
      %done = icmp eq i32 %count.next, %turns
      br i1 %done, label %out, label %loop
    out:
      ret void
    }

After
    define void @f(ptr %a, i32 %first, i32 %turns) {
    entry:
      %0 = add i32 %turns, %first
      br label %loop
    loop:
      %i = phi i32 [ %first, %entry ], [ %i.next, %loop ]
      %p = getelementptr float, ptr %a, i32 %i
      store float 0.0, ptr %p, align 4
      %i.next = add i32 %i, 4
      %done = icmp eq i32 %i.next, %0
      br i1 %done, label %out, label %loop
    out:
      ret void
    }

Needs
    1. The loop is entered from one block and has one back edge.
    2. Both counters have the same type, and each turn adds the same constant to them.
    3. The counter that goes is used by its own sum alone, and that by the counter and one comparison.
    4. The comparison is for equality, with a value from outside of the loop.

Method
    Modulo 2 ** bits, both counters are at the same distance from where they started, at each turn. So one of them is at
    `end` when the other is at `end - start + its own start`, which is computed before the loop. The sum of the counter
    that stays loses `nuw` and `nsw`: after the last turn, nobody asked for it until now.

When not
    Counters of different widths or steps, among them pointers: there, one value of the one may stand for several of the
    other.

Neighbours
    Runs after reassociate-pointer-arithmetic, to which `nsw` says that sums don't wrap. LLVM's loop strength reduction,
    which is off for GPUs, would do it too, beside much that costs more than it saves.
"""

from typing import Final, NamedTuple

from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.loops import Loop, find_loops
from lanewise.ir.preheaders import preheader
from lanewise.ir.values import Constant, Value

_WRAPPING: Final = frozenset({"nuw", "nsw"})


class _Counter(NamedTuple):
    """A phi, its value at the first turn, and its sum with a constant step."""

    phi: Instruction
    start: Value
    sum: Instruction
    step: int


def run(function: Function) -> bool:
    """Merge counters of all loops; see above. Returns whether anything changed."""
    return sum(_merge(loop) for loop in find_loops(function).loops) > 0 if function.blocks else False


def _merge(loop: Loop) -> bool:
    if len(loop.latches) != 1 or len(loop.entering()) != 1:  # 1
        return False
    counters = [found for phi in loop.header.phis if (found := _counter(phi, loop)) is not None]
    changed = False
    for counter in list(counters):
        test = _only_test(counter, loop)
        same = (each for each in counters if each is not counter and _in_step(each, counter))
        other = next(same, None)
        if test is not None and other is not None:
            _replace(counter, other, test, loop)
            counters.remove(counter)
            changed = True
    return changed


def _counter(phi: Instruction, loop: Loop) -> _Counter | None:
    start = next(value for value, block in phi.incoming() if block not in loop.blocks)
    sum_ = next(value for value, block in phi.incoming() if block in loop.blocks)
    if phi.type.kind != "int" or not isinstance(sum_, Instruction) or sum_.op != "add" or sum_.operands[0] is not phi:
        return None
    step = sum_.operands[1]
    return _Counter(phi, start, sum_, step.integer) if isinstance(step, Constant) and step.kind == "int" else None


def _in_step(a: _Counter, b: _Counter) -> bool:
    return a.phi.type is b.phi.type and a.step == b.step  # 2


def _only_test(counter: _Counter, loop: Loop) -> Instruction | None:
    """The comparison that is all that a counter is for."""
    if set(counter.phi.users) != {counter.sum} or len(counter.sum.users) != 2:  # 3
        return None
    (test,) = set(counter.sum.users) - {counter.phi}
    if test.op != "icmp" or test.predicate not in ("eq", "ne") or test.operands[0] is not counter.sum:  # 4
        return None
    end = test.operands[1]
    is_inside = isinstance(end, Instruction) and end.parent in loop.blocks
    return None if is_inside else test  # 4


def _replace(counter: _Counter, other: _Counter, test: Instruction, loop: Loop) -> None:
    """Let `other` end the loop in place of `counter`."""
    before = preheader(loop)
    end = test.operands[1]
    for op, operand in (("sub", counter.start), ("add", other.start)):
        if not (isinstance(operand, Constant) and operand.kind == "int" and operand.integer == 0):
            end = before.insert(len(before.instructions) - 1, Instruction(op, counter.phi.type, (end, operand)))
    test.set_operand(0, other.sum)
    test.set_operand(1, end)
    other.sum.flags = tuple(flag for flag in other.sum.flags if flag not in _WRAPPING)
    counter.phi.drop_operands()
    counter.sum.erase()
    counter.phi.erase()
