# SPDX-License-Identifier: Apache-2.0
"""Textures and surfaces over arrays: the arguments for `cudaTextureObject_t` and `cudaSurfaceObject_t`.

The array's shape is the texture's, slowest axis first: (w,), (h, w), (d, h, w), with `layered` (layers, w) or
(layers, h, w), with `cubemap` (6, n, n), or with both (6 * layers, n, n). Channels are the last axis, of 1, 2 or 4, if
`channels` says so, or the members of a structured dtype such as that of float4. The array is used in place: later
launches fetch what kernels or NumPy have written to it.

Source: CUDA C++ Programming Guide, "Texture and Surface Memory", "Texture Fetching".
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from lanewise.device import texture_layout as layout
from lanewise.device.texture_layout import Address, Format, Geometry
from lanewise.errors import Error, LaunchTypeError
from lanewise.program.arguments.dtypes import leaf_dtype
from lanewise.program.arguments.numbers import described
from lanewise.program.memory.buffer import Buffer
from lanewise.program.textures.description import Placed, address_of, described_at, handle_of, on_device, texels_of

AddressMode = Literal["clamp", "wrap", "mirror", "border"]

LARGEST_EXTENT: Final = 1 << 30
"""Texels along one axis."""

_ADDRESSES: Final = {"wrap": Address.WRAP, "clamp": Address.CLAMP, "mirror": Address.MIRROR, "border": Address.BORDER}
_FORMATS: Final = {
    "i1": Format.S8, "u1": Format.U8, "i2": Format.S16, "u2": Format.U16, "f2": Format.HALF, "i4": Format.WORD,
    "u4": Format.WORD, "f4": Format.WORD,
}  # fmt: skip
_NORMALIZED: Final = {
    "i1": Format.S8_NORMALIZED, "u1": Format.U8_NORMALIZED, "i2": Format.S16_NORMALIZED, "u2": Format.U16_NORMALIZED,
}  # fmt: skip
_KINDS: Final = "iuf"
"""The dtype's letter, at the place of the kind that it is."""


class _Texels(NamedTuple):
    """An array seen as texels. Extents and strides (in bytes) are those in x, y and z; layers stand in z."""

    array: NDArray[Any]
    code: str
    """Kind and bytes of a channel: `u1`."""
    channels: int
    geometry: Geometry
    extent: tuple[int, int, int]
    stride: tuple[int, int, int]

    @property
    def texel_bytes(self) -> int:
        return int(self.code[1]) * self.channels

    @property
    def shown(self) -> str:
        channels = f" x {self.channels}" if self.channels > 1 else ""
        kind = f"{self.geometry.shown} " if self.geometry >= Geometry.CUBE else ""
        layered = "layered " if self.geometry in (Geometry.ONE_LAYERED, Geometry.TWO_LAYERED) else ""
        return f"{kind}{layered}{self.array.shape}, {np.dtype(self.code)}{channels}"


@final
class Texture:
    """A texture object over an array.

        tex = lw.Texture(image, filter="linear", address="clamp", normalized=True)
        k[grid, block](out, tex)                      for a parameter of type cudaTextureObject_t

    `filter`: "point" or "linear". `address`: the texel used for coordinates outside, "clamp", "border", or with
    normalised coordinates "wrap" and "mirror"; one for all axes, or one each in x, y, z. `normalized`: coordinates run
    from 0 to 1. `read`: "element", or "normalized" for 8- and 16-bit integers as floats from 0 or -1 to 1. `border`:
    the texel outside, a number or one per channel. `cubemap`: the six faces of a cube, +x, -x, +y, -y, +z and -z, which
    directions are fetched from. Elements of half precision are fetched as float.

    Raises Error for what CUDA doesn't allow.
    """

    def __init__(
        self,
        array: Any,
        filter: Literal["point", "linear"] = "point",
        address: AddressMode | Sequence[AddressMode] = "clamp",
        normalized: bool = False,
        read: Literal["element", "normalized"] = "element",
        layered: bool = False,
        channels: int | None = None,
        border: float | Sequence[float] = 0,
        cubemap: bool = False,
    ) -> None:
        texels = _texels("texture", array, layered, channels, cubemap)
        normalized = normalized or cubemap
        _require("filter", filter, ("point", "linear"))
        _require("read", read, ("element", "normalized"))
        formats = _FORMATS if read == "element" else _NORMALIZED
        if texels.code not in formats:
            raise Error(f"texture: read='normalized' is for integers of 8 and 16 bits, not for {np.dtype(texels.code)}")
        is_float = read == "normalized" or texels.code[0] == "f"
        if filter == "linear" and not is_float:
            raise Error(
                f"texture: linear filtering gives floats, and {np.dtype(texels.code)} is read as integers; use "
                "filter='point', or read='normalized' for 8 and 16 bits"
            )
        addresses = _addresses(address, texels.geometry, normalized)
        channel_bytes, kind = (4, 2) if is_float else (int(texels.code[1]), _KINDS.index(texels.code[0]))
        self._shown: Final = f"<texture {texels.shown}, {filter}, {'/'.join(a.name.lower() for a in addresses)}>"
        self.description: Final = described_at(
            _placed(texels, array),
            layout.TEXTURE_MAGIC,
            element=layout.element_of(channel_bytes, texels.channels, kind, texels.geometry),
            address=(*addresses, *[Address.CLAMP] * (4 - len(addresses))),
            format=formats[texels.code],
            linear=filter == "linear",
            normalized=bool(normalized),
            border=_border(border, texels.channels, "<f4" if is_float else "<i4"),
        )
        """Its form in memory, which kernels read."""
        self.memory: Final[Buffer | NDArray[Any]] = array if isinstance(array, Buffer) else texels.array
        """The texels: a buffer, or an array of the host."""
        self.geometry: Final = texels.geometry
        """Its dimensions, and whether it has layers."""
        self._there: Final = on_device(self.memory, self.description)
        self.handle: Final = handle_of(self, self.description) if self._there is None else self._there.address
        """The value of the `cudaTextureObject_t`, for structs and arrays that hold one; valid while this object is.
        Of a texture over a buffer, it is valid on the buffer's device."""

    def __repr__(self) -> str:
        return self._shown


@final
class Surface:
    """A surface object over a writable array, for a parameter of type `cudaSurfaceObject_t`; kernels write in place.

    Shapes, `layered` and `channels` are as for `Texture`. Raises Error for what CUDA doesn't allow.
    """

    def __init__(self, array: Any, layered: bool = False, channels: int | None = None) -> None:
        texels = _texels("surface", array, layered, channels)
        if not texels.array.flags.writeable:
            raise Error("surface: the array is read-only, and kernels may write to surfaces")
        self._shown: Final = f"<surface {texels.shown}>"
        element = layout.element_of(int(texels.code[1]), texels.channels, _KINDS.index(texels.code[0]), texels.geometry)
        self.description: Final = described_at(_placed(texels, array), layout.SURFACE_MAGIC, element=element)
        """Its form in memory, which kernels read."""
        self.memory: Final[Buffer | NDArray[Any]] = array if isinstance(array, Buffer) else texels.array
        """The texels: a buffer, or an array of the host."""
        self.geometry: Final = texels.geometry
        """Its dimensions, and whether it has layers."""
        self._there: Final = on_device(self.memory, self.description)
        self.handle: Final = handle_of(self, self.description) if self._there is None else self._there.address
        """The value of the `cudaSurfaceObject_t`, for structs and arrays that hold one; valid while this object is.
        Of a texture over a buffer, it is valid on the buffer's device."""

    def __repr__(self) -> str:
        return self._shown


def _placed(texels: _Texels, given: Any) -> Placed:
    return Placed(address_of(given, texels.array), texels.stride, texels.extent, texels.texel_bytes, texels.channels)


# -- arrays as texels --------------------------------------------------------------------------------------------------


def _texels(what: str, value: Any, layered: bool, channels: int | None, cubemap: bool = False) -> _Texels:
    array = texels_of(what, value)
    if channels not in (None, 1, 2, 4):
        raise Error(f"{what}: texels have 1, 2 or 4 channels, not {channels!r}")
    leaf = leaf_dtype(array.dtype)
    code = leaf.str[1:] if leaf is not None else ""
    if leaf is None or code not in _FORMATS or leaf.byteorder == ">":
        raise Error(
            f"{what}: an array of dtype {array.dtype} can't be one; elements are integers of 8, 16 or 32 bits, float16 "
            "or float32, or vectors of 1, 2 or 4 of these"
        )
    own = array.dtype.itemsize // leaf.itemsize
    shape, strides = array.shape, array.strides
    if channels is not None and own == 1 and array.dtype.fields is None:
        if not shape or shape[-1] != channels or strides[-1] != leaf.itemsize:
            raise Error(f"{what}: with channels={channels}, the last axis must have {channels} contiguous elements; "
                        f"the array has shape {array.shape} and strides {array.strides}")  # fmt: skip
        own, shape, strides = channels, shape[:-1], strides[:-1]
    if own not in (1, 2, 4) or channels not in (None, own):
        raise Error(f"{what}: texels have 1, 2 or 4 channels; dtype {array.dtype} has {own}")
    geometry = _cube(what, array, shape, layered) if cubemap else _geometry(what, array, len(shape), layered)
    texel_bytes = own * leaf.itemsize
    if not all(1 <= extent <= LARGEST_EXTENT for extent in shape):
        raise Error(f"{what}: each extent is 1 to 2^30 texels; the array has shape {array.shape}")
    if shape[-1] > 1 and strides[-1] != texel_bytes:
        raise Error(f"{what}: texels of a row must lie side by side; pass np.ascontiguousarray(...)")
    extent, stride = [*shape[::-1]], [texel_bytes, *strides[-2::-1]]
    while len(extent) < 3:
        at = 1 if geometry is Geometry.ONE_LAYERED else len(extent)
        extent.insert(at, 1)
        stride.insert(at, 0)
    return _Texels(
        array, code, own, geometry, (extent[0], extent[1], extent[2]), (stride[0], stride[1], stride[2])
    )  # fmt: skip


def _cube(what: str, array: NDArray[Any], shape: Sequence[int], layered: bool) -> Geometry:
    faces = len(shape) == 3 and shape[1] == shape[2] and (shape[0] % 6 == 0 if layered else shape[0] == 6)
    if not faces:
        wanted = "(6 * layers, n, n)" if layered else "(6, n, n)"
        raise Error(f"{what}: the array of a cubemap has shape {wanted}; this one has shape {array.shape}")
    return Geometry.CUBE_LAYERED if layered else Geometry.CUBE


def _geometry(what: str, array: NDArray[Any], axes: int, layered: bool) -> Geometry:
    known = {1: Geometry.ONE, 2: Geometry.TWO, 3: Geometry.THREE}
    if layered:
        known = {2: Geometry.ONE_LAYERED, 3: Geometry.TWO_LAYERED}
    if axes not in known:
        wanted = "(layers, w) or (layers, h, w)" if layered else "(w,), (h, w) or (d, h, w)"
        of = "a layered one" if layered else "one without layers"
        raise Error(
            f"{what}: the array of {of} has shape {wanted}, perhaps with channels=2 or 4 as the last axis; "
            f"this one has shape {array.shape}"
        )
    return known[axes]


# -- modes ------------------------------------------------------------------------------------------------------------


def _require(name: str, value: object, known: Sequence[str]) -> None:
    if value not in known:
        raise Error(f"texture: {name} is {' or '.join(map(repr, known))}, not {value!r}")


def _addresses(given: str | Sequence[str], geometry: Geometry, normalized: bool) -> list[Address]:
    axes = {Geometry.ONE: 1, Geometry.ONE_LAYERED: 1, Geometry.THREE: 3}.get(geometry, 2)
    modes = [given] * axes if isinstance(given, str) else list(given)
    if len(modes) != axes:
        raise Error(f"texture: address takes one mode, or {axes} in x, y, z order, not {len(modes)}")
    for mode in modes:
        _require("address", mode, tuple(_ADDRESSES))
        if mode in ("wrap", "mirror") and not normalized:
            raise Error(
                f"texture: address='{mode}' needs normalized=True; for other coordinates, CUDA takes it for 'clamp'"
            )
    return [_ADDRESSES[mode] for mode in modes]


def _border(given: float | Sequence[float], channels: int, dtype: str) -> NDArray[np.int32]:
    """The border's texel as the four words that a fetch returns."""
    words = np.zeros(4, dtype)
    try:
        values = np.asarray(given)
        if values.shape not in ((), (channels,)):
            raise ValueError
        words[:channels] = values.astype(np.int64).astype(np.int32) if dtype == "<i4" else values
    except (ValueError, TypeError, OverflowError):
        raise Error(f"texture: border is a number, or one for each of {channels} channels, not {given!r}") from None
    return words.view("<i4")


# -- arguments of kernels ----------------------------------------------------------------------------------------------


def handle_converter(ctype: str, what: str) -> Callable[[Any], tuple[int, object]]:
    """A converter for parameters of type `ctype`, cudaTextureObject_t or cudaSurfaceObject_t, to the handle and its
    owner."""
    wanted = Texture if "Texture" in ctype else Surface

    def convert(value: Any) -> tuple[int, object]:
        if type(value) is not wanted:
            raise LaunchTypeError(f"{what}: expected an lw.{wanted.__name__} for {ctype}, not {described(value)}")
        return value.handle, value

    return convert
