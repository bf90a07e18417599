# SPDX-License-Identifier: Apache-2.0
"""Pairs of loads A and B with A(%tid.x + N) = B(%tid.x) and -31 <= N <= 31: lane N of A has the value that B loads.

Needs, for a source A and a load B:
1. both are plain loads, of elements of 4 or 8 bytes, of global or shared memory, under no guard that may be false
2. every path to B has passed A, in the same iteration, and since then nothing may have changed the memory that A read
   or overwritten its register
3. on all paths, A is the same N lanes on
4. A is still a load, not one that has become a shuffle

Source: PTXASW (CC 2023), 5.1 "Detection".
"""

from __future__ import annotations

from dataclasses import dataclass

from lanewise.ptx.control.steps import Register, Step
from lanewise.ptx.shuffles.forms import Form, form_of
from lanewise.ptx.symbolic.environment import width_of
from lanewise.ptx.symbolic.execution import Emulation
from lanewise.ptx.symbolic.memory import Access
from lanewise.ptx.symbolic.state import Sighting
from lanewise.ptx.symbolic.terms import Term

MOST_LANES = 31


@dataclass(frozen=True, slots=True)
class ShuffleSource:
    """Source of one element of a load: element `place` of the load `step`, `lanes` lanes on."""

    step: Step
    place: int
    register: Register
    bytes: int
    lanes: int

    @property
    def offset(self) -> int:
        """Offset of the element from the load's address, in bytes."""
        return self.place * self.bytes


@dataclass(eq=False, slots=True)
class Candidate:
    """A load with a choice of sources for each of its elements, the nearest lane first."""

    step: Step
    sightings: list[Sighting]
    sources: list[list[ShuffleSource]]

    @property
    def access(self) -> Access:
        return self.sightings[0].access


class Finder:
    """Finds the sources of loads."""

    def __init__(self, found: Emulation) -> None:
        self._found = found
        self._forms: dict[Term, Form] = {}

    def form(self, address: Term) -> Form:
        form = self._forms.get(address)
        if form is None:
            form = self._forms[address] = form_of(self._found.terms, self._found.operations, address)
        return form

    def candidate(self, sightings: list[Sighting], shuffled: set[int]) -> Candidate | None:
        """The sources of a load, if each of its elements has one. `shuffled`: steps that have become shuffles."""
        first = sightings[0]
        if not all(eligible(sighting) for sighting in sightings):
            return None
        everywhere = {access.step.number for access in first.before if _plain(access)} - shuffled
        for sighting in sightings[1:]:
            everywhere &= {access.step.number for access in sighting.before if _plain(access)}
        load = first.access
        form = self.form(load.address)
        known: dict[int, tuple[int, Access]] = {}  # the last execution of a load
        for access in first.before:
            number = access.step.number
            if number in everywhere and access.space == load.space and access.bytes == load.bytes:
                other = self.form(access.address)
                known.pop(number, None)
                if other.stem is form.stem:
                    known[number] = (other.constant, access)
        sources: list[list[ShuffleSource]] = []
        for place in range(len(load.elements)):
            wanted = form.constant + place * load.bytes
            choices = [s for constant, access in known.values() for s in _sources(access, form, constant, wanted)]
            if not choices:
                return None
            choices.sort(key=lambda source: (abs(source.lanes), source.step.number))
            sources.append(choices)
        return Candidate(load.step, sightings, sources)


def eligible(sighting: Sighting) -> bool:
    """True if the load that is to be replaced meets need 1."""
    return sighting.is_weak and _plain(sighting.access)


def _plain(access: Access) -> bool:
    return (
        access.surely
        and access.bytes in (4, 8)
        and all(register is not None and width_of(register) == 8 * access.bytes for register in access.elements)
    )


def _sources(access: Access, form: Form, constant: int, wanted: int) -> list[ShuffleSource]:
    """Elements of a load (same stem, address at `constant`) that are at `wanted` in another lane."""
    found: list[ShuffleSource] = []
    for place, register in enumerate(access.elements):
        assert register is not None
        distance = wanted - constant - place * access.bytes
        if distance == 0:
            found.append(ShuffleSource(access.step, place, register, access.bytes, 0))
        elif form.stride and distance % form.stride == 0 and abs(distance // form.stride) <= MOST_LANES:
            found.append(ShuffleSource(access.step, place, register, access.bytes, distance // form.stride))
    return found
