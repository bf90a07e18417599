# SPDX-License-Identifier: Apache-2.0
"""step-pointers: adds to a pointer at each turn of a loop, in place of multiplying a counter by the length of a row.

Why
    A loop down a column reads `a[k * width + x]`. Each turn multiplies, adds and computes an address in 64 bits: with
    the constant that this needs, three instructions of SASS of ten. A pointer takes one (`IMAD.WIDE p, width, 4, p`).
    nvcc does so, too.

Before
    define void @f(ptr %a, i32 %width, i32 %x, i32 %n) {
    entry:
      br label %loop
    loop:
      %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
      %row = mul nsw i32 %k, %width
      %i = add nsw i32 %row, %x
      %wide = sext i32 %i to i64
      %p = getelementptr inbounds float, ptr %a, i64 %wide
      store float 0.0, ptr %p, align 4
      %k.next = add nsw i32 %k, 1
      %done = icmp eq i32 %k.next, %n
      br i1 %done, label %out, label %loop
    out:
      ret void
    }

After
    define void @f(ptr %a, i32 %width, i32 %x, i32 %n) {
    entry:
      %0 = sext i32 %width to i64
      %1 = mul i64 %0, 4
      %2 = sext i32 %x to i64
      %3 = mul i64 %2, 4
      %4 = getelementptr i8, ptr %a, i64 %3
      br label %loop
    loop:
      %5 = phi ptr [ %4, %entry ], [ %6, %loop ]
      %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
      store float 0.0, ptr %5, align 4
      %k.next = add nsw i32 %k, 1
      %done = icmp eq i32 %k.next, %n
      %6 = getelementptr i8, ptr %5, i64 %1
      br i1 %done, label %out, label %loop
    out:
      ret void
    }

Needs
    1. The loop has no loop in it, is entered from one block, and has one back edge.
    2. A counter starts at 0, and each turn adds a constant to it, which doesn't wrap.
    3. The address is a base and terms from outside of the loop, and one product, with a value from outside that is no
       constant, of the counter or its sum with a constant and at most one value from outside. In 32 bits, none of these
       sums and products may wrap.
    4. There are at most four such pointers in a loop, which is eight registers. If there are more, those where a value
       is added to the counter stay as they are, and the others are counted again.
    5. If a value is added to the counter, the first row is accessed in each turn that goes on or accesses another row,
       and nothing in the loop may end the thread.
    6. In this case, too, the loop computes the first row's address from the counter and values from outside alone, by
       at most 32 instructions, which touch no memory and can't fail. That holds for terms that cancel each other, too.

Method
    Addresses that differ in the constant at the counter alone share a pointer: that of `(k + 1) * width` is one row
    beyond that of `k * width`. Rows are multiplied in 64 bits, before the loop. Modulo 2^64 the pointer is then the
    exact sum at each turn, and that is the address whenever the narrow index hasn't wrapped, which is undefined.
    If a value is added to the counter, as in the `(tile + k) * width` of a loop over a tile, the pointer starts as the
    program's own address of the first turn. A product in 64 bits would use the row's length a second time, and ptxas
    would add it in two instructions each turn. If some turns make no access, the first turn may make none, and its
    index may wrap.

When not
    A counter that is added to an index, and not multiplied: its address is one instruction, and a pointer's step in 64
    bits two. Shared memory, whose 32-bit addresses cost one instruction as well. A counter that starts elsewhere, as in
    what is left of an unrolled loop: few turns don't pay for more work before them.

Neighbours
    Runs after reassociate-pointer-arithmetic, so that constant distances from these addresses fold into accesses, and
    before merge-counters, which takes a counter that no address uses any more. In place of LLVM's loop strength
    reduction, which is off for GPUs: it makes pointers of the other kind, too.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from lanewise.analysis.addresses import Term, affine_address, stays_extended
from lanewise.analysis.memory_objects import Kind, kind_of, objects_of
from lanewise.ir import effects
from lanewise.ir import types as ty
from lanewise.ir.dominators import DominatorTree, dominators
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.loops import Loop, find_loops
from lanewise.ir.module import Module
from lanewise.ir.preheaders import preheader
from lanewise.ir.remarks import leave_alone
from lanewise.ir.unused import erase_unused
from lanewise.ir.values import Constant, Value, i64

_MOST_POINTERS: Final = 4
_MOST_COPIED: Final = 32
"""Most instructions of an address that are copied before the loop."""


class _Index(NamedTuple):
    """A sum that doesn't wrap: a counter, a constant, and maybe a value from outside of the loop."""

    counter: Instruction
    constant: int
    start: Value | None


class _Class(NamedTuple):
    """Addresses that differ in a number of rows, and a constant."""

    base: Value
    terms: frozenset[Term]
    """Terms that stay as they are."""
    counter: Instruction
    start: Value | None
    """A value that is added to the counter."""
    row: Term
    """The value that this sum is multiplied by, with its extension and factor."""


class _Address(NamedTuple):
    instruction: Instruction
    rows: int
    """Rows beyond the one of the counter."""
    offset: int


def run(function: Function, module: Module) -> bool:
    """Make pointers for the loops of a function; see above. Returns whether anything changed."""
    if not function.blocks:
        return False
    tree = dominators(function)
    found = find_loops(function, tree)
    outer = {loop.parent for loop in found.loops}
    changed = False
    for loop in found.loops:
        if loop in outer or len(loop.latches) != 1 or len(loop.entering()) != 1:  # 1
            continue
        blocks = [block for block in tree.order if block in loop.blocks]
        classes = {
            class_: addresses
            for class_, addresses in _classes(blocks, loop, module).items()
            if class_.start is None or _has_first_turn(class_, addresses, loop, tree)
        }
        if len(classes) > _MOST_POINTERS:  # 4
            classes = {class_: addresses for class_, addresses in classes.items() if class_.start is None}
        if 0 < len(classes) <= _MOST_POINTERS:  # 4
            for class_, addresses in classes.items():
                _step(class_, addresses, loop)
            changed = True
        elif classes:
            leave_alone(loop.header, f"a loop with {len(classes)} pointers to step, of at most {_MOST_POINTERS}")
    return changed


def _classes(blocks: Iterable[Block], loop: Loop, module: Module) -> dict[_Class, list[_Address]]:
    found: dict[_Class, list[_Address]] = {}
    for block in blocks:
        for instruction in block.instructions:
            if instruction.op != "getelementptr" or instruction.type is not ty.PTR:
                continue
            if isinstance(instruction.operands[0], Instruction) and _is_inside(instruction.operands[0], loop):
                continue
            address = affine_address(instruction, module.types, exact=True)
            moving = [term for term in address.others if _is_inside(term.value, loop)]
            if len(moving) != 1 or _is_inside(address.base, loop):  # 3
                continue
            if all(kind_of(each) is Kind.SHARED for each in objects_of(address.base)):
                continue
            product = _product(moving[0], loop)
            if product is None:
                continue
            index, row = product
            class_ = _Class(address.base, address.others - {moving[0]}, index.counter, index.start, row)
            found.setdefault(class_, []).append(_Address(instruction, index.constant, address.offset))
    return found


def _product(term: Term, loop: Loop) -> tuple[_Index, Term] | None:
    """The index and the row of `(counter + constant) * row`."""
    value = term.value
    if not isinstance(value, Instruction) or value.op != "mul" or not stays_extended(value, term.extension):  # 3
        return None
    for index, row in (value.operands, value.operands[::-1]):
        if isinstance(row, Constant) or _is_inside(row, loop):  # 3
            continue
        found = _index(index, term.extension, loop)
        if found is not None:
            return found, Term(term.extension, row, term.factor)
    return None


def _index(value: Value, extension: str, loop: Loop) -> _Index | None:
    """The sum of a counter that an index is; None if it is none."""
    if not isinstance(value, Instruction) or not _is_inside(value, loop):
        return None
    if value.op == "phi":
        return _Index(value, 0, None) if _step_of(value, loop, extension) is not None else None
    if not _is_exact_sum(value, extension):  # 3
        return None
    moving = [each for each in value.operands if _is_inside(each, loop)]
    if len(moving) != 1:  # 3
        return None
    index = _index(moving[0], extension, loop)
    other = value.operands[1] if value.operands[0] is moving[0] else value.operands[0]
    if index is not None and isinstance(other, Constant):
        return index._replace(constant=index.constant + _number(other, extension)) if other.kind == "int" else None
    return index._replace(start=other) if index is not None and index.start is None else None  # 3


def _is_exact_sum(value: Instruction, extension: str) -> bool:
    return "disjoint" in value.flags if value.op == "or" else value.op == "add" and stays_extended(value, extension)


def _step_of(counter: Instruction, loop: Loop, extension: str) -> int | None:
    """The constant that each turn adds to a counter from 0, without wrapping."""
    if counter.parent is not loop.header:
        return None
    start = next(value for value, block in counter.incoming() if block not in loop.blocks)
    if not _is_zero(start):  # 2
        return None
    sum_ = next(value for value, block in counter.incoming() if block in loop.blocks)
    if not isinstance(sum_, Instruction) or not _is_exact_sum(sum_, extension) or sum_.operands[0] is not counter:  # 2
        return None
    step = sum_.operands[1]
    return _number(step, extension) if isinstance(step, Constant) and step.kind == "int" else None  # 2


def _number(constant: Constant, extension: str) -> int:
    """The number that an extension to 64 bits makes of a constant."""
    return constant.integer % (1 << constant.type.bits) if extension == "zext" else constant.integer


def _is_inside(value: Value, loop: Loop) -> bool:
    return isinstance(value, Instruction) and value.parent in loop.blocks


def _step(class_: _Class, addresses: list[_Address], loop: Loop) -> None:
    """Replace addresses by a pointer, and pointers that are rows beyond it."""
    step = _step_of(class_.counter, loop, class_.row.extension)
    assert step is not None
    before = preheader(loop)
    row = _bytes(class_.row, before)
    if class_.start is None:
        pointer, least = _row_of_zero(class_, before), _Address(addresses[0].instruction, 0, 0)
    else:
        least = _least(addresses)
        zero: Value = Constant(class_.counter.type, "int", "0")
        pointer = _at_first_turn(least.instruction, loop, {class_.counter: zero})
    (latch,) = loop.latches
    phi = loop.header.insert(0, Instruction("phi", ty.PTR, (pointer, before)))
    at: dict[int, Instruction] = {0: phi}
    place = len(loop.header.phis)
    last = 0
    for rows in sorted({address.rows - least.rows for address in addresses} - {0}):
        at[rows] = loop.header.insert(place, _sum(at[last], _times(row, rows - last, before)))
        place, last = place + 1, rows
    phi.append_operand(_beyond(at[last], _times(row, step - last, before), latch))
    phi.append_operand(latch)
    unused: list[Instruction] = []
    for address, rows, offset in addresses:
        rows, offset = rows - least.rows, offset - least.offset
        unused += [operand for operand in address.operands if isinstance(operand, Instruction)]
        if offset:
            address.drop_operands()
            address.append_operand(at[rows])
            address.append_operand(i64(offset))
            address.source_type, address.flags = ty.I8, ()
        else:
            address.replace_all_uses(at[rows])
            unused.append(address)
    erase_unused(unused)


def _row_of_zero(class_: _Class, before: Block) -> Value:
    """The address for a counter of 0, computed before the loop."""
    pointer = class_.base
    function = before.parent
    places: dict[Value, int] = {}
    places.update((value, number) for number, value in enumerate((*function.arguments, *function.instructions())))

    def order(term: Term) -> tuple[int, int]:
        return term.factor, places.get(term.value, -1)

    for term in sorted(class_.terms, key=order):
        pointer = _beyond(pointer, _bytes(term, before), before)
    return pointer


def _least(addresses: list[_Address]) -> _Address:
    """The address of the first row."""
    return min(addresses, key=lambda each: each.rows)


def _has_first_turn(class_: _Class, addresses: list[_Address], loop: Loop, tree: DominatorTree) -> bool:
    """True if a pointer may start as the program's own address of the first row in the first turn."""
    if not _is_accessed_each_turn(addresses, loop, tree):  # 5
        return False
    return _is_computed_from(class_.counter, _least(addresses).instruction, loop)  # 6


def _is_computed_from(counter: Instruction, address: Instruction, loop: Loop) -> bool:
    """True if a loop computes an address from a counter and values from outside alone, by few pure instructions."""
    copied: set[Value] = set()
    work: list[Value] = [address]
    while work and len(copied) <= _MOST_COPIED:
        value = work.pop()
        if value is counter or value in copied or not isinstance(value, Instruction) or not _is_inside(value, loop):
            continue
        if value.op == "phi" or not effects.is_pure(value):
            return False
        copied.add(value)
        work += value.operands
    return len(copied) <= _MOST_COPIED


def _is_accessed_each_turn(addresses: list[_Address], loop: Loop, tree: DominatorTree) -> bool:
    """True if the first row is accessed in each turn that goes on or accesses another row."""
    address = _least(addresses).instruction
    below = [*loop.latches, *(each.instruction.parent for each in addresses)]
    accesses = [use for use in address.users if use.op in effects.ACCESSES and effects.pointer_operand(use) is address]
    is_accessed = any(all(tree.dominates(use.parent, block) for block in below) for use in accesses)
    return is_accessed and not any(effects.may_not_return(each) for block in loop.blocks for each in block.instructions)


def _at_first_turn(value: Value, loop: Loop, known: dict[Value, Value]) -> Value:
    """A value of the loop as it is in the first turn, computed before the loop."""
    if not isinstance(value, Instruction) or not _is_inside(value, loop):
        return value
    if value not in known:
        operands = [_at_first_turn(each, loop, known) for each in value.operands]
        others = [each for each in operands if not _is_zero(each)]
        is_same = value.op in ("add", "or") and len(others) == 1
        known[value] = others[0] if is_same else _append(preheader(loop), value.copied(operands))
    return known[value]


def _is_zero(value: Value) -> bool:
    return isinstance(value, Constant) and value.kind == "int" and value.integer == 0


def _bytes(term: Term, before: Block) -> Value:
    """A term in 64 bits."""
    return _times(_extended(term.value, term.extension, before), term.factor, before)


def _extended(value: Value, extension: str, before: Block) -> Value:
    return _append(before, Instruction(extension, ty.I64, (value,))) if extension else value


def _sum(pointer: Value, count: Value) -> Instruction:
    return Instruction("getelementptr", ty.PTR, (pointer, count), source_type=ty.I8)


def _beyond(pointer: Value, count: Value, block: Block) -> Instruction:
    """The address `count` bytes beyond another one, at the end of a block."""
    return _append(block, _sum(pointer, count))


def _times(value: Value, factor: int, before: Block) -> Value:
    return value if factor == 1 else _append(before, Instruction("mul", ty.I64, (value, i64(factor))))


def _append(block: Block, instruction: Instruction) -> Instruction:
    """Put an instruction before the branch that ends a block."""
    return block.insert(len(block.instructions) - 1, instruction)
