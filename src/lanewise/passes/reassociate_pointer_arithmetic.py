# SPDX-License-Identifier: Apache-2.0
"""reassociate-pointer-arithmetic: computes an address from another one that is a known distance away.

Why
    An access on a GPU adds a constant to its address for nothing (`ld.global.f32 %f1, [%rd1+4]`). An address from an
    index costs an addition to the index, its extension, and a multiplication and addition in 64 bits. The nine loads of
    a 3 x 3 stencil need three addresses. gpucc's pointer arithmetic reassociation (gpucc-cgo2016, section 3.4.1) moves
    constants out of an index. LLVM's has to distribute the sign extension for it, and then `a[row + x - 1]` and
    `a[row + x]` share no part: 62 instructions of SASS where this pass leaves 47 (nvcc: 48).

Before
    define void @f(ptr %a, i32 %row, i32 %x) {
      %left = add nsw i32 %x, -1
      %i = add nsw i32 %row, %left
      %i.wide = sext i32 %i to i64
      %p = getelementptr inbounds float, ptr %a, i64 %i.wide
      %v = load float, ptr %p, align 4
      %j = add nsw i32 %row, %x
      %j.wide = sext i32 %j to i64
      %q = getelementptr inbounds float, ptr %a, i64 %j.wide
      store float %v, ptr %q, align 4
      ret void
    }

After
    define void @f(ptr %a, i32 %row, i32 %x) {
      %left = add nsw i32 %x, -1
      %i = add nsw i32 %row, %left
      %i.wide = sext i32 %i to i64
      %p = getelementptr inbounds float, ptr %a, i64 %i.wide
      %v = load float, ptr %p, align 4
      %q = getelementptr inbounds i8, ptr %p, i64 4
      store float %v, ptr %q, align 4
      ret void
    }

Needs
    1. The address comes of an index that is no constant, and is one address, not a vector of them.
    2. It differs in a constant from an earlier one, as `analysis/addresses.py` takes them apart: same base, same terms.
       That analysis follows sums that may not wrap, and those of addresses that may not leave their array.
    3. The earlier one dominates it.
    4. It is accessed, too, whenever the later one is computed: else its index might wrap, and the later one not.
    5. The constant fits into the 24 bits, with sign, that an access has for it.

Method
    Blocks in an order in which dominators come first. The first address of a base with certain terms is the anchor of
    all that it dominates. A later one becomes `anchor + constant`; what only its index was made of goes.

When not
    No address is computed that the program doesn't compute: the sum without any constant may wrap where none of the
    sums with one does. Anchors that are not dominated by one another stay apart.

Neighbours
    Runs when LLVM has optimised, which would put the sums back together, and in place of its
    separate-const-offset-from-gep. Straight-line strength reduction then makes anchors from anchors.
    230 functions of that pass's own tests, optimised before: 6 become as short, 182 stay as they are with both, 12 are
    shorter here, 30 longer. Shorter: LLVM's splits a constant off an address that nobody accesses (6), doesn't follow a
    32-bit sum that may wrap (2), or the differences of an unrolled loop (4). Longer: LLVM's finds a narrow sum again
    whose sides were extended (11), as it extends them itself; the constant of an anchor stays in its index (9), which 6
    of the 90 kernels of bench/gpu have; accesses in one arm alone (5, condition 4); accesses through a cast of the
    address to another memory space (4); and a loop that is shorter in the end (1).
    105 functions of slsr and nary-reassociate become as short with these two after this pass, which leaves sums and
    products that are no addresses, and distances that are no constants, to them. But an address that has become an
    anchor and a constant is no basis for slsr: by the whole pipeline, as a kernel, one function takes two instructions
    of PTX more than by LLVM's. Counts by pass: docs/gpu.md.
"""

from bisect import bisect_left
from collections.abc import Iterable
from typing import Final, NamedTuple, final

from lanewise.analysis.addresses import affine_address
from lanewise.ir import effects
from lanewise.ir import types as ty
from lanewise.ir.dominators import DominatorTree, dominators
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import Module
from lanewise.ir.unused import erase_unused
from lanewise.ir.values import Constant, i64

_OFFSETS: Final = range(-(1 << 23), 1 << 23)
"""Constants that an access of a GPU adds to its address."""


_MOST_ANCHORS: Final = 8
"""Anchors with the same terms, none of which dominates another, that are tried."""


class _Anchor(NamedTuple):
    """An address that others are computed from, its constant, and the accesses by it."""

    address: Instruction
    offset: int
    accesses: list[Instruction]


def run(function: Function, module: Module) -> bool:
    """Compute addresses from one another in a function; see above. Returns whether anything changed."""
    if not function.blocks:
        return False
    places = _Places(function)
    anchors: dict[object, list[_Anchor]] = {}
    replaced: list[tuple[Instruction, Instruction, int]] = []
    for address in _addresses(places.tree):
        sum_ = affine_address(address, module.types)
        others = anchors.setdefault(sum_.start, [])  # 2
        for anchor in others[-_MOST_ANCHORS:]:
            distance = sum_.offset - anchor.offset
            if distance not in _OFFSETS:  # 5
                continue
            if places.stands_for(anchor, address):
                replaced.append((address, anchor.address, distance))
                break
        else:
            accesses = [user for user in address.users if _accesses(user, address)]
            if accesses:
                others.append(_Anchor(address, sum_.offset, accesses))
    unused = [index for address, anchor, distance in replaced for index in _replace(address, anchor, distance)]
    erase_unused(unused)
    return bool(replaced)


def _addresses(tree: DominatorTree) -> Iterable[Instruction]:
    for block in tree.order:
        for instruction in block.instructions:
            if instruction.op == "getelementptr" and not instruction.type.is_vector and _varies(instruction):  # 1
                yield instruction


def _varies(address: Instruction) -> bool:
    return any(not isinstance(index, Constant) for index in address.operands[1:])


def _accesses(user: Instruction, address: Instruction) -> bool:
    return user.op in effects.ACCESSES and effects.pointer_operand(user) is address


@final
class _Places:
    """The order in which a function's instructions are executed, as far as it is certain."""

    def __init__(self, function: Function) -> None:
        self.tree: Final = dominators(function)
        self._in_blocks: Final[dict[Block, tuple[dict[Instruction, int], list[int]]]] = {}

    def stands_for(self, anchor: _Anchor, address: Instruction) -> bool:
        """True if `anchor`, visited earlier, dominates `address`, and is accessed whenever that is computed."""
        here = address.parent
        if anchor.address.parent is not here and not self.tree.dominates(anchor.address.parent, here):  # 3
            return False
        accesses = anchor.accesses
        if any(access.parent is not here and self.tree.dominates(access.parent, here) for access in accesses):
            return True
        places, stops = self._in_block(here)
        first = min((places[access] for access in accesses if access.parent is here), default=None)
        if first is None:  # 4
            return False
        return first < places[address] or bisect_left(stops, places[address]) == bisect_left(stops, first)

    def _in_block(self, block: Block) -> tuple[dict[Instruction, int], list[int]]:
        """The place of each instruction of a block, and the places of those after which nothing more may be executed:
        they may end the thread, or wait for others."""
        known = self._in_blocks.get(block)
        if known is None:
            places = {instruction: place for place, instruction in enumerate(block.instructions)}
            stops = [place for each, place in places.items() if effects.may_not_return(each) or effects.orders(each)]
            known = self._in_blocks[block] = places, stops
        return known


def _replace(address: Instruction, anchor: Instruction, distance: int) -> list[Instruction]:
    """Make `address` the sum of `anchor` and a number of bytes. Returns what may have become unused."""
    if not distance:
        address.replace_all_uses(anchor)
        return [address]
    operands = [operand for operand in address.operands if isinstance(operand, Instruction)]
    address.drop_operands()
    address.append_operand(anchor)
    address.append_operand(i64(distance))
    address.source_type = ty.I8
    address.flags = ("inbounds",) if "inbounds" in address.flags and "inbounds" in anchor.flags else ()
    return operands
