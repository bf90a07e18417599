# SPDX-License-Identifier: Apache-2.0
"""The suite as a table: what PTXASW's Table 2 says of each kernel, and how it is run and checked here.

Where `loads` differs from the paper's: matmul and matvec have a load fewer, since their loops are unrolled otherwise,
and no shuffles either way; whispering loads h(i,j) once where NVHPC did twice, a shuffle with a delta of 0.
"""

from __future__ import annotations

from typing import Final

from . import problems
from .problem import Benchmark, Extent, Table2

_SMALL_PLANE: Final = Extent(101, 9)
_SMALL_SPACE: Final = Extent(77, 7, 8)
_PLANE: Final = Extent(32768, 32768)
_SPACE: Final = Extent(512, 1024, 1024)

SUITE: Final = (
    Benchmark("divergence", Table2(1, 6, 2.0), problems.divergence, _SMALL_SPACE, _SPACE, 512, ulps=4, loads=6),
    Benchmark("gameoflife", Table2(6, 9, 1.5), problems.gameoflife, _SMALL_PLANE, _PLANE, 128, ulps=1, loads=9),
    Benchmark("gaussblur", Table2(20, 25, 2.5), problems.gaussblur, _SMALL_PLANE, _PLANE, 512, ulps=4, loads=25),
    Benchmark("gradient", Table2(1, 6, 2.0), problems.gradient, _SMALL_SPACE, _SPACE, 512, ulps=1, loads=6),
    Benchmark("jacobi", Table2(6, 9, 1.5), problems.jacobi, _SMALL_PLANE, _PLANE, 512, ulps=4, loads=9),
    Benchmark("lapgsrb", Table2(12, 25, 1.83), problems.lapgsrb, _SMALL_SPACE, _SPACE, 512, ulps=4, loads=25),
    Benchmark("laplacian", Table2(2, 7, 1.5), problems.laplacian, _SMALL_SPACE, _SPACE, 512, ulps=4, loads=7),
    Benchmark("matmul", Table2(0, 8, None), problems.matmul, Extent(77, 21, 5), Extent(32768, 32768, 32768), 512, 4, 7),
    Benchmark("matvec", Table2(0, 7, None), problems.matvec, Extent(21, 101), _PLANE, 128, ulps=4, loads=6),
    Benchmark("sincos", Table2(0, 2, None), problems.sincos, _SMALL_SPACE, _SPACE, 512, ulps=2, loads=2),
    Benchmark("tricubic", Table2(48, 67, 2.0), problems.tricubic, _SMALL_SPACE, _SPACE, 512, ulps=4, loads=67),
    Benchmark("tricubic2", Table2(48, 67, 2.0), problems.tricubic2, _SMALL_SPACE, _SPACE, 512, ulps=4, loads=67),
    Benchmark("uxx1", Table2(3, 17, 2.0), problems.uxx1, _SMALL_SPACE, Extent(512, 512, 1024), 512, ulps=4, loads=17),
    Benchmark("vecadd", Table2(0, 2, None), problems.vecadd, _SMALL_SPACE, _SPACE, 512, ulps=0, loads=2),
    Benchmark("wave13pt", Table2(4, 14, 2.5), problems.wave13pt, _SMALL_SPACE, _SPACE, 512, ulps=4, loads=14),
    Benchmark("whispering", Table2(6, 19, 0.83), problems.whispering, Extent(101, 9), Extent(8192, 16384), 512, 4, 18),
)
