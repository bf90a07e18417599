# SPDX-License-Identifier: Apache-2.0
"""reuse-loads: partial redundancy elimination of loads.

Why
    A load from global memory costs some hundred cycles, and a slot in the load unit. A loop over `a[i]` and `a[i + 1]`
    loads each element twice. Of 521 kernels, NVIDIA's compiler made 47 over 3 % faster by removing such loads, and 44
    over 3 % slower, since values stayed in registers for longer (cuda-compiling-and-optimizing-2012, 3.4 and Table 1).

Before
    define void @f(ptr noalias %out, ptr %in, i32 %first, i32 %n) {
    entry:
      br label %loop
    loop:
      %i = phi i32 [ %first, %entry ], [ %i.next, %loop ]
      %wide = zext nneg i32 %i to i64
      %p = getelementptr inbounds float, ptr %in, i64 %wide
      %a = load float, ptr %p, align 4
      %p.next = getelementptr inbounds i8, ptr %p, i64 4
      %b = load float, ptr %p.next, align 4
      %sum = fadd float %a, %b
      %q = getelementptr inbounds float, ptr %out, i64 %wide
      store float %sum, ptr %q, align 4
      %i.next = add nsw i32 %i, 1
      %done = icmp eq i32 %i.next, %n
      br i1 %done, label %end, label %loop
    end:
      ret void
    }

After
    define void @f(ptr noalias %out, ptr %in, i32 %first, i32 %n) {
    entry:
      %0 = zext nneg i32 %first to i64
      %1 = getelementptr inbounds float, ptr %in, i64 %0
      %2 = load float, ptr %1, align 4
      br label %loop
    loop:
      %3 = phi float [ %2, %entry ], [ %b, %loop ]
      %i = phi i32 [ %first, %entry ], [ %i.next, %loop ]
      %wide = zext nneg i32 %i to i64
      %p = getelementptr inbounds float, ptr %in, i64 %wide
      %p.next = getelementptr inbounds i8, ptr %p, i64 4
      %b = load float, ptr %p.next, align 4
      %sum = fadd float %3, %b
      %q = getelementptr inbounds float, ptr %out, i64 %wide
      store float %sum, ptr %q, align 4
      %i.next = add nsw i32 %i, 1
      %done = icmp eq i32 %i.next, %n
      br i1 %done, label %end, label %loop
    end:
      ret void
    }

Needs
    1. The load is neither volatile nor atomic.
    2. A load or store of the same type and address comes before it, on all paths or on all but one. Nothing in between
       may change what is there, or let other threads change it: `analysis/aliases.py` tells.
    3. The address is the same sum, in which phis are taken for the values that they have on the path: `a[i]` is what
       was `a[i + 1]` one turn before. No other value in it is computed in between.
    4. On the path that has none, a load is put on the last edge from which all paths lead to this load. Nothing on
       them may end the thread or wait for others: the address is dereferenced anyway.
    5. The address on that edge is computed by the same instructions as the load's, none of which has an effect, with
       the values that phis have on the only way from there.
    6. That edge enters a loop in which the load is, or it is decided by a branch that all threads of a block take
       together. In an arm of a divergent branch, a warp would go on to execute as many loads as before.
    7. The value doesn't bring a block, from where it is known to where it is used, above 64 registers by the estimate
       of `analysis/live_registers.py`.

Method
    From a load, blocks are gone through backwards, along all edges, with the address as it is on each. What is found
    joins in phis. Then a value from the turn before is in a register that rotates, and one that the loop doesn't change
    is loaded before it.

When not
    It runs on request: docs/gpu.md has the kernels that gain. Values of another type or size than the load's. Values
    from two turns before. Constant memory and parameters, which arithmetic has as operands for nothing.

Neighbours
    LLVM's GVN and LICM have done this already, before it unrolled loops, and knowing less of memory spaces. They don't
    see through products with a length of rows. Runs after eliminate-dead-stores, and before
    reassociate-pointer-arithmetic, which has fewer addresses to compute then.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, final

from lanewise.analysis.address_polynomials import Address
from lanewise.analysis.aliases import Aliases, Location
from lanewise.analysis.live_registers import LiveRegisters, live_registers, registers_of
from lanewise.analysis.uniformity import Uniformity, uniformity
from lanewise.ir import effects
from lanewise.ir import types as ty
from lanewise.ir.address_spaces import CONSTANT, PARAMETER
from lanewise.ir.dominators import DominatorTree, dominators
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.loops import LoopInfo, find_loops
from lanewise.ir.module import Module
from lanewise.ir.unused import erase_unused
from lanewise.ir.values import Value

_MOST_EVENTS: Final = 200
"""Instructions that touch memory and are looked at for a load."""
_MOST_PLACES: Final = 24
"""Blocks that are gone through for a load."""
_MOST_REGISTERS: Final = 64
_CHEAP: Final = frozenset({CONSTANT, PARAMETER})
"""Memory that an instruction has its operands in for nothing."""
_PROMISES: Final = frozenset({"!range", "!nonnull", "!noundef", "!align", "!dereferenceable"})
"""Metadata by which a loaded value may be poison."""


def run(function: Function, module: Module) -> bool:
    """Reuse loaded and stored values in a function; see above. Returns whether anything changed."""
    changed = False
    while function.blocks and _once(function, module):
        changed = True
    return changed


def _once(function: Function, module: Module) -> bool:
    if not any(_loads(each) for each in function.instructions()):
        return False
    reuse = _Reuse(function, module)
    changed = False
    for block in reuse.tree.order:
        for load in [each for each in block.instructions if _loads(each) and reuse.is_promising(each)]:
            changed |= reuse.replace(load)
            if reuse.is_outdated:
                return True
    return changed


def _loads(instruction: Instruction) -> bool:
    return instruction.op == "load" and not effects.is_ordered(instruction)  # 1


class _Place(NamedTuple):
    """The start of a block, where the value at an address is looked for."""

    block: Block
    address: Address


class _Edge(NamedTuple):
    """An edge to a block, and the address that is looked for on it."""

    source: Block
    address: Address
    found: "Value | _Place | None"
    """The value there; the place to look on at; None if the value isn't known."""


class _Unknown:
    """The answer that a block changes what is at an address, or makes the address."""


class _Through:
    """The answer that a block leaves alone what is at an address."""


class _Event(NamedTuple):
    """An instruction of a block that touches memory, and its place."""

    instruction: Instruction
    place: int
    type: ty.Type | None
    """The type of what a load or store accesses that is neither volatile nor atomic, and the address."""
    address: Address | None
    changes: bool
    """It may change memory."""


_Edges = Mapping[_Place, list[_Edge]]


@final
class _Reuse:
    """The loads of a function, and what is known of them."""

    def __init__(self, function: Function, module: Module) -> None:
        self.tree: Final[DominatorTree] = dominators(function)
        self._function: Final = function
        self._aliases: Final = Aliases(function, module)
        self._events: Final[dict[Block, tuple[list[_Event], dict[Instruction, int]]]] = {}
        self._loops: Final[LoopInfo] = find_loops(function, self.tree)
        self._registers: LiveRegisters | None = None
        self._uniformity: Uniformity | None = None
        self._left = 0
        self.is_outdated = False
        """A block was made, which the dominators and loops at hand don't have."""
        self._count: Final[Counter[tuple[ty.Type, object]]] = Counter()
        """Accesses with a type and objects, and with a type and an address."""
        for access in function.instructions():
            if access.op in ("load", "store"):
                location, type_ = self._aliases.location(access), effects.accessed_type(access)
                self._count[type_, location.objects] += 1
                self._count[type_, location.address] += 1

    def is_promising(self, load: Instruction) -> bool:
        """False if no other access has this type and address, and the load's address changes at each turn of a loop."""
        location = self._aliases.location(load)
        if self._count[load.type, location.objects] > 1:
            parts = [part for part in location.address.parts if isinstance(part, Instruction)]
            if self._count[load.type, location.address] > 1 or any(part.op == "phi" for part in parts):
                return True
        loop = self._loops.innermost(load.parent)
        return loop is not None and not any(
            isinstance(part, Instruction) and part.parent in loop.blocks for part in location.address.parts
        )

    def replace(self, load: Instruction) -> bool:
        """Replace a load by values that are known. Returns whether it is gone."""
        location = self._aliases.location(load)
        if any(self._aliases.space_of(each) in _CHEAP for each in location.objects):
            return False
        self._left = _MOST_EVENTS
        found = self._back(load.parent, load, location.address, location, load)
        if isinstance(found, _Unknown):
            return False
        if isinstance(found, Value):
            self._put(found, (found,), load)
            return True
        start = _Place(load.parent, location.address)
        edges = self._edges(start, location, load)
        if edges is None:
            return False
        missing = [(place, edge) for place, some in edges.items() for edge in some if edge.found is None]
        if len(missing) > 1:  # 2
            return False
        if not self._leaves_registers(edges, load):  # 7
            return False
        for place, edge in missing:
            if not self._may_insert(place, edge, start, edges, load):
                return False
            edges = self._with_load(place, edge, start, edges, load)
        found = [edge.found for some in edges.values() for edge in some if isinstance(edge.found, Value)]
        value = _joined(start, edges, load)
        for place in edges:
            self._events.pop(place.block, None)
        self._put(value, found, load)
        return True

    # -- looking for values --------------------------------------------------------------------------------------

    def _edges(self, start: _Place, location: Location, load: Instruction) -> "_Edges | None":
        """The edges that the value is looked for on, by the place that they lead to, from that of the load on. Places
        from which no value comes are left out. None if there is no value, or too much to look at."""
        edges: dict[_Place, list[_Edge]] = {}
        polynomials = self._aliases.polynomials
        blocks: set[Block] = set()
        work = [start]
        while work:
            place = work.pop()
            if place in edges:
                continue
            block = place.block
            if len(edges) == _MOST_PLACES or block is self._function.entry:
                return None
            edges[place] = []
            blocks.add(block)
            for source in block.predecessors:
                if source.successors.count(block) != 1:
                    return None
                parts = [each for each in place.address.parts if isinstance(each, Instruction) and each.block is block]
                values = {phi: _incoming(phi, source) for phi in parts}
                address = polynomials.replaced(place.address, values) if values else place.address  # 3
                found = self._back(source, None, address, location, load)
                if isinstance(found, _Through):
                    further = _Place(source, address)
                    is_end = source is self._function.entry or (source in blocks and further not in edges)
                    found = None if is_end else further
                    if found is not None:
                        work.append(found)
                edges[place].append(_Edge(source, address, None if isinstance(found, _Unknown) else found))
        return _useful(start, edges)

    def _back(
        self, block: Block, end: Instruction | None, address: Address, location: Location, load: Instruction
    ) -> "Value | _Unknown | _Through":
        """The value at an address at the end of a block, or before an instruction of it."""
        events, places = self._events_of(block)
        last = len(places) if end is None else places[end]
        made = max((places.get(part, -1) for part in address.parts if _is_made(part, block)), default=-1)
        wanted = Location(address, location.objects, location.size)
        for event in reversed(events):
            if event.place >= last or event.instruction.block is None:
                continue
            self._left -= 1
            if event.place < made or self._left < 0:  # 3
                break
            if event.type is load.type and event.address == address:  # 2
                return event.instruction if event.instruction.op == "load" else event.instruction.operands[0]
            if event.changes and self._aliases.may_change(event.instruction, wanted):  # 2
                return _Unknown()
        return _Unknown() if made >= 0 or self._left < 0 else _Through()

    def _events_of(self, block: Block) -> "tuple[list[_Event], dict[Instruction, int]]":
        """The instructions of a block that touch memory, in order, and the places of all."""
        known = self._events.get(block)
        if known is None:
            places = {each: place for place, each in enumerate(block.instructions)}
            events = [self._event(each, place) for each, place in places.items() if effects.touches_memory(each)]
            known = self._events[block] = events, places
        return known

    def _event(self, instruction: Instruction, place: int) -> "_Event":
        if instruction.op not in ("load", "store") or effects.is_ordered(instruction):
            return _Event(instruction, place, None, None, True)
        address, type_ = self._aliases.location(instruction).address, effects.accessed_type(instruction)
        return _Event(instruction, place, type_, address, instruction.op == "store")

    # -- deciding ------------------------------------------------------------------------------------------------

    def _leaves_registers(self, edges: "_Edges", load: Instruction) -> bool:
        """True if the value may stay in registers from where it is known to the load."""
        if self._registers is None:
            self._registers = live_registers(self._function)
        blocks = {load.parent, *(place.block for place in edges)}
        most = max(self._registers.most(block) for block in blocks)
        return most + registers_of(load.type) <= _MOST_REGISTERS

    def _may_insert(self, place: _Place, edge: _Edge, start: _Place, edges: "_Edges", load: Instruction) -> bool:
        pointer = effects.pointer_operand(load)
        chain = _chain(place, edge, start, edges, pointer)
        if chain is None or not _is_computed(pointer, chain):  # 5
            return False
        if not self._pays(place.block, edge.source, load.parent):  # 6
            return False
        return self._leads_to(place, start, edges, load)  # 4

    def _pays(self, block: Block, source: Block, target: Block) -> bool:
        """True if a load on an edge is executed more rarely than the one that it stands for."""
        loops = self._loops.around(target)
        if any(source not in loop.blocks for loop in loops):
            return True
        loop = self._loops.innermost(block)
        if (loop is not None and loop.header is block) or not self._function.is_kernel:
            return False
        above = self.tree.immediate(block)
        if self._uniformity is None:
            self._uniformity = uniformity(self._function)
        return above is not None and self._uniformity.takes_one_way(above)

    @staticmethod
    def _leads_to(first: _Place, start: _Place, edges: "_Edges", load: Instruction) -> bool:
        """True if all paths from a place lead to the load, with the address that is looked for."""
        addresses: dict[Block, set[Address]] = {}
        for place in edges:
            addresses.setdefault(place.block, set()).add(place.address)
        done: set[Block] = set()

        def leads(block: Block, above: frozenset[Block]) -> bool:
            if len(addresses.get(block, ())) != 1 or block in above:
                return False
            if block in done:
                return True
            done.add(block)
            for instruction in block.instructions:
                if instruction is load:
                    return True
                if effects.may_not_return(instruction) or effects.orders(instruction):
                    return False
            further = block.successors
            return bool(further) and all(leads(each, above | {block}) for each in further)

        return leads(first.block, frozenset())

    # -- changing ------------------------------------------------------------------------------------------------

    def _with_load(self, place: _Place, edge: _Edge, start: _Place, edges: "_Edges", load: Instruction) -> "_Edges":
        """Put a load on an edge. Returns the edges with its value."""
        pointer = effects.pointer_operand(load)
        chain = _chain(place, edge, start, edges, pointer)
        assert chain is not None, "checked before"
        source = block = edge.source
        if len(source.successors) > 1:
            block = _split(source, place.block)
            self.is_outdated = True
            chain[-1] = block, place.block
        self._events.pop(block, None)
        value = _append(block, load.copied([_copied(pointer, chain, block, {})]))

        def changed(to: _Place, each: _Edge) -> _Edge:
            if to.block is not place.block or each.source is not source:
                return each
            return each._replace(source=block, found=value if to == place else each.found)

        return {to: [changed(to, each) for each in some] for to, some in edges.items()}

    def _put(self, value: Value, found: Sequence[Value], load: Instruction) -> None:
        """Replace a load by a value that it would load; `found` are those that it is made of."""
        kept = [each for each in load.metadata if each[0] in _PROMISES]
        for each in found:
            if isinstance(each, Instruction) and each.op == "load":
                each.metadata = tuple(node for node in each.metadata if node[0] not in _PROMISES or node in kept)
        load.replace_all_uses(value)
        operands = [operand for operand in load.operands if isinstance(operand, Instruction)]
        is_in_addresses = load.type.is_int or load.type.is_pointer
        load.erase()
        erase_unused(operands)
        if is_in_addresses:  # known addresses would name a value that is in no block any more
            self._aliases.forget()
            self._events.clear()


def _is_made(part: Value, block: Block) -> bool:
    return isinstance(part, Instruction) and part.block is block and part.op != "phi"


def _useful(start: _Place, edges: Mapping[_Place, list[_Edge]]) -> "_Edges | None":
    """The edges of those places from which some value comes; None if none comes to the load's."""
    useful: set[_Place] = set()
    changed = True
    while changed:
        changed = False
        for place, some in edges.items():
            if place not in useful and any(isinstance(e.found, Value) or e.found in useful for e in some):
                useful.add(place)
                changed = True
    if start not in useful:
        return None
    kept: dict[_Place, list[_Edge]] = {}
    work = [start]
    while work:
        place = work.pop()
        if place not in kept:
            kept[place] = [
                edge._replace(found=None) if isinstance(edge.found, _Place) and edge.found not in useful else edge
                for edge in edges[place]
            ]
            work += [edge.found for edge in kept[place] if isinstance(edge.found, _Place)]
    return kept


def _chain(
    place: _Place, edge: _Edge, start: _Place, edges: "_Edges", pointer: Value
) -> list[tuple[Block, Block]] | None:
    """The edges (source, block) from the load's block back to an edge; None if there are several ways. A pointer that
    is computed on none of them needs that edge alone."""
    chain = [(edge.source, place.block)]
    if not isinstance(pointer, Instruction) or all(each.block is not pointer.block for each in edges):
        return chain
    while place != start:
        further = [(each.source, to) for to, some in edges.items() for each in some if each.found == place]
        if len(further) != 1 or len(chain) > _MOST_PLACES:
            return None
        ((source, place),) = further
        chain.insert(0, (source, place.block))
    return chain


def _joined(start: _Place, edges: "_Edges", load: Instruction) -> Value:
    """The value at the start of the load's block, by phis where paths join. All uses of the load get it."""
    made: dict[_Place, Instruction] = {
        place: place.block.insert(0, Instruction("phi", load.type)) for place, some in edges.items() if len(some) > 1
    }

    def at(found: "Value | _Place | None") -> Value:
        while isinstance(found, _Place) and found not in made:
            found = edges[found][0].found
        assert found is not None, "the value is known on all edges"
        return made[found] if isinstance(found, _Place) else found

    for place, phi in made.items():
        for edge in edges[place]:
            phi.append_operand(at(edge.found))
            phi.append_operand(edge.source)
    value = at(start)
    load.replace_all_uses(value)
    changed = True
    while changed:
        changed = False
        for phi in made.values():
            known = _known(phi) if phi.block else None
            if known is not None:
                value = known if value is phi else value
                phi.replace_all_uses(known)
                phi.erase()
                changed = True
    return value


def _known(phi: Instruction) -> Value | None:
    """A value that a phi always is: the only one that comes in, or another phi."""
    others = dict.fromkeys(each for each, _ in phi.incoming() if each is not phi)
    if len(others) == 1:
        return next(iter(others))
    values = {before: each for each, before in phi.incoming()}
    same = (
        other
        for other in phi.parent.phis
        if other is not phi and other.type is phi.type
        if all(values.get(before) is each for each, before in other.incoming())
    )
    return next(same, None)


def _split(source: Block, target: Block) -> Block:
    """A block on an edge."""
    blocks = target.parent.blocks
    made = Block(None, target.parent)
    blocks.insert(blocks.index(target), made)
    source.terminator.replace_operand(target, made)
    for phi in target.phis:
        phi.replace_operand(source, made)
    made.append(Instruction("br", ty.VOID, (target,)))
    return made


def _is_computed(value: Value, chain: Sequence[tuple[Block, Block]]) -> bool:
    """True if `_copied` can copy a value."""
    place = _place(value, chain)
    if place is None or not isinstance(value, Instruction):
        return True
    if value.op == "phi":
        return _is_computed(_incoming(value, chain[place][0]), chain[place + 1 :])
    return effects.is_pure(value) and all(_is_computed(operand, chain) for operand in value.operands)


def _place(value: Value, chain: Sequence[tuple[Block, Block]]) -> int | None:
    """The number of the edge to the block in which a value is computed; None if that is none of these."""
    if not isinstance(value, Instruction):
        return None
    return next((number for number, (_, block) in enumerate(chain) if block is value.block), None)


def _incoming(phi: Instruction, source: Block) -> Value:
    return next(value for value, before in phi.incoming() if before is source)


def _copied(value: Value, chain: Sequence[tuple[Block, Block]], to: Block, made: dict[Value, Value]) -> Value:
    """A value as it is when control flow goes along a chain of edges, which is given from its end on; computed at the
    end of a block, from which the first of these edges leaves."""
    place = _place(value, chain)
    if place is None or not isinstance(value, Instruction):
        return value
    known = made.get(value)
    if known is None:
        if value.op == "phi":
            known = _copied(_incoming(value, chain[place][0]), chain[place + 1 :], to, {})
        else:
            known = _append(to, value.copied([_copied(each, chain, to, made) for each in value.operands]))
        made[value] = known
    return known


def _append(block: Block, instruction: Instruction) -> Instruction:
    """Put an instruction before the branch that ends a block."""
    return block.insert(len(block.instructions) - 1, instruction)
