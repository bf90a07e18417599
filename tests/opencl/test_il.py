# SPDX-License-Identifier: Apache-2.0
"""Programs in SPIR-V by clCreateProgramWithIL, and their specialization constants."""

import ctypes
import struct

import numpy as np
import pytest
from tests.frontend.spirv.assembler import KERNEL, assembled, kernel
from tests.opencl.interface import ClError, Session
from tests.opencl.test_binary_options import binary_of, loaded

SPECIAL = kernel(
    "%s = OpIAdd %int %a %factor\n%t = OpSelect %int %minus %b %0\n%r = OpISub %int %s %t",
    "%factor = OpSpecConstant %int 5\n%minus = OpSpecConstantFalse %bool\n%wide = OpSpecConstant %long 7 0",
    "OpDecorate %factor 1 10\nOpDecorate %minus 1 20\nOpDecorate %wide 1 30",
)


def created(session: Session, data: bytes) -> int:
    return session.cl.clCreateProgramWithIL(session.context, data, len(data))


def run(session: Session, program: int) -> list[int]:
    out = session.buffer(np.zeros(4, np.int32))
    first, second = session.buffer(np.arange(4, dtype=np.int32)), session.buffer(np.full(4, 100, np.int32))
    made = session.cl.clCreateKernel(program, b"k")
    session.set(made, out, first, second)
    session.run(made, [4], [2])
    session.cl.clReleaseKernel(made)
    return session.read(out, np.zeros(4, np.int32)).tolist()


def build(session: Session, program: int) -> None:
    session.cl.clBuildProgram(program, 0, None, b"-cl-mad-enable", None, None)


@pytest.mark.parametrize("order", ["<", ">"])
def test_a_program_is_built_and_given_back(session: Session, order: str) -> None:
    data = struct.pack(f"{order}{len(SPECIAL) // 4}I", *struct.unpack(f"<{len(SPECIAL) // 4}I", SPECIAL))
    program, cl = created(session, data), session.cl
    assert cl.query("clGetProgramInfo", program, 0x1169) == data
    assert cl.query("clGetProgramInfo", program, 0x1164) == b"\0"
    build(session, program)
    assert run(session, program) == [5, 6, 7, 8]
    again = loaded(session, binary_of(session, program))
    build(session, again)
    assert run(session, again) == [5, 6, 7, 8]


def test_specialization_constants(session: Session) -> None:
    program, cl = created(session, SPECIAL), session.cl
    cl.clSetProgramSpecializationConstant(program, 10, 4, struct.pack("<i", -3))
    cl.clSetProgramSpecializationConstant(program, 30, 8, struct.pack("<q", 1))
    build(session, program)
    assert run(session, program) == [-3, -2, -1, 0]
    cl.clSetProgramSpecializationConstant(program, 20, 1, b"\1")
    build(session, program)
    assert run(session, program) == [-103, -102, -101, -100]
    assert cl.query("clGetProgramInfo", program, 0x1169) == SPECIAL
    for number, size, value, code in [(11, 4, b"0000", -71), (10, 8, b"00000000", -30), (20, 4, b"0000", -30)]:
        with pytest.raises(ClError, match=str(code)):
            cl.clSetProgramSpecializationConstant(program, number, size, value)
    with pytest.raises(ClError, match="-30"):
        cl.clSetProgramSpecializationConstant(program, 10, 4, None)
    with pytest.raises(ClError, match="-44"):
        cl.clSetProgramSpecializationConstant(session.program("kernel void k() {}"), 10, 4, b"0000")


def test_private_variables_of_two_programs_don_t_meet(session: Session) -> None:
    own = "%where = OpTypePointer 5 %int\n%v = OpVariable %where 5 %4"
    body, named = "%w = OpLoad %int %v 2 4\n%r = OpIAdd %int %a %w", 'OpName %v "same"'
    parts = [
        created(session, kernel(body, own, named)),
        created(session, kernel(body, own, named).replace(b"k\0\0\0", b"l\0\0\0")),
    ]
    for part in parts:
        session.cl.clCompileProgram(part, 0, None, b"", 0, None, None, None, None)
    linked = session.cl.clLinkProgram(session.context, 0, None, b"", 2, parts, None, None)
    assert run(session, linked) == [4, 5, 6, 7]


def test_a_binary_has_the_constants_that_the_program_was_built_with(session: Session) -> None:
    program = created(session, SPECIAL)
    build(session, program)
    before = binary_of(session, program)
    session.cl.clSetProgramSpecializationConstant(program, 10, 4, struct.pack("<i", 77))
    assert run(session, program) == [5, 6, 7, 8]
    assert binary_of(session, program) == before
    build(session, program)
    again = loaded(session, binary_of(session, program))
    build(session, again)
    assert run(session, program) == run(session, again) == [77, 78, 79, 80]


@pytest.mark.parametrize("options", [b"-cl-no-such-option", b"-D", b"-D 'N", b"-c", b"-cl-std=CL9.9"])
def test_wrong_options_are_refused(session: Session, options: bytes) -> None:
    program, cl = created(session, SPECIAL), session.cl
    with pytest.raises(ClError, match="clCompileProgram: -66"):
        cl.clCompileProgram(program, 0, None, options, 0, None, None, None, None)
    assert cl.query("clGetProgramBuildInfo", program, session.device, 0x1183).rstrip(b"\0")
    with pytest.raises(ClError, match="clBuildProgram: -43"):
        cl.clBuildProgram(program, 0, None, options, None, None)
    cl.clCompileProgram(program, 0, None, b"-D N=4 -cl-std=CL2.0 -cl-mad-enable", 0, None, None, None, None)


def test_a_program_is_compiled_and_linked_with_a_source(session: Session) -> None:
    cl = session.cl
    part = created(session, SPECIAL)
    cl.clSetProgramSpecializationConstant(part, 10, 4, struct.pack("<i", 9))
    source = ctypes.c_char_p(b"kernel void other(global int *p) { p[0] = 1; }")
    other = cl.clCreateProgramWithSource(session.context, 1, ctypes.byref(source), None)
    for each in (part, other):
        cl.clCompileProgram(each, 0, None, b"", 0, None, None, None, None)
    linked = cl.clLinkProgram(session.context, 0, None, b"", 2, [part, other], None, None)
    assert run(session, linked) == [9, 10, 11, 12]


def test_parts_may_have_the_same_function(session: Session) -> None:
    """The linkage LinkOnceODR of cl_khr_spirv_linkonce_odr."""
    text = KERNEL.replace("DECORATIONS", 'OpDecorate %next 41 "next" 2')
    text = text.replace("DECLARATIONS", "%unary = OpTypeFunction %int %int")
    text = text.replace("BODY", "%r = OpFunctionCall %int %next %a")
    text += (
        "%next = OpFunction %int 0 %unary\n%of = OpFunctionParameter %int\n%begin = OpLabel\n"
        "%sum = OpIAdd %int %of %1\nOpReturnValue %sum\nOpFunctionEnd\n"
    )
    parts = [created(session, assembled(each)) for each in (text, text.replace('"k"', '"other"'))]
    for part in parts:
        session.cl.clCompileProgram(part, 0, None, b"", 0, None, None, None, None)
    linked = session.cl.clLinkProgram(session.context, 0, None, b"", 2, parts, None, None)
    assert run(session, linked) == [1, 2, 3, 4]


def test_what_is_no_spirv(session: Session) -> None:
    for data in (b"BC\xc0\xde" * 8, SPECIAL[:16], SPECIAL[:-2]):
        with pytest.raises(ClError, match="-30"):
            created(session, data)
    damaged = created(session, SPECIAL[:-8])
    with pytest.raises(ClError, match="-11"):
        build(session, damaged)
    log = session.cl.query("clGetProgramBuildInfo", damaged, session.device, 0x1183)
    assert b"the SPIR-V module is damaged" in log


def test_devices_say_which_versions_they_take(session: Session) -> None:
    cl = session.cl
    assert b"SPIR-V_1.0 SPIR-V_1.1" in cl.query("clGetDeviceInfo", session.device, 0x105B)
    rows = cl.query("clGetDeviceInfo", session.device, 0x1061)
    assert len(rows) == 7 * 68
    assert rows[4:10] == b"SPIR-V"
    names = cl.query("clGetDeviceInfo", session.device, 0x1030).rstrip(b"\0").split()
    claimed = "cl_khr_il_program cl_khr_spirv_linkonce_odr cl_khr_spirv_no_integer_wrap_decoration cl_khr_expect_assume"
    assert {name.encode() for name in claimed.split()} <= set(names)
