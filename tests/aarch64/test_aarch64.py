# SPDX-License-Identifier: Apache-2.0
"""Machine code for 64-bit Arm: kernels of tests/kernels, compiled here and run under qemu, against NumPy.

The mapping is the one that is chosen for the kernel, or loops; or the code is for any local size. Results must equal
NumPy's to the bit, but for the cases with a tolerance. By default some 20 outputs are compared, and with
LANEWISE_TEST_ALL_SHAPES=1 more than 300.
"""

import os
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import lanewise as lw

from ..kernels.barriers.cases import CASES as BARRIERS
from ..kernels.barriers.cases import launches
from ..kernels.case import Case, Launch
from ..kernels.language.cases import CASES as LANGUAGE
from ..kernels.language.cases import LAUNCHES
from ..kernels.running import check, run
from ..kernels.warps.cases_shuffles import TABLE as SHUFFLES
from ..kernels.warps.expectations import BLOCKS
from ..kernels.warps.expectations import launches as warp_launches
from .emulated import EmulatedDevice, Runner, build_runner

EMULATOR = shutil.which("qemu-aarch64-static") or shutil.which("qemu-aarch64")
WAYS = ("auto", "loop", "any-size")
STEP = 4 if os.environ.get("LANEWISE_TEST_ALL_SHAPES") == "1" else 61
"""No multiple of the number of ways, so that all of them are taken in turn."""

pytestmark = pytest.mark.skipif(EMULATOR is None, reason="no qemu-aarch64-static or qemu-aarch64 in PATH")


def sample() -> list[object]:
    """Every `STEP`-th of all cases with one of their launches, in all ways."""
    barriers = [(case, launches(place, small=False, every=False)[0]) for place, case in enumerate(BARRIERS)]
    language = [(case, (case.launches or LAUNCHES)[0]) for case in LANGUAGE]
    chosen = [(*each, way) for each in (*barriers, *language) for way in WAYS]
    for place, case in enumerate(SHUFFLES.cases):  # loops have no warps
        shapes = case.launches or warp_launches(BLOCKS)
        chosen += [(case, shapes[place % len(shapes)], way) for way in WAYS if way != "loop"]
    return [
        pytest.param(case, launch, way, id=f"{case.path.stem}-{case.name}-{launch}-{way}")
        for case, launch, way in chosen[::STEP]
    ]


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    assert EMULATOR is not None
    made = Runner(EMULATOR, build_runner(tmp_path_factory.mktemp("runner")))
    yield made
    made.close()


@cache
def compiled(path: Path, defines: tuple[tuple[str, Any], ...], options: tuple[str, ...], mapping: str) -> lw.Module:
    return lw.compile(path, defines=dict(defines), options=list(options), mapping=mapping)


@pytest.mark.parametrize(("case", "launch", "way"), sample())
def test_code_for_arm_does_what_numpy_expects(case: Case, launch: Launch, way: str, runner: Runner):
    mapping = "loop" if way == "loop" else "auto"
    module = compiled(case.path, case.defines, case.options, mapping)
    check(case, launch, run(case, launch, EmulatedDevice(runner, way == "any-size"), module))
