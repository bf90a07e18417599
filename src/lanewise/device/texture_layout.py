# SPDX-License-Identifier: Apache-2.0
"""The description of a texture, surface or image for kernels: `struct lw_texture` of runtime/core/texture.h.

A handle (`cudaTextureObject_t`, `image2d_t`) is the address of such a description.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final

import numpy as np

LAYOUT: Final[np.dtype[Any]] = np.dtype(
    [
        ("element", "<u4"),
        ("magic", "<u4"),
        ("texels", "<u8"),
        ("stride", "<i8", (3,)),
        ("extent", "<i4", (3,)),
        ("bytes", "<u4"),
        ("address", "u1", (4,)),
        ("format", "u1"),
        ("channels", "u1"),
        ("linear", "u1"),
        ("normalized", "u1"),
        ("border", "<i4", (4,)),
        ("order", "<u2"),
        ("type", "<u2"),
        ("swizzle", "u1"),
        ("padding", "u1", (3,)),
        ("sources", "u1", (4,)),
        ("targets", "u1", (4,)),
        ("scale", "<f4", (4,)),
    ],
    align=True,
)
ALIGNMENT: Final = 16
"""Alignment of a description, in bytes: that of its widest member."""

TEXTURE_MAGIC: Final = 0x7E87041E
SURFACE_MAGIC: Final = 0x5F4FACE5
IMAGE_MAGIC: Final = 0x04C11A6E

CHANNELS_SHIFT: Final = 8
KIND_SHIFT: Final = 16
GEOMETRY_SHIFT: Final = 18
BOUNDARY_SHIFT: Final = 24


class Geometry(IntEnum):
    """Kind of coordinates that a fetch takes."""

    ONE = 0
    TWO = 1
    THREE = 2
    ONE_LAYERED = 3
    TWO_LAYERED = 4
    CUBE = 5
    CUBE_LAYERED = 6

    @property
    def shown(self) -> str:
        return ("1-D", "2-D", "3-D", "layered 1-D", "layered 2-D", "cubemap", "layered cubemap")[self]


class Address(IntEnum):
    """Addressing mode: the texel used for coordinates outside (CUDA Runtime API, cudaTextureAddressMode)."""

    WRAP = 0
    CLAMP = 1
    MIRROR = 2
    BORDER = 3


class Format(IntEnum):
    """Representation of a channel in memory, and the value that a fetch returns for it."""

    WORD = 0
    """32 bits, as they are."""
    S8 = 1
    U8 = 2
    S16 = 3
    U16 = 4
    HALF = 5
    """As a float."""
    S8_NORMALIZED = 6
    """As a float, divided by the greatest number of the type, as are those below."""
    U8_NORMALIZED = 7
    S16_NORMALIZED = 8
    U16_NORMALIZED = 9
    PACKED_565 = 10
    """Three channels in one number, the first of them the highest bits; of images, as are those below."""
    PACKED_555 = 11
    PACKED_101010 = 12
    SRGB = 13
    """Bytes of sRGB, linear for alpha."""


class Swizzle(IntEnum):
    """The order of the channels of an image's texel in memory."""

    SAME = 0
    WITHOUT_ALPHA = 1
    BLUE_FIRST = 2
    BY_TABLE = 3


ZERO: Final = 4
ONE: Final = 5
"""Components of a colour that no channel in memory gives."""


def element_of(channel_bytes: int, channels: int, kind: int, geometry: Geometry) -> int:
    """The element type that the kernel must expect; `kind` is 0 for signed numbers, 1 for unsigned, 2 for floats."""
    return channel_bytes | channels << CHANNELS_SHIFT | kind << KIND_SHIFT | geometry << GEOMETRY_SHIFT


def allocate() -> np.ndarray[Any, np.dtype[Any]]:
    """An empty description, an array of one element at an aligned address."""
    block = np.zeros(LAYOUT.itemsize + ALIGNMENT, np.uint8)
    skip = -int(block.__array_interface__["data"][0]) % ALIGNMENT
    return block[skip : skip + LAYOUT.itemsize].view(LAYOUT)
