# SPDX-License-Identifier: Apache-2.0
"""Several devices of one platform: which there are, what they say of themselves, and buffers that all of them use."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

_PROGRAM = """
import ctypes, sys
from pathlib import Path
import numpy as np
from tests.opencl.interface import ClError, Interface, Session

cl = Interface(Path(sys.argv[1]))
NONE = (0, None, None)
ALL, DEFAULT, CPU, GPU, ACCELERATOR = 0xFFFFFFFF, 1, 2, 4, 8

def devices(type_=ALL):
    found, count = (ctypes.c_uint64 * 8)(), ctypes.c_uint32()
    cl.clGetDeviceIDs(None, type_, 8, found, ctypes.byref(count))
    return list(found[:count.value])

def name(device):
    return cl.query("clGetDeviceInfo", device, 0x102B).decode().split(":")[0].rstrip("\\0")

def code(name, *arguments):
    try:
        getattr(cl, name)(*arguments)
    except ClError as error:
        return error.code
    return 0

class Several(Session):
    def __init__(self):
        self.cl = cl
        self.all = devices()
        self.context = cl.clCreateContext(None, len(self.all), self.all, None, None)
        self.queues = {name(each): cl.clCreateCommandQueue(self.context, each, 0) for each in self.all}
        self.queue = next(iter(self.queues.values()))
    def on(self, name):
        self.queue = self.queues["lanewise-" + name]
        return self
"""

_TESTS = {
    "which there are": """
assert [name(each) for each in devices()] == ["lanewise-cpu", "lanewise-basic", "lanewise-simt"]
assert list(map(name, devices(DEFAULT))) == ["lanewise-cpu"] and list(map(name, devices(GPU))) == ["lanewise-simt"]
assert list(map(name, devices(CPU))) == ["lanewise-cpu", "lanewise-basic"]
assert code("clGetDeviceIDs", None, 8, 1, [0], None) == -1
one, count = ctypes.c_uint64(), ctypes.c_uint32()
cl.clGetDeviceIDs(None, ALL, 1, ctypes.byref(one), ctypes.byref(count))
assert (one.value, count.value) == (devices()[0], 3)
for type_, expected in ((CPU, 2), (GPU, 1), (DEFAULT, 1), (ALL, 3)):
    context = cl.clCreateContextFromType(None, type_, None, None)
    assert cl.number("clGetContextInfo", context, 0x1083) == expected
assert code("clCreateContextFromType", None, ACCELERATOR, None, None) == -1
""",
    "what they say": """
cpu, basic, simt = devices()
assert [cl.number("clGetDeviceInfo", each, 0x1000) for each in (cpu, basic, simt)] == [2, 2, 4]
assert [cl.number("clGetDeviceInfo", each, 0x1002) for each in (cpu, basic)] == [4, 1]
assert [cl.number("clGetDeviceInfo", each, 0x1004) for each in (cpu, simt)] == [8192, 1024]
assert [cl.number("clGetDeviceInfo", each, 0x102A) for each in (cpu, basic, simt)] == [3, 2, 3]  # queues
assert [cl.number("clGetDeviceInfo", each, 0x1016) for each in (cpu, basic, simt)] == [1, 1, 0]  # images
assert [cl.number("clGetDeviceInfo", each, 0x1053) for each in (cpu, basic, simt)] == [15, 15, 0]  # SVM
assert [cl.number("clGetDeviceInfo", each, 0x1035) for each in (cpu, basic, simt)] == [1, 1, 0]  # one memory
assert [b"3d_image" in cl.query("clGetDeviceInfo", each, 0x1030) for each in (cpu, basic, simt)] == [1, 1, 0]
assert b"3d_image" not in cl.query("clGetPlatformInfo", 0, 0x0904)
sizes = [np.frombuffer(cl.query("clGetDeviceInfo", each, 0x4108), np.uint64).tolist() for each in (cpu, basic, simt)]
assert sizes == [[8, 16, 32, 64], [8, 16, 32, 64], [8, 16, 32]]  # of sub-groups: CL_DEVICE_SUB_GROUP_SIZES_INTEL
assert len({cl.query("clGetDeviceInfo", each, 0x106A) for each in (cpu, basic, simt)}) == 3  # UUIDs
context = cl.clCreateContext(None, 3, [cpu, basic, simt], None, None)
assert code("clCreateCommandQueue", context, basic, 1) == -35 and code("clCreateCommandQueue", context, simt, 1) == 0
for each in (basic, simt):
    assert code("clCreateSubDevices", each, [0x1086, 1, 0], 8, np.zeros(8, np.uint64), None) == -18
""",
    "what the simulated GPU can't": """
several = Several().on("simt")
place, queue = np.zeros(64, np.uint8), several.queue
only = cl.clCreateContext(None, 1, [devices()[2]], None, None)
picture = np.array([0x10F1, 4, 4, 0, 0, 0, 0, 0, 0], np.uint64)
format_ = np.array([0x10B5, 0x10D2], np.uint32)
image = cl.clCreateImage(several.context, 1, format_, picture, None)
assert code("clCreateImage", only, 1, format_, picture, None) == -59
assert code("clCreateSampler", only, 0, 0x1131, 0x1140) == -59
assert code("clEnqueueReadImage", queue, image, 1, [0, 0, 0], [4, 4, 1], 0, 0, place, *NONE) == -59
assert code("clEnqueueNativeKernel", queue, place, None, 0, 0, None, None, *NONE) == -59
assert code("clEnqueueSVMMemcpy", queue, 1, place, place, 4, *NONE) == -59
source = "kernel void k(global int *p, read_only image2d_t i) { p[0] = 1; } kernel void s(global int *p) { p[0] = 2; }"
program = several.program(source, "")
kernel, other = cl.clCreateKernel(program, b"k"), cl.clCreateKernel(program, b"s")
several.set(kernel, several.buffer(np.zeros(4, np.int32)), image)
assert code("clEnqueueNDRangeKernel", queue, kernel, 1, None, [4], [4], *NONE) == -59
cl.clSetKernelArgSVMPointer(other, 0, place)
assert code("clEnqueueNDRangeKernel", queue, other, 1, None, [4], [4], *NONE) == -59
several.set(other, several.buffer(np.zeros(4, np.int32)))
assert code("clEnqueueNDRangeKernel", queue, other, 1, None, [2048], [2048], *NONE) == -55
assert code("clEnqueueNDRangeKernel", queue, other, 1, None, [1024], [1024], *NONE) == 0
""",
    "a buffer on all": """
several = Several()
source = '''
kernel void step(global int *out, global const int *in, local int *tile, int add) {
  int l = get_local_id(0);
  tile[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = 10 * tile[get_local_size(0) - 1 - l] + add;
}'''
a = np.arange(100, 108, dtype=np.int32)
host = a.copy()
x = cl.clCreateBuffer(several.context, 1 << 3, a.nbytes, host)  # CL_MEM_USE_HOST_PTR
y = several.buffer(np.zeros_like(a))
kernel = several.kernel(source, "step", options="-cl-std=CL3.0")
expected, add = a, 0
turned = lambda values, add: (10 * values.reshape(2, 4)[:, ::-1].reshape(8) + add).astype(np.int32)
for round_ in range(2):
    for device in ("cpu", "simt", "basic", "simt", "simt", "cpu"):
        add = (add + 1) % 10
        several.on(device).set(kernel, y, x, [16], np.int32(add))
        several.run(kernel, [8], [4])
        cl.clFinish(several.queue)
        expected = turned(expected, add)
        x, y = y, x
    several.on("basic")
    assert several.read(x, a).tolist() == expected.tolist()
    several.on("simt")
    given = np.arange(8, dtype=np.int32) + round_
    cl.clEnqueueWriteBuffer(several.queue, x, 1, 4, 8, given, *NONE)
    expected[1:3] = given[:2]
    cl.clEnqueueFillBuffer(several.queue, x, np.int32([7]), 4, 16, 4, *NONE)
    expected[4] = 7
    assert several.read(x, a).tolist() == expected.tolist()
several.set(kernel, y, x, [16], np.int32(1))  # a map sees what the GPU wrote, an unmap what the host did
several.run(kernel, [8], [4])
address = cl.clEnqueueMapBuffer(several.queue, y, 1, 3, 0, a.nbytes, *NONE)
seen = np.frombuffer((ctypes.c_char * a.nbytes).from_address(address), np.int32)
wanted = turned(expected, 1)
assert seen.tolist() == wanted.tolist()
seen[0] = wanted[0] = 5
cl.clEnqueueUnmapMemObject(several.queue, y, address, *NONE)
several.set(kernel, x, y, [16], np.int32(2))
several.run(kernel, [7], [4], [1])  # the general form
order = [4, 3, 2, 1, 7, 6, 5]
assert several.read(x, a)[1:].tolist() == (10 * wanted[order] + 2).tolist()
""",
    "variables of a program on the simulated GPU": """
several = Several().on("simt")
source = '''
global int table[4] = {1, 2, 3, 4};
global int *global last = &table[1];
global int *constant rows[2] = {table, table + 2};
kernel void add(global int *out) { atomic_add(rows[get_global_id(0) & 1], 10); last = &table[3]; }
kernel void tell(global int *out) { out[0] = table[0]; out[1] = *rows[1]; out[2] = *last; }
'''
program = several.program(source, "-cl-std=CL3.0")
add, tell = cl.clCreateKernel(program, b"add"), cl.clCreateKernel(program, b"tell")
out = several.buffer(np.zeros(3, np.int32))
several.set(add, out)
several.set(tell, out)
several.run(tell, [1])
assert several.read(out, np.zeros(3, np.int32)).tolist() == [1, 3, 2]
for rounds in range(1, 3):
    several.run(add, [4], [2], [2])  # the general form
    several.run(tell, [1], None, [rounds])
    assert several.read(out, np.zeros(3, np.int32)).tolist() == [40 * rounds - 19, 40 * rounds - 17, 4], rounds
    several.run(add, [4], [2])
    several.run(tell, [1])
    assert several.read(out, np.zeros(3, np.int32)).tolist() == [40 * rounds + 1, 40 * rounds + 3, 4], rounds
""",
    "parts on different devices": """
several = Several()
data = np.arange(256, dtype=np.int32)
whole = several.buffer(data)
parts = [cl.clCreateSubBuffer(whole, 0, 0x1220, [start, 512]) for start in (0, 512)]
kernel = several.kernel("kernel void twice(global int *p) { p[get_global_id(0)] *= 2; }", "twice")
several.on("simt").set(kernel, whole)
several.run(kernel, [256], [64])
cl.clFinish(several.queue)
for device, part, count in (("simt", parts[0], 1), ("cpu", parts[1], 3), ("simt", parts[0], 1), ("basic", parts[1], 1)):
    several.on(device).set(kernel, part)
    for _ in range(count):
        several.run(kernel, [128], [64])
    cl.clFinish(several.queue)
data[:128] *= 8
data[128:] *= 32
assert several.on("simt").read(whole, data).tolist() == data.tolist()
several.set(kernel, whole)
several.run(kernel, [256], [64])
assert several.on("simt").read(whole, data).tolist() == (2 * data).tolist()
""",
    "one thread, in order": """
several = Several().on("basic")
source = "kernel void who(global int *out, global int *count) { out[get_group_id(0)] = atomic_inc(count); }"
out, count = several.buffer(np.zeros(1000, np.int32)), several.buffer(np.zeros(1, np.int32))
several.run(several.kernel(source, "who", out, count), [1000], [1])
assert several.read(out, np.zeros(1000, np.int32)).tolist() == list(range(1000))
""",
    "groups for all of four threads": """
several = Several()
kernel = several.kernel("kernel void k(global int *p) { p[0] = 1; }", "k", several.buffer(np.zeros(4, np.int32)))
def suggested(device, *size):
    local = np.zeros(len(size), np.uint64)
    cl.clGetKernelSuggestedLocalWorkSizeKHR(
        several.queues["lanewise-" + device], kernel, len(size), None, list(size), local
    )
    return local.tolist()
assert [suggested("cpu", count)[0] for count in (64, 128, 256, 512, 1024, 1 << 20)] == [64, 64, 64, 128, 256, 256]
assert suggested("cpu", 32, 16) == [32, 4] and suggested("cpu", 1 << 20, 1 << 10) == [256, 1]
assert suggested("basic", 256) == suggested("simt", 256) == [256]
""",
    "binaries": """
several = Several()
text = ctypes.c_char_p(b"global int q; kernel void k(global int *p) { p[0] = 3 + q; }")
program = cl.clCreateProgramWithSource(several.context, 1, ctypes.byref(text), None)
cpu, basic, simt = several.all
cl.clBuildProgram(program, 2, [cpu, basic], b"-cl-std=CL3.0", None, None)  # not for the simulated GPU
assert [cl.number("clGetProgramBuildInfo", program, each, 0x1185) for each in several.all] == [4, 4, 0]
assert [cl.number("clGetProgramBuildInfo", program, each, 0x1181) for each in several.all] == [0, 0, 0xFFFFFFFF]
sizes = np.frombuffer(cl.query("clGetProgramInfo", program, 0x1165), np.uint64)
assert sizes[0] == sizes[1] > 0 == sizes[2]
kernel = cl.clCreateKernel(program, b"k")
buffer = several.buffer(np.zeros(1, np.int32))
several.set(kernel, buffer)
assert code("clEnqueueNDRangeKernel", several.on("simt").queue, kernel, 1, None, [1], None, *NONE) == -45
several.on("basic").run(kernel, [1])
assert several.read(buffer, np.zeros(1, np.int32)).tolist() == [3]
cl.clReleaseKernel(kernel)
cl.clBuildProgram(program, 0, None, b"-cl-std=CL3.0", None, None)
sizes = np.frombuffer(cl.query("clGetProgramInfo", program, 0x1165), np.uint64)
room = [ctypes.create_string_buffer(int(size)) for size in sizes]
cl.clGetProgramInfo(program, 0x1166, 24, [ctypes.addressof(each) for each in room], None)
again = cl.clCreateProgramWithBinary(several.context, 1, [simt], [int(sizes[2])], [ctypes.addressof(room[2])], None)
cl.clBuildProgram(again, 1, [simt], b"", None, None)
kernel = cl.clCreateKernel(again, b"k")
cl.clEnqueueFillBuffer(several.queue, buffer, np.int32([0]), 4, 0, 4, *NONE)
cl.clFinish(several.queue)
several.set(kernel, buffer)
several.on("simt").run(kernel, [1])
assert several.read(buffer, np.zeros(1, np.int32)).tolist() == [3]
""",
    "printf and a fault": """
several = Several().on("simt")
source = r'''
kernel void show(global int *p, float2 v) { printf("%d %v2f\\n", p[0], v); }
kernel void stray(global int *p) { p[6000] = 1; }
'''
p = several.buffer(np.array([4], np.int32))
several.run(several.kernel(source, "show", p, np.array([1, 2], np.float32)), [1])
cl.clFinish(several.queue)
event = ctypes.c_uint64()
several.run(several.kernel(source, "stray", p), [1], event=ctypes.byref(event))
assert code("clWaitForEvents", 1, [event.value]) == -14 and cl.status(event.value) == -5
assert several.read(p, np.zeros(1, np.int32)).tolist() == [4]
""",
}


def run_program(library: Path, text: str, devices: str) -> subprocess.CompletedProcess[str]:
    folder = Path(__file__).parents[2]
    words = [sys.executable, "-c", _PROGRAM + text, str(library)]
    more = {"LANEWISE_NUM_THREADS": "4", "PYTHONPATH": str(folder), "LANEWISE_OPENCL_DEVICES": devices}
    return subprocess.run(
        words, capture_output=True, text=True, timeout=60, env={**os.environ, **more}, cwd=folder, check=False
    )


@pytest.mark.parametrize("name", _TESTS)
def test_devices_of_all_kinds(library: Path, name: str) -> None:
    done = run_program(library, _TESTS[name], "cpu,basic,simt")
    assert done.returncode == 0, done.stderr
    if name == "printf and a fault":
        assert done.stdout == "4 1.000000,2.000000\n"
        assert "kernel stray: " in done.stderr


@pytest.mark.parametrize(
    ("devices", "names", "said"),
    [
        ("", ["cpu"], ""),
        ("simt, cpu simt", ["simt", "cpu"], ""),
        ("gpu,basic", ["basic"], "there is no device 'gpu'; there are cpu, basic, simt and cuda\n"),
        ("gpu", ["cpu"], "there is no device 'gpu'; there are cpu, basic, simt and cuda\n"),
    ],
)
def test_the_environment_chooses(library: Path, devices: str, names: list[str], said: str) -> None:
    done = run_program(
        library, "print([name(each)[9:] for each in devices()], list(map(name, devices(DEFAULT))))", devices
    )
    assert done.stdout == f"{names} ['lanewise-{names[0]}']\n"
    assert done.stderr == (f"lanewise: LANEWISE_OPENCL_DEVICES: {said}" if said else "")
