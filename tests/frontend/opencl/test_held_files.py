# SPDX-License-Identifier: Apache-2.0
"""Texts of programs with their files: read as they were written, and refused if they were damaged."""

import json

import pytest

from lanewise.errors import CompileError
from lanewise.frontend.opencl.held_files import FIRST_LINE, HeldFile, HeldFiles, with_files, without_files


def test_a_program_is_read_as_it_was_written():
    held = HeldFiles("/home", (HeldFile(("/home/a.h", "/b.h"), "#define A \0 \udcff\n"), HeldFile(("/c.h",), "")))
    assert without_files(with_files("kernel void k() {}", held)) == ("kernel void k() {}", held)
    assert without_files("kernel void k() {}") == ("kernel void k() {}", None)


@pytest.mark.parametrize(
    "content",
    [
        "", "[", "[" * 100_000, "7", '["", "/"]',
        *map(json.dumps, [
            [1, "/", []], ["", 2, []], ["", "here", []], ["", "/", 3], ["", "/", [[["/a.h"], 4]]],
            ["", "/", [[[5], ""]]], ["", "/", [["a.h", ""]]], ["", "/", [[["a.h"], ""]]], ["", "/", [[["/a\0.h"], ""]]],
        ]),
    ],
)  # fmt: skip
def test_what_was_damaged_is_refused(content: str):
    with pytest.raises(CompileError, match="the program with its files has been damaged"):
        without_files(FIRST_LINE + content)
