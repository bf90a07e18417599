# SPDX-License-Identifier: Apache-2.0
"""What a row of the suite's table is, and a launch of its kernel on data with known results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

KERNELS: Final = Path(__file__).parent / "kernels"
Array = np.ndarray[Any, np.dtype[Any]]
UNTOUCHED: Final = np.float32(-77)
"""What results hold before the launch and, where the kernel doesn't write, after it."""


@dataclass(frozen=True, slots=True)
class Extent:
    """Sizes nx, ny, ns of a kernel's arrays, of which the first varies fastest; ns is 1 in two dimensions."""

    nx: int
    ny: int
    ns: int = 1


@dataclass(frozen=True, slots=True)
class Points:
    """The index space of a kernel: the lengths of its parallel loops."""

    inner: int
    """Iterations of the innermost parallel loop, which are threads."""
    outer: int = 1
    """Iterations of the outermost one, which are blocks."""
    middle: int = 1
    """Iterations of the one between them."""
    only_one_loop: bool = False
    """The innermost parallel loop is the outermost, too: its tiles are blockIdx.x."""

    def grid(self, width: int) -> tuple[int, int, int]:
        """Blocks for a block of `width` threads: x outermost loop, y tiles of the innermost, z the one between."""
        tiles = -(-self.inner // width)
        return (tiles, 1, 1) if self.only_one_loop else (self.outer, tiles, self.middle)


@dataclass(frozen=True, slots=True)
class Problem:
    """A launch."""

    arguments: tuple[Array | np.generic, ...]
    """In the kernel's order. Arrays are (ns, ny, nx) or (ny, nx), float32, in C order."""
    points: Points
    results: tuple[int, ...]
    """Positions of the arguments that the kernel writes."""
    expected: Callable[[], tuple[Array, ...]]
    """The results after one launch, as NumPy computes them, whole arrays with what the kernel leaves alone. Arguments
    must not have been written to."""


@dataclass(frozen=True, slots=True)
class Table2:
    """A row of the paper's Table 2, of code that NVHPC 22.3 made from OpenACC."""

    shuffles: int
    loads: int
    delta: float | None
    """Mean distance in threads of the shuffles, to two places; None where there are none."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A kernel of the suite. Its name is that of its file and that of the `__global__` function."""

    name: str
    paper: Table2
    prepare: Callable[[Extent, np.random.Generator], Problem]
    """A problem of some size. Sizes must leave at least one point: 6 a dimension are enough for all."""
    small: Extent
    """For tests on a CPU: no dimension is a multiple of 32."""
    extent: Extent
    """What the paper measures (section 6)."""
    width: int
    """Threads of a block, as the suite's OpenACC asks for, or the compiler's 128."""
    ulps: int
    """How far a result may be from NumPy's: in units of the last place of the greatest finite expected magnitude.
    NumPy rounds each operation to float32 in about the kernel's order; kernels contract products and sums."""
    loads: int
    """ld.global instructions in the PTX that Lanewise makes. Fewer than Table 2's where loops are unrolled otherwise
    or a load can't differ from an earlier one."""

    @property
    def source(self) -> Path:
        return KERNELS / f"{self.name}.cu"
