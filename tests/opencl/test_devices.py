# SPDX-License-Identifier: Apache-2.0
"""The platform, its device, and the table of its functions that loaders use."""

import ctypes
import os
from pathlib import Path

import numpy as np
from tests.opencl.interface import Interface, Session, first_device


def test_each_property_of_a_device_has_a_value(cl: Interface) -> None:
    _, device = first_device(cl)
    for what in [*range(0x1000, 0x105F), *range(0x1060, 0x106A), *range(0x106F, 0x1076)]:
        cl.query("clGetDeviceInfo", device, what)


def test_the_device_is_the_processor(cl: Interface) -> None:
    _, device = first_device(cl)
    assert cl.query("clGetDeviceInfo", device, 0x102B).startswith(b"lanewise-cpu")
    assert cl.query("clGetDeviceInfo", device, 0x102F).startswith(b"OpenCL 3.0 Lanewise ")
    assert cl.number("clGetDeviceInfo", device, 0x1000) == 2  # not with the bit of the default
    assert 0 < cl.number("clGetDeviceInfo", device, 0x1002) <= (os.cpu_count() or 1)
    assert np.frombuffer(cl.query("clGetDeviceInfo", device, 0x1005), np.uint64).tolist() == [8192] * 3


def test_the_clock_is_the_processors(cl: Interface) -> None:
    _, device = first_device(cl)
    told = Path("/proc/cpuinfo").read_text()
    if "cpu MHz" in told or Path("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq").is_file():
        assert 100 < cl.number("clGetDeviceInfo", device, 0x100C) < 20_000


def test_extensions_are_named_in_both_forms(cl: Interface) -> None:
    _, device = first_device(cl)
    names = cl.query("clGetDeviceInfo", device, 0x1030).rstrip(b"\0").split()
    rows = cl.query("clGetDeviceInfo", device, 0x1060)
    assert [rows[at + 4 : at + 68].rstrip(b"\0") for at in range(0, len(rows), 68)] == names
    assert b"cl_khr_icd" in names


def test_extensions_have_versions_of_their_own(cl: Interface) -> None:
    rows = cl.query("clGetDeviceInfo", first_device(cl)[1], 0x1060)
    versions = {
        rows[at + 4 : at + 68].rstrip(b"\0").decode(): int.from_bytes(rows[at : at + 4], "little")
        for at in range(0, len(rows), 68)
    }
    assert versions["cl_khr_icd"] == 2 << 22
    assert versions["cl_intel_unified_shared_memory"] == 1 << 22 | 2 << 12
    assert versions["cl_khr_fp64"] == 1 << 22


def test_loaders_find_functions_through_objects(cl: Interface) -> None:
    """The first word of an object is the table: clFinish is its entry 47, clCloneKernel 137."""
    queue = Session(cl).queue
    table = ctypes.c_uint64.from_address(queue).value

    def entry(number: int) -> int:
        return ctypes.c_uint64.from_address(table + 8 * number).value

    def address(name: str) -> int:
        return ctypes.cast(cl._library[name], ctypes.c_void_p).value or 0

    named = {
        1: "clGetPlatformInfo",
        30: "clBuildProgram",
        47: "clFinish",
        65: "clGetExtensionFunctionAddress",
        81: "clSetEventCallback",
        93: "clCreateSubDevices",
        123: "clCreateCommandQueueWithProperties",
        136: "clGetKernelSubGroupInfoKHR",
        137: "clCloneKernel",
        148: "clSetContextDestructorCallback",
    }
    assert {number: entry(number) for number in named} == {number: address(name) for number, name in named.items()}
    assert entry(0) == entry(31) == int.from_bytes(b"13LCNEPO", "little")  # tags of cl_khr_icd 2.0


def test_loaders_find_functions_by_name(cl: Interface) -> None:
    platform, _ = first_device(cl)
    for name in ("clIcdGetFunctionAddressForPlatformKHR", "clGetExtensionFunctionAddressForPlatform"):
        find = cl._library[name]
        find.restype = ctypes.c_uint64
        for wanted in ("clFinish", "clUnloadCompiler", "clIcdSetPlatformDispatchDataKHR", "clGetKernelSubGroupInfoKHR"):
            found = find(ctypes.c_uint64(platform), wanted.encode())
            assert found == ctypes.cast(cl._library[wanted], ctypes.c_void_p).value
        assert find(ctypes.c_uint64(platform), b"clNothing") == 0
        assert find(ctypes.c_uint64(12345), b"clFinish") == 0


def test_objects_carry_the_loaders_data(cl: Interface) -> None:
    """The second word of an object, in cl_khr_icd 2.0."""
    platform, device = first_device(cl)
    cl.clIcdSetPlatformDispatchDataKHR(platform, 4711)
    queue = Session(cl).queue
    assert [ctypes.c_uint64.from_address(each + 8).value for each in (platform, device, queue)] == [4711] * 3
    cl.clIcdSetPlatformDispatchDataKHR(platform, 0)


def test_an_object_is_gone_with_its_last_reference(cl: Interface) -> None:
    session = Session(cl)
    seen: list[str] = []
    buffer = session.buffer(np.zeros(4, np.int32))
    type_ = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
    first, second = type_(lambda *_: seen.append("first")), type_(lambda *_: seen.append("second"))
    cl.clSetMemObjectDestructorCallback(buffer, first, None)
    cl.clSetMemObjectDestructorCallback(buffer, second, None)
    cl.clRetainMemObject(buffer)
    assert cl.number("clGetMemObjectInfo", buffer, 0x1105) == 2
    cl.clReleaseMemObject(buffer)
    assert not seen
    cl.clReleaseMemObject(buffer)
    assert seen == ["second", "first"]


def test_extensions_tell_what_they_can(cl: Interface) -> None:
    """The integer dot products of cl_khr_integer_dot_product, and the atomic operations of cl_ext_float_atomics."""
    device = first_device(cl)[1]
    names = cl.query("clGetDeviceInfo", device, 0x1030).rstrip(b"\0").split()
    assert {b"cl_khr_integer_dot_product", b"cl_ext_float_atomics", b"cl_ext_cxx_for_opencl"} <= set(names)
    assert b"cl_khr_extended_bit_ops" in names
    assert cl.number("clGetDeviceInfo", device, 0x4230) == 1 << 22  # __OPENCL_CPP_VERSION__ of -cl-std=CLC++: 100
    assert cl.number("clGetDeviceInfo", device, 0x1073) == 3
    assert [len(cl.query("clGetDeviceInfo", device, what)) for what in (0x1074, 0x1075)] == [24, 24]
    assert [cl.number("clGetDeviceInfo", device, what) for what in (0x4231, 0x4232, 0x4233)] == [0x70007, 0x70007, 0]
    features = cl.query("clGetDeviceInfo", device, 0x106F)
    assert b"__opencl_c_ext_fp64_local_atomic_min_max\0" in features
    assert b"__opencl_c_integer_dot_product_input_4x8bit_packed\0" in features
