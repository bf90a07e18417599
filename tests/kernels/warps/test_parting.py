# SPDX-License-Identifier: Apache-2.0
"""Lanes that meet at different instructions, and the mapping that gives each thread a stack of its own."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw

from ..case import Case
from ..running import check, run
from . import cases_flows, cases_idioms, cases_shuffles, cases_values
from .expectations import BLOCKS, launches

SOURCE = Path(__file__).with_name("parting.cu")
KERNELS = ("exchange", "shuffles", "votes", "reductions", "turns", "with_barriers")
TABLES = (cases_shuffles.TABLE, cases_values.TABLE, cases_flows.TABLE, cases_idioms.TABLE)
CASES = [case for table in TABLES for case in table.cases[::4]]


@cache
def compiled(path: Path = SOURCE, mapping: str = "auto") -> lw.Module:
    return lw.compile(path, mapping=mapping)


def results(kernel: str, block: int, device: lw.Device | str) -> list[int]:
    given = np.random.default_rng(3).integers(0, 99, 2 * block, np.int32)
    out = np.zeros(2 * block, np.int32)
    compiled()[kernel].launch(2, block, (out, given), device=device, timeout=30)
    return out.tolist()


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("block", [32, 96])
def test_lanes_meet_at_different_instructions(kernel: str, block: int):
    assert results(kernel, block, "cpu") == results(kernel, block, "reference")


@pytest.mark.parametrize("kernel", KERNELS)
def test_so_they_do_on_a_simulated_gpu(kernel: str):
    assert results(kernel, 64, lw.device("simt", gpu="H100")) == results(kernel, 64, "reference")


@pytest.mark.parametrize("kernel", KERNELS)
def test_such_kernels_get_stacks_for_their_threads(kernel: str):
    assert "each thread on a stack of its own" in "".join(compiled()[kernel].remarks(64))


def test_unless_lock_step_is_asked_for():
    assert "a stack of its own" not in "".join(compiled(mapping="lock-step")["exchange"].remarks(64))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_operations_among_threads_with_stacks_of_their_own(case: Case):
    launch = (case.launches or launches(BLOCKS))[-1]
    check(case, launch, run(case, launch, lw.device("cpu"), compiled(case.path, "threads")))


@pytest.mark.parametrize("block", [32, 70])
def test_threads_with_stacks_of_their_own_wait_for_later_ones(block: int):
    out, turn = np.zeros(2 * block, np.int32), np.zeros(4, np.int32)
    compiled(mapping="threads")["by_turns"].launch(2, block, (out, turn), device="cpu", timeout=30)
    assert out.tolist() == 2 * list(range(1, block + 1))


def test_code_for_any_block_size(tmp_path: Path):
    compiled().save(tmp_path / "parting.lwo")
    saved = lw.load(tmp_path / "parting.lwo")
    given = np.arange(96, dtype=np.int32)
    for name in ("exchange", "with_barriers"):
        found, wanted = (np.zeros(96, np.int32) for _ in range(2))
        saved[name].launch(1, 96, (found, given), device="cpu", timeout=30)
        compiled()[name].launch(1, 96, (wanted, given), device="reference")
        assert found.tolist() == wanted.tolist()


def test_a_meeting_that_never_takes_place():
    out = np.zeros(64, np.int32)
    with pytest.raises(lw.LaunchError, match="no thread of the block can go on, and of the lanes 0xffffffff that it"):
        compiled()["waits_for_ever"].launch(1, 64, (out, out), device="cpu", timeout=30)


def test_a_mask_that_lacks_its_lane():
    out = np.zeros(32, np.int32)
    with pytest.raises(lw.LaunchError, match="lane 8 executes it with the mask 0x000000ff, which lacks it"):
        compiled(mapping="threads")["lacks_itself"].launch(1, 32, (out, out), device="cpu", timeout=30)
