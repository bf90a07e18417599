# SPDX-License-Identifier: Apache-2.0
"""Formats of images: which channels a texel has in memory, of which type, and the colour that they stand for.

Source: The OpenCL Specification 3.0, "Image Format Descriptor"; The OpenCL C Specification 3.0, 8.3.
"""

from typing import Final, NamedTuple

from lanewise.device.texture_layout import ONE, ZERO, Format, Swizzle


class Order(NamedTuple):
    """An order of channels: its number in OpenCL, how many channels are in memory, and how they become a colour."""

    number: int
    channels: int
    swizzle: Swizzle
    sources: tuple[int, int, int, int]
    """The number of a channel, ZERO or ONE, for red, green, blue and alpha."""
    targets: tuple[int, ...]
    """The number of the component that each channel holds."""


ORDERS: Final = {
    "r": Order(0x10B0, 1, Swizzle.WITHOUT_ALPHA, (0, ZERO, ZERO, ONE), (0,)),
    "a": Order(0x10B1, 1, Swizzle.BY_TABLE, (ZERO, ZERO, ZERO, 0), (3,)),
    "rg": Order(0x10B2, 2, Swizzle.WITHOUT_ALPHA, (0, 1, ZERO, ONE), (0, 1)),
    "ra": Order(0x10B3, 2, Swizzle.BY_TABLE, (0, ZERO, ZERO, 1), (0, 3)),
    "rgb": Order(0x10B4, 3, Swizzle.WITHOUT_ALPHA, (0, 1, 2, ONE), (0, 1, 2)),
    "rgba": Order(0x10B5, 4, Swizzle.SAME, (0, 1, 2, 3), (0, 1, 2, 3)),
    "bgra": Order(0x10B6, 4, Swizzle.BLUE_FIRST, (2, 1, 0, 3), (2, 1, 0, 3)),
    "argb": Order(0x10B7, 4, Swizzle.BY_TABLE, (1, 2, 3, 0), (3, 0, 1, 2)),
    "abgr": Order(0x10C3, 4, Swizzle.BY_TABLE, (3, 2, 1, 0), (3, 2, 1, 0)),
    "intensity": Order(0x10B8, 1, Swizzle.BY_TABLE, (0, 0, 0, 0), (0,)),
    "luminance": Order(0x10B9, 1, Swizzle.BY_TABLE, (0, 0, 0, ONE), (0,)),
    "depth": Order(0x10BD, 1, Swizzle.WITHOUT_ALPHA, (0, ZERO, ZERO, ONE), (0,)),
    "srgba": Order(0x10C1, 4, Swizzle.SAME, (0, 1, 2, 3), (0, 1, 2, 3)),
    "sbgra": Order(0x10C2, 4, Swizzle.BLUE_FIRST, (2, 1, 0, 3), (2, 1, 0, 3)),
}  # fmt: skip


class ChannelType(NamedTuple):
    """A type of channels: its number in OpenCL, its form in memory, its dtype, which is that of a whole texel where
    channels are packed, and the greatest number of each channel if they are normalised."""

    number: int
    format: Format
    dtype: str
    most: tuple[int, ...] = ()


CHANNEL_TYPES: Final = {
    "snorm8": ChannelType(0x10D0, Format.S8_NORMALIZED, "i1", (127,) * 4),
    "snorm16": ChannelType(0x10D1, Format.S16_NORMALIZED, "i2", (32767,) * 4),
    "unorm8": ChannelType(0x10D2, Format.U8_NORMALIZED, "u1", (255,) * 4),
    "unorm16": ChannelType(0x10D3, Format.U16_NORMALIZED, "u2", (65535,) * 4),
    "unorm565": ChannelType(0x10D4, Format.PACKED_565, "u2", (31, 63, 31, 1)),
    "unorm555": ChannelType(0x10D5, Format.PACKED_555, "u2", (31, 31, 31, 1)),
    "unorm101010": ChannelType(0x10D6, Format.PACKED_101010, "u4", (1023, 1023, 1023, 1)),
    "int8": ChannelType(0x10D7, Format.S8, "i1"),
    "int16": ChannelType(0x10D8, Format.S16, "i2"),
    "int32": ChannelType(0x10D9, Format.WORD, "i4"),
    "uint8": ChannelType(0x10DA, Format.U8, "u1"),
    "uint16": ChannelType(0x10DB, Format.U16, "u2"),
    "uint32": ChannelType(0x10DC, Format.WORD, "u4"),
    "float16": ChannelType(0x10DD, Format.HALF, "f2"),
    "float32": ChannelType(0x10DE, Format.WORD, "f4"),
}

PACKED: Final = frozenset({"unorm565", "unorm555", "unorm101010"})
_BYTES: Final = frozenset({"snorm8", "unorm8", "int8", "uint8"})
_SHADES: Final = frozenset({"snorm8", "snorm16", "unorm8", "unorm16", "float16", "float32"})
_ONLY: Final = {
    "rgb": PACKED, "bgra": _BYTES, "argb": _BYTES, "abgr": _BYTES, "intensity": _SHADES, "luminance": _SHADES,
    "depth": frozenset({"unorm16", "float32"}), "srgba": frozenset({"unorm8"}), "sbgra": frozenset({"unorm8"}),
}  # fmt: skip
"""Orders that go with some types only; the others go with all that aren't packed."""


def types_of(order: str) -> list[str]:
    """The types that channels of an order may have."""
    return [name for name in CHANNEL_TYPES if name in _ONLY.get(order, CHANNEL_TYPES.keys() - PACKED)]
