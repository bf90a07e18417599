# SPDX-License-Identifier: Apache-2.0
"""The KernelGen suite at small sizes: against NumPy on both devices, and its loads as PTXASW's Table 2 counts them."""

from __future__ import annotations

import re

import numpy as np
import pytest
from bench.kernelgen.loops import in_loops
from bench.kernelgen.problem import KERNELS, UNTOUCHED, Array, Benchmark, Extent, Problem
from bench.kernelgen.suite import SUITE

import lanewise as lw

_all = pytest.mark.parametrize("benchmark", SUITE, ids=lambda each: each.name)


def _run(benchmark: Benchmark, extent: Extent, width: int, device: str, blocks: int = 0) -> None:
    """With a thread for each point, or so many `blocks` of the kernel in loops."""
    problem = benchmark.prepare(extent, np.random.default_rng(extent.nx))
    arguments = [each.copy() if isinstance(each, np.ndarray) else each for each in problem.arguments]
    source = in_loops(benchmark.source.read_text()) if blocks else benchmark.source.read_text()
    kernel = lw.compile(source, language="cuda")[benchmark.name]
    kernel.launch(blocks or problem.points.grid(width), width, tuple(arguments), device=lw.device(device))
    _check(benchmark, problem, arguments)


def _check(benchmark: Benchmark, problem: Problem, arguments: list[Array | np.generic]) -> None:
    results = problem.expected()
    for place, (before, after) in enumerate(zip(problem.arguments, arguments, strict=True)):
        if place in problem.results:
            expected = results[problem.results.index(place)]
            error = benchmark.ulps * np.spacing(np.abs(expected[expected != UNTOUCHED]).max())
            np.testing.assert_allclose(np.asarray(after, np.float32), expected, rtol=0, atol=error)
        else:
            np.testing.assert_array_equal(after, before)


@_all
@pytest.mark.parametrize("width", [33, 64, 512])
def test_cpu_computes_what_numpy_does(benchmark: Benchmark, width: int) -> None:
    _run(benchmark, benchmark.small, width, "cpu")


@_all
def test_cpu_computes_what_numpy_does_on_a_few_points(benchmark: Benchmark) -> None:
    flat = benchmark.small.ns == 1
    _run(benchmark, Extent(6, 7) if flat else Extent(6, 7, 8), 32, "cpu")


@pytest.mark.parametrize("name", ["jacobi", "laplacian", "matvec"])
def test_loops_compute_what_numpy_does(name: str) -> None:
    """Fewer blocks than rows, fewer threads than points, and both no multiples of one another."""
    (benchmark,) = (each for each in SUITE if each.name == name)
    _run(benchmark, benchmark.small, 48, "cpu", blocks=3)


def test_what_has_no_indices_has_no_loops() -> None:
    with pytest.raises(ValueError, match="doesn't begin with its indices"):
        in_loops("__global__ void k(int *p) { *p = 1; }")


@_all
def test_reference_computes_what_numpy_does(benchmark: Benchmark) -> None:
    flat = benchmark.small.ns == 1
    _run(benchmark, Extent(23, 6) if flat else Extent(11, 6, 6), 16, "reference")


@_all
def test_loads_are_those_of_the_table(benchmark: Benchmark) -> None:
    ptx = lw.compile(benchmark.source).ptx(arch="sm_80")
    assert len(re.findall(r"\bld\.global\b", ptx)) == benchmark.loads


def test_table_lists_every_kernel() -> None:
    assert [each.name for each in SUITE] == sorted(path.stem for path in KERNELS.glob("*.cu"))
    differing = {each.name for each in SUITE if each.loads != each.paper.loads}
    assert differing == {"matmul", "matvec", "whispering"}
