# SPDX-License-Identifier: Apache-2.0
"""Shapes and divergence of one work-item's code within a region: the vectors, scalars and masks that it needs.

Terms, of a unit of work-items that run together:
    divergent branch   work-items of a unit may take different edges
    masked block       only some of them may come to it
    join               a block that they may come to by different edges: its phis are blends
    divergent loop     work-items may leave it in different iterations; it runs while any is in it. A value that is used
                       after it is, for each work-item, that of the iteration in which the work-item left

Method. Shapes flow forward, optimistically around loops, until nothing changes; once, if there are no loops. A branch
found to be divergent has the effects that `influence.py` defines. Since shapes only ever lose steps, this ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, final

from lanewise.analysis.flow import Flow, FlowLoop
from lanewise.analysis.influence import influence
from lanewise.analysis.shapes import UNIFORM, Extent, Shape, alignment, blended, combined, joined, normal, shape_of
from lanewise.analysis.wrapping import address_parts, shapes_if_together, shapes_unless_wrapped
from lanewise.ir import types as ty
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value
from lanewise.ir.writer import local_names, write_instruction, write_value


@final
class Divergence:
    """The facts about one flow graph. `given` are the shapes of values that the code starts with: the ids of
    work-items. Values that are defined outside of the code and not given are uniform. `single` are branches on which
    all work-items agree. `masked_entry` is the shape of the mask of those that come to the code, if not all do."""

    def __init__(
        self, flow: Flow, given: Mapping[Value, Shape], extent: Extent, types: Mapping[str, Type | None],
        single: frozenset[Block] = frozenset(), masked_entry: Shape | None = None,
    ) -> None:  # fmt: skip
        self.flow: Final = flow
        self.extent: Final = extent
        self.given: Final = given
        self.types: Final = types
        self._single: Final = single
        self.shapes: Final[dict[Value, Shape]] = dict(given)
        self.masked: Final[set[Block]] = set(flow.order) - {flow.end} if masked_entry else set()
        self.joins: Final[dict[Block, Shape]] = {}
        """Join -> the steps that are lost in its phis."""
        self.divergent_loops: Final[dict[FlowLoop, Shape]] = {}
        """Divergent loop -> how the iteration differs in which work-items leave it."""
        self._diverged: Final[dict[Block, Shape]] = {}
        self._outside: Final[dict[Value, Shape]] = {}
        self._unless_wrapped: Mapping[Value, Shape] | None = None
        self._address_parts: set[Value] | None = None
        self._if_together: Mapping[Value, Shape] | None = None
        around = bool(flow.loops) or flow.irreducible
        while self._visit() and around:
            pass

    # -- what others ask ---------------------------------------------------------------------------------------

    def at_definition(self, value: Value) -> Shape:
        known = self.shapes.get(value)
        if known is None:
            known = self._outside.get(value)
            if known is None:
                known = self._outside[value] = UNIFORM._replace(align=alignment(value) if value.type.is_int else 1)
        return known

    def left_loop(self, value: Value, block: Block) -> FlowLoop | None:
        """The innermost divergent loop that defines `value` and does not hold `block`, which uses it."""
        if not isinstance(value, Instruction) or value.block is None:
            return None
        for loop in self.flow.loops_around(value.block):
            if loop in self.divergent_loops:
                return None if block in loop.blocks else loop
        return None

    def at_use(self, value: Value, block: Block) -> Shape:
        """The shape of `value` in `block`, which may come after a divergent loop that defines it."""
        if isinstance(value, Instruction) and value not in self.given and self.left_loop(value, block):
            return self.behind_loops(value)
        return self.at_definition(value)

    def unless_wrapped(self, value: Value, block: Block) -> Shape | None:
        """The shape of `value`, which varies, among lanes that access memory by it in `block`; None if it is not
        known. See `wrapping.py`."""
        if self._unless_wrapped is None:
            self._unless_wrapped = shapes_unless_wrapped(self)
        return None if self.left_loop(value, block) else self._unless_wrapped.get(value)

    def address_parts(self) -> set[Value]:
        """The values that vary only if an index wraps or lanes leave a loop apart, and of which only addresses are
        made: scalars do for them."""
        if self._address_parts is None:
            self._address_parts = address_parts({*shapes_unless_wrapped(self), *shapes_if_together(self)})
        return self._address_parts

    def if_together(self, value: Value) -> Shape | None:
        """The shape of `value`, which varies, if lanes leave each loop together and no index wraps; None if it is not
        known even then. See `wrapping.py`."""
        if self._if_together is None:
            self._if_together = shapes_if_together(self)
        return self._if_together.get(value)

    def of_address(self, pointer: Value, block: Block) -> Shape:
        """The shape of the address of an access in `block`."""
        shape = self.at_use(pointer, block)
        return (shape.is_varying and self.unless_wrapped(pointer, block)) or shape

    def behind_loops(self, value: Instruction) -> Shape:
        """The shape of a value after the divergent loops that define it."""
        shape = self.at_definition(value)
        for loop in self.flow.loops_around(value.parent):
            if loop in self.divergent_loops:
                shape = normal(blended(shape, self.divergent_loops[loop]), self.extent)
        return shape

    def conditions(self) -> list[Shape]:
        """The shapes of all conditions that branches diverge by."""
        return list(self._diverged.values())

    def leaves(self, source: Block, target: Block) -> list[FlowLoop]:
        """The divergent loops that an edge leaves."""
        return [
            loop
            for loop in self.flow.loops_around(source)
            if target not in loop.blocks and loop in self.divergent_loops
        ]

    def is_divergent(self, block: Block) -> bool:
        """True if the branch at the end of `block` is divergent."""
        return block in self._diverged

    def table(self) -> str:
        """One line per block and instruction: the shape, and the IR."""
        function = self.flow.entry.parent
        names = local_names(function, [block for block in self.flow.order if block not in function.blocks])
        lines: list[str] = []
        for block in self.flow.order:
            if block is self.flow.end:
                continue
            state = "masked" if block in self.masked else "together"
            lines.append(f"{state:<22} {write_value(block, names)[1:]}:")
            for instruction in block.instructions:
                shape = "" if instruction.type is ty.VOID else str(self.shapes.get(instruction, ""))
                text = write_instruction(instruction, names).partition(", !")[0]
                lines.append(f"{shape:<22}   {text}"[:120])
        return "\n".join(lines)

    # -- propagation -------------------------------------------------------------------------------------------

    def _visit(self) -> bool:
        """Visit all blocks once; True if anything changed."""
        changed = False
        for block in self.flow.order:
            if block is self.flow.end:
                continue

            def operand(value: Value, block: Block = block) -> Shape | None:
                if isinstance(value, Instruction) and value.block in self.flow.predecessors:
                    return self.at_use(value, block) if value in self.shapes else None
                return self.at_use(value, block)

            for instruction in block.instructions:
                if instruction in self.given or instruction.is_terminator or instruction.is_debug_record:
                    continue
                if instruction.op == "phi":
                    shape = self._phi(instruction)
                    if shape is None:
                        continue
                else:
                    shape = shape_of(instruction, operand, self.extent, self.types)
                known = self.shapes.get(instruction)
                if known is not None:
                    shape = normal(_widened(known, shape), self.extent)
                if shape != known:
                    self.shapes[instruction] = shape
                    changed = True
            changed |= self._branch(block)
        return changed

    def _phi(self, phi: Instruction) -> Shape | None:
        block = phi.parent
        found: Shape | None = None
        values: set[int] = set()
        for value, before in phi.incoming():
            if before not in self.flow.predecessors or block not in self.flow.successors[before]:
                continue
            known = isinstance(value, Instruction) and value.block in self.flow.predecessors
            if known and value not in self.shapes:
                continue
            shape = self.at_use(value, before)
            for loop in self.leaves(before, block):
                shape = blended(shape, self.divergent_loops[loop])
            if isinstance(value, Constant):
                values.add(hash((value.kind, value.text)))
            else:
                values.add(id(value))
            found = shape if found is None else joined(found, shape)
        if found is not None:
            condition = self.joins.get(block)
            if condition is not None and len(values) > 1:
                found = blended(found, condition)
            if phi.type.is_float and not found.is_varying and found.lane != 0:
                found = combined([found])
            found = normal(found, self.extent)
        return found

    def _branch(self, block: Block) -> bool:
        if len(self.flow.successors[block]) < 2 or block in self._single:
            return False
        condition = self.at_use(block.terminator.operands[0], block)
        if condition.is_uniform:
            return False
        known = self._diverged.get(block)
        condition = combined([condition] if known is None else [condition, known])
        if condition == known:
            return False
        self._diverged[block] = condition
        effects = influence(self.flow, block)
        self.masked.update(effects.masked)
        for join in effects.joins:
            before = self.joins.get(join)
            self.joins[join] = combined([condition] if before is None else [condition, before])
        for loop in effects.loops:
            before = self.divergent_loops.get(loop)
            self.divergent_loops[loop] = combined([condition] if before is None else [condition, before])
        return True


def _widened(known: Shape, shape: Shape) -> Shape:
    """`shape`, without the steps that `known` has lost."""
    lane = shape.lane if known.lane == shape.lane else None
    row = shape.row if known.row == shape.row else None
    chunk = shape.chunk if known.chunk == shape.chunk else None
    return Shape(lane, row, chunk, shape.exact & known.exact, min(shape.align, known.align))
