# SPDX-License-Identifier: Apache-2.0
"""What is measured: a kernel in OpenCL C, the data that it runs on, and the same by NumPy and Numba.

`bench/cpu/kernels/NAME.py` holds a `KERNEL` of this module's class, and the kernel NAME stands in NAME.cl beside it.
This module and those of the kernels need NumPy alone, since the peers' processes import them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

KERNELS: Final = Path(__file__).parent / "kernels"
Array = np.ndarray[Any, np.dtype[Any]]


class Local(NamedTuple):
    """The argument of a `__local` pointer: memory of each work-group."""

    nbytes: int


Argument = Array | np.generic | Local


@dataclass(frozen=True)
class Problem:
    """A launch: arguments in the kernel's order, sizes in work-items, x first."""

    arguments: tuple[Argument, ...]
    global_size: tuple[int, ...]
    local_size: tuple[int, ...]
    results: tuple[int, ...]
    """Positions of the arguments that the kernel writes."""
    expected: Callable[[], tuple[Array, ...]]
    """What NumPy says the results are after one launch."""
    tolerance: float = 0.0
    """Greatest error, relative to the greatest magnitude among the results; 0: equal to the bit."""
    differing: float = 0.0
    """Share of the elements that may differ by more: where rounding decides which way a branch goes."""
    nbytes: int = 0
    """Bytes that must be read and written at least; 0: memory is not what bounds the kernel."""
    flops: int = 0
    """Floating-point operations, where their number bounds the kernel."""

    @property
    def array_bytes(self) -> int:
        """Bytes of all arrays."""
        return sum(each.nbytes for each in self.arguments if isinstance(each, np.ndarray))


@dataclass(frozen=True)
class Kernel:
    """A kernel with its data at any size."""

    problem: Callable[[int], Problem]
    size: int
    """What is measured."""
    tiny: int
    """What an interpreter runs in a moment."""
    shown: str
    """The measured size in words: "16M", "512 x 512"."""
    numba: Callable[..., None] | None = None
    """The same in Python loops, for numba.njit(parallel=True); it takes the arguments but those in local memory. None
    for kernels that Numba is not compared with."""
    options: str = ""
    """Options of the OpenCL compiler."""


def names() -> list[str]:
    """All kernels, in the order of the tables."""
    return list(import_module("bench.cpu.kernels").NAMES)


def kernel(name: str) -> Kernel:
    return import_module(f"bench.cpu.kernels.{name}").KERNEL


def source(name: str) -> Path:
    return KERNELS / f"{name}.cl"
