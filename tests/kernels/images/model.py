# SPDX-License-Identifier: Apache-2.0
"""Reads of images in NumPy, by the formulas of the specification (The OpenCL C Specification 3.0, 8.2 and 8.3).

Coordinates are computed in binary32, as the specification has them; colours in binary64.
"""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
F32 = np.float32

ORDERS = {
    "r": "r001", "a": "000r", "rg": "rg01", "ra": "r00g", "rgb": "rgb1", "rgba": "rgba", "bgra": "bgra", "argb": "gbar",
    "abgr": "abgr", "intensity": "rrrr", "luminance": "rrr1", "depth": "r001", "srgba": "rgba", "sbgra": "bgra",
}  # fmt: skip
"""The component of a colour -> the channel in memory, by the letter of its number."""
BORDERS = {order: float(order in ("r", "rg", "rgb", "luminance")) for order in ORDERS}
"""Alpha of the border's colour; all else is 0."""


def channels_of(texels: Array, order: str, *, normalized: bool, packed: str | None) -> Array:
    """The channels in memory as numbers, along a last axis of four."""
    if packed is not None:
        widths = [int(digit) for digit in packed] if packed != "101010" else [10, 10, 10]
        shifts = [sum(widths[i + 1 :]) for i in range(3)]
        parts = [
            (texels >> shift & (1 << bits) - 1) / ((1 << bits) - 1) for shift, bits in zip(shifts, widths, strict=True)
        ]
        found = np.stack(parts, axis=-1)
    else:
        found = texels.astype(np.float64)
        if normalized or order in ("srgba", "sbgra") or (order == "depth" and texels.dtype.kind == "u"):
            found = np.maximum(found / np.iinfo(texels.dtype).max, -1)
        if order in ("srgba", "sbgra"):
            linear = np.where(found <= 0.04045, found / 12.92, ((found + 0.055) / 1.055) ** 2.4)
            found = np.concatenate([linear[..., :3], found[..., 3:]], axis=-1)
        if len(ORDERS[order].strip("01")) == 1 or order in ("intensity", "luminance", "depth", "a", "r"):
            found = found[..., np.newaxis]
    return np.concatenate([found, np.zeros((*found.shape[:-1], 4 - found.shape[-1]))], axis=-1)


def colours_of(channels: Array, order: str) -> Array:
    """Colours of channels in memory."""
    parts: list[Array] = []
    for letter in ORDERS[order]:
        constant: Array = np.full(channels.shape[:-1], float(letter == "1"))
        parts.append(constant if letter in "01" else channels[..., "rgba".index(letter)])
    return np.stack(parts, axis=-1)


def read(
    colours: Array, coordinates: Sequence[float], filter: str, address: str, normalized: bool, alpha: float
) -> Array:
    """The colour at coordinates in x, y, z, of an image whose axes are z, y, x and components."""
    border = np.array([0, 0, 0, alpha])
    extents = colours.shape[-2::-1]
    axes = [
        _places(F32(x), extent, filter, address, normalized) for x, extent in zip(coordinates, extents, strict=True)
    ]
    total = np.zeros(4)
    for corner in product(*axes):
        weight = np.prod([w for _, w in corner])
        indices = [i for i, _ in corner]
        inside = all(0 <= i < n for i, n in zip(indices, extents, strict=True))
        total = total + weight * (colours[tuple(indices[::-1])] if inside else border)
    return total


def _places(x: F32, extent: int, filter: str, address: str, normalized: bool) -> list[tuple[int, float]]:
    """The texels along an axis, with their weights; -1 is the border's."""
    if normalized:
        if address == "repeat":
            x = x - np.floor(x)
        elif address == "mirrored_repeat":
            x = np.abs(x - F32(2) * np.rint(F32(0.5) * x))
        x = x * F32(extent)
    if filter == "nearest":
        return [(_addressed(int(np.floor(x)), extent, address), 1.0)]
    x = x - F32(0.5)
    first, fraction = int(np.floor(x)), float(x - np.floor(x))
    return [(_addressed(first, extent, address), 1 - fraction), (_addressed(first + 1, extent, address), fraction)]


def _addressed(index: int, extent: int, address: str) -> int:
    match address:
        case "clamp":
            return index if 0 <= index < extent else -1
        case "repeat":
            return index % extent
        case _:
            return min(max(index, 0), extent - 1)
