# SPDX-License-Identifier: Apache-2.0
"""Sub-devices, on a processor that is taken to have four threads: how many of these work at once, and how one goes
through work-groups."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

_PROGRAM = """
import ctypes, sys
from pathlib import Path
import numpy as np
from tests.opencl.interface import ClError, Interface, Session, first_device

cl = Interface(Path(sys.argv[1]))
platform, device = first_device(cl)
NONE = (0, None, None)
EQUALLY, BY_COUNTS, BY_AFFINITY = 0x1086, 0x1087, 0x1088

def split(device, *properties):
    count = ctypes.c_uint32()
    cl.clCreateSubDevices(device, list(properties), 0, None, ctypes.byref(count))
    made = (ctypes.c_uint64 * count.value)()
    cl.clCreateSubDevices(device, list(properties), count.value, made, None)
    return list(made)

def numbers(device, what, type_=np.int64):
    return np.frombuffer(cl.query("clGetDeviceInfo", device, what), type_).tolist()

def code(name, *arguments):
    try:
        getattr(cl, name)(*arguments)
    except ClError as error:
        return error.code
    return 0
"""

_TESTS = {
    "properties": """
halves = split(device, EQUALLY, 2, 0)
assert [cl.number("clGetDeviceInfo", each, 0x1002) for each in (device, *halves)] == [4, 2, 2]
assert numbers(device, 0x1043, np.uint32) == [4] and numbers(device, 0x1044) == [EQUALLY, BY_COUNTS]
assert numbers(halves[0], 0x1046) == [EQUALLY, 2, 0] and numbers(halves[0], 0x1042) == [device]
assert numbers(device, 0x1046) == [0] and numbers(device, 0x1042) == [0]
parts = split(device, BY_COUNTS, 1, 3, 0, 0)
assert [cl.number("clGetDeviceInfo", each, 0x1002) for each in parts] == [1, 3]
assert numbers(parts[1], 0x1046) == [BY_COUNTS, 1, 3, 0, 0] and numbers(parts[0], 0x1044) == [0]
assert cl.query("clGetDeviceInfo", parts[0], 0x102B) == cl.query("clGetDeviceInfo", device, 0x102B)
quarters = [each for half in halves for each in split(half, EQUALLY, 1, 0)]
assert len(quarters) == 4 and numbers(quarters[3], 0x1042) == [halves[1]]
cl.clReleaseDevice(halves[1])  # which its parts still use
assert code("clGetDeviceInfo", halves[1], 0x1002, 8, np.zeros(1), None) == -33
cl.clRetainDevice(quarters[3])
assert numbers(quarters[3], 0x1047, np.uint32) == [2]
assert [code("clReleaseDevice", quarters[3]) for _ in range(3)] == [0, 0, -33]
assert [code("clReleaseDevice", device) for _ in range(3)] == [0, 0, 0]
""",
    "wrong partitions": """
place = np.zeros(8, np.uint64)
given = [
    (-33, 12345, [EQUALLY, 1, 0], 8), (-30, device, None, 8), (-30, device, [0], 8), (-30, device, [EQUALLY, 0, 0], 8),
    (-68, device, [EQUALLY, 5, 0], 8), (-18, device, [EQUALLY, 4, 0], 8), (-30, device, [EQUALLY, 2, EQUALLY, 2, 0], 8),
    (-30, device, [BY_AFFINITY, 1, 0], 8),
    (-68, device, [BY_COUNTS, 3, 2, 0, 0], 8), (-68, device, [BY_COUNTS, (1 << 64) - 1, 0, 0], 8),
    (-30, device, [BY_COUNTS, 0, 0], 8), (-30, device, [EQUALLY, 1, 0], 3),
    (-18, split(device, EQUALLY, 1, 0)[0], [EQUALLY, 1, 0], 8),
]
for expected, parent, properties, room in given:
    found = code("clCreateSubDevices", parent, properties, room, place, None)
    assert found == expected, (expected, found, properties)
assert code("clCreateSubDevices", device, [EQUALLY, 2, 0], 0, None, None) == -30
""",
    "threads": """
SOURCE = '''
kernel void busy(global volatile int *numbers) {
  int now = atomic_inc(&numbers[0]) + 1;
  atomic_max(&numbers[1], now);
  for (int i = 0; i < 20000; ++i)
    numbers[2 + get_group_id(0)] += i;
  atomic_dec(&numbers[0]);
}
'''
parts = split(device, BY_COUNTS, 1, 2, 0, 0)
context = cl.clCreateContext(None, 4, [parts[0], parts[1], device, device], None, None)
assert np.frombuffer(cl.query("clGetContextInfo", context, 0x1081), np.uint64).tolist() == [*parts, device]
session = Session(cl)
session.context = context
program = session.program(SOURCE)
assert cl.number("clGetProgramInfo", program, 0x1162) == 3
assert len(set(np.frombuffer(cl.query("clGetProgramInfo", program, 0x1165), np.uint64).tolist())) == 1
sizes = np.frombuffer(cl.query("clGetProgramInfo", program, 0x1165), np.uint64)
rooms = [ctypes.create_string_buffer(int(size)) for size in sizes]
cl.clGetProgramInfo(program, 0x1166, 24, [ctypes.addressof(rooms[0]), 0, ctypes.addressof(rooms[2])], None)
assert rooms[0].raw == rooms[2].raw != rooms[1].raw
given = [ctypes.addressof(rooms[at]) for at in (0, 2, 0)]
def loaded(devices):
    statuses, count = np.ones(len(devices), np.int32), len(devices)
    again = cl.clCreateProgramWithBinary(context, count, devices, list(map(int, sizes)), given, statuses)
    assert not statuses.any()
    cl.clBuildProgram(again, count, devices, b"", None, None)
    return cl.clCreateKernel(again, b"busy")
kernel, whole, only_parts = loaded([*parts, device]), loaded([device]), loaded(parts)
for part, most in ((parts[0], 1), (parts[1], 2), (device, 4)):
    queue = cl.clCreateCommandQueue(context, part, 0)
    assert cl.number("clGetCommandQueueInfo", queue, 0x1091) == part
    session.queue = queue
    for _ in range(3):
        buffer = session.buffer(np.zeros(66, np.int32))
        session.set(kernel, buffer)
        session.run(kernel, [64], [1])
        found = session.read(buffer, np.zeros(66, np.int32))
        assert found[0] == 0 and 1 <= found[1] <= most, (most, found[:2])
for each in (only_parts, whole):
    session.set(each, buffer)
launch = (1, None, [64], [1], 0, None, None)
assert code("clEnqueueNDRangeKernel", session.queue, only_parts, *launch) == -45  # the device's own queue
session.queue = cl.clCreateCommandQueue(context, parts[0], 0)
session.run(whole, [64], [1])  # a part of the device that it was built for
cl.clFinish(session.queue)
assert code("clCreateCommandQueue", Session(cl).context, parts[0], 0) == -33
assert code("clGetKernelWorkGroupInfo", kernel, None, 0x11B0, 8, np.zeros(1), None) == -33
""",
    "order": """
SOURCE = '''
kernel void number(global volatile uint *next, global uint *out, uint columns) {
  uint now = next[0];
  next[0] = now + 1;
  out[get_global_id(0) * columns + get_global_id(1)] = now;
}
'''
ROWS, COLUMNS, ITEMS = 6, 1024, 256
session = Session(cl)
part = split(device, BY_COUNTS, 1, 0, 0)[0]
session.context = cl.clCreateContext(None, 1, [part], None, None)
session.queue = cl.clCreateCommandQueue(session.context, part, 0)
kernel = cl.clCreateKernel(session.program(SOURCE), b"number")

def places_in_order(local):
    out = np.zeros(ROWS * COLUMNS, np.uint32)
    buffer = session.buffer(out)
    session.set(kernel, session.buffer(np.zeros(1, np.uint32)), buffer, np.uint32(COLUMNS))
    session.run(kernel, [ROWS, COLUMNS], local)
    return np.argsort(session.read(buffer, out)[::ITEMS]).tolist()

in_memory = np.arange(ROWS * COLUMNS // ITEMS).reshape(ROWS, -1)
assert places_in_order(None) == in_memory.ravel().tolist()
assert places_in_order([1, ITEMS]) == in_memory.T.ravel().tolist()
""",
}


@pytest.mark.parametrize("name", _TESTS)
def test_sub_devices(library: Path, name: str) -> None:
    folder = Path(__file__).parents[2]
    words = [sys.executable, "-c", _PROGRAM + _TESTS[name], str(library)]
    environment = {**os.environ, "LANEWISE_NUM_THREADS": "4", "PYTHONPATH": str(folder)}
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, env=environment, cwd=folder, check=False)
    assert done.returncode == 0, done.stderr
