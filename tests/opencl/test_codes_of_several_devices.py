# SPDX-License-Identifier: Apache-2.0
"""Codes of calls that are wrong for one device of several: it lacks images, shared memory, a build, or a binary.

Programs are for the devices that they were built, compiled or linked for.
"""

from pathlib import Path

from tests.opencl.test_kinds_of_devices import run_program

_OBJECTS = """
several = Several()
cpu, basic, simt = several.all
queue, other = several.queues["lanewise-simt"], several.queues["lanewise-cpu"]
context, place = several.context, np.zeros(256, np.uint8)
only = cl.clCreateContext(None, 1, [simt], None, None)
alone = cl.clCreateCommandQueue(only, simt, 0)
picture, format_ = np.array([0x10F1, 4, 4, 0, 0, 0, 0, 0, 0], np.uint64), np.array([0x10B5, 0x10D2], np.uint32)
image, buffer = cl.clCreateImage(context, 1, format_, picture, None), several.buffer(np.zeros(64, np.int32))
at, whole, text = [0, 0, 0], [4, 4, 1], ctypes.c_char_p(b"kernel void k(global int *p) { p[0] = 1; }")
def created():
    return cl.clCreateProgramWithSource(context, 1, ctypes.byref(text), None)
partly, kernel = created(), several.kernel(text.value.decode(), "k", buffer)
cl.clBuildProgram(partly, 1, [cpu], None, None, None)
partly_kernel = cl.clCreateKernel(partly, b"k")
several.set(partly_kernel, buffer)
binary = ctypes.create_string_buffer(cl.number("clGetProgramInfo", partly, 0x1165) & 0xFFFFFFFF)
cl.clGetProgramInfo(partly, 0x1166, 24, [ctypes.addressof(binary), 0, 0], None)
def loaded(devices):
    n = len(devices)
    return cl.clCreateProgramWithBinary(context, n, devices, [len(binary)] * n, [ctypes.addressof(binary)] * n, None)
one_binary = loaded([basic])
cl.clBuildProgram(one_binary, 0, None, None, None, None)
binary_kernel = cl.clCreateKernel(one_binary, b"k")
several.set(binary_kernel, buffer)
in_order = several.queues["lanewise-basic"]
recorded = cl.clCreateCommandBufferKHR(1, [other], None)
cl.clFinalizeCommandBufferKHR(recorded)
foreign = cl.clCreateKernel(several.program(text.value.decode()), b"k")
cl.clSetKernelArgSVMPointer(foreign, 0, place)
native = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: None)
"""

_CALLS = """
clCreateSubDevices(basic, [0x1086, 1, 0], 1, place, None) -18
clCreateCommandQueue(context, basic, 1) -35
clCreateCommandQueueWithProperties(context, basic, [0x1093, 1, 0]) -35
clCreateImage(only, 1, format_, picture, None) -59
clCreateImageWithProperties(only, None, 1, format_, picture, None) -59
clCreateImage2D(only, 1, format_, 4, 4, 0, None) -59
clCreateImage3D(only, 1, format_, 4, 4, 4, 0, 0, None) -59
clCreateSampler(only, 0, 0x1131, 0x1140) -59
clCreateSamplerWithProperties(only, None) -59
clEnqueueReadImage(queue, image, 1, at, whole, 0, 0, place, *NONE) -59
clEnqueueWriteImage(queue, image, 1, at, whole, 0, 0, place, *NONE) -59
clEnqueueCopyImage(queue, image, image, at, [0, 2, 0], [4, 2, 1], *NONE) -59
clEnqueueFillImage(queue, image, place, at, whole, *NONE) -59
clEnqueueCopyImageToBuffer(queue, image, buffer, at, whole, 0, *NONE) -59
clEnqueueCopyBufferToImage(queue, buffer, image, 0, at, whole, *NONE) -59
clEnqueueMapImage(queue, image, 1, 1, at, whole, place, None, *NONE) -59
clEnqueueSVMFree(queue, 1, [place.ctypes.data], None, None, *NONE) -59
clEnqueueSVMMemcpy(queue, 1, place, place[128:], 16, *NONE) -59
clEnqueueSVMMemFill(queue, place, place, 4, 16, *NONE) -59
clEnqueueSVMMap(queue, 1, 1, place, 16, *NONE) -59
clEnqueueSVMUnmap(queue, place, *NONE) -59
clEnqueueSVMMigrateMem(queue, 1, [place.ctypes.data], None, 0, *NONE) -59
clSetKernelArgSVMPointer(kernel_of_gpu, 0, place) -59
clSetKernelExecInfo(kernel_of_gpu, 0x11B6, 8, place) -59
clSetKernelExecInfo(kernel_of_gpu, 0x11B7, 4, place) -59
clSetKernelExecInfo(kernel_of_gpu, 0x4200, 4, place) -59
clSetKernelExecInfo(kernel_of_gpu, 0x4203, 8, place) -59
clHostMemAllocINTEL(only, None, 64, 0) -59
clDeviceMemAllocINTEL(context, simt, None, 64, 0) -59
clSharedMemAllocINTEL(context, simt, None, 64, 0) -59
clEnqueueMemFillINTEL(queue, place, place, 4, 16, *NONE) -59
clEnqueueMemcpyINTEL(queue, 1, place, place[128:], 16, *NONE) -59
clEnqueueMigrateMemINTEL(queue, place, 16, 0, *NONE) -59
clEnqueueMemAdviseINTEL(queue, place, 16, 0, *NONE) -59
clEnqueueNativeKernel(queue, native, None, 0, 0, None, None, *NONE) -59
clEnqueueNDRangeKernel(queue, foreign, 1, None, [4], [4], *NONE) -59
clEnqueueNDRangeKernel(queue, partly_kernel, 1, None, [4], [4], *NONE) -45
clEnqueueTask(queue, partly_kernel, *NONE) -45
clGetKernelSuggestedLocalWorkSizeKHR(queue, partly_kernel, 1, None, [4], place) -45
clGetKernelSuggestedLocalWorkSizeKHR(queue, foreign, 1, None, [4], place) -59
clEnqueueCommandBufferKHR(1, [queue], recorded, *NONE) -33
clBuildProgram(one_binary, 1, [simt], None, None, None) -33
clGetProgramBuildInfo(one_binary, cpu, 0x1181, 4, place, None) -33
clBuildProgram(loaded([basic]), 1, [basic], None, None, None) 0
clEnqueueNDRangeKernel(other, binary_kernel, 1, None, [4], [4], *NONE) -45
clEnqueueNDRangeKernel(in_order, partly_kernel, 1, None, [4], [4], *NONE) -45
clGetKernelWorkGroupInfo(binary_kernel, None, 0x11B0, 8, place, None) 0
clGetKernelWorkGroupInfo(binary_kernel, basic, 0x11B0, 8, place, None) 0
clGetKernelWorkGroupInfo(binary_kernel, cpu, 0x11B0, 8, place, None) -33
clGetKernelWorkGroupInfo(binary_kernel, simt, 0x11B0, 8, place, None) -33
clGetKernelWorkGroupInfo(kernel, None, 0x11B0, 8, place, None) -33
clGetKernelSubGroupInfo(binary_kernel, None, 0x2033, 8, [64], 8, place, None) 0
clGetKernelSubGroupInfo(binary_kernel, basic, 0x2033, 8, [64], 8, place, None) 0
clGetKernelSubGroupInfo(binary_kernel, cpu, 0x2033, 8, [64], 8, place, None) -33
clGetKernelSubGroupInfo(binary_kernel, simt, 0x2033, 8, [64], 8, place, None) -33
clGetKernelSubGroupInfo(kernel, None, 0x2033, 8, [64], 8, place, None) -33
clEnqueueNDRangeKernel(other, kernel, 1, None, [4], [4], *NONE) 0
clEnqueueReadImage(other, image, 1, at, whole, 0, 0, place, *NONE) 0
clEnqueueSVMMemFill(other, place, place, 4, 16, *NONE) 0
"""

_PROGRAM = (
    _OBJECTS
    + """
program = cl.clCreateProgramWithSource(only, 1, ctypes.byref(text), None)
cl.clBuildProgram(program, 0, None, None, None, None)
kernel_of_gpu = cl.clCreateKernel(program, b"k")
for line in CALLS.strip().splitlines():
    call, _, expected = line.rpartition(" ")
    function, _, arguments = call.partition("(")
    given = code(function, *eval(f"[{arguments[:-1]}]"))
    if given != int(expected):
        print(line, "gives", given)
assert cl.number("clGetProgramInfo", one_binary, 0x1162) == 1
assert np.frombuffer(cl.query("clGetProgramInfo", one_binary, 0x1163), np.uint64).tolist() == [basic]
assert len(cl.query("clGetProgramInfo", one_binary, 0x1165)) == 8
assert cl.number("clGetProgramInfo", loaded([simt, cpu, simt]), 0x1162) == 2
several.on("basic").run(binary_kernel, [1])
assert several.read(buffer, np.zeros(64, np.int32))[0] == 1
"""
)

_DIFFERENT_BINARIES = """
partly = several.program(text.value.decode().replace("= 1", "= 2"))
another = ctypes.create_string_buffer(cl.number("clGetProgramInfo", partly, 0x1165) & 0xFFFFFFFF)
cl.clGetProgramInfo(partly, 0x1166, 24, [ctypes.addressof(another), 0, 0], None)
both = [ctypes.addressof(binary), ctypes.addressof(another)]
for order, lengths in ((both, [len(binary), len(another)]), (both[::-1], [len(another), len(binary)])):
    statuses = np.full(2, 77, np.int32)
    assert code("clCreateProgramWithBinary", context, 2, [cpu, basic], lengths, order, statuses) == -42
    assert statuses.tolist() == [0, -42]
"""

_DEVICES_OF_BUILDS = """
def statuses(program):
    words = [cl.query("clGetProgramBuildInfo", program, each, 0x1181) for each in several.all]
    return [int.from_bytes(word, "little", signed=True) for word in words]
def compiled(devices):
    part = created()
    cl.clCompileProgram(part, len(devices), devices or None, None, 0, None, None, None, None)
    return part
def linked(devices, parts):
    return cl.clLinkProgram(context, len(devices), devices or None, None, len(parts), parts, None, None)
def launches(program):
    kernel = cl.clCreateKernel(program, b"k")
    several.set(kernel, buffer)
    return [code("clEnqueueNDRangeKernel", each, kernel, 1, None, [1], None, *NONE) for each in several.queues.values()]

for_all, for_basic, other_text = compiled([]), compiled([basic]), ctypes.c_char_p(b"int f(void) { return 1; }")
assert statuses(for_all) == [0, 0, 0] and statuses(for_basic) == [-1, 0, -1]
assert statuses(linked([basic], [for_all])) == [-1, 0, -1]
assert launches(linked([basic], [for_all])) == [-45, 0, -45]
for devices in ([], [cpu, basic], [basic]):  # those that the part has code for
    assert statuses(linked(devices, [for_basic])) == [-1, 0, -1]
size = cl.query("clGetProgramInfo", for_basic, 0x1165)
assert [n > 0 for n in np.frombuffer(size, np.uint64)] == [False, True, False]
executable, binary = binary, ctypes.create_string_buffer(int(np.frombuffer(size, np.uint64)[1]))
cl.clGetProgramInfo(for_basic, 0x1166, 24, [0, ctypes.addressof(binary), 0], None)
for part in (for_basic, loaded([basic])):
    assert launches(linked([], [part])) == [-45, 0, -45]
    helper = cl.clCreateProgramWithSource(context, 1, ctypes.byref(other_text), None)
    cl.clCompileProgram(helper, 0, None, None, 0, None, None, None, None)
    assert launches(linked([basic], [part, helper])) == [-45, 0, -45]
    both = [part, helper]
    for devices, parts in (([cpu], [part]), ([simt, cpu], [part]), ([], both), ([cpu, basic], both)):
        assert code("clLinkProgram", context, len(devices), devices or None, None, len(parts), parts, None, None) == -59

binary = executable
refused = loaded([cpu, basic, simt])
assert code("clBuildProgram", refused, 1, [basic], b"-no-such-option", None, None) == -43
assert statuses(refused) == [-1, -2, -1]

# One after the other, as programs do that go through their devices: the same options keep what was built before.
for options, expected in ((None, [0, 0, -1]), (b"-D OTHER", [-1, 0, -1])):
    program = created()
    cl.clBuildProgram(program, 1, [cpu], None, None, None)
    assert statuses(program) == [0, -1, -1]
    cl.clBuildProgram(program, 1, [basic], options, None, None)
    assert statuses(program) == expected and launches(program) == [each and -45 for each in expected]
"""


def test_calls_for_a_device_that_cannot(library: Path) -> None:
    done = run_program(library, f"CALLS = {_CALLS!r}\n{_PROGRAM}", "cpu,basic,simt")
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


def test_different_binaries_for_several_devices_are_refused(library: Path) -> None:
    done = run_program(library, _OBJECTS + _DIFFERENT_BINARIES, "cpu,basic,simt")
    assert done.returncode == 0, done.stderr


def test_programs_are_for_the_devices_they_were_built_for(library: Path) -> None:
    done = run_program(library, _OBJECTS + _DEVICES_OF_BUILDS, "cpu,basic,simt")
    assert done.returncode == 0, done.stderr
