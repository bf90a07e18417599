# SPDX-License-Identifier: Apache-2.0
"""A kernel that was made of a region."""

from collections.abc import Mapping
from typing import NamedTuple

from lanewise.device.launch import Extent, Parameters
from lanewise.frontend.python.conflicts import ProvenConflict
from lanewise.frontend.python.parallel import Grid
from lanewise.frontend.python.python_types import Number, Type
from lanewise.frontend.python.tiling.plan import RegisterTiling, Untiled
from lanewise.frontend.python.unrolling.shape import Unrolling
from lanewise.jit.direct import DirectCalls
from lanewise.program.module import Module

Tiling = RegisterTiling | Unrolling | Untiled


class Made(NamedTuple):
    """A region's kernel for certain types. `types`: those of the inputs."""

    module: Module
    symbol: str
    passed: Parameters
    types: Mapping[str, Type]
    grid: Grid | None
    written: tuple[int, ...]
    """Numbers of the input arrays that the kernel writes to."""
    results: tuple[tuple[str, Number], ...]
    """Names and types of outputs, in order."""
    tiling: Tiling
    """The nest's tiling, or why there is none."""
    geometries: dict[tuple[int, ...], tuple[Extent, Extent, int]]
    """Grid, block and chunk by the numbers of iterations, for the first few."""
    direct: DirectCalls
    conflicts: tuple[ProvenConflict, ...] = ()
    """Iterations that conflict if there are enough of them."""
