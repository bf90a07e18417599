# SPDX-License-Identifier: Apache-2.0
"""Updates of command buffers: their time, locks, what they hold, and the memory of simulated GPUs."""

import ctypes
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.opencl.interface import ClError, Session
from tests.opencl.test_command_buffers import NONE, command_buffer, enqueue, kernel_of
from tests.opencl.test_mutable_commands import (
    ARGUMENTS,
    EXECUTABLE,
    FIELDS,
    FLAGS,
    MUTABLE,
    Launch,
    config,
    contents,
    update,
)

ONES = np.ones(8, np.int32)
_SUMS = """
kernel void sum(global int *out, global const int *a, global const int *b, int n) {
  int i = get_global_id(0), s = 0;
  for (int j = 0; j < n; j++) { out[i] = a[j] + s; s += b[j]; }
}"""


def test_a_launch_of_overlapping_arrays_stays_as_others_change(session: Session) -> None:
    cl, x, y, z = session.cl, *(session.buffer(ONES) for _ in range(3))
    handle, buffer = ctypes.c_uint64(), command_buffer(session, FLAGS, MUTABLE)
    # An offset takes the general form, and arrays that overlap take code of their own.
    cl.clCommandNDRangeKernelKHR(
        buffer, 0, None, session.kernel(_SUMS, "sum", y, y, y, np.int32(8)), 1, [1], [4], [4], *NONE
    )  # fmt: skip
    twice = kernel_of(session, "twice", x)
    cl.clCommandNDRangeKernelKHR(buffer, 0, None, twice, 1, None, [8], [4], 0, None, None, ctypes.byref(handle))
    cl.clFinalizeCommandBufferKHR(buffer)
    for _ in range(2):
        update(session, buffer, config(handle.value, (0, z)))
        enqueue(session, buffer)
    assert (contents(session, x), contents(session, z)) == ([1] * 8, [4] * 8)


def test_a_command_keeps_its_buffers(session: Session) -> None:
    x, y = session.buffer(ONES), session.buffer(10 * ONES)
    launch = Launch(session, kernel_of(session, "add", y, x, np.int32(5)))
    session.cl.clReleaseMemObject(x)
    launch.change((2, np.int32(7)))
    launch.run()
    assert contents(session, y) == [8] * 8


def test_a_command_that_lacks_arguments_keeps_its_buffers(session: Session) -> None:
    x, y = session.buffer(ONES), session.buffer(10 * ONES)
    kernel = kernel_of(session, "add", y, x)
    launch = Launch(session, kernel, FIELDS, ARGUMENTS)
    session.cl.clReleaseMemObject(x)
    # Handles are used again after some more of them.
    others = [session.buffer(99 * ONES)]
    while others[-1] != x and len(others) < 1200:
        session.cl.clReleaseMemObject(others[-1])
        others.append(session.buffer(99 * ONES))
    launch.change((2, np.int32(7)))
    assert launch.state == EXECUTABLE
    launch.run()
    assert contents(session, y) == [8] * 8
    with pytest.raises(ClError, match="-52"):  # the kernel itself keeps nothing
        Launch(session, kernel, FIELDS, ARGUMENTS)


def test_buffers_that_an_update_replaces_end_without_locks(session: Session) -> None:
    x, y, z = (session.buffer(ONES) for _ in range(3))
    launch = Launch(session, kernel_of(session, "add", y, x, np.int32(5)))
    states: list[int] = []
    notify = ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.c_void_p)(lambda *_: states.append(launch.state))
    session.cl.clSetMemObjectDestructorCallback(x, notify, None)
    session.cl.clReleaseMemObject(x)
    assert not states
    launch.change((1, z))
    assert states == [EXECUTABLE]


def test_a_launch_without_a_handle_has_all_its_arguments(session: Session) -> None:
    kernel, buffer = kernel_of(session, "add", session.buffer(ONES)), command_buffer(session, FLAGS, MUTABLE)
    with pytest.raises(ClError, match="-52"):
        session.cl.clCommandNDRangeKernelKHR(buffer, 0, [FIELDS, ARGUMENTS, 0], kernel, 1, None, [8], [4], *NONE)
    session.cl.clFinalizeCommandBufferKHR(buffer)
    enqueue(session, buffer)


def test_groups_are_of_one_size_after_all_changes_of_a_launch(session: Session) -> None:
    x, y = session.buffer(ONES), session.buffer(10 * ONES)
    launch = Launch(session, kernel_of(session, "add", y, x, np.int32(5)))
    own = launch.handle.value
    update(session, launch.buffer, config(own, size=[6]), config(own, local=[3]))
    launch.run()
    assert contents(session, y) == [6] * 6 + [10] * 2
    with pytest.raises(ClError, match="-59"):
        update(session, launch.buffer, config(own, size=[9]), config(own, size=[7]))


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def test_updates_keep_no_graph_that_nobody_runs(session: Session) -> None:
    cl, x = session.cl, session.buffer(ONES)
    kernel, buffer, handle = kernel_of(session, "twice", x), command_buffer(session, FLAGS, MUTABLE), ctypes.c_uint64()
    for _ in range(400):
        cl.clCommandNDRangeKernelKHR(buffer, 0, None, kernel, 1, None, [8], [4], 0, None, None, ctypes.byref(handle))
    cl.clFinalizeCommandBufferKHR(buffer)
    user = cl.clCreateUserEvent(session.context)
    enqueue(session, buffer, (user,))
    change = config(handle.value, size=[4])
    update(session, buffer, change)
    before = _resident()
    for _ in range(400):
        update(session, buffer, change)
    grown = _resident() - before
    cl.clSetUserEventStatus(user, 0)
    cl.clFinish(session.queue)
    assert grown < 8 << 20


_ON_GPUS = """
import sys
from tests.opencl.interface import Interface
from tests.opencl.test_updates import *
session = Session(Interface(Path(sys.argv[1])))
cl = session.cl
session.context = cl.clCreateContextFromType(None, 0xFFFFFFFF, None, None)
session.queue = cl.clCreateCommandQueue(session.context, session.device, 0)
"""
_RESULTS = """
x = session.buffer(ONES)
buffer = command_buffer(session)
cl.clCommandNDRangeKernelKHR(buffer, 0, None, kernel_of(session, "twice", x), 1, None, [8], [8], *NONE)
cl.clFinalizeCommandBufferKHR(buffer)
for number in (1, 5):  # the second is written after the graph was made, and after it ran
    cl.clEnqueueWriteBuffer(session.queue, x, 1, 0, 32, number * ONES, 0, None, None)
    for round_ in (2, 4):
        enqueue(session, buffer)
        assert contents(session, x) == [round_ * number] * 8
"""
_DURING = """
source = "kernel void count(global volatile int *p, int n) { for (int j = 0; j < n; j++) p[get_global_id(0)] += 1; }"
root, other = session.buffer(np.zeros(2048, np.int32)), session.buffer(ONES)
part = cl.clCreateSubBuffer(root, 0, 0x1220, [4096, 32])
buffer, handle, event, number = command_buffer(session, FLAGS, MUTABLE), ctypes.c_uint64(), ctypes.c_uint64(), 10000000
count = session.kernel(source, "count", part, np.int32(number))
cl.clCommandNDRangeKernelKHR(buffer, 0, None, count, 1, None, [8], [8], *NONE)
cl.clCommandNDRangeKernelKHR(
    buffer, 0, None, kernel_of(session, "twice", other), 1, None, [8], [8], 0, None, None, ctypes.byref(handle)
)
cl.clFinalizeCommandBufferKHR(buffer)
enqueue(session, buffer, (), ctypes.byref(event))
cl.clFlush(session.queue)
updates = 0
while cl.status(event.value) > 0:
    update(session, buffer, config(handle.value, (0, other)))
    updates += 1
assert updates and contents(session, part) == [number] * 8
"""


def _run(library: Path, devices: str, body: str) -> None:
    folder = Path(__file__).parents[2]
    environment: dict[str, Any] = {**os.environ, "PYTHONPATH": str(folder), "LANEWISE_OPENCL_DEVICES": devices}
    words = [sys.executable, "-c", _ON_GPUS + body, str(library)]
    subprocess.run(words, timeout=60, env=environment, cwd=folder, check=True)


@pytest.mark.parametrize("devices", ["simt", "simt,cpu"])
def test_results_on_a_simulated_gpu_and_writes_before_it(library: Path, devices: str) -> None:
    _run(library, devices, _RESULTS)


def test_an_update_leaves_what_runs_alone(library: Path) -> None:
    _run(library, "simt,cpu", _DURING)
