# SPDX-License-Identifier: Apache-2.0
"""Races that a device has found by itself, as faults of a launch."""

from collections.abc import Sequence
from typing import Final

from lanewise.device.launch import Launch
from lanewise.device.race_log import DYNAMIC, Race, RacedObject, RaceLog
from lanewise.frontend.checked_places import LOCAL, CheckedPlace
from lanewise.ir.debug_info import Location
from lanewise.program.checked.faults import KernelFault, OtherAccess, array_at

SHARED_ARRAY: Final = "shared array"
_NOWHERE: Final = Location("", 0, 0)


def races_of(log: RaceLog | None, places: Sequence[CheckedPlace], launch: Launch) -> list[KernelFault]:
    """The races of a launch. `places` tell of the shapes of arrays."""
    return [_fault(race, times, places, launch) for race, times in log or ()]


def _fault(race: Race, times: int, places: Sequence[CheckedPlace], launch: Launch) -> KernelFault:
    later, earlier = race.later, race.earlier
    object_, offset = _in_terms_of_source(race, launch)
    known = next((p for p in places if p.kernel == launch.kernel and _is_of(p, object_)), None)
    file, line, column = later.place or _NOWHERE
    place = CheckedPlace(
        launch.kernel, file, line, column, later.kind, later.size, object_.kind, object_.name,
        known.element if known is not None else object_.element,
        known.shape if known is not None else object_.shape, object_.parameter,
    )  # fmt: skip
    array = array_at(place, launch)
    is_shared = object_.kind in (SHARED_ARRAY, LOCAL)
    block = None if is_shared else earlier.block
    other = OtherAccess(earlier.kind, earlier.thread, *(earlier.place or _NOWHERE), block)
    return KernelFault(
        launch.kernel, file, line, column, later.kind, later.size, "race", object_.kind, object_.name, array.dtype,
        array.element, array.shape, array.nbytes, offset, 0, 0, place.align, later.block, later.thread, times, other,
        parameter=object_.parameter,
    )  # fmt: skip


def _is_of(place: CheckedPlace, object_: RacedObject) -> bool:
    return (place.kind, place.name, place.parameter) == (object_.kind, object_.name, object_.parameter)


def _in_terms_of_source(race: Race, launch: Launch) -> tuple[RacedObject, int]:
    """The object and offset of a race; in dynamic shared memory, those of OpenCL's argument that is there, if any."""
    object_, offset = race.object, race.offset
    if object_.kind != DYNAMIC:
        return object_, offset
    arguments = launch.arguments
    local = [number for number in range(len(arguments.values)) if arguments.parameters.is_local(number)]
    for number, size in zip(local, arguments.local_sizes, strict=True):
        start = arguments.values[number]
        if isinstance(start, int) and start <= offset < start + size:
            return RacedObject(LOCAL, arguments.parameters.names[number], number), offset - start
    return object_._replace(kind=SHARED_ARRAY), offset
