# SPDX-License-Identifier: Apache-2.0
"""Orders that the driver hands to a peer's process, and results that come back, as files."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from .problem import KERNELS, Argument, Array, Problem

_PAGE: Final = 4096


class Order(NamedTuple):
    """A kernel to compile and launch."""

    kernel: str
    options: str
    arguments: tuple[Argument, ...]
    global_size: tuple[int, ...]
    local_size: tuple[int, ...]
    results: tuple[int, ...]
    offset: int
    """Bytes from the start of a page to each array."""
    folder: Path = KERNELS
    """The folder of the kernel's source."""

    @classmethod
    def of(cls, kernel: str, problem: Problem, options: str, offset: int = 0, folder: Path = KERNELS) -> Order:
        sizes = problem.global_size, problem.local_size
        return cls(kernel, options, problem.arguments, *sizes, problem.results, offset, folder)

    @property
    def source(self) -> Path:
        """The file with the kernel's source, in OpenCL C."""
        return self.folder / f"{self.kernel}.cl"


PLACEMENTS: Final = {"page": 0, "numpy": 16}
"""Places of arrays, as bytes from the start of a page: as OpenCL's buffers and large allocations of GPUs lie, and as
NumPy's large arrays do, for which malloc keeps 16 bytes of its own at the start."""


def placed(array: Array, offset: int) -> Array:
    """A copy that begins `offset` bytes into a page: the same memory for all peers."""
    memory = np.empty(array.nbytes + 2 * _PAGE, np.uint8)
    start = -memory.ctypes.data % _PAGE + offset
    copy = memory[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def write(path: Path, what: object) -> None:
    with path.open("wb") as file:
        pickle.dump(what, file, protocol=5)


def read_order(path: Path) -> Order:
    with path.open("rb") as file:
        order: Order = pickle.load(file)
    copied = tuple(placed(each, order.offset) if isinstance(each, np.ndarray) else each for each in order.arguments)
    return order._replace(arguments=copied)


def read_results(path: Path) -> list[Array]:
    with path.open("rb") as file:
        return pickle.load(file)
