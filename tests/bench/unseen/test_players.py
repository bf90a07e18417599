# SPDX-License-Identifier: Apache-2.0
"""The players of Lanewise: by calls of Python and by those of OpenCL, for which pyopencl is stood in for."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from bench.cpu import environment
from bench.unseen.played import Played
from bench.unseen.recording import Buffer, Bytes, Recording, Value

from bench.unseen import ours_by_opencl, worker


def _recording(folder: Path) -> Recording:
    np.arange(64, dtype=np.float32).tofile(folder / "memory-0")
    source = "kernel void add(global float *x, float by) { x[get_global_id(0)] += by; }"
    arguments = Buffer(0, 0, 256), Value(np.float32(2).tobytes())
    return Recording("program/add-1", folder, "add", source, "", (64,), (16,), None, arguments)


class _OpenCl:
    """What the player of OpenCL's calls would be."""

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
    assert not played.is_settled()  # the platform may still be compiling for its local size
    assert played.types == {0: "<f4"}
    assert any("lanes" in remark for remark in played.remarks)
    monkeypatch.setattr(ours_by_opencl, "_SETTLES", 0.0)
    assert player.play(_recording(tmp_path)).is_settled()


def test_python_plays_in_place(tmp_path: Path) -> None:
    played = worker._player("python:loop").play(_recording(tmp_path))
    played.launch()
    assert played.contents(0).view(np.float32).tolist() == [i + 2 for i in range(64)]
    assert played.is_settled()
    assert any("loop over work-items" in remark for remark in played.remarks)
