# SPDX-License-Identifier: Apache-2.0
"""Images of OpenCL C over arrays: the arguments for `image2d_t` and the like.

The array's shape is the image's, slowest axis first: (w,), (h, w), (d, h, w), with `layered` (layers, w) or
(layers, h, w). Channels are a last axis if the order has two or four. The array is used in place: kernels write to it,
and later launches read what NumPy has written to it.

Source: The OpenCL Specification 3.0, "Image Objects"; The OpenCL C Specification 3.0, 6.15.15.
"""

from collections.abc import Callable
from typing import Any, Final, final

import numpy as np
from numpy.lib.array_utils import byte_bounds
from numpy.typing import NDArray

from lanewise.device import texture_layout as layout
from lanewise.device.texture_layout import Format, Geometry
from lanewise.errors import Error, LaunchTypeError, LaunchValueError
from lanewise.program.arguments.numbers import described
from lanewise.program.images.formats import CHANNEL_TYPES, ORDERS, PACKED, types_of
from lanewise.program.memory.buffer import Buffer
from lanewise.program.textures.description import Placed, address_of, described_at, handle_of, on_device, texels_of

MOST_BYTES: Final = (1 << 31) - 1
"""Most bytes from the first texel of an image to its last: kernels compute offsets in 32 bits."""

LARGEST_EXTENT: Final = 1 << 30
"""Texels along one axis."""

_NORMALIZED: Final = {"i1": "snorm8", "u1": "unorm8", "i2": "snorm16", "u2": "unorm16"}
_PACKED: Final = {"u2": "unorm565", "u4": "unorm101010"}
_GEOMETRIES: Final = {
    (1, False): Geometry.ONE, (2, False): Geometry.TWO, (3, False): Geometry.THREE, (2, True): Geometry.ONE_LAYERED,
    (3, True): Geometry.TWO_LAYERED,
}  # fmt: skip
_TYPES: Final = {
    "image1d_t": Geometry.ONE, "image1d_buffer_t": Geometry.ONE, "image1d_array_t": Geometry.ONE_LAYERED,
    "image2d_t": Geometry.TWO, "image2d_depth_t": Geometry.TWO, "image2d_array_t": Geometry.TWO_LAYERED,
    "image2d_array_depth_t": Geometry.TWO_LAYERED, "image3d_t": Geometry.THREE,
}  # fmt: skip
"""The geometry of each type of parameters."""


@final
class Image:
    """An image over an array.

        photograph = lw.Image(pixels, "rgba", normalized=True)      pixels: uint8 of shape (h, w, 4)
        k.ndrange((w, h))(photograph, out)                          for a parameter of type image2d_t

    `order`: the channels of a texel in memory: "r", "rg", "rgba", "a", "ra", "bgra", "argb", "abgr", "intensity",
    "luminance", "depth", "rgb", "srgba" or "sbgra". `normalized`: integers of 8 and 16 bits are read as floats from 0
    or -1 to 1. `packed`: the bits of three channels of "rgb" in one number: "565" or "555" in uint16, "101010" in
    uint32. `layered`: the first axis is that of an image array.

    Raises Error for what OpenCL doesn't allow.
    """

    def __init__(
        self,
        array: Any,
        order: str = "r",
        normalized: bool = False,
        packed: str | None = None,
        layered: bool = False,
    ) -> None:
        texels = texels_of("image", array)
        if order not in ORDERS:
            raise Error(f"image: order is one of {', '.join(map(repr, ORDERS))}, not {order!r}")
        found = ORDERS[order]
        name = _type_name(texels.dtype, order, normalized or order in ("srgba", "sbgra"), packed)
        type_ = CHANNEL_TYPES[name]
        in_memory = 1 if name in PACKED else found.channels
        place, self.geometry = _placed(array, texels, order, in_memory, layered)
        kind = "iuf".index(type_.dtype[0])
        most = (*type_.most, 1, 1, 1, 1)[:4]
        is_srgb = order in ("srgba", "sbgra")
        self.order: Final = order
        """The order of its channels."""
        self.description: Final = described_at(
            place,
            layout.IMAGE_MAGIC,
            element=layout.element_of(int(type_.dtype[1]), place.channels, kind, self.geometry),
            format=Format.SRGB if is_srgb else type_.format,
            order=found.number,
            type=type_.number,
            swizzle=found.swizzle,
            sources=found.sources,
            targets=(*found.targets, 0, 0, 0)[:4],
            scale=[1, 1, 1, 1 / np.float32(255)] if is_srgb else [1 / np.float32(m) for m in most],
        )
        """Its form in memory, which kernels read."""
        self.memory: Final[Buffer | NDArray[Any]] = array if isinstance(array, Buffer) else texels
        """The texels: a buffer, or an array of the host."""
        self._shown: Final = f"<image {self.geometry.shown} {texels.shape}, {order}, {name}>"
        self._there: Final = on_device(self.memory, self.description)
        self.handle: Final = handle_of(self, self.description) if self._there is None else self._there.address
        """The value of the parameter: the address of the description."""

    @property
    def is_writable(self) -> bool:
        """True if kernels may write to it."""
        return self.order not in ("srgba", "sbgra") and (
            isinstance(self.memory, Buffer) or bool(self.memory.flags.writeable)
        )

    def __repr__(self) -> str:
        return self._shown


def _type_name(dtype: np.dtype[Any], order: str, normalized: bool, packed: str | None) -> str:
    """The type of the channels. Error if the order doesn't go with it."""
    code = dtype.str[1:]
    if dtype.byteorder == ">" or code not in {each.dtype for each in CHANNEL_TYPES.values()}:
        raise Error(
            f"image: an array of dtype {dtype} can't be one; channels are integers of 8, 16 or 32 bits, float16 or "
            "float32"
        )
    if order == "rgb":
        name = _PACKED.get(code, dtype.name) if packed is None else f"unorm{packed}"
    elif packed is not None:
        raise Error(f"image: packed={packed!r} is for order='rgb', not for {order!r}")
    elif normalized or (order == "depth" and code == "u2"):
        name = _NORMALIZED.get(code, "")
        if not name:
            raise Error(f"image: normalized=True is for integers of 8 and 16 bits, not for {dtype}")
    else:
        name = dtype.name
    known = types_of(order)
    if name not in known or CHANNEL_TYPES[name].dtype != code:
        raise Error(f"image: channels of order {order!r} are {', '.join(known)}, not {name} of {dtype}")
    return name


def _placed(given: Any, array: NDArray[Any], order: str, channels: int, layered: bool) -> tuple[Placed, Geometry]:
    shape, strides, size = array.shape, array.strides, array.itemsize
    if channels > 1:
        if not shape or shape[-1] != channels or (array.size and strides[-1] != size):
            raise Error(
                f"image: with order={order!r}, the last axis has {channels} contiguous elements; the array has shape "
                f"{shape} and strides {strides}"
            )
        shape, strides = shape[:-1], strides[:-1]
    geometry = _GEOMETRIES.get((len(shape), layered))
    if geometry is None:
        wanted = "(layers, w) or (layers, h, w)" if layered else "(w,), (h, w) or (d, h, w)"
        raise Error(
            f"image: the array of {'a layered one' if layered else 'one without layers'} has shape {wanted}, before "
            f"the axis of channels; this one has shape {array.shape}"
        )
    texel_bytes = channels * size
    if not all(1 <= extent <= LARGEST_EXTENT for extent in shape):
        raise Error(f"image: each extent is 1 to 2^30 texels; the array has shape {array.shape}")
    start, end = byte_bounds(array)
    if end - start > MOST_BYTES:
        raise Error(f"image: it has at most {MOST_BYTES} bytes from the first texel to the last, not {end - start}")
    if shape[-1] > 1 and strides[-1] != texel_bytes:
        raise Error("image: texels of a row must lie side by side; pass np.ascontiguousarray(...)")
    address = address_of(given, array)
    if address % size or any(stride % size for stride in strides):
        raise Error(f"image: channels of {size} bytes must lie at multiples of that; pass a copy of the array")
    extent, stride = [*shape[::-1]], [texel_bytes, *strides[-2::-1]]
    while len(extent) < 3:
        at = 1 if geometry is Geometry.ONE_LAYERED else len(extent)
        extent.insert(at, 1)
        stride.insert(at, 0)
    x, y, z = extent
    return Placed(address, (stride[0], stride[1], stride[2]), (x, y, z), texel_bytes, channels), geometry


def image_converter(ctype: str, access: str, what: str) -> Callable[[Any], tuple[int, object]]:
    """A converter of arguments for a parameter of type `ctype`, image2d_t or the like, to the handle and its owner."""
    geometry, is_depth = _TYPES[ctype], ctype.endswith("_depth_t")

    def convert(value: Any) -> tuple[int, object]:
        if type(value) is not Image:
            raise LaunchTypeError(f"{what}: expected an lw.Image for {ctype}, not {described(value)}")
        if value.geometry is not geometry:
            raise LaunchTypeError(f"{what}: {ctype} takes a {geometry.shown} image, not {value!r}")
        if (value.order == "depth") != is_depth:
            wanted = "of order 'depth'" if is_depth else "of another order than 'depth'"
            raise LaunchTypeError(f"{what}: {ctype} takes an image {wanted}, not {value!r}")
        if access != "read_only" and not value.is_writable:
            why = "its order is only read" if value.order.startswith("s") else "its array is read-only"
            raise LaunchValueError(f"{what}: the kernel may write to {value!r}: {why}")
        return value.handle, value

    return convert
