# SPDX-License-Identifier: Apache-2.0
"""Texture fetches and surface accesses.

Source: CUDA C++ Programming Guide, "Texture Fetching" and "Surface Functions". It leaves some details open; here they
are as follows (all in binary32, each operation rounded):

coordinates   not a number counts as 0; beyond 2**30 in magnitude as 2**30, when given and after each step
normalised    wrap takes the fraction, mirror turns it round in odd periods; then the product with the extent
linear        0.5 less; the texels at the floor and after it; the fraction in 256ths, halves up, is the weight of the
              second. Products of weights are exact. Texels times weights are added, x fastest, then y, then z.
outside       each texel's index by itself: the other end (wrap), the nearest (clamp, mirror), the border's texel
"""

import ctypes
import math
import struct
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any, Final, NamedTuple, final

import numpy as np

from lanewise.device import texture_layout as layout
from lanewise.device.reference.arithmetic.formats import from_bits, rounder, to_bits
from lanewise.device.reference.arithmetic.indeterminate import Indeterminate, Value
from lanewise.device.reference.arithmetic.integers import wrapped
from lanewise.device.reference.faults import Fault
from lanewise.device.texture_layout import Address, Format, Geometry
from lanewise.ir.texture_functions import FORMATTED, KIND_OF_SURFACE, QUERIES, REDUCTION_SHIFT, REDUCTIONS

_PREFIXES: Final = (
    "__lw_tex_query", "__lw_surf_query", "__lw_tex_", "__lw_surf_read_", "__lw_surf_write_", "__lw_surf_reduce_",
)  # fmt: skip
_INTEGERS: Final[dict[str, Callable[[int, int], int]]] = {
    "add": int.__add__, "min": min, "max": max, "and": int.__and__, "or": int.__or__,
}  # fmt: skip
_DATA_TYPES: Final = {
    "b": 0x10D7, "h": 0x10D8, "i": 0x10D9, "B": 0x10DA, "H": 0x10DB, "I": 0x10DC, "e": 0x10DD, "f": 0x10DE,
    Format.S8_NORMALIZED: 0x10D0, Format.S16_NORMALIZED: 0x10D1, Format.U8_NORMALIZED: 0x10D2,
    Format.U16_NORMALIZED: 0x10D3,
}  # fmt: skip
"""PTX ISA 9.0, 5.3.3: numbers of the types of channels."""
_ORDERS: Final = {1: 0x10B0, 2: 0x10B2, 4: 0x10B5}
_LIMIT: Final = float(1 << 30)
_DETAILS: Final = ("_level", "_grad")
"""Suffixes of functions that select a level of detail. There is only one level."""
_GEOMETRIES: Final = {
    "fetch": Geometry.ONE, "gather": Geometry.TWO, "1d": Geometry.ONE, "2d": Geometry.TWO, "3d": Geometry.THREE,
    "1d_layered": Geometry.ONE_LAYERED, "2d_layered": Geometry.TWO_LAYERED, "cube": Geometry.CUBE,
    "cube_layered": Geometry.CUBE_LAYERED,
}  # fmt: skip
_CODES: Final = {
    Format.WORD: "I", Format.HALF: "H", Format.S8: "b", Format.U8: "B", Format.S16: "h", Format.U16: "H",
    Format.S8_NORMALIZED: "b", Format.U8_NORMALIZED: "B", Format.S16_NORMALIZED: "h", Format.U16_NORMALIZED: "H",
}  # fmt: skip
"""Format of a channel in memory, as a code of `struct`."""
_ONES: Final = {
    Format.S8_NORMALIZED: 127, Format.U8_NORMALIZED: 255, Format.S16_NORMALIZED: 32767, Format.U16_NORMALIZED: 65535,
}  # fmt: skip
"""The stored value that becomes 1."""

_single: Final = rounder("float")


class _Object(NamedTuple):
    """A texture or surface, as its description says."""

    element: int
    texels: int
    stride: tuple[int, int, int]
    extent: tuple[int, int, int]
    bytes: int
    address: tuple[int, ...]
    format: Format
    channels: int
    linear: bool
    normalized: bool
    border: tuple[int, ...]

    @property
    def geometry(self) -> Geometry:
        return Geometry(self.element >> layout.GEOMETRY_SHIFT & 7)

    @property
    def code(self) -> str:
        """The type of a channel in memory, as a code of `struct`."""
        if self.format is not Format.WORD:
            return "e" if self.format is Format.HALF else _CODES[self.format]
        size, kind = self.bytes // self.channels, self.element >> layout.KIND_SHIFT & 3
        return "bBe"[kind] if size == 1 else "hHe"[kind] if size == 2 else "iIf"[kind]


_Texel = tuple[int, ...]
"""The four words that a fetch returns, as numbers below 2**32."""


def is_texture_call(name: str) -> bool:
    return name.startswith(_PREFIXES)


@final
class Textures:
    """The textures and surfaces that one launch uses."""

    def __init__(self) -> None:
        self._known: Final[dict[tuple[int, int], _Object]] = {}

    def function(self, name: str) -> Callable[..., Any]:
        """The function that device code calls by this name. It faults if an argument is indeterminate."""
        prefix = next(p for p in _PREFIXES if name.startswith(p))
        what = name.removeprefix(prefix)
        for ending in _DETAILS:
            what = what.removesuffix(ending)
        run = {
            "__lw_tex_": self._fetch,
            "__lw_surf_read_": self._read,
            "__lw_surf_write_": self._write,
            "__lw_surf_reduce_": self._reduce,
            "__lw_tex_query": partial(self._query, layout.TEXTURE_MAGIC),
            "__lw_surf_query": partial(self._query, layout.SURFACE_MAGIC),
        }[prefix]
        return partial(_checked, partial(run, what))

    # -- textures ------------------------------------------------------------------------------------------------------

    def _fetch(self, what: str, handle: int, element: int, *arguments: Any) -> tuple[int, ...]:
        geometry = _GEOMETRIES[what]
        texture = self._texture(handle, element, geometry, any_channels=what == "gather")
        if what == "fetch":
            inside = 0 <= arguments[0] < texture.extent[0]
            found = _texel(texture, (arguments[0], 0, 0)) if inside else (0, 0, 0, 0)
        elif what == "gather":
            found = _gather(texture, arguments[0] & 3, arguments[1:3])
        elif geometry in (Geometry.CUBE, Geometry.CUBE_LAYERED):
            layer, *direction = arguments[:4] if geometry is Geometry.CUBE_LAYERED else (0, *arguments[:3])
            face, place = _face(*direction)
            found = _sample(texture, place, 6 * min(max(layer, 0), texture.extent[2] // 6 - 1) + face)
        elif geometry in (Geometry.ONE_LAYERED, Geometry.TWO_LAYERED):
            layer = min(max(arguments[0], 0), texture.extent[2] - 1)
            axes = 1 if geometry is Geometry.ONE_LAYERED else 2
            found = _sample(texture, arguments[1 : 1 + axes], layer)
        else:
            found = _sample(texture, arguments[: geometry + 1], 0)
        return tuple(wrapped(word, 32) for word in found)

    def _texture(self, handle: int, element: int, geometry: Geometry, *, any_channels: bool) -> _Object:
        texture = self._object(handle, layout.TEXTURE_MAGIC, "texture")
        sign = 1 << layout.KIND_SHIFT
        wanted = element | geometry << layout.GEOMETRY_SHIFT
        if not element & (0xFF << layout.CHANNELS_SHIFT | 0xFF):  # any channels, of any size
            wanted |= texture.element & (0xFF << layout.CHANNELS_SHIFT | 0xFF)
        elif any_channels:
            wanted = wanted & ~(0xFF << layout.CHANNELS_SHIFT) | texture.channels << layout.CHANNELS_SHIFT
        if wanted | sign != texture.element | sign:
            raise Fault(
                f"a {geometry.shown} fetch of {_type_name(wanted)} from a {texture.geometry.shown} texture that gives "
                f"{_type_name(texture.element)}"
            )
        return texture

    def _object(self, handle: int, magic: int, what: str) -> _Object:
        handle &= (1 << 64) - 1
        known = self._known.get((handle, magic))
        if known is None:
            if not handle:
                raise Fault(f"a {what} handle is 0: nothing is bound to it")
            known = _described(handle, magic)
            if known is None:
                raise Fault(f"{handle:#x} is not the handle of a living {what}")
            self._known[handle, magic] = known
        return known

    # -- surfaces ------------------------------------------------------------------------------------------------------

    def _read(self, what: str, handle: int, access: int, *place: int) -> tuple[int, ...]:
        size, channels = access & 0xFF, access >> layout.CHANNELS_SHIFT & 7
        address = self._place(what, handle, access, size * channels, place)
        content = b"" if address is None else ctypes.string_at(address, size * channels)
        words = [int.from_bytes(content[i * size : (i + 1) * size], "little") for i in range(channels)]
        return tuple(wrapped(word, 32) for word in (*words, 0, 0, 0)[:4])

    def _write(self, what: str, handle: int, access: int, *arguments: Any) -> None:
        *place, words = arguments
        size, channels = access & 0xFF, access >> layout.CHANNELS_SHIFT & 7
        for word in words[:channels]:
            if word.__class__ is Indeterminate:
                raise Fault(f"a surface write of {word.why}")
        if access & FORMATTED:
            self._write_formatted(what, handle, access, tuple(place), words[:channels])
            return
        address = self._place(what, handle, access, size * channels, tuple(place))
        if address is not None:
            parts = [(word & ((1 << 8 * size) - 1)).to_bytes(size, "little") for word in words[:channels]]
            ctypes.memmove(address, b"".join(parts), size * channels)

    def _write_formatted(
        self, what: str, handle: int, access: int, place: tuple[int, ...], words: tuple[int, ...]
    ) -> None:
        surface = self._object(handle, layout.SURFACE_MAGIC, "surface")
        address = self._place(what, handle, access, surface.bytes, (place[0] * surface.bytes, *place[1:]))
        size = surface.bytes // surface.channels
        if address is not None:
            parts = [_formatted(surface.code, word).to_bytes(size, "little") for word in words[: surface.channels]]
            ctypes.memmove(address, b"".join(parts), len(parts) * size)

    def _reduce(self, what: str, handle: int, access: int, *arguments: Any) -> None:
        *place, words = arguments
        size = access & 0xFF
        if access & FORMATTED:
            place[0] *= size
        for word in words[: size // 4]:
            if word.__class__ is Indeterminate:
                raise Fault(f"a surface reduction with {word.why}")
        address = self._place(what, handle, access, size, tuple(place))
        if address is None:
            return
        kind = access >> layout.KIND_SHIFT & 3
        if kind == KIND_OF_SURFACE:
            signed = self._object(handle, layout.SURFACE_MAGIC, "surface").code.islower()
        else:
            signed = not kind
        given = b"".join((word & 0xFFFFFFFF).to_bytes(4, "little") for word in words[: size // 4])
        a, b = (int.from_bytes(each, "little", signed=signed) for each in (ctypes.string_at(address, size), given))
        result = _INTEGERS[REDUCTIONS[access >> REDUCTION_SHIFT & 7]](a, b)
        ctypes.memmove(address, (result & ((1 << 8 * size) - 1)).to_bytes(size, "little"), size)

    # -- queries -------------------------------------------------------------------------------------------------------

    def _query(self, magic: int, what: str, handle: int, number: int) -> tuple[int, ...]:
        del what
        found = self._object(handle, magic, "texture" if magic == layout.TEXTURE_MAGIC else "surface")
        layers = {Geometry.ONE_LAYERED: 1, Geometry.TWO_LAYERED: 1, Geometry.CUBE_LAYERED: 6}.get(found.geometry)
        answers = {
            "width": found.extent[0],
            "height": found.extent[1],
            "depth": found.extent[2] if found.geometry == Geometry.THREE else 1,
            "array_size": found.extent[2] // layers if layers else 1,
            "channel_data_type": _DATA_TYPES[found.format if found.format in _ONES else found.code],
            "channel_order": _ORDERS[found.channels],
            "normalized_coords": int(found.normalized),
            "num_mipmap_levels": 1,
            "num_samples": 1,
            "filter_mode": int(found.linear),
        }
        return answers[QUERIES[number]], 0, 0, 0

    def _place(self, what: str, handle: int, access: int, size: int, coordinates: tuple[int, ...]) -> int | None:
        """The address of an element; None if it is outside and the access is to be ignored."""
        geometry = _GEOMETRIES[what]
        surface = self._object(handle, layout.SURFACE_MAGIC, "surface")
        if surface.geometry != geometry:
            raise Fault(f"a {geometry.shown} access of a {surface.geometry.shown} surface")
        x, y, z = (
            (*coordinates, 0, 0)[:3] if geometry is not Geometry.ONE_LAYERED else (coordinates[0], 0, coordinates[1])
        )
        shown = f"a surface access of {size} bytes at ({x}, {y}, {z})"
        if x % size:
            raise Fault(f"{shown} whose x is not a multiple of its size")
        elements = surface.extent[0] * surface.bytes // size
        index, extent = (x // size, y, z), (elements, surface.extent[1], surface.extent[2])
        if not all(0 <= i < n for i, n in zip(index, extent, strict=True)):
            match access >> layout.BOUNDARY_SHIFT & 3:
                case 0:
                    return None
                case 1 if elements:
                    index = tuple(min(max(i, 0), n - 1) for i, n in zip(index, extent, strict=True))
                case 1:
                    return None
                case _:
                    raise Fault(f"{shown} which is outside")
        return surface.texels + index[0] * size + index[1] * surface.stride[1] + index[2] * surface.stride[2]


def _checked(run: Callable[..., Any], *arguments: Value) -> Any:
    for argument in arguments:
        if argument.__class__ is Indeterminate:
            raise Fault(f"a texture or surface access that depends on {argument.why}")
    return run(*arguments)


# -- descriptions ------------------------------------------------------------------------------------------------------


def _described(handle: int, magic: int) -> _Object | None:
    """The object described at an address; None if there is none. Any number may be passed as a handle, so
    the memory is read through the operating system, which reports unmapped addresses."""
    try:
        with open("/proc/self/mem", "rb", buffering=0) as memory:
            memory.seek(handle)
            content = memory.read(layout.LAYOUT.itemsize)
    except (OSError, OverflowError, ValueError):
        return None
    if handle % layout.ALIGNMENT or len(content) < layout.LAYOUT.itemsize:
        return None
    found = np.frombuffer(content, layout.LAYOUT)[0]
    if int(found["magic"]) != magic:
        return None
    stride, extent = found["stride"].tolist(), found["extent"].tolist()
    return _Object(
        element=int(found["element"]),
        texels=int(found["texels"]),
        stride=(stride[0], stride[1], stride[2]),
        extent=(extent[0], extent[1], extent[2]),
        bytes=int(found["bytes"]),
        address=tuple(found["address"].tolist()),
        format=Format(int(found["format"])),
        channels=int(found["channels"]),
        linear=bool(found["linear"]),
        normalized=bool(found["normalized"]),
        border=tuple(word & 0xFFFFFFFF for word in found["border"].tolist()),
    )


def _formatted(code: str, word: int) -> int:
    """The bits of a number of a surface's format that has a word's value, or the nearest (PTX ISA, sust.p)."""
    word &= 0xFFFFFFFF
    if code == "f":
        return word
    if code == "e":
        value = from_bits(word, "float")
        return 0x7FFF if math.isnan(value) else to_bits(rounder("half")(value), "half")
    bits = 8 * struct.calcsize(code)
    if code.isupper():
        return min(word, (1 << bits) - 1)
    limit = 1 << (bits - 1)
    return min(max(wrapped(word, 32), -limit), limit - 1) & ((1 << bits) - 1)


def _type_name(element: int) -> str:
    """Name of a texel's type, like uchar4."""
    kind, channels = element >> layout.KIND_SHIFT & 3, element >> layout.CHANNELS_SHIFT & 0xFF
    name = "float" if kind == 2 else {1: "char", 2: "short", 4: "int"}.get(element & 0xFF, "?")
    return f"{'u' if kind == 1 else ''}{name}{channels if channels > 1 else ''}"


# -- texels ------------------------------------------------------------------------------------------------------------


def _texel(texture: _Object, index: tuple[int, int, int]) -> _Texel:
    """The texel at an index that is inside."""
    address = texture.texels + sum(i * s for i, s in zip(index, texture.stride, strict=True))
    content = ctypes.string_at(address, texture.bytes)
    values: tuple[int, ...] = struct.unpack(f"<{texture.channels}{_CODES[texture.format]}", content)
    if texture.format is Format.HALF:
        words = [_from_half(bits) for bits in values]
    elif texture.format in _ONES:
        one = _ONES[texture.format]
        words = [to_bits(_single(max(value / one, -1.0)), "float") for value in values]
    else:
        words = [value & 0xFFFFFFFF for value in values]
    return (*words, 0, 0, 0)[:4]


def _from_half(bits: int) -> int:
    """The bits of the float that has the value of a half; NaNs become quiet."""
    is_nan = bits & 0x7C00 == 0x7C00 and bits & 0x3FF
    return to_bits(from_bits(bits | 0x200 if is_nan else bits, "half"), "float")


# -- coordinates -------------------------------------------------------------------------------------------------------


def _bounded(x: float) -> float:
    return 0.0 if math.isnan(x) else min(max(x, -_LIMIT), _LIMIT)


def _in_texels(texture: _Object, axis: int, x: float) -> float:
    x = _bounded(x)
    if not texture.normalized:
        return x
    if texture.address[axis] in (Address.WRAP, Address.MIRROR):
        period = math.floor(x)
        x = _single(x - period)
        if texture.address[axis] == Address.MIRROR and period % 2:
            x = _single(1 - x)
    return _bounded(_single(x * _single(texture.extent[axis])))


def _index(texture: _Object, axis: int, index: int) -> int | None:
    """The index inside the texture that replaces any index; None for the border."""
    extent = texture.extent[axis]
    if 0 <= index < extent:
        return index
    match texture.address[axis]:
        case Address.WRAP:
            return index % extent
        case Address.BORDER:
            return None
        case _:
            return 0 if index < 0 else extent - 1


def _corners(texture: _Object, axis: int, x: float) -> list[tuple[int | None, int]]:
    """The two indices that linear filtering mixes along an axis, each with its weight in 256ths."""
    x = _bounded(_single(_in_texels(texture, axis, x) - 0.5))
    first = math.floor(x)
    weight = int(_single(_single(_single(x - first) * 256) + 0.5))
    return [(_index(texture, axis, first), 256 - weight), (_index(texture, axis, first + 1), weight)]


def _texel_or_border(texture: _Object, x: int | None, y: int | None, z: int | None) -> _Texel:
    return texture.border if x is None or y is None or z is None else _texel(texture, (x, y, z))


def _sample(texture: _Object, coordinates: tuple[float, ...], layer: int) -> _Texel:
    axes = len(coordinates)
    if not texture.linear:
        places = [_index(texture, i, math.floor(_in_texels(texture, i, x))) for i, x in enumerate(coordinates)]
        x, y, z = [*places, *[0] * (2 - axes), layer][:3]
        return _texel_or_border(texture, x, y, z)
    along = [_corners(texture, i, x) for i, x in enumerate(coordinates)]
    along += [[(0, 256)]] * (2 - axes)
    if axes < 3:
        along.append([(layer, 256)])
    sums: list[float] | None = None
    for (z, c), (y, b), (x, a) in product(*reversed(along)):
        weight = a * b * c / (1 << 24)
        texel = [from_bits(word, "float") for word in _texel_or_border(texture, x, y, z)]
        parts = [_single(channel * weight) for channel in texel]
        sums = parts if sums is None else [_single(s + p) for s, p in zip(sums, parts, strict=True)]
    assert sums is not None
    return tuple(to_bits(s, "float") for s in sums)


def _face(x: float, y: float, z: float) -> tuple[int, tuple[float, float]]:
    """The face that a direction meets, and where (CUDA C++ Programming Guide, "Cubemap Textures")."""
    if abs(x) >= abs(y) and abs(x) >= abs(z):
        face, most, s, t = (1, -x, z, -y) if x < 0 else (0, x, -z, -y)
    elif abs(y) >= abs(z):
        face, most, s, t = (3, -y, x, -z) if y < 0 else (2, y, x, z)
    else:
        face, most, s, t = (5, -z, -x, -y) if z < 0 else (4, z, x, -y)
    if not math.isfinite(s / most if most else math.nan):
        return face, (math.nan, math.nan)
    return face, (_single(_single(_single(s / most) + 1) / 2), _single(_single(_single(t / most) + 1) / 2))


def _gather(texture: _Object, channel: int, coordinates: tuple[float, ...]) -> _Texel:
    """PTX ISA, `tld4`: the left and the right texel of the next row, then the right and the left texel of the first
    row."""
    (left, _), (right, _) = _corners(texture, 0, coordinates[0])
    (first, _), (following, _) = _corners(texture, 1, coordinates[1])
    places = ((left, following), (right, following), (right, first), (left, first))
    return tuple(_texel_or_border(texture, x, y, 0)[channel] for x, y in places)
