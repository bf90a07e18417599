# SPDX-License-Identifier: Apache-2.0
"""What a place in a random kernel may name, and what it may do without a race or a divergent barrier."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from .aggregates import Aggregate
from .arithmetic import Number


class Variable(NamedTuple):
    """Something private. `{i}` in its name is an index to be made up at each use."""

    name: str
    number: Number

    @property
    def is_plain(self) -> bool:
        """Whether a reference can be bound to it."""
        return self.name.isidentifier()


class Whole(NamedTuple):
    """A private variable with parts."""

    name: str
    type: Aggregate


class Array(NamedTuple):
    """Memory of the group, a slot a work-item. Everywhere but in a block that says otherwise (`Scope.reading`),
    work-items touch their own slot only; in such a block, which barriers enclose, they read any and write none."""

    name: str
    number: Number
    slot: str = ""
    """How slot {i} is written where that is not `name[i]`."""
    is_volatile: bool = False
    own: str = ""
    """How a work-item's own slot is written where that is not slot `item`."""

    def read(self, index: str) -> str:
        """The value there: not the place, to which a reference to something not volatile could not be bound."""
        return f"({self.number.name}){self.at(index)}" if self.is_volatile else self.at(index)

    def at(self, index: str) -> str:
        if index == "item" and self.own:
            return self.own
        return self.slot.format(i=index) if self.slot else f"{self.name}[{index}]"


class Counters(NamedTuple):
    """Shared memory that atomic operations of one kind go to, so that their order is of no matter; it is read only
    in blocks that barriers enclose, where nobody writes."""

    name: str
    number: Number
    operation: str
    """The statement, for place {p} and value {v}."""


class Function(NamedTuple):
    """What expressions may call; `arguments` come after its own."""

    name: str
    result: Number
    parameters: tuple[Number, ...]
    arguments: str = ""


class Target(NamedTuple):
    """A jump that a place allows. `reading` is how many blocks around its target read group memory; a jump out of
    such a block passes a barrier first."""

    statement: str
    reading: int
    members: str = ""
    """`Scope.members` of the places that may jump there."""
    narrows: bool = False
    """Whether some of the members may jump and the others go on, as the members that then remain."""


@dataclass(frozen=True)
class Scope:
    together: bool
    """All live work-items come here together: barriers may stand here."""
    variables: tuple[Variable, ...] = ()
    constants: tuple[Variable, ...] = ()
    """Private, too, but not to be assigned."""
    wholes: tuple[Whole, ...] = ()
    functions: tuple[Function, ...] = ()
    helpers: tuple[Function, ...] = ()
    """Functions with barriers; the second argument is uniform."""
    uniforms: tuple[str, ...] = ()
    """Ints that are the same for all work-items."""
    assignable: tuple[str, ...] = ()
    """Those of `uniforms` that may be assigned here."""
    arrays: tuple[Array, ...] = ()
    counters: tuple[Counters, ...] = ()
    reading: frozenset[str] = frozenset()
    """Names of the arrays and counters that all may read here and nobody writes."""
    targets: tuple[Target, ...] = ()
    escapes: tuple[str, ...] = ()
    """Jumps that any work-item may take anywhere, since no barrier lies behind them."""
    members: str = ""
    """The mask of the lanes of a warp that come here together, as often and in the same order: operations of the warp
    may stand here. It may name lanes that have returned. "" where nobody keeps account of that."""
    alone: bool = True
    """Of `members`: whether no other lanes of the warp can be here at the same time."""
    streams: tuple[str, ...] = ()
    """Indices that count work-items, below the size of the grid, for the dialect's streams."""
    outputs: bool = False
    """Whether the kernel's own places in global memory are known here."""
    prints: bool = False
    faults: bool = False
    """Whether traps and assertions may stand here."""
    depth: int = 0
    weight: int = 1
    """How often the code is executed at most."""

    def inner(self, *, weight: int = 1) -> "Scope":
        return replace(self, depth=self.depth + 1, weight=self.weight * weight)

    def apart(self) -> "Scope":
        """Where only some of the work-items come: no barriers, and no jumps to where others pass one."""
        targets = () if self.together or self.members else self.targets
        return replace(self.inner(), together=False, assignable=(), targets=targets, members="")

    def within(self, members: str, *, alone: bool = True) -> "Scope":
        """Where those lanes of `members` come that a new mask names."""
        return replace(self.apart(), targets=(), members=members, alone=self.alone and alone)

    def alike(self) -> "Scope":
        """Where all the members come, but not all work-items of the group."""
        return replace(self.apart(), targets=() if self.together else self.targets, members=self.members)

    def jumping(self, statement: str, *, narrows: bool = False) -> "Scope":
        """Where `statement` jumps to what now stands around; a `break;` hides the one outside."""
        kept = tuple(t for t in self.targets if t.statement != statement)
        return replace(self, targets=(*kept, Target(statement, len(self.reading), self.members, narrows)))

    @property
    def exits(self) -> tuple[Target, ...]:
        """Where all that are here may jump."""
        return tuple(t for t in self.targets if t.members == self.members)

    def reader(self, name: str) -> "Scope":
        return replace(self.inner(), reading=self.reading | {name})

    def knowing(self, *variables: Variable) -> "Scope":
        return replace(self, variables=(*self.variables, *variables))

    def knowing_constant(self, name: str, number: Number) -> "Scope":
        return replace(self, constants=(*self.constants, Variable(name, number)))

    def knowing_uniform(self, name: str) -> "Scope":
        return replace(self, uniforms=(*self.uniforms, name))

    def knowing_whole(self, whole: Whole) -> "Scope":
        parts = tuple(Variable(part.replace("{n}", whole.name), number) for part, number in whole.type.parts)
        return replace(self, wholes=(*self.wholes, whole), variables=(*self.variables, *parts))

    def knowing_function(self, function: Function) -> "Scope":
        return replace(self, functions=(*self.functions, function))
