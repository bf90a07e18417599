# SPDX-License-Identifier: Apache-2.0
"""An installation without the extra `shuffles`: child processes in which Z3 can't be imported."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.test_ptx import STENCIL

ERROR = "lanewise: error: the analysis of this PTX needs Z3, which is not installed: pip install 'lanewise[shuffles]'\n"
WARNING = (
    "lanewise: warning: PTX stays as it is: replacing loads by shuffles needs Z3: pip install 'lanewise[shuffles]'\n"
)
LOADS_ONE = STENCIL.replace("ld.global.f32 %f2, [%rd4+4];", "mov.f32 %f2, %f1;")
PTXAS = """#!/bin/sh
cat "$2"
echo said by ptxas >&2
exit 7
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "blur.ptx").write_text(STENCIL)
    (tmp_path / "copy.ptx").write_text(LOADS_ONE)
    (tmp_path / "ptxas").write_text(PTXAS)
    (tmp_path / "ptxas").chmod(0o755)
    return tmp_path


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command line where Python says that there is no module `z3`."""
    code = "import sys; sys.modules['z3'] = None; from lanewise.cli import main; main()"
    environment = {**os.environ, "LANEWISE_PTXAS": str(folder / "ptxas"), "LANEWISE_PTXAS_OPTIONS": ""}
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=folder, env=environment, capture_output=True, text=True,
        timeout=60,
    )  # fmt: skip


def test_synthesis_names_the_extra(folder: Path):
    done = run(folder, "opt", "blur.ptx")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", ERROR)


def test_what_asks_nothing_of_z3_needs_none(folder: Path):
    done = run(folder, "opt", "copy.ptx")
    assert (done.returncode, done.stdout, done.stderr) == (0, LOADS_ONE, "")
    done = run(folder, "emulate", "blur.ptx")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("blur: 3 loads")


def test_ptxas_gets_files_as_they_are_after_one_line(folder: Path):
    done = run(folder, "ptxas", "-arch=sm_60", "blur.ptx", "copy.ptx")
    assert (done.returncode, done.stdout, done.stderr) == (7, STENCIL, WARNING + "said by ptxas\n")
    done = run(folder, "ptxas", "--lanewise-print", "blur.ptx")
    assert (done.returncode, done.stdout, done.stderr) == (0, STENCIL, WARNING)


def test_ptxas_says_nothing_where_nothing_would_be_replaced(folder: Path):
    done = run(folder, "ptxas", "-g", "blur.ptx")
    assert (done.returncode, done.stdout, done.stderr) == (7, STENCIL, "said by ptxas\n")
