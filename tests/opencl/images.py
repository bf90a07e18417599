# SPDX-License-Identifier: Apache-2.0
"""Images and samplers through the host's interface, in short forms."""

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tests.opencl.interface import Session

RGBA, BGRA, R, DEPTH, RGB, SRGBA, RX = 0x10B5, 0x10B6, 0x10B0, 0x10BD, 0x10B4, 0x10C1, 0x10BA
UNORM8, FLOAT, HALF, SIGNED8, UNORM565 = 0x10D2, 0x10DE, 0x10DD, 0x10D7, 0x10D4
IMAGE_2D, IMAGE_3D, IMAGE_2D_ARRAY, IMAGE_1D, IMAGE_1D_ARRAY, IMAGE_1D_BUFFER = range(0x10F1, 0x10F7)
READ_WRITE, WRITE_ONLY, READ_ONLY, USE_HOST_PTR, COPY_HOST_PTR = 1, 2, 4, 8, 32


class Format(ctypes.Structure):
    """cl_image_format."""

    _fields_ = (("order", ctypes.c_uint32), ("type", ctypes.c_uint32))


class Description(ctypes.Structure):
    """cl_image_desc."""

    _fields_ = (
        ("type", ctypes.c_uint32), ("width", ctypes.c_size_t), ("height", ctypes.c_size_t), ("depth", ctypes.c_size_t),
        ("layers", ctypes.c_size_t), ("row", ctypes.c_size_t), ("slice", ctypes.c_size_t), ("levels", ctypes.c_uint32),
        ("samples", ctypes.c_uint32), ("source", ctypes.c_uint64),
    )  # fmt: skip


def format_(order: int, type_: int) -> Any:
    return ctypes.byref(Format(order, type_))


def description(type_: int, *extents: int, layers: int = 0, **more: int) -> Any:
    """Extents are in x, y, z."""
    width, height, depth = (*extents, 0, 0)[:3]
    return ctypes.byref(Description(type_, width, height, depth, layers, **more))


def image(
    session: Session, type_: int, *extents: int, order: int = RGBA, channel: int = UNORM8, flags: int = READ_WRITE,
    host: Any = None, **more: int,
) -> int:  # fmt: skip
    """An image; of `host`, if that is given."""
    return int(
        session.cl.clCreateImage(
            session.context, flags, format_(order, channel), description(type_, *extents, **more), host
        )
    )


def contents(session: Session, image: int, region: list[int], like: NDArray[Any], origin: Any = (0, 0, 0)) -> Any:
    """The texels of a region."""
    found = np.zeros_like(like)
    session.cl.clEnqueueReadImage(session.queue, image, 1, list(origin), region, 0, 0, found, 0, None, None)
    return found
