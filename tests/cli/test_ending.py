# SPDX-License-Identifier: Apache-2.0
"""The end of the process: at once, with the status, after exit handlers and with all output written."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

_PROGRAM = """
import atexit, os, sys
import lanewise.cli, lanewise.cli.ending
def main():
    atexit.register(lambda: sys.stdout.write("handler "))
    sys.stdout.write("output ")
    {body}
class Freed:
    def __del__(self, write=os.write):
        write(2, b"freed ")
freed = Freed()
lanewise.cli.main = main
lanewise.cli.ending.command()
"""


def _run(body: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", _PROGRAM.format(body=body)], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("pass", 0),
        ("sys.exit()", 0),
        ("sys.exit(0)", 0),
        ("sys.exit(2)", 2),
        ("sys.exit(True)", 1),
        ("sys.exit(130)", 130),
    ],
)
def test_it_ends_at_once(body: str, status: int) -> None:
    done = _run(body)
    assert (done.returncode, done.stdout, done.stderr) == (status, "output handler ", "")


def test_a_message_for_a_status_is_shown_by_python() -> None:
    done = _run("sys.exit('stopped')")
    assert (done.returncode, done.stdout) == (1, "output handler ")
    assert done.stderr.split() == ["stopped", "freed"]


def test_a_defect_shows_its_traceback() -> None:
    done = _run("raise KeyError(5)")
    assert (done.returncode, done.stdout) == (1, "output handler ")
    assert "KeyError: 5" in done.stderr
    assert done.stderr.endswith("freed ")


def test_threads_come_to_their_end() -> None:
    later = "lambda: (time.sleep(0.1), sys.stdout.write('thread '))"
    body = f"import threading, time; threading.Thread(target={later}).start()"
    assert _run(body).stdout == "output thread handler "


def test_output_that_nobody_reads_is_told_by_python() -> None:
    command = [sys.executable, "-c", _PROGRAM.format(body="pass")]
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=buffered) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        told = process.stderr.read()
    assert process.returncode == 120
    assert "BrokenPipeError" in told
