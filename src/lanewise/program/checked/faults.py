# SPDX-License-Identifier: Apache-2.0
"""The faults of a launch, read from its report."""

import math
import struct
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lanewise.checks.fault import CHOICE_SHIFT, MISALIGNED
from lanewise.checks.parts import (
    BARRIERS,
    EQUAL_WRITES,
    GLOBAL_EQUAL_WRITES,
    GLOBAL_RACES,
    MEMORY,
    RACES,
    UNWRITTEN,
    VALUES,
)
from lanewise.checks.values import BY_ZERO
from lanewise.device.launch import Extent, Launch
from lanewise.frontend.checked_places import FREED, CheckedObject, CheckedPlace
from lanewise.ir.check_report import ABSENT, FAULT_BYTES, KEPT, LACKS, PAST, PLACE_BYTES, RETURNED

RACE_OFFSETS: Final = 1 << 32
"""Offsets in bytes that the report of a race tells apart."""
_LOW: Final = 0xFFFF
_GONE: Final = {PAST: "past", RETURNED: "returned"}
_OF_MASKS: Final = ("mask lacks lane", "absent lanes")
_RACES: Final = ("race", "equal writes")
_FAULT: Final = struct.Struct("<3I3Iixxxxq")


class OtherAccess(NamedTuple):
    """One of two accesses that race, the earlier one: by which thread, and where in the source."""

    access: str
    thread: Extent
    file: str
    line: int
    column: int
    block: Extent | None = None
    """The work-group of an access to global memory."""


class KernelFault(NamedTuple):
    """A place in the source that did something wrong in a launch.

    One of its faults is described by `block` and `thread`, and `times` says how many there were. `kind` is "out of
    bounds", "freed", "index", "misaligned", "race" or "equal writes"; of an operation on values "division by zero",
    "shift" or "overflow"; of barriers "divergent barrier", or for an operation of the warp "mask lacks lane" or
    "absent lanes" (`offset`: the mask, with the absent lanes from bit 32 on).
    `object` is the array in question, with its `dtype`, `shape` and size in bytes. `offset`: bytes from its start; for
    "index" the index, of the array's dimension `dimension` with `extent` elements; for values an operand. Of the
    offset of a race in an array of more than 4 GiB, only the lower 32 bits are known.
    """

    kernel: str
    """Its name in the source."""
    file: str
    line: int
    column: int
    access: str
    """"read", "write" or "atomic operation"."""
    size: int
    """Bytes of the access; 0 for a copy of several."""
    kind: str
    object: str
    """Kind of the array: "argument", "shared array", "variable", "local array" or "null pointer"."""
    name: str
    dtype: str
    """"" if it isn't known."""
    element: int
    """Bytes of an element."""
    shape: tuple[int, ...]
    nbytes: int
    offset: int
    dimension: int
    extent: int
    align: int
    block: Extent
    thread: Extent
    times: int
    other: OtherAccess | None = None
    """The access that this one raced with; of a barrier, what the other work-items did instead."""
    threads: tuple[int, int] = (0, 0)
    """The numbers of work-items that wait at a barrier, and of the others."""
    parameter: int = -1
    """The number of the argument that the array is of; -1 for other ones."""
    inside: int = 0
    """Bytes of the array before what the argument points to."""


class ArrayFacts(NamedTuple):
    """Facts about an array that `KernelFault` has."""

    shape: tuple[int, ...]
    element: int
    dtype: str
    nbytes: int
    is_null: bool


def faults_of(
    report: NDArray[np.uint8], places: Sequence[CheckedPlace], launch: Launch, more: Sequence[KernelFault] = ()
) -> tuple[KernelFault, ...]:
    """The faults of each place that has some, and `more`, in the order of the source: of each the one of the first
    thread that was kept."""
    counts = report.reshape(-1, PLACE_BYTES)[:, :8].copy().view(np.uint64).ravel()
    found = [
        _fault(places, n, int(counts[n]), report[n * PLACE_BYTES + 8 : (n + 1) * PLACE_BYTES].tobytes(), launch)
        for n in np.flatnonzero(counts).tolist()
    ]
    found = _joined([*found, *more])
    found.sort(key=lambda fault: (fault.file, fault.line, fault.column))
    races = [fault for n, fault in enumerate(found) if not any(_is_same_race(fault, each) for each in found[:n])]
    return tuple(fault for fault in races if not any(_is_of_race(fault, each) for each in races))


def _joined(found: Sequence[KernelFault]) -> list[KernelFault]:
    """The faults, of which those are one that only differ by what part of an element is accessed, as where a vector is
    written by its members: the one of the first thread, and the least offset there."""
    joined: dict[tuple[object, ...], KernelFault] = {}
    for number, fault in enumerate(found):
        what = (fault.kind, fault.access, fault.object, fault.name, fault.parameter, fault.dimension)
        is_access = fault.line and fault.object != "value" and fault.other is None and fault.kind not in _OF_MASKS
        key = (fault.kernel, *_place(fault), *what) if is_access else (number,)
        known = joined.get(key)
        first = fault if known is None else min(known, fault, key=_order)
        joined[key] = first._replace(times=fault.times + (0 if known is None else known.times))
    return list(joined.values())


def _order(fault: KernelFault) -> tuple[Extent, Extent, int]:
    """The order of threads, and that of offsets within one."""
    (bx, by, bz), (tx, ty, tz) = fault.block, fault.thread
    return (bz, by, bx), (tz, ty, tx), fault.offset


def _is_same_race(a: KernelFault, b: KernelFault) -> bool:
    """True for two places that race with each other."""
    if a.other is None or b.other is None or a.kind != b.kind:
        return False
    return _place(a) == _place(b.other) and _place(a.other) == _place(b)


def _is_of_race(read: KernelFault, race: KernelFault) -> bool:
    """True for a read of what nobody has written, if it has come before the write that it races with."""
    if read.kind != "unwritten" or race.other is None or read.name != race.name:
        return False
    return _place(read) in (_place(race), _place(race.other))


def _place(access: KernelFault | OtherAccess) -> tuple[str, int, int]:
    return access.file, access.line, access.column


def _kind(place: CheckedPlace, what: int) -> str:
    if place.check in (RACES, GLOBAL_RACES):
        return "race"
    if place.check in (EQUAL_WRITES, GLOBAL_EQUAL_WRITES):
        return "equal writes"
    if place.check == UNWRITTEN:
        return "unwritten"
    if place.check == BARRIERS:
        return {LACKS: "mask lacks lane", ABSENT: "absent lanes"}.get(what, "divergent barrier")
    if place.check == VALUES:
        return "division by zero" if what == BY_ZERO else "shift" if place.access == "shift" else "overflow"
    return "misaligned" if what == MISALIGNED else "index" if what else "out of bounds"


def _fault(places: Sequence[CheckedPlace], n: int, count: int, kept: bytes, launch: Launch) -> KernelFault:
    place = places[n]
    rows: list[tuple[int, ...]] = [_FAULT.unpack_from(kept, at * FAULT_BYTES) for at in range(min(count, KEPT))]
    bx, by, bz, tx, ty, tz, what, number = min(rows, key=lambda row: (row[2::-1], row[5:2:-1]))
    was_freed = False
    if place.choices and place.check == MEMORY:
        place = _of_choice(place, place.choices[what >> CHOICE_SHIFT])
        what &= (1 << CHOICE_SHIFT) - 1
        was_freed = place.kind == FREED
    shape, element, dtype, whole, null = array_at(place, launch)
    kind = "freed" if was_freed else _kind(place, what)
    other = None
    if kind in _RACES:
        other = _other(places[number & _LOW], number >> 16 & _LOW, launch.block)
        if place.check in (GLOBAL_RACES, GLOBAL_EQUAL_WRITES):
            other = other._replace(block=_triple(what, launch.grid))
        number = number >> 32 & RACE_OFFSETS - 1
    threads = (0, 0)
    if kind == "divergent barrier":
        other, threads = _others(places[number & _LOW], what, number, launch.block)
    if kind in _RACES and shape:
        number = race_offset(number, whole)
    return KernelFault(
        place.kernel, place.file, place.line, place.column, place.access, place.size, kind,
        "null pointer" if null else place.kind, place.name, dtype, element, shape, whole, number,
        what if kind == "index" else 0, place.subscripts[what - 1] if kind == "index" else 0, place.align,
        (bx, by, bz), (tx, ty, tz), count, other, threads, place.parameter,
    )  # fmt: skip


def array_at(place: CheckedPlace, launch: Launch) -> ArrayFacts:
    """The array that is accessed at a place, as the launch gives it."""
    array = launch.arguments.arrays[place.parameter] if place.parameter >= 0 else None
    is_local = place.parameter >= 0 and launch.arguments.parameters.is_local(place.parameter)
    shape, element, dtype = place.shape, place.element, ""
    if array is not None:
        shape = tuple(int(extent) for extent in getattr(array, "shape", ()))
        element = int(getattr(array, "itemsize", getattr(getattr(array, "dtype", None), "itemsize", 1)))
        dtype = str(getattr(array, "dtype", ""))
    if place.parameter < 0 and shape == (0,):  # shared memory that the launch gives
        shape = (launch.dynamic_bytes // element,)
    if is_local:
        local = launch.arguments.parameters.local
        shape = (launch.arguments.local_sizes[sum(local[: place.parameter])],)
    nbytes = element * math.prod(shape)
    return ArrayFacts(shape, element, dtype, nbytes, place.parameter >= 0 and array is None and not is_local)


def _of_choice(place: CheckedPlace, chosen: CheckedObject) -> CheckedPlace:
    """The place, with the object that was accessed there."""
    kind, name, shape, element, parameter = chosen
    return place._replace(kind=kind, name=name, shape=shape, element=element, parameter=parameter)


def race_offset(low: int, nbytes: int) -> int:
    """The offset of a race from its lower 32 bits, in an array of `nbytes`: below its start if it isn't inside."""
    is_below = nbytes <= low and low >= RACE_OFFSETS // 2
    return low - RACE_OFFSETS if is_below else low


def _others(place: CheckedPlace, what: int, number: int, block: Extent) -> tuple[OtherAccess, tuple[int, int]]:
    """The work-items that are not at a barrier, and how many are, and are not."""
    other = _other(place, number >> 16 & _LOW, block)
    if what in _GONE:
        other = other._replace(access=_GONE[what], file="", line=0, column=0)
    return other, (number >> 32 & _LOW, number >> 48 & _LOW)


def _other(place: CheckedPlace, thread: int, block: Extent) -> OtherAccess:
    return OtherAccess(place.access, _triple(thread, block), place.file, place.line, place.column)


def _triple(number: int, extents: Extent) -> Extent:
    """The place of a number in linear order."""
    row, x = divmod(number, extents[0])
    z, y = divmod(row, extents[1])
    return x, y, z
