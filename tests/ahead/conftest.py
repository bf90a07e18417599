# SPDX-License-Identifier: Apache-2.0
"""A module that is built once, and programs that run where nothing can compile."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

MODULE = '''\
"""Loops that are built ahead of time."""

import numpy as np

import lanewise as lw

LIMIT = 10


@lw.jit(exact=True)
def total(a: lw.f64[:], start: int = 0):
    """The sum of an array."""
    s = 0.0
    for i in lw.prange(start, a.shape[0]):
        s += a[i]
    return s


@lw.jit(exact=True)
def blur(a: lw.f64[:, :], b: lw.f64[:, :], steps: int):
    n, m = a.shape
    for _ in range(steps):
        for i in lw.prange(1, n - 1):
            for j in range(1, m - 1):
                b[i, j] = 0.25 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])
        a, b = b, a
    return a


@lw.jit(exact=True)
def halved(a: lw.f64[:, :], b: lw.f64[:, :]):
    for i in lw.prange(a.shape[0]):
        for j in range(a.shape[1]):
            b[i, j] = 0.5 * a[i, j] + 1.0


@lw.jit
def first_above(a: lw.f32[:], x: float):
    for i in range(len(a)):
        if a[i] > x:
            return i
    return -1


@lw.jit(exact=True)
def scaled(a: lw.f64[:]):
    out = np.empty_like(a)
    k = 0
    for i in range(len(a)):
        k += i
    for i in lw.prange(len(a)):
        out[i] = a[i] * LIMIT + k
    return out


@lw.jit
def untyped(a):
    for i in lw.prange(len(a)):
        a[i] += 1
'''

NO_COMPILER = """\
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("llvmlite", "ziglang"):
            raise ImportError(f"{name} is not to be imported")

sys.meta_path.insert(0, Refuse())
"""

Python = Callable[..., subprocess.CompletedProcess[str]]


def run(words: list[str], folder: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, *words], cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip


def build(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return run(["-P", "-m", "lanewise", "build", *words], folder)


@pytest.fixture(scope="session")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with fast.py and what was built of it."""
    folder = tmp_path_factory.mktemp("built")
    source = tmp_path_factory.mktemp("source")
    (source / "fast.py").write_text(MODULE)
    done = build(source, "fast.py", "--output", str(folder))
    assert done.returncode == 0, done.stderr
    assert sorted(each.name for each in folder.iterdir()) == ["fast.jit.lwo", "fast.py"]
    assert done.stderr == "fast.py:56: remark: 'untyped' stays Python's: parameter 'a' has no type\n"
    assert "total, blur, halved, first_above, scaled" in done.stdout
    return folder


@pytest.fixture
def without_compiler(tmp_path: Path) -> Python:
    """A function that runs a program in a folder, where there is no compiler, and nothing is in the cache."""

    def without_compiler(folder: Path, code: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        settings = {"LANEWISE_CACHE_DIR": str(tmp_path / "cache"), **environment}
        return run(["-c", NO_COMPILER + code], folder, **settings)

    return without_compiler
