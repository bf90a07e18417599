# SPDX-License-Identifier: Apache-2.0
"""Counted loops of one block, unrolled: several iterations become one.

Before
    define ptx_kernel void @k(ptr %out, ptr %row, i32 %n) {
    entry:
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %off = mul nsw i32 %t, %n
      br label %loop
    loop:
      %k = phi i32 [ 0, %entry ], [ %next, %loop ]
      %s = phi float [ 0.000000e+00, %entry ], [ %sum, %loop ]
      %i = add nsw i32 %off, %k
      %p = getelementptr inbounds float, ptr %row, i32 %i
      %a = load float, ptr %p, align 4
      %sum = fadd float %s, %a
      %next = add nuw nsw i32 %k, 1
      %done = icmp eq i32 %next, %n
      br i1 %done, label %behind, label %loop
    behind:
      %q = getelementptr inbounds float, ptr %out, i32 %t
      store float %sum, ptr %q, align 4
      ret void
    }
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

After, where the loop itself, %loop.lanes, does the iterations that are left
    loop.guard.lanes:
      %13 = sub i32 %n, 0
      %14 = icmp uge i32 %13, 4
      br i1 %14, label %loop.guard.to, label %loop.guard.to.1
    ...
    loop.several.loop:
      %15 = load i32, ptr %k
    ...
      %68 = add nuw nsw i32 %15, 1
    ...
      %77 = add nuw nsw i32 %68, 1
    ...
      %84 = add nuw nsw i32 %77, 1
    ...
      %91 = add nuw nsw i32 %84, 1
      %92 = sub i32 %n, %91
      %93 = icmp uge i32 %92, 4
      br i1 %93, label %loop.several.to, label %loop.several.to.1
    ...
    loop.rest.lanes:
      %94 = icmp eq i32 %92, 0

Needs
    1. A loop of one block with one entering edge.
    2. A counter that grows, or shrinks, by a constant, up to a bound that the loop does not change.

The number of iterations left is the distance from the counter to its bound. If a loop ends when these are equal, that
is right modulo the type's size, however the counter wraps. Otherwise it is right only if the loop starts before its
bound, which the guard tests, too. Then the counter does not wrap on the way, so that its extensions are sums as well.
The loop itself remains, for the iterations that are left over.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from lanewise.analysis.addresses import affine_address
from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.layout import NamedTypes
from lanewise.ir.predicates import inverse, mirrored
from lanewise.ir.values import Constant, Value, int_constant
from lanewise.workgroup.items.item_code import ItemCode

MOST_STEP: Final = 1 << 10
"""The greatest step of a counter, which has 32 bits or more: several steps can't wrap round."""

_UPWARDS: Final = ("ne", "ult", "slt")
_DOWNWARDS: Final = ("ne", "ugt", "sgt")
_NO_WRAP: Final = {"ult": "nuw", "slt": "nsw"}
"""Predicate of the loop -> the flag of a counter's increments on the way from a start to a bound that compare so."""


class LoopPhi(NamedTuple):
    """A value that changes from one iteration to the next."""

    phi: Instruction
    start: Value
    """The value in the first iteration."""
    following: Value
    """The value in the next iteration."""

    def step(self, types: NamedTypes) -> int | None:
        """The growth per iteration, in bytes for a pointer; None if it is not constant."""
        if self.phi.type.is_pointer:
            address = affine_address(self.following, types)
            return address.offset if address.base is self.phi and not address.others else None
        add = self.following
        if isinstance(add, Instruction) and add.op == "add" and add.operands[0] is self.phi:
            by = add.operands[1]
            return by.integer if isinstance(by, Constant) and by.kind == "int" else None
        return None


class Counter(NamedTuple):
    """The counter of a loop, with its bound."""

    phi: Instruction
    start: Value
    following: Value
    """The phi's value in the next iteration."""
    step: int
    """The growth per iteration; in bytes for a pointer."""
    bound: Value
    late: bool
    """True if the phi is compared with the bound, not its value in the next iteration. Unless it is compared for
    equality, the bound is then a constant, so that the sum of bound and step does not wrap."""
    goes_on: str
    """The predicate of the counted value and the bound for another iteration: ne, ult or slt for steps upwards, ne, ugt
    or sgt for steps downwards."""


def counter_of(block: Block, types: NamedTypes) -> Counter | None:
    """The counter of a loop that is `block`, with one entering edge; None if it has none."""
    branch = block.terminator
    condition = branch.operands[0] if branch.op == "br" else None
    if not isinstance(condition, Instruction) or condition.op != "icmp":
        return None
    counted, bound = condition.operands
    predicate = condition.predicate
    if is_of(bound, block):
        counted, bound, predicate = bound, counted, mirrored(predicate)
    if branch.operands[1] is not block:
        predicate = inverse(predicate)
    if is_of(bound, block):
        return None
    for phi, start, following in phis_of(block):
        late = counted is phi
        if counted is not following and not late:
            continue
        step = LoopPhi(phi, start, following).step(types)
        if not step or abs(step) > MOST_STEP or not (phi.type.is_pointer or phi.type.bits >= 32):
            continue
        if late and predicate != "ne" and not _is_small(bound):
            continue
        if predicate in (_UPWARDS if step > 0 else _DOWNWARDS):
            return Counter(phi, start, following, step, bound, late, predicate)
    return None


def _is_small(bound: Value) -> bool:
    return isinstance(bound, Constant) and bound.kind == "int" and MOST_STEP <= bound.integer + MOST_STEP < 1 << 31


def phis_of(loop: Block) -> list[LoopPhi]:
    """The phis of a loop of one block with one entering edge."""
    found: list[LoopPhi] = []
    for phi in loop.phis:
        (start,) = (value for value, before in phi.incoming() if before is not loop)
        (following,) = (value for value, before in phi.incoming() if before is loop)
        found.append(LoopPhi(phi, start, following))
    return found


def is_of(value: Value, block: Block) -> bool:
    return isinstance(value, Instruction) and value.block is block


def unroll(item: ItemCode, loop: Block, times: int, types: NamedTypes) -> None:
    """Make one iteration of `times`. The loop has one block, one entering edge and a counter."""
    counter = counter_of(loop, types)  # not of before: a loop that leads to this one may have been unrolled since
    assert counter is not None
    phis = phis_of(loop)
    (entering,) = (before for before in loop.predecessors if before is not loop)
    guard, several, rest, behind = (item.new_block(f"{loop.name}.{n}") for n in ("guard", "several", "rest", "behind"))

    entering.terminator.replace_operand(loop, guard)
    build = Builder(guard)
    bound = _number(counter.bound, build)
    start = _number(counter.start, build)
    if counter.late:
        bound = build.binary("add", bound, int_constant(bound.type, counter.step))
    enough = int_constant(bound.type, times * abs(counter.step))
    some = build.compare("uge", _distance(counter, start, bound, build), enough)
    ordered = _ordered(counter)
    for predicate in ordered:
        some = build.binary("and", some, build.compare(predicate, start, bound))
    build.branch_if(some, several, loop)

    build = Builder(several)
    first = {phi: build.phi(phi.type, [(start, guard)], phi.name) for phi, start, _ in phis}
    last: dict[Value, Value] = dict(first.items())
    for number in range(times):
        if number:
            last = {phi: last.get(following, following) for phi, _, following in phis}
        _iteration(loop, last, build)
        counted = last.get(counter.following)
        if isinstance(counted, Instruction) and counted.op == "add":
            promised = {*counted.flags, *(_NO_WRAP[p] for p in ordered if p in _NO_WRAP)}
            counted.flags = tuple(sorted(promised, reverse=True))
    following = {phi: last.get(value, value) for phi, _, value in phis}
    left = _distance(counter, _number(following[counter.phi], build), bound, build)
    build.branch_if(build.compare("uge", left, enough), several, rest)

    build = Builder(rest)
    build.branch_if(build.compare("eq", left, int_constant(left.type, 0)), behind, loop)
    for phi, value in following.items():
        _add_incoming(first[phi], value, several)
        _add_incoming(phi, value, rest)
        phi.replace_operand(entering, guard)
    _leave(loop, last, rest, behind)


def _number(value: Value, build: Builder) -> Value:
    return build.cast("ptrtoint", value, ty.I64) if value.type.is_pointer else value


def _distance(counter: Counter, value: Value, bound: Value, build: Builder) -> Value:
    """The distance from a value of the counter to the bound."""
    return build.binary("sub", bound, value) if counter.step > 0 else build.binary("sub", value, bound)


def _ordered(counter: Counter) -> list[str]:
    """Predicates that must hold of start and bound: the loop's, or those that make its extensions sums."""
    if counter.goes_on != "ne":
        return [counter.goes_on]
    if counter.step < 0:
        return []
    extensions = [user for user in counter.phi.users if user.op in ("sext", "zext")]
    return sorted({"slt" if e.op == "sext" or "nneg" in e.flags else "ult" for e in extensions})


def _iteration(loop: Block, values: dict[Value, Value], build: Builder) -> None:
    """Emit an iteration of a loop, which starts with these values of its phis. Its own values are added to them."""
    condition = loop.terminator.operands[0]
    for instruction in loop.instructions[len(loop.phis) : -1]:
        if instruction is not condition or len(condition.users) > 1:
            operands = [values.get(operand, operand) for operand in instruction.operands]
            values[instruction] = build.emit(instruction.copied(operands))


def _leave(loop: Block, last: Mapping[Value, Value], rest: Block, behind: Block) -> None:
    """Lead both exit edges, from the loop and from `rest`, through `behind`, where the loop's values become phis."""
    (exit_,) = (after for after in loop.successors if after is not loop)
    loop.terminator.replace_operand(exit_, behind)
    build = Builder(behind)
    for value in loop.instructions[:-1]:
        outside = [user for user in value.users if user.block is not loop]
        if outside:
            merged = build.phi(value.type, name=value.name)
            for user in outside:
                user.replace_operand(value, merged)
            _add_incoming(merged, value, loop)
            _add_incoming(merged, last[value], rest)
    build.branch(exit_)
    for phi in exit_.phis:
        phi.replace_operand(loop, behind)


def _add_incoming(phi: Instruction, value: Value, before: Block) -> None:
    phi.append_operand(value)
    phi.append_operand(before)
