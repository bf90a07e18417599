# SPDX-License-Identifier: Apache-2.0
"""The code that each wrong call gives, as the specification names it, and calls with handles of any kind."""

import ctypes
import random
from typing import Any, NamedTuple

import numpy as np
import pytest
from tests.opencl.interface import ClError, Interface, Session

SOURCE = """
kernel void k(global int *out, int number, local int *tile) { out[0] = number; }
kernel __attribute__((reqd_work_group_size(4, 1, 1))) void fixed(global int *out) { out[0] = 1; }
"""


class Things(NamedTuple):
    """Objects that calls are made with, by name."""

    context: int
    device: int
    queue: int
    buffer: int
    write_only: int
    program: int
    kernel: int
    fixed: int
    event: int
    other_queue: int
    place: int


@pytest.fixture(scope="module")
def things(cl: Interface) -> Things:
    session, other = Session(cl), Session(cl)
    program = session.program(SOURCE)
    fixed = cl.clCreateKernel(program, b"fixed")
    buffer = session.buffer(np.zeros(64, np.int32))
    session.set(fixed, buffer)
    place = np.zeros(1024, np.uint8)
    _KEPT.append(place)
    return Things(
        session.context,
        session.device,
        session.queue,
        buffer,
        cl.clCreateBuffer(session.context, 1 << 7, 64, None),
        program,
        cl.clCreateKernel(program, b"k"),
        fixed,
        cl.clCreateUserEvent(session.context),
        other.queue,
        place.ctypes.data,
    )


_KEPT: list[Any] = []
NO, NONE = 12345, (0, None, None)  # no handle; no wait list and no event

WRONG: list[tuple[str, str, int]] = [
    ("clGetDeviceIDs", "0, 0, 1, place, None", -31),
    ("clGetDeviceIDs", "0, 4, 1, place, None", -1),
    ("clGetDeviceIDs", "NO, 2, 1, place, None", -32),
    ("clGetDeviceInfo", "NO, 0x1000, 8, place, None", -33),
    ("clGetDeviceInfo", "device, 0x1fff, 8, place, None", -30),
    ("clGetDeviceInfo", "device, 0x1000, 7, place, None", -30),
    ("clCreateContext", "None, 0, None, None, None", -30),
    ("clCreateContext", "None, 1, [NO], None, None", -33),
    ("clCreateContext", "[0x1999, 1, 0], 1, [device], None, None", -64),
    ("clCreateContext", "[0x1084, NO, 0], 1, [device], None, None", -32),
    ("clCreateContextFromType", "None, 4, None, None", -1),
    ("clRetainContext", "NO", -34),
    ("clReleaseContext", "queue", -34),
    ("clGetContextInfo", "context, 0x1000, 8, place, None", -30),
    ("clCreateCommandQueue", "NO, device, 0", -34),
    ("clCreateCommandQueue", "context, NO, 0", -33),
    ("clCreateCommandQueue", "context, device, 64", -30),
    ("clCreateCommandQueueWithProperties", "context, device, [0x1093, 5, 0]", -35),
    ("clCreateCommandQueueWithProperties", "context, device, [0x1, 5, 0]", -30),
    ("clFinish", "NO", -36),
    ("clFlush", "context", -36),
    ("clCreateBuffer", "NO, 0, 64, None", -34),
    ("clCreateBuffer", "context, 6, 64, None", -30),
    ("clCreateBuffer", "context, 1, 0, None", -61),
    ("clCreateBuffer", "context, 1, 1 << 60, None", -61),
    ("clCreateBuffer", "context, 8, 64, None", -37),
    ("clCreateBuffer", "context, 1, 64, place", -37),
    ("clCreateSubBuffer", "buffer, 0, 0x1220, [1, 16]", -13),
    ("clCreateSubBuffer", "buffer, 0, 0x1220, [0, 257]", -30),
    ("clCreateSubBuffer", "buffer, 0, 0x1220, [0, 0]", -61),
    ("clCreateSubBuffer", "NO, 0, 0x1220, [0, 16]", -38),
    ("clRetainMemObject", "NO", -38),
    ("clEnqueueReadBuffer", "NO, buffer, 1, 0, 4, place, *NONE", -36),
    ("clEnqueueReadBuffer", "queue, NO, 1, 0, 4, place, *NONE", -38),
    ("clEnqueueReadBuffer", "queue, buffer, 1, 253, 4, place, *NONE", -30),
    ("clEnqueueReadBuffer", "queue, buffer, 1, 0, 4, None, *NONE", -30),
    ("clEnqueueReadBuffer", "queue, write_only, 1, 0, 4, place, *NONE", -59),
    ("clEnqueueReadBuffer", "other_queue, buffer, 1, 0, 4, place, *NONE", -34),
    ("clEnqueueReadBuffer", "queue, buffer, 1, 0, 4, place, 1, None, None", -57),
    ("clEnqueueReadBuffer", "queue, buffer, 1, 0, 4, place, 1, [NO], None", -57),
    ("clEnqueueMarkerWithWaitList", "other_queue, 1, [event], None", -34),
    ("clEnqueueCopyBuffer", "queue, buffer, buffer, 0, 2, 4, *NONE", -8),
    ("clEnqueueFillBuffer", "queue, buffer, place, 3, 0, 6, *NONE", -30),
    ("clEnqueueFillBuffer", "queue, buffer, place, 4, 2, 4, *NONE", -30),
    ("clEnqueueMapBuffer", "queue, buffer, 1, 5, 0, 4, *NONE", -30),
    ("clEnqueueMapBuffer", "queue, write_only, 1, 1, 0, 4, *NONE", -59),
    ("clEnqueueUnmapMemObject", "queue, buffer, place, *NONE", -30),
    ("clCreateProgramWithSource", "context, 0, None, None", -30),
    ("clCreateKernel", "NO, b'k'", -44),
    ("clCreateKernel", "program, None", -30),
    ("clSetKernelArg", "NO, 0, 8, place", -48),
    ("clSetKernelArg", "kernel, 3, 8, place", -49),
    ("clSetKernelArg", "kernel, 0, 4, place", -51),
    ("clSetKernelArg", "kernel, 0, 8, [NO]", -38),
    ("clSetKernelArg", "kernel, 1, 8, place", -51),
    ("clSetKernelArg", "kernel, 1, 4, None", -50),
    ("clSetKernelArg", "kernel, 2, 0, None", -51),
    ("clSetKernelArg", "kernel, 2, 4, place", -50),
    ("clGetKernelArgInfo", "kernel, 3, 0x1196, 8, place, None", -49),
    ("clGetKernelWorkGroupInfo", "kernel, NO, 0x11B0, 8, place, None", -33),
    ("clEnqueueNDRangeKernel", "queue, kernel, 1, None, [1], None, *NONE", -52),
    ("clEnqueueNDRangeKernel", "queue, fixed, 0, None, [1], None, *NONE", -53),
    ("clEnqueueNDRangeKernel", "queue, fixed, 1, None, [8], [8], *NONE", -54),
    ("clEnqueueNDRangeKernel", "queue, fixed, 1, None, [9999], [9999], *NONE", -55),
    ("clEnqueueNDRangeKernel", "queue, fixed, 1, [(1 << 64) - 4], [8], [4], *NONE", -56),
    ("clEnqueueNDRangeKernel", "other_queue, fixed, 1, None, [4], [4], *NONE", -34),
    ("clEnqueueNDRangeKernel", "queue, NO, 1, None, [4], [4], *NONE", -48),
    ("clWaitForEvents", "0, None", -30),
    ("clWaitForEvents", "1, [NO]", -58),
    ("clGetEventProfilingInfo", "event, 0x1280, 8, place, None", -7),
    ("clSetUserEventStatus", "event, 1", -30),
    ("clSetEventCallback", "event, 0, None, None", -30),
    ("clCreateSubDevices", "device, [0x1086, 1, 0], 1, place, None", -30),
]


@pytest.mark.parametrize(("name", "arguments", "code"), WRONG, ids=[f"{n}({a})" for n, a, _ in WRONG])
def test_a_wrong_call_gives_its_code(cl: Interface, things: Things, name: str, arguments: str, code: int) -> None:
    given = eval(f"[{arguments}]", {"NO": NO, "NONE": NONE}, things._asdict())
    with pytest.raises(ClError) as raised:
        getattr(cl, name)(*given)
    assert raised.value.code == code


_INNOCENT = (
    "clGetContextInfo",
    "clGetCommandQueueInfo",
    "clGetMemObjectInfo",
    "clGetProgramInfo",
    "clGetKernelInfo",
    "clGetEventInfo",
    "clGetEventProfilingInfo",
    "clGetDeviceInfo",
    "clGetPlatformInfo",
)


def test_random_calls_end_with_a_code(cl: Interface) -> None:
    """Handles of any kind, released ones and other numbers, retained, released, asked and enqueued."""
    random_ = random.Random(1)
    session = Session(cl)
    handles = [0, 1, 8, (1 << 64) - 8, session.context, session.queue, session.device]
    room = ctypes.create_string_buffer(256)
    kinds = ["Context", "CommandQueue", "MemObject", "Program", "Kernel", "Event"]
    done = 0
    for _ in range(3000):
        any_ = random_.choice(handles)
        try:
            match random_.randrange(7):
                case 0:
                    handles.append(cl.clCreateBuffer(any_, random_.choice([0, 1, 4, 6]), random_.choice([0, 64]), None))
                case 1:
                    handles.append(cl.clCreateUserEvent(any_))
                case 2:
                    kind = random_.choice(kinds[2:] if any_ in (session.context, session.queue) else kinds)
                    getattr(cl, f"clRelease{kind}")(any_)
                case 3:
                    name = random_.choice(_INNOCENT)
                    getattr(cl, name)(any_, random_.randrange(0x1070, 0x1290), random_.choice([0, 8, 256]), room, None)
                case 4:
                    waits = [random_.choice(handles)]
                    out = ctypes.c_uint64()
                    cl.clEnqueueMarkerWithWaitList(any_, 1, waits, ctypes.byref(out))
                    handles.append(out.value)
                case 5:
                    cl.clSetUserEventStatus(any_, random_.choice([0, -1]))
                case _:
                    cl.clEnqueueFillBuffer(session.queue, any_, room, 4, 0, 64, *NONE)
            done += 1
        except ClError:
            pass
    assert done > 100
    for handle in handles:
        try:
            cl.clSetUserEventStatus(handle, 0)
        except ClError:
            continue
    cl.clFinish(session.queue)
