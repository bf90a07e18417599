# SPDX-License-Identifier: Apache-2.0
"""Programs of the OpenCL platform under LANEWISE_CHECK."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2]


def run(library: Path, what: str, checks: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "tests.opencl.checked_program", str(library), what], cwd=FOLDER, capture_output=True,
        env={**os.environ, "LANEWISE_CHECK": checks}, text=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("part", "<source>:4:12: error: read out of bounds: element 32 of argument 'in', float[32]: just past its end"),
        ("local", "<source>:6:14: error: read out of bounds: byte 128 of local memory 't' of 128 bytes"),
    ],
)
def test_a_fault_is_told_and_the_event_is_complete(library: Path, what: str, told: str) -> None:
    done = run(library, what, "memory")
    assert (done.returncode, done.stdout) == (66, "0\n")
    lines = done.stderr.splitlines()
    assert lines[0] == "lanewise check: kernel shift: 1 place at fault"
    assert lines[1].startswith(told)
    assert lines[1].endswith("in work-group (0, 0, 0), work-item (31, 0, 0)")
    assert lines[2] == ("    4 |     t[i] = in[i + by];" if what == "part" else "    6 |     out[i] = t[i + by];")


def test_local_memory_that_nobody_has_written(library: Path) -> None:
    done = run(library, "whole", "1")
    assert done.returncode == 66
    assert "byte 128 of local memory 't' of 132 bytes, which nobody has written" in done.stderr


def test_a_right_launch_is_left_alone(library: Path) -> None:
    done = run(library, "whole", "memory")
    assert (done.returncode, done.stdout, done.stderr) == (0, "0\n", "")
