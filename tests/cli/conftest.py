# SPDX-License-Identifier: Apache-2.0
"""Runs the command line in this process, as a shell would see it."""

import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import lanewise
from lanewise.cli import main


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str


Run = Callable[[str], Done]

SAXPY = """\
__global__ void saxpy(float *y, const float *x, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with saxpy.cu in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "saxpy.cu").write_text(SAXPY)
    return tmp_path


@pytest.fixture
def run(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.setenv("COLUMNS", "200")
    lanewise.device("cpu").build()  # once per machine, and then the command line says so

    def run(line: str) -> Done:
        monkeypatch.setattr(sys, "argv", ["lanewise", *shlex.split(line)])
        with pytest.raises(SystemExit) as end:
            main()
        shown = capsys.readouterr()
        code = end.value.code
        return Done(code if isinstance(code, int) else 0 if code is None else 1, shown.out, shown.err)

    return run
