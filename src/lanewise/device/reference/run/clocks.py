# SPDX-License-Identifier: Apache-2.0
"""Vector clocks of the work-items of a launch, by work-group (L. Lamport, CACM 1978; C. Fidge, 1988).

Clocks are never changed. So those that know the same of a work-group share that part, and two of them are joined by
comparing the other parts only.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from lanewise.device.reference.run.work_item import Triple, WorkItem

Part = Mapping[WorkItem, int]
"""Work-item -> the time before which its accesses are known, for those of one work-group."""
Clock = Mapping[Triple, Part]
"""Work-group -> what is known of its work-items."""

NOTHING: Final[Clock] = {}
_NOBODY: Final[Part] = {}


def time_of(item: WorkItem, clock: Clock) -> int:
    """The time before which a work-item's accesses are known; 0 if none is."""
    return clock.get(item.block, _NOBODY).get(item, 0)


def at(items: Sequence[WorkItem], time: int) -> Clock:
    """The clock that knows of work-items of one work-group up to a time."""
    return {items[0].block: dict.fromkeys(items, time)}


def joined(clocks: Iterable[Clock]) -> Clock:
    """The later of the times for each work-item."""
    distinct = list({id(each): each for each in clocks if each}.values())
    if len(distinct) < 2:
        return distinct[0] if distinct else NOTHING
    parts: dict[Triple, list[Part]] = {}
    for clock in distinct:
        for block, part in clock.items():
            known = parts.setdefault(block, [])
            if not any(part is each for each in known):
                known.append(part)
    return {block: _latest(of_block) for block, of_block in parts.items()}


def _latest(parts: Sequence[Part]) -> Part:
    """The later times of parts of one work-group: one of the parts where that has them all."""
    if len(parts) == 1:
        return parts[0]
    latest = dict(parts[0])
    for part in parts[1:]:
        for item, time in part.items():
            if time > latest.get(item, 0):
                latest[item] = time
    return next((part for part in parts if part == latest), latest)
