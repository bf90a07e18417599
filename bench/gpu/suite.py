# SPDX-License-Identifier: Apache-2.0
"""All kernels: those of bench/gpu/kernels, some of bench/cpu and bench/kernelgen, and the held-out ones.

The kernels of bench/cpu are in OpenCL C, and rewritten to CUDA C++ (`bench/simt.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
LOOKED_AT: Final = held_out_kernels.LOOKED_AT
"""Kernels of `HELD_OUT` that aren't held out any more."""


def kernel(name: str) -> Kernel:
    """The kernel of that name, held out or not. Error if there is none."""
    known = {each.name: each for each in (*SUITE, *HELD_OUT)}
    if name not in known:
        raise Error(f"no kernel of bench/gpu is called {name!r}; the kernels are {', '.join(known)}")
    return known[name]


def sets(names: Iterable[str]) -> dict[str, list[str]]:
    """The sets that kernels belong to, and those of each: "the suite", "held out", "looked at since". Empty ones are
    left out."""
    held_out = {each.name for each in HELD_OUT}
    found: dict[str, list[str]] = {"the suite": [], "held out": [], "looked at since": []}
    for name in names:
        of = "looked at since" if name in LOOKED_AT else "held out" if name in held_out else "the suite"
        found[of].append(name)
    return {title: members for title, members in found.items() if members}


def check_whole(names: Iterable[str], *, held_out: bool) -> None:
    """Error unless these are the kernels of the suite, or all of those in bench/gpu/held_out."""
    found, whole = set(names), {each.name for each in (HELD_OUT if held_out else SUITE)}
    if missing := sorted(whole - found):
        raise Error(f"the document has all kernels of {_folder(held_out)}; these numbers lack {missing[0]!r}")
    if others := sorted(found - whole):
        raise Error(f"{others[0]!r} is no kernel of {_folder(held_out)}")


def _folder(held_out: bool) -> str:
    return "bench/gpu/held_out" if held_out else "the suite"
