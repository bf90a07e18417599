# SPDX-License-Identifier: Apache-2.0
"""Tiles run on a device with memory of its own: one after the other, or each copied while the one before it runs."""

import ctypes
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from lanewise.device.base import Device
from lanewise.device.launch import DeviceArray
from lanewise.device.memory import AddressableMemory
from lanewise.errors import LaunchError
from lanewise.jit.places import UNTOUCHED, DevicePlace
from lanewise.jit.transfers import TilesOfCall
from lanewise.program.memory.allocation import Allocation
from lanewise.streams.event import Event
from lanewise.streams.operations import Call
from lanewise.streams.stream import Stream
from lanewise.transfer.copies import link_copies
from lanewise.transfer.perform import pack_in, unpack_out
from lanewise.transfer.pipelining import set_sizes
from lanewise.transfer.plan import GroupPlan, NestPlan

if TYPE_CHECKING:
    from numpy.typing import NDArray


def run_tiles(
    device: Device,
    tiling: TilesOfCall,
    inputs: Mapping[str, Any],
    there: Mapping[str, DevicePlace],
    run: Callable[[int, dict[str, DevicePlace]], None],
) -> None:
    """Copy each tile to a device, run it, and copy it back. `run` takes a tile's number, and the places of arrays."""
    plans = [each.plan for each in tiling.tiles]
    if tiling.overlaps:
        _run_overlapped(device, plans, inputs, there, run)
        return
    for number, plan in enumerate(plans):
        with placed(device, plan, inputs, there) as places:
            run(number, places)


def _run_overlapped(
    device: Device,
    plans: Sequence[NestPlan],
    inputs: Mapping[str, Any],
    there: Mapping[str, DevicePlace],
    run: Callable[[int, dict[str, DevicePlace]], None],
) -> None:
    """Two sets of buffers take turns. While this thread runs a tile, a stream copies back the one before it, and then
    the one after it there, into the same set."""
    sets = [_allocated(device, set_sizes(plans)) for _ in range(2)]
    stream, arrived = Stream(device, blocking=False), (Event(), Event())

    def copy(way: Callable[[Device, GroupPlan, int], None], number: int) -> None:
        for group, buffer in zip(plans[number].groups, sets[number % 2], strict=False):
            way(device, group, buffer.address)

    def send(number: int) -> None:
        stream.enqueue(Call("copy", copy, _copy_in, number))
        stream.record(arrived[number % 2])

    try:
        send(0)
        send(1)
        for number, plan in enumerate(plans):
            arrived[number % 2].synchronize()
            run(number, _places(plan, sets[number % 2], inputs, there))
            stream.enqueue(Call("copy", copy, _copy_out, number))
            if number + 2 < len(plans):
                send(number + 2)
    finally:
        stream.synchronize()


@contextmanager
def placed(
    device: Device, plan: NestPlan, inputs: Mapping[str, Any], there: Mapping[str, DevicePlace]
) -> Generator[dict[str, DevicePlace]]:
    """The arrays of a tile on a device, by their names; those written to are copied back after the block. `there`:
    arrays that are on the device anyway."""
    buffers = _allocated(device, [group.size for group in plan.groups])
    for group, buffer in zip(plan.groups, buffers, strict=True):
        _copy_in(device, group, buffer.address)
    yield _places(plan, buffers, inputs, there)
    for group, buffer in zip(plan.groups, buffers, strict=True):
        _copy_out(device, group, buffer.address)


def _allocated(device: Device, sizes: Sequence[int]) -> list[Allocation]:
    made: list[Allocation] = []
    for size in sizes:
        try:
            made.append(Allocation(device, size, zeroed=False))
        except MemoryError as error:
            raise LaunchError(f"{device.name} has no room for a buffer of {size} bytes: {error}") from None
    return made


def _places(
    plan: NestPlan, buffers: Sequence[Allocation], inputs: Mapping[str, Any], there: Mapping[str, DevicePlace]
) -> dict[str, DevicePlace]:
    """The places of a tile's arrays in its buffers."""
    places = {name: UNTOUCHED for name, value in inputs.items() if isinstance(value, np.ndarray)} | dict(there)
    for group, buffer in zip(plan.groups, buffers, strict=False):
        whole = DeviceArray(buffer.address, np.dtype(np.uint8), (group.size,))
        for name, view in group.views.items():
            strides = None if view.strides == inputs[name].strides else view.strides
            places[name] = DevicePlace(buffer.address + view.offset, strides, whole)
    return places


def _copy_in(device: Device, group: GroupPlan, address: int) -> None:
    if not group.copies_in:
        return
    memory = device.memory
    if isinstance(memory, AddressableMemory):
        pack_in(group, *_host_memory(group), _bytes(address, group.size))
        return
    host, origin = _host_memory(group)
    copies = link_copies(group.copies_in)
    for copy in copies.direct:
        memory.write(address + copy.packed, host[copy.host - origin :][: copy.bytes])
    if copies.staged:
        first, end = copies.interval
        staging = np.empty(group.size, np.uint8)
        pack_in(group, host, origin, staging)  # what goes by itself as well, as it may lie between the others
        memory.write(address + first, staging[first:end])


def _copy_out(device: Device, group: GroupPlan, address: int) -> None:
    if not group.copies_out:
        return
    memory = device.memory
    if isinstance(memory, AddressableMemory):
        unpack_out(group, *_host_memory(group), _bytes(address, group.size))
        return
    host, origin = _host_memory(group)
    copies = link_copies(group.copies_out)
    for copy in copies.direct:
        memory.read(address + copy.packed, host[copy.host - origin :][: copy.bytes])
    if copies.staged:
        first, end = copies.interval
        staging = np.empty(group.size, np.uint8)
        memory.read(address + first, staging[first:end])
        unpack_out(replace(group, copies_out=copies.staged), host, origin, staging)


def _host_memory(group: GroupPlan) -> "tuple[NDArray[np.uint8], int]":
    """The host's memory that a group's copies access, and its address."""
    intervals = [copy.host_interval() for copy in (*group.copies_in, *group.copies_out)]
    first, end = min(start for start, _ in intervals), max(end for _, end in intervals)
    return _bytes(first, end - first), first


def _bytes(address: int, nbytes: int) -> "NDArray[np.uint8]":
    return np.ctypeslib.as_array((ctypes.c_uint8 * nbytes).from_address(address))
