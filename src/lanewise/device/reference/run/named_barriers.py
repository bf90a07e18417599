# SPDX-License-Identifier: Apache-2.0
"""Barriers that only some warps of a group meet at, or arrive at without waiting.

Source: PTX ISA, "bar, barrier". A warp comes to a barrier once all its work-items that have not exited execute the same
instruction; it then counts as 32 threads. Without `.aligned` work-items count one by one until they are the whole warp.
In a group with such barriers, one of all threads waits for every warp that has not ended, wherever it comes from.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from typing import Final, NamedTuple, Protocol, final

from lanewise.device.reference.arithmetic.indeterminate import Indeterminate, Value
from lanewise.device.reference.run.meets import Arrived, Meets
from lanewise.device.reference.run.warp import WARP_SIZE
from lanewise.device.reference.run.work_item import WorkItem

AWAIT: Final = "__lw_await_warps"
"""The request of a work-item that waits in a loop for others: it goes on with the next turn."""

_BARRIERS: Final = 16


class Waiting(Protocol):
    """A work-item that waits at a barrier."""

    answer: Value

    @property
    def item(self) -> WorkItem: ...

    @property
    def request(self) -> tuple[str, tuple[Value, ...]] | None: ...

    def path(self) -> Hashable: ...


class BarrierError(Exception):
    """A wrong use of a barrier by a work-item that waits there."""

    def __init__(self, runner: Waiting, text: str) -> None:
        super().__init__(text)
        self.runner: Final = runner


class Arrival(NamedTuple):
    """Announcement of a work-item that comes to a barrier."""

    name: str
    number: int
    threads: int
    """Number of threads that are to come; 0: all."""
    vote: bool


@final
class _Barrier:
    """Arrivals since the barrier was completed last."""

    def __init__(self) -> None:
        self.arrived = 0
        self.count = 0
        self.passed: Final[list[Arrived]] = []
        """The accesses before of those that don't wait."""
        self.votes: Final[list[bool]] = []
        self.waiting: Final[list[Waiting]] = []


def is_partial(name: str) -> bool:
    """Return whether a request is for a barrier that may be one of some warps."""
    return name.startswith("barrier.cta.") and name.endswith(".count")


@final
class NamedBarriers:
    """The barriers of one group."""

    def __init__(self, meets: Meets) -> None:
        self._meets: Final = meets
        self._barriers: Final[dict[int, _Barrier]] = defaultdict(_Barrier)
        self.in_use = False
        """True once a work-item has come to a barrier that may be one of some warps."""
        self._arrived: Final[set[Waiting]] = set()

    def meet(self, live: Sequence[Waiting]) -> list[Waiting]:
        """The work-items that go on, each with its answer. BarrierError for a wrong use."""
        self.in_use = self.in_use or any(is_partial(_name(runner)) for runner in live)
        if not self.in_use:
            return []
        released: list[Waiting] = []
        warps: dict[int, list[Waiting]] = defaultdict(list)
        for runner in live:
            warps[runner.item.warp].append(runner)
        for lanes in warps.values():
            released += self._arrive(lanes)
        for barrier in self._barriers.values():
            released += self._complete(barrier, WARP_SIZE * len(warps))
        self._arrived.difference_update(released)
        return released

    def refuse_deadlock(self, live: Sequence[Waiting]) -> None:
        """BarrierError with the reason why no work-item goes on, if the group has barriers of some warps."""
        if not self.in_use:
            return
        first = next((r for r in live if r in self._arrived), None)
        if first is None:
            raise BarrierError(live[0], "not all work-items of a warp that have not returned reach the same barrier")
        number = _arrival(first).number
        barrier = self._barriers[number]
        expected = barrier.count or WARP_SIZE * len({r.item.warp for r in live})
        raise BarrierError(
            first,
            f"barrier {number}: no warp of the block can go on, and of {expected} threads that it waits for, "
            f"{barrier.arrived} have come",
        )

    def _arrive(self, lanes: Sequence[Waiting]) -> list[Waiting]:
        """Note the work-items of a warp that come to a barrier; gives those that don't wait."""
        together: dict[Hashable, list[Waiting]] = defaultdict(list)
        for runner in lanes:
            if runner not in self._arrived and _name(runner).startswith("barrier"):
                arrival = _arrival(runner)
                together[arrival.name, arrival.number, arrival.threads, runner.path()].append(runner)
        released: list[Waiting] = []
        for runners in together.values():
            arrival, whole = _arrival(runners[0]), len(runners) == len(lanes)
            if "aligned" in arrival.name and not whole:
                continue
            barrier = self._barriers[arrival.number]
            if barrier.arrived and barrier.count != arrival.threads:
                counts = f"{barrier.count} and {arrival.threads} threads (0: all)"
                raise BarrierError(runners[0], f"barrier {arrival.number}: warps come to it with counts of {counts}")
            barrier.count = arrival.threads
            barrier.arrived += WARP_SIZE if whole else len(runners)
            barrier.votes.extend([_arrival(r).vote for r in runners if ".red." in arrival.name])
            if ".arrive" in arrival.name:
                for runner in runners:
                    runner.answer = None
                    barrier.passed.append(self._meets.arrive(runner.item))
                released += runners
            else:
                barrier.waiting.extend(runners)
                self._arrived.update(runners)
        return released

    def _complete(self, barrier: _Barrier, all_threads: int) -> Iterable[Waiting]:
        """The work-items that wait at a barrier, if all have come."""
        if not barrier.arrived or barrier.arrived < (barrier.count or all_threads):
            return []
        self._meets.some_leave_barrier([runner.item for runner in barrier.waiting], barrier.passed)
        released = list(barrier.waiting)
        for runner in released:
            runner.answer = _reduced(_name(runner), barrier.votes)
        barrier.arrived = 0
        for each in (barrier.passed, barrier.votes, barrier.waiting):
            each.clear()
        return released


def _name(runner: Waiting) -> str:
    assert runner.request is not None
    return runner.request[0]


def _arrival(runner: Waiting) -> Arrival:
    """The announcement of a work-item that waits at a barrier. BarrierError for operands that no barrier takes."""
    assert runner.request is not None
    name, operands = runner.request
    if any(operand.__class__ is Indeterminate for operand in operands):
        raise BarrierError(runner, f"a barrier ({name}) depends on an undetermined value")
    if name.startswith("barrier0"):
        return Arrival(name.replace("barrier0", "barrier.red") + ".aligned", 0, 0, bool(operands and operands[-1]))
    number, count = operands[0], operands[1] if is_partial(name) else 0
    if not 0 <= number < _BARRIERS:
        raise BarrierError(runner, f"barrier {number}: a block has barriers 0 to {_BARRIERS - 1}")
    if count < 0 or count % WARP_SIZE or (not count and ".arrive" in name):
        rule = f"no positive multiple of {WARP_SIZE}, the size of a warp"
        raise BarrierError(runner, f"barrier {number}: the count {count} is {rule}")
    return Arrival(name, number, count, bool(operands[-1]))


def _reduced(name: str, votes: Sequence[bool]) -> Value:
    """The result of a barrier: i32 for the older names and for counts, else i1."""
    if "popc" in name:
        return sum(votes)
    if ".and" not in name and ".or" not in name:
        return None
    result = all(votes) if ".and" in name else any(votes)
    return int(result) if name.startswith("barrier0") else result
