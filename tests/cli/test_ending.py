# SPDX-License-Identifier: Apache-2.0
"""The end of the process: at once, with the status, after exit handlers and with all output written."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from lanewise.config import is_observed

_PROGRAM = """
import atexit, os, sys
atexit.register(lambda: sys.stdout.write("early"))
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


_NONE: Mapping[str, str] = {}


def _run(body: str, more: Mapping[str, str] = _NONE) -> subprocess.CompletedProcess[str]:
    return _python(["-c", _PROGRAM.format(body=body)], more)


def _python(words: list[str], more: Mapping[str, str] = _NONE) -> subprocess.CompletedProcess[str]:
    left = {"PYTHONUNBUFFERED"}  # which is of C's streams, too
    environment = {k: v for k, v in os.environ.items() if k not in left and not is_observed({k: v})}
    return subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, check=False, env={**environment, **more}
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
    assert (done.returncode, done.stdout, done.stderr) == (status, "output handler early", "")


def test_a_message_for_a_status_is_shown_by_python() -> None:
    done = _run("sys.exit('stopped')")
    assert (done.returncode, done.stdout) == (1, "output handler early")
    assert done.stderr.split() == ["stopped", "freed"]


def test_a_defect_shows_its_traceback() -> None:
    done = _run("raise KeyError(5)")
    assert (done.returncode, done.stdout) == (1, "output handler early")
    assert "KeyError: 5" in done.stderr
    assert done.stderr.endswith("freed ")


def test_threads_come_to_their_end() -> None:
    later = "lambda: (time.sleep(0.1), sys.stdout.write('thread '))"
    body = f"import threading, time; threading.Thread(target={later}).start()"
    assert _run(body).stdout == "output thread handler early"


def test_output_of_c_is_written() -> None:
    done = _run("import ctypes; ctypes.CDLL(None).printf(b'from C ')")
    assert (done.stdout, done.stderr) == ("output handler earlyfrom C ", "")


@pytest.mark.parametrize("variable", ["LD_PRELOAD", "CUDA_INJECTION64_PATH", "ASAN_OPTIONS"])
def test_a_process_that_is_observed_ends_as_usual(variable: str) -> None:
    value = "verbosity=0" if variable == "ASAN_OPTIONS" else "libc.so.6"
    done = _run("sys.exit(3)", {variable: value})
    assert (done.returncode, done.stdout, done.stderr) == (3, "output handler early", "freed ")


_FOREIGN = """
import runpy, sys
sys.argv = ["lanewise", "--version"]
try:
    {call}
except SystemExit as stop:
    print("status", stop.code)
    sys.exit(5)
"""


@pytest.mark.parametrize(
    "call",
    [
        "runpy.run_module('lanewise', run_name='__main__')",
        "exec('from lanewise.cli.ending import command; command()')",
    ],
)
def test_a_program_that_runs_the_command_goes_on(call: str) -> None:
    done = _python(["-c", _FOREIGN.format(call=call)])
    assert (done.returncode, done.stdout.split()[-2:], done.stderr) == (5, ["status", "0"], "")


def test_a_profiler_of_python_shows_its_results() -> None:
    done = _python(["-m", "cProfile", "-m", "lanewise", "--version"])
    assert done.returncode == 0
    assert "function calls" in done.stdout


@pytest.mark.parametrize("words", [["script.py"], ["-m", "script"], ["-m", "package"]])
def test_scripts_and_modules_end_at_once(words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = _PROGRAM.format(body="sys.exit(4)")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "package").mkdir()
    for name in ("script.py", "package/__main__.py"):
        (tmp_path / name).write_text(text)
    done = _python(words)
    assert (done.returncode, done.stdout, done.stderr) == (4, "output handler early", "")


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


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no /dev/full")
@pytest.mark.parametrize("words", [["devices"], ["--help"], ["compile", "few.cu", "--emit", "ptx"]])
def test_a_full_disk_is_an_error_in_one_line(words: list[str], tmp_path: Path) -> None:
    (tmp_path / "few.cu").write_text("__global__ void few(int *p) { *p = 1; }")
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "lanewise", *words]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr == "lanewise: error: output can't be written: No space left on device\n"
