# SPDX-License-Identifier: Apache-2.0
"""The KernelGen suite at small sizes: against NumPy on both devices, and its loads as PTXASW's Table 2 counts them."""

from __future__ import annotations

import re

import numpy as np
import pytest
from bench.kernelgen.problem import KERNELS, UNTOUCHED, Array, Benchmark, Extent, Problem
from bench.kernelgen.suite import SUITE

import lanewise as lw

_all = pytest.mark.parametrize("benchmark", SUITE, ids=lambda each: each.name)


def _run(benchmark: Benchmark, extent: Extent, width: int, device: str) -> None:
    problem = benchmark.prepare(extent, np.random.default_rng(extent.nx))
    arguments = [each.copy() if isinstance(each, np.ndarray) else each for each in problem.arguments]
    kernel = lw.compile(benchmark.source)[benchmark.name]
    kernel.launch(problem.points.grid(width), width, tuple(arguments), device=lw.device(device))
    _check(benchmark, problem, arguments)


def _check(benchmark: Benchmark, problem: Problem, arguments: list[Array | np.generic]) -> None:
    for place, (before, after) in enumerate(zip(problem.arguments, arguments, strict=True)):
        if place in problem.results:
            expected = problem.expected[problem.results.index(place)]
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
