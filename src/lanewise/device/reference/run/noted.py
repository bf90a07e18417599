# SPDX-License-Identifier: Apache-2.0
"""Accesses of checked kernels, which are told to `checked_races.py`."""

from collections.abc import Callable

from lanewise.device.reference.arithmetic.indeterminate import Value
from lanewise.device.reference.memory.accesses import Store
from lanewise.device.reference.run.access_records import ATOMIC, READ, WIDEST_VALUE, WRITE, NotedAccess
from lanewise.device.reference.run.checked_races import CheckedRaces
from lanewise.device.reference.run.services import Services
from lanewise.device.reference.run.work_item import WorkItem


def races_of(on: Services) -> CheckedRaces:
    """The races of a launch that looks for them."""
    assert on.checked_races is not None, "the program was made for a launch that looks for races"
    return on.checked_races


def note(on: Services, access: NotedAccess) -> Callable[[WorkItem, Value], None]:
    """The note of a read or an atomic operation that was made at an address."""
    tell = races_of(on).note
    return lambda item, address: tell(item, access, address, access.size)


def note_exchange(on: Services, access: NotedAccess) -> Callable[[WorkItem, Value, Value], None]:
    """The note of a compare-and-exchange: (work-item, address, result)."""
    tell = races_of(on).note
    return lambda item, address, result: tell(item, access, address, access.size, writes=result[1] is True)


def noted_store(on: Services, access: NotedAccess) -> Callable[[WorkItem, Store, Value, Value], None]:
    """A store, with its note."""
    races, size = races_of(on), access.size

    def run(item: WorkItem, store: Store, address: Value, value: Value) -> None:
        store(address, value)
        races.note(item, access, address, size, races.content(address, size) if size <= WIDEST_VALUE else None)

    return run


def note_fill(on: Services, access: NotedAccess) -> Callable[[WorkItem, Value, Value], None]:
    """The note of a write of many bytes: (work-item, address, bytes)."""
    tell = races_of(on).note
    return lambda item, address, size: tell(item, access, address, size & (1 << 64) - 1) if size else None


__all__ = ["ATOMIC", "READ", "WRITE", "NotedAccess", "note", "note_exchange", "note_fill", "noted_store", "races_of"]
