# SPDX-License-Identifier: Apache-2.0
"""Memory accesses of a unit's code that are made at another place than in the program."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Final, NamedTuple, final

from lanewise.ir import effects
from lanewise.ir.builder import Builder
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction, Metadata
from lanewise.ir.layout import NamedTypes
from lanewise.ir.values import Value
from lanewise.workgroup.lanes.analysis.elements import Elements, Places
from lanewise.workgroup.lanes.analysis.interleave_groups import InterleaveGroup, InterleaveGroups
from lanewise.workgroup.lanes.analysis.nontemporal import NontemporalArrays
from lanewise.workgroup.lanes.values.lane_values import LaneValue


class Run(NamedTuple):
    """Elements side by side that a vector load reads."""

    pointer: Value
    nbytes: int


class HeldStore(NamedTuple):
    """A store of a vector that is still to be made."""

    vector: Value
    pointer: Value
    align: int
    metadata: Metadata


class PrefetchCandidate(NamedTuple):
    """A load, the runs that it reads, and the distance in bytes from there to what is to be prefetched."""

    load: Instruction
    runs: list[Run]
    distance: int


class AccessGroup(NamedTuple):
    """Accesses that are done as one."""

    members: InterleaveGroup
    """In the order of their offsets."""
    elements: Elements
    places: Places
    """Places of the elements that the members touch, counted from the first one."""
    address: LaneValue
    """The address of the first member."""

    @property
    def pointer(self) -> Value:
        """The address in the program."""
        return effects.pointer_operand(self.members[0].access)


@final
class PendingAccesses:
    """The accesses of one version of a unit's code that are done, or noted, out of the program's order."""

    def __init__(self, types: NamedTypes, nontemporal: NontemporalArrays | None) -> None:
        self.nontemporal: Final = nontemporal
        """The arrays that may be stored to past the caches; None if there are none."""
        self.interleave: Final = InterleaveGroups(types)
        self.loaded: Final[dict[Instruction, LaneValue]] = {}
        """Loads that were done together with an earlier one."""
        self.groups: Final[dict[Instruction, AccessGroup]] = {}
        """Stores that will be done together with the last of their group."""
        self.prefetches: Final[list[PrefetchCandidate]] = []
        """Loads that may have prefetches at the end of the block at hand."""
        self.steps: Final[dict[Value, int | None]] = {}
        """Change of a value when the index of the group grows by 1, as far as it has been looked for (`prefetch.py`).
        """
        self.prefetched: Final[set[tuple[Value, Block]]] = set()
        """Addresses of the program near which later iterations' loads are prefetched, and the block of the code where.
        """
        self._lines_ahead: Final[dict[Block, int]] = {}
        self._runs: list[Run] | None = None
        self._held: list[HeldStore] | None = None

    def forget(self, block: Block) -> None:
        """Forget the accesses of a block, whose code is to be made once more."""
        for instruction in block.instructions:
            self.loaded.pop(instruction, None)
            self.groups.pop(instruction, None)
        self._lines_ahead.pop(block, None)

    def lines_ahead(self, block: Block) -> int:
        """The number of lines that a block of the program prefetches for later iterations."""
        return self._lines_ahead.get(block, 0)

    def note_lines_ahead(self, block: Block, count: int) -> None:
        """Note that a block prefetches so many more lines."""
        self._lines_ahead[block] = self.lines_ahead(block) + count

    @contextmanager
    def noting_runs(self) -> Generator[list[Run]]:
        """A list of the runs that are loaded inside the context."""
        runs = self._runs = list[Run]()
        try:
            yield runs
        finally:
            self._runs = None

    def note_run(self, pointer: Value, nbytes: int) -> None:
        """Note that a vector load reads a run."""
        if self._runs is not None:
            self._runs.append(Run(pointer, nbytes))

    def forget_runs_at(self, block: Block) -> None:
        """Forget the runs whose addresses a block of the code computes, which code beside it can't use."""
        if self._runs is not None:
            self._runs[:] = [
                run for run in self._runs if not (isinstance(run.pointer, Instruction) and run.pointer.block is block)
            ]

    @contextmanager
    def holding_stores(self) -> Generator[list[HeldStore]]:
        """A list of the vector stores inside the context, which are left to the caller to make."""
        held = self._held = list[HeldStore]()
        try:
            yield held
        finally:
            self._held = None

    def store(self, store: HeldStore, build: Builder) -> None:
        """Make a store of a vector, or hold it inside `holding_stores`."""
        if self._held is None:
            build.store(*store)
        else:
            self._held.append(store)
