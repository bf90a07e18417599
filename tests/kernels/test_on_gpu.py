# SPDX-License-Identifier: Apache-2.0
"""Kernels on a GPU, where there is one: they compute what NumPy says, by the functions of all devices."""

import os

import pytest

import lanewise as lw
from lanewise.device.cuda import count

from .barriers.cases import CASES as BARRIERS
from .barriers.cases import launches
from .case import Case, Launch
from .language.cases import CASES as LANGUAGE
from .language.cases import LAUNCHES
from .running import check, run
from .warps.test_warps import CASES as WARPS

STEP = 1 if os.environ.get("LANEWISE_TEST_ALL_SHAPES") == "1" else 7

NOT_ON_A_GPU = {
    "lanes": "the hardware numbers its warps as it likes",
    "wide_conversions": "PTX has no conversions of 128 bits",
    "arrays": "LLVM takes an allocation that nobody uses to succeed",
    "sorts": "it goes deeper than the stack that the driver gives a thread",
}
DIFFERENT = {
    "to_integers": "NaN of double becomes 2^31 as an integer of 32 bits",
    "halfwords": "not looked into",
    "half_arithmetic": "not looked into",
    "bfloat16_arithmetic": "not looked into",
}
"""Cases of which an H100 gives other results in a few elements."""


def _marks(case: Case) -> list[pytest.MarkDecorator]:
    return [pytest.mark.xfail(reason=DIFFERENT[case.name])] if case.name in DIFFERENT else []


def sample() -> list[object]:
    chosen = [(case, launches(place, small=False, every=False)) for place, case in enumerate(BARRIERS)]
    chosen += [(case, list(case.launches or LAUNCHES)) for case in (*LANGUAGE, *WARPS)]
    return [
        pytest.param(case, sizes, id=f"{case.path.stem}-{case.name}", marks=_marks(case))
        for case, sizes in chosen[::STEP]
        if case.name not in NOT_ON_A_GPU
    ]


@pytest.mark.skipif(not count(), reason="no GPU, or no cuda-bindings")
@pytest.mark.parametrize(("case", "sizes"), sample())
def test_a_gpu_does_what_numpy_expects(case: Case, sizes: list[Launch]):
    module = lw.compile(case.path, defines=dict(case.defines), options=list(case.options), math="same-bits")
    for launch in sizes:
        check(case, launch, run(case, launch, lw.device("cuda"), module))
