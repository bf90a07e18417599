# SPDX-License-Identifier: Apache-2.0
"""The workloads of bench/loops at small sizes, run by Python and compiled, against NumPy."""

from __future__ import annotations

import copy
import dataclasses

import numpy as np
import pytest
from bench.loops.workload import Case, all_cases, case

CASES = all_cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.parametrize("compiled", [False, True], ids=["python", "compiled"])
def test_loops_compute_what_numpy_does(case: Case, compiled: bool) -> None:
    function = case.workload.function
    arguments = case.arguments(case.workload.tiny)
    expected = case.workload.reference(*copy.deepcopy(arguments))
    returned = (function if compiled else function.py_func)(*arguments)
    assert case.difference(case.written(returned, arguments), expected) == ""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_inputs_are_the_same_each_time_and_references_leave_them_alone(case: Case) -> None:
    first, second = case.arguments(case.workload.tiny), case.arguments(case.workload.tiny)
    case.workload.reference(*first)
    for one, other in zip(first, second, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_difference_names_the_result_and_the_element() -> None:
    stencil = case("stencil")
    expected = (np.arange(6.0).reshape(2, 3),)
    assert stencil.difference(expected, expected) == ""
    wrong = expected[0].copy()
    wrong[1, 2] = np.nan
    assert stencil.difference((wrong,), expected) == "result 0: 1 of 6 differ, most at (1, 2): nan, not 5.0"
    assert stencil.difference((wrong[0],), expected) == "result 0: shape (3,), not (2, 3)"


def test_the_tolerance_is_that_of_the_type_and_some_may_differ() -> None:
    expected, near = (np.ones(1000),), (np.ones(1000) + 1e-7,)
    assert case("matmul:float64").difference(near, expected) != ""
    assert case("matmul:float32").difference(near, expected) == ""
    some = dataclasses.replace(case("mandelbrot").workload, differing=1e-3)
    differing = np.ones(1000)
    differing[0] = 7
    assert case("mandelbrot")._replace(workload=some).difference((differing,), expected) == ""
    differing[1] = 7
    assert case("mandelbrot")._replace(workload=some).difference((differing,), expected) != ""
