# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from pathlib import Path

import pytest

from lanewise.errors import CompileError, Error
from lanewise.frontend.clang import run_clang

TO_IR = ("-x", "c", "-S", "-emit-llvm")


def test_output_and_warnings_of_a_text() -> None:
    output = run_clang("int f(void) {\n  int x;\n  return x;\n}", None, (*TO_IR, "-Wuninitialized"))
    assert "@f(" in output.text
    assert [(warning.file, warning.line, warning.column) for warning in output.warnings] == [("<source>", 3, 10)]
    assert output.dependencies == ()


def test_dependencies_have_their_names_whole_and_once(tmp_path: Path) -> None:
    names = ["plain.h", "two words.h", "a$b.h", "a#b.h"]
    for name in names:
        (tmp_path / name).write_text("")
    for some in (names[:1], names):
        lines = [f'#include "{tmp_path}/{name}"\n' for name in (*some, some[0])]
        output = run_clang("".join(lines), None, TO_IR)
        assert output.dependencies == tuple(f"{tmp_path}/{name}" for name in some)
        assert output.outside([tmp_path]) == ()
        assert output.outside([tmp_path / "plain"]) == tuple(tmp_path / name for name in some)


@pytest.mark.parametrize("at", ["source", "header"])
def test_a_file_that_is_embedded_must_be_there(tmp_path: Path, at: str) -> None:
    lines = f'#embed "{tmp_path}/values.bin"\n'
    if at == "header":
        (tmp_path / "values.h").write_text(lines)
        lines = f'#include "{tmp_path}/values.h"\n'
    text = f"char values[] = {{\n{lines}}};\n"
    with pytest.raises(CompileError, match=r"values.bin' file not found"):
        run_clang(text, None, TO_IR)
    (tmp_path / "values.bin").write_bytes(b"\1\2")
    assert "[2 x i8]" in run_clang(text, None, TO_IR).text


def test_the_environment_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "from_environment.h").write_text("")
    monkeypatch.setenv("CPATH", str(tmp_path))
    monkeypatch.setenv("CCC_OVERRIDE_OPTIONS", "#+-DEXTRA")
    with pytest.raises(CompileError, match="file not found"):
        run_clang("#include <from_environment.h>\n", None, TO_IR)


def test_the_time_limit_ends_a_run() -> None:
    with pytest.raises(Error, match=r"<source>: clang took more than 0.001 s and was stopped"):
        run_clang("int x;", None, TO_IR, time_limit_s=0.001)


def test_the_text_given_is_compiled_in_the_place_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text("int old;")
    assert "@new_text" in run_clang("int new_text;", path, TO_IR).text
    assert path.read_text() == "int old;"
