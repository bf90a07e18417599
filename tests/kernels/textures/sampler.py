# SPDX-License-Identifier: Apache-2.0
"""Texture fetches in NumPy, all coordinates at once: a model of what docs/textures.md says."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

LIMIT = np.float32(2.0**30)
HALF = np.float32(0.5)


def sample(
    texels: Array,
    coordinates: Sequence[Array],
    *,
    linear: bool = False,
    address: Sequence[str],
    normalized: bool = False,
    border: Any = 0,
) -> Array:
    """`texels` has an axis for each coordinate, slowest first, then one of channels; coordinates are x, y, z."""
    axes = texels.ndim - 1
    extents = texels.shape[axes - 1 :: -1] if axes > 1 else texels.shape[:1]
    places = [
        _in_texels(x.astype(np.float32), n, mode, normalized)
        for x, n, mode in zip(coordinates, extents, address, strict=True)
    ]
    if not linear:
        return _at(texels, [np.floor(p).astype(np.int64) for p in places], address, border)
    shifted = [_bounded(p - HALF) for p in places]
    firsts = [np.floor(p).astype(np.int64) for p in shifted]
    fractions = [p - first.astype(np.float32) for p, first in zip(shifted, firsts, strict=True)]
    seconds = [np.floor(f * np.float32(256) + HALF).astype(np.int64) for f in fractions]
    total: Array | None = None
    for corner in product((0, 1), repeat=axes):
        chosen = corner[::-1]  # x is the fastest
        weight = np.ones(places[0].shape)
        for second, side in zip(seconds, chosen, strict=True):
            weight = weight * ((second if side else 256 - second) / 256)
        texel = _at(texels, [f + side for f, side in zip(firsts, chosen, strict=True)], address, border)
        part = texel.astype(np.float32) * weight.astype(np.float32)[:, None]
        total = part if total is None else total + part
    assert total is not None
    assert total.dtype == np.float32
    return total


def gather(texels: Array, x: Array, y: Array, *, address: Sequence[str], channel: int = 0) -> Array:
    """The texels that a linear fetch would mix, in the order of PTX's tld4."""
    first = [np.floor(_bounded(_bounded(c.astype(np.float32)) - HALF)).astype(np.int64) for c in (x, y)]
    corners = ((0, 1), (1, 1), (1, 0), (0, 0))
    found = [_at(texels, [first[0] + dx, first[1] + dy], address, 0)[:, channel] for dx, dy in corners]
    return np.stack(found, axis=-1)


def _bounded(x: Array) -> Array:
    return np.clip(np.where(np.isnan(x), np.float32(0), x), -LIMIT, LIMIT)


def _in_texels(x: Array, extent: int, mode: str, normalized: bool) -> Array:
    x = _bounded(x)
    if not normalized:
        return x
    if mode in ("wrap", "mirror"):
        period = np.floor(x)
        x = x - period
        if mode == "mirror":
            x = np.where(period % 2 == 1, np.float32(1) - x, x)
    return _bounded(x * np.float32(extent))


def _at(texels: Array, indices: Sequence[Array], address: Sequence[str], border: Any) -> Array:
    """Texels at integer places, x first."""
    inside = np.ones(indices[0].shape, bool)
    places: list[Array] = []
    axes = texels.ndim - 1
    for axis, (index, mode) in enumerate(zip(indices, address, strict=True)):
        extent = texels.shape[axes - 1 - axis]
        if mode == "border":
            inside &= (index >= 0) & (index < extent)
        places.append(index % extent if mode == "wrap" else np.clip(index, 0, extent - 1))
    found = texels[tuple(places[::-1])]
    return np.where(inside[:, None], found, np.asarray(border, texels.dtype))


def normalised(values: Array) -> Array:
    """8- and 16-bit integers as floats: the greatest is 1, the least of the signed ones -1."""
    greatest = np.float32(np.iinfo(values.dtype).max)
    return np.maximum(values.astype(np.float32) / greatest, np.float32(-1))
