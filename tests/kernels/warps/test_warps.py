# SPDX-License-Identifier: Apache-2.0
"""Operations of the warp: each device against the PTX manual's definitions, in all kinds of control flow.

A case runs at some of the local sizes, in turn, or at all with LANEWISE_TEST_ALL_SHAPES=1.
"""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw

from ...sampling import EVERY_SHAPE
from ..case import Case, Launch
from ..running import check, run
from . import cases_flows, cases_idioms, cases_shuffles, cases_values
from .expectations import BLOCKS, launches

DEVICES = ("reference", "cpu")
"""Those that have operations of the warp."""

TABLES = (cases_shuffles.TABLE, cases_values.TABLE, cases_flows.TABLE, cases_idioms.TABLE)
CASES = [case for table in TABLES for case in table.cases]


@cache
def compiled(path: Path) -> lw.Module:
    return lw.compile(path)


def chosen_launches(place: int, case: Case) -> list[Launch]:
    """One of the sizes, another one from case to case."""
    all_of_them = case.launches or launches(BLOCKS)
    if EVERY_SHAPE:
        return list(all_of_them)
    return [all_of_them[place % len(all_of_them)]]


def cases_and_launches() -> list[object]:
    return [
        pytest.param(case, launch, id=f"{case.name}-{launch}")
        for place, case in enumerate(CASES)
        for launch in chosen_launches(place, case)
    ]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(("case", "launch"), cases_and_launches())
def test_lanes_get_what_the_manual_says(case: Case, launch: Launch, device: str):
    check(case, launch, run(case, launch, lw.device(device), compiled(case.path)))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("block", [64, 70])
def test_one_atomic_addition_a_warp(block: int, device: str):
    given = np.random.default_rng(5).integers(0, 100, 3 * block, np.uint32)
    out, counter = np.zeros_like(given), np.zeros(1, np.int32)
    kernel = compiled(Path(cases_idioms.__file__).with_name(cases_idioms.FILE))["append"]
    kernel.launch(3, block, (out, counter, given), device=device)
    appended = given[given % 3 == 0]
    assert counter[0] == appended.size
    assert sorted(out[: appended.size]) == sorted(appended)


def test_names_are_used_once():
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names)
