# SPDX-License-Identifier: Apache-2.0
"""What the driver hands to a peer's process, and what comes back, as files; arrays at the start of a page."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from .problem import Argument, Array, Problem

_PAGE: Final = 4096


class Order(NamedTuple):
    """A kernel to compile and launch."""

    kernel: str
    options: str
    arguments: tuple[Argument, ...]
    global_size: tuple[int, ...]
    local_size: tuple[int, ...]
    results: tuple[int, ...]

    @classmethod
    def of(cls, kernel: str, problem: Problem, options: str) -> Order:
        return cls(kernel, options, problem.arguments, problem.global_size, problem.local_size, problem.results)


def aligned(array: Array) -> Array:
    """A copy that begins a page, as OpenCL's buffers do: the same memory for all peers, and nobody copies it."""
    memory = np.empty(array.nbytes + _PAGE, np.uint8)
    start = -memory.ctypes.data % _PAGE
    copy = memory[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def write(path: Path, what: object) -> None:
    with path.open("wb") as file:
        pickle.dump(what, file, protocol=5)


def read_order(path: Path) -> Order:
    with path.open("rb") as file:
        order: Order = pickle.load(file)
    copied = tuple(aligned(each) if isinstance(each, np.ndarray) else each for each in order.arguments)
    return order._replace(arguments=copied)


def read_results(path: Path) -> list[Array]:
    with path.open("rb") as file:
        return pickle.load(file)
