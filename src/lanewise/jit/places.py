# SPDX-License-Identifier: Apache-2.0
"""Places of arrays on devices with memory of their own."""

from typing import Final, NamedTuple

from lanewise.device.launch import DeviceArray


class DevicePlace(NamedTuple):
    """An array on a device: the address of its first element, strides in bytes, None for those of the host, and the
    buffer; None for an array that no iteration touches."""

    address: int
    strides: tuple[int, ...] | None
    buffer: DeviceArray | None


UNTOUCHED: Final = DevicePlace(0, None, None)
