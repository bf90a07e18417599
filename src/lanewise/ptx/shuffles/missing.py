# SPDX-License-Identifier: Apache-2.0
"""The reason why a load has no source, although an earlier load in the text has its address in a nearby lane."""

from __future__ import annotations

from lanewise.ptx.language.module import Module
from lanewise.ptx.shuffles.candidates import MOST_LANES, Finder, eligible
from lanewise.ptx.symbolic.execution import Emulation
from lanewise.ptx.symbolic.memory import Access
from lanewise.ptx.symbolic.state import Lost, Sighting

_NOT_PLAIN = "volatile or atomic, under a guard, or not of 4 or 8 bytes"


def why_no_source(module: Module, found: Emulation, finder: Finder, number: int, shuffled: set[int]) -> str | None:
    """A sentence about the load of step `number`; None if no other load has its address. `shuffled`: steps that have
    become shuffles."""
    sightings = found.sightings[number]
    why = None
    for other in sorted(step for step in found.sightings if step < number):
        if not _fits(finder, found.sightings[other][0].access, sightings[0].access):
            continue
        if not all(eligible(sighting) for sighting in sightings):
            return f"it is {_NOT_PLAIN}"
        line = module.source.line(found.flow.steps[other].instruction.start)
        why = f"line {line} loads its value, but {_reason(module, found, other, sightings, shuffled)}"
        if other not in shuffled:  # one that is still a load explains more
            return why
    return why


def _fits(finder: Finder, there: Access, load: Access) -> bool:
    form, other = finder.form(load.address), finder.form(there.address)
    if there.space != load.space or there.bytes != load.bytes or other.stem is not form.stem:
        return False
    distance = form.constant - other.constant
    if not distance:
        return True
    return bool(form.stride) and distance % form.stride == 0 and abs(distance // form.stride) <= MOST_LANES


def _reason(module: Module, found: Emulation, other: int, sightings: list[Sighting], shuffled: set[int]) -> str:
    if other in shuffled:
        return "has become a shuffle itself"
    if not all(eligible(sighting) for sighting in found.sightings[other]):
        return f"is {_NOT_PLAIN}"
    without = [s for s in sightings if all(access.step.number != other for access in s.before)]
    losses = [sighting.lost[other] for sighting in without if other in sighting.lost]
    if losses:
        return _loss(module, found, losses[0])
    if without:
        return "not in every flow that comes here"
    return "not at one distance in all flows"


def _loss(module: Module, found: Emulation, lost: Lost) -> str:
    if lost.step is None:
        return "in another iteration of a loop, or outside of it"
    instruction = found.flow.steps[lost.step].instruction
    line = module.source.line(instruction.start)
    match lost.how:
        case "overwritten":
            return f"line {line} overwrites its register"
        case "stored":
            return f"the store in line {line} may change what it has read"
        case _:
            return f"{instruction.name} in line {line} stands between, and other threads may change what it has read"
