# SPDX-License-Identifier: Apache-2.0
"""The state that all emitters of lane code share: the current block, values, masks, and memory of the code's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, final

from lanewise.analysis.divergence import Divergence
from lanewise.analysis.shapes import UNIFORM, Extent, Shape, combined, normal
from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.types import Type
from lanewise.ir.unused import erase_unused
from lanewise.ir.values import Constant, Value, poison
from lanewise.workgroup.lanes.values.lane_values import (
    LaneValue,
    LaneValues,
    count_parts,
    lanes_type,
    ones,
    shuffle,
    zeros,
)
from lanewise.workgroup.processor import USUAL, Processor

SCRATCH_ALIGN: Final = 64

External = Callable[[str, Type], Function]
"""The function that declares a function of the host, or an intrinsic, by its name and type."""

Meet = Callable[[Builder, str, Value, Value, Value, Value], Value]
"""The function that makes a warp wait for others: (operation, number, count, votes, active lanes)."""

Count = Callable[[Builder, tuple[Value, int], int, Value], None]
"""The function that adds to a counter: (address of the counters and their number in a copy, counter, number)."""

Service = Callable[[int], Value]
"""The function that gives the address of a function of the runtime core, by its place in the table of services."""

Mask = LaneValue | None
"""The active work-items: an i1 for each; None for all of the unit."""


@final
class LaneCode:
    """One version of the lane code of a region."""

    def __init__(
        self, function: Function, entry: Builder, external: External, divergence: Divergence, arena: Value, warps: bool,
        check_size: Callable[[int], None] = lambda size: None,
        processor: Processor = USUAL,
        meet: Meet | None = None,
        count: Count | None = None,
        service: Service | None = None,
    ) -> None:  # fmt: skip
        self.function: Final = function
        self.entry: Final = entry
        """The function's entry, for allocations."""
        self.external: Final = external
        self.divergence: Final = divergence
        self.extent: Final[Extent] = divergence.extent
        self.arena: Final = arena
        self.warps: Final = warps
        """True if a unit is a warp."""
        self.processor: Final = processor
        self.meet: Final = meet
        self.count: Final = count
        self.service: Final = service
        self.lane_values: Final = LaneValues(self.extent)
        self.known: Final[dict[Value, LaneValue]] = {}
        self.left: Final[dict[Value, Slot]] = {}
        """Values of divergent loops, for code after the loops."""
        self.blocks: Final[list[Block]] = []
        self.perhaps_unused: Final[list[Value]] = []
        """Addresses that are computed anew where they are needed."""
        self.in_step: set[Instruction] = set()
        """Varying values whose steps from lane to lane are as expected in the code that is made now: tested before."""
        self._scratch: Final[dict[str, Value]] = {}
        self._left_loads: Final[dict[tuple[Value, Block], LaneValue]] = {}
        self.nonempty = True
        """Some work-item of the unit is known to be active in the code that is made now."""
        self._finished = 0
        """Instructions of the blocks before the one at hand."""
        self._check_size: Final = check_size
        self.build = Builder(self.new_block("lanes"))

    # -- code --------------------------------------------------------------------------------------------------

    def new_block(self, name: str) -> Block:
        return Block(name, self.function)

    def begin(self, block: Block) -> None:
        """Continue in a block."""
        self._finished += len(self.build.block.instructions)
        self.blocks.append(block)
        self.build = Builder(block)

    def check_size(self) -> None:
        """Raise TooLarge if there are more instructions than `budget.py` allows."""
        self._check_size(self._finished + len(self.build.block.instructions))

    def intrinsic(self, name: str, result: Type, arguments: list[Value]) -> Value:
        type_ = ty.function(result, tuple(a.type for a in arguments))
        return self.build.call_function(self.external(name, type_), arguments)

    def forget(self, block: Block) -> None:
        """Forget the values of a block, which is to be emitted once more."""
        for instruction in block.instructions:
            self.known.pop(instruction, None)

    def drop_unused(self) -> None:
        """Drop vectors of `perhaps_unused` that nothing uses, and what only they use. (LLVM would take them for those
        that rarely run code computes anew, and so compute them always.)"""
        erase_unused(value for value in self.perhaps_unused if isinstance(value, Instruction))

    # -- values ------------------------------------------------------------------------------------------------

    def use(self, value: Value, block: Block) -> LaneValue:
        """The lane value for a use of `value` in `block`."""
        lane_value = self.known.get(value)
        if lane_value is None:
            lane_value = self.known[value] = LaneValue(value.type, UNIFORM, (value,))
            return lane_value
        if value in self.left and self.divergence.left_loop(value, block) is not None:
            key = (value, self.build.block)
            loaded = self._left_loads.get(key)
            if loaded is None:
                loaded = self._left_loads[key] = self.left[value].load(self)
            return loaded
        return lane_value

    def scalar(self, lane_value: LaneValue, chunk: int = 0, row: int = 0) -> Value:
        return self.lane_values.scalar(lane_value, chunk, row, self.build)

    def vector(self, lane_value: LaneValue, chunk: int) -> Value:
        return self.lane_values.vector(lane_value, chunk, self.build)

    def mapped(
        self, type_: Type, shape: Shape, operands: list[LaneValue], make: Callable[[list[Value]], Value]
    ) -> LaneValue:
        return self.lane_values.mapped(type_, shape, operands, self.build, make)

    # -- masks -------------------------------------------------------------------------------------------------

    def both(self, mask: Mask, condition: LaneValue, wanted: bool = True) -> LaneValue:
        """The active work-items for which `condition` is as wanted. A lane that is switched off is false, whatever
        its condition is (poison, perhaps)."""
        operands = [condition] if mask is None else [condition, mask]
        shape = normal(combined([o.shape for o in operands]), self.extent)

        def make(parts: list[Value]) -> Value:
            true = parts[0] if wanted else self.build.binary("xor", parts[0], ones(parts[0].type))
            return true if mask is None else self.build.select(parts[1], true, zeros(true.type))

        return self.mapped(ty.I1, shape, operands, make)

    def either(self, a: LaneValue, b: LaneValue) -> LaneValue:
        shape = normal(combined([a.shape, b.shape]), self.extent)
        return self.mapped(ty.I1, shape, [a, b], lambda p: self.build.binary("or", p[0], p[1]))

    def mask_of(self, mask: Mask, shape: Shape) -> Mask:
        """The mask for a varying value of `shape`. Chunks that share the value share the mask: a lane is active if it
        is in any."""
        if mask is None or shape.chunk != 0 or mask.shape.chunk == 0 or self.extent.chunks == 1:
            return mask
        bits = self.vector(mask, 0)
        for chunk in range(1, self.extent.chunks):
            bits = self.build.binary("or", bits, self.vector(mask, chunk))
        return LaneValue(ty.I1, Shape(None, None, 0), (bits,))

    def any_of(self, mask: LaneValue) -> Value:
        """True (i1) if any work-item of the unit is active."""
        return self._over(mask, "or")

    def all_of(self, mask: LaneValue) -> Value:
        return self._over(mask, "and")

    def _over(self, mask: LaneValue, operation: str) -> Value:
        total = mask.parts[0]
        for part in mask.parts[1:]:
            total = self.build.binary(operation, total, part)
        return self.reduced(total, operation) if total.type.is_vector else total

    def reduced(self, bits: Value, operation: str) -> Value:
        """The lanes of a vector of i1 combined by "or" or "and"."""
        return self.intrinsic(f"llvm.vector.reduce.{operation}.v{bits.type.count}i1", ty.I1, [bits])

    def any_in_row(self, mask: LaneValue, chunk: int | None, row: int | None) -> Value:
        """True (i1) if any work-item is active in a row (None: in any) of a chunk (None: of any)."""
        shape, extent = mask.shape, self.extent
        rows = [row] if row is not None else list(range(extent.rows))
        found: Value | None = None
        for c in [chunk] if chunk is not None else range(extent.chunks if shape.chunk is None else 1):
            if shape.is_varying:
                bits = self.vector(mask, c)
                if row is not None and extent.rows > 1:
                    bits = self.row_of(bits, row)
                one = [self.reduced(bits, "or")]
            else:
                one = [self.scalar(mask, c, r) for r in (rows if shape.row is None else rows[:1])]
            for value in one:
                found = value if found is None else self.build.binary("or", found, value)
        assert found is not None
        return found

    def row_of(self, vector: Value, row: int) -> Value:
        """The lanes of one row."""
        first = row * self.extent.lanes
        return shuffle(vector, None, list(range(first, first + self.extent.lanes)), self.build)

    # -- memory of the code's own ------------------------------------------------------------------------------

    def scratch(self, use: str, type_: Type, clear: bool = False) -> Value:
        """Memory for one use, of the type's size. It is all zero if `clear` is true."""
        name = f"{use}.{type_}"
        known = self._scratch.get(name)
        if known is None:
            known = self._scratch[name] = self.entry.alloca(type_, use, SCRATCH_ALIGN)
            if clear:
                self.entry.store(Constant(type_, "zeroinitializer"), known)
        return known


@final
class Slot:
    """Memory for the parts of a lane value that code on several paths writes; LLVM makes phis of it."""

    def __init__(self, code: LaneCode, type_: Type, shape: Shape, name: str) -> None:
        self.type: Final = type_
        self.shape: Final = shape
        chunks, rows = count_parts(shape, code.extent)
        part = lanes_type(type_, code.extent.width) if shape.is_varying else type_
        self._part: Final = part
        self._places: Final = [code.entry.alloca(part, name) for _ in range(chunks * rows)]

    def load(self, code: LaneCode) -> LaneValue:
        return LaneValue(self.type, self.shape, [code.build.load(self._part, place) for place in self._places])

    def store(self, lane_value: LaneValue, code: LaneCode) -> None:
        for part, place in zip(
            code.lane_values.converted(lane_value, self.shape, code.build), self._places, strict=True
        ):
            code.build.store(part, place)

    def blend(self, lane_value: LaneValue, mask: LaneValue, code: LaneCode) -> None:
        """Store the active work-items' values only."""
        merged = code.mask_of(mask, self.shape) if self.shape.is_varying else narrowed(code, mask, self.shape)
        assert merged is not None
        old = self.load(code)
        self.store(blend(code, merged, lane_value, old, self.shape), code)

    def fill(self, value: Callable[[Type], Value], code: LaneCode) -> None:
        for place in self._places:
            code.build.store(value(self._part), place)

    def forget(self, code: LaneCode) -> None:
        """Drop the value, which nothing reads any more."""
        self.fill(poison, code)


def blend(code: LaneCode, mask: LaneValue, new: LaneValue, old: LaneValue, shape: Shape) -> LaneValue:
    """The new value for active work-items, the old one for others."""
    return code.mapped(new.type, shape, [mask, new, old], lambda parts: select(code, *parts))


def select(code: LaneCode, condition: Value, a: Value, b: Value) -> Value:
    """Select, also between structs by a vector condition, which LLVM can't: field by field."""
    if a.type.kind == "struct" and condition.type.is_vector:
        whole: Value = poison(a.type)
        for index, field in enumerate(a.type.fields):
            x, y = (code.build.emit(Instruction("extractvalue", field, (v,), indices=(index,))) for v in (a, b))
            chosen = select(code, condition, x, y)
            whole = code.build.emit(Instruction("insertvalue", a.type, (whole, chosen), indices=(index,)))
        return whole
    return code.build.select(condition, a, b)


def narrowed(code: LaneCode, mask: LaneValue, shape: Shape) -> LaneValue:
    """The mask of a value that active work-items of a row share: for each part of `shape`, whether any is active."""
    chunks, rows = count_parts(shape, code.extent)
    parts = [
        code.any_in_row(mask, None if chunks == 1 else chunk, None if rows == 1 else row)
        for chunk in range(chunks)
        for row in range(rows)
    ]
    return LaneValue(ty.I1, Shape(0, None if rows > 1 else 0, None if chunks > 1 else 0), parts)
