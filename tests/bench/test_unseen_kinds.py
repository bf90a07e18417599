# SPDX-License-Identifier: Apache-2.0
"""The kernels of bench/unseen_kinds, at small sizes, by lanes and by a loop over work-items, against NumPy."""

import numpy as np
import pytest
from bench.cpu.compare import difference
from bench.unseen_kinds.__main__ import kernel, source
from bench.unseen_kinds.kernels import NAMES

import lanewise as lw


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("mapping", ["lanes", "loop"])
def test_mappings_compute_what_numpy_does(name: str, mapping: str):
    problem = kernel(name).problem(kernel(name).tiny)
    arguments = [each.copy() if isinstance(each, np.ndarray) else each for each in problem.arguments]
    compiled = lw.compile(source(name), mapping=mapping)[name]
    compiled.ndrange(problem.global_size, problem.local_size, device="cpu")(*arguments)
    assert difference(problem, [np.asarray(arguments[place]) for place in problem.results], problem.expected()) == ""
