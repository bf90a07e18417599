# SPDX-License-Identifier: Apache-2.0
"""The players of Lanewise: by calls of Python and by those of OpenCL, for which pyopencl is stood in for."""

from __future__ import annotations

import gc
import os
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from bench.cpu import environment
from bench.cpu.order import read_results
from bench.unseen.played import Loaded, Played, Results
from bench.unseen.recording import Buffer, Bytes, Recording, Value

import lanewise
from bench.unseen import ours_by_opencl, worker
from lanewise.cache import Cache
from lanewise.config import from_environment
from lanewise.opencl.library import platform_library


def _recording(folder: Path) -> Recording:
    np.arange(64, dtype=np.float32).tofile(folder / "memory-0")
    source = "kernel void add(global float *x, float by) { x[get_global_id(0)] += by; }"
    arguments = Buffer(0, 0, 256), Value(np.float32(2).tobytes())
    return Recording("program/add-1", folder, "add", source, "", (64,), (16,), None, arguments)


class _OpenCl:
    """A stand-in for the player of OpenCL's calls."""

    version = "a platform"

    def __init__(self, name: str) -> None:
        assert name == "lanewise"

    def play(self, recording: Recording) -> Played:
        memory: Bytes = np.zeros(4, np.uint8)
        return Played(lambda: None, lambda number: memory, lambda number, data: None, {}, [])


@pytest.fixture
def no_folder_for_loaders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "bench.unseen.opencl", SimpleNamespace(OpenCl=_OpenCl))  # type: ignore[arg-type]
    monkeypatch.setattr(environment, "site_packages", lambda: tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in ("LANEWISE_MAPPING", "OCL_ICD_VENDORS"):
        monkeypatch.setenv(name, "before")  # so that it is put back


@pytest.mark.usefixtures("no_folder_for_loaders")
def test_the_platform_is_told_its_mapping_and_python_what_it_compiles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = worker._player("platform:lanes")
    assert (player.version, os.environ["LANEWISE_MAPPING"]) == ("a platform", "lanes")
    folder = Path(os.environ["OCL_ICD_VENDORS"])
    (file,) = folder.glob("*.icd")
    assert Path(file.read_text().strip()).read_bytes()[:4] == b"\x7fELF"
    played = player.play(_recording(tmp_path))
    assert played.is_settled()  # the platform has launched nothing, since pyopencl is stood in for
    monkeypatch.setattr(player, "_unsettled_count", lambda: 1)
    assert not played.is_settled()
    assert player.play(_recording(tmp_path)).is_settled()  # it was unsettled before: another recording's
    assert played.types == {0: "<f4"}
    assert any("lanes" in remark for remark in played.remarks)


@pytest.mark.usefixtures("no_folder_for_loaders")
def test_the_platforms_folder_is_in_the_cache_and_removed_with_the_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = platform_library(Cache(from_environment().cache_dir), lanewise.__version__)
    monkeypatch.setattr(ours_by_opencl, "platform_library", lambda cache, version: built)
    monkeypatch.setenv("LANEWISE_CACHE_DIR", str(tmp_path / "there" / "is none"))
    player = worker._player("platform:lanes")
    folder = Path(os.environ["OCL_ICD_VENDORS"])
    assert folder.parent == tmp_path / "there" / "is none"
    del player
    gc.collect()
    assert not folder.exists()


def test_python_plays_in_place(tmp_path: Path) -> None:
    played = worker._player("python:loop").play(_recording(tmp_path))
    played.launch()
    assert played.contents(0).view(np.float32).tolist() == [i + 2 for i in range(64)]
    assert played.is_settled()
    assert worker._player("python:loop").play(_recording(tmp_path)).code == played.code != ""
    assert worker._player("python:lanes").play(_recording(tmp_path)).code != played.code
    assert any("loop over work-items" in remark for remark in played.remarks)


class _Changing:
    """A player whose launches run by other code from the fifth on: it adds 3 in place of 2, and puts a number into a
    second memory, too."""

    version = "changing"

    def __init__(self) -> None:
        self.launches = 0

    def play(self, recording: Recording) -> Played:
        memories = recording.memories()

        def launch() -> None:
            self.launches += 1
            is_later = self.launches >= 5
            memories[0].view(np.float32)[...] += 3 if is_later else 2
            memories[1][0] |= is_later

        def put_back(number: int, data: Bytes) -> None:
            memories[number][...] = data

        return Played(
            launch, lambda number: memories[number], put_back, {0: "<f4"}, [], "code", lambda: self.launches >= 5
        )


def _with_a_second_memory(folder: Path) -> Path:
    recording = _recording(folder)
    np.zeros(4, np.uint8).tofile(folder / "memory-1")
    (folder / "source.cl").write_text(recording.source)
    (folder / "options").write_text("")
    (folder / "launch").write_text("kernel add\nglobal 64\nlocal-size 16\nbuffer 0 0 256\nbuffer 1 0 4\n")
    return folder


def test_results_are_those_of_the_code_that_is_timed_and_of_the_first(tmp_path: Path) -> None:
    loaded, prepared = worker._load(_Changing(), tmp_path, _with_a_second_memory(tmp_path), tmp_path / "results")
    results = cast(Results, read_results(tmp_path / "results"))
    assert loaded == Loaded([], "code", True)
    assert results.changed[0].view(np.float32)[0] == 3
    assert results.first[0].view(np.float32)[0] == 2
    assert (results.changed.keys(), results.first.keys(), results.unstable) == ({0, 1}, {0}, {0, 1})
    prepared.put_back()
    prepared.launch()  # on the recorded contents


def test_launches_that_never_settle_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "_PATIENCE", 0.05)
    count = [0]

    def launch() -> None:
        count[0] += 1
        time.sleep(0.001)

    assert not worker.settle(launch, lambda: None, lambda: False)
    assert count[0] > 5  # one after the other
