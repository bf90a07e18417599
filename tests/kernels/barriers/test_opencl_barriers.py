# SPDX-License-Identifier: Apache-2.0
"""The barrier kernels in OpenCL C, on the CPU device and on the reference device, each at one local size and its
neighbours at the others; with LANEWISE_TEST_ALL_SHAPES=1 at all in all shapes."""

from functools import cache
from pathlib import Path

import pytest

import lanewise as lw

from ...sampling import EVERY_SHAPE
from ..case import Case, Launch
from ..running import check, equal_bits, run
from . import opencl
from .cases import CASES, interpreted

IN_OPENCL = [opencl.in_opencl(case) for case in CASES if opencl.expressible(case)]


@cache
def compiled(path: Path) -> lw.Module:
    return opencl.compiled(path)


def cases_and_launches() -> list[object]:
    return [
        pytest.param(case, launch, id=f"{case.name}-{launch}")
        for place, case in enumerate(IN_OPENCL)
        for launch in _some(interpreted(case, place, every=EVERY_SHAPE), place)
    ]


def _some(found: list[Launch], place: int) -> list[Launch]:
    return found if EVERY_SHAPE else [found[place % len(found)]]


@pytest.mark.parametrize(("case", "launch"), cases_and_launches())
def test_cpu_and_reference_do_what_numpy_expects(case: Case, launch: Launch):
    module = compiled(case.path)
    judged = run(case, launch, lw.device("reference"), module)
    check(case, launch, judged)
    equal_bits(f"{case.name} {launch}", run(case, launch, lw.device("cpu"), module), judged)


def test_all_that_is_left_out_is_there_to_be_left_out():
    kernels = {case.kernel for case in CASES}
    assert kernels >= opencl.RETURN_BEFORE_A_BARRIER
    assert kernels >= opencl.NOT_IN_C.keys() - {"total"}
    assert (len(CASES), len(IN_OPENCL)) == (161, 141)
    for path in {case.path for case in IN_OPENCL}:
        expected = {case.kernel for case in IN_OPENCL if case.path == path}
        assert set(compiled(path).kernels) == expected
