# SPDX-License-Identifier: Apache-2.0
"""Programs that include files: all their code, and their binaries, are of the contents that they were built with."""

import ctypes
import shutil
import time
from pathlib import Path

import numpy as np
import pytest
from tests.opencl.images import IMAGE_2D, image
from tests.opencl.interface import ClError, Session
from tests.opencl.test_binary_options import binary_of, loaded

import lanewise.frontend.opencl.held_files as held_files

SOURCE = '#include "number.h"\nkernel void k(global int *p) { p[get_global_id(0)] = NUMBER; }'
IMAGES = """#include "number.h"
kernel void k(global int *p, read_only image2d_t i) { p[0] = NUMBER + get_image_width(i); }
"""


def launched(session: Session, program: int, offset: int = 0) -> int:
    kernel, out = session.cl.clCreateKernel(program, b"k"), session.buffer(np.zeros(4, np.int32))
    session.set(kernel, out)
    offsets, sizes = (ctypes.c_size_t * 1)(offset), (ctypes.c_size_t * 1)(1)
    session.cl.clEnqueueNDRangeKernel(session.queue, kernel, 1, offsets, sizes, None, 0, None, None)
    session.cl.clReleaseKernel(kernel)
    return int(session.read(out, np.zeros(4, np.int32))[offset])


@pytest.fixture
def header(tmp_path: Path) -> Path:
    path = tmp_path / "d" / "number.h"
    path.parent.mkdir()
    path.write_text("#define NUMBER 1\n")
    return path


@pytest.mark.parametrize("seconds", [0, 0.1])
def test_an_offset_changes_no_version(session: Session, header: Path, seconds: float) -> None:
    time.sleep(seconds)  # a file that may have changed while clang ran is compiled as it was read afterwards
    # where the file is older, the second answer is one that was kept
    programs = [session.program(SOURCE, f"-I {header.parent}") for _ in range(2)]
    header.write_text("#define NUMBER 2\n")
    for program in programs:
        assert launched(session, program) == 1
        assert launched(session, program, 1) == 1
    assert launched(session, session.program(SOURCE, f"-I {header.parent}"), 1) == 2


def test_code_for_images_is_of_the_same_version(session: Session, header: Path) -> None:
    program = session.program(IMAGES, f"-I {header.parent}")
    header.unlink()
    kernel, out = session.cl.clCreateKernel(program, b"k"), session.buffer(np.zeros(1, np.int32))
    session.set(kernel, out, image(session, IMAGE_2D, 3, 2))
    session.run(kernel, [1])
    assert session.read(out, np.zeros(1, np.int32))[0] == 4


def test_a_binary_needs_no_files(
    session: Session, header: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    program = session.program(SOURCE, "-I d -include number.h")
    header.write_text("#define NUMBER 2\n")
    binary = binary_of(session, program)
    shutil.rmtree(header.parent)
    elsewhere = tmp_path / "elsewhere" / "d"
    elsewhere.mkdir(parents=True)
    (elsewhere / "number.h").write_text("#define NUMBER 3\n")
    monkeypatch.chdir(elsewhere.parent)
    again = loaded(session, binary)
    session.cl.clBuildProgram(again, 0, None, None, None, None)
    assert [launched(session, again), launched(session, again, 1)] == [1, 1]
    assert binary_of(session, again) == binary
    with pytest.raises(ClError):
        session.program(SOURCE, "-I absent")


def test_a_damaged_binary_fails_to_build(session: Session, header: Path) -> None:
    binary = binary_of(session, session.program(SOURCE, f"-I {header.parent}"))
    with pytest.raises(ClError, match="clBuildProgram: -11"):
        session.cl.clBuildProgram(loaded(session, binary[:-9]), 0, None, None, None, None)


def test_what_a_program_asks_of_files_stays(session: Session, header: Path) -> None:
    (header.parent / "twice.h").write_text("#pragma once\nconstant int TWICE = 4;\n")
    (header.parent / "same.h").symlink_to("twice.h")
    asks = '#include "twice.h"\n#include "same.h"\n#if __has_include("later.h")\n#include "later.h"\n#endif\n'
    name = "constant char FILE[] = __FILE__;\n"
    header.write_text(f"{asks}{name}#define NUMBER (TWICE + sizeof FILE + __LINE__)\n")
    program = session.program(SOURCE, f"-I {header.parent}")
    (header.parent / "later.h").write_text("#error\n")
    expected = launched(session, program)
    assert expected == 4 + len(str(header)) + 1 + 2
    assert launched(session, program, 1) == expected


@pytest.mark.parametrize("names", [("/a/h.h",), ("/a/h.h", "/b/../h.h")])
def test_a_text_gives_its_files_again(names: tuple[str, ...]) -> None:
    held = held_files.HeldFiles("/a", (held_files.HeldFile(names, "\0\n\udcff"),))
    text = held_files.with_files("x\n", held)
    assert text.isascii()
    assert "\0" not in text
    assert held_files.without_files(text) == ("x\n", held)


def test_a_second_build_reads_the_files_again(session: Session, header: Path) -> None:
    for number in (5, 6):
        header.write_text(f"#define NUMBER {number}\n")
        program = session.program(SOURCE, f"-I{header.parent}")
        assert [launched(session, program), launched(session, program, 1)] == [number, number]
