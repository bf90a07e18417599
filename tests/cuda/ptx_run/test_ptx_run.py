# SPDX-License-Identifier: Apache-2.0
"""The library of `ptx_run`: the order of its arguments, what stays between calls, and what it says of failures."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from lanewise.cuda.ptx_run.library import build_ptx_run
from lanewise.errors import Error

CALLS = Path(__file__).with_name("calls.py")


class Call(NamedTuple):
    """A call of `calls.py`: what it returned, the memory afterwards, and what it wrote to standard error."""

    returned: int
    out: list[int]
    told: str


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Call]:
    folder = tmp_path_factory.mktemp("ptx_run")
    library = folder / "libgpuocelot.so"
    build_ptx_run(library)
    environment = {**os.environ, "LANEWISE_CACHE_DIR": str(folder / "cache")}
    done = subprocess.run(
        [sys.executable, str(CALLS), str(library)], env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    told = dict(line.split(": ", 1) for line in done.stderr.splitlines() if ": " in line)
    rows = map(json.loads, done.stdout.splitlines())
    return {name: Call(returned, out, told[name]) for name, returned, out in rows}


def test_the_extents_of_a_block_come_first_and_arguments_are_values(calls: dict[str, Call]):
    assert calls["extents"] == (0, [2, 3, 4, 5, 6, 7, -7, 0, 0, 256], "")
    assert calls["again"] == (0, [2, 3, 4, 1, 1, 1, 8, 0, 9, 0], "")


def test_variables_stay_and_shared_memory_is_as_large_as_asked_for(calls: dict[str, Call]):
    assert calls["keep"].out[:2] == [40, 7]
    assert calls["kept"].out[:2] == [41, 7]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("too few", "ptx_run: kernel extents takes 3 arguments, not 1"),
        ("no PTX", "ptx_run: ptx:1:1: error: expected '.version'"),
        ("refused", "ptx_run: ptx:11:5: error: wgmma.fence.sync.aligned: it is not supported"),
        ("two", "ptx_run: the PTX must have one kernel, since none can be named; it has extents, other"),
        ("fault", "ptx_run: kernel extents, block (0, 0, 0), ptx:9: a write of memory that is not there, at"),
        ("trap", "ptx_run: kernel extents, block (0, 0, 0), thread (0, 0, 0): trap"),
        ("empty", "ptx_run: blocks of (1, 0, 1) in a grid of (1, 1, 1): extents are above 0"),
        ("large", "ptx_run: kernel extents: a block of (64, 64, 1)"),
    ],
)  # fmt: skip
def test_a_failure_is_a_line_and_not_0(calls: dict[str, Call], name: str, told: str):
    assert calls[name].returned == 1
    assert calls[name].told.startswith(told)


def test_the_next_call_works(calls: dict[str, Call]):
    assert calls["after"] == (0, [2, 3, 4, 1, 1, 1, 5, 0, 6, 0], "")
    assert calls["in a fork"] == (0, [3, 1, 1, 1, 1, 1, 3, 0, 4, 0], "")


def test_a_folder_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("lanewise.cuda.ptx_run.library.compile_host", lambda _: b"")
    monkeypatch.setattr("lanewise.cuda.ptx_run.library.link_shared_object", lambda *_, **__: b"")
    with pytest.raises(Error, match=r"no/lib\.so: can't be written: No such file or directory"):
        build_ptx_run(tmp_path / "no" / "lib.so")
