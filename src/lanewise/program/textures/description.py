# SPDX-License-Identifier: Apache-2.0
"""Descriptions of textures, surfaces and images in memory, and handles: what they have in common.

A handle is the address of a description. It stays valid as long as the object that it was made for.
"""

import weakref
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lanewise.device import texture_layout as layout
from lanewise.errors import Error
from lanewise.program.arguments.foreign_arrays import ForeignArrayError, as_array
from lanewise.program.memory.allocation import Allocation
from lanewise.program.memory.buffer import Buffer


class Placed(NamedTuple):
    """Texels in memory: the address of the first one, bytes from one to the next in x, y and z, how many there are, the
    bytes and the channels of each."""

    address: int
    stride: tuple[int, int, int]
    extent: tuple[int, int, int]
    texel_bytes: int
    channels: int


def described_at(texels: Placed, magic: int, **members: Any) -> NDArray[Any]:
    """A description, an array of one element."""
    description = layout.allocate()
    members |= {
        "magic": magic,
        "texels": texels.address,
        "stride": texels.stride,
        "extent": texels.extent,
        "bytes": texels.texel_bytes,
        "channels": texels.channels,
    }
    for name, value in members.items():
        description[name] = value
    return description


def address_of(given: Any, array: NDArray[Any]) -> int:
    """The address of the first element of what was given, a buffer or what `array` is a view of."""
    if isinstance(given, Buffer):
        return given.address
    return int(array.__array_interface__["data"][0])


def on_device(memory: Buffer | NDArray[Any], description: NDArray[Any]) -> Allocation | None:
    """A description's place in the memory of the device that has the texels; None if kernels use the host's memory."""
    if not isinstance(memory, Buffer) or memory.allocation is None:
        return None
    there = Allocation(memory.device, description.nbytes, zeroed=False)
    memory.device.memory.write(there.address, description.view(np.uint8))
    return there


def handle_of(owner: object, description: NDArray[Any]) -> int:
    """The address of a description, which says when `owner` is gone that it is none any more."""
    weakref.finalize(owner, _forget, description).atexit = False
    return int(description.__array_interface__["data"][0])


def _forget(description: NDArray[Any]) -> None:
    description["magic"] = 0


def texels_of(what: str, value: Any) -> NDArray[Any]:
    """The array that `value` is, or lies in memory as; an error calls the object `what`."""
    if isinstance(value, Buffer):
        return value.layout
    try:
        array = as_array(value)
    except ForeignArrayError as error:
        raise Error(f"{what}: {error}") from None
    if array is None:
        raise Error(f"{what}: expected an array or a buffer, not {type(value).__name__}")
    return array
