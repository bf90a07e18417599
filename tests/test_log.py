# SPDX-License-Identifier: Apache-2.0
"""The log that LANEWISE_LOG asks for: a line for each event, and nothing without it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lanewise import log
from lanewise.config import Config
from lanewise.program.source.compilation import compile_source
from lanewise.session import Session

SOURCE = "__global__ void k(float *p) { p[threadIdx.x] += 1; }"
LINE = re.compile(r"lanewise: +(hit|miss|\d+\.\d ms)  (\S.*)")


def _compile(cache: Path) -> None:
    session = Session(Config(cache, 1))
    module = compile_source(session, SOURCE, language="cuda")
    module["k"].remarks(32)
    module.ptx()


def _events(told: str) -> list[tuple[str, str]]:
    lines = told.splitlines()
    matches = [LINE.fullmatch(line) for line in lines]
    assert all(matches), lines
    return [("time" if "ms" in match[1] else match[1], match[2]) for match in matches if match]


def test_misses_and_times_of_a_first_compilation_then_hits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LANEWISE_LOG", "1")
    _compile(tmp_path / "cache")
    out, told = capfd.readouterr()
    assert out == ""
    assert _events(told) == [
        ("miss", "kernel IR of <source>"),
        ("miss", "precompiled cuda_runtime.h"),
        ("time", "load LLVM while clang runs"),
        ("time", "clang <source>"),
        ("time", "describe the kernels of <source>"),
        ("miss", "machine code of k for a block of 32,1,1"),
        ("time", "link library functions"),
        ("time", "read the kernel IR of _Z1kPf"),
        ("time", "make the work-group function of _Z1kPf"),
        ("time", "optimise by LLVM"),
        ("time", "generate code by LLVM"),
        ("time", "link"),
        ("miss", "PTX of <source> for sm_80"),
        ("time", "link library functions"),
        ("time", "optimise for PTX"),
        ("time", "generate PTX by LLVM"),
    ]
    _compile(tmp_path / "cache")
    assert _events(capfd.readouterr().err) == [
        ("hit", "kernel IR of <source>"),
        ("hit", "machine code of k for a block of 32,1,1"),
        ("hit", "PTX of <source> for sm_80"),
    ]


@pytest.mark.parametrize("value", ["", "0", None])
def test_nothing_without_it(
    value: str | None, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    if value is None:
        monkeypatch.delenv("LANEWISE_LOG", raising=False)
    else:
        monkeypatch.setenv("LANEWISE_LOG", value)
    log.looked_up("something", found=True)
    with log.step("something"):
        pass
    assert capfd.readouterr() == ("", "")


def test_an_event_is_one_line_and_a_failed_step_is_told(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LANEWISE_LOG", "1")
    with pytest.raises(ValueError, match="x"), log.step("clang a\nb.cu"):
        raise ValueError("x")
    log.looked_up("kernel IR of a\n\tb.cu", found=False)
    assert [what for _, what in _events(capfd.readouterr().err)] == ["clang a b.cu", "kernel IR of a b.cu"]


def test_a_program_without_standard_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANEWISE_LOG", "1")
    monkeypatch.setattr("sys.stderr", None)
    log.looked_up("something", found=True)


def test_kernel_ir_of_others_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Its compilation runs in a child process, whose own lines would be taken for messages of LLVM."""
    monkeypatch.setenv("LANEWISE_LOG", "1")
    text = 'target triple = "nvptx64-nvidia-cuda"\ndefine ptx_kernel void @k(ptr %p) {\n  ret void\n}\n'
    compile_source(Session(Config(tmp_path, 1)), text, language="ir")["k"].remarks(32)
    whats = [what for _, what in _events(capfd.readouterr().err)]
    assert whats[-1] == "kernel k, in a child process"
    assert not any("optimise" in what for what in whats)
