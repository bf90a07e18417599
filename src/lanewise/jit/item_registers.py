# SPDX-License-Identifier: Apache-2.0
"""Registers and alignment that a device offers to kernels with several iterations side by side."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from lanewise.frontend.python.python_types import Array, Type
from lanewise.frontend.python.unrolling.shape import WIDE_BYTES, Offer
from lanewise.jit.arguments import is_strided
from lanewise.jit.places import DevicePlace


class ItemRegisters(NamedTuple):
    """`vector_bytes`: size of the vectors that work-items share. `offer`: registers that each has for itself, and what
    a call allows. A nest is left as it is if there are neither."""

    vector_bytes: int = 0
    offer: Offer | None = None


NO_REGISTERS: Final = ItemRegisters()


def wide_arrays(
    types: Mapping[str, Type], inputs: Mapping[str, Any], places: Mapping[str, DevicePlace]
) -> frozenset[str]:
    """The arrays whose rows start at multiples of WIDE_BYTES on a device. `places` there, of those that are touched."""
    found: list[str] = []
    for name in _vectorisable(types) & places.keys():
        type_, place, array = types[name], places[name], inputs[name]
        assert isinstance(type_, Array)
        strides = (place.strides or array.strides)[:-1]
        if not is_strided(type_):
            strides = (array.shape[-1] * array.itemsize,) if array.ndim > 1 else ()
        if not any(each % WIDE_BYTES for each in (place.address, *strides)):
            found.append(name)
    return frozenset(found)


def _vectorisable(types: Mapping[str, Type]) -> frozenset[str]:
    """The arrays that loads of vectors are possible from: those with dense rows of numbers."""
    return frozenset(
        name
        for name, of in types.items()
        if isinstance(of, Array) and of.ndim and of.dense and of.element.kind != "record"
        and of.element.size < WIDE_BYTES
    )  # fmt: skip
