# SPDX-License-Identifier: Apache-2.0
"""Unified shared memory (cl_intel_unified_shared_memory): allocations, what they tell, commands, kernels."""

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.opencl.interface import ClError, Session
from tests.opencl.test_svm import view

HOST, DEVICE, SHARED, UNKNOWN = 0x4197, 0x4198, 0x4199, 0x4196
TYPE, BASE, SIZE, OF_DEVICE, FLAGS = 0x419A, 0x419B, 0x419C, 0x419D, 0x4195
NONE = (0, None, None)


def allocate(session: Session, kind: int, nbytes: int, properties: Any = None) -> int:
    cl = session.cl
    if kind == HOST:
        return int(cl.clHostMemAllocINTEL(session.context, properties, nbytes, 0))
    function = cl.clDeviceMemAllocINTEL if kind == DEVICE else cl.clSharedMemAllocINTEL
    return int(function(session.context, session.device, properties, nbytes, 64))


def told(session: Session, address: int) -> list[int]:
    return [
        session.cl.number("clGetMemAllocInfoINTEL", session.context, address, each)
        for each in (TYPE, BASE, SIZE, OF_DEVICE, FLAGS)
    ]


def test_the_device_claims_it(session: Session) -> None:
    assert b" cl_intel_unified_shared_memory " in session.cl.query("clGetDeviceInfo", session.device, 0x1030)
    for what in range(0x4190, 0x4195):
        assert session.cl.number("clGetDeviceInfo", session.device, what) == 15


def test_allocations_tell_of_themselves(session: Session) -> None:
    for kind, device in ((HOST, 0), (DEVICE, session.device), (SHARED, session.device)):
        address = allocate(session, kind, 100, [FLAGS, 1, 0])
        assert told(session, address) == told(session, address + 99) == [kind, address, 100, device, 1]
        session.cl.clMemFreeINTEL(session.context, address)
        assert told(session, address) == [UNKNOWN, 0, 0, 0, 0]
    free = int(session.cl.clSharedMemAllocINTEL(session.context, 0, [FLAGS, 4, 0], 8, 0))
    assert told(session, free) == [SHARED, free, 8, 0, 4]
    session.cl.clMemFreeINTEL(session.context, free)
    with pytest.raises(ClError, match="-30"):
        session.cl.clMemFreeINTEL(session.context, free)


def test_it_ends_with_its_context(new_session: Callable[..., Session]) -> None:
    """The handle of a context may be another context's later, which has nothing of the first one's."""
    first = new_session()
    address = allocate(first, HOST, 64)
    first.cl.clReleaseCommandQueue(first.queue)
    first.cl.clReleaseContext(first.context)
    for _ in range(3000):
        later = first.cl.clCreateContext(None, 1, [first.device], None, None)
        if later == first.context:
            break
        first.cl.clReleaseContext(later)
    assert later == first.context
    assert told(first, address) == [UNKNOWN, 0, 0, 0, 0]
    first.cl.clReleaseContext(later)


def test_kernels_follow_pointers_into_it(session: Session) -> None:
    source = """
        struct rows { global int *row[2]; };
        kernel void k(global int *out, global struct rows *all) { out[0] = all->row[0][1] + all->row[1][0]; }
    """
    kernel = session.cl.clCreateKernel(session.program(source), b"k")
    out, rows, values = allocate(session, SHARED, 4), allocate(session, HOST, 16), allocate(session, DEVICE, 8)
    session.cl.clEnqueueMemcpyINTEL(session.queue, 1, values, np.array([3, 4], np.int32), 8, *NONE)
    view(rows, 2, np.uint64)[:] = values, values
    session.cl.clSetKernelArgMemPointerINTEL(kernel, 0, out)
    session.cl.clSetKernelArgMemPointerINTEL(kernel, 1, rows)
    for what in (0x4200, 0x4201, 0x4202):
        session.cl.clSetKernelExecInfo(kernel, what, 4, np.array([1], np.int32))
    session.cl.clSetKernelExecInfo(kernel, 0x4203, 8, [values])
    session.run(kernel, [1])
    session.cl.clFinish(session.queue)
    assert view(out, 1)[0] == 7
    for address in (out, rows, values):
        session.cl.clMemBlockingFreeINTEL(session.context, address)


def test_commands_have_their_types(session: Session) -> None:
    cl, memory = session.cl, allocate(session, SHARED, 32)
    pattern, back = np.array([1, 2], np.int32), np.zeros(8, np.int32)
    events = [
        session.event("clEnqueueMemFillINTEL", session.queue, memory, pattern, 8, 32, 0, None),
        session.event("clEnqueueMemcpyINTEL", session.queue, 1, back, memory, 32, 0, None),
        session.event("clEnqueueMigrateMemINTEL", session.queue, memory, 32, 0, 0, None),
        session.event("clEnqueueMemAdviseINTEL", session.queue, memory, 32, 0, 0, None),
    ]
    assert back.tolist() == [1, 2] * 4
    assert [cl.number("clGetEventInfo", each, 0x11D1) for each in events] == [0x4204, 0x4205, 0x4206, 0x4207]
    cl.clMemBlockingFreeINTEL(session.context, memory)


def test_a_blocking_free_waits_for_commands_that_use_the_memory(session: Session) -> None:
    """A native kernel ends the user's event while the free waits."""
    cl = session.cl
    second = cl.clCreateCommandQueue(session.context, session.device, 0)
    memory, seen = allocate(session, SHARED, 1 << 20), np.zeros(1, np.uint8)
    cl.clEnqueueMemFillINTEL(session.queue, memory, np.array([7], np.uint8), 1, 1 << 20, *NONE)
    cl.clFinish(session.queue)
    gate, order = cl.clCreateUserEvent(session.context), ctypes.c_uint64()
    cl.clEnqueueMemcpyINTEL(second, 0, seen, memory + (1 << 20) - 1, 1, 1, [gate], ctypes.byref(order))
    ends = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: cl.clSetUserEventStatus(gate, 0))
    cl.clEnqueueNativeKernel(session.queue, ends, None, 0, 0, None, None, *NONE)
    cl.clMemBlockingFreeINTEL(session.context, memory)
    assert seen[0] == 7
    assert cl.status(order.value) == 0
    assert told(session, memory)[0] == UNKNOWN
