# SPDX-License-Identifier: Apache-2.0
"""Buffers among the arguments of a region: arrays that live on a device between calls, so that none copies them.

Where kernels use the host's memory, a buffer is an array of it. On a device with memory of its own, the region runs
where its buffers are. They are the same for all calls, so whoever reads or writes a part of one on the host copies that
part alone, by the buffer's own methods.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from lanewise.device.base import Device
from lanewise.device.launch import DeviceArray
from lanewise.errors import LaunchError
from lanewise.jit.places import DevicePlace
from lanewise.program.memory.buffer import Buffer
from lanewise.program.selection import chosen_device

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Residence(NamedTuple):
    """The device and the places of a call's buffers."""

    device: Device | None
    """The device with memory of its own that has them; None if they are in the host's."""
    places: Mapping[str, DevicePlace]
    """Places of the arrays on that device, by their names."""


NOBODY: Final = Residence(None, {})


def has_buffers(arguments: Sequence[Any]) -> bool:
    return any(type(each) is Buffer for each in arguments)


def residence_of(region: str, names: Sequence[str], inputs: Sequence[Any]) -> tuple[tuple[Any, ...], Residence]:
    """The inputs with arrays in place of buffers, and where these are. LaunchError for buffers of two devices, or of
    another one than was chosen.

    On a device with memory of its own, an array in place of a buffer has its metadata alone.
    """
    arrays = tuple([each.layout if type(each) is Buffer else each for each in inputs])
    own = {name: each for name, each in zip(names, inputs, strict=False) if type(each) is Buffer and each.allocation}
    if not own:
        return arrays, NOBODY
    first, *others = own.items()
    device = first[1].device
    for name, each in others:
        if each.device is not device:
            raise LaunchError(
                f"{region}: '{first[0]}' is in the memory of {device.name}, and '{name}' in that of {each.device.name}"
            )
    chosen = chosen_device()
    if chosen is not None and chosen is not device:
        raise LaunchError(
            f"{region}: '{first[0]}' is in the memory of {device.name}, and the loop runs on {chosen.name}; "
            f"copy_to_host() first"
        )
    return arrays, Residence(device, {name: _place(each) for name, each in own.items()})


def _place(buffer: Buffer) -> DevicePlace:
    low, high = _reach(buffer.layout)
    whole = DeviceArray(buffer.address + low, np.dtype(np.uint8), (high - low,))
    return DevicePlace(buffer.address, None, whole)


def _reach(layout: "NDArray[Any]") -> tuple[int, int]:
    """The bytes that elements take, from the first element's address on."""
    if 0 in layout.shape:
        return 0, 0
    ends = [stride * (extent - 1) for stride, extent in zip(layout.strides, layout.shape, strict=True)]
    return sum(min(end, 0) for end in ends), sum(max(end, 0) for end in ends) + layout.itemsize
