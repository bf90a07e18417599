# SPDX-License-Identifier: Apache-2.0
"""Shared virtual memory: allocations, commands, pointers that kernels follow, atomic operations of both sides."""

import ctypes
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from tests.opencl.interface import ClError, Interface, Session

FINE, ATOMICS = 1 << 10, 1 << 11
NONE = (0, None, None)

SOURCE = """
struct node { int value; global struct node *next; };
kernel void add_up(global int *sum, global const struct node *first) {
  int found = 0;
  for (global const struct node *each = first; each; each = each->next)
    found += each->value;
  sum[0] = found;
}
kernel void count(global volatile int *sum) { atomic_add(sum, 1); }
"""


class Shared:
    """Memory of clSVMAlloc in a context."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._allocate = session.cl._library["clSVMAlloc"]
        self._allocate.restype = ctypes.c_uint64
        self.given: list[int] = []

    def allocate(self, count: int, flags: int = 0, alignment: int = 0) -> int:
        context = ctypes.c_uint64(self.session.context)
        address = int(self._allocate(context, ctypes.c_uint64(flags), ctypes.c_size_t(count), alignment))
        self.given += [address] if address else []
        return address

    def free(self, address: int) -> None:
        self.session.cl._library["clSVMFree"](ctypes.c_uint64(self.session.context), ctypes.c_uint64(address))


@pytest.fixture
def shared(session: Session) -> Iterator[Shared]:
    made = Shared(session)
    yield made
    for address in made.given:
        made.free(address)


def view(address: int, count: int, dtype: Any = np.int32) -> Any:
    data: Any = (ctypes.c_char * (count * np.dtype(dtype).itemsize)).from_address(address)
    return np.frombuffer(data, dtype)


def test_a_kernel_follows_pointers(session: Session, shared: Shared) -> None:
    nodes = [shared.allocate(16) for _ in range(5)]
    for number, node in enumerate(nodes):
        fields = view(node, 2, np.int64)
        fields[:] = number + 1, nodes[number + 1] if number + 1 < len(nodes) else 0
    total = shared.allocate(4, FINE)
    kernel = session.cl.clCreateKernel(session.program(SOURCE), b"add_up")
    session.cl.clSetKernelArgSVMPointer(kernel, 0, total)
    session.cl.clSetKernelArgSVMPointer(kernel, 1, nodes[0])
    session.cl.clSetKernelExecInfo(kernel, 0x11B6, 8 * len(nodes), nodes)
    session.run(kernel, [1])
    session.cl.clSetKernelExecInfo(kernel, 0x11B6, 0, None)
    session.cl.clFinish(session.queue)
    assert view(total, 1)[0] == 15


def test_any_memory_of_the_host_is_shared(session: Session) -> None:
    assert session.cl.number("clGetDeviceInfo", session.device, 0x1053) == 15
    sums = np.zeros(4, np.int32)
    node = np.array([7, 0], np.int64)
    kernel = session.cl.clCreateKernel(session.program(SOURCE), b"add_up")
    session.cl.clSetKernelArgSVMPointer(kernel, 0, sums.ctypes.data + 4)
    session.cl.clSetKernelArgSVMPointer(kernel, 1, node.ctypes.data)
    session.cl.clSetKernelExecInfo(kernel, 0x11B7, 4, np.array([1], np.int32))
    session.run(kernel, [1])
    session.cl.clFinish(session.queue)
    assert sums.tolist() == [0, 7, 0, 0]


def test_atomic_operations_of_two_queues_are_one_anothers(session: Session, shared: Shared) -> None:
    cl = session.cl
    total = shared.allocate(4, FINE | ATOMICS)
    view(total, 1)[:] = 0
    queues = [session.queue, cl.clCreateCommandQueue(session.context, session.device, 0)]
    kernel = cl.clCreateKernel(session.program(SOURCE, "-cl-std=CL3.0"), b"count")
    cl.clSetKernelArgSVMPointer(kernel, 0, total)
    for queue in queues:
        cl.clEnqueueNDRangeKernel(queue, kernel, 1, None, [20000], [64], *NONE)
    threads = [threading.Thread(target=cl.clFinish, args=(queue,)) for queue in queues]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert view(total, 1)[0] == 40000


def test_commands_move_shared_memory(session: Session, shared: Shared) -> None:
    cl, queue = session.cl, session.queue
    first, second = shared.allocate(64, alignment=128), shared.allocate(64)
    assert first % 128 == 0
    pattern = np.array([1, 2], np.int32)
    cl.clEnqueueSVMMap(queue, 1, 2, first, 64, *NONE)
    cl.clEnqueueSVMMemFill(queue, first, pattern, 8, 64, *NONE)
    cl.clEnqueueSVMUnmap(queue, first, *NONE)
    cl.clEnqueueSVMMigrateMem(queue, 2, [first, second], None, 0, *NONE)
    cl.clEnqueueSVMMigrateMem(queue, 1, [first + 8], [56], 2, *NONE)
    event = session.event("clEnqueueSVMMemcpy", queue, 0, second, first, 64, 0, None)
    assert cl.number("clGetEventInfo", event, 0x11D1) == 0x120A
    own = np.zeros(16, np.int32)
    cl.clEnqueueSVMMemcpy(queue, 1, own, second, 64, *NONE)
    assert own.tolist() == [1, 2] * 8


def test_a_buffer_of_shared_memory_says_so(session: Session, shared: Shared) -> None:
    memory, other = shared.allocate(256), np.zeros(64, np.int32)
    buffer = session.cl.clCreateBuffer(session.context, 1 << 3, 256, memory)
    plain = session.cl.clCreateBuffer(session.context, 1 << 3, 256, other)
    assert [session.cl.number("clGetMemObjectInfo", each, 0x1109) for each in (buffer, plain)] == [1, 0]
    kernel = session.kernel(SOURCE, "count", buffer)
    view(memory, 1)[:] = 0
    session.run(kernel, [100])
    session.cl.clFinish(session.queue)
    assert view(memory, 1)[0] == 100
    session.cl.clReleaseMemObject(buffer)


def test_memory_is_freed_in_order(session: Session, shared: Shared) -> None:
    cl, queue = session.cl, session.queue
    first, second = shared.allocate(64), shared.allocate(64)
    cl.clEnqueueSVMFree(queue, 1, [first], None, None, *NONE)
    seen: list[list[int]] = []
    type_ = ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.c_uint32, ctypes.POINTER(ctypes.c_uint64), ctypes.c_void_p)
    notify = type_(lambda _queue, count, addresses, _data: seen.append(addresses[:count]))
    cl.clEnqueueSVMFree(queue, 1, [second], notify, None, *NONE)
    cl.clFinish(queue)
    assert seen == [[second]]
    shared.given.remove(first)


@pytest.mark.parametrize(
    ("count", "flags", "alignment"),
    [(0, 0, 0), (64, 3, 0), (64, ATOMICS, 0), (64, 0, 3), (64, 0, 256), (1 << 60, 0, 0)],
)
def test_wrong_allocations_give_null(shared: Shared, count: int, flags: int, alignment: int) -> None:
    assert shared.allocate(count, flags, alignment) == 0


def test_foreign_pointers_are_not_freed(shared: Shared) -> None:
    own = np.ones(64, np.int32)
    for address in (0, own.ctypes.data, shared.allocate(64) + 8):
        shared.free(address)
    assert own.tolist() == [1] * 64


def test_wrong_calls_have_codes(cl: Interface, session: Session, shared: Shared) -> None:
    memory, queue = shared.allocate(64), session.queue
    kernel = cl.clCreateKernel(session.program("kernel void k(int n, global int *p, local int *t) {}"), b"k")
    pattern = np.zeros(4, np.int32)
    wrong: list[tuple[int, str, tuple[Any, ...]]] = [
        (-61, "clCreateBuffer", (session.context, 1 << 3, 65, memory)),
        (-61, "clCreateBuffer", (session.context, 1 << 3, 64, memory + 4)),
        (-61, "clCreateBuffer", (session.context, 1 << 5, 65, memory)),
        (-36, "clEnqueueSVMMemcpy", (12345, 1, memory, pattern, 4, *NONE)),
        (-30, "clEnqueueSVMMemcpy", (queue, 1, memory, None, 4, *NONE)),
        (-8, "clEnqueueSVMMemcpy", (queue, 1, memory, memory + 4, 8, *NONE)),
        (-30, "clEnqueueSVMMemFill", (queue, memory, pattern, 3, 6, *NONE)),
        (-30, "clEnqueueSVMMemFill", (queue, memory + 2, pattern, 4, 8, *NONE)),
        (-30, "clEnqueueSVMMemFill", (queue, memory, pattern, 4, 6, *NONE)),
        (-30, "clEnqueueSVMMap", (queue, 1, 1, None, 4, *NONE)),
        (-30, "clEnqueueSVMMap", (queue, 1, 5, memory, 4, *NONE)),
        (-30, "clEnqueueSVMUnmap", (queue, None, *NONE)),
        (-30, "clEnqueueSVMFree", (queue, 0, [memory], None, None, *NONE)),
        (-30, "clEnqueueSVMMigrateMem", (queue, 1, [pattern.ctypes.data], None, 0, *NONE)),
        (-30, "clEnqueueSVMMigrateMem", (queue, 1, [memory], [65], 0, *NONE)),
        (-48, "clSetKernelArgSVMPointer", (12345, 1, memory)),
        (-49, "clSetKernelArgSVMPointer", (kernel, 3, memory)),
        (-50, "clSetKernelArgSVMPointer", (kernel, 0, memory)),
        (-50, "clSetKernelArgSVMPointer", (kernel, 2, memory)),
        (-30, "clSetKernelExecInfo", (kernel, 0x11B6, 8, None)),
        (-30, "clSetKernelExecInfo", (kernel, 0x11B7, 0, None)),
        (-30, "clSetKernelExecInfo", (kernel, 0x11B7, 8, pattern)),
        (-30, "clSetKernelExecInfo", (kernel, 0x11B8, 8, pattern)),
    ]
    for code, name, arguments in wrong:
        with pytest.raises(ClError) as raised:
            getattr(cl, name)(*arguments)
        assert (name, arguments, raised.value.code) == (name, arguments, code)
