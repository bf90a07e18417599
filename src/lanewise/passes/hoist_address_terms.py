# SPDX-License-Identifier: Apache-2.0
"""hoist-address-terms: moves the loop-invariant terms of addresses out of loops.

Why
    A loop along a row reads `a[row * width + k]`. LLVM hoists the product, and leaves the sum with `k` in 32 bits: each
    turn adds, and then multiplies and adds in 64 bits. Of the address of the row's start, one instruction is left
    (`IMAD.WIDE R2, R4, 0x4, R6`). An index that is a sum in 64 bits takes up to nine instructions for two arrays, of
    which two are left.

Before
    define void @f(ptr %a, i32 %row, i32 %n) {
    entry:
      br label %loop
    loop:
      %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
      %i = add nsw i32 %row, %k
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
    define void @f(ptr %a, i32 %row, i32 %n) {
    entry:
      %0 = sext i32 %row to i64
      %1 = getelementptr [4 x i8], ptr %a, i64 %0
      br label %loop
    loop:
      %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
      %2 = sext i32 %k to i64
      %p = getelementptr [4 x i8], ptr %1, i64 %2
      store float 0.0, ptr %p, align 4
      %k.next = add nsw i32 %k, 1
      %done = icmp eq i32 %k.next, %n
      br i1 %done, label %out, label %loop
    out:
      ret void
    }

Needs
    1. The loop is entered from one block.
    2. The base is from outside of the loop, as are the terms that leave it.
    3. None of the sums in an index of 32 bits may wrap.

Method
    Modulo 2^64 an address is the same sum in any order. Addresses of one base and the same terms from outside share
    what is computed before the loop. A sum with a product counts for nothing, since a GPU multiplies and adds by one
    instruction, unless the product is one with a constant, by which a wide multiplication may multiply as well.

When not
    Two terms from inside of the loop: each would take an instruction of its own. Loops around the innermost one. Loops
    in which not even one instruction of 16 goes, with the sums that nothing else uses: in a long loop, such as one that
    is unrolled by eight, a pair of registers is worth more than one instruction. More than four bases in a loop, which
    are eight registers.

Neighbours
    Runs after step-pointers, which has taken the products of counters, and before narrow-shared-addresses, which
    computes both parts of an address in shared memory in 32 bits. It leaves constants to accesses if no part is
    negative, so terms of a sum that isn't are extended without a sign.
"""

from collections.abc import Collection, Iterable
from typing import Final, NamedTuple, TypeGuard

from lanewise.analysis.addresses import AffineAddress, Term, affine_address
from lanewise.ir import types as ty
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.loops import Loop, find_loops
from lanewise.ir.module import Module
from lanewise.ir.preheaders import preheader
from lanewise.ir.remarks import leave_alone
from lanewise.ir.unused import erase_unused
from lanewise.ir.values import Constant, Value, i64

_MOST_BASES: Final = 4
_MOST_FOR_ONE: Final = 16
"""Instructions of a loop, at most, for each that goes. Without this limit `conv3d`, unrolled, is 6 % longer, and it,
`gesummv` and `lavamd` take 40 registers in place of 32."""

_LARGEST_ELEMENT: Final = 1 << 31
"""Bytes of an element, at most, that an index counts. By a larger factor it is multiplied."""


class _Split(NamedTuple):
    """An address in a loop, its base and the terms from outside of the loop, and the term from inside."""

    address: Instruction
    base: Value
    fixed: frozenset[Term]
    moving: Term
    offset: int
    not_negative: frozenset[Term]
    """Terms with sign extension whose values aren't negative."""

    @property
    def values(self) -> object:
        """The terms without their factors: equal for addresses with one index, into arrays of whatever elements."""
        return frozenset(term[:2] for term in self.fixed), self.moving[:2]

    @property
    def start(self) -> tuple[Value, frozenset[Term]]:
        return self.base, self.fixed


def run(function: Function, module: Module) -> bool:
    """Hoist terms of addresses in a function; see above. Returns whether anything changed."""
    if not function.blocks:
        return False
    loops = find_loops(function)
    splits: dict[Loop, list[_Split]] = {}
    for block in function.blocks:
        loop = loops.innermost(block)
        if loop is not None and len(loop.entering()) == 1:  # 1
            splits.setdefault(loop, []).extend(_splits(block, loop, module))
    changed = False
    for loop, found in splits.items():
        chosen = _worthwhile(found, loop)
        starts = dict.fromkeys(split.start for split in chosen)
        if 0 < len(starts) <= _MOST_BASES:
            _hoist(chosen, loop)
            changed = True
        elif starts:
            leave_alone(loop.header, f"a loop with {len(starts)} bases of addresses, of at most {_MOST_BASES}")
    return changed


def _splits(block: Block, loop: Loop, module: Module) -> Iterable[_Split]:
    for each in block.instructions:
        if each.op != "getelementptr" or each.type.is_vector:
            continue
        if all(isinstance(index, Constant) for index in each.operands[1:]):
            continue
        split = _split(each, affine_address(each, module.types, exact=True, within=loop.blocks), loop)  # 3
        if split is not None:
            yield split


def _split(address: Instruction, sum_: AffineAddress, loop: Loop) -> _Split | None:
    terms = [term._replace(factor=_signed(term.factor)) for term in sum_.others]
    terms = [term for term in terms if term.factor]
    moving = [term for term in terms if _is_inside(term.value, loop)]
    if len(moving) != 1 or len(terms) == 1 or _is_inside(sum_.base, loop):  # 2
        return None
    kept = _not_negative(address, loop)
    return _Split(
        address, sum_.base, frozenset(terms) - {moving[0]}, moving[0], _signed(sum_.offset),
        frozenset(term for term in terms if term.extension == "sext" and term.value in kept),
    )  # fmt: skip


def _signed(number: int) -> int:
    """The number from -2^63 to 2^63 - 1 that is equal modulo 2^64."""
    return (number + (1 << 63)) % (1 << 64) - (1 << 63)


def _not_negative(address: Instruction, loop: Loop) -> set[Value]:
    """The values in the index of an address that aren't negative, or else the address is poison: parts of a sum that
    isn't negative and that doesn't wrap as an unsigned number."""
    found: set[Value] = set()
    pointer: Value = address
    while _is_inside(pointer, loop) and pointer.op == "getelementptr":
        extended = [each for each in pointer.operands[1:] if _is_inside(each, loop) and "nneg" in each.flags]
        work = [each.operands[0] for each in extended]
        while work:
            value = work.pop()
            if value not in found:
                found.add(value)
                work += _unsigned_parts(value) if _is_inside(value, loop) else ()
        pointer = pointer.operands[0]
    return found


def _unsigned_parts(value: Instruction) -> Iterable[Value]:
    """Operands that are at most as large as the result, as unsigned numbers."""
    if (value.op == "add" and "nuw" in value.flags) or (value.op == "or" and "disjoint" in value.flags):
        return value.operands
    multiplies = value.op == "shl" or (value.op == "mul" and _is_nonzero(value.operands[1]))
    return value.operands[:1] if multiplies and "nuw" in value.flags else ()


def _is_nonzero(value: Value) -> bool:
    return isinstance(value, Constant) and value.kind == "int" and value.integer != 0


def _is_inside(value: Value, loop: Loop) -> TypeGuard[Instruction]:
    return isinstance(value, Instruction) and value.parent in loop.blocks


def _worthwhile(splits: Iterable[_Split], loop: Loop) -> list[_Split]:
    """The addresses whose index isn't computed in the loop any more, if that makes it notably shorter."""
    by_index: dict[object, list[_Split]] = {}
    for split in splits:
        by_index.setdefault(split.values, []).append(split)
    chosen: list[_Split] = []
    saved = 0
    for group in by_index.values():
        moving = group[0].moving
        unused = _unused_without([split.address for split in group], moving.value, loop)
        more = sum(1 if moving.extension else 2 for _ in group)
        less = sum(_cost(each, moving.value) for each in unused) - more
        if less > 0:
            chosen += group
            saved += less
    size = sum(not each.is_debug_record for block in loop.blocks for each in block.instructions)
    return chosen if size <= saved * _MOST_FOR_ONE else []


def _unused_without(addresses: Iterable[Instruction], kept: Value, loop: Loop) -> set[Instruction]:
    """The addresses, and what nothing else in the loop is computed from, but for the value `kept`."""
    unused = set(addresses)
    work = list(unused)
    while work:
        for operand in work.pop().operands:
            if not _is_inside(operand, loop) or operand is kept or operand in unused:
                continue
            if operand.op != "phi" and unused.issuperset(operand.users):
                unused.add(operand)
                work.append(operand)
    return unused


def _cost(instruction: Instruction, moving: Value) -> int:
    """The instructions of a GPU that one in the loop takes, beside those that it is one with."""
    is_wide = instruction.type.bits == 64
    if instruction.op == "getelementptr":
        index = instruction.operands[-1]
        return 1 if isinstance(index, Instruction) and index.op in ("sext", "zext") else 2
    if instruction.op in ("add", "sub", "or"):
        multiplies = any(each is moving and _is_product(each) for each in instruction.operands)
        return 0 if multiplies else 2 if is_wide else 1
    if instruction.op in ("mul", "shl"):
        joins = all(user.op in ("add", "sub", "or") for user in instruction.users)
        return 0 if joins else 2 if is_wide else 1
    return 0


def _is_product(value: Value) -> bool:
    return isinstance(value, Instruction) and value.op == "mul" and len(value.users) == 1


def _hoist(splits: Collection[_Split], loop: Loop) -> None:
    before = preheader(loop)
    function = before.parent
    places: dict[Value, int] = {}
    places.update((value, number) for number, value in enumerate((*function.arguments, *function.instructions())))
    starts: dict[tuple[Value, frozenset[Term]], Value] = {}
    not_negative: dict[tuple[Value, frozenset[Term]], frozenset[Term]] = {}
    for split in splits:
        not_negative[split.start] = not_negative.get(split.start, split.fixed) & split.not_negative
    unused: list[Instruction] = []

    def order(term: Term) -> tuple[int, int, str]:
        return term.factor, places.get(term.value, -1), term.extension

    for split in splits:
        if split.start not in starts:
            start = split.base
            for term in sorted(split.fixed, key=order):
                known = term in not_negative[split.start]
                start = _beyond(start, term, known, before, len(before.instructions) - 1)
            starts[split.start] = start
        address = split.address
        unused += [operand for operand in address.operands if isinstance(operand, Instruction)]
        _compute(split, starts[split.start])
    erase_unused(unused)


def _compute(split: _Split, start: Value) -> None:
    """Make an address the sum of a start, a term and a constant."""
    address, moving = split.address, split.moving
    block = address.parent
    place = block.instructions.index(address)
    known = moving in split.not_negative
    if split.offset:
        start = _beyond(start, moving, known, block, place)
        index, address.source_type = i64(split.offset), ty.I8
    else:
        index, address.source_type = _index(moving, known, block, place)
    address.drop_operands()
    address.append_operand(start)
    address.append_operand(index)
    address.flags = ()


def _beyond(pointer: Value, term: Term, not_negative: bool, block: Block, place: int) -> Value:
    """A pointer plus a term, computed at a place of a block."""
    count = len(block.instructions)
    index, elements = _index(term, not_negative, block, place)
    place += len(block.instructions) - count
    return block.insert(place, Instruction("getelementptr", pointer.type, (pointer, index), source_type=elements))


def _index(term: Term, not_negative: bool, block: Block, place: int) -> tuple[Value, ty.Type]:
    """A term as an index, and the type of the elements that it counts. `not_negative`: its value isn't negative."""
    index = term.value
    if term.extension:
        operation, flags = ("zext", ("nneg",)) if not_negative else (term.extension, ())
        index = block.insert(place, Instruction(operation, ty.I64, (index,), flags=flags))
        place += 1
    if 0 < term.factor <= _LARGEST_ELEMENT:
        return index, ty.I8 if term.factor == 1 else ty.array(term.factor, ty.I8)
    return block.insert(place, Instruction("mul", ty.I64, (index, i64(term.factor)))), ty.I8
