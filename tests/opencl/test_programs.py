# SPDX-License-Identifier: Apache-2.0
"""Programs and kernels: builds, logs, binaries, what they are asked."""

import ctypes
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest
from tests.frontend.opencl.test_spir import bitcode
from tests.opencl.interface import ClError, Session

SOURCE = """
typedef struct { int a; float b; } pair;
kernel __attribute__((vec_type_hint(uint4))) __attribute__((reqd_work_group_size(8, 2, 1)))
void second(global const float *restrict in, local float4 *tile, constant int *table, pair p, unsigned long size,
            global const volatile unsigned char *bytes) {
  tile[0] = in[table[p.a]];
}
kernel void first(global VALUE *out) { out[get_global_id(0)] = NUMBER; }
"""
OPTIONS = "-D VALUE=int -DNUMBER=42"


def text(value: bytes) -> str:
    return value.rstrip(b"\0").decode()


def test_kernels_are_found_by_name(session: Session) -> None:
    program = session.program(SOURCE, OPTIONS)
    assert session.cl.number("clGetProgramInfo", program, 0x1167) == 2
    assert sorted(text(session.cl.query("clGetProgramInfo", program, 0x1168)).split(";")) == ["first", "second"]
    with pytest.raises(ClError, match="-46"):
        session.cl.clCreateKernel(program, b"third")


def test_arguments_are_described(session: Session) -> None:
    kernel = session.cl.clCreateKernel(session.program(SOURCE, OPTIONS), b"second")
    assert session.cl.number("clGetKernelInfo", kernel, 0x1191) == 6
    rows = [
        (
            session.cl.number("clGetKernelArgInfo", kernel, number, 0x1196),
            text(session.cl.query("clGetKernelArgInfo", kernel, number, 0x1198)),
            session.cl.number("clGetKernelArgInfo", kernel, number, 0x1199),
            text(session.cl.query("clGetKernelArgInfo", kernel, number, 0x119A)),
        )
        for number in range(6)
    ]
    assert rows == [
        (0x119B, "float*", 3, "in"),
        (0x119C, "float4*", 0, "tile"),
        (0x119D, "int*", 1, "table"),
        (0x119E, "pair", 0, "p"),
        (0x119E, "ulong", 0, "size"),
        (0x119B, "uchar*", 5, "bytes"),
    ]
    sizes = np.frombuffer(session.cl.query("clGetKernelWorkGroupInfo", kernel, session.device, 0x11B1), np.uint64)
    assert sizes.tolist() == [8, 2, 1]
    assert (
        text(session.cl.query("clGetKernelInfo", kernel, 0x1195)) == "reqd_work_group_size(8,2,1) vec_type_hint(uint4)"
    )


@pytest.mark.parametrize("declared", ["__kernel_exec", "kernel_exec"])
def test_a_kernel_may_be_declared_with_hints(session: Session, declared: str) -> None:
    program = session.program(f"{declared}(64, float4) void k(global float *out) {{ out[0] = 1; }}")
    kernel = session.cl.clCreateKernel(program, b"k")
    attributes = text(session.cl.query("clGetKernelInfo", kernel, 0x1195))
    assert attributes == "work_group_size_hint(64,1,1) vec_type_hint(float4)"


def test_a_build_tells_the_size_of_its_variables(session: Session) -> None:
    source = """
    global int table[10]; constant float numbers[2] = {1, 2};
    kernel void k(global int *out, constant int *in) {
      static global long calls;
      out[calls++] = table[out[0]] + numbers[out[1]] + in[0] + "text"[out[2]] + pow(numbers[out[3]], 2.5f);
    }
    """
    for text_ in (source, source.replace("int table[10]", "const int table[10] = {1, 2}")):
        program = session.program(text_, "-cl-std=CL3.0")
        assert session.cl.number("clGetProgramBuildInfo", program, session.device, 0x1185) == 48
    assert session.cl.number("clGetProgramBuildInfo", session.program(SOURCE, OPTIONS), session.device, 0x1185) == 0


def test_a_program_with_errors_has_clangs_log(session: Session) -> None:
    source = ctypes.c_char_p(b"kernel void k(global int *out) { out[0] = nothing; }")
    program = session.cl.clCreateProgramWithSource(session.context, 1, ctypes.byref(source), None)
    with pytest.raises(ClError, match="-11"):
        session.cl.clBuildProgram(program, 0, None, b"", None, None)
    log = text(session.cl.query("clGetProgramBuildInfo", program, session.device, 0x1183))
    assert "use of undeclared identifier 'nothing'" in log
    assert session.cl.query("clGetProgramBuildInfo", program, session.device, 0x1181) == b"\xfe\xff\xff\xff"
    with pytest.raises(ClError, match="-45"):
        session.cl.clCreateKernel(program, b"k")


def test_headers_are_relative_to_the_programs_folder(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "headers").mkdir()
    (tmp_path / "headers" / "number.h").write_text("#define NUMBER 5\n")
    monkeypatch.chdir(tmp_path)
    out = np.zeros(1, np.int32)
    buffer = session.buffer(out)
    source = '#include "number.h"\nkernel void k(global int *out) { out[0] = NUMBER; }'
    kernel = session.cl.clCreateKernel(session.program(source, "-I headers"), b"k")
    session.set(kernel, buffer)
    session.run(kernel, [1])
    assert session.read(buffer, out).tolist() == [5]


def test_a_binary_is_loaded_again(session: Session) -> None:
    cl, program = session.cl, session.program(SOURCE, OPTIONS)
    size = cl.number("clGetProgramInfo", program, 0x1165)
    data = ctypes.create_string_buffer(size)
    cl.clGetProgramInfo(program, 0x1166, 8, [ctypes.addressof(data)], None)
    status = ctypes.c_int32(1)
    again = cl.clCreateProgramWithBinary(
        session.context, 1, [session.device], [size], [ctypes.addressof(data)], ctypes.byref(status)
    )
    assert status.value == 0
    cl.clBuildProgram(again, 0, None, b"", None, None)
    out = np.zeros(1, np.int32)
    buffer = session.buffer(out)
    kernel = cl.clCreateKernel(again, b"first")
    session.set(kernel, buffer)
    session.run(kernel, [1])
    assert session.read(buffer, out).tolist() == [42]
    declared = cl.clCreateKernel(again, b"second")  # its attributes are told of sources only
    assert cl.query("clGetKernelInfo", declared, 0x1195) == b"\0"
    with pytest.raises(ClError, match="-42"):
        cl.clCreateProgramWithBinary(
            session.context, 1, [session.device], [size - 1], [ctypes.addressof(data) + 1], ctypes.byref(status)
        )


def test_a_program_with_kernels_is_not_built_again(session: Session) -> None:
    program = session.program(SOURCE, OPTIONS)
    kernel = session.cl.clCreateKernel(program, b"first")
    with pytest.raises(ClError, match="-59"):
        session.cl.clBuildProgram(program, 0, None, b"", None, None)
    session.cl.clReleaseKernel(kernel)
    session.cl.clBuildProgram(program, 0, None, OPTIONS.encode(), None, None)


def test_a_clone_has_arguments_of_its_own(session: Session) -> None:
    out = np.zeros(4, np.int32)
    one, other = session.buffer(out), session.buffer(out)
    kernel = session.cl.clCreateKernel(session.program(SOURCE, OPTIONS), b"first")
    session.set(kernel, one)
    clone = session.cl.clCloneKernel(kernel)
    session.set(kernel, other)
    session.run(clone, [4])
    assert session.read(one, out).tolist() == [42] * 4
    assert session.read(other, out).tolist() == [0] * 4


def test_a_program_lives_as_long_as_its_kernels(session: Session) -> None:
    out = np.zeros(2, np.int32)
    buffer = session.buffer(out)
    program = session.program(SOURCE, OPTIONS)
    kernel = session.cl.clCreateKernel(program, b"first")
    session.cl.clReleaseProgram(program)
    session.set(kernel, buffer)
    session.run(kernel, [2])
    session.cl.clReleaseKernel(kernel)
    assert session.read(buffer, out).tolist() == [42, 42]


@pytest.mark.parametrize(
    ("version", "code"), [("CL1.2", "clEnqueueNDRangeKernel: -54"), ("CL2.0", ""), ("CLC++2021", "")]
)
def test_groups_of_llvm_bitcode_are_as_it_was_compiled(
    session: Session, tmp_path: Path, version: str, code: str
) -> None:
    data = bitcode(tmp_path, "kernel void k(global int *p) { p[get_global_id(0)] = get_local_size(0); }", version)
    address, cl = ctypes.c_char_p(data), session.cl
    program = cl.clCreateProgramWithBinary(
        session.context, 1, [session.device], [len(data)], ctypes.byref(address), None
    )
    cl.clBuildProgram(program, 0, None, b"", None, None)
    kernel, out = cl.clCreateKernel(program, b"k"), session.buffer(np.zeros(3, np.int32))
    session.set(kernel, out)
    with pytest.raises(ClError, match=code) if code else nullcontext():
        session.run(kernel, [3], [2])
        assert session.read(out, np.zeros(3, np.int32)).tolist() == [2, 2, 1]


def test_a_program_in_llvm_bitcode(session: Session, tmp_path: Path) -> None:
    """SPIR by clCreateProgramWithBinary: intermediate until it is built."""
    source = "kernel void k(global int *p, local int *t) { t[0] = 4; barrier(1); p[get_global_id(0)] = t[0]; }"
    data, cl = bitcode(tmp_path, source, "CL2.0"), session.cl
    address = ctypes.c_char_p(data)
    program = cl.clCreateProgramWithBinary(
        session.context, 1, [session.device], [len(data)], ctypes.byref(address), None
    )
    assert cl.number("clGetProgramBuildInfo", program, session.device, 0x1184) == 0x40E1
    cl.clBuildProgram(program, 0, None, b"-x spir -spir-std=1.2", None, None)
    kernel, out = cl.clCreateKernel(program, b"k"), session.buffer(np.zeros(4, np.int32))
    session.set(kernel, out, [4])
    session.run(kernel, [3], [2])
    assert session.read(out, np.zeros(4, np.int32)).tolist() == [4, 4, 4, 0]
    (size,) = np.frombuffer(cl.query("clGetProgramInfo", program, 0x1165), np.uint64).tolist()
    room = ctypes.create_string_buffer(size)
    cl.clGetProgramInfo(program, 0x1166, 8, [ctypes.addressof(room)], None)
    again = cl.clCreateProgramWithBinary(session.context, 1, [session.device], [size], [ctypes.addressof(room)], None)
    cl.clBuildProgram(again, 0, None, b"", None, None)
    bad = ctypes.c_char_p(data[:100])
    damaged = cl.clCreateProgramWithBinary(session.context, 1, [session.device], [100], ctypes.byref(bad), None)
    with pytest.raises(ClError, match="-11"):
        cl.clBuildProgram(damaged, 0, None, b"", None, None)
    assert b"LLVM can't read the bitcode" in cl.query("clGetProgramBuildInfo", damaged, session.device, 0x1183)
