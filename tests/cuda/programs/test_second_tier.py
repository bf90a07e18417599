# SPDX-License-Identifier: Apache-2.0
"""Kernels that are compiled for their block sizes while a program runs, by a process that the program can't see.

The program sums until a file is there, which the test writes once the log tells that the code has changed.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lanewise.cuda.nvcc.driver import main
from lanewise.cuda.objects.host_compiler import HostCompiler

from .running import NEW_CODE, SECONDS, Start, starter

SOURCE = Path(__file__).with_name("second_tier.cu")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory, compiler: HostCompiler) -> Path:
    program = tmp_path_factory.mktemp("tier") / "program"
    assert main([str(SOURCE), "-o", str(program)]) == 0
    return program


@pytest.fixture
def start(program: Path, tmp_path: Path) -> Iterator[Start]:
    """Starts the program with an empty cache."""
    with starter(program, tmp_path / "cache") as start:
        yield start


@pytest.mark.parametrize("mode", ["plain", "graph"])
def test_code_changes_while_the_program_runs(start: Start, tmp_path: Path, mode: str):
    stop = tmp_path / "stop"
    running = start(mode, stop)
    running.wait_for_new_code(stop)
    assert running.end() == "ok\n"
    assert any("code for any block size" in line for line in running.told)


def test_a_long_launch_goes_on_by_new_code(start: Start, tmp_path: Path):
    running = start("long", tmp_path / "stop")
    running.wait_for("a launch goes on by this code")
    (tmp_path / "stop").touch()
    assert running.end() == "ok\n"


def test_one_service_serves_one_program_after_the_other_size(start: Start, tmp_path: Path):
    running = start("twice", tmp_path / "1", 128, tmp_path / "2")
    running.wait_for_new_code()
    (before,) = running.services()
    (tmp_path / "1").touch()
    running.wait_for_new_code()
    assert running.services() == [before]
    (tmp_path / "2").touch()
    assert running.end() == "ok\n"


def test_a_second_process_has_the_code_without_a_service(start: Start, tmp_path: Path):
    for name, most in (("1", 1), ("2", 0)):
        running = start("plain", tmp_path / name)
        running.wait_for_new_code()
        assert len(running.services()) == most
        (tmp_path / name).touch()
        assert running.end() == "ok\n"


def test_code_whose_file_is_gone_is_made_again(start: Start, tmp_path: Path):
    for name in ("1", "2"):
        running = start("plain", tmp_path / name)
        running.wait_for_new_code(tmp_path / name)
        assert running.end() == "ok\n"
        for file in tmp_path.rglob("kernel.so"):
            file.unlink()


def test_descriptors_that_the_program_has_taken_are_left_alone(start: Start, tmp_path: Path):
    running = start("close", tmp_path / "1", 128, tmp_path / "2")
    running.wait_for_new_code(tmp_path / "1")
    running.wait_for_new_code(tmp_path / "2")
    assert running.end() == "ok\n"


def test_the_cache_of_a_relative_name_is_the_program_s(start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    running = start("plain", tmp_path / "stop", LANEWISE_CACHE_DIR="kept here")
    running.wait_for_new_code(tmp_path / "stop")
    assert running.end() == "ok\n"
    assert list((tmp_path / "kept here").rglob("kernel.so"))
    assert not Path("/kept here").exists()


def test_a_service_that_is_killed_is_started_again(start: Start, tmp_path: Path):
    running = start("twice", tmp_path / "1", 128, tmp_path / "2")
    running.wait_for_new_code()
    for service in running.services():
        os.kill(service, signal.SIGKILL)
    running.wait_for_no_service()
    (tmp_path / "1").touch()
    running.wait_for_new_code(tmp_path / "2")
    assert running.end() == "ok\n"


def test_a_killed_program_takes_its_service_with_it(start: Start, tmp_path: Path):
    running = start("plain", tmp_path / "never")
    running.wait_for_new_code()
    assert len(running.services()) == 1
    running.process.kill()
    running.process.communicate()
    running.wait_for_no_service()


def test_a_forked_child_has_a_service_of_its_own(start: Start, tmp_path: Path):
    stops = [tmp_path / str(number) for number in range(4)]
    running = start("fork", stops[0], 128, *stops[1:])
    running.wait_for_new_code(stops[0])
    (parents,) = running.services()
    stops[1].touch()
    running.wait_for_new_code()
    assert len(running.services()) == 2
    assert parents in running.services()
    stops[2].touch()
    running.wait_for_new_code(stops[3])
    assert running.end() == "child\nok\n"


def test_eight_programs_at_once(start: Start, tmp_path: Path):
    stop = tmp_path / "stop"
    all_ = [start("plain", stop, LANEWISE_NUM_THREADS="1") for _ in range(8)]
    for running in all_:
        running.wait_for_new_code()
    stop.touch()
    assert [running.end() for running in all_] == ["ok\n"] * 8


def test_closed_standard_streams_are_no_hindrance(program: Path, tmp_path: Path):
    """The service's socket may get the number of a standard stream."""
    stop, log = tmp_path / "stop", tmp_path / "log"
    code = (
        "import os, sys; os.close(0); os.close(1)\n"
        f"log = os.open({str(log)!r}, os.O_CREAT | os.O_WRONLY | os.O_APPEND); os.dup2(log, 2)\n"
        f"if log != 2: os.close(log)\nos.execv({str(program)!r}, ['program', 'plain', {str(stop)!r}])"
    )
    environment = {"LANEWISE_CACHE_DIR": str(tmp_path / "cache"), "LANEWISE_LOG": "1"}
    process = subprocess.Popen([sys.executable, "-I", "-c", code], env=environment)
    until = time.monotonic() + SECONDS
    while not (log.exists() and NEW_CODE in log.read_text()) and time.monotonic() < until:
        time.sleep(0.02)
    stop.touch()
    assert process.wait(SECONDS) == 0
    assert NEW_CODE in log.read_text()


def test_no_service_where_none_is_wanted(start: Start, tmp_path: Path):
    running = start("plain", tmp_path / "stop", LANEWISE_SPECIALISE="0")
    time.sleep(1.5)
    assert not running.services()
    (tmp_path / "stop").touch()
    assert running.end() == "ok\n"


def test_general_code_serves_without_an_interpreter(program: Path, start: Start, tmp_path: Path):
    data = program.read_bytes()
    here = os.fsencode(sys.executable) + b"\0"
    assert here in data
    moved = tmp_path / "moved"
    moved.write_bytes(data.replace(here, b"/nowhere".ljust(len(here), b"x")[: len(here) - 1] + b"\0"))
    moved.chmod(0o755)
    running = start("plain", tmp_path / "stop", program=moved)
    running.wait_for("no code for this block size: the compile service doesn't answer")
    (tmp_path / "stop").touch()
    assert running.end() == "ok\n"


def test_a_service_of_another_build_declines(program: Path, start: Start, tmp_path: Path):
    data = program.read_bytes()
    asked = b"build %s\nkernel %s\n"
    assert asked in data
    changed = tmp_path / "changed"
    changed.write_bytes(data.replace(asked, asked.replace(b"%s\nk", b"X\0\nk")))
    changed.chmod(0o755)
    running = start("plain", tmp_path / "stop", program=changed)
    running.wait_for("no code for this block size: ")
    (tmp_path / "stop").touch()
    assert running.end() == "ok\n"
