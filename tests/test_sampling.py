# SPDX-License-Identifier: Apache-2.0
"""The sample of the tests that a day runs."""

from tests import sampling


def test_a_week_runs_all_cases_of_large_tests_and_each_those_of_small_ones():
    large = [f"tests/kernels/test_a.py::test_large[{number}]" for number in range(14)]
    small = [f"tests/kernels/test_a.py::test_small[{number}]" for number in range(sampling.FEW)]
    house = [f"tests/test_house.py::test_rule[{number}]" for number in range(10)]
    run: list[set[str]] = [
        {*large, *small, *house} - sampling.left_out([*large, *small, *house], day) for day in range(sampling.DAYS)
    ]
    for each in run:
        assert {*small, *house} <= each
        assert len(each & {*large}) == 2
    assert set[str]().union(*run) == {*large, *small, *house}
