# SPDX-License-Identifier: Apache-2.0
"""Memory on a device, kept between launches."""

from __future__ import annotations

from typing import Any, Final, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lanewise.device.base import Device


@final
class Buffer:
    """An array that lives on a device. Make one with `lw.to_device(array)`.

    Both present devices use the host's memory; a buffer is a copy all the same, so that programs written with it
    mean the same on a device that has memory of its own.
    """

    def __init__(self, array: NDArray[Any], device: Device) -> None:
        self.array: Final = array
        self.device: Final = device

    def __repr__(self) -> str:
        return f"<buffer {self.array.dtype} {self.array.shape} on {self.device.name}>"

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.array.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        return self.array.shape

    @property
    def nbytes(self) -> int:
        return self.array.nbytes

    def copy_to_host(self) -> NDArray[Any]:
        """A new array with the buffer's present content."""
        return self.array.copy()

    def copy_from_host(self, values: ArrayLike) -> None:
        """Set the content; shape and dtype stay."""
        self.array[...] = values


def to_device(values: ArrayLike, device: Device) -> Buffer:
    """Copy an array to `device`."""
    return Buffer(np.array(values, order="C", copy=True), device)
