# SPDX-License-Identifier: Apache-2.0
"""hoist-address-terms: adds to a base before a loop what an address in the loop has of terms that don't change there.

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
    1. The loop is entered from one block. It is the innermost one around the address.
    2. The address is a base and at least one term from outside of the loop, one term from inside, and a constant. In 32
       bits, none of the sums may wrap.
    3. Fewer instructions are left in the loop, since sums that nothing else uses go: at least one of 16. In a long
       loop, such as one that is unrolled by eight, a pair of registers is worth more than one instruction.
    4. There are at most four such bases in a loop, which is eight registers.

Method
    Modulo 2^64 an address is the same sum in any order. Addresses of one base and the same terms from outside share
    what is computed before the loop. A sum with a product counts for nothing, since a GPU multiplies and adds by one
    instruction, unless the product is one with a constant, by which a wide multiplication may multiply as well.

When not
    Two terms from inside of the loop: each would take an instruction of its own. Terms that only an outer loop changes
    leave the inner one.

Neighbours
    Runs after step-pointers, which has taken the products of counters, and before narrow-shared-addresses, which
    computes both parts of an address in shared memory in 32 bits.
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
from lanewise.ir.unused import erase_unused
from lanewise.ir.values import Constant, Value, i64

_MOST_BASES: Final = 4
_MOST_FOR_ONE: Final = 16
"""Instructions of a loop, at most, for each that goes. Without this limit `conv3d`, unrolled, is 6 % longer, and it,
`gesummv` and `lavamd` take 40 registers in place of 32."""


class _Split(NamedTuple):
    """An address in a loop, its base and the terms from outside of the loop, and the term from inside."""

    address: Instruction
    base: Value
    fixed: frozenset[Term]
    moving: Term
    offset: int

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
        if 0 < len(starts) <= _MOST_BASES:  # 4
            _hoist(chosen, loop)
            changed = True
    return changed


def _splits(block: Block, loop: Loop, module: Module) -> Iterable[_Split]:
    for each in block.instructions:
        if each.op != "getelementptr" or each.type.is_vector:
            continue
        if all(isinstance(index, Constant) for index in each.operands[1:]):
            continue
        split = _split(each, affine_address(each, module.types, exact=True, within=loop.blocks), loop)
        if split is not None:
            yield split


def _split(address: Instruction, sum_: AffineAddress, loop: Loop) -> _Split | None:
    moving = [term for term in sum_.others if _is_inside(term.value, loop)]
    if len(moving) != 1 or len(sum_.others) == 1 or _is_inside(sum_.base, loop):  # 2
        return None
    return _Split(address, sum_.base, sum_.others - {moving[0]}, moving[0], sum_.offset)


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
        if less > 0:  # 3
            chosen += group
            saved += less
    size = sum(len(block.instructions) for block in loop.blocks)
    return chosen if size <= saved * _MOST_FOR_ONE else []  # 3


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
    unused: list[Instruction] = []

    def order(term: Term) -> tuple[int, int, str]:
        return term.factor, places.get(term.value, -1), term.extension

    for split in splits:
        if split.start not in starts:
            start = split.base
            for term in sorted(split.fixed, key=order):
                start = _beyond(start, term, before, len(before.instructions) - 1)
            starts[split.start] = start
        address = split.address
        unused += [operand for operand in address.operands if isinstance(operand, Instruction)]
        _compute(address, starts[split.start], split.moving, split.offset)
    erase_unused(unused)


def _compute(address: Instruction, start: Value, moving: Term, offset: int) -> None:
    """Make an address the sum of a start, a term and a constant."""
    block = address.parent
    place = block.instructions.index(address)
    if offset:
        start = _beyond(start, moving, block, place)
        index, address.source_type = i64(offset), ty.I8
    else:
        index, address.source_type = _index(moving, block, place)
    address.drop_operands()
    address.append_operand(start)
    address.append_operand(index)
    address.flags = ()


def _beyond(pointer: Value, term: Term, block: Block, place: int) -> Value:
    """A pointer plus a term, computed at a place of a block."""
    count = len(block.instructions)
    index, elements = _index(term, block, place)
    place += len(block.instructions) - count
    return block.insert(place, Instruction("getelementptr", pointer.type, (pointer, index), source_type=elements))


def _index(term: Term, block: Block, place: int) -> tuple[Value, ty.Type]:
    """A term as an index, and the type of the elements that it counts."""
    index = term.value
    if term.extension:
        index = block.insert(place, Instruction(term.extension, ty.I64, (index,)))
        place += 1
    if term.factor > 0:
        return index, ty.I8 if term.factor == 1 else ty.array(term.factor, ty.I8)
    return block.insert(place, Instruction("mul", ty.I64, (index, i64(term.factor)))), ty.I8
