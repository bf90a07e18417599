# SPDX-License-Identifier: Apache-2.0
"""The code that each wrong call of an image's or a sampler's function gives, as the specification names it."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from tests.opencl import images as im
from tests.opencl.images import description, format_, image
from tests.opencl.interface import ClError, Interface, Session

SOURCE = """
kernel void k(read_only image2d_t in, write_only image2d_t out, sampler_t sampler, read_only image2d_depth_t depth,
              global int *p, read_only image1d_buffer_t line) {
  write_imagef(out, (int2)(0), read_imagef(in, sampler, (float2)(0)) + read_imagef(depth, (int2)(0)));
  p[0] = read_imagei(line, 0).x;
}
"""


class Things(NamedTuple):
    """Objects that calls are made with, by name."""

    context: int
    queue: int
    other_queue: int
    buffer: int
    picture: int
    floats: int
    only_read: int
    only_written: int
    volume: int
    layers: int
    hidden: int
    sampler: int
    kernel: int
    place: int


_KEPT: list[Any] = []


@pytest.fixture(scope="module")
def things(cl: Interface) -> Things:
    session, other = Session(cl), Session(cl)
    place = np.zeros(4096, np.uint8)
    _KEPT.append(place)
    return Things(
        session.context,
        session.queue,
        other.queue,
        session.buffer(np.zeros(64, np.int32)),
        image(session, im.IMAGE_2D, 8, 8),
        image(session, im.IMAGE_2D, 8, 8, channel=im.FLOAT),
        image(session, im.IMAGE_2D, 8, 8, flags=im.READ_ONLY),
        image(session, im.IMAGE_2D, 8, 8, flags=im.WRITE_ONLY),
        image(session, im.IMAGE_3D, 8, 8, 8),
        image(session, im.IMAGE_1D_ARRAY, 8, layers=4),
        image(session, im.IMAGE_2D, 8, 8, flags=1 | 1 << 9),
        cl.clCreateSampler(session.context, 0, 0x1131, 0x1140),
        cl.clCreateKernel(session.program(SOURCE), b"k"),
        place.ctypes.data,
    )


NAMES = {
    "NO": 12345,
    "NONE": (0, None, None),
    "RGBA8": format_(im.RGBA, im.UNORM8),
    "D2": im.IMAGE_2D,
    "at": [0, 0, 0],
    "whole": [8, 8, 1],
    "d": description,
    "f": format_,
    "im": im,
}

WRONG: list[tuple[str, str, int]] = [
    ("clCreateImage", "NO, 1, RGBA8, d(D2, 4, 4), None", -34),
    ("clCreateImage", "context, 6, RGBA8, d(D2, 4, 4), None", -30),
    ("clCreateImage", "context, 1 << 20, RGBA8, d(D2, 4, 4), None", -30),
    ("clCreateImage", "context, 1, None, d(D2, 4, 4), None", -39),
    ("clCreateImage", "context, 1, f(im.RGB, im.UNORM8), d(D2, 4, 4), None", -39),
    ("clCreateImage", "context, 1, f(im.BGRA, im.FLOAT), d(D2, 4, 4), None", -39),
    ("clCreateImage", "context, 1, f(0x10FF, im.UNORM8), d(D2, 4, 4), None", -39),
    ("clCreateImage", "context, 1, f(im.RGBA, 0x10F0), d(D2, 4, 4), None", -39),
    ("clCreateImage", "context, 1, f(im.RX, im.UNORM8), d(D2, 4, 4), None", -10),
    ("clCreateImage", "context, 1, f(im.SRGBA, im.UNORM8), d(D2, 4, 4), None", -10),
    ("clCreateImage", "context, 1, f(im.DEPTH, im.FLOAT), d(im.IMAGE_3D, 4, 4, 4), None", -10),
    ("clCreateImage", "context, 1, RGBA8, None, None", -65),
    ("clCreateImage", "context, 1, RGBA8, d(0x10F0, 4, 4), None", -65),
    ("clCreateImage", "context, 1, RGBA8, d(D2, 0, 4), None", -65),
    ("clCreateImage", "context, 1, RGBA8, d(im.IMAGE_3D, 4, 4, 0), None", -65),
    ("clCreateImage", "context, 1, RGBA8, d(im.IMAGE_1D_ARRAY, 4), None", -65),
    ("clCreateImage", "context, 1, RGBA8, d(D2, 4, 4, levels=2), None", -65),
    ("clCreateImage", "context, 1, RGBA8, d(D2, 4, 4, samples=2), None", -65),
    ("clCreateImage", "context, 1, RGBA8, d(D2, 4, 4, row=16), None", -65),
    ("clCreateImage", "context, 8, RGBA8, d(D2, 4, 4, row=12), place", -65),
    ("clCreateImage", "context, 8, RGBA8, d(D2, 4, 4, row=18), place", -65),
    ("clCreateImage", "context, 8, RGBA8, d(im.IMAGE_3D, 4, 4, 2, row=16, slice=65), place", -65),
    ("clCreateImage", "context, 8, RGBA8, d(D2, 4, 4, row=1 << 62), place", -65),
    ("clCreateImage", "context, 1, RGBA8, d(D2, 1, 4, row=1 << 62, source=buffer), None", -65),
    ("clCreateImage", "context, 8, RGBA8, d(im.IMAGE_3D, 4, 4, 4, row=16, slice=1 << 62), place", -65),
    ("clCreateImage", "context, 1, RGBA8, d(D2, 16385, 4), None", -40),
    ("clCreateImage", "context, 1, RGBA8, d(im.IMAGE_3D, 4, 4, 2049), None", -40),
    ("clCreateImage", "context, 8, RGBA8, d(D2, 4, 4), None", -37),
    ("clCreateImage", "context, 1, RGBA8, d(D2, 4, 4), place", -37),
    ("clCreateImage", "context, 1, f(im.RGBA, im.FLOAT), d(D2, 16384, 16384), None", -4),
    ("clCreateImage", "context, 1, RGBA8, d(im.IMAGE_1D_BUFFER, 4), None", -65),
    ("clCreateImage", "context, 1, RGBA8, d(im.IMAGE_1D_BUFFER, 4, source=NO), None", -65),
    ("clCreateImage", "context, 1, RGBA8, d(im.IMAGE_1D, 4, source=buffer), None", -65),
    ("clCreateImage", "context, 1, RGBA8, d(im.IMAGE_1D_BUFFER, 65, source=buffer), None", -40),
    ("clCreateImage", "context, 1, RGBA8, d(im.IMAGE_1D_BUFFER, 4, source=buffer), place", -37),
    ("clCreateImage", "context, 1, RGBA8, d(D2, 8, 7, source=picture), None", -65),
    ("clCreateImage", "context, 1, f(im.RGBA, im.FLOAT), d(D2, 8, 8, source=picture), None", -39),
    ("clCreateImage", "context, 1, RGBA8, d(D2, 8, 8, source=only_read), None", -30),
    ("clCreateImage2D", "context, 1, RGBA8, 0, 4, 0, None", -40),
    ("clCreateImage3D", "context, 1, RGBA8, 4, 4, 0, 0, 0, None", -40),
    ("clCreateImageWithProperties", "context, [1, 2, 0], 1, RGBA8, d(D2, 4, 4), None", -64),
    ("clGetSupportedImageFormats", "NO, 1, D2, 4, place, None", -34),
    ("clGetSupportedImageFormats", "context, 6, D2, 4, place, None", -30),
    ("clGetSupportedImageFormats", "context, 1, 0x10F0, 4, place, None", -30),
    ("clGetSupportedImageFormats", "context, 1, D2, 0, place, None", -30),
    ("clGetImageInfo", "buffer, 0x1110, 8, place, None", -38),
    ("clGetImageInfo", "picture, 0x1110, 4, place, None", -30),
    ("clGetImageInfo", "picture, 0x1100, 8, place, None", -30),
    ("clCreateSampler", "NO, 0, 0x1131, 0x1140", -34),
    ("clCreateSampler", "context, 2, 0x1131, 0x1140", -30),
    ("clCreateSampler", "context, 0, 0x1135, 0x1140", -30),
    ("clCreateSampler", "context, 0, 0x1131, 0x1142", -30),
    ("clCreateSamplerWithProperties", "NO, None", -34),
    ("clCreateSamplerWithProperties", "context, [0x1150, 1, 0]", -30),
    ("clCreateSamplerWithProperties", "context, [0x1152, 1, 0x1152, 0, 0]", -30),
    ("clCreateSamplerWithProperties", "context, [0x1152, 7, 0]", -30),
    ("clRetainSampler", "NO", -41),
    ("clReleaseSampler", "picture", -41),
    ("clGetSamplerInfo", "NO, 0x1152, 4, place, None", -41),
    ("clGetSamplerInfo", "sampler, 0x1110, 4, place, None", -30),
    ("clEnqueueReadImage", "NO, picture, 1, at, whole, 0, 0, place, *NONE", -36),
    ("clEnqueueReadImage", "queue, buffer, 1, at, whole, 0, 0, place, *NONE", -38),
    ("clEnqueueReadImage", "other_queue, picture, 1, at, whole, 0, 0, place, *NONE", -34),
    ("clEnqueueReadImage", "queue, picture, 1, [1, 0, 0], whole, 0, 0, place, *NONE", -30),
    ("clEnqueueReadImage", "queue, picture, 1, [0, 0, 1], whole, 0, 0, place, *NONE", -30),
    ("clEnqueueReadImage", "queue, picture, 1, at, [8, 0, 1], 0, 0, place, *NONE", -30),
    ("clEnqueueReadImage", "queue, picture, 1, at, [8, 8, 2], 0, 0, place, *NONE", -30),
    ("clEnqueueReadImage", "queue, picture, 1, None, whole, 0, 0, place, *NONE", -30),
    ("clEnqueueReadImage", "queue, picture, 1, at, whole, 31, 0, place, *NONE", -30),
    ("clEnqueueReadImage", "queue, picture, 1, at, whole, 0, 256, place, *NONE", -30),
    ("clEnqueueReadImage", "queue, volume, 1, at, [8, 8, 8], 32, 255, place, *NONE", -30),
    ("clEnqueueReadImage", "queue, picture, 1, at, whole, 0, 0, None, *NONE", -30),
    ("clEnqueueReadImage", "queue, hidden, 1, at, whole, 0, 0, place, *NONE", -59),
    ("clEnqueueReadImage", "queue, picture, 1, at, whole, 0, 0, place, 1, [NO], None", -57),
    ("clEnqueueWriteImage", "queue, hidden, 1, at, whole, 0, 0, place, *NONE", -59),
    ("clEnqueueWriteImage", "queue, layers, 1, at, [8, 5, 1], 0, 0, place, *NONE", -30),
    ("clEnqueueCopyImage", "queue, picture, floats, at, at, whole, *NONE", -9),
    ("clEnqueueCopyImage", "queue, picture, picture, at, [1, 1, 0], [4, 4, 1], *NONE", -8),
    ("clEnqueueCopyImage", "queue, picture, only_read, [1, 0, 0], at, whole, *NONE", -30),
    ("clEnqueueCopyImage", "queue, picture, buffer, at, at, whole, *NONE", -38),
    ("clEnqueueCopyImageToBuffer", "queue, picture, buffer, at, whole, 4, *NONE", -30),
    ("clEnqueueCopyImageToBuffer", "queue, picture, floats, at, whole, 0, *NONE", -38),
    ("clEnqueueCopyBufferToImage", "queue, buffer, picture, 252, at, [2, 1, 1], *NONE", -30),
    ("clEnqueueCopyBufferToImage", "queue, picture, picture, 0, at, [2, 1, 1], *NONE", -38),
    ("clEnqueueFillImage", "queue, picture, None, at, whole, *NONE", -30),
    ("clEnqueueFillImage", "queue, picture, place, at, [9, 1, 1], *NONE", -30),
    ("clEnqueueFillImage", "queue, buffer, place, at, whole, *NONE", -38),
    ("clEnqueueMapImage", "queue, picture, 1, 1, at, whole, None, None, *NONE", -30),
    ("clEnqueueMapImage", "queue, volume, 1, 1, at, whole, place, None, *NONE", -30),
    ("clEnqueueMapImage", "queue, picture, 1, 5, at, whole, place, None, *NONE", -30),
    ("clEnqueueMapImage", "queue, hidden, 1, 1, at, whole, place, None, *NONE", -59),
    ("clEnqueueMapImage", "queue, buffer, 1, 1, at, whole, place, None, *NONE", -38),
    ("clEnqueueReadBuffer", "queue, picture, 1, 0, 4, place, *NONE", -38),
    ("clCreateSubBuffer", "picture, 0, 0x1220, [0, 16]", -38),
    ("clSetKernelArg", "kernel, 0, 4, place", -51),
    ("clSetKernelArg", "kernel, 0, 8, [NO]", -38),
    ("clSetKernelArg", "kernel, 0, 8, [buffer]", -38),
    ("clSetKernelArg", "kernel, 0, 8, None", -50),
    ("clSetKernelArg", "kernel, 0, 8, [volume]", -50),
    ("clSetKernelArg", "kernel, 0, 8, [only_written]", -50),
    ("clSetKernelArg", "kernel, 1, 8, [only_read]", -50),
    ("clSetKernelArg", "kernel, 2, 4, place", -51),
    ("clSetKernelArg", "kernel, 2, 8, [picture]", -41),
    ("clSetKernelArg", "kernel, 2, 8, None", -41),
    ("clSetKernelArg", "kernel, 3, 8, [picture]", -50),
    ("clSetKernelArg", "kernel, 4, 8, [picture]", -38),
    ("clSetKernelArg", "kernel, 5, 8, [picture]", -50),
]


@pytest.mark.parametrize(("name", "arguments", "code"), WRONG, ids=[f"{n}({a})" for n, a, _ in WRONG])
def test_a_wrong_call_gives_its_code(cl: Interface, things: Things, name: str, arguments: str, code: int) -> None:
    given = eval(f"[{arguments}]", dict(NAMES), things._asdict())
    with pytest.raises(ClError) as raised:
        getattr(cl, name)(*given)
    assert raised.value.code == code
