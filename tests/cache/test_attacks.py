# SPDX-License-Identifier: Apache-2.0
"""What can go wrong with a cache, seen from a program that compiles: python -m pytest tests/cache/test_attacks.py

Whatever happens, results are right, nothing hangs and nobody hears of it.
"""

import errno
import functools
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from lanewise.cache import Cache, key
from lanewise.config import Config
from lanewise.program.source.compilation import compile_source
from lanewise.runtime.build import compile_core
from lanewise.session import Session

CORE = functools.cache(compile_core)

SOURCE = "__device__ int cell = 5; __global__ void k(int *p) { p[threadIdx.x] = 3 * threadIdx.x + cell; }"


def _is_right(root: Path) -> bool:
    """Compiles and launches in a session of its own, twice: what the first leaves, the second finds."""
    for _ in range(2):
        out = np.zeros(32, np.int32)
        compile_source(Session(Config(root, 2, "cpu")), SOURCE, language="cuda")["k"][1, 32](out)
        if out.tolist() != [3 * i + 5 for i in range(32)]:
            return False
    return True


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch):  # pyright: ignore[reportUnusedFunction]
    """Compile the runtime's core once, however often the cache loses it."""
    monkeypatch.setattr("lanewise.runtime.build.compile_core", CORE)


def _file(path: Path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"")


def _root_is_a_file(root: Path):
    _file(root)


def _version_is_a_file(root: Path):
    _file(root / "v1")


def _objects_is_a_file(root: Path):
    _file(root / "v1" / "objects")


def _manifests_is_a_file(root: Path):
    _file(root / "v1" / "manifests")


def _partial_is_a_file(root: Path):
    _file(root / "v1" / "partial")


def _swept_is_a_folder(root: Path):
    (root / "v1" / "swept" / "x").mkdir(parents=True)


def _root_is_a_circle(root: Path):
    root.symlink_to(root)


def _root_is_a_device(root: Path):
    root.symlink_to("/dev/null")


@pytest.mark.parametrize(
    "prepare",
    [
        _root_is_a_file,
        _version_is_a_file,
        _objects_is_a_file,
        _manifests_is_a_file,
        _partial_is_a_file,
        _swept_is_a_folder,
        _root_is_a_circle,
        _root_is_a_device,
    ],
)
def test_folders_that_are_none(tmp_path: Path, prepare: Callable[[Path], None]):
    prepare(tmp_path / "cache")
    assert _is_right(tmp_path / "cache")


@pytest.mark.parametrize(("error", "written"), [(errno.ENOSPC, 100), (errno.EROFS, 0)])
def test_disks_that_are_full_or_forbidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: int, written: int):
    """Writing a file fails, also in its middle."""
    write = Path.write_bytes
    root = tmp_path / "cache"

    def fail(self: Path, data: bytes) -> int:
        if root in self.parents:
            write(self, data[:written])
            raise OSError(error, os.strerror(error))
        return write(self, data)

    monkeypatch.setattr(Path, "write_bytes", fail)
    assert _is_right(root)
    monkeypatch.undo()
    assert _is_right(root)


def _files(root: Path) -> list[Path]:
    return sorted(path for path in root.rglob("*") if path.is_file())


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "cut": lambda data: data[: len(data) // 2],
    "zeros": lambda data: bytes(len(data)),
    "a bit": lambda data: data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 16]) + data[len(data) // 2 + 1 :],
    "longer": lambda data: data + b"\n",
    "garbage": lambda data: bytes(range(256)) * 20,
}


def _damage(file: Path, how: str):
    """Another file takes its place: what this process has mapped must stay as it is."""
    data = file.read_bytes()
    file.with_suffix(".damaged").write_bytes(DAMAGES[how](data) if data else b"x")
    file.with_suffix(".damaged").replace(file)


def test_each_file_damaged(tmp_path: Path):
    """What is loaded into the process is checked before."""
    assert _is_right(tmp_path)
    for file in _files(tmp_path):
        if file.is_file():
            _damage(file, "a bit")
            assert _is_right(tmp_path), file


@pytest.mark.parametrize("how", DAMAGES)
def test_all_files_damaged(tmp_path: Path, how: str):
    assert _is_right(tmp_path)
    for file in _files(tmp_path):
        _damage(file, how)
    assert _is_right(tmp_path)


def test_deleted_while_in_use(tmp_path: Path):
    session = Session(Config(tmp_path, 2, "cpu"))
    module = compile_source(session, SOURCE, language="cuda")
    for block in (1, 8, 32):
        shutil.rmtree(tmp_path)
        out = np.zeros(block, np.int32)
        module["k"][1, block](out)
        assert out.tolist() == [3 * i + 5 for i in range(block)]
    shutil.rmtree(tmp_path)
    assert "st.global" in module.ptx()


@pytest.mark.parametrize("skew", [-400 * 86400, 400 * 86400])
def test_clocks_that_differ(tmp_path: Path, skew: int):
    """Files from the past or the future, as of a machine whose clock is wrong, are used and are cleaned up."""
    assert _is_right(tmp_path)
    base = tmp_path / "v1"
    left = base / "partial" / "left"
    left.mkdir(parents=True, exist_ok=True)
    moment = time.time() + skew
    for path in [*base.rglob("*")]:
        os.utime(path, (moment, moment))
    assert _is_right(tmp_path)
    cache = Cache(tmp_path)
    assert cache.put(key("new"), {"x": b"1"}) is not None  # the last sweep is long ago or still to come: this sweeps
    assert not left.exists()


LOAD = """
import sys
sys.path.insert(0, {folder!r})
from pathlib import Path
from test_attacks import _is_right
assert _is_right(Path(sys.argv[1]))
"""


def test_evictions_while_others_load(tmp_path: Path):
    code = LOAD.format(folder=str(Path(__file__).parent))
    processes = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stderr=subprocess.PIPE) for _ in range(2)
    ]
    try:
        cache = Cache(tmp_path, limit=1)
        while any(process.poll() is None for process in processes):
            cache.sweep()
            cache.clear()
            time.sleep(0.05)
        assert [(process.returncode, process.communicate()[1]) for process in processes] == [(0, b"")] * 2
    finally:
        for process in processes:
            process.kill()
