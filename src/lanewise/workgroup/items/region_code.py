# SPDX-License-Identifier: Apache-2.0
"""The code of one region: its head, the code for its work-items, and the group's path to the next regions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, final

from lanewise.analysis.call_graph import is_indirect
from lanewise.ir import effects
from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Value
from lanewise.workgroup.items.emission import Emission, Values
from lanewise.workgroup.items.item_code import ItemCode
from lanewise.workgroup.items.iteration_order import IterationOrder
from lanewise.workgroup.items.loop_nest import emit_loops
from lanewise.workgroup.items.own_thread import emit_alone
from lanewise.workgroup.items.refusal import CannotMap, cannot
from lanewise.workgroup.items.region_exits import RegionExits
from lanewise.workgroup.layout.host_types import host_type
from lanewise.workgroup.lowering.dynamic_alloca import allocate, is_dynamic, restore_stack, restores_stack, save_stack
from lanewise.workgroup.regions.in_step import EXCHANGE
from lanewise.workgroup.regions.regions import END, Destination, Region, incoming_from

MOST_BROADCAST: Final = 24
"""Uniform loads of a region that become vectors before its loop over work-items. AVX-512 has 32 registers."""
_DECIDING: Final = frozenset(("br", "switch", "phi", "getelementptr", "store"))
"""Users of a value that compute nothing from it for each work-item."""


@final
class _Known:
    """Values of the kernel that are at hand in the function: `once` for the group, `each` for a work-item."""

    __slots__ = ("each", "once")

    def __init__(self) -> None:
        self.once: Final[Values] = {}
        self.each: Final[Values] = {}

    def get(self, value: Value) -> Value | None:
        return self.once.get(value) or self.each.get(value)


@final
class RegionCode:
    """The code of one region."""

    def __init__(self, emission: Emission, region: Region, is_partial: bool) -> None:
        self.is_partial: Final = is_partial
        """Some work-items have left: each tests whether it is still live."""
        self.emission: Final = emission
        self.regions: Final = emission.regions
        self.region: Final = region
        self.live_values: Final = emission.regions.live_values
        self.storage: Final = emission.storage
        self.live: Final = self.live_values.live_ins[region]
        self.always: Final = _always_executed(region)
        self.head: Final = Builder(emission.heads.head(region, is_partial))
        self.item: Final = ItemCode(emission.module, emission.function, emission.lowering.frame.block, region.index)
        self.brought: Final = _Known()
        self.made: Final = _Known()
        """Values that live from earlier regions, and values that this one makes. One may be both: in a loop that the
        region starts in the middle of, it gets the old value and makes the next."""
        self.blocks: Final = {block: self.item.new_block(block.name) for block in region.blocks}
        self.incoming: Final[dict[tuple[Instruction, Block], Value]] = {}
        """Phi and predecessor within the region -> the value that comes from there."""
        self.exits: Final = RegionExits(emission, region, is_partial, self._condition)
        self.single_exit: Final = sum(d != END for d in region.leaving.values()) == 1
        """True if all work-items that go on leave the region from one place."""
        self.pointers: Final[dict[Instruction, Value]] = {}
        """The kernel's address for each load and store that comes from one of the kernel."""
        self.stack_before: Value | None = None
        """The thread's stack at the start of a work-item, if the region allocates on it."""

    def emit(self) -> None:
        self._begin_group()
        self._hoist()
        self._leave_once()
        if self.exits.numbered:
            assert self.storage.next is not None
            self.head.store(self.exits.number(self.exits.destinations[0]), self.storage.next)
        self._emit_items()
        # A loop may be one that never ends; those that must end and do nothing, LLVM has dropped.
        useful = any(effects.writes(i) or i.is_volatile for block in self.item.blocks() for i in block.instructions)
        useful = useful or any(self.region.repeats(block) for block in self.region.blocks)
        if not (useful or self.exits.loses_items or self.exits.numbered):
            self.item.discard()
            self.exits.emit(self.head)
        else:
            self.exits.emit(self._map())

    def _map(self) -> Builder:
        """Make the code of one work-item that of all. Returns the place after it."""
        own = self.emission.lowering.frame.own_thread
        if own is not None:
            self.emission.remarks.append(f"region {self.region.index}: each thread on a stack of its own")
            done, ids = emit_alone(self.item, self.head, own)
            self.emission.items.update(dict.fromkeys(self.item.blocks(), ids))
            return done
        mapper = self.emission.mapper
        where = f"region {self.region.index}{' (some have returned)' if self.is_partial else ''}"
        in_step = self.region in self.regions.in_step
        if mapper is not None and mapper.takes(in_step):
            try:
                if any(self.emission.lowering.calls_out_of_line(i) for b in self.region.blocks for i in b.instructions):
                    cannot("a call of a function that is not inlined")
                done, (remark, *costs) = mapper.map(self.item, self.head, in_step)
            except CannotMap as reason:
                if mapper.required:
                    self.emission.lowering.refuse(f"{reason} in a kernel with operations of the warp is not supported")
                lost = f"; {EXCHANGE}, which a loop doesn't keep in step" if in_step else ""
                self.emission.remarks.append(f"{where}: a loop over work-items, because of {reason}{lost}")
            else:
                kept = f"; whole warps in step, since {EXCHANGE}" if in_step else ""
                self.emission.remarks.extend([f"{where}: {remark}{kept}", *(f"{where}: {cost}" for cost in costs)])
                self.item.discard()
                return done
        else:
            lost = f"; {EXCHANGE}, which a loop doesn't keep in step" if in_step else ""
            self.emission.remarks.append(f"{where}: a loop over work-items{lost}")
        self.emission.items.update(dict.fromkeys(self.item.blocks(), self.item.ids))
        self._keep_order()
        return emit_loops(self.emission.module, self.item, self.head)

    def _keep_order(self) -> None:
        """Keep the order of accesses within a work-item, although work-items are promised to be independent."""
        item = self.item
        order = IterationOrder(item.first, item.last, item.indices, self.emission.module.types, self.pointers)
        if not order.keep(self.head):
            item.unmark_accesses()

    # -- once per group ----------------------------------------------------------------------------------------

    def _begin_group(self) -> None:
        """Load the values that live once per group, and reduce the votes of work-items at the barrier just passed."""
        barrier = self.regions.graph.barrier_before(self.region)
        if barrier is not None:
            self.brought.once[barrier] = self.storage.reduce(
                barrier, self.is_partial, self.head, self.emission.function
            )
            if barrier in self.live_values.slots and not self.live_values.in_array(barrier):
                self.storage.store_once(barrier, self.brought.once[barrier], self.head)
        for value in self.live.early:
            if (
                value is not barrier
                and not self.live_values.is_rematerialised(value)
                and not self.live_values.in_array(value)
            ):
                self.brought.once[value] = self.storage.load_once(value, self.head)
        for phi in self.region.start.phis:
            if not self.live_values.entrance_in_array(phi):
                self._keep_once(phi, self.storage.load_entrance_once(phi, self.head), self.region.start)

    def _hoist(self) -> None:
        """Compute uniform values before the loop over work-items."""
        stay = self._broadcast_loads()
        written = False
        for block in self.region.blocks:
            if block is not self.region.start:
                self._hoist_phis(block)
            once = block in self.always and not self.region.repeats(block)  # in a loop, later stores come before, too
            for instruction in block.instructions:
                readable = instruction.op == "load" and not instruction.flags and not written and once
                movable = readable or (effects.is_pure(instruction) and instruction.op != "phi")
                if instruction in stay:
                    continue
                if movable and self._is_uniform(instruction) and self._all_at_hand(instruction, block):
                    operands = _mapped(instruction, partial(self._once, block=block))
                    with self.emission.function.at_place_of(instruction):
                        value = self.emission.lowering.lower(instruction, operands, self.head, None)
                    assert value is not None
                    self._keep_once(instruction, value, block)
                written = written or effects.writes(instruction)

    def _broadcast_loads(self) -> set[Instruction]:
        """Uniform loads that only values of each work-item are computed from here, if they are too many for registers.

        Moved out of the loop over work-items, each would become a vector there, which is stored to the stack and loaded
        where it is used. Where they are, processors load and broadcast them as operands.
        """
        found = {
            instruction
            for block in self.region.blocks
            for instruction in block.instructions
            if instruction.op == "load" and self._is_uniform(instruction) and instruction not in self.live_values.slots
            if not any(user.op in _DECIDING or self.regions.uniformity.is_uniform(user) for user in instruction.users)
        }
        return found if len(found) > MOST_BROADCAST else set()

    def _hoist_phis(self, block: Block) -> None:
        """Replace each uniform phi that has one value within the region by that value."""
        inside = self.region.predecessors(block)
        for phi in block.phis if len(inside) == 1 else ():
            value = incoming_from(phi, inside[0])
            if self._is_uniform(phi) and self._at_hand(value, inside[0]):
                self._keep_once(phi, self._once(value, inside[0]), block)

    def _leave_once(self) -> None:
        """Leave uniform values for the next region's phis, if the group has them and the place is known."""
        for (source, _), destination in self.region.leaving.items():
            for phi, value in destination.entering(source):
                if self._leaves_once(phi, value, source):
                    self.storage.store_entrance_once(phi, self._once(value, source), self.head)

    def _leaves_once(self, phi: Instruction, value: Value, source: Block) -> bool:
        return self.single_exit and not self.live_values.entrance_in_array(phi) and self._at_hand(value, source)

    def _keep_once(self, original: Instruction, value: Value, block: Block) -> None:
        """Note a value of the group, which the region makes in `block`. If each run comes there, its slot is written
        in the head; else by the work-items that do."""
        self.made.once[original] = value
        kept = original in self.live_values.slots and not self.live_values.in_array(original)
        if kept and block in self.always:
            self.storage.store_once(original, value, self.head)

    def _is_uniform(self, instruction: Instruction) -> bool:
        return self.regions.uniformity.is_uniform(instruction) and instruction not in self.live_values.forced

    def _known(self, value: Instruction, block: Block) -> _Known:
        """The values to search for `value` at a use in `block`: the region may get it, make it anew, or both."""
        return self.made if self.region.makes_before(value, block) else self.brought

    def _at_hand(self, value: Value, block: Block) -> bool:
        """Return whether the group as a whole has `value` for a use in `block`."""
        return not isinstance(value, Instruction) or value in self._known(value, block).once

    def _all_at_hand(self, instruction: Instruction, block: Block) -> bool:
        return all(self._at_hand(operand, block) for operand in instruction.operands)

    def _once(self, value: Value, block: Block) -> Value:
        """The group's value, which is at hand."""
        if isinstance(value, Instruction):
            return self._known(value, block).once[value]
        return self.emission.value(value)

    # -- each work-item ----------------------------------------------------------------------------------------

    def _emit_items(self) -> None:
        self.build = self.item.begin()
        if any(is_dynamic(i) for block in self.region.blocks for i in block.instructions):
            self.stack_before = save_stack(self.emission.lowering.symbols, self.build)
        if self.is_partial:
            self.build = self.item.only_if(self.storage.is_live(self.build, self.item), self.build)
        for value in self.live.early:
            self._bring_in(value)
        own_phis = [phi for phi in self.region.start.phis if phi not in self.made.once]
        for phi in own_phis:
            self.made.each[phi] = self.storage.load_entrance(phi, self.build, self.item)
        barrier = self.regions.graph.barrier_before(self.region)
        if barrier in self.live_values.slots and self.live_values.in_array(barrier):
            self.storage.store(barrier, self.brought.once[barrier], self.build, self.item)
        for phi in own_phis:
            if not self.storage.coalescing.keeps_value(phi):
                self._store_if_kept(phi)
        self.build.branch(self.blocks[self.region.start])
        for block in self.region.blocks:
            self._emit_block(block)
        for (phi, before), value in self.incoming.items():
            new = self.made.each[phi]
            assert isinstance(new, Instruction)
            for _ in range(before.successors.count(phi.parent)):  # a switch may have several edges to a block
                new.append_operand(value)
                new.append_operand(self.blocks[before])

    def _bring_in(self, value: Instruction) -> Value:
        """A value that lives from an earlier region, for the start of a work-item."""
        known = self.brought.get(value)
        if known is not None:
            return known
        if is_dynamic(value):
            self.emission.lowering.refuse("alloca() of a size that only the run knows can't be used across a barrier")
        if value.op == "alloca":
            known = self.storage.private_address(value, self.build, self.item.ids)
        elif self.live_values.is_rematerialised(value):
            known = self._lower(value, _mapped(value, self._bring_in_operand))
            assert known is not None, f"{value!r} has no value"
        else:
            known = self.storage.load(value, self.build, self.item)
        self.brought.each[value] = known
        return known

    def _bring_in_operand(self, value: Value) -> Value:
        return self._bring_in(value) if isinstance(value, Instruction) else self.emission.value(value)

    def _emit_block(self, block: Block) -> None:
        self.build = Builder(self.blocks[block])
        phis = block.phis if block is not self.region.start else []
        for phi in phis:
            if phi not in self.made.once:
                self.made.each[phi] = self.build.phi(host_type(phi.type), (), phi.name)
        for phi in phis:
            if phi not in self.made.once or block not in self.always:
                self._store_if_kept(phi)
        for instruction in block.instructions:
            if instruction.op == "phi" or instruction.is_debug_record:
                continue
            if instruction.is_terminator:
                self._emit_end(block, instruction)
            elif instruction in self.made.once:
                if block not in self.always:
                    self._store_if_kept(instruction)
            else:
                with self.emission.function.at_place_of(instruction):
                    self._emit_instruction(instruction, block)

    def _emit_instruction(self, instruction: Instruction, block: Block) -> None:
        arriving = self.region.leaving.get((block, None))
        if arriving is not None and arriving.barrier is instruction:
            if instruction.type is not ty.VOID:
                vote = self._operand(instruction.arguments[-1], block)
                self.storage.store_vote(instruction, vote, self.build, self.item)
        elif is_dynamic(instruction):
            count = self._operand(instruction.operands[0], block)
            self.made.each[instruction] = allocate(instruction, count, self.build)
        elif restores_stack(instruction) and self._is_from_elsewhere(instruction.arguments[0], block):
            pass  # of a function call that a barrier interrupts: the end of each work-item's code frees more
        elif instruction.op == "alloca":
            self.made.each[instruction] = self.storage.private_address(instruction, self.build, self.item.ids)
        else:
            value = self._lower(instruction, _mapped(instruction, partial(self._operand, block=block)))
            if value is not None:
                self.made.each[instruction] = value
                self._store_if_kept(instruction)

    def _lower(self, instruction: Instruction, operands: list[Value]) -> Value | None:
        before = len(self.build.block.instructions)
        value = self.emission.lowering.lower(instruction, operands, self.build, self.item.ids)
        made = self.build.block.instructions[before:]
        self.item.mark_accesses(made)
        if instruction.op in ("load", "store"):
            self.pointers.update(dict.fromkeys(made, effects.pointer_operand(instruction)))
        return value

    def _operand(self, value: Value, block: Block) -> Value:
        """The value for a use of `value` in `block`. One that comes late is loaded at the place of `build`."""
        if not isinstance(value, Instruction):
            return self.emission.value(value)
        known = self._known(value, block)
        if known is self.brought and value in self.live.late:
            return self.storage.load(value, self.build, self.item)
        found = known.get(value)
        assert found is not None, f"region {self.region.index} has no {value!r} in {block.name}"
        return found

    def _is_from_elsewhere(self, value: Value, block: Block) -> bool:
        return isinstance(value, Instruction) and self._known(value, block) is self.brought

    def _store_if_kept(self, original: Instruction) -> None:
        if original in self.live_values.slots:
            value = self.made.get(original)
            assert value is not None
            self.storage.store(original, value, self.build, self.item)

    # -- the end of a region -----------------------------------------------------------------------------------

    def _emit_end(self, block: Block, terminator: Instruction) -> None:
        """Emit the terminator of a block, which goes on within the region or leaves it."""
        whole = self.region.leaving.get((block, None))
        if whole is not None:
            self._arrive(whole, block)
            return
        for successor in self.region.inside[block]:
            for phi in successor.phis:
                if phi not in self.made.once:
                    self.incoming[phi, block] = self._operand(incoming_from(phi, block), block)
        operands = [self._operand(o, block) for o in terminator.operands if not isinstance(o, Block)]
        end = self.build
        edges: dict[Block, Block] = {}
        for successor in dict.fromkeys(block.successors):
            destination = self.region.leaving.get((block, successor))
            if destination is None:
                edges[successor] = self.blocks[successor]
            else:
                edges[successor] = self.item.new_block(f"{block.name}.leave")
                self.build = Builder(edges[successor])
                self._arrive(destination, block)
        rest = iter(operands)
        targets = [edges[o] if isinstance(o, Block) else next(rest) for o in terminator.operands]
        end.emit(Instruction(terminator.op, ty.VOID, targets, metadata=_loop_hints(terminator)))

    def _arrive(self, destination: Destination, source: Block) -> None:
        """Emit a work-item's arrival at a destination: leave what the next region needs, note the destination."""
        self._leave_each(destination, source)
        if destination.branch is not None:
            condition = source.terminator.operands[0]
            if self._condition(source) is None:
                self.storage.store_condition(source, self._operand(condition, source), self.build, self.item)
        if self.exits.loses_items and destination == END:
            self.storage.set_dead(self.build, self.item)
        if self.exits.numbered and destination != END:
            assert self.storage.next is not None
            self.build.store(self.exits.number(destination), self.storage.next)
        if self.stack_before is not None:
            restore_stack(self.stack_before, self.emission.lowering.symbols, self.build)
        self.item.end(self.build)

    def _leave_each(self, destination: Destination, source: Block) -> None:
        """Leave the work-item's values for the next region's phis. If the group knows which region that will be, leave
        them for the phis of that region only."""
        left: dict[Block, list[tuple[Instruction, Value]]] = {}
        for phi, value in destination.entering(source):
            kept = self.storage.coalescing.keeps_entrance(phi, value, self.region)
            if not kept and not self._leaves_once(phi, value, source):
                left.setdefault(phi.parent, []).append((phi, self._operand(value, source)))
        condition = self._known_condition(source) if left and destination.branch is not None else None
        for target, values in left.items():
            before, rest = self.build, None
            if condition is not None:
                self.build, rest = Builder(self.item.new_block(f"{target.name}.next")), self.item.new_block("leave")
                targets = (self.build.block, rest) if source.successors[0] is target else (rest, self.build.block)
                before.branch_if(condition, *targets)
            for phi, value in values:
                self.storage.store_entrance(phi, value, self.build, self.item)
            if rest is not None:
                self.build.branch(rest)
                self.build = Builder(rest)

    def _known_condition(self, source: Block) -> Value | None:
        """The condition of the group's branch between two regions, if it is known before the work-items run. None for a
        loop over work-items, which has no branch at its end, so that LLVM can vectorise it."""
        if self.emission.mapper is None or source.terminator.op != "br" or len(set(source.successors)) != 2:
            return None
        return self._condition(source)

    def _condition(self, source: Block) -> Value | None:
        """The group's value of the condition at the end of a block, if it has one."""
        condition = source.terminator.operands[0]
        return self._once(condition, source) if self._at_hand(condition, source) else None


def _always_executed(region: Region) -> set[Block]:
    """Blocks that every work-item of the region comes through: the chain of single successors from its start."""
    found: set[Block] = set()
    block = region.start
    while block not in found:
        found.add(block)
        inside = region.inside[block]
        if len(inside) != 1 or any(source is block for source, _ in region.leaving):
            break
        block = inside[0]
    return found


def _mapped(instruction: Instruction, value_of: Callable[[Value], Value]) -> list[Value]:
    """Operands in the work-group function. A callee that is no value of the kernel is unchanged."""
    first = 1 if instruction.op == "call" and not is_indirect(instruction) else 0
    return [*instruction.operands[:first], *map(value_of, instruction.operands[first:])]


def _loop_hints(terminator: Instruction) -> tuple[tuple[str, str], ...]:
    """Hints of the source for a loop (unroll it or not), which stay with its branch."""
    return tuple(m for m in terminator.metadata if m[0] == "!llvm.loop")
