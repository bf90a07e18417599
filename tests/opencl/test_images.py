# SPDX-License-Identifier: Apache-2.0
"""Images and samplers: created, moved, mapped, asked and given to kernels."""

import ctypes

import numpy as np
import pytest
from tests.opencl import images as im
from tests.opencl.images import contents, format_, image
from tests.opencl.interface import Session

EXTENTS: dict[int, tuple[tuple[int, ...], dict[str, int], list[int]]] = {
    im.IMAGE_1D: ((6,), {}, [6, 1, 1]), im.IMAGE_2D: ((6, 5), {}, [6, 5, 1]), im.IMAGE_3D: ((6, 5, 4), {}, [6, 5, 4]),
    im.IMAGE_1D_ARRAY: ((6,), {"layers": 3}, [6, 3, 1]), im.IMAGE_2D_ARRAY: ((6, 5), {"layers": 3}, [6, 5, 3]),
}  # fmt: skip
SOURCE = """
const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void shift(read_only image2d_t in, write_only image2d_t out) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, at, read_imagef(in, nearest, at + 1));
}
kernel void sample(read_only image2d_t in, sampler_t sampler, global float *out) {
  out[get_global_id(0)] = read_imagef(in, sampler, (float2)(get_global_id(0) * 0.25f, 0.5f)).x;
}
kernel void line(read_only image1d_buffer_t in, global int4 *out, write_only image3d_t whole) {
  out[get_global_id(0)] = read_imagei(in, (int)get_global_id(0));
  write_imagef(whole, (int4)(0, 0, get_global_id(0), 0), (float4)(get_global_id(0)));
}
"""


@pytest.mark.parametrize("type_", EXTENTS)
def test_texels_are_written_read_copied_and_filled(session: Session, type_: int) -> None:
    extents, more, region = EXTENTS[type_]
    cl, shape = session.cl, (*region[::-1], 4)
    pixels = np.random.default_rng(1).integers(0, 256, shape, np.uint8)
    one, other = image(session, type_, *extents, **more), image(session, type_, *extents, **more)
    cl.clEnqueueWriteImage(session.queue, one, 1, [0, 0, 0], region, 0, 0, pixels, 0, None, None)
    np.testing.assert_array_equal(contents(session, one, region, pixels), pixels)
    cl.clEnqueueFillImage(session.queue, other, np.array([1, 0, 0.5, 0], "f4"), [0, 0, 0], region, 0, None, None)
    expected = np.broadcast_to(np.array([255, 0, 128, 0], "u1"), shape).copy()
    np.testing.assert_array_equal(contents(session, other, region, pixels), expected)
    part = [max(extent - 1, 1) for extent in region]
    start = [int(extent > 1) for extent in region]
    cl.clEnqueueCopyImage(session.queue, one, other, start, [0, 0, 0], part, 0, None, None)
    (x, y, z), (w, h, d) = start, part
    expected[:d, :h, :w] = pixels[z : z + d, y : y + h, x : x + w]
    np.testing.assert_array_equal(contents(session, other, region, pixels), expected)
    np.testing.assert_array_equal(contents(session, one, part, expected[:d, :h, :w], start), expected[:d, :h, :w])


def test_images_go_to_buffers_and_back(session: Session) -> None:
    pixels = np.arange(30, dtype="f4").reshape(5, 6)
    one = image(session, im.IMAGE_2D, 6, 5, order=im.R, channel=im.FLOAT, flags=1 | im.COPY_HOST_PTR, host=pixels)
    buffer, other = session.buffer(np.zeros(20, "f4")), image(session, im.IMAGE_2D, 6, 5, order=im.R, channel=im.FLOAT)
    session.cl.clEnqueueCopyImageToBuffer(session.queue, one, buffer, [2, 1, 0], [3, 4, 1], 16, 0, None, None)
    assert session.read(buffer, np.zeros(20, "f4"))[4:16].tolist() == pixels[1:5, 2:5].ravel().tolist()
    session.cl.clEnqueueCopyBufferToImage(session.queue, buffer, other, 16, [0, 0, 0], [3, 4, 1], 0, None, None)
    np.testing.assert_array_equal(contents(session, other, [3, 4, 1], pixels[:4, :3].copy()), pixels[1:5, 2:5])


@pytest.mark.parametrize("flags", [im.USE_HOST_PTR, im.COPY_HOST_PTR])
def test_memory_of_the_host_has_pitches(session: Session, flags: int) -> None:
    pixels = np.arange(5 * 8 * 4, dtype=np.uint8).reshape(5, 8, 4)
    one = image(session, im.IMAGE_2D, 6, 5, flags=1 | flags, host=pixels, row=32)
    np.testing.assert_array_equal(contents(session, one, [6, 5, 1], pixels[:, :6].copy()), pixels[:, :6])
    uses = flags == im.USE_HOST_PTR
    assert session.cl.number("clGetImageInfo", one, 0x1112) == (32 if uses else 24)
    row = ctypes.c_size_t()
    mapped = session.cl.clEnqueueMapImage(
        session.queue, one, 1, 3, [1, 2, 0], [2, 2, 1], ctypes.byref(row), None, 0, None, None
    )
    assert not uses or mapped == pixels.ctypes.data + 2 * 32 + 4
    texel = (ctypes.c_uint8 * 4).from_address(mapped + row.value)
    assert list(texel) == pixels[3, 1].tolist()
    texel[0] = 77
    session.cl.clEnqueueUnmapMemObject(session.queue, one, mapped, 0, None, None)
    assert contents(session, one, [1, 1, 1], pixels[:1, :1].copy(), (1, 3, 0))[0, 0, 0] == 77
    assert (pixels[3, 1, 0] == 77) == uses


def test_a_kernel_reads_and_writes_images(session: Session) -> None:
    pixels = np.random.default_rng(2).integers(0, 256, (5, 6, 4), np.uint8)
    source = image(session, im.IMAGE_2D, 6, 5, flags=im.READ_ONLY | im.COPY_HOST_PTR, host=pixels)
    target = image(session, im.IMAGE_2D, 6, 5, order=im.BGRA, flags=im.WRITE_ONLY)
    session.run(session.kernel(SOURCE, "shift", source, target), [6, 5])
    moved = pixels[np.minimum(np.arange(5) + 1, 4)][:, np.minimum(np.arange(6) + 1, 5)]
    np.testing.assert_array_equal(contents(session, target, [6, 5, 1], pixels), moved[..., [2, 1, 0, 3]])


def test_samplers_are_arguments(session: Session) -> None:
    cl, pixels = session.cl, np.array([[1, 3, 9]], "f4")
    picture = image(session, im.IMAGE_2D, 3, 1, order=im.R, channel=im.FLOAT, flags=im.COPY_HOST_PTR, host=pixels)
    out = np.zeros(8, "f4")
    buffer = session.buffer(out)
    linear = cl.clCreateSampler(session.context, 0, 0x1132, 0x1141)
    around = cl.clCreateSamplerWithProperties(session.context, [0x1152, 1, 0x1153, 0x1133, 0])
    kernel = session.kernel(SOURCE, "sample", picture, linear, buffer)
    session.run(kernel, [8])
    assert session.read(buffer, out).tolist() == [0.5, 0.75, 1, 1.5, 2, 2.5, 3, 4.5]
    session.set(kernel, picture, around, buffer)
    cl.clReleaseSampler(linear)
    session.run(kernel, [8])
    assert session.read(buffer, out).tolist() == [1, 1, 3, 9, 1, 1, 3, 9]
    assert cl.number("clGetSamplerInfo", around, 0x1154) == 0x1140
    assert cl.number("clGetSamplerInfo", around, 0x1153) == 0x1133
    assert cl.number("clGetSamplerInfo", around, 0x1152) == 1
    assert cl.number("clGetSamplerInfo", around, 0x1150) == 1
    assert cl.number("clGetSamplerInfo", around, 0x1151) == session.context
    properties = np.frombuffer(cl.query("clGetSamplerInfo", around, 0x1158), np.int64)
    assert properties.tolist() == [0x1152, 1, 0x1153, 0x1133, 0]


def test_images_lie_in_buffers(session: Session) -> None:
    data = np.arange(64, dtype=np.int8)
    buffer = session.buffer(data)
    line = image(session, im.IMAGE_1D_BUFFER, 8, order=im.RGBA, channel=im.SIGNED8, flags=0, source=buffer)
    out = session.buffer(np.zeros((8, 4), np.int32))
    whole = image(session, im.IMAGE_3D, 1, 1, 8, order=im.R, channel=im.HALF)
    session.run(session.kernel(SOURCE, "line", line, out, whole), [8])
    assert session.read(out, np.zeros((8, 4), np.int32)).ravel().tolist() == list(range(32))
    assert contents(session, whole, [1, 1, 8], np.zeros(8, np.float16)).tolist() == list(range(8))
    rows = image(session, im.IMAGE_2D, 3, 4, channel=im.UNORM8, flags=im.READ_ONLY, row=16, source=buffer)
    found = contents(session, rows, [3, 4, 1], np.zeros((4, 3, 4), np.int8))
    np.testing.assert_array_equal(found, data.reshape(4, 4, 4)[:, :3])
    assert session.cl.number("clGetImageInfo", rows, 0x1118) == buffer
    assert session.cl.number("clGetMemObjectInfo", rows, 0x1107) == buffer
    view = image(session, im.IMAGE_2D, 3, 4, order=im.SRGBA, flags=im.READ_ONLY, source=rows)
    np.testing.assert_array_equal(contents(session, view, [3, 4, 1], found), found)


def test_images_are_asked(session: Session) -> None:
    cl = session.cl
    made = image(session, im.IMAGE_2D_ARRAY, 6, 5, layers=3, order=im.R, channel=im.FLOAT)
    answers = [cl.number("clGetImageInfo", made, what) for what in range(0x1111, 0x111B)]
    assert answers == [4, 24, 120, 6, 5, 0, 3, 0, 0, 0]
    assert np.frombuffer(cl.query("clGetImageInfo", made, 0x1110), np.uint32).tolist() == [im.R, im.FLOAT]
    assert cl.number("clGetMemObjectInfo", made, 0x1100) == im.IMAGE_2D_ARRAY
    assert cl.number("clGetMemObjectInfo", made, 0x1102) == 360
    old = cl.clCreateImage3D(session.context, 1, format_(im.RGBA, im.UNORM8), 4, 3, 2, 0, 0, None)
    assert [cl.number("clGetImageInfo", old, what) for what in (0x1114, 0x1115, 0x1116)] == [4, 3, 2]
    old = cl.clCreateImage2D(session.context, 1, format_(im.RGBA, im.UNORM8), 4, 3, 0, None)
    assert cl.number("clGetMemObjectInfo", old, 0x1100) == im.IMAGE_2D


MINIMUM = [
    *((order, type_) for order in (im.R, 0x10B2, im.RGBA) for type_ in (
        0x10D2, 0x10D3, 0x10D7, 0x10D8, 0x10D9, 0x10DA, 0x10DB, 0x10DC, 0x10DD, 0x10DE)),
    (im.BGRA, im.UNORM8),
]  # fmt: skip
"""The formats that the full profile asks for, to be read and to be written."""


@pytest.mark.parametrize("type_", EXTENTS)
def test_formats_are_those_of_the_full_profile(session: Session, type_: int) -> None:
    found: dict[int, set[tuple[int, int]]] = {}
    for flags in (im.READ_WRITE, im.WRITE_ONLY, im.READ_ONLY, 1 << 12):
        count = ctypes.c_uint32()
        session.cl.clGetSupportedImageFormats(session.context, flags, type_, 0, None, ctypes.byref(count))
        rows = np.zeros((count.value, 2), np.uint32)
        session.cl.clGetSupportedImageFormats(session.context, flags, type_, count.value, rows, None)
        found[flags] = {(int(order), int(channel)) for order, channel in rows}
        assert found[flags].issuperset(MINIMUM)
    assert (im.SRGBA, im.UNORM8) in found[im.READ_ONLY]
    assert (im.SRGBA, im.UNORM8) not in found[im.READ_WRITE]
    assert ((im.DEPTH, im.FLOAT) in found[1]) == (type_ in (im.IMAGE_2D, im.IMAGE_2D_ARRAY))
    extents, more, region = EXTENTS[type_]
    colour = np.array([0.5, 0.25, 0.75, 1], "f4")
    for order, channel in found[im.READ_ONLY]:
        made = image(session, type_, *extents, order=order, channel=channel, flags=im.READ_ONLY, **more)
        session.cl.clEnqueueFillImage(session.queue, made, colour, [0, 0, 0], region, 0, None, None)
        session.cl.clReleaseMemObject(made)
    session.cl.clFinish(session.queue)


def test_fills_convert_colours(session: Session) -> None:
    colour = np.array([0.5, 2, -1, 0.2], "f4")
    for order, channel, dtype, expected in (
        (im.RGBA, im.HALF, "f2", [0.5, 2, -1, 0.2]),
        (im.BGRA, im.UNORM8, "u1", [0, 255, 128, 51]),
        (im.RGB, im.UNORM565, "u2", [16 << 11 | 63 << 5]),
        (im.SRGBA, im.UNORM8, "u1", [188, 255, 0, 51]),
        (im.RGBA, 0x10D0, "i1", [64, 127, -127, 25]),
    ):
        made = image(session, im.IMAGE_2D, 2, 1, order=order, channel=channel, flags=im.READ_ONLY)
        session.cl.clEnqueueFillImage(session.queue, made, colour, [0, 0, 0], [2, 1, 1], 0, None, None)
        wanted = np.array([expected, expected], dtype)
        np.testing.assert_array_equal(contents(session, made, [2, 1, 1], wanted), wanted)


def test_kernels_say_what_access_they_have(session: Session) -> None:
    kernel = session.cl.clCreateKernel(session.program(SOURCE), b"shift")
    assert [session.cl.number("clGetKernelArgInfo", kernel, i, 0x1197) for i in range(2)] == [0x11A0, 0x11A1]
    assert session.cl.query("clGetKernelArgInfo", kernel, 0, 0x1198) == b"image2d_t\0"
    kernel = session.cl.clCreateKernel(session.program(SOURCE), b"sample")
    assert session.cl.query("clGetKernelArgInfo", kernel, 1, 0x1198) == b"sampler_t\0"
    assert session.cl.number("clGetKernelArgInfo", kernel, 1, 0x1197) == 0x11A3


def test_the_device_has_images(session: Session) -> None:
    least = {0x1016: 1, 0x100E: 128, 0x100F: 64, 0x104C: 64, 0x1011: 16384, 0x1012: 16384, 0x1013: 2048, 0x1014: 2048,
             0x1015: 2048, 0x1040: 65536, 0x1041: 2048, 0x1018: 16, 0x104A: 1, 0x104B: 1}  # fmt: skip
    for what, number in least.items():
        assert session.cl.number("clGetDeviceInfo", session.device, what) >= number
    names = session.cl.query("clGetDeviceInfo", session.device, 0x1030).decode().rstrip("\0").split()
    assert "cl_khr_3d_image_writes" in names


def test_an_image_stays_as_long_as_a_command_needs_it(session: Session) -> None:
    pixels = np.full((64, 64, 4), 9, np.uint8)
    made = image(session, im.IMAGE_2D, 64, 64, flags=im.COPY_HOST_PTR, host=pixels)
    target = image(session, im.IMAGE_2D, 64, 64)
    users = session.cl.clCreateUserEvent(session.context)
    session.run(session.kernel(SOURCE, "shift", made, target), [64, 64], waits=[users])
    session.cl.clReleaseMemObject(made)
    session.cl.clSetUserEventStatus(users, 0)
    np.testing.assert_array_equal(contents(session, target, [64, 64, 1], pixels), pixels)
