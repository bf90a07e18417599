# SPDX-License-Identifier: Apache-2.0
"""Barrier kernels: the CPU device against NumPy and, bit for bit, against the reference device.

Code for any local size runs at all sizes in all shapes; code for one local size, and the reference device, at some of
them, in turn, or at all with LANEWISE_TEST_ALL_SHAPES=1.
"""

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw
from lanewise.cache import Cache
from lanewise.device.cpu import CpuDevice

from ...sampling import EVERY_SHAPE
from ..case import Case, Launch
from ..running import check, equal_bits, run
from .cases import CASES, REFUSED, SMALL_STEP, STEP, Refused, all_launches, interpreted, launches

DIVERGENT = Path(__file__).with_name("divergent.cu")


ANY_SIZE = CpuDevice(Cache(None), 2, specialise=False)


@cache
def compiled(path: Path) -> lw.Module:
    return lw.compile(path)


def cases_and_launches(*, small: bool) -> list[object]:
    return [
        pytest.param(case, launch, id=f"{case.name}-{launch}")
        for place, case in enumerate(CASES)
        for launch in (
            interpreted(case, place, every=EVERY_SHAPE) if small else launches(place, small=False, every=EVERY_SHAPE)
        )
    ]


@pytest.mark.parametrize(("case", "launch"), cases_and_launches(small=False))
def test_cpu_does_what_numpy_expects(case: Case, launch: Launch):
    check(case, launch, run(case, launch, lw.device("cpu"), compiled(case.path)))


@pytest.mark.parametrize(
    ("place", "case"), list(enumerate(CASES)), ids=lambda of: "" if isinstance(of, int) else of.name
)
def test_code_for_any_local_size_does_what_numpy_expects_at_all(place: int, case: Case):
    module = lw.compile(case.path)  # which no other device of this name has opened
    for launch in all_launches(place, every=EVERY_SHAPE):
        check(case, launch, run(case, launch, ANY_SIZE, module))


@pytest.mark.parametrize(("case", "launch"), cases_and_launches(small=True))
def test_reference_does_what_numpy_expects_and_cpu_the_same(case: Case, launch: Launch):
    module = compiled(case.path)
    judged = run(case, launch, lw.device("reference"), module)
    check(case, launch, judged)
    equal_bits(f"{case.name} {launch}", run(case, launch, lw.device("cpu"), module), judged)


def lines_to_name(kernel: str) -> set[int]:
    """The lines marked `refused` of this kernel, or of the helper that precedes it."""
    lines = DIVERGENT.read_text().splitlines()
    starts = [number for number, line in enumerate(lines, 1) if re.match(r"__(global|device)__", line)]
    own = next(start for start in starts if f" {kernel}(" in lines[start - 1])
    end = min((start for start in starts if start > own), default=len(lines) + 1)
    first = max((start for start in starts if start < own and "__device__" in lines[start - 1]), default=own)
    if starts.index(own) - starts.index(first) > 1:
        first = own
    return {number for number in range(first, end) if "// refused" in lines[number - 1]}


@pytest.mark.parametrize("refused", REFUSED, ids=lambda refused: refused.kernel)
def test_reference_refuses_barrier_that_only_some_live_work_items_reach(refused: Refused):
    arguments = (np.zeros(3 * 64, np.uint32),) if refused.takes_out else ()
    with pytest.raises(lw.Error) as error:
        compiled(DIVERGENT)[refused.kernel].launch(3, 64, arguments, device=lw.device("reference"))
    named = {int(line) for line in re.findall(rf"{DIVERGENT.name}:(\d+)", str(error.value))}
    assert named & lines_to_name(refused.kernel), str(error.value)


def test_table_holds_the_classes_that_pocl_had_wrong():
    text = DIVERGENT.with_name("pocl_classes.cu").read_text()
    tags = {int(tag) for tags in re.findall(r"^// pocl ([\d, ]+):", text, re.MULTILINE) for tag in tags.split(",")}
    assert {553, 2113, 2156, 2281} <= tags
    kernels = set(re.findall(r"__global__ void (\w+)", text))
    assert kernels == {case.kernel for case in CASES if case.path.name == "pocl_classes.cu"}


def test_sizes_all_occur():
    for small in (False, True):
        sizes = [{launch.items for launch in launches(place, small=small, every=False)} for place in range(len(CASES))]
        assert all(sizes), "a case has no launch"
        assert set.union(*sizes[: SMALL_STEP if small else STEP]) == {1, 3, 7, 32, 33, 64, 100, 200, 256, 1024}
