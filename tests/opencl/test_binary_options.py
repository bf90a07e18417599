# SPDX-License-Identifier: Apache-2.0
"""Options of `clBuildProgram` for programs that come from binaries, which stay as they were built."""

import ctypes
from pathlib import Path

import numpy as np
import pytest
from tests.frontend.opencl.test_spir import bitcode
from tests.opencl.interface import ClError, Session

SOURCE = "kernel void k(global int *p) { p[get_global_id(0)] = NUMBER; }"
OPTIONS = "-D NUMBER=42 -cl-mad-enable"
BUILD_OPTIONS, BUILD_LOG = 0x1182, 0x1183


def loaded(session: Session, data: bytes) -> int:
    address = ctypes.c_char_p(data)
    return session.cl.clCreateProgramWithBinary(
        session.context, 1, [session.device], [len(data)], ctypes.byref(address), None
    )


def binary_of(session: Session, program: int) -> bytes:
    data = ctypes.create_string_buffer(session.cl.number("clGetProgramInfo", program, 0x1165))
    session.cl.clGetProgramInfo(program, 0x1166, 8, [ctypes.addressof(data)], None)
    return data.raw


def told(session: Session, program: int, what: int) -> str:
    return session.cl.query("clGetProgramBuildInfo", program, session.device, what).rstrip(b"\0").decode()


def result(session: Session, program: int) -> int:
    kernel, out = session.cl.clCreateKernel(program, b"k"), session.buffer(np.zeros(1, np.int32))
    session.set(kernel, out)
    session.run(kernel, [1])
    session.cl.clReleaseKernel(kernel)
    return int(session.read(out, np.zeros(1, np.int32))[0])


@pytest.fixture
def binary(session: Session) -> bytes:
    return binary_of(session, session.program(SOURCE, OPTIONS))


@pytest.mark.parametrize(
    ("options", "shown", "log"),
    [
        (None, "", ""),
        (b"", "", ""),
        (b"  -D  NUMBER=42\t-cl-mad-enable ", "  -D  NUMBER=42\t-cl-mad-enable ", ""),
        (b"-D NUMBER=7", "-D NUMBER=7", "warning: the program comes from a binary"),
    ],
)
def test_options_change_nothing(session: Session, binary: bytes, options: bytes | None, shown: str, log: str) -> None:
    program = loaded(session, binary)
    assert told(session, program, BUILD_OPTIONS) == ""  # nothing has been built yet
    session.cl.clBuildProgram(program, 0, None, options, None, None)
    assert told(session, program, BUILD_OPTIONS) == shown
    assert told(session, program, BUILD_LOG).startswith(log)
    assert bool(told(session, program, BUILD_LOG)) == bool(log)
    assert result(session, program) == 42
    assert binary_of(session, program) == binary


@pytest.mark.parametrize("options", [b"-cl-no-such-option", b"-O7", b"-x spir", b"-D NUMBER=42 -D"])
def test_wrong_options_are_refused(session: Session, binary: bytes, options: bytes) -> None:
    program = loaded(session, binary)
    with pytest.raises(ClError, match="clBuildProgram: -43"):
        session.cl.clBuildProgram(program, 0, None, options, None, None)
    assert session.cl.number("clGetProgramBuildInfo", program, session.device, 0x1181) == -2 & 0xFFFFFFFF
    assert told(session, program, BUILD_LOG)
    session.cl.clBuildProgram(program, 0, None, None, None, None)
    assert result(session, program) == 42


def test_options_that_say_that_bitcode_is_spir(session: Session, tmp_path: Path) -> None:
    program = loaded(session, bitcode(tmp_path, SOURCE.replace("NUMBER", "5"), "CL2.0"))
    for _ in range(2):
        session.cl.clBuildProgram(program, 0, None, b"-x spir -spir-std=1.2", None, None)
        assert told(session, program, BUILD_LOG) == ""
        assert result(session, program) == 5
    with pytest.raises(ClError, match="clBuildProgram: -43"):
        session.cl.clBuildProgram(program, 0, None, b"-x spir -spir-std=1.2 -cl-std=CL9.9", None, None)
