# SPDX-License-Identifier: Apache-2.0
"""Errors end where the user called, `dir` and `repr` are for people, and `import lanewise` loads next to nothing."""

import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw

SOURCE = "__device__ int v[3]; __global__ void k(int *p) { *p = v[1]; }"
HOME = Path(lw.__file__).parent

MISTAKES: list[Callable[[lw.Module], object]] = [
    lambda module: lw.compile("__global__ what", language="cuda"),
    lambda module: lw.load("nowhere.lwo"),
    lambda module: lw.device("gpu"),
    lambda module: lw.zeros(-1),
    lambda module: module["absent"],
    lambda module: module.variable("absent"),
    lambda module: module.ptx("sm_1"),
    lambda module: module["k"][1, 2](2.5),
    lambda module: module["k"][1, 2](None),  # fails as it runs
    lambda module: module["k"].launch(1, 2, (None,), device="reference"),
    lambda module: module["k"].ndrange(4, 2)(2.5),
    lambda module: module["k"].info(5000),
]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_one_frame_of_lanewise(
    compile_cuda: Callable[[str], lw.Module], mistake: Callable[[lw.Module], object], monkeypatch: pytest.MonkeyPatch
):
    module = compile_cuda(SOURCE)
    with pytest.raises(lw.Error) as info:
        mistake(module)
    frames = [Path(frame.filename) for frame in traceback.extract_tb(info.value.__traceback__)]
    assert sum(path.is_relative_to(HOME) for path in frames) == 1
    assert all(not Path(entry.path).is_relative_to(HOME) for entry in info.traceback.filter(info))
    monkeypatch.setenv("LANEWISE_TRACEBACKS", "full")
    with pytest.raises(lw.Error) as info:
        mistake(module)
    assert len(traceback.extract_tb(info.value.__traceback__)) > len(frames)


def test_a_defect_keeps_its_frames(compile_cuda: Callable[[str], lw.Module], monkeypatch: pytest.MonkeyPatch):
    kernel = compile_cuda(SOURCE)["k"]
    monkeypatch.setattr(sys.modules["lanewise.program.kernel"], "in_default_stream", lambda *_: 1 // 0)
    with pytest.raises(ZeroDivisionError) as info:
        kernel[1, 1](np.zeros(1, np.int32))
    assert [entry.name for entry in info.traceback.filter(info)][-3:] == ["_launch", "_run", "<lambda>"]


def test_dir_lists_what_is_public():
    assert {name for name in dir(lw) if not name.startswith("__")} == set(lw.__all__)
    assert all(hasattr(lw, name) for name in dir(lw))


def test_reprs(compile_cuda: Callable[[str], lw.Module]):
    assert repr(lw.device("cpu")).startswith("<device cpu: ")
    assert repr(lw.device("reference")).startswith("<device reference: ")
    info = compile_cuda(SOURCE)["k"].info((8, 2))
    assert repr(info) == "<kernel k, block 8 x 2 x 1: 1 region, mapping auto, 0 bytes of memory per block>"


def test_the_import_loads_no_other_module():
    code = "import sys; before = set(sys.modules); import lanewise; print(sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    loaded = done.stdout.strip()
    assert loaded == str(["__future__", "lanewise", "lanewise.device", "lanewise.errors", "lanewise.jit"])
