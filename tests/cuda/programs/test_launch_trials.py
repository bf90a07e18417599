# SPDX-License-Identifier: Apache-2.0
"""Launches of whole programs that decide between two mappings, and programs that take what others have chosen.

The program searches until a file is there, which the test writes once the log tells of the choice.
"""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lanewise.cuda.nvcc.driver import main
from lanewise.cuda.objects.host_compiler import HostCompiler

from .running import NEW_CODE, Start, starter

SOURCE = Path(__file__).with_name("launch_trials.cu")
TRIED = "launches tried both mappings: "
KNOWN, OWN = "0", "128"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory, compiler: HostCompiler) -> Path:
    program = tmp_path_factory.mktemp("trials") / "program"
    assert main([str(SOURCE), "-o", str(program)]) == 0
    return program


@pytest.fixture
def start(program: Path, tmp_path: Path) -> Iterator[Start]:
    """Starts the program, all times with one cache; it ends when the file `stop` is there."""
    with starter(program, tmp_path / "cache") as start:
        yield lambda *words, **more: start(tmp_path / "stop", *words, **more)


@pytest.mark.parametrize("words", [(KNOWN,), (OWN,), (KNOWN, "graph")], ids=["known", "tier", "graph"])
def test_launches_choose_and_later_programs_take_the_choice(start: Start, tmp_path: Path, words: tuple[str, ...]):
    stop = tmp_path / "stop"
    running = start(*words)
    running.wait_for(TRIED)
    stop.touch()
    assert running.end() == "ok\n"
    told = "".join(running.told)
    assert told.index("launches try the other mapping, too") < told.index(TRIED)
    stop.unlink()
    later = start(*words)
    later.wait_for(NEW_CODE if words == (OWN,) else "earlier launches have chosen")
    stop.touch()
    assert later.end() == "ok\n"


def test_nothing_is_tried_by_programs_that_keep_to_one_mapping(start: Start, tmp_path: Path):
    running = start(KNOWN, LANEWISE_MAPPING="auto,fixed")
    time.sleep(3)  # others have asked for the other code after 20 ms
    (tmp_path / "stop").touch()
    output, errors = running.process.communicate(timeout=60)
    assert (output, "launches try" in errors) == ("ok\n", False)
