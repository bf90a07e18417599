# SPDX-License-Identifier: Apache-2.0
"""Stores to shared memory that check for races."""

from __future__ import annotations

from collections.abc import Callable

from lanewise.device.reference.arithmetic.indeterminate import Value
from lanewise.device.reference.memory.accesses import Store
from lanewise.device.reference.memory.objects import read_bits
from lanewise.device.reference.run.services import Services
from lanewise.device.reference.run.work_item import WorkItem


def watched_store(on: Services, store: Store, size: int, place: int) -> Callable[[WorkItem, int, Value], None]:
    """A store to shared memory that checks for races."""
    memory, races = on.memory, on.races

    def run(item: WorkItem, address: int, value: Value) -> None:
        found = memory.find(address, size, 1, "store")
        before = read_bits(found, address, size)
        store(address, value)
        changed = read_bits(found, address, size) != before
        (races.write if changed else races.write_again)(item, address, size, place)

    return run
