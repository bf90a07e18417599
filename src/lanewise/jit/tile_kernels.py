# SPDX-License-Identifier: Apache-2.0
"""The kernels of a call's tiles: unrolled ones, if work-items have registers for it, and enough of them are left."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from lanewise.device.base import Device
from lanewise.frontend.python.parallel import has_triangle
from lanewise.frontend.python.region import PythonRegion
from lanewise.frontend.python.unrolling.shape import EVEN, Offer, Unrolling
from lanewise.jit.geometry import are_enough, most_copies
from lanewise.jit.item_registers import NO_REGISTERS, ItemRegisters, wide_arrays
from lanewise.jit.made_kernel import Made
from lanewise.jit.places import DevicePlace, places_in
from lanewise.jit.transfers import Tile, strided_in


class CallOnDevice(NamedTuple):
    """A call on a device with memory of its own. `bounds` of the loops, `inputs` by their names, those that are `there`
    already. `apart`: no array that is written overlaps another one."""

    region: PythonRegion
    device: Device
    bounds: Sequence[tuple[int, ...]]
    inputs: Mapping[str, Any]
    there: Mapping[str, DevicePlace]
    apart: bool


class MakeKernel(Protocol):
    """See `RegionKernel._kernel`."""

    def __call__(self, *, strided: frozenset[tuple[str, bool]], registers: ItemRegisters = NO_REGISTERS) -> Made: ...


def kernel_of_tile(call: CallOnDevice, tile: Tile, make: MakeKernel) -> Made:
    """The kernel for a tile of a call."""
    strided = strided_in(tile.plan, call.inputs)
    made = make(strided=strided)
    count = call.device.capabilities.item_registers
    if not count or call.region.options.tiling == "none" or not call.apart:
        return made
    wide = wide_arrays(made.types, call.inputs, {**call.there, **places_in(tile.plan, call.inputs)})
    axes = list(tile.axes)
    if has_triangle(call.region):
        axes += [range(*each) for each in call.bounds[len(axes) :]]
    counts = tuple(map(len, axes))
    offer = Offer(count, most_copies(counts), wide, not any(each.start % EVEN for each in axes))
    found = make(strided=strided, registers=ItemRegisters(offer=offer))
    assert found.grid is not None
    if isinstance(found.tiling, Unrolling) and not are_enough(counts, found.grid, found.tiling):
        found = make(strided=strided, registers=ItemRegisters(offer=offer._replace(copies=1)))
    return found
