# SPDX-License-Identifier: Apache-2.0
"""Checks of the device lanewise-cuda: `python check_device.py LIBRARY`, with the platform's library.

It needs Python and the files of this folder. If the compile service can't run, the PTX of `kernels.cl` is from the
compile cache (LANEWISE_CACHE_DIR), which another machine may have filled for the same GPU. `--times` prints how long
launches and copies take. Ends with 0, also if there is no such device, and says so.
"""

import ctypes
import itertools
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from opencl_calls import NONE, ClError, OpenCl, Session

VARIABLES = """
global int total = 5;
kernel void add(global int *out) { atomic_add(&total, 1); }
kernel void tell(global int *out) { out[0] = total; }
"""
SOURCE = (Path(__file__).parent / "kernels.cl").read_text()
PROFILING, OUT_OF_ORDER = 2, 1
WRITE_ONLY, USE_HOST_PTR = 1 << 1, 1 << 3
MAP_READ, MAP_WRITE, MAP_INVALIDATE = 1, 2, 4


def ints(*values: int) -> ctypes.Array[ctypes.c_int32]:
    return (ctypes.c_int32 * len(values))(*values)


def floats(count: int, value: Callable[[int], float]) -> ctypes.Array[ctypes.c_float]:
    return (ctypes.c_float * count)(*map(value, range(count)))


def spun(value: int, rounds: int) -> int:
    """The value that the kernel `spin` makes of one: a step that is doubled again and again."""
    factor, more = 1664525, 1013904223
    for bit in range(rounds.bit_length()):
        if rounds >> bit & 1:
            value = value * factor + more
        factor, more = factor * factor % (1 << 32), (factor + 1) * more % (1 << 32)
    return ctypes.c_int32(value).value


def equal(found: object, expected: object) -> None:
    if found != expected:
        raise AssertionError(f"found {str(found)[:300]}, expected {str(expected)[:300]}")


def opened(cl: OpenCl, device: int, flags: int = 0) -> Session:
    """A session in which the kernels are built."""
    session = Session(cl, [device], flags)
    session.build(SOURCE, "-cl-std=CL3.0")
    return session


def opened_with_processor(cl: OpenCl, device: int, flags: int = 0) -> tuple[Session | None, int]:
    """A session in which the kernels are built, of a context that has the processor, too; none where it isn't there."""
    processor = next((each for each in cl.devices() if cl.name(each).startswith("lanewise-cpu")), None)
    if processor is None:
        return None, 0
    session = Session(cl, [device, processor], flags)
    session.build(SOURCE)
    return session, processor


def check_properties(cl: OpenCl, device: int) -> None:
    def ask(what: int) -> int:
        return cl.number("clGetDeviceInfo", device, what)

    equal([ask(what) for what in (0x1000, 0x1016, 0x1053, 0x1035)], [4, 0, 0, 0])  # a GPU; images, SVM, one memory
    equal(ask(0x1004) >= 512 and ask(0x1002) >= 1 and ask(0x1023) >= 32 << 10, True)  # items, units, local memory
    equal(ask(0x1010) <= ask(0x101F) <= 1 << 42, True)  # a buffer's bytes, memory
    sizes = cl.query("clGetDeviceInfo", device, 0x1005)
    equal(int.from_bytes(sizes[16:], "little") <= ask(0x1004), True)
    sub_groups = cl.query("clGetDeviceInfo", device, 0x4108)
    equal([int.from_bytes(sub_groups[at : at + 8], "little") for at in range(0, len(sub_groups), 8)], [8, 16, 32])


def check_vector_add(cl: OpenCl, device: int) -> None:
    session, n = opened(cl, device), 10000
    a, b = floats(n, lambda i: i / 4), floats(n, lambda i: 2.0 * i)
    out = session.buffer(a, WRITE_ONLY)
    session.launch(session.kernel("add", out, session.buffer(a), session.buffer(b)), [n])
    equal(list(session.read(out, a)), [2.25 * i for i in range(n)])


def check_reduction(cl: OpenCl, device: int) -> None:
    session = opened(cl, device)
    values = ints(*(i * i % 1000 - 300 for i in range(1024 * 7)))
    for local in (32, 256, 512):
        out = ints(*[0] * (len(values) // local))
        buffer = session.buffer(out)
        session.launch(session.kernel("sum", buffer, session.buffer(values), [4 * local]), [len(values)], [local])
        sums = [sum(values[at : at + local]) for at in range(0, len(values), local)]
        equal(list(session.read(buffer, out)), sums)


def check_transposition(cl: OpenCl, device: int) -> None:
    session, width, height = opened(cl, device), 80, 48
    values = floats(width * height, float)
    out = session.buffer(values, WRITE_ONLY)
    kernel = session.kernel("transpose", out, session.buffer(values), ctypes.c_int(width), ctypes.c_int(height))
    session.launch(kernel, [width, height])
    equal(list(session.read(out, values)), [float(y * width + x) for x in range(width) for y in range(height)])


def check_atomics(cl: OpenCl, device: int) -> None:
    session = opened(cl, device)
    values = ints(*(i * 37 % 101 for i in range(256 * 40)))
    counts = session.buffer(ints(*[5] * 8))
    session.launch(session.kernel("count", counts, session.buffer(values)), [len(values)], [256])
    equal(list(session.read(counts, ints(*range(8)))), [5 + sum(v % 8 == i for v in values) for i in range(8)])


def check_arguments(cl: OpenCl, device: int) -> None:
    class Pair(ctypes.Structure):
        _fields_ = (("first", ctypes.c_int8), ("second", ctypes.c_double))

    session = opened(cl, device)
    out, more = (ctypes.c_double * 4)(), (ctypes.c_int16 * 4)(-1, 2, -3, 4)
    buffer, vector = session.buffer(out), (ctypes.c_float * 4)(1.5, 0, 0, 4)
    arguments = (buffer, Pair(-2, 0.25), vector, session.buffer(more), ctypes.c_uint8(200))
    session.launch(session.kernel("arguments", *arguments), [4])
    equal(list(session.read(buffer, out)), [204.25 + m for m in more])


def check_ranges(cl: OpenCl, device: int) -> None:
    """Offsets, and groups at the end that are smaller."""
    session = opened(cl, device)
    out = ints(*[0] * 14)
    buffer = session.buffer(out)
    session.launch(session.kernel("places", buffer), [7, 2], [4, 2], [3, 0])
    row = [100 * (3 + i) + 10 * (4 if i < 4 else 3) + i % 4 for i in range(7)]
    equal(list(session.read(buffer, out)), row + row)
    buffer = session.buffer(out)
    session.launch(session.kernel("ascend", buffer), [14])
    equal(list(session.read(buffer, out)), list(range(14)))
    values = ints(*range(1000))
    buffer = session.buffer(values)
    session.launch(session.kernel("reverse", buffer, [4 * 96]), [1000], [96])
    groups = [values[at : at + 96][::-1] for at in range(0, 1000, 96)]
    equal(list(session.read(buffer, values)), [value for group in groups for value in group])


def check_variables(cl: OpenCl, device: int) -> None:
    """Launches with an offset use the variables that others use."""
    session = Session(cl, [device])
    session.build(VARIABLES, "-cl-std=CL3.0")
    out = ints(*[0] * 8)
    buffer = session.buffer(out)
    for number, offset in enumerate((0, 3, 0, 3)):
        session.launch(session.kernel("add", buffer), [4], [2], [offset])
        session.launch(session.kernel("tell", buffer), [1])
        equal(session.read(buffer, out)[0], 5 + 4 * (number + 1))


def check_times(cl: OpenCl, device: int) -> None:
    session = opened(cl, device, PROFILING)
    buffer, before = session.buffer(ints(*[1] * 256)), time.monotonic_ns()
    took: dict[int, list[int]] = {1000: [], 64000: []}
    for rounds in (*took, *took):
        event = session.launch(session.kernel("spin", buffer, ctypes.c_uint32(rounds)), [256])
        cl.clFinish(session.queue)
        queued, submitted, started, ended = session.times(event)
        equal(before <= queued <= submitted <= started < ended <= time.monotonic_ns(), True)
        took[rounds].append(ended - started)
    equal(min(took[64000]) > 2 * min(took[1000]), True)
    event = ctypes.c_uint64()
    cl.clEnqueueFillBuffer(session.queue, buffer, ints(3), 4, 0, 1024, 0, None, ctypes.byref(event))
    cl.clFinish(session.queue)
    *_, started, ended = session.times(event.value)
    equal(started <= ended, True)


def check_maps(cl: OpenCl, device: int) -> None:
    session = opened(cl, device)
    host = ints(*range(64))
    for buffer in (session.buffer(host), session.buffer(host, USE_HOST_PTR)):
        kernel = session.kernel("add_number", buffer, ctypes.c_int(100))
        session.launch(kernel, [64])
        address = cl.clEnqueueMapBuffer(session.queue, buffer, 1, MAP_READ | MAP_WRITE, 32, 64, *NONE)
        mapped = (ctypes.c_int32 * 16).from_address(address)
        equal(list(mapped), list(range(108, 124)))
        mapped[0] = -1
        cl.clEnqueueUnmapMemObject(session.queue, buffer, address, *NONE)
        session.launch(kernel, [64])
        expected = [200 + i for i in range(64)]
        expected[8] = 99
        equal(list(session.read(buffer, host)), expected)
        address = cl.clEnqueueMapBuffer(session.queue, buffer, 1, MAP_INVALIDATE, 0, 256, *NONE)
        (ctypes.c_int32 * 64).from_address(address)[:] = range(1, 65)
        cl.clEnqueueUnmapMemObject(session.queue, buffer, address, *NONE)
        session.launch(kernel, [64])
        equal(list(session.read(buffer, host)), [101 + i for i in range(64)])
        host[:] = range(64)


def check_parts(cl: OpenCl, device: int) -> None:
    """One part is mapped to be written while a kernel writes the other."""
    session, data = opened(cl, device), ints(*range(256))
    whole = session.buffer(data)
    first, second = (cl.clCreateSubBuffer(whole, 0, 0x1220, [start, 512]) for start in (0, 512))
    address = cl.clEnqueueMapBuffer(session.queue, first, 1, MAP_WRITE, 0, 512, *NONE)
    session.launch(session.kernel("add_number", second, ctypes.c_int(1000)), [128])
    (ctypes.c_int32 * 128).from_address(address)[:] = range(500, 628)
    cl.clEnqueueUnmapMemObject(session.queue, first, address, *NONE)
    session.launch(session.kernel("add_number", whole, ctypes.c_int(1)), [256])
    cl.clEnqueueCopyBuffer(session.queue, second, first, 0, 4, 8, *NONE)
    expected = [501, 1129, 1130, *range(504, 629), *range(1129, 1257)]
    equal(list(session.read(whole, data)), expected)


def check_rectangles(cl: OpenCl, device: int) -> None:
    session, queue = opened(cl, device), 0
    queue = session.queue
    data = (ctypes.c_uint8 * 240)(*range(240))  # 3 planes of 8 rows of 10 bytes
    buffer, other = session.buffer(data), session.buffer((ctypes.c_uint8 * 400)())
    box = [4, 3, 2]
    # to planes of 10 rows of 20 bytes, from (2, 1, 1) to (5, 2, 0)
    cl.clEnqueueCopyBufferRect(queue, buffer, other, [2, 1, 1], [5, 2, 0], box, 10, 80, 20, 200, *NONE)
    expected = bytearray(400)
    for z in range(2):
        for y in range(3):
            row = bytes(data[(z + 1) * 80 + (y + 1) * 10 + 2 :][:4])
            expected[z * 200 + (y + 2) * 20 + 5 :][:4] = row
            expected = expected[: z * 200 + (y + 2) * 20 + 5] + row + expected[z * 200 + (y + 2) * 20 + 9 :]
    equal(bytes(session.read(other, (ctypes.c_uint8 * 400)())), bytes(expected))
    got = (ctypes.c_uint8 * 100)()
    cl.clEnqueueReadBufferRect(queue, other, 1, [5, 2, 0], [1, 0, 0], box, 20, 200, 6, 30, got, *NONE)
    for z in range(2):
        for y in range(3):
            at = z * 30 + y * 6 + 1
            equal(bytes(got[at : at + 4]), bytes(data[(z + 1) * 80 + (y + 1) * 10 + 2 :][:4]))
    cl.clEnqueueWriteBufferRect(queue, buffer, 1, [0, 0, 0], [1, 0, 0], [3, 2, 1], 10, 80, 5, 30, got, *NONE)
    data[0:3], data[10:13] = got[1:4], got[6:9]
    equal(bytes(session.read(buffer, data)), bytes(data))


def check_fills(cl: OpenCl, device: int) -> None:
    session = opened(cl, device)
    size = 3 << 14
    expected = bytearray(size)
    buffer = session.buffer((ctypes.c_uint8 * size)())
    for length, offset, count in ((1, 3, 5), (2, 10, 40), (4, 64, 8000), (16, 9600, 2000), (128, 41600, 9)):
        pattern = bytes((i * 7 + length) % 256 for i in range(length))
        cl.clEnqueueFillBuffer(session.queue, buffer, pattern, length, offset, length * count, *NONE)
        expected[offset : offset + length * count] = pattern * count
    equal(bytes(session.read(buffer, (ctypes.c_uint8 * size)())), bytes(expected))


def check_queues(cl: OpenCl, device: int) -> None:
    """Commands of a queue out of order wait for the events that they name, one of the user first."""
    session = opened(cl, device, OUT_OF_ORDER)
    buffer = session.buffer(ints(*[1] * 32))
    gate = last = cl.clCreateUserEvent(session.context)
    for number in (1, 2, 3):
        event = ctypes.c_uint64()
        kernel = session.kernel("add_number", buffer, ctypes.c_int(number))
        cl.clEnqueueNDRangeKernel(session.queue, kernel, 1, None, [32], None, 1, [last], ctypes.byref(event))
        last = event.value
    cl.clFlush(session.queue)
    equal(session.status(last) > 0, True)
    cl.clSetUserEventStatus(gate, 0)
    cl.clWaitForEvents(1, [last])
    equal(list(session.read(buffer, ints(*[0] * 32))), [7] * 32)


def check_chains(cl: OpenCl, device: int) -> None:
    """Launches behind each other: their results, their times and the calls when they are complete."""
    session, called, early = opened(cl, device, PROFILING), list[int](), list[int]()

    @ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.c_int32, ctypes.c_void_p)
    def notify(event: int, status: int, _: object) -> None:
        called.append(event)
        if status != 0 or session.times(event)[3] > time.monotonic_ns():
            early.append(event)

    data = ints(*range(64))
    first, second = session.buffer(data), session.buffer(data)
    step = session.kernel("follow", first, second), session.kernel("follow", second, first)
    events = [session.launch(step[i % 2], [64]) for i in range(200)]
    for event in events[::10]:
        cl.clSetEventCallback(event, 0, notify, None)
    values = list(range(64))
    for _ in range(200):
        values = [(values[(i + 1) % 64] * 5 + i) % 1000 for i in range(64)]
    equal(list(session.read(second, data)), values)
    cl.clFinish(session.queue)
    equal((called, early), (events[::10], []))
    times = [session.times(event) for event in events]
    equal([pair for pair in itertools.pairwise(times) if not pair[0][3] <= pair[1][2] <= pair[1][3]], [])


def check_early_events(cl: OpenCl, device: int) -> None:
    """A command is complete while a later one of its queue still runs."""
    session = opened(cl, device)
    buffer = session.buffer(ints(*[1] * 64))
    short = session.kernel("add_number", buffer, ctypes.c_int(1))
    long = session.kernel("spin", buffer, ctypes.c_uint32(20_000_000))
    for flushes in (True, False):
        first, last = session.launch(short, [64]), session.launch(long, [64])
        if flushes:
            cl.clFlush(session.queue)
        cl.clWaitForEvents(1, [first])
        equal((session.status(first), session.status(last) > 0), (0, True))
        cl.clFinish(session.queue)
        equal(session.status(last), 0)


def check_one_runs(cl: OpenCl, device: int) -> None:
    """A command that a stream has is submitted as long as the one before it in its queue runs."""
    session, told = opened(cl, device), list[tuple[int, int]]()
    buffer = session.buffer(ints(*[1] * 64))
    kernel = session.kernel("spin", buffer, ctypes.c_uint32(20_000_000))
    events = [session.launch(kernel, [64]) for _ in range(2)]

    @ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.c_int32, ctypes.c_void_p)
    def notify(_: int, status: int, __: object) -> None:
        told.append((status, session.status(events[0])))

    cl.clSetEventCallback(events[1], 1, notify, None)
    cl.clFlush(session.queue)
    seen = set[tuple[int, int]]()
    while (second := session.status(events[1])) >= 0 and (first := session.status(events[0])) > 0:
        seen.add((first, second))
        time.sleep(0.001)
    cl.clFinish(session.queue)
    equal((seen - {(2, 2)}, told), ({(1, 2)}, [(1, 0)]))


def check_command_buffers(cl: OpenCl, device: int) -> None:
    session = opened(cl, device)
    buffer = session.buffer(ints(*[1] * 32))
    kernel, nothing = session.kernel("add_number", buffer, ctypes.c_int(4)), (0, None, None, None)
    recorded = cl.clCreateCommandBufferKHR(1, [session.queue], None)
    cl.clCommandFillBufferKHR(recorded, None, None, buffer, ints(2), 4, 0, 64, *nothing)
    for _ in range(2):
        cl.clCommandNDRangeKernelKHR(recorded, None, None, kernel, 1, None, [32], None, *nothing)
    cl.clFinalizeCommandBufferKHR(recorded)
    for _ in range(2):
        cl.clEnqueueCommandBufferKHR(0, None, recorded, *NONE)
    equal(list(session.read(buffer, ints(*[0] * 32))), [10] * 16 + [17] * 16)


def check_printf(cl: OpenCl, device: int) -> None:
    session, own = opened(cl, device), os.dup(1)
    sys.stdout.flush()
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 1)
        try:
            session.launch(session.kernel("greet", ctypes.c_int(3)), [2])
            cl.clFinish(session.queue)
            ctypes.CDLL(None).fflush(None)
        finally:
            os.dup2(own, 1)
            os.close(own)
        file.seek(0)
        equal(file.read(), b"number 3 of a kernel\n" * 2)


def check_refusals(cl: OpenCl, device: int) -> None:
    """Calls for what the device hasn't, and beyond its limits."""
    session, place = opened(cl, device), ctypes.create_string_buffer(256)
    queue, picture = session.queue, [0x10F1, 4, 4, 0, 0, 0, 0, 0, 0]
    equal(cl.code("clCreateImage", session.context, 1, (ctypes.c_uint32 * 2)(0x10B5, 0x10D2), picture, None), -59)
    equal(cl.code("clCreateSampler", session.context, 0, 0x1131, 0x1140), -59)
    equal(cl.code("clEnqueueNativeKernel", queue, place, None, 0, 0, None, None, *NONE), -59)
    equal(cl.code("clEnqueueSVMMemcpy", queue, 1, place, place, 4, *NONE), -59)
    equal(cl.code("clCreateSubDevices", device, [0x1086, 1, 0], 8, [0] * 8, None), -18)
    most = cl.number("clGetDeviceInfo", device, 0x1010)
    equal(cl.code("clCreateBuffer", session.context, 1, most + 1, None), -61)
    buffer = session.buffer(ints(*[0] * 64))
    kernel, items = session.kernel("add_number", buffer, ctypes.c_int(1)), cl.number("clGetDeviceInfo", device, 0x1004)
    equal(0 < cl.number("clGetKernelWorkGroupInfo", kernel, device, 0x11B0) <= items, True)

    def enqueue(kernel: int, size: list[int], local: list[int]) -> int:
        return cl.code("clEnqueueNDRangeKernel", queue, kernel, len(size), None, size, local, *NONE)

    equal(enqueue(kernel, [2 * items], [2 * items]), -55)
    equal(enqueue(kernel, [items, 2], [items, 2]), -54)
    equal(enqueue(kernel, [1, 1, 128], [1, 1, 128]), -55)
    equal(enqueue(kernel, [1, 1 << 20], [1, 1]), -63)
    much = session.kernel("sum", buffer, buffer, [cl.number("clGetDeviceInfo", device, 0x1023) + 4])
    equal(enqueue(much, [32], [32]), -5)


def check_two_devices(cl: OpenCl, device: int) -> None:
    """In a context with the processor, buffers are where a command wants them."""
    session, processor = opened_with_processor(cl, device)
    if session is None:
        return
    data = ints(*range(64))
    buffer, other = session.buffer(data), cl.clCreateCommandQueue(session.context, processor, 0)
    part = cl.clCreateSubBuffer(buffer, 0, 0x1220, [128, 128])
    session.launch(session.kernel("add_number", buffer, ctypes.c_int(10)), [64])
    session.launch(session.kernel("add_number", part, ctypes.c_int(100)), [32])
    cl.clFinish(session.queue)
    cl.clEnqueueFillBuffer(other, buffer, ints(7), 4, 0, 8, *NONE)
    cl.clFinish(other)
    session.launch(session.kernel("add_number", buffer, ctypes.c_int(1)), [64])
    equal(list(session.read(buffer, data)), [8, 8, *range(13, 43), *range(143, 175)])


def check_halves(cl: OpenCl, device: int) -> None:
    """Commands without an order, which write different halves of a buffer, in a context with the processor."""
    session, _ = opened_with_processor(cl, device, OUT_OF_ORDER)
    if session is None:
        return
    data, rounds = ints(*[1] * 256), 20_000_000
    expected = spun(1, rounds)
    buffer = session.buffer(data)
    kernel = session.kernel("spin", buffer, ctypes.c_uint32(rounds))
    for start in (0, 128):
        session.launch(kernel, [128], [128], [start])
        cl.clFlush(session.queue)
    cl.clFinish(session.queue)
    equal(list(session.read(buffer, data)), [expected] * 256)
    for waits in (False, True):  # for the kernel, before what is mapped is written
        session.write(buffer, data)
        cl.clFinish(session.queue)
        address = cl.clEnqueueMapBuffer(session.queue, buffer, 1, MAP_WRITE, 0, 512, *NONE)
        event = session.launch(kernel, [128], [128], [128])
        cl.clFlush(session.queue)
        while session.status(event) > (0 if waits else 1):
            time.sleep(0.001)
        time.sleep(0.005)
        (ctypes.c_int32 * 128).from_address(address)[:] = range(128)
        cl.clFinish(session.queue)
        cl.clEnqueueUnmapMemObject(session.queue, buffer, address, *NONE)
        cl.clFinish(session.queue)
        equal(list(session.read(buffer, data)), [*range(128), *[expected] * 128])


def check_fault(cl: OpenCl, device: int) -> None:
    """A fault is an event with an error and a call of the context; the process and the processor's queues go on."""
    said: list[bytes] = []
    notify = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)(
        lambda text, *_: said.append(text)
    )
    session = Session(cl, [device], notify=notify)
    session.build(SOURCE)
    buffer = session.buffer(ints(*[0] * 64))
    event = session.launch(session.kernel("stray", buffer, ctypes.c_uint64(1 << 40)), [32])
    equal(cl.code("clWaitForEvents", 1, [event]), -14)
    equal(session.status(event), -5)
    equal(len(said), 1)
    equal(said[0].startswith(b"lanewise: kernel stray: "), True)
    print(f"   {said[0].decode()}")
    for processor in cl.devices():
        if cl.name(processor).startswith("lanewise-cpu"):
            other = Session(cl, [processor])
            equal(list(other.read(other.buffer(ints(1, 2)), ints(0, 0))), [1, 2])


def print_times(cl: OpenCl, device: int) -> None:
    session, launches = opened(cl, device), 2000
    kernel = session.kernel("add_number", session.buffer(ints(*[0] * 64)), ctypes.c_int(1))
    for what, waits in (("a launch of a chain", False), ("a launch that is waited for", True)):
        began = time.perf_counter()
        for _ in range(launches):
            cl.clReleaseEvent(session.launch(kernel, [64], [64]))
            if waits:
                cl.clFinish(session.queue)
        cl.clFinish(session.queue)
        print(f"   {what}: {(time.perf_counter() - began) / launches * 1e6:.1f} us")
    big = (ctypes.c_uint8 * (256 << 20))()
    buffer, other = session.buffer(big), session.buffer(big)

    def copy(what: str, work: Callable[[], object]) -> None:
        work()
        began = time.perf_counter()
        work()
        cl.clFinish(session.queue)
        print(f"   {what}: {len(big) / (time.perf_counter() - began) / 1e9:.1f} GB/s")

    copy("write of 256 MiB", lambda: session.write(buffer, big))
    copy("read", lambda: cl.clEnqueueReadBuffer(session.queue, buffer, 1, 0, len(big), big, *NONE))
    copy("copy", lambda: cl.clEnqueueCopyBuffer(session.queue, buffer, other, 0, 0, len(big), *NONE))


CHECKS = (
    check_properties, check_vector_add, check_reduction, check_transposition, check_atomics, check_arguments,
    check_ranges, check_variables, check_times, check_maps, check_parts, check_rectangles, check_fills,
    check_queues, check_chains, check_early_events, check_one_runs, check_command_buffers, check_printf, check_refusals,
    check_two_devices, check_halves,
)  # fmt: skip
"""The last one, `check_fault`, comes after all, since a GPU's driver refuses calls of a process after a fault."""


def main(library: str, *options: str) -> int:
    os.environ.setdefault("LANEWISE_OPENCL_DEVICES", "cuda,cpu")
    cl = OpenCl(library)
    device = next((each for each in cl.devices() if cl.name(each).startswith("lanewise-cuda")), None)
    if device is None:
        print("skipped: there is no device lanewise-cuda")
        return 0
    print(cl.name(device))
    failed = 0
    for check in (*CHECKS, *([print_times] if "--times" in options else []), check_fault):
        try:
            check(cl, device)
            print(f"ok {check.__name__}")
        except (AssertionError, ClError) as error:
            failed += 1
            print(f"FAILED {check.__name__}: {error}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
