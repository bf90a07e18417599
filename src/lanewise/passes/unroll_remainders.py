# SPDX-License-Identifier: Apache-2.0
"""unroll-remainders: executes four turns at once of what an unrolled loop leaves.

Why
    LLVM unrolls a loop by eight, and has the turns that are left, up to seven, in a loop of their own, before it or
    after it. Each of these turns waits for its loads, some 500 cycles of an H100, where eight unrolled ones wait once.
    Many loops have few turns: the elements of a sparse row, the columns that a thread has of a row of 1,000. A softmax
    over such rows is 1.14 times as fast if at most three turns are left to the loop, a sparse product 1.1 times.

Before
    define float @f(ptr %a, i32 %n) {
    entry:
      %left = and i32 %n, 7
      %none = icmp eq i32 %left, 0
      br i1 %none, label %out, label %loop
    loop:
      %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
      %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
      %turn = phi i32 [ 0, %entry ], [ %turn.next, %loop ]
      %p = getelementptr float, ptr %a, i64 %i
      %v = load float, ptr %p, align 4
      %sum.next = fadd float %sum, %v
      %i.next = add nsw i64 %i, 1
      %turn.next = add i32 %turn, 1
      %over = icmp eq i32 %turn.next, %left
      br i1 %over, label %out, label %loop
    out:
      %result = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
      ret float %result
    }

After
    define float @f(ptr %a, i32 %n) {
    entry:
      %left = and i32 %n, 7
      %none = icmp eq i32 %left, 0
      br i1 %none, label %out, label %0
    0:
      %1 = icmp ugt i32 %left, 3
      br i1 %1, label %2, label %loop
    2:
      %3 = getelementptr float, ptr %a, i64 0
      %4 = load float, ptr %3, align 4
      %5 = fadd float 0.0, %4
      %6 = add nsw i64 0, 1
      %7 = getelementptr float, ptr %a, i64 %6
      %8 = load float, ptr %7, align 4
      %9 = fadd float %5, %8
      %10 = add nsw i64 %6, 1
      %11 = getelementptr float, ptr %a, i64 %10
      %12 = load float, ptr %11, align 4
      %13 = fadd float %9, %12
      %14 = add nsw i64 %10, 1
      %15 = getelementptr float, ptr %a, i64 %14
      %16 = load float, ptr %15, align 4
      %17 = fadd float %13, %16
      %18 = add nsw i64 %14, 1
      %19 = icmp eq i32 %left, 4
      br i1 %19, label %20, label %loop
    loop:
      %i = phi i64 [ 0, %0 ], [ %i.next, %loop ], [ %18, %2 ]
      %sum = phi float [ 0.0, %0 ], [ %sum.next, %loop ], [ %17, %2 ]
      %turn = phi i32 [ 0, %0 ], [ %turn.next, %loop ], [ 4, %2 ]
      %p = getelementptr float, ptr %a, i64 %i
      %v = load float, ptr %p, align 4
      %sum.next = fadd float %sum, %v
      %i.next = add nsw i64 %i, 1
      %turn.next = add i32 %turn, 1
      %over = icmp eq i32 %turn.next, %left
      br i1 %over, label %20, label %loop
    20:
      %21 = phi float [ %sum.next, %loop ], [ %17, %2 ]
      br label %out
    out:
      %result = phi float [ 0.0, %entry ], [ %21, %20 ]
      ret float %result
    }

Needs
    1. The loop is one block, and is entered from one block.
    2. A counter starts at 0, is increased by 1, and before or after that is compared for equality with a value from
       outside of the loop; the loop ends on that alone, and nothing else asks for the comparison.
    3. That value has three bits: it is the remainder of a loop that was unrolled by eight. Of a loop with an odd number
       of turns, such as the 2 n + 1 columns of a filter, it is the remainder less 1, an even number.
    4. A turn has no call but of functions that give the same value for any set of threads.
    5. A turn loads something that isn't known to be in shared or constant memory: otherwise there is little to wait
       for, some 30 cycles.

Method
    Four copies of a turn stand before the loop, in which the counter's values are constants, and are executed where
    four turns or more are left. Then the loop ends, if it may after four turns, or goes on at turn 4. What is used
    after the loop is that of whichever turn was last.

When not
    A remainder of several blocks, which a condition inside of the loop makes.

Neighbours
    Runs after LLVM's optimisation, which unrolls, and before reassociate-pointer-arithmetic, which gives the four turns
    the addresses of the first one and constants. Unrolling by four in the first place makes long loops slower, by 10 %
    where eight neighbours are two accesses.
"""

from typing import Final, NamedTuple

from lanewise.analysis.memory_objects import objects_of
from lanewise.ir import effects
from lanewise.ir import types as ty
from lanewise.ir.address_spaces import CONSTANT, SHARED
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.loops import Loop, find_loops
from lanewise.ir.preheaders import preheader
from lanewise.ir.values import Constant, Value, int_constant

_AT_ONCE: Final = 4
_REMAINDERS: Final = (7, 6)
"""Masks of remainders of loops that are unrolled by eight: of any number of turns, and of an even one."""


class _Turns(NamedTuple):
    """The counter of a loop, its sum with 1, and the test that ends the loop where one of them equals a bound."""

    counter: Instruction
    sum: Instruction
    test: Instruction
    bound: Value
    mask: int
    """Bits that the bound may have."""
    compared_first: int
    """Value that is compared with the bound in the first turn: 1 of the sum, 0 of the counter."""

    @property
    def compared_last(self) -> int:
        """Value that is compared with the bound in the last turn of those at once."""
        return self.compared_first + _AT_ONCE - 1


def run(function: Function) -> bool:
    """Unroll the remainders of loops; see above. Returns whether anything changed."""
    if not function.blocks:
        return False
    changed = False
    for loop in find_loops(function).loops:
        turns = _turns(loop)
        if turns is not None and _may_copy(loop.header):
            _unroll(loop, turns)
            changed = True
    return changed


def _turns(loop: Loop) -> _Turns | None:
    if len(loop.blocks) != 1 or len(loop.entering()) != 1:  # 1
        return None
    branch = loop.header.terminator
    test = branch.operands[0]
    if branch.op != "br" or len(branch.operands) != 3 or not isinstance(test, Instruction) or test.op != "icmp":
        return None
    ends_if_equal = branch.operands[1] is not loop.header
    if test.parent is not loop.header or test.predicate != ("eq" if ends_if_equal else "ne"):  # 2
        return None
    if set(test.users) != {branch}:  # 2
        return None
    compared, bound = test.operands
    mask = _mask(bound)
    if not isinstance(compared, Instruction) or mask is None:
        return None
    counter = compared.operands[0] if compared.op == "add" else compared
    if not (isinstance(counter, Instruction) and counter.op == "phi" and counter.parent is loop.header):  # 2
        return None
    incoming = {block is loop.header: value for value, block in counter.incoming()}
    sum_ = incoming[True]
    if not (isinstance(sum_, Instruction) and sum_.op == "add" and sum_.operands[0] is counter):  # 2
        return None
    if not (_is(sum_.operands[1], 1) and _is(incoming[False], 0)):  # 2
        return None
    if compared not in (counter, sum_) or (isinstance(bound, Instruction) and bound.parent is loop.header):  # 2
        return None
    return _Turns(counter, sum_, test, bound, mask, int(compared is sum_))


def _is(value: Value, number: int) -> bool:
    return isinstance(value, Constant) and value.kind == "int" and value.integer == number


def _mask(bound: Value) -> int | None:
    """The bits of a bound that is a remainder; None if it is none."""
    if not (isinstance(bound, Instruction) and bound.op == "and"):
        return None
    return next((mask for mask in _REMAINDERS if _is(bound.operands[1], mask)), None)  # 3


def _may_copy(block: Block) -> bool:
    calls = (each for each in block.instructions if each.op == "call" and not each.is_debug_record)
    waits = any(each.op == "load" and not _is_near(each.operands[0]) for each in block.instructions)  # 5
    return waits and all(effects.is_pure(each) for each in calls)  # 4


def _is_near(pointer: Value) -> bool:
    return all(each.type.addrspace in (SHARED, CONSTANT) for each in objects_of(pointer))


def _unroll(loop: Loop, turns: _Turns) -> None:
    header = loop.header
    function = header.parent
    before = preheader(loop)
    (after,) = (block for block in header.successors if block is not header)
    copies = Block(None, function)
    function.blocks.insert(function.blocks.index(header), copies)
    values = _append_turns(header, before, turns, copies)
    for phi in header.phis:
        back = next(value for value, block in phi.incoming() if block is header)
        phi.append_operand(values.get(back, back))
        phi.append_operand(copies)
    _enter(before, turns, copies, header)
    if turns.compared_last & ~turns.mask:  # of an odd number of turns, four are never all
        copies.append(Instruction("br", ty.VOID, (header,)))
        return
    join = Block(None, function)
    function.blocks.insert(function.blocks.index(header) + 1, join)
    equal = copies.append(_compare("eq", turns.bound, int_constant(turns.bound.type, turns.compared_last)))
    copies.append(Instruction("br", ty.VOID, (equal, join, header)))
    _leave(header, after, join, copies, values)


def _append_turns(header: Block, before: Block, turns: _Turns, to: Block) -> dict[Value, Value]:
    """Append copies of a turn to a block. Returns the values of the last of them."""
    phis = header.phis
    now: dict[Value, Value] = {phi: value for phi in phis for value, block in phi.incoming() if block is before}
    for number in range(_AT_ONCE):
        now[turns.counter] = int_constant(turns.counter.type, number)
        now[turns.sum] = int_constant(turns.counter.type, number + 1)
        for each in header.instructions[len(phis) : -1]:
            if each is not turns.sum and each is not turns.test and not each.is_debug_record:
                now[each] = to.append(each.copied([now.get(operand, operand) for operand in each.operands]))
        back = {phi: value for phi in phis for value, block in phi.incoming() if block is header}
        values = dict(now)
        if number < _AT_ONCE - 1:
            now.update({phi: values.get(value, value) for phi, value in back.items()})
    return now


def _enter(before: Block, turns: _Turns, copies: Block, header: Block) -> None:
    """Let the block before the loop choose between the copies and the loop."""
    enters = before.instructions.pop()
    enters.drop_operands()
    enough = before.append(_compare("ugt", turns.bound, int_constant(turns.bound.type, turns.compared_last - 1)))
    before.append(Instruction("br", ty.VOID, (enough, copies, header)))


def _leave(header: Block, after: Block, join: Block, copies: Block, values: dict[Value, Value]) -> None:
    """Let what comes after the loop have the values of the turn that was last."""
    header.terminator.replace_operand(after, join)
    for phi in after.phis:
        phi.replace_operand(header, join)
    for each in list(header.instructions):
        outside = [user for user in each.users if user.parent not in (header, copies)]
        if outside:
            made = join.append(Instruction("phi", each.type, (each, header, values[each], copies)))
            for user in outside:
                user.replace_operand(each, made)
    join.append(Instruction("br", ty.VOID, (after,)))


def _compare(predicate: str, a: Value, b: Value) -> Instruction:
    return Instruction("icmp", ty.I1, (a, b), predicate=predicate)
