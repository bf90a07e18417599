# SPDX-License-Identifier: Apache-2.0
"""Keeps LLVM's loop vectoriser from moving an access past another one of the same iteration.

Before
    define ptx_kernel void @k(ptr %p, ptr %q, float %a) {
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %x = zext i32 %t to i64
      %two = shl i64 %x, 1
      %even = getelementptr float, ptr %p, i64 %two
      store float %a, ptr %even, align 4
      %i = getelementptr float, ptr %q, i64 %x
      %v = load float, ptr %i, align 4
      %odd = getelementptr i8, ptr %even, i64 4
      store float %v, ptr %odd, align 4
      ret void
    }
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

After, with a zero that LLVM doesn't know
      %zero = call i64 asm "", "=r,0"(i64 0)
      %2 = mul i64 %zero, 2
    ...
      store float %a, ptr %even, align 4
      %i = getelementptr float, ptr %q, i64 %x.1
      %4 = getelementptr i8, ptr %i, i64 %zero
      %v = load float, ptr %4, align 4
      %odd = getelementptr i8, ptr %even, i64 4
      %5 = getelementptr i8, ptr %odd, i64 %2
      store float %v, ptr %5, align 4

Why
    `llvm.loop.parallel_accesses` says that no iteration depends on another (LLVM's Language Reference). Work-items
    promise as much, and the order within an iteration still holds. But LLVM 22 computes no dependences at all for such
    a loop (`LoopAccessInfo::analyzeLoop` returns early), and the part of its vectoriser that joins accesses of a
    constant stride takes the empty list to mean that all accesses may change places
    (`InterleavedAccessInfo::canReorderMemAccessesForInterleavedGroups`). It then does all stores of a group at the
    place of the last one, and all loads at that of the first.

Method
    Accesses at a known distance from each other form a group. A *run* is a sequence of accesses of which none may
    touch what another one writes in the same iteration: its members may change places. Each run after the first gets a
    multiple of a zero added to its addresses, so that LLVM knows no distance between members of different runs. The
    zero comes from an empty piece of assembly. Without any candidate for a group, nothing is changed.

    LLVM may unroll a loop within an iteration, and then a run comes several times. If accesses of such a loop may touch
    each other from one of its iterations to the next, the promise isn't made.

Cost, over the 25 kernels of bench/cpu as loops: none but scan's 6 %. Switching groups off would cost scan 31 %; making
no promise costs 17 % in the mean and dct 680 %.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, final

from lanewise.analysis.addresses import AffineAddress, affine_address
from lanewise.analysis.flow import Flow
from lanewise.analysis.memory_objects import Objects, are_apart, objects_of
from lanewise.ir import effects
from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value, i64

MOST_ACCESSES: Final = 400
"""Most accesses of an iteration. Comparing all of a longer run takes too long, and no promise is made."""


class ItemAccess(NamedTuple):
    instruction: Instruction
    address: AffineAddress
    objects: Objects
    """Objects that the access may touch: those of the kernel, or an array of values that are saved for each work-item.
    """
    size: int

    @property
    def writes(self) -> bool:
        return effects.writes(self.instruction)


@final
class IterationOrder:
    """The order of the accesses of the innermost loop over work-items, whose code goes from `first` to `last`.

    `indices`: the work-item's place along x, y and z. `pointers`: access -> its address in the kernel; accesses without
    one are to saved values.
    """

    def __init__(
        self, first: Block, last: Block, indices: Sequence[Value | None], types: Mapping[str, Type | None],
        pointers: Mapping[Instruction, Value],
    ) -> None:  # fmt: skip
        self._flow: Final = Flow(first, last, lambda block: dict.fromkeys(block.successors) or [last])
        self._inside: Final = frozenset(self._flow.order)
        self._index: Final = indices[0]
        self._outer: Final = [index for index in indices if index is not None][1:]
        self._types: Final = types
        self._pointers: Final = pointers

    def keep(self, before: Builder) -> bool:
        """Separate runs. Returns whether the loop may be promised to have independent iterations. `before`: the place
        for code that runs once."""
        accesses = list(self._accesses())
        if len(accesses) > MOST_ACCESSES:
            return False
        repeated = [access for access in accesses if self._repeats(access)]
        if any(self._touch_in_turns(a, b) for a in repeated for b in accesses):
            return False
        runs = self._runs(accesses)
        if len(set(runs)) > 1 and self._may_group(accesses, runs):
            _separate(accesses, runs, before)
        return True

    # -- accesses ----------------------------------------------------------------------------------------------

    def _accesses(self) -> Iterable[ItemAccess]:
        """The accesses in the order of the program."""
        for block in self._flow.order:
            for instruction in block.instructions if block is not self._flow.end else ():
                if instruction.op in ("load", "store"):
                    address = affine_address(effects.pointer_operand(instruction), self._types)
                    size = effects.access_size(instruction, self._types)
                    yield ItemAccess(instruction, address, self._objects(instruction), size)

    def _objects(self, access: Instruction) -> Objects:
        if access in self._pointers:
            return objects_of(self._pointers[access])
        kept = effects.pointer_operand(access)
        while isinstance(kept, Instruction) and kept.op == "getelementptr" and kept.parent in self._inside:
            kept = kept.operands[0]
        return frozenset({kept})

    def _repeats(self, access: ItemAccess) -> bool:
        return self._flow.loop_of(access.instruction.parent) is not None or self._flow.irreducible

    # -- overlaps ----------------------------------------------------------------------------------------------

    def _touch(self, a: ItemAccess, b: ItemAccess) -> bool:
        """Return whether two accesses may be of the same bytes in one iteration, and one writes."""
        if not (a.writes or b.writes) or self._are_apart(a, b):
            return False
        if a.address.start == b.address.start:
            return -a.size < a.address.offset - b.address.offset < b.size
        return True

    def _touch_in_turns(self, a: ItemAccess, b: ItemAccess) -> bool:
        """Return whether the same holds for two iterations of an inner loop that both are in."""
        loops = self._flow.loops_around(a.instruction.parent)
        together = any(b.instruction.parent in loop.blocks for loop in loops) or self._flow.irreducible
        return together and (a.writes or b.writes) and a is not b and not self._are_apart(a, b)

    def _are_apart(self, a: ItemAccess, b: ItemAccess) -> bool:
        known = (a.instruction in self._pointers, b.instruction in self._pointers)
        if all(known):
            return all(are_apart(x, y) for x in a.objects for y in b.objects)
        return any(known) or a.objects != b.objects

    # -- runs --------------------------------------------------------------------------------------------------

    def _runs(self, accesses: list[ItemAccess]) -> list[int]:
        """The number of each access's run."""
        numbers: list[int] = []
        number, run = 0, list[ItemAccess]()
        for access in accesses:
            if any(self._touch(other, access) for other in run):
                number += 1
                run.clear()
            run.append(access)
            numbers.append(number)
        return numbers

    def _may_group(self, accesses: list[ItemAccess], runs: list[int]) -> bool:
        """Return whether some accesses of different runs may be at a known distance from each other, with gaps between
        neighbours."""
        for place, (a, run) in enumerate(zip(accesses, runs, strict=True)):
            if not self._may_be_strided(a):
                continue
            for b, other in zip(accesses[:place], runs, strict=False):
                if run != other and a.writes == b.writes and a.size == b.size and self._may_be_strided(b):
                    return True
        return False

    def _may_be_strided(self, access: ItemAccess) -> bool:
        """Return False if neighbours access neighbours, or all the same."""
        step = 0
        for _, value, factor in access.address.terms:
            if value is self._index:
                step += factor
            elif isinstance(value, Instruction) and value.parent in self._inside and value not in self._outer:
                return True
        return abs(step) > access.size


def _separate(accesses: list[ItemAccess], runs: list[int], before: Builder) -> None:
    """Add to each address the number of its run times zero."""
    assembly = Constant(ty.PTR, "asm", 'asm "", "=r,0"')
    zero = before.call(assembly, ty.function(ty.I64, (ty.I64,)), [i64(0)], "zero")
    offsets: dict[int, Value] = {1: zero}
    for access, run in zip(accesses, runs, strict=True):
        if run:
            pointer = effects.pointer_operand(access.instruction)
            block = access.instruction.parent
            at = block.instructions.index(access.instruction)
            if run not in offsets:
                offsets[run] = before.binary("mul", zero, i64(run))
            moved = Instruction("getelementptr", pointer.type, (pointer, offsets[run]), source_type=ty.I8)
            access.instruction.set_operand(len(access.instruction.operands) - 1, block.insert(at, moved))
