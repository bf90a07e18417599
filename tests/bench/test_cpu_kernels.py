# SPDX-License-Identifier: Apache-2.0
"""The kernels of bench/cpu, at small sizes: OpenCL C on the CPU and loops in Python, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from bench.cpu.compare import difference
from bench.cpu.problem import Local, Problem, kernel, names, source

import lanewise as lw


def _arguments(problem: Problem) -> list[object]:
    """Copies, since kernels that work in place must leave alone what NumPy computes from."""
    return [each.copy() if isinstance(each, np.ndarray) else each for each in problem.arguments]


@pytest.mark.parametrize("name", names())
def test_opencl_computes_what_numpy_does(name: str) -> None:
    chosen = kernel(name)
    problem = chosen.problem(chosen.tiny)
    arguments = [lw.local(each.nbytes) if isinstance(each, Local) else each for each in _arguments(problem)]
    compiled = lw.compile(source(name), options=chosen.options)[name]
    compiled.ndrange(problem.global_size, problem.local_size, device="cpu")(*arguments)
    assert difference(problem, [np.asarray(arguments[place]) for place in problem.results], problem.expected()) == ""


@pytest.mark.parametrize("name", names())
def test_loops_compute_what_numpy_does(name: str) -> None:
    chosen = kernel(name)
    problem = chosen.problem(chosen.tiny)
    arguments = _arguments(problem)
    assert chosen.numba is not None
    with np.errstate(over="ignore"):
        chosen.numba(*[each for each in arguments if not isinstance(each, Local)])
    assert difference(problem, [np.asarray(arguments[place]) for place in problem.results], problem.expected()) == ""
