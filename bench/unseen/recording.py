# SPDX-License-Identifier: Apache-2.0
"""Launches that `recorder.c` wrote, which says what the files are."""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

Bytes = np.ndarray[Any, np.dtype[np.uint8]]

_PAGE: Final = 4096
_HALVES: Final = ("tune", "held-out")


class Buffer(NamedTuple):
    """A part of the memory of a number, in bytes."""

    memory: int
    offset: int
    nbytes: int


class Value(NamedTuple):
    """An argument that is no buffer, as the program gave it; a NULL pointer, too."""

    data: bytes


class Local(NamedTuple):
    """Memory of each work-group."""

    nbytes: int


Argument = Buffer | Value | Local


@dataclass(frozen=True)
class Recording:
    """A kernel's launch. Sizes are in work-items, x first; without a local size the implementation chooses."""

    name: str
    """The folder of the launch, relative to that of all: PROGRAM/KERNEL-HASH."""
    folder: Path
    kernel: str
    source: str
    options: str
    global_size: tuple[int, ...]
    local_size: tuple[int, ...] | None
    offset: tuple[int, ...] | None
    arguments: tuple[Argument, ...]

    def memories(self) -> dict[int, Bytes]:
        """The contents of the buffers before the launch, each from the start of a page."""
        numbers = {each.memory for each in self.arguments if isinstance(each, Buffer)}
        return {number: _placed(self.folder / f"memory-{number}") for number in sorted(numbers)}

    def half(self, seed: int) -> str:
        """The half that the launch belongs to, "tune" or "held-out": by chance, but the same for a seed and a name."""
        return _HALVES[hashlib.sha256(f"{seed}:{self.name}".encode()).digest()[0] & 1]


def recordings(folder: Path, most: int = sys.maxsize) -> list[Recording]:
    """The launches in a folder and the folders in it (see `at_most`), in a random order, always the same: what was
    played when a long run is cut short is a fair sample. Folders with a dot in their name are what a recorder that was
    ended left behind."""
    found = (launch.parent for launch in folder.rglob("launch"))
    names = sorted(str(launch.relative_to(folder)) for launch in found if "." not in launch.name)
    kept = sorted(at_most(names, most), key=lambda name: hashlib.sha256(name.encode()).digest())
    return [read(folder, folder / name) for name in kept]


def at_most(names: Sequence[str], most: int) -> list[str]:
    """The names, of which `most` in a program are of kernels of the same name: a library makes dozens of one pattern.
    Their order is that of the hashes, and so a random one."""
    counts: Counter[str] = Counter()
    kept: list[str] = []
    for name in names:
        kernel = name.rpartition("-")[0]
        counts[kernel] += 1
        if counts[kernel] <= most:
            kept.append(name)
    return kept


def read(folder: Path, launch: Path) -> Recording:
    """The launch in one of the folders below `folder`. ValueError for a line that the recorder doesn't write."""
    words: dict[str, list[str]] = {}
    arguments: list[Argument] = []
    for line in (launch / "launch").read_text().splitlines():
        first, *rest = line.split(" ")
        if first in _ARGUMENTS:
            arguments.append(_ARGUMENTS[first](rest))
        elif first in ("kernel", "global", "local-size", "offset"):
            words[first] = rest
        else:
            raise ValueError(f"{launch}/launch: no line begins with '{first}'")
    sizes = {word: tuple(map(int, rest)) for word, rest in words.items() if word != "kernel"}
    return Recording(
        str(launch.relative_to(folder)),
        launch,
        words["kernel"][0],
        (launch / "source.cl").read_text(errors="surrogateescape"),
        (launch / "options").read_text(errors="surrogateescape"),
        sizes["global"],
        sizes.get("local-size"),
        sizes.get("offset"),
        tuple(arguments),
    )


_ARGUMENTS: Final[dict[str, Callable[[list[str]], Argument]]] = {
    "buffer": lambda words: Buffer(*map(int, words)),
    "value": lambda words: Value(bytes.fromhex(words[0])),
    "local": lambda words: Local(int(words[0])),
}


def _placed(path: Path) -> Bytes:
    contents = np.fromfile(path, np.uint8)
    memory = np.empty(contents.nbytes + _PAGE, np.uint8)
    start = -memory.ctypes.data % _PAGE
    copy = memory[start : start + contents.nbytes]
    copy[...] = contents
    return copy
