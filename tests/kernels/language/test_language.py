# SPDX-License-Identifier: Apache-2.0
"""The language's surface: each kernel on the CPU and on the reference device, against NumPy."""

from functools import cache
from typing import Any

import pytest

import lanewise as lw

from ..case import Case, Launch
from ..running import check, equal_bits, run
from .cases import CASES, LAUNCHES

NAMES = [f"{case.path.stem}-{case.name}" for case in CASES]


@cache
def _compiled(path: Any, defines: tuple[tuple[str, Any], ...], options: tuple[str, ...]) -> lw.Module:
    return lw.compile(path, defines=dict(defines), options=list(options))


def compiled(case: Case) -> lw.Module:
    return _compiled(case.path, case.defines, case.options)


def test_names_are_unique():
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_cpu_does_what_numpy_expects(case: Case):
    for launch in case.launches or LAUNCHES:
        check(case, launch, run(case, launch, lw.device("cpu"), compiled(case)))


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_reference_does_what_numpy_expects_and_cpu_the_same(case: Case):
    launch: Launch = (case.launches or LAUNCHES)[0]
    judged = run(case, launch, lw.device("reference"), compiled(case))
    check(case, launch, judged)
    if not case.tolerance:
        equal_bits(case.name, run(case, launch, lw.device("cpu"), compiled(case)), judged)
