# SPDX-License-Identifier: Apache-2.0
"""Code of kernels for the images and samplers of a launch: the same results as code for any, over formats."""

import ctypes
import time
from typing import Any

import numpy as np
import pytest
from tests.opencl import images as im
from tests.opencl.images import contents, image
from tests.opencl.interface import Session

from lanewise.config import from_environment

SOURCE = """
kernel void both(read_only image2d_t in, write_only image2d_t out, sampler_t sampler, global float4 *seen) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 colour = read_imagef(in, sampler, (convert_float2(at) + 0.3f) * 1.3f);
  seen[at.y * 8 + at.x] = colour + (float4)(get_image_channel_order(in) & 15, get_image_width(out), 0, 0);
  write_imagef(out, at, colour);
}
"""
LINE = """
kernel void line(read_only image1d_t in, sampler_t sampler, global float *seen) {
  int at = get_global_id(0);
  seen[at] = read_imagef(in, sampler, at - 1.7f).x;
}
"""
FORMATS = {
    "rgba8": (im.RGBA, im.UNORM8, "u1", 4), "bgra8": (im.BGRA, im.UNORM8, "u1", 4), "r8": (im.R, im.UNORM8, "u1", 1),
    "rgba32f": (im.RGBA, im.FLOAT, "f4", 4), "r32f": (im.R, im.FLOAT, "f4", 1), "rgba16f": (im.RGBA, im.HALF, "f2", 4),
    "565": (im.RGB, im.UNORM565, "u2", 1), "rg16": (0x10B2, 0x10D3, "u2", 2), "argb8": (0x10B7, im.UNORM8, "u1", 4),
}  # fmt: skip
CLAMPED_LINEAR, REPEATED_NEAREST = (0, 0x1132, 0x1141), (0, 0x1131, 0x1140)


def _texels(kind: str, channels: int) -> Any:
    random = np.random.default_rng(3)
    values = random.integers(0, 60000 if kind == "u2" else 256, (8, 8, channels))
    return (values / 256 if kind[0] == "f" else values).astype(kind)


def _launched(session: Session, kernel: int, name: str, sampler: tuple[int, ...]) -> tuple[bytes, bytes]:
    order, type_, kind, channels = FORMATS[name]
    texels = _texels(kind, channels)
    flags = im.READ_ONLY | im.COPY_HOST_PTR
    source = image(session, im.IMAGE_2D, 8, 8, order=order, channel=type_, flags=flags, host=texels)
    target = image(session, im.IMAGE_2D, 8, 8, order=order, channel=type_)
    seen = np.zeros((64, 4), "f4")
    buffer = session.buffer(seen)
    session.set(kernel, source, target, session.cl.clCreateSampler(session.context, *sampler), buffer)
    session.run(kernel, [8, 8], [8, 8])
    found = session.read(buffer, seen)
    return found.tobytes(), contents(session, target, [8, 8, 1], texels).tobytes()


@pytest.mark.parametrize("sampler", [CLAMPED_LINEAR, REPEATED_NEAREST])
def test_formats_give_what_code_for_any_gives(session: Session, sampler: tuple[int, ...]) -> None:
    """A program with a variable is built at once, for any format."""
    known = session.cl.clCreateKernel(session.program(SOURCE), b"both")
    whole = session.program(SOURCE + "global int count = 1; kernel void c() { ++count; }", "-cl-std=CL3.0")
    any_ = session.cl.clCreateKernel(whole, b"both")
    for name in FORMATS:
        assert _launched(session, known, name, sampler) == _launched(session, any_, name, sampler), name


def test_after_many_combinations_one_takes_any(session: Session) -> None:
    """A kernel has 8 variants. Further launches are as right, and compile one more."""
    cl, seen = session.cl, np.zeros(12, "f4")
    buffer = session.buffer(seen)
    kernels = [
        cl.clCreateKernel(session.program(LINE + more, "-cl-std=CL3.0"), b"line")
        for more in ("", "global int count = 1; kernel void c() { ++count; }")
    ]
    samplers = [(0, mode, filter_) for mode in (0x1130, 0x1131, 0x1132) for filter_ in (0x1140, 0x1141)][:5]
    for kind, channel in (("u1", im.UNORM8), ("f4", im.FLOAT)):
        texels = _texels(kind, 1)[0]
        line = image(session, im.IMAGE_1D, 8, order=im.R, channel=channel, flags=im.COPY_HOST_PTR, host=texels)
        for sampler in samplers:
            found: list[bytes] = []
            for kernel in kernels:
                session.set(kernel, line, cl.clCreateSampler(session.context, *sampler), buffer)
                session.run(kernel, [12], [12])
                found.append(session.read(buffer, seen).tobytes())
            assert found[0] == found[1], (kind, sampler)


def test_a_program_with_variables_shares_them(session: Session) -> None:
    source = """
    global int count;
    kernel void up(read_only image2d_t in, global int *out) { out[0] = count += (int)read_imagef(in, (int2)(0)).x; }
    kernel void plain(global int *out) { out[0] = count += 10; }
    """
    program = session.program(source, "-cl-std=CL3.0")
    one = image(session, im.IMAGE_2D, 1, 1, order=im.R, channel=im.FLOAT, flags=im.COPY_HOST_PTR, host=np.ones(1, "f4"))
    out = session.buffer(np.zeros(1, "i4"))
    up, plain = session.cl.clCreateKernel(program, b"up"), session.cl.clCreateKernel(program, b"plain")
    session.set(up, one, out)
    session.set(plain, out)
    for kernel in (up, plain, up):
        session.run(kernel, [1])
    assert session.read(out, np.zeros(1, "i4")).tolist() == [12]


def test_launches_that_are_not_usual(session: Session) -> None:
    """Arrays that overlap, and grids of many groups along y."""
    text = """
    kernel void shift(global int *out, global const int *in) { out[get_global_id(0) + 1] = in[0]; out[0] += 1; }
    kernel void tall(global uint *out, global uint *other) {
      if (get_global_id(1) > 69990) out[get_group_id(1) - 69991] = other[0];
    }
    """
    program = session.program(text)
    shift, tall = (session.cl.clCreateKernel(program, name) for name in (b"shift", b"tall"))
    both = session.buffer(np.array([5, 0, 0], "i4"))
    session.set(shift, both, both)
    session.run(shift, [1])
    assert session.read(both, np.zeros(3, "i4")).tolist() == [6, 5, 0]
    out, other = session.buffer(np.zeros(9, "u4")), session.buffer(np.full(1, 8, "u4"))
    session.set(tall, out, other)
    session.run(tall, [1, 70000], [1, 1])
    assert session.read(out, np.zeros(9, "u4")).tolist() == [8] * 9


def test_an_image_kernel_with_an_offset(session: Session) -> None:
    source = """kernel void at(read_only image1d_t in, global float *out) {
      size_t i = get_global_id(0); out[i] = read_imagef(in, (int)i).x; }"""
    line = image(
        session, im.IMAGE_1D, 6, order=im.R, channel=im.FLOAT, flags=im.COPY_HOST_PTR, host=np.arange(6, dtype="f4")
    )
    out = session.buffer(np.zeros(6, "f4"))
    kernel = session.kernel(source, "at", line, out, options="-cl-std=CL3.0")
    session.run(kernel, [4], [3], [1])
    assert session.read(out, np.zeros(6, "f4")).tolist() == [0, 1, 2, 3, 4, 0]
    event = ctypes.c_uint64()
    session.run(kernel, [6], event=ctypes.byref(event))
    session.cl.clWaitForEvents(1, [event.value])
    assert session.read(out, np.zeros(6, "f4")).tolist() == [0, 1, 2, 3, 4, 5]


def test_an_enqueued_kernel_is_compiled_when_it_runs(session: Session) -> None:
    """A launch that waits for a user's event has no code yet, so the call didn't wait for a compiler."""
    cl, number = session.cl, time.time_ns() % 10**9  # a program that no cache has
    source = f"""kernel void first_{number}(read_only image1d_t in, global float *out) {{
      out[0] = read_imagef(in, 0).x + {number % 1000}; }}"""
    texel = np.full(1, 0.5, "f4")
    line = image(session, im.IMAGE_1D, 1, order=im.R, channel=im.FLOAT, flags=im.COPY_HOST_PTR, host=texel)
    out = session.buffer(np.zeros(1, "f4"))
    kernel = session.kernel(source, f"first_{number}", line, out)
    objects = from_environment().cache_dir / "v1" / "objects"
    known = set(objects.glob("*/*/opencl.so"))

    def libraries() -> int:
        """Libraries made since, by this process or others, with code of the kernel."""
        new = set(objects.glob("*/*/opencl.so")) - known
        return sum(f"first_{number}".encode() in path.read_bytes() for path in new)

    gate: int = cl.clCreateUserEvent(session.context)
    cl.clEnqueueNDRangeKernel(session.queue, kernel, 1, None, [1], None, 1, [gate], None)
    cl.clFlush(session.queue)
    before = libraries()
    cl.clSetUserEventStatus(gate, 0)
    assert session.read(out, np.zeros(1, "f4")).tolist() == [number % 1000 + 0.5]
    assert (before, libraries()) == (0, 1)
