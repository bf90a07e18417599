# SPDX-License-Identifier: Apache-2.0
"""All kernels: those of bench/gpu/kernels, some of bench/cpu and bench/kernelgen, and the held-out ones.

The kernels of bench/cpu are in OpenCL C, and rewritten to CUDA C++ (`bench/simt.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from lanewise.errors import Error

from ..cpu import problem as cpu
from ..kernelgen.problem import KERNELS as KERNELGEN
from ..kernelgen.problem import Extent
from ..kernelgen.suite import SUITE as KERNELGEN_SUITE
from ..simt import cuda_of
from . import held_out_kernels, own_kernels
from .problem import Kernel, Launch

_OF_CPU: Final[Mapping[str, int]] = {
    "matmul": 64,
    "matmul_tiled": 64,
    "mandelbrot": 64,
    "nbody": 512,
    "blackscholes": 16384,
    "dct": 128,
    "bitonic": 16384,
    "scan": 16384,
    "transpose": 128,
    "fft": 64,
    "kmeans": 4096,
    "montecarlo": 2048,
    "sha256": 2048,
    "floydwarshall": 128,
    "levenshtein": 16,
    "spmv": 4096,
}
"""Kernels of bench/cpu, with their sizes."""
OF_KERNELGEN: Final[Mapping[str, Extent]] = {
    "wave13pt": Extent(132, 16, 8),
    "tricubic": Extent(131, 8, 8),
    "jacobi": Extent(258, 66),
    "gameoflife": Extent(258, 66),
    "gaussblur": Extent(260, 34),
    "lapgsrb": Extent(132, 16, 8),
    "uxx1": Extent(131, 16, 8),
    "whispering": Extent(258, 34),
}
"""Kernels of bench/kernelgen, with the sizes of their arrays."""
WIDTH: Final = 128
"""Threads of their blocks."""


def kernel_of_cpu(name: str, size: int) -> Kernel:
    def launch() -> Launch:
        problem = cpu.kernel(name).problem(size)
        shared = sum(each.nbytes for each in problem.arguments if isinstance(each, cpu.Local))
        arguments = tuple(each for each in problem.arguments if not isinstance(each, cpu.Local))
        grid = tuple(whole // part for whole, part in zip(problem.global_size, problem.local_size, strict=True))
        return Launch(grid, problem.local_size, arguments, shared)

    return Kernel(name, "bench/cpu", lambda: cuda_of(cpu.source(name).read_text()), launch)


def _of_kernelgen(name: str, extent: Extent) -> Kernel:
    benchmark = next(each for each in KERNELGEN_SUITE if each.name == name)

    def launch() -> Launch:
        problem = benchmark.prepare(extent, np.random.default_rng(3))
        return Launch(problem.points.grid(WIDTH), (WIDTH,), problem.arguments)

    return Kernel(name, "KernelGen", (KERNELGEN / f"{name}.cu").read_text, launch)


SUITE: Final[tuple[Kernel, ...]] = (
    *own_kernels.KERNELS,
    *(kernel_of_cpu(name, size) for name, size in _OF_CPU.items()),
    *(_of_kernelgen(name, extent) for name, extent in OF_KERNELGEN.items()),
)
HELD_OUT: Final = held_out_kernels.KERNELS


def kernel(name: str) -> Kernel:
    """The kernel of that name, held out or not. Error if there is none."""
    known = {each.name: each for each in (*SUITE, *HELD_OUT)}
    if name not in known:
        raise Error(f"no kernel of bench/gpu is called {name!r}; the kernels are {', '.join(known)}")
    return known[name]
