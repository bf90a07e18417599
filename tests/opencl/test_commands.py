# SPDX-License-Identifier: Apache-2.0
"""Commands: launches, copies, maps, events, in queues in order and out of order."""

import ctypes
import threading
import time
from collections.abc import Callable

import numpy as np
import pytest
from tests.opencl.interface import ClError, Interface, Session

OUT_OF_ORDER, PROFILING = 1, 2
SOURCE = """
kernel void scale(global float *data, float by) { data[get_global_id(0)] *= by; }
kernel void turn(global int *data, local int *tile) {
  int at = get_local_id(0);
  tile[at] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = tile[get_local_size(0) - 1 - at];
}
kernel void tell(global ulong *out) {
  ulong at = get_global_id(0) - get_global_offset(0);
  out[4 * at] = get_global_id(0);
  out[4 * at + 1] = get_global_size(0);
  out[4 * at + 2] = get_local_size(0);
  out[4 * at + 3] = get_work_dim();
}
"""


def test_a_kernel_scales_a_buffer(session: Session) -> None:
    data = np.arange(100, dtype=np.float32)
    buffer = session.buffer(data)
    session.run(session.kernel(SOURCE, "scale", buffer, np.float32(3)), [100])
    np.testing.assert_array_equal(session.read(buffer, data), 3 * data)


def test_arguments_are_those_of_the_time_of_the_launch(session: Session) -> None:
    data = np.ones(8, np.float32)
    buffer = session.buffer(data)
    kernel = session.kernel(SOURCE, "scale", buffer, np.float32(2))
    session.run(kernel, [8])
    session.set(kernel, buffer, np.float32(5))
    session.run(kernel, [4])
    assert session.read(buffer, data).tolist() == [10] * 4 + [2] * 4


def test_local_memory_is_as_large_as_the_argument_says(session: Session) -> None:
    data = np.arange(64, dtype=np.int32)
    buffer = session.buffer(data)
    session.run(session.kernel(SOURCE, "turn", buffer, [64]), [64], [16])
    np.testing.assert_array_equal(session.read(buffer, data), data.reshape(4, 16)[:, ::-1].ravel())


def test_ranges_have_offsets_and_smaller_groups_at_their_end(session: Session) -> None:
    out = np.zeros((10, 4), np.uint64)
    buffer = session.buffer(out)
    session.run(session.kernel(SOURCE, "tell", buffer, options="-cl-std=CL3.0"), [10], [4], [1 << 33])
    assert session.read(buffer, out).tolist() == [[(1 << 33) + i, 10, 4 if i < 8 else 2, 1] for i in range(10)]


@pytest.mark.parametrize(
    ("options", "are_uniform"),
    [
        ("", True),
        ("-cl-std=CL1.0", True),
        ("-cl-std=CL2.0", False),
        ("-cl-std=CL3.0 -cl-uniform-work-group-size", True),
        ("-cl-std=CL3.0 '-cl-uniform-work-group-size'", True),
        ("-cl-std=CL3.0 -D OF='-cl-uniform-work-group-size -1'", False),
        ("-cl-std=CLC++2021", False),
        ("-cl-std=CLC++1.0 -cl-uniform-work-group-size", True),
    ],
)
def test_the_version_and_an_option_refuse_smaller_groups(session: Session, options: str, are_uniform: bool) -> None:
    out = np.zeros((2018, 4), np.uint64)
    buffer = session.buffer(out)
    kernel = session.kernel(SOURCE, "tell", buffer, options=options)
    if not are_uniform:
        session.run(kernel, [10], [4])
        assert session.read(buffer, out)[:10, 2].tolist() == [4] * 8 + [2] * 2
        return
    with pytest.raises(ClError, match="-54"):
        session.run(kernel, [10], [4])
    session.run(kernel, [2018])  # twice a prime number
    assert set(session.read(buffer, out)[:, 2].tolist()) == {2}
    session.run(kernel, [10], [5])
    assert session.read(buffer, out)[:10, 2].tolist() == [5] * 10


def test_dimensions_are_those_of_the_call(session: Session) -> None:
    out = np.zeros((1, 4), np.uint64)
    buffer = session.buffer(out)
    session.run(session.kernel(SOURCE, "tell", buffer), [1, 1, 1])
    assert session.read(buffer, out)[0, 3] == 3


def test_an_empty_range_does_nothing(session: Session) -> None:
    data = np.ones(4, np.float32)
    buffer = session.buffer(data)
    session.run(session.kernel(SOURCE, "scale", buffer, np.float32(2)), [0])
    assert session.read(buffer, data).tolist() == [1] * 4


def test_a_part_of_a_buffer_is_a_buffer(session: Session) -> None:
    data = np.ones(128, np.float32)
    whole = session.buffer(data)
    region = (ctypes.c_uint64 * 2)(128, 256)
    part = session.cl.clCreateSubBuffer(whole, 0, 0x1220, region)
    session.run(session.kernel(SOURCE, "scale", part, np.float32(2)), [64])
    assert session.read(whole, data).tolist() == [1] * 32 + [2] * 64 + [1] * 32


def test_memory_of_the_host_is_used_in_place(session: Session) -> None:
    data = np.ones(16, np.float32)
    buffer = session.buffer(data, 1 << 3)
    session.run(session.kernel(SOURCE, "scale", buffer, np.float32(4)), [16])
    mapped = session.cl.clEnqueueMapBuffer(session.queue, buffer, 1, 1, 0, 64, 0, None, None)
    assert mapped == data.ctypes.data
    assert data.tolist() == [4] * 16
    session.cl.clEnqueueUnmapMemObject(session.queue, buffer, mapped, 0, None, None)


def test_rectangles_are_read_written_and_copied(session: Session) -> None:
    data = np.arange(60, dtype=np.uint8).reshape(3, 4, 5)
    source, target = session.buffer(data), session.buffer(np.zeros_like(data))
    whole = [5, 20]
    session.cl.clEnqueueCopyBufferRect(
        session.queue, source, target, [1, 1, 0], [2, 0, 1], [3, 2, 2], *whole, *whole, 0, None, None
    )
    expected = np.zeros_like(data)
    expected[1:3, 0:2, 2:5] = data[0:2, 1:3, 1:4]
    np.testing.assert_array_equal(session.read(target, data), expected)
    got = np.zeros((2, 2), np.uint8)
    session.cl.clEnqueueReadBufferRect(
        session.queue, source, 1, [1, 2, 0], [0, 0, 0], [2, 1, 2], *whole, 2, 2, got, 0, None, None
    )
    np.testing.assert_array_equal(got, data[0:2, 2, 1:3])
    session.cl.clEnqueueWriteBufferRect(
        session.queue, target, 1, [0, 3, 2], [0, 0, 0], [2, 1, 1], *whole, 2, 2, got, 0, None, None
    )
    np.testing.assert_array_equal(session.read(target, data)[2, 3], [*got[0], 0, 0, 0])


def test_fills_repeat_their_pattern(session: Session) -> None:
    data = np.zeros(20, np.uint16)
    buffer = session.buffer(data)
    pattern = np.array([1, 2], np.uint16)
    session.cl.clEnqueueFillBuffer(session.queue, buffer, pattern, 4, 4, 32, 0, None, None)
    assert session.read(buffer, data).tolist() == [0, 0, *[1, 2] * 8, 0, 0]


@pytest.mark.parametrize("flags", [0, OUT_OF_ORDER])
def test_a_users_event_holds_a_command_back(new_session: Callable[..., Session], flags: int) -> None:
    session = new_session(flags)
    cl, data = session.cl, np.ones(4, np.float32)
    buffer = session.buffer(data)
    kernel = session.kernel(SOURCE, "scale", buffer, np.float32(7))
    users = cl.clCreateUserEvent(session.context)
    done = ctypes.c_uint64()
    session.run(kernel, [4], waits=[users], event=ctypes.byref(done))
    cl.clFlush(session.queue)
    assert session.cl.status(done.value) > 0
    threading.Timer(0.05, lambda: cl.clSetUserEventStatus(users, 0)).start()
    cl.clWaitForEvents(1, [done.value])
    assert session.read(buffer, data).tolist() == [7] * 4
    with pytest.raises(ClError, match="-59"):
        cl.clSetUserEventStatus(users, 0)


def test_a_failed_event_fails_what_waits_for_it_and_nothing_else(session: Session) -> None:
    cl, data = session.cl, np.ones(4, np.float32)
    buffer = session.buffer(data)
    kernel = session.kernel(SOURCE, "scale", buffer, np.float32(7))
    users = cl.clCreateUserEvent(session.context)
    held, after = ctypes.c_uint64(), ctypes.c_uint64()
    session.run(kernel, [4], waits=[users], event=ctypes.byref(held))
    session.run(kernel, [2], event=ctypes.byref(after))
    cl.clSetUserEventStatus(users, -1000)
    with pytest.raises(ClError, match="-14"):
        cl.clWaitForEvents(1, [held.value])
    cl.clWaitForEvents(1, [after.value])
    assert cl.status(held.value) < 0
    assert session.read(buffer, data).tolist() == [7, 7, 1, 1]


def test_commands_out_of_order_wait_for_barriers(new_session: Callable[..., Session]) -> None:
    session = new_session(OUT_OF_ORDER)
    cl = session.cl
    users = cl.clCreateUserEvent(session.context)
    buffer = session.buffer(np.zeros(1, np.uint32))
    one, two = np.array([1], np.uint32), np.array([2], np.uint32)
    free = session.event("clEnqueueMarkerWithWaitList", session.queue, 0, None)
    cl.clWaitForEvents(1, [free])
    cl.clEnqueueWriteBuffer(session.queue, buffer, 0, 0, 4, one, 1, [users], None)
    cl.clEnqueueBarrierWithWaitList(session.queue, 0, None, None)
    late = session.event("clEnqueueWriteBuffer", session.queue, buffer, 0, 0, 4, two, 0, None)
    cl.clFlush(session.queue)
    assert cl.status(late) > 0
    cl.clSetUserEventStatus(users, 0)
    cl.clWaitForEvents(1, [late])
    assert session.read(buffer, one).tolist() == [2]


def test_callbacks_come_once_with_the_status(session: Session) -> None:
    cl, seen = session.cl, list[int]()
    notify = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p)(lambda _, at, __: seen.append(at))
    users = cl.clCreateUserEvent(session.context)
    marker = session.event("clEnqueueMarkerWithWaitList", session.queue, 1, [users])
    for at in (0, 1):
        cl.clSetEventCallback(marker, at, notify, None)
    cl.clSetEventCallback(users, 0, notify, None)
    cl.clSetUserEventStatus(users, -5)
    with pytest.raises(ClError):
        cl.clWaitForEvents(1, [marker])
    cl.clFinish(session.queue)
    until = time.monotonic() + 10  # they are called by the thread that ends the command, and nobody waits for that
    while len(seen) < 3 and time.monotonic() < until:
        time.sleep(0.001)
    assert sorted(seen) == [-14, -14, -5]


def test_times_are_in_order(new_session: Callable[..., Session]) -> None:
    session = new_session(PROFILING)
    done = ctypes.c_uint64()
    buffer = session.buffer(np.ones(4, np.float32))
    session.run(session.kernel(SOURCE, "scale", buffer, np.float32(2)), [4], event=ctypes.byref(done))
    session.cl.clFinish(session.queue)
    times = [session.cl.number("clGetEventProfilingInfo", done.value, what) for what in range(0x1280, 0x1285)]
    assert times == sorted(times)
    assert times[2] < times[3]


def test_native_kernels_get_the_memory(session: Session) -> None:
    data = np.zeros(1, np.int32)
    buffer = session.buffer(data)

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p)
    def function(arguments: int) -> None:
        ctypes.c_int32.from_address(ctypes.c_uint64.from_address(arguments).value).value = 77

    place = np.zeros(1, np.uint64)
    session.cl.clEnqueueNativeKernel(session.queue, function, place, 8, 1, [buffer], [place.ctypes.data], 0, None, None)
    assert session.read(buffer, data).tolist() == [77]


def test_threads_enqueue_and_wait_at_once(cl: Interface) -> None:
    """Each of four threads runs a chain in a queue of its own, with events of the one before."""
    session = Session(cl)
    program = session.program(SOURCE)
    faults: list[Exception] = []

    def chain(number: int) -> None:
        try:
            queue = cl.clCreateCommandQueue(session.context, session.device, number % 2)
            data = np.ones(16, np.float32)
            buffer = session.buffer(data)
            kernel = cl.clCreateKernel(program, b"scale")
            session.set(kernel, buffer, np.float32(1 + number))
            event = ctypes.c_uint64()
            for step in range(20):
                waits = [event.value] if step else None
                cl.clEnqueueNDRangeKernel(queue, kernel, 1, None, [16], None, step and 1, waits, ctypes.byref(event))
            cl.clWaitForEvents(1, [event.value])
            result = np.empty_like(data)
            cl.clEnqueueReadBuffer(queue, buffer, 1, 0, 64, result, 0, None, None)
            np.testing.assert_allclose(result, float(1 + number) ** 20)
        except Exception as error:
            faults.append(error)

    threads = [threading.Thread(target=chain, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults


def test_a_copy_of_many_rows_within_a_buffer(session: Session) -> None:
    """The test for an overlap of source and target takes no time that grows with the square of their rows."""
    rows = 40000
    values = np.arange(8 * rows, dtype=np.int32)
    buffer = session.buffer(values)
    pitches = 32, 0, 32, 0
    session.cl.clEnqueueCopyBufferRect(
        session.queue, buffer, buffer, [0, 0, 0], [16, 0, 0], [16, rows, 1], *pitches, 0, None, None
    )
    found = session.read(buffer, values).reshape(rows, 8)
    assert np.array_equal(found[:, 4:], values.reshape(rows, 8)[:, :4])
    for target, code in (([12, 0, 0], -8), ([12, 1, 0], -30), ([0, 1, 0], -30)):
        with pytest.raises(ClError) as raised:
            session.cl.clEnqueueCopyBufferRect(
                session.queue, buffer, buffer, [0, 0, 0], target, [16, rows, 1], *pitches, 0, None, None
            )
        assert raised.value.code == code
    with pytest.raises(ClError, match="-8"):
        session.cl.clEnqueueCopyBufferRect(
            session.queue, buffer, buffer, [4, 0, 0], [0, 1, 0], [16, rows - 1, 1], *pitches, 0, None, None
        )
    with pytest.raises(ClError, match="-30"):
        session.cl.clEnqueueCopyBufferRect(
            session.queue, buffer, buffer, [0, 0, 1 << 62], [0, 0, 0], [16, 4, 1], *pitches, 0, None, None
        )
