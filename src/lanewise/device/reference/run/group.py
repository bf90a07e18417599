# SPDX-License-Identifier: Apache-2.0
"""Execution of one work-group: its work-items are coroutines that meet at barriers and at operations of the warp.

Work-items run in order, each until it must wait. When none can continue, these rules apply to those that wait:

1. A warp operation with a member mask happens when every lane of the mask that has not exited waits for the same
   operation with the same mask.
2. One without a mask (`activemask`, the votes before Volta) happens once nothing else can happen in the warp. So does
   a volatile access of shared memory. Its lanes are those that wait for it at the same place; of several places, the
   one that comes first in the program is chosen (`progress.py`).
3. A barrier happens when every work-item of the group that has not exited waits at it: at the same call, reached by
   the same chain of calls. CUDA C++ Programming Guide, "Synchronization Functions": a barrier in conditional code
   is allowed if the condition is the same for the whole block.
   A group with barriers of some warps has other rules: `named_barriers.py`.
4. A work-item that waits for the grid continues when every group of the grid has one that does; its group waits
   as soon as nothing else can happen in it.

Anything else is a fault: they would wait forever, or the program's meaning would depend on the hardware.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from types import FrameType
from typing import Any, Final, NoReturn, TypeAlias, TypeVar, final

from lanewise.device.reference.arithmetic.indeterminate import Indeterminate, Value
from lanewise.device.reference.faults import Fault, WorkItemExit, stack_overflow
from lanewise.device.reference.run.named_barriers import AWAIT, BarrierError, NamedBarriers, is_partial
from lanewise.device.reference.run.progress import Places
from lanewise.device.reference.run.services import Services
from lanewise.device.reference.run.warp import (
    CONVERGED,
    MASK_POSITION,
    MEETINGS,
    WARP_SIZE,
    WIDE_SIZE,
    first_undetermined,
)
from lanewise.device.reference.run.work_item import WorkItem
from lanewise.ir.intrinsics import is_wide

Request: TypeAlias = tuple[str, tuple[Value, ...]]
Routine: TypeAlias = Generator[Request, Value, None]
Path: TypeAlias = tuple[tuple[int, int], ...]

_T = TypeVar("_T")
_MASKS: Final = (1 << WARP_SIZE) - 1, (1 << WIDE_SIZE) - 1
"""All lanes of a warp, by whether it has 64."""

GRID_SYNC: Final = "grid.sync"
"""The request of a work-item that waits for all groups of the grid."""


@final
class Runner:
    """One work-item as a coroutine."""

    __slots__ = ("answer", "item", "request", "routine")

    def __init__(self, item: WorkItem, routine: Routine) -> None:
        self.item: Final = item
        self.routine: Final = routine
        self.request: Request | None = None
        """The operation that it waits for."""
        self.answer: Value = None
        """The value that it will be sent when it continues."""

    def frames(self) -> Iterator[FrameType]:
        """The frames of the functions on its call stack, the kernel's first."""
        routine: Any = self.routine
        while routine is not None:
            yield routine.gi_frame
            routine = routine.gi_yieldfrom

    def path(self) -> Path:
        """The place where it waits: a line of the program for each function on its call stack."""
        return tuple((id(frame.f_code), frame.f_lineno) for frame in self.frames())

    def position(self) -> Path:
        """The same place, by the offset of the bytecode, which is at hand: Python has to count lines."""
        return tuple([(id(frame.f_code), frame.f_lasti) for frame in self.frames()])


class FaultOf(Exception):
    """A fault, with the work-item that caused it."""

    def __init__(self, item: WorkItem, cause: Fault) -> None:
        super().__init__(str(cause))
        self.item: Final = item
        self.cause: Final = cause


def run_group(
    services: Services, runners: Sequence[Runner], places: Places, describe: Callable[[Path], str]
) -> Iterator[None]:
    """Run until all work-items have ended; yield whenever the group waits for the other groups of the grid. FaultOf if
    a work-item breaks a rule; `describe` names a place."""
    group = _Group(services, runners, places, describe)
    ready: Iterable[Runner] = runners
    while group.live:
        for runner in ready:
            group.advance(runner)
        ready = group.release()
        if group.waits_for_grid:
            yield
            group.leave_grid()


class _Group:
    def __init__(
        self, services: Services, runners: Sequence[Runner], places: Places, describe: Callable[[Path], str]
    ) -> None:
        self._services: Final = services
        self._places: Final = places
        self._describe: Final = describe
        self._named: Final = NamedBarriers(services.meets)
        self._items: Final = [runner.item for runner in runners]
        self.live: list[Runner] = list(runners)
        self.waits_for_grid = False
        self._grid_turns = 0

    def advance(self, runner: Runner) -> None:
        """Let a work-item run until it waits or ends."""
        self._services.memory.current = runner.item.private
        runner.request = None
        try:
            runner.request = runner.routine.send(runner.answer)
        except (StopIteration, WorkItemExit):
            pass
        except Fault as fault:
            raise FaultOf(runner.item, fault) from None
        except RecursionError as error:
            raise FaultOf(runner.item, stack_overflow(error)) from None

    def release(self) -> list[Runner]:
        """The work-items that can continue, in order, each with its answer; empty when all have ended."""
        self.live = [r for r in self.live if r.request is not None]
        self.waits_for_grid = False
        names = {_request(r)[0] for r in self.live}
        if names and all(map(_is_of_all, names)) and not self._named.in_use:  # what most groups wait for
            self._meet_at_barrier()
            return self.live
        released = self._meet_in_warps() + self._meet_at_named_barriers() or self._meet_in_grid()
        if not released and self.live:
            self._meet_at_barrier()
            released = self.live
        return released

    # -- warps -------------------------------------------------------------------------------------------------

    def _meet_in_warps(self) -> list[Runner]:
        warps: dict[int, list[Runner]] = defaultdict(list)
        for runner in self.live:
            warps[runner.item.warp].append(runner)
        released: list[Runner] = []
        for runners in warps.values():
            released += self._meet_by_mask(runners) or self._meet_by_place(runners)
        return released

    def _meet_by_mask(self, runners: list[Runner]) -> list[Runner]:
        present = sum(1 << r.item.lane for r in runners)
        meetings: dict[tuple[str, int], list[Runner]] = defaultdict(list)
        for runner in runners:
            name, operands = _request(runner)
            if name in MEETINGS:
                meetings[name, self._checked_mask(runner, name, operands)].append(runner)
        released: list[Runner] = []
        for (name, mask), members in meetings.items():
            if mask & present == sum(1 << r.item.lane for r in members):
                position = MASK_POSITION[name]
                lanes = {r.item.lane: tuple(o for i, o in enumerate(_request(r)[1]) if i != position) for r in members}
                _answer(members, MEETINGS[name](lanes))
                self._services.meets.some_meet(m.item for m in members)
                released += members
        return sorted(released, key=lambda r: r.item.lane)

    def _checked_mask(self, runner: Runner, name: str, operands: tuple[Value, ...]) -> int:
        unknown = first_undetermined(name, operands)
        if unknown is not None:
            self._fail(runner, f"an operation of the warp ({name}) depends on {unknown.why}")
        mask = operands[MASK_POSITION[name]] & _MASKS[is_wide(name)]
        if not mask >> runner.item.lane & 1:
            self._fail(runner, f"lane {runner.item.lane} executes {name} with the mask {mask:#010x}, which lacks it")
        return mask

    def _meet_by_place(self, runners: list[Runner]) -> list[Runner]:
        """The lanes at the first place at which any lane waits for an operation without a mask."""
        waiting = [(self._places.of(r.frames()), r) for r in runners if _request(r)[0] in CONVERGED]
        if not waiting:
            return []
        first = min(place for place, _ in waiting)
        members = [r for place, r in waiting if place == first]
        name, operands = _request(members[0])
        for member in members:
            if any(o.__class__ is Indeterminate for o in operands):
                self._fail(member, f"an operation of the warp ({name}) depends on an undetermined value")
        _answer(members, CONVERGED[name]({r.item.lane: _request(r)[1] for r in members}))
        self._services.meets.lanes_meet(name, [m.item for m in members])
        return members

    # -- grids -------------------------------------------------------------------------------------------------

    def _meet_in_grid(self) -> list[Runner]:
        """The work-items that wait for the grid. They continue when `run_group` does."""
        waiting = [r for r in self.live if _request(r)[0] == GRID_SYNC]
        if waiting and not self._services.is_cooperative:
            self._fail(waiting[0], "a synchronisation of the grid, which needs a launch with cooperative=True")
        self.waits_for_grid = bool(waiting)
        for runner in waiting:
            self._services.meets.come_to_grid(runner.item, self._grid_turns)
            runner.answer = None
        return waiting

    def leave_grid(self) -> None:
        """Let those that have waited for the grid go on: all groups have come."""
        for runner in self.live:
            if _request(runner)[0] == GRID_SYNC:
                self._services.meets.leave_grid(runner.item, self._grid_turns)
        self._grid_turns += 1

    # -- barriers of some warps --------------------------------------------------------------------------------

    def _meet_at_named_barriers(self) -> list[Runner]:
        """The work-items that a completed barrier releases, with those that look again whether they still wait."""
        released = set(self._check(lambda: self._named.meet(self.live)))
        for runner in self.live:
            if _request(runner)[0] == AWAIT:
                runner.answer = None
                released.add(runner)
        return [runner for runner in self.live if runner in released]

    def _check(self, meet: Callable[[], _T]) -> _T:
        try:
            return meet()
        except BarrierError as error:
            self._fail(next(r for r in self.live if r is error.runner), str(error))

    # -- barriers ----------------------------------------------------------------------------------------------

    def _meet_at_barrier(self) -> None:
        """Complete a barrier: all live work-items wait, none for a warp operation that could happen."""
        self._check(lambda: self._named.refuse_deadlock(self.live))
        places: dict[tuple[Path, Value], list[Runner]] = defaultdict(list)
        for runner in self.live:
            name, operands = _request(runner)
            unknown = next((o for o in operands if o.__class__ is Indeterminate), None)
            if unknown is not None:
                self._fail(runner, f"a barrier ({name}) depends on {unknown.why}")
            barrier = operands[0] if _has_number(name) else 0
            places[runner.position(), barrier].append(runner)
        first = self.live[0]
        if len(places) > 1 or _request(first)[0] in MEETINGS:
            self._refuse(list(places.values()))
        name = _request(first)[0]
        if _is_reduction(name):
            votes = [bool(_request(r)[1][-1]) for r in self.live]
            result = _reduce(name, votes, counts=name.startswith("barrier0"))
        else:
            result = None
        for runner in self.live:
            runner.answer = result
        self._services.meets.all_meet(self._items)

    def _refuse(self, places: list[list[Runner]]) -> None:
        self._services.meetings.none_can_go_on()
        waiting: list[str] = []
        for runners in places:
            name = _request(runners[0])[0]
            what = "an operation of the warp" if name in MEETINGS else "a barrier"
            first = runners[0].item
            thread = (first.tid_x, first.tid_y, first.tid_z)
            count = "1 waits" if len(runners) == 1 else f"{len(runners)} wait"
            waiting.append(f"{count} for {what} at {self._describe(runners[0].path())} (the first is thread {thread})")
        rule = "not all work-items of the group that have not returned reach the same barrier: "
        self._fail(places[0][0], rule + "; ".join(waiting))

    def _fail(self, runner: Runner, text: str) -> NoReturn:
        """Raise a fault where the work-item waits, so that its traceback leads there."""
        try:
            runner.routine.throw(Fault(text))
        except Fault as fault:
            raise FaultOf(runner.item, fault) from None
        raise AssertionError("a fault ends the work-item")


def _request(runner: Runner) -> Request:
    assert runner.request is not None, "only those that wait are looked at"
    return runner.request


def _answer(members: list[Runner], results: dict[int, Value]) -> None:
    for runner in members:
        runner.answer = results[runner.item.lane]


def _is_of_all(name: str) -> bool:
    """True for a barrier of all work-items of the group, unless the group has barriers of some warps, too."""
    return name.startswith("barrier") and not is_partial(name)


def _has_number(name: str) -> bool:
    """True if the first operand of a barrier is its number."""
    return name.startswith("barrier.cta")


def _is_reduction(name: str) -> bool:
    return name.startswith("barrier.cta.red") or name in ("barrier0.popc", "barrier0.and", "barrier0.or")


def _reduce(name: str, votes: list[bool], *, counts: bool) -> Value:
    """The result of a barrier that counts or combines predicates: an i32 for the older names (`counts`), otherwise an
    i1."""
    if "popc" in name:
        return sum(votes)
    result = all(votes) if ".and" in name else any(votes)
    return int(result) if counts else result
