# SPDX-License-Identifier: Apache-2.0
"""Launches on devices with memory of their own: arrays, textures and images of the host are copied there, and back.

Each array is copied before the launch. After it, what the kernel may have written is copied back: the arrays of
parameters that aren't const, surfaces, and images that aren't `read_only`. Arrays that overlap on the host overlap on
the device in the same way.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any, Final, cast, final

import numpy as np
from numpy.lib.array_utils import byte_bounds
from numpy.typing import NDArray

from lanewise.device.base import Device, OpenProgram
from lanewise.device.launch import Arguments, DeviceArray, Launch
from lanewise.device.memory import DeviceMemory, Span
from lanewise.device.program import Program
from lanewise.errors import LaunchError
from lanewise.program.images.image import Image
from lanewise.program.memory.allocation import Allocation, runs
from lanewise.program.memory.buffer import Buffer
from lanewise.program.textures.texture import Surface, Texture


@final
class StagedProgram:
    """A program on a device with memory of its own, as the host launches it."""

    def __init__(self, program: OpenProgram) -> None:
        self._program: Final = program

    @property
    def device(self) -> Device:
        return self._program.device

    def prepare(self, launch: Launch) -> None:
        with _staged(self.device, launch) as staged:
            self._program.prepare(staged)

    def launch(self, launch: Launch) -> None:
        there = _there(launch)
        if there is not None:
            self._program.launch(there)
            return
        with _staged(self.device, launch) as staged:
            self._program.launch(staged)

    def reopen(self, program: Program) -> OpenProgram:
        return StagedProgram(self._program.reopen(program))

    def variable(self, symbol: str) -> Span:
        return self._program.variable(symbol)


@contextmanager
def handles(device: Device, textures: Sequence[Texture | Surface]) -> Generator[list[int]]:
    """The handles of textures and surfaces for a launch on `device`, made within the block; surfaces are up to date
    after it."""
    if not device.capabilities.own_memory:
        yield [texture.handle for texture in textures]
        return
    copies = _Copies(device, [array for array in map(_array_of, textures) if array is not None])
    yield [copies.texture(texture) for texture in textures]
    copies.back(
        [array for texture in textures if type(texture) is Surface and (array := _array_of(texture)) is not None]
    )


def _there(launch: Launch) -> Launch | None:
    """The launch as the device takes it, if all its memory is on the device already; None if some must be copied."""
    given = launch.arguments
    placed: list[DeviceArray | None] = []
    for referred, const in zip(given.arrays, given.parameters.const, strict=True):
        if referred is None or type(referred) is DeviceArray:
            placed.append(referred)
        elif type(referred) is Buffer:
            placed.append(_placed(referred, const=const))
        else:
            return None
    return launch._replace(arguments=Arguments(given.values, tuple(placed), given.parameters, given.local_bytes))


def _placed(buffer: Buffer, *, const: bool) -> DeviceArray:
    return DeviceArray(buffer.address, buffer.dtype, buffer.shape, const)


@contextmanager
def _staged(device: Device, launch: Launch) -> Generator[Launch]:
    """The launch with addresses of the device in place of the host's; written arrays are copied back after the block,
    unless it fails."""
    given = launch.arguments
    arrays = [_array_of(each) for each in given.arrays]
    copies = _Copies(device, [array for array in arrays if array is not None])
    values: list[int | float | bytes] = []
    placed: list[DeviceArray | None] = []
    written: list[NDArray[Any]] = []
    for value, referred, array, const in zip(given.values, given.arrays, arrays, given.parameters.const, strict=True):
        if isinstance(referred, Texture | Surface | Image):
            values.append(copies.texture(referred))
            placed.append(None)
        elif isinstance(referred, DeviceArray):
            values.append(value)
            placed.append(referred)
        elif isinstance(referred, Buffer):
            values.append(value)
            placed.append(_placed(referred, const=const))
        elif array is not None:
            values.append(copies.address(array))
            placed.append(copies.placed(array, const=const))
        else:
            values.append(value)
            placed.append(None)
        if array is not None and not const and not isinstance(referred, Texture):
            written.append(array)
    yield launch._replace(arguments=Arguments(tuple(values), tuple(placed), given.parameters, given.local_bytes))
    copies.back(written)


def _array_of(referred: object) -> NDArray[Any] | None:
    """The array of the host that an argument refers to, if any."""
    if isinstance(referred, Texture | Surface | Image):
        referred = referred.memory
    return cast("NDArray[Any]", referred) if isinstance(referred, np.ndarray) else None


@final
class _Copies:
    """Arrays of the host on a device, for one launch."""

    def __init__(self, device: Device, arrays: Sequence[NDArray[Any]]) -> None:
        """Copies all arrays. LaunchError if the device has no room for them."""
        self._device: Final = device
        self._memory: Final[DeviceMemory] = device.memory
        self._pieces: Final[list[tuple[int, int, Allocation]]] = []
        """Ranges of the host's memory, which don't overlap, and the place of each on the device."""
        self._kept: Final[list[Allocation]] = []
        ranges = _merged(byte_bounds(array) for array in arrays)
        places = self._allocated([end - start for start, end in ranges])
        self._pieces.extend((start, end, place) for (start, end), place in zip(ranges, places, strict=True))
        for array in arrays:
            address, data = self.address(array), np.ascontiguousarray(array).reshape(-1).view(np.uint8)
            for offset, place, length in runs(array):
                self._memory.write(address + offset, data[place : place + length])

    def _allocated(self, sizes: Sequence[int]) -> list[Allocation]:
        try:
            return Allocation.group(self._device, sizes)
        except MemoryError as error:
            what = "a copy of an argument" if len(sizes) == 1 else f"copies of {len(sizes)} arguments"
            raise LaunchError(f"{self._device.name} has no room for {what}, {sum(sizes)} bytes: {error}") from None

    def address(self, array: NDArray[Any]) -> int:
        """The device's address of the first element."""
        return self._at(int(array.__array_interface__["data"][0]))

    def placed(self, array: NDArray[Any], *, const: bool) -> DeviceArray:
        """The array on the device; one with gaps or negative strides as all bytes from its least to its greatest
        address."""
        if array.flags.c_contiguous or not array.size:
            return DeviceArray(self.address(array), array.dtype, array.shape, const)
        start, end = byte_bounds(array)
        return DeviceArray(self._at(start), np.dtype(np.uint8), (end - start,), const)

    def _at(self, first: int) -> int:
        for start, end, allocation in self._pieces:
            if start <= first < end:
                return allocation.address + first - start
        return 0  # no element

    def texture(self, texture: Texture | Surface | Image) -> int:
        """A handle of a texture, surface or image, whose texels are among the arrays copied, or on the device already.
        LaunchError if the device has no such textures."""
        if not self._device.capabilities.textures:
            raise LaunchError(f"textures, surfaces and images can't be used on {self._device.name} yet")
        array = _array_of(texture)
        if array is None:
            return texture.handle
        description = texture.description.copy()
        description["texels"] = self.address(array)
        data = description.view(np.uint8)
        (place,) = self._allocated([data.nbytes])
        self._kept.append(place)
        self._memory.write(place.address, data)
        return place.address

    def back(self, arrays: Sequence[NDArray[Any]]) -> None:
        """Copy to the host what is on the device now."""
        for array in arrays:
            address, data = self.address(array), np.empty(array.nbytes, np.uint8)
            for offset, place, length in runs(array):
                self._memory.read(address + offset, data[place : place + length])
            np.copyto(array, data.view(array.dtype).reshape(array.shape))


def _merged(bounds: Any) -> list[tuple[int, int]]:
    """Ranges (start, end) with those that overlap joined; empty ones are left out."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(bounds):
        if start == end:
            continue
        if merged and start < merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged
