# SPDX-License-Identifier: Apache-2.0
"""Times on a GPU: sizes, what a folder holds, rounds and comparisons by a GPU that is made up, tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bench.gpu.problem import Launch
from bench.gpu.suite import HELD_OUT, SUITE
from bench.gpu.timing import large, playing, tables
from bench.gpu.timing.driver import packed
from bench.gpu.timing.outputs import difference
from bench.gpu.timing.packing import pack, parameters_of
from bench.gpu.tools import Tools
from bench.kernelgen.suite import SUITE as KERNELGEN

import lanewise as lw


class MadeUpGpu:
    """Memory is an array, a kernel adds a number to its first argument, and takes so many milliseconds."""

    def __init__(self, **kernels: tuple[float, float]) -> None:
        self.kernels = kernels
        self.memory: dict[int, np.ndarray[Any, Any]] = {}
        self.seen: list[float] = []

    def upload(self, array: np.ndarray[Any, Any]) -> int:
        self.memory[len(self.memory) + 1] = array.copy()
        return len(self.memory)

    def download(self, memory: int, like: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        assert like.nbytes == self.memory[memory].nbytes
        return self.memory[memory].copy()

    def copy(self, to: int, memory: int, nbytes: int) -> None:
        assert self.memory[memory].nbytes == nbytes
        self.memory[to][:] = self.memory[memory]

    def free(self, memory: int) -> None:
        assert memory in self.memory

    def function(self, machine_code: bytes, entry: str) -> str:
        assert entry == "k"
        return machine_code.decode()

    def allow_shared(self, function: str, nbytes: int) -> None:
        assert function in self.kernels
        assert nbytes == 0

    def start(self, function: str, launch: Launch, values: Any) -> None:
        assert launch.grid == (1,)
        out = self.memory[values[0][0]]
        self.seen.append(float(out[0]))
        out += self.kernels[function][0]

    def wait(self) -> None:
        pass

    def milliseconds(self, function: str, launch: Launch, values: Any, times: int) -> float:
        for _ in range(times):
            self.start(function, launch, values)
        return self.kernels[function][1]


def _row(folder: Path, names: Sequence[str]) -> dict[str, Any]:
    for name in names:
        (folder / name).write_text(name)
    made = {name: {"file": name, "entry": "k"} for name in names}
    return {"group": "suite", "name": "k", "parameters": ["u64", "u64", "u32"], "compilers": made}


def test_compilers_take_turns_on_restored_arrays_and_are_compared(tmp_path: Path):
    gpu = MadeUpGpu(lanewise=(1, 0.05), nvcc=(1.5, 0.1))
    launch = Launch((1,), (32,), (np.zeros(4, np.float32), np.ones(4, np.float32), 4))
    found = playing._played(gpu, tmp_path, _row(tmp_path, ["lanewise", "nvcc"]), launch, (), 5)  # type: ignore[arg-type]
    assert found["launches"] == 4, "a fifth of a millisecond"
    assert found["milliseconds"] == {"lanewise": [0.05] * 5, "nvcc": [0.1] * 5, "again": [0.05] * 5}
    assert found["difference"] == {"lanewise": 0, "nvcc": 0.5}
    assert found["bytes"] == 32, "two arrays, of which one is a result"
    assert max(gpu.seen) == 4.5, "no measurement begins with what the one before has written"
    assert tables.speed(found, "lanewise", "nvcc") == 2


def test_a_write_to_another_array_is_a_difference(tmp_path: Path):
    class Stray(MadeUpGpu):
        def start(self, function: str, launch: Launch, values: Any) -> None:
            super().start(function, launch, values)
            if function == "nvcc":
                self.memory[values[0][1]][1] = 3

    gpu = Stray(lanewise=(1, 1), nvcc=(1, 1))
    launch = Launch((1,), (32,), (np.zeros(4, np.float32), np.ones(4, np.float32), 4))
    found = playing._played(gpu, tmp_path, _row(tmp_path, ["lanewise", "nvcc"]), launch, (), 2)  # type: ignore[arg-type]
    assert found["difference"] == {"lanewise": 0, "nvcc": 2}


def test_all_elements_of_large_arrays_are_compared():
    large_array = np.ones(9_000_000, np.float32)
    other = large_array.copy()
    other[8_388_609] = 1.5
    assert difference(other, large_array) == 0.5


def test_what_the_small_launch_computes_is_compared_with_the_cpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    launch = Launch((1,), (32,), (np.zeros(4, np.float32), np.ones(4, np.float32), 4))

    class Kernel:
        launch = staticmethod(lambda: launch)

    monkeypatch.setattr(playing, "kernel", lambda name: Kernel)
    np.savez_compressed(tmp_path / "small.npz", **{"0": np.ones(4, np.float32)})
    row = {**_row(tmp_path, ["lanewise", "nvcc"]), "small": "small.npz"}
    gpu = MadeUpGpu(lanewise=(1, 1), nvcc=(1.25, 1))
    assert playing._exact(gpu, tmp_path, row) == {"lanewise": 0, "nvcc": 0.25}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "No such file or directory"),
        ("{", "Expecting property name"),
        ("[1]", "it has no 'kernels'"),
        ('{"gpu": 1}', "it has no 'kernels'"),
    ],
)
def test_files_that_are_no_records(tmp_path: Path, text: str | None, said: str):
    if text is not None:
        (tmp_path / "index.json").write_text(text)
    with pytest.raises(lw.Error, match=f"index.json is not the index of a packed folder: {said}"):
        playing.play(tmp_path, (), (), 1, tmp_path / "out.json")


def test_unknown_kernels_and_architectures_make_no_folder(tmp_path: Path):
    tools = Tools(Path("ptxas"), Path("nvcc"), None, ())
    with pytest.raises(lw.Error, match="no kernel is called 'adams'; the kernels are adam, "):
        pack(tmp_path / "folder", "sm_90", tools, ["adam", "adams"], print)
    with pytest.raises(lw.Error, match="unknown architecture 'sm_9'"):
        pack(tmp_path / "folder", "sm_9", tools, ["adam"], print)
    assert not (tmp_path / "folder").exists()


def test_all_kernels_have_a_large_size():
    assert set(large.SUITE) == {each.name for each in SUITE}
    assert set(large.HELD_OUT) == {each.name for each in HELD_OUT}
    assert set(large.KERNELS) == {each.name for each in KERNELGEN}


def test_arguments_have_the_sizes_of_parameters():
    source = "__global__ void k(int *p, long n, float x, unsigned char c) { *p = n * x + c; }"
    parameters = parameters_of(lw.compile(source, language="cuda").ptx("sm_80"))
    assert [each[1:] for each in parameters] == ["64", "64", "32", "8"]
    values, kinds = packed([7, 5, 2], ["u64", "s64", "f32"])
    assert values == (7, 5, 2.0)
    assert [kind.__name__ for kind in kinds] == ["c_long", "c_long", "c_float"]


@pytest.mark.parametrize(
    ("found", "expected", "apart"),
    [
        ([1.0, 2.0], [1.0, 2.0], 0),
        ([1.0, 3.0], [1.0, 2.0], 0.5),
        ([np.nan, 1.0], [np.nan, 1.0], 0),
        ([np.nan, 1.0], [0.5, 1.0], np.inf),
        ([np.inf, 1.0], [np.inf, 2.0], 0.5),
        ([0.0, 1.0], [-0.0, 1.0], np.nextafter(0, 1)),
    ],
)
def test_differences_are_relative_to_the_greatest(found: list[float], expected: list[float], apart: float):
    assert difference(np.array(found, np.float32), np.array(expected, np.float32)) == apart


def test_tables_say_what_is_slow_and_what_is_wrong():
    def row(name: str, ours: float, theirs: float, **more: Any) -> dict[str, Any]:
        times = {"lanewise": [ours] * 3, "nvcc": [theirs] * 3, "llvm": [ours] * 3, "again": [ours] * 3}
        row = {"group": "suite", "name": name, "bytes": 1 << 20, "milliseconds": times, "difference": {}}
        return {**row, "small": {"same bits": 0.0}, **more}

    rows = [
        row("fast", 1, 2),
        row("slow", 2, 1, small={"same bits": 0.5}),
        {"group": "suite", "name": "broken", "failure": "no end"},
    ]
    found = {"gpu": "GPU", "arch": "sm_90", "copy": 3e12, "kernels": rows}
    text = "\n".join(tables.document(found, {"fast": 0.5, "slow": 2.0}))
    assert "| the suite | 2 | 1.000 | 1.000 | 0.500 | 2.000 | 1.000 |" in text
    assert "* Below 0.95 of nvcc, the suite: `slow` 0.50." in text
    assert "1 of 2 kernels compute the bits of the CPU, but for `slow`" in text
    assert "* Failed: `broken` (no end)." in text
    assert "| fast | 1.000 | 2.000 | 2.00 | 1.00 | 1.00 | 0.00 | 0.50 |" in text
