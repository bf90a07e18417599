# SPDX-License-Identifier: Apache-2.0
"""Values that are in memory before a load, since a load or a store has had them: on all paths, or on some.

Method. From a load, blocks are gone through backwards, along all edges, with the address as it is on each: phis of a
block stand for the values that they have on an edge (`address_polynomials.py`). A walk ends at a value of the same type
and address, at an instruction that may change what is there (`aliases.py`), and at one that computes a part of the
address: what is there before it is another address.

Source: cuda-compiling-and-optimizing-2012, section 3.4; availability as in Knoop, Ruething and Steffen, "Lazy Code
Motion" (PLDI 1992), for one load at a time.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Final, NamedTuple, final

from lanewise.analysis.address_polynomials import PolynomialAddress
from lanewise.analysis.aliases import AccessedBytes, Aliases
from lanewise.ir import effects
from lanewise.ir import types as ty
from lanewise.ir.address_spaces import CONSTANT, PARAMETER
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.loops import LoopInfo
from lanewise.ir.module import Module
from lanewise.ir.values import Value

_MOST_EVENTS: Final = 200
"""Instructions that touch memory and are looked at for a load."""
MOST_PLACES: Final = 24
"""Blocks that are gone through for a load."""
_CHEAP: Final = frozenset({CONSTANT, PARAMETER})
"""Memory that an instruction has its operands in for nothing."""


class PathPlace(NamedTuple):
    """The start of a block, where the value at an address is looked for."""

    block: Block
    address: PolynomialAddress


class Edge(NamedTuple):
    """An edge to a block, and the address that is looked for on it."""

    source: Block
    address: PolynomialAddress
    found: Value | PathPlace | None
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
    address: PolynomialAddress | None
    changes: bool
    """It may change memory."""


Edges = Mapping[PathPlace, list[Edge]]


class Paths(NamedTuple):
    """The start of a load's block, and the edges that lead to it and to the places before."""

    start: PathPlace
    edges: Edges


@final
class AvailableValues:
    """The values before the loads of a function."""

    def __init__(self, function: Function, module: Module, loops: LoopInfo) -> None:
        self._function: Final = function
        self._aliases: Final = Aliases(function, module)
        self._loops: Final = loops
        self._events: Final[dict[Block, tuple[list[_Event], dict[Instruction, int]]]] = {}
        self._left = 0
        self._count: Final[Counter[tuple[ty.Type, object]]] = Counter()
        """Accesses with a type and objects, and with a type and an address."""
        for access in function.instructions():
            if access.op in ("load", "store"):
                location, type_ = self._aliases.location(access), effects.accessed_type(access)
                self._count[type_, location.objects] += 1
                self._count[type_, location.address] += 1

    def look_again(self, block: Block) -> None:
        """Forget the instructions of a block that has got others."""
        self._events.pop(block, None)

    def forget(self) -> None:
        """Forget all addresses, since a value that some are computed from has been replaced by another."""
        self._aliases.forget()
        self._events.clear()

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

    def before(self, load: Instruction) -> Value | Paths | None:
        """The value that a load loads, if it is known in its block; else the edges on which it is looked for. Places
        from which no value comes are left out. None if there is no value, or too much to look at."""
        location = self._aliases.location(load)
        if any(self._aliases.space_of(each) in _CHEAP for each in location.objects):
            return None
        self._left = _MOST_EVENTS
        found = self._back(load.parent, load, location.address, location, load)
        if isinstance(found, _Unknown):
            return None
        if isinstance(found, Value):
            return found
        start = PathPlace(load.parent, location.address)
        edges = self._edges(start, location, load)
        return None if edges is None else Paths(start, edges)

    def _edges(self, start: PathPlace, location: AccessedBytes, load: Instruction) -> Edges | None:
        """The edges on which the value is looked for, by the place that they lead to."""
        edges: dict[PathPlace, list[Edge]] = {}
        polynomials = self._aliases.polynomials
        blocks: set[Block] = set()
        work = [start]
        while work:
            place = work.pop()
            if place in edges:
                continue
            block = place.block
            if len(edges) == MOST_PLACES or block is self._function.entry:
                return None
            edges[place] = []
            blocks.add(block)
            for source in block.predecessors:
                if source.successors.count(block) != 1:
                    return None
                phis = [each for each in place.address.parts if isinstance(each, Instruction) and each.block is block]
                values: dict[Value, Value] = {phi: incoming(phi, source) for phi in phis}
                address = polynomials.replaced(place.address, values) if values else place.address
                found = self._back(source, None, address, location, load)
                if isinstance(found, _Through):
                    further = PathPlace(source, address)
                    is_end = source is self._function.entry or (source in blocks and further not in edges)
                    found = None if is_end else further
                    if found is not None:
                        work.append(found)
                edges[place].append(Edge(source, address, None if isinstance(found, _Unknown) else found))
        return _useful(start, edges)

    def _back(
        self,
        block: Block,
        end: Instruction | None,
        address: PolynomialAddress,
        location: AccessedBytes,
        load: Instruction,
    ) -> Value | _Unknown | _Through:
        """The value at an address at the end of a block, or before an instruction of it."""
        events, places = self._events_of(block)
        last = len(places) if end is None else places[end]
        parts = [each for each in address.parts if isinstance(each, Instruction)]
        made = max((places[each] for each in parts if each.block is block and each.op != "phi"), default=-1)
        wanted = location._replace(address=address)
        for event in reversed(events):
            if event.place >= last or event.instruction.block is None:
                continue
            self._left -= 1
            if event.place < made or self._left < 0:
                break
            if event.type is load.type and event.address == address:
                return event.instruction if event.instruction.op == "load" else event.instruction.operands[0]
            if event.changes and self._aliases.may_change(event.instruction, wanted):
                return _Unknown()
        return _Unknown() if made >= 0 or self._left < 0 else _Through()

    def _events_of(self, block: Block) -> tuple[list[_Event], dict[Instruction, int]]:
        """The instructions of a block that touch memory, in order, and the places of all."""
        known = self._events.get(block)
        if known is None:
            places = {each: place for place, each in enumerate(block.instructions)}
            events = [self._event(each, place) for each, place in places.items() if effects.touches_memory(each)]
            known = self._events[block] = events, places
        return known

    def _event(self, instruction: Instruction, place: int) -> _Event:
        if instruction.op not in ("load", "store") or effects.is_ordered(instruction):
            return _Event(instruction, place, None, None, True)
        address, type_ = self._aliases.location(instruction).address, effects.accessed_type(instruction)
        return _Event(instruction, place, type_, address, instruction.op == "store")


def incoming(phi: Instruction, source: Block) -> Value:
    return next(value for value, before in phi.incoming() if before is source)


def _useful(start: PathPlace, edges: Mapping[PathPlace, list[Edge]]) -> Edges | None:
    """The edges of those places from which some value comes; None if none comes to the load's."""
    useful: set[PathPlace] = set()
    changed = True
    while changed:
        changed = False
        for place, some in edges.items():
            if place not in useful and any(isinstance(e.found, Value) or e.found in useful for e in some):
                useful.add(place)
                changed = True
    if start not in useful:
        return None
    kept: dict[PathPlace, list[Edge]] = {}
    work = [start]
    while work:
        place = work.pop()
        if place not in kept:
            kept[place] = [
                edge._replace(found=None) if isinstance(edge.found, PathPlace) and edge.found not in useful else edge
                for edge in edges[place]
            ]
            work += [edge.found for edge in kept[place] if isinstance(edge.found, PathPlace)]
    return kept
