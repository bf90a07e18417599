# SPDX-License-Identifier: Apache-2.0
"""Code for any local size: a sample of the other kernels of these tests, each compiled once and run at several sizes.

With LANEWISE_TEST_ALL_SHAPES=1 all of them.
"""

import os
from functools import cache

import pytest

import lanewise as lw
from lanewise.cache import Cache
from lanewise.config import from_environment
from lanewise.device.cpu import CpuDevice

from .barriers.cases import CASES as BARRIERS
from .barriers.cases import launches
from .case import Case, Launch
from .language.cases import CASES as LANGUAGE
from .language.cases import LAUNCHES
from .running import check, run

STEP = 1 if os.environ.get("LANEWISE_TEST_ALL_SHAPES") == "1" else 7


@cache
def device() -> CpuDevice:
    return CpuDevice(Cache(from_environment().cache_dir), 2, specialise=False)


def sample() -> list[object]:
    barriers = [(case, launches(place, small=False, every=False)) for place, case in enumerate(BARRIERS)]
    language = [(case, list(case.launches or LAUNCHES)) for case in LANGUAGE]
    chosen = [*barriers[::STEP], *language[STEP // 2 :: STEP]]
    return [pytest.param(case, sizes, id=f"{case.path.stem}-{case.name}") for case, sizes in chosen]


@pytest.mark.parametrize(("case", "sizes"), sample())
def test_code_for_any_local_size_does_what_numpy_expects(case: Case, sizes: list[Launch]):
    module = lw.compile(case.path, defines=dict(case.defines), options=list(case.options))
    for launch in sizes:
        check(case, launch, run(case, launch, device(), module))
