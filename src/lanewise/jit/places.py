# SPDX-License-Identifier: Apache-2.0
"""Places of arrays on devices with memory of their own."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from lanewise.device.launch import DeviceArray

if TYPE_CHECKING:
    from lanewise.transfer.plan import NestPlan


class DevicePlace(NamedTuple):
    """An array on a device: the address of its first element, strides in bytes, None for those of the host, and the
    buffer; None for an array that no iteration touches."""

    address: int
    strides: tuple[int, ...] | None
    buffer: DeviceArray | None


def places_in(plan: "NestPlan", inputs: Mapping[str, Any]) -> dict[str, DevicePlace]:
    """The places of a tile's arrays in its buffers, as if each of these began at address 0. All do at a multiple of
    256, so what is known of alignment holds."""
    return {
        name: DevicePlace(view.offset, None if view.strides == inputs[name].strides else view.strides, None)
        for group in plan.groups
        for name, view in group.views.items()
    }


UNTOUCHED: Final = DevicePlace(0, None, None)
