# SPDX-License-Identifier: Apache-2.0
"""Rules for make, as nvcc 13 names their files and targets."""

import os
from pathlib import Path

import pytest

from lanewise.cuda.nvcc.driver import main
from lanewise.cuda.objects.host_compiler import HostCompiler

SOURCE = '#include "inc/h.h"\n__global__ void k(int *p) { *p = H; }\nint main() { return 0; }\n'


@pytest.fixture
def folder(tmp_path: Path, compiler: HostCompiler, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that commands run in, with a source of kernels and one of host code."""
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "h.h").write_text("#define H 1\n")
    (tmp_path / "w.cu").write_text(SOURCE)
    (tmp_path / "h.cpp").write_text('#include "inc/h.h"\nint host = H;\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("line", "file", "target"),
    [
        ("-MD -c w.cu", "w.d", "w.o"),
        ("-MMD -odir inc -c w.cu", "inc/w.d", "inc/w.o"),
        ("-MD w.cu -o prog", "prog.d", "prog"),
        ("-MMD w.cu", "w.d", "w.o"),
        ("-MMD -ptx w.cu", "w.d", "w.ptx"),
        ("-MMD -c h.cpp", "h.d", "h.o"),
        ("-MD -MF x.d -MT y.o -c h.cpp -o inc/h.o", "x.d", "y.o"),
        ("-MM -odir inc w.cu -o x.d", "x.d", "inc/w.o"),
        ("-M w.cu -MF x.d", "x.d", "w.o"),
        ("-M -MP w.cu -MF x.d", "x.d", "w.o"),
    ],
)
def test_file_and_target(folder: Path, line: str, file: str, target: str) -> None:
    assert main(line.split()) == 0
    rule = (folder / file).read_text()
    assert rule.replace(" :", ":").startswith(f"{target}: ")
    assert "inc/h.h" in rule
    assert ("h.h:\n" in rule) == ("-MP" in line)


def test_rules_alone_make_no_object(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["-M", "w.cu"]) == 0
    assert capfd.readouterr().out.startswith("w.o: ")
    assert sorted(os.listdir(folder)) == ["h.cpp", "inc", "w.cu"]
