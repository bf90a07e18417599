# SPDX-License-Identifier: Apache-2.0
"""A kernel of the suite, and a launch of it: sizes and arguments.

A kernel is a file of CUDA C++ with one `__global__` function of the file's name. Its row has the size at which it is
run on the simulated GPU, where its instructions are counted, and compared with the device `cpu`.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

FOLDER: Final = Path(__file__).parent
Array = np.ndarray[Any, np.dtype[Any]]
Make = Callable[[np.random.Generator], Array]
Argument = Make | int | float
"""An array, made of random numbers that differ from argument to argument, or a scalar."""


def reals(n: int, low: float = -1.0, high: float = 1.0, dtype: str = "f4") -> Make:
    """`n` floating-point numbers of [low, high)."""
    return lambda rng: rng.uniform(low, high, n).astype(dtype)


def integers(n: int, low: int, high: int, dtype: str = "i4") -> Make:
    """`n` integers of [low, high)."""
    return lambda rng: rng.integers(low, high, n).astype(dtype)


def blank(n: int, dtype: str = "f4") -> Make:
    """`n` zeros: results."""
    return lambda rng: np.zeros(n, dtype)


def given(make: Callable[[], Array]) -> Make:
    """An array that a function computes."""
    return lambda rng: np.ascontiguousarray(make())


@dataclass(frozen=True)
class Launch:
    """Sizes in blocks and threads, arguments in the kernel's order, bytes of dynamic shared memory."""

    grid: tuple[int, ...]
    block: tuple[int, ...]
    arguments: tuple[Array | np.generic | int | float, ...]
    shared: int = 0

    def fresh(self) -> list[Any]:
        """The arguments with copies of the arrays, for a kernel to write."""
        return [each.copy() if isinstance(each, np.ndarray) else each for each in self.arguments]


@dataclass(frozen=True)
class Kernel:
    """A row of the suite's table."""

    name: str
    kind: str
    """The paper or the benchmark suite that has such a kernel."""
    source: Callable[[], str]
    launch: Callable[[], Launch]

    @property
    def threads(self) -> int:
        """Threads per block."""
        return int(np.prod(self.launch().block))


class Family:
    """The kernels of a folder that belong together: `add` makes rows of them."""

    def __init__(self, kind: str, folder: str = "kernels") -> None:
        self.kind: Final = kind
        self.rows: Final[list[Kernel]] = []
        self._folder: Final = FOLDER / folder

    def add(
        self,
        name: str,
        grid: int | tuple[int, ...],
        block: int | tuple[int, ...],
        *arguments: Argument,
        shared: int = 0,
    ) -> None:
        path = self._folder / f"{name}.cu"

        def launch() -> Launch:
            seeds = (np.random.default_rng([zlib.crc32(name.encode()), place]) for place in range(len(arguments)))
            values = tuple(each(rng) if callable(each) else each for each, rng in zip(arguments, seeds, strict=True))
            return Launch(_extent(grid), _extent(block), values, shared)

        self.rows.append(Kernel(name, self.kind, path.read_text, launch))


def _extent(size: int | tuple[int, ...]) -> tuple[int, ...]:
    return (size,) if isinstance(size, int) else size
