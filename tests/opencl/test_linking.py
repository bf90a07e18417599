# SPDX-License-Identifier: Apache-2.0
"""Programs of several parts: compiled with headers, made into libraries, linked, given as binaries."""

import ctypes

import numpy as np
import pytest
from tests.opencl.interface import ClError, Interface, Session

NONE, COMPILED_OBJECT, LIBRARY, EXECUTABLE = 0, 1, 2, 4
TYPE, LOG, STATUS = 0x1184, 0x1183, 0x1181

HEADER = "#define OFFSET 100\ninline int twice(int x) { return 2 * x; }\nint shown(int x);\n"
MAIN = '#include "parts/all.h"\nkernel void k(global int *out) { out[get_global_id(0)] = shown(FACTOR) + OFFSET; }'
HELPER = "#include <parts/all.h>\nint shown(int x) { return twice(x) + (int)get_global_id(0); }"


class Parts:
    """Programs of a session, made in short forms."""

    def __init__(self, session: Session) -> None:
        self.session, self.cl = session, session.cl

    def source(self, text: str) -> int:
        pointer = ctypes.c_char_p(text.encode())
        return int(self.cl.clCreateProgramWithSource(self.session.context, 1, ctypes.byref(pointer), None))

    def compiled(self, text: str, options: str = "", headers: dict[str, str] | None = None) -> int:
        """A program that has been compiled, with headers by name."""
        program = self.source(text)
        self.compile(program, options, headers)
        return program

    def compile(self, program: int, options: str = "", headers: dict[str, str] | None = None) -> None:
        given = headers or {}
        names = (ctypes.c_char_p * len(given))(*(name.encode() for name in given))
        programs = [self.source(header) for header in given.values()]
        self.cl.clCompileProgram(
            program, 0, None, options.encode(), len(given), programs or None, names if given else None, None, None
        )

    def linked(self, parts: list[int], options: str = "") -> int:
        return int(
            self.cl.clLinkProgram(
                self.session.context, 0, None, options.encode(), len(parts), parts or None, None, None
            )
        )

    def info(self, program: int, what: int) -> int:
        return int.from_bytes(
            self.cl.query("clGetProgramBuildInfo", program, self.session.device, what), "little", signed=True
        )

    def log(self, program: int) -> str:
        return self.cl.query("clGetProgramBuildInfo", program, self.session.device, LOG).rstrip(b"\0").decode()

    def binary(self, program: int) -> int:
        """The program, read again from its binary."""
        size = self.cl.number("clGetProgramInfo", program, 0x1165)
        data = ctypes.create_string_buffer(size)
        self.cl.clGetProgramInfo(program, 0x1166, 8, [ctypes.addressof(data)], None)
        status = ctypes.c_int32(1)
        given = self.session.context, 1, [self.session.device], [size], [ctypes.addressof(data)], ctypes.byref(status)
        return int(self.cl.clCreateProgramWithBinary(*given))

    def result(self, program: int) -> list[int]:
        """The number that kernel k of an executable program writes."""
        out = np.zeros(3, np.int32)
        buffer = self.session.buffer(out)
        kernel = self.cl.clCreateKernel(program, b"k")
        self.session.set(kernel, buffer)
        self.session.run(kernel, [3])
        return self.session.read(buffer, out).tolist()


@pytest.fixture
def parts(session: Session) -> Parts:
    return Parts(session)


def compiled_pair(parts: Parts, options: str = "") -> list[int]:
    headers = {"parts/all.h": HEADER}
    return [parts.compiled(MAIN, f"-D FACTOR=7 {options}", headers), parts.compiled(HELPER, options, headers)]


def test_parts_with_headers_are_linked(parts: Parts) -> None:
    pair = compiled_pair(parts)
    assert [parts.info(part, TYPE) for part in pair] == [COMPILED_OBJECT] * 2
    program = parts.linked(pair)
    assert parts.info(program, TYPE) == EXECUTABLE
    assert parts.result(program) == [114, 115, 116]
    assert parts.result(parts.linked(pair[::-1])) == [114, 115, 116]


def test_a_part_has_no_kernels_yet(parts: Parts) -> None:
    with pytest.raises(ClError, match="-45"):
        parts.cl.clCreateKernel(compiled_pair(parts)[0], b"k")


def test_libraries_and_binaries_are_linked(parts: Parts) -> None:
    main, helper = compiled_pair(parts)
    library = parts.linked([helper], "-create-library -enable-link-options")
    assert parts.info(library, TYPE) == LIBRARY
    again = [parts.binary(main), parts.binary(library)]
    assert [parts.info(part, TYPE) for part in again] == [COMPILED_OBJECT, LIBRARY]
    with pytest.raises(ClError, match="-42"):
        parts.cl.clBuildProgram(again[0], 0, None, b"", None, None)
    program = parts.linked(again, "-cl-fast-relaxed-math")
    assert parts.result(program) == [114, 115, 116]
    executable = parts.binary(program)
    parts.cl.clBuildProgram(executable, 0, None, b"", None, None)
    assert parts.result(executable) == [114, 115, 116]


def test_a_linked_kernel_has_a_general_form(parts: Parts) -> None:
    out = np.zeros(5, np.int32)
    buffer = parts.session.buffer(out)
    kernel = parts.cl.clCreateKernel(parts.linked(compiled_pair(parts, "-cl-std=CL3.0")), b"k")
    parts.session.set(kernel, buffer)
    parts.session.run(kernel, [5], [2])
    assert parts.session.read(buffer, out).tolist() == [114, 115, 116, 117, 118]


@pytest.mark.parametrize("options", ["-cl-std=CL1.2", "-cl-std=CL3.0 -cl-uniform-work-group-size"])
def test_linked_programs_and_their_binaries_keep_uniform_groups(parts: Parts, options: str) -> None:
    program = parts.linked(compiled_pair(parts, options))
    executable = parts.binary(program)
    parts.cl.clBuildProgram(executable, 0, None, b"", None, None)
    buffer = parts.session.buffer(np.zeros(5, np.int32))
    for each in (program, executable):
        kernel = parts.cl.clCreateKernel(each, b"k")
        parts.session.set(kernel, buffer)
        with pytest.raises(ClError, match="-54"):
            parts.session.run(kernel, [5], [2])


def test_a_function_is_defined_once(parts: Parts) -> None:
    main, helper = compiled_pair(parts)
    with pytest.raises(ClError, match="-17"):
        parts.linked([main])
    with pytest.raises(ClError, match="-17"):
        parts.linked([main, helper, helper])


def test_a_failed_link_has_a_log(cl: Interface, parts: Parts) -> None:
    notified = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
    ended: list[int] = []
    notify = notified(lambda program, _: ended.append(program))
    program = cl.clLinkProgram(parts.session.context, 0, None, b"", 1, [compiled_pair(parts)[0]], notify, None)
    assert ended == [program]
    assert parts.info(program, STATUS) == -2
    assert "function 'shown' is declared, and no program defines it" in parts.log(program)


def test_a_refused_part_has_clangs_log(parts: Parts) -> None:
    program = parts.source('#include "own.h"\nint f(void) { return missing; }')
    with pytest.raises(ClError, match="-15"):
        parts.compile(program, "", {"own.h": "int g(void) { return absent; }"})
    assert "own.h:1:22: error: use of undeclared identifier 'absent'" in parts.log(program)
    assert "<source>:2:22: error: use of undeclared identifier 'missing'" in parts.log(program)
    assert parts.info(program, TYPE) == NONE
    assert parts.info(program, STATUS) == -2


@pytest.mark.parametrize("options", ["--nothing", "-fnothing", "-D", "-cl-std=CL9.9", "-o file", "'", "-D 1=2"])
def test_wrong_options_have_codes_of_their_own(parts: Parts, options: str) -> None:
    program = parts.source("kernel void k(global int *out) { out[0] = 1; }")
    with pytest.raises(ClError, match="-43"):
        parts.cl.clBuildProgram(program, 0, None, options.encode(), None, None)
    assert parts.log(program)
    with pytest.raises(ClError, match="-66"):
        parts.compile(program, options)
    with pytest.raises(ClError, match="-67"):
        parts.linked(compiled_pair(parts), options)


def test_what_cannot_be_linked_is_refused(parts: Parts) -> None:
    built = parts.session.program("kernel void k(global int *out) { out[0] = 1; }")
    with pytest.raises(ClError, match="-59"):
        parts.linked([built])
    with pytest.raises(ClError, match="-44"):
        parts.linked([12345])
    with pytest.raises(ClError, match="-30"):
        parts.linked([])
    with pytest.raises(ClError, match="-67"):
        parts.linked(compiled_pair(parts), "-enable-link-options")
    with pytest.raises(ClError, match="-59"):
        parts.compile(parts.linked(compiled_pair(parts)))
