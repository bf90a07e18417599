# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pytest

import lanewise as lw
from lanewise.errors import CompileError
from lanewise.frontend.clang import Diagnostic
from lanewise.frontend.clang.diagnostics import compile_error, read_diagnostics

PRINTED = """\
In file included from a.cu:1:
b.h:3:4: error: no member named 'x' in 'S'
    3 | s.x;
      | ~ ^
a.cu:9:1: note: declared here
    9 | struct S;
      | ^
zig: warning: argument unused during compilation: '-c' [-Wunused-command-line-argument]
zig: error: unknown argument: '-fnope'
C:/d/e.cu:2:2: fatal error: too many
2 errors generated when compiling for sm_80.
"""


def test_messages_are_read_with_place_context_and_inclusions() -> None:
    first, note, warning, option, fatal = read_diagnostics(PRINTED)
    assert first == Diagnostic(
        "b.h", 3, 4, "error", "no member named 'x' in 'S'",
        "  in file included from a.cu:1:\n    3 | s.x;\n      | ~ ^",
    )  # fmt: skip
    assert (note.severity, note.line, note.context) == ("note", 9, "    9 | struct S;\n      | ^")
    assert str(warning) == "warning: argument unused during compilation: '-c' [-Wunused-command-line-argument]"
    assert str(option) == "error: unknown argument: '-fnope'"
    assert (fatal.file, fatal.is_error, fatal.context) == ("C:/d/e.cu", True, "")


def test_the_error_shows_errors_and_their_notes_but_no_warnings() -> None:
    error = compile_error(read_diagnostics(PRINTED))
    assert "declared here" in str(error)
    assert "unused" not in str(error)
    assert len(error.diagnostics) == 5


def test_what_is_said_twice_is_given_once_with_its_notes() -> None:
    said = "k.cu:1:2: error: no\n  1 | x\nk.cu:3:1: note: declared here\n"
    other = "k.cu:1:2: warning: no\n"
    found = read_diagnostics(said + other + said.replace("| x", "| y") + other)
    assert [str(each) for each in found] == [*map(str, read_diagnostics(said + other))]
    assert str(compile_error(found)).count("error: no") == 1


def test_clang_repeats_itself() -> None:
    with pytest.raises(CompileError) as info:
        lw.compile("__kernel void k(__global float *y) { foo(y); }", language="opencl")
    assert len(set(info.value.diagnostics)) == len(info.value.diagnostics)
