# SPDX-License-Identifier: Apache-2.0
"""Command buffers (cl_khr_command_buffer): recorded, finalised, enqueued, asked, and the codes of wrong calls."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from tests.opencl import images as im
from tests.opencl.images import contents, image
from tests.opencl.interface import ClError, Interface, Session

SOURCE = """
kernel void add(global int *out, global const int *in, int number) {
  out[get_global_id(0)] = in[get_global_id(0)] + number;
}
kernel void twice(global int *p) { p[get_global_id(0)] *= 2; }
kernel void stray(global int *p) { p[6000] = 1; }
kernel void say(int number) { printf("says %d\\n", number); }
"""
NONE = (0, None, None, None)


def command_buffer(session: Session, *properties: int) -> int:
    given = [*properties, 0] if properties else None
    return int(session.cl.clCreateCommandBufferKHR(1, [session.queue], given))


def kernel_of(session: Session, name: str, *arguments: Any) -> int:
    return session.kernel(SOURCE, name, *arguments, options="-cl-std=CL3.0")


def enqueue(session: Session, buffer: int, waits: tuple[int, ...] = (), event: Any = None) -> None:
    session.cl.clEnqueueCommandBufferKHR(0, None, buffer, len(waits), list(waits) or None, event)


def test_commands_run_in_their_order_each_time(session: Session) -> None:
    cl, data = session.cl, np.arange(8, dtype=np.int32)
    x, y = session.buffer(data), session.buffer(data)
    kernel = kernel_of(session, "add", y, x, np.int32(10))
    buffer, point = command_buffer(session), ctypes.c_uint32()
    cl.clCommandNDRangeKernelKHR(buffer, 0, None, kernel, 1, None, [8], [4], 0, None, ctypes.byref(point), None)
    assert point.value
    session.set(kernel, x, y, np.int32(99))  # what comes later isn't recorded
    cl.clCommandCopyBufferKHR(buffer, 0, None, y, x, 0, 0, 16, 1, np.array([point.value], np.uint32), None, None)
    cl.clCommandBarrierWithWaitListKHR(buffer, 0, None, *NONE)
    cl.clCommandFillBufferKHR(buffer, 0, None, x, np.array([7], np.int32), 4, 16, 8, *NONE)
    session.run(kernel_of(session, "twice", x), [8])
    assert session.read(x, data).tolist() == (2 * data).tolist()  # nothing has run yet
    cl.clFinalizeCommandBufferKHR(buffer)
    for round_ in (1, 2):
        enqueue(session, buffer)
        expected = [*(2 * data[:4] + 10 * round_), 7, 7, 12, 14]
        assert session.read(x, data).tolist() == expected


def test_all_commands(session: Session) -> None:
    cl, pixels = session.cl, np.arange(64, dtype=np.uint8).reshape(4, 4, 4)
    one = image(session, im.IMAGE_2D, 4, 4, flags=im.READ_WRITE | im.COPY_HOST_PTR, host=pixels)
    two, bytes_ = image(session, im.IMAGE_2D, 4, 4), session.buffer(np.zeros(64, np.uint8))
    rectangle = session.buffer(np.zeros(64, np.uint8))
    shared, source = np.zeros(4, np.int32), np.array([1, 2, 3, 4], np.int32)
    buffer, start, all_ = command_buffer(session), [0, 0, 0], [4, 4, 1]
    cl.clCommandCopyImageKHR(buffer, 0, None, one, two, start, start, all_, *NONE)
    cl.clCommandFillImageKHR(buffer, 0, None, two, np.ones(4, "f4"), start, [1, 1, 1], *NONE)
    cl.clCommandCopyImageToBufferKHR(buffer, 0, None, two, bytes_, start, all_, 0, *NONE)
    cl.clCommandCopyBufferToImageKHR(buffer, 0, None, bytes_, one, 16, start, [4, 1, 1], *NONE)
    region = [4, 2, 1]
    cl.clCommandCopyBufferRectKHR(buffer, 0, None, bytes_, rectangle, start, [4, 1, 0], region, 16, 0, 8, 0, *NONE)
    cl.clCommandSVMMemcpyKHR(buffer, 0, None, shared, source, 16, *NONE)
    cl.clCommandSVMMemFillKHR(buffer, 0, None, shared, source, 4, 8, *NONE)
    cl.clFinalizeCommandBufferKHR(buffer)
    enqueue(session, buffer)
    moved = pixels.copy()
    moved[0, 0] = 255
    np.testing.assert_array_equal(contents(session, two, all_, pixels), moved)
    moved_one = pixels.copy()
    moved_one[0] = moved[1]
    np.testing.assert_array_equal(contents(session, one, all_, pixels), moved_one)
    expected = np.zeros((8, 8), np.uint8)
    expected[1:3, 4:] = moved.reshape(4, 16)[:2, :4]
    assert session.read(rectangle, np.zeros(64, np.uint8)).tolist() == expected.ravel().tolist()
    assert shared.tolist() == [1, 1, 3, 4]


def test_ranges_and_overlaps_of_all_kinds(session: Session) -> None:
    """Launches with an offset, with smaller groups at the end, and with arrays that overlap."""
    data = np.arange(8, dtype=np.int32)
    x = session.buffer(data)
    kernel, buffer = kernel_of(session, "add", x, x, np.int32(100)), command_buffer(session)
    session.cl.clCommandNDRangeKernelKHR(buffer, 0, None, kernel, 1, [1], [5], [4], *NONE)
    session.cl.clFinalizeCommandBufferKHR(buffer)
    enqueue(session, buffer)
    assert session.read(x, data).tolist() == [0, 101, 102, 103, 104, 105, 6, 7]


def test_events_wait_and_tell(session: Session, new_session: Any) -> None:
    timed = new_session(2)  # CL_QUEUE_PROFILING_ENABLE
    data = np.ones(4, np.int32)
    x, buffer = timed.buffer(data), command_buffer(timed)
    timed.cl.clCommandNDRangeKernelKHR(buffer, 0, None, kernel_of(timed, "twice", x), 1, None, [4], None, *NONE)
    timed.cl.clFinalizeCommandBufferKHR(buffer)
    user, event = timed.cl.clCreateUserEvent(timed.context), ctypes.c_uint64()
    enqueue(timed, buffer, (user,), ctypes.byref(event))
    timed.cl.clFlush(timed.queue)
    assert timed.cl.status(event.value) > 0
    timed.cl.clSetUserEventStatus(user, 0)
    timed.cl.clWaitForEvents(1, [event.value])
    assert timed.cl.number("clGetEventInfo", event.value, 0x11D1) == 0x12A8
    start, end = (timed.cl.number("clGetEventProfilingInfo", event.value, what) for what in (0x1282, 0x1283))
    assert 0 < start < end
    assert timed.read(x, data).tolist() == [2] * 4


@pytest.mark.parametrize("flags", [1, 2, 3])  # CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_PROFILING_ENABLE
def test_a_queue_with_other_properties_runs_them(session: Session, flags: int) -> None:
    cl, data, event = session.cl, np.ones(4, np.int32), ctypes.c_uint64()
    x, buffer = session.buffer(data), command_buffer(session)
    for _ in range(3):
        cl.clCommandNDRangeKernelKHR(buffer, 0, None, kernel_of(session, "twice", x), 1, None, [4], None, *NONE)
    cl.clFinalizeCommandBufferKHR(buffer)
    queue = cl.clCreateCommandQueue(session.context, session.device, flags)
    cl.clEnqueueCommandBufferKHR(1, [queue], buffer, 0, None, ctypes.byref(event))
    cl.clFinish(queue)
    assert session.read(x, data).tolist() == [8] * 4
    if flags & 2:
        assert cl.number("clGetEventProfilingInfo", event.value, 0x1283) > 0


def test_a_kernel_that_faults_fails_the_event(session: Session, capfd: pytest.CaptureFixture[str]) -> None:
    x, buffer = session.buffer(np.ones(4, np.int32)), command_buffer(session)
    for name in ("twice", "stray", "twice"):
        session.cl.clCommandNDRangeKernelKHR(buffer, 0, None, kernel_of(session, name, x), 1, None, [4], None, *NONE)
    session.cl.clFinalizeCommandBufferKHR(buffer)
    event = ctypes.c_uint64()
    enqueue(session, buffer, event=ctypes.byref(event))
    with pytest.raises(ClError):
        session.cl.clWaitForEvents(1, [event.value])
    assert session.cl.status(event.value) == -5
    assert "kernel stray: a write of memory" in capfd.readouterr().err
    assert session.read(x, np.ones(4, np.int32)).tolist() == [2] * 4


def test_kernels_print(session: Session, capfd: pytest.CaptureFixture[str]) -> None:
    buffer, kernel = command_buffer(session), kernel_of(session, "say", np.int32(5))
    for _ in range(2):
        session.cl.clCommandNDRangeKernelKHR(buffer, 0, None, kernel, 1, None, [1], None, *NONE)
    session.cl.clFinalizeCommandBufferKHR(buffer)
    enqueue(session, buffer)
    session.cl.clFinish(session.queue)
    assert capfd.readouterr().out == "says 5\n" * 2


def test_what_is_asked(session: Session) -> None:
    cl, buffer = session.cl, command_buffer(session, 0x1293, 1)
    assert [cl.number("clGetCommandBufferInfoKHR", buffer, what) for what in range(0x1294, 0x1298)] == [
        session.queue, 1, 1, 0,
    ]  # fmt: skip
    assert np.frombuffer(cl.query("clGetCommandBufferInfoKHR", buffer, 0x1298), np.int64).tolist() == [0x1293, 1, 0]
    assert cl.number("clGetCommandBufferInfoKHR", buffer, 0x1299) == session.context
    cl.clFinalizeCommandBufferKHR(buffer)
    assert cl.number("clGetCommandBufferInfoKHR", buffer, 0x1297) == 1
    cl.clRetainCommandBufferKHR(buffer)
    cl.clReleaseCommandBufferKHR(buffer)
    cl.clReleaseCommandBufferKHR(buffer)
    with pytest.raises(ClError):
        cl.clRetainCommandBufferKHR(buffer)
    device = session.device
    assert [cl.number("clGetDeviceInfo", device, what) for what in (0x12A9, 0x129A, 0x12AA)] == [5, 3, 0]
    assert b"cl_khr_command_buffer " in cl.query("clGetDeviceInfo", device, 0x1030)


def test_it_holds_what_it_uses(session: Session) -> None:
    cl, data = session.cl, np.ones(4, np.int32)
    x, buffer = session.buffer(data), command_buffer(session)
    kernel = kernel_of(session, "twice", x)
    cl.clCommandNDRangeKernelKHR(buffer, 0, None, kernel, 1, None, [4], None, *NONE)
    cl.clReleaseKernel(kernel)
    cl.clFinalizeCommandBufferKHR(buffer)
    for _ in range(3):
        enqueue(session, buffer)
    cl.clReleaseCommandBufferKHR(buffer)
    assert session.read(x, data).tolist() == [8] * 4


class Things(NamedTuple):
    """Objects that wrong calls are made with, by name."""

    queue: int
    stranger: int
    buffer: int
    done: int
    memory: int
    kernel: int
    place: int


@pytest.fixture(scope="module")
def things(cl: Interface) -> Things:
    session, other = Session(cl), Session(cl)
    memory = session.buffer(np.zeros(16, np.int32))
    done = command_buffer(session)
    cl.clFinalizeCommandBufferKHR(done)
    _KEPT.append(np.zeros(64, np.int64))
    return Things(
        session.queue, other.queue, command_buffer(session), done, memory, kernel_of(session, "twice", memory),
        _KEPT[0].ctypes.data,
    )  # fmt: skip


_KEPT: list[Any] = []
COPY = "None, memory, memory, 0, 32, 16"
WRONG: list[tuple[str, str, int]] = [
    ("clCreateCommandBufferKHR", "0, None, None", -30),
    ("clCreateCommandBufferKHR", "1, None, None", -30),
    ("clCreateCommandBufferKHR", "2, [queue, queue], None", -30),
    ("clCreateCommandBufferKHR", "1, [NO], None", -36),
    ("clCreateCommandBufferKHR", "1, [queue], [0x1299, 1, 0]", -64),
    ("clCreateCommandBufferKHR", "1, [queue], [0x1293, 4, 0]", -64),
    ("clCreateCommandBufferKHR", "1, [queue], [0x1293, 8, 0]", -30),
    ("clCreateCommandBufferKHR", "1, [queue], [0x1293, 9, 0]", -30),
    ("clCreateCommandBufferKHR", "1, [queue], [0x1293, 0, 0x1293, 0, 0]", -30),
    ("clFinalizeCommandBufferKHR", "NO", -1138),
    ("clFinalizeCommandBufferKHR", "done", -59),
    ("clRetainCommandBufferKHR", "NO", -1138),
    ("clReleaseCommandBufferKHR", "queue", -1138),
    ("clEnqueueCommandBufferKHR", "0, None, NO, 0, None, None", -1138),
    ("clEnqueueCommandBufferKHR", "0, None, buffer, 0, None, None", -59),
    ("clEnqueueCommandBufferKHR", "1, None, done, 0, None, None", -30),
    ("clEnqueueCommandBufferKHR", "0, [queue], done, 0, None, None", -30),
    ("clEnqueueCommandBufferKHR", "2, [queue, queue], done, 0, None, None", -30),
    ("clEnqueueCommandBufferKHR", "1, [NO], done, 0, None, None", -36),
    ("clEnqueueCommandBufferKHR", "1, [stranger], done, 0, None, None", -34),
    ("clEnqueueCommandBufferKHR", "1, [queue], done, 1, None, None", -57),
    ("clEnqueueCommandBufferKHR", "1, [queue], done, 1, [NO], None", -57),
    ("clGetCommandBufferInfoKHR", "NO, 0x1295, 8, place, None", -1138),
    ("clGetCommandBufferInfoKHR", "done, 0x1293, 8, place, None", -30),
    ("clGetCommandBufferInfoKHR", "done, 0x1294, 7, place, None", -30),
    ("clCommandBarrierWithWaitListKHR", "NO, 0, None, *NONE", -1138),
    ("clCommandBarrierWithWaitListKHR", "done, 0, None, *NONE", -59),
    ("clCommandBarrierWithWaitListKHR", "buffer, queue, None, *NONE", -36),
    ("clCommandBarrierWithWaitListKHR", "buffer, 0, [1, 1, 0], *NONE", -30),
    ("clCommandBarrierWithWaitListKHR", "buffer, 0, None, 0, None, None, place", -30),
    ("clCommandBarrierWithWaitListKHR", "buffer, 0, None, 1, None, None, None", -1139),
    ("clCommandBarrierWithWaitListKHR", "buffer, 0, None, 0, [1], None, None", -1139),
    ("clCommandBarrierWithWaitListKHR", "buffer, 0, None, 1, [77], None, None", -1139),
    ("clCommandBarrierWithWaitListKHR", "buffer, 0, None, 1, [0], None, None", -1139),
    ("clCommandCopyBufferKHR", f"NO, 0, {COPY}, *NONE", -1138),
    ("clCommandCopyBufferKHR", f"done, 0, {COPY}, *NONE", -59),
    ("clCommandCopyBufferKHR", f"buffer, 0, {COPY}, 1, [77], None, None", -1139),
    ("clCommandCopyBufferKHR", "buffer, 0, None, NO, memory, 0, 0, 4, *NONE", -38),
    ("clCommandCopyBufferKHR", "buffer, 0, None, memory, memory, 0, 61, 4, *NONE", -30),
    ("clCommandCopyBufferKHR", "buffer, 0, None, memory, memory, 0, 2, 4, *NONE", -8),
    ("clCommandCopyBufferRectKHR", "NO, 0, None, memory, memory, [0]*3, [0]*3, [1]*3, 0, 0, 0, 0, *NONE", -1138),
    ("clCommandCopyBufferRectKHR", "buffer, 0, None, memory, memory, [0]*3, [0]*3, [0]*3, 0, 0, 0, 0, *NONE", -30),
    ("clCommandCopyBufferToImageKHR", "buffer, 0, None, memory, memory, 0, [0]*3, [1]*3, *NONE", -38),
    ("clCommandCopyImageKHR", "buffer, 0, None, memory, memory, [0]*3, [0]*3, [1]*3, *NONE", -38),
    ("clCommandCopyImageToBufferKHR", "buffer, 0, None, memory, memory, [0]*3, [1]*3, 0, *NONE", -38),
    ("clCommandFillBufferKHR", "buffer, 0, None, memory, place, 3, 0, 6, *NONE", -30),
    ("clCommandFillBufferKHR", "buffer, 0, None, memory, place, 4, 2, 4, *NONE", -30),
    ("clCommandFillImageKHR", "buffer, 0, None, memory, place, [0]*3, [1]*3, *NONE", -38),
    ("clCommandNDRangeKernelKHR", "buffer, 0, None, NO, 1, None, [4], None, *NONE", -48),
    ("clCommandNDRangeKernelKHR", "buffer, 0, None, kernel, 0, None, [4], None, *NONE", -53),
    ("clCommandNDRangeKernelKHR", "buffer, 0, None, kernel, 1, None, [4], [9999], *NONE", -55),
    ("clCommandNDRangeKernelKHR", "done, 0, None, kernel, 1, None, [4], None, *NONE", -59),
    ("clCommandSVMMemcpyKHR", "buffer, 0, None, place, None, 4, *NONE", -30),
    ("clCommandSVMMemFillKHR", "buffer, 0, None, place, place, 3, 6, *NONE", -30),
]


@pytest.mark.parametrize(("name", "arguments", "code"), WRONG, ids=[f"{n}({a})" for n, a, _ in WRONG])
def test_a_wrong_call_gives_its_code(cl: Interface, things: Things, name: str, arguments: str, code: int) -> None:
    given = eval(f"[{arguments}]", {"NO": 12345, "NONE": NONE}, things._asdict())
    with pytest.raises(ClError) as raised:
        getattr(cl, name)(*given)
    assert raised.value.code == code


_ON_THE_GPU = """
import sys
from tests.opencl.test_command_buffers import *
cl = Interface(Path(sys.argv[1]))
session = Session(cl)
session.context = cl.clCreateContextFromType(None, 0xFFFFFFFF, None, None)
session.queue = cl.clCreateCommandQueue(session.context, session.device, 0)
other = np.frombuffer(cl.query("clGetContextInfo", session.context, 0x1081), np.uint64)
queues = [cl.clCreateCommandQueue(session.context, int(each), 0) for each in other]
x = session.buffer(np.ones(4, np.int32))
buffers = []
for queue in queues:
    session.queue = queue
    buffers.append(command_buffer(session))
    cl.clCommandNDRangeKernelKHR(buffers[-1], 0, None, kernel_of(session, "twice", x), 1, None, [4], None, *NONE)
    cl.clFinalizeCommandBufferKHR(buffers[-1])
with pytest.raises(ClError, match="-33"):
    cl.clEnqueueCommandBufferKHR(1, [queues[1]], buffers[0], 0, None, None)
for number in (0, 1, 1, 0):
    enqueue(session, buffers[number])
    cl.clFinish(queues[number])
assert session.read(x, np.ones(4, np.int32)).tolist() == [16] * 4
"""


def test_devices_with_memories_of_their_own(library: Path) -> None:
    folder = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": str(folder), "LANEWISE_OPENCL_DEVICES": "simt,cpu"}
    words = [sys.executable, "-c", _ON_THE_GPU, str(library)]
    subprocess.run(words, timeout=60, env=environment, cwd=folder, check=True)
