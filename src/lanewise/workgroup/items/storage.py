# SPDX-License-Identifier: Apache-2.0
"""Storage of values saved across barriers: one arena element per work-item, or one slot per work-group.

Slots of the group are allocas, which LLVM turns into registers. Arrays are indexed by the linear id, so that a loop
over x walks through them one element after the other; some values share one (`slot_coalescing.py`).
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, final

from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.layout import align_of, round_up, size_of
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value, i64, int_constant
from lanewise.workgroup.items.item_code import ItemCode
from lanewise.workgroup.layout.arena import Arena
from lanewise.workgroup.layout.frame import Frame, ItemIds
from lanewise.workgroup.layout.host_types import host_type
from lanewise.workgroup.layout.interleaved_arrays import Interleaving
from lanewise.workgroup.layout.symbols import Symbols
from lanewise.workgroup.regions.live_values import LiveValues
from lanewise.workgroup.regions.regions import END, RegionGraph
from lanewise.workgroup.regions.slot_coalescing import SavedSlot, SlotCoalescing

_MEMSET: Final = ty.function(ty.VOID, (ty.PTR, ty.I8, ty.I64, ty.I1))

_Element = Callable[[Builder, Value], Value]
"""The function that computes a work-item's part of a reduction, from its linear id (i64)."""


class Kept(NamedTuple):
    """A value that a work-group function saves from one region to the next, or memory for a work-item's own use.

    `use`: "value" (of the kernel), "entrance" (of a phi at a region's start), "condition" (of the group's branch),
    "private" (memory), "votes" (brought to a barrier), "live" (the work-items that have not returned). `bytes` are per
    work-item if `each` is true, else per group. Values that share a place go by the name and use of the first.
    """

    name: str
    use: str
    type: str
    bytes: int
    each: bool


@final
class Storage:
    """The place of every saved value, with the loads and stores for it."""

    def __init__(
        self, graph: RegionGraph, live_values: LiveValues, frame: Frame, arena: Arena, symbols: Symbols,
        interleaved: Mapping[Instruction, Interleaving],
    ) -> None:  # fmt: skip
        self._live_values: Final = live_values
        self.coalescing: Final = SlotCoalescing(graph, live_values)
        self._interleaved: Final = interleaved
        self._frame: Final = frame
        self._arena: Final = arena
        self._names: Final = symbols.source.types
        self._places: Final[dict[tuple[str, Value], Value]] = {}
        self.kept: Final[list[Kept]] = []
        choices = (sum(1 for d in region.destinations if d != END) for region in graph)
        self.next: Final = frame.entry.alloca(ty.I32, "next.slot", 4) if max(choices, default=0) > 1 else None
        """The destination that the work-items came to, if a region has several."""
        self._live: Final = self._array(Kept("", "live", "i8", 1, True), "live") if graph.tracks_live() else None
        """One byte per work-item: 1 until it has returned."""
        if self._live is not None:
            arguments = (self._live, int_constant(ty.I8, 1), frame.block.work_items, int_constant(ty.I1, 0))
            frame.entry.call_function(symbols.external("llvm.memset.p0.i64", _MEMSET), arguments)

    # -- places ------------------------------------------------------------------------------------------------

    def _array(self, kept: Kept, name: str | None) -> Value:
        self.kept.append(kept)
        return self._frame.address(self._arena.array(kept.bytes), name)

    def _place(self, use: str, value: Value, in_array: bool) -> Value:
        """The array or slot of `value` for one use: `value`, `entrance`, `condition`, `vote`."""
        if in_array and isinstance(value, Instruction) and use in ("value", "entrance"):
            use, value = self.coalescing.place(SavedSlot(use, value))
        known = self._places.get((use, value))
        if known is None:
            type_ = stored_type(value.type)
            name = f"{value.name}.{use}" if value.name else use
            kept = Kept(value.name or "", use, str(value.type), size_of(type_, self._names), in_array)
            if in_array:
                known = self._array(kept, name)
            else:
                known = self._frame.entry.alloca(type_, name)
                self.kept.append(kept)
            self._places[use, value] = known
        return known

    def _element(self, array: Value, type_: Type, build: Builder, ids: ItemIds) -> Value:
        return build.address(stored_type(type_), array, [ids.linear])

    # -- values of the group -----------------------------------------------------------------------------------

    def load_once(self, value: Instruction, build: Builder) -> Value:
        return _load(value.type, self._place("value", value, False), build, value.name)

    def store_once(self, original: Instruction, value: Value, build: Builder) -> None:
        _store(value, self._place("value", original, False), build)

    def load_entrance_once(self, phi: Instruction, build: Builder) -> Value:
        return _load(phi.type, self._place("entrance", phi, False), build, phi.name)

    def store_entrance_once(self, phi: Instruction, value: Value, build: Builder) -> None:
        _store(value, self._place("entrance", phi, False), build)

    def store_condition(self, branch: Block, value: Value, build: Builder, item: ItemCode) -> None:
        """Save the condition of the group's branch at the end of `branch`; all work-items bring the same."""
        place = self._place("condition", branch.terminator.operands[0], False)
        item.mark_accesses([_store(value, place, build)])

    def load_condition(self, branch: Block, build: Builder) -> Value:
        condition = branch.terminator.operands[0]
        return _load(condition.type, self._place("condition", condition, False), build, condition.name)

    # -- values of a work-item ---------------------------------------------------------------------------------

    def load(self, value: Instruction, build: Builder, item: ItemCode) -> Value:
        return self._load_at(self._at("value", value, True, build, item), value, build, item)

    def store(self, original: Instruction, value: Value, build: Builder, item: ItemCode) -> None:
        place = self._at("value", original, self._live_values.in_array(original), build, item)
        item.mark_accesses([_store(value, place, build)])

    def load_entrance(self, phi: Instruction, build: Builder, item: ItemCode) -> Value:
        return self._load_at(self._at("entrance", phi, True, build, item), phi, build, item)

    def store_entrance(self, phi: Instruction, value: Value, build: Builder, item: ItemCode) -> None:
        place = self._at("entrance", phi, self._live_values.entrance_in_array(phi), build, item)
        item.mark_accesses([_store(value, place, build)])

    def _at(self, use: str, value: Value, in_array: bool, build: Builder, item: ItemCode) -> Value:
        place = self._place(use, value, in_array)
        return self._element(place, value.type, build, item.ids) if in_array else place

    def _load_at(self, place: Value, value: Instruction, build: Builder, item: ItemCode) -> Value:
        before = len(build.block.instructions)
        loaded = _load(value.type, place, build, value.name)
        item.mark_accesses(build.block.instructions[before:])
        return loaded

    # -- private memory ----------------------------------------------------------------------------------------

    def private_address(self, alloca: Instruction, build: Builder, ids: ItemIds) -> Value:
        """Address of a work-item's own copy of a private variable."""
        assert alloca.source_type is not None
        count = 1
        if alloca.operands:
            assert isinstance(alloca.operands[0], Constant)
            count = alloca.operands[0].integer
        type_ = host_type(alloca.source_type)
        layout = self._interleaved.get(alloca)
        align = layout.element if layout else max(alloca.align, align_of(type_, self._names))
        stride = round_up(size_of(type_, self._names) * count, align)
        array = self._places.get(("private", alloca))
        if array is None:
            array = self._places["private", alloca] = self._array(
                Kept(alloca.name or "", "private", str(alloca.source_type), stride, True), alloca.name
            )
        if layout is not None:
            return layout.address(build, array, stride, ids.linear, alloca.name)
        return build.address(ty.array(stride, ty.I8), array, [ids.linear], alloca.name)

    # -- who is still there ------------------------------------------------------------------------------------

    def set_dead(self, build: Builder, item: ItemCode) -> None:
        """Note that the work-item has returned, while others may go on."""
        assert self._live is not None
        place = self._element(self._live, ty.I8, build, item.ids)
        item.mark_accesses([build.store(int_constant(ty.I8, 0), place, align=1)])

    def is_live(self, build: Builder, item: ItemCode) -> Value:
        assert self._live is not None
        flag = build.load(ty.I8, self._element(self._live, ty.I8, build, item.ids), "live", align=1)
        item.mark_accesses([flag])
        return build.compare("ne", flag, int_constant(ty.I8, 0))

    def count_live(self, build: Builder, function: Function) -> Value:
        """The number of work-items left, i64. Goes on in another block of `build`."""

        def one(item: Builder, index: Value) -> Value:
            assert self._live is not None
            return item.cast("zext", item.load(ty.I8, item.address(ty.I8, self._live, [index]), align=1), ty.I64)

        return self._over_items(ty.I64, "add", one, build, function)

    # -- votes -------------------------------------------------------------------------------------------------

    def store_vote(self, barrier: Instruction, vote: Value, build: Builder, item: ItemCode) -> None:
        """Save the predicate that a work-item brings to a barrier with a reduction, as 0 or 1."""
        if vote.type is not ty.I1:
            vote = build.compare("ne", vote, int_constant(vote.type, 0))
        array = self._vote_array(barrier)
        store = build.store(build.cast("zext", vote, ty.I8), self._element(array, ty.I8, build, item.ids), align=1)
        item.mark_accesses([store])

    def reduce(self, barrier: Instruction, is_partial: bool, build: Builder, function: Function) -> Value:
        """The barrier's result: the number of live work-items that voted, or whether all or any did. Source: PTX ISA
        manual, clause `barrier.red`. `is_partial`: some work-items may have left. Goes on in another block of `build`.
        """
        array = self._vote_array(barrier)
        wants_all = ".and" in barrier.callee

        def vote(item: Builder, index: Value) -> Value:
            brought = item.load(ty.I8, item.address(ty.I8, array, [index]), align=1)
            if is_partial:
                assert self._live is not None
                live = item.load(ty.I8, item.address(ty.I8, self._live, [index]), align=1)
                if wants_all:  # who has left does not vote against
                    dead = item.binary("xor", live, int_constant(ty.I8, 1))
                    brought = item.binary("or", brought, dead)
                else:
                    brought = item.binary("and", brought, live)
            return item.cast("zext", brought, ty.I32)

        operation = "and" if wants_all else "add" if ".popc" in barrier.callee else "or"
        result = self._over_items(ty.I32, operation, vote, build, function)
        return build.cast("trunc", result, barrier.type) if barrier.type is ty.I1 else result

    def _vote_array(self, barrier: Instruction) -> Value:
        known = self._places.get(("vote", barrier))
        if known is None:
            known = self._places["vote", barrier] = self._array(Kept("", "votes", "i1", 1, True), "votes")
        return known

    def _over_items(self, type_: Type, operation: str, element: _Element, build: Builder, function: Function) -> Value:
        """Combine `element` over all work-items by a loop. `build` goes on after it."""
        before = build.block
        loop = function.add_block("over.items")
        build.branch(loop)
        item = Builder(loop)
        index = item.phi(ty.I64, [(i64(0), before)], "item")
        start = int_constant(type_, 1 if operation == "and" else 0)
        total = item.phi(type_, [(start, before)], "total")
        combined = item.binary(operation, total, element(item, index))
        following = item.binary("add", index, i64(1), flags=("nuw", "nsw"))
        for phi, value in ((index, following), (total, combined)):
            phi.append_operand(value)
            phi.append_operand(loop)
        done = function.add_block("over.items.done")
        item.branch_if(item.compare("ult", following, self._frame.block.work_items), loop, done)
        build.block = done
        return combined


def stored_type(type_: Type) -> Type:
    """The type of a value in memory: i8 for i1, otherwise the host's type."""
    return ty.I8 if type_ is ty.I1 else host_type(type_)


def _load(type_: Type, place: Value, build: Builder, name: str | None) -> Value:
    loaded = build.load(stored_type(type_), place, name)
    return build.cast("trunc", loaded, ty.I1, name) if type_ is ty.I1 else loaded


def _store(value: Value, place: Value, build: Builder) -> Instruction:
    return build.store(build.cast("zext", value, ty.I8) if value.type is ty.I1 else value, place)
