# SPDX-License-Identifier: Apache-2.0
"""Trials of two codes of a kernel: python -m pytest tests/runtime/test_trial.py"""

import struct
import threading
from collections.abc import Callable

import numpy as np
import pytest

from lanewise.cache import Cache
from lanewise.runtime import SUCCESS, Failure, Pool, TrialState

ONE = (1, 1, 1)
GROUPS = 300


class Visits:
    """Visits that `visit_slower` and `visit_faster` count."""

    def __init__(self, groups: int) -> None:
        self.visits = np.zeros(groups, np.uint32)
        self.by_side = np.zeros(2, np.uint64)

    @property
    def args(self) -> bytes:
        return struct.pack("PP", self.visits.ctypes.data, self.by_side.ctypes.data)


@pytest.mark.parametrize(
    ("first", "second", "chosen"),
    [
        ("visit_slower", "visit_faster", TrialState.SECOND),
        ("visit_faster", "visit_slower", TrialState.FIRST),
    ],
)
@pytest.mark.parametrize("threads", [1, 3])
def test_the_faster_code_is_chosen_and_each_group_runs_once(
    cache: Cache, kernel: Callable[[str], int], first: str, second: str, chosen: TrialState, threads: int
):
    pool, visits = Pool(threads, cache), Visits(GROUPS)
    trial = pool.new_trial()
    trial.begin(kernel(second), 0)
    for _ in range(5):
        if trial.state is not TrialState.TRIES:
            break
        visits.visits[:] = 0
        assert pool.launch(kernel(first), (GROUPS, 1, 1), ONE, visits.args, 0, trial=trial.address) is SUCCESS
        assert (visits.visits == 1).all()
    assert trial.state is chosen
    slower, faster = (trial.times()[:2])[:: 1 if chosen is TrialState.SECOND else -1]
    assert slower > 1.5 * faster
    visits.by_side[:] = 0
    pool.launch(kernel(first), (20, 1, 1), ONE, visits.args, 0, trial=trial.address)
    assert visits.by_side.tolist() == [0, 20]  # whichever stands where, it is the faster one


def test_a_launch_of_one_group_takes_part(pool: Pool, kernel: Callable[[str], int]):
    trial, visits = pool.new_trial(), Visits(1)
    trial.begin(kernel("visit_faster"), 0)
    for _ in range(12):
        pool.launch(kernel("visit_slower"), ONE, ONE, visits.args, 0, trial=trial.address)
    assert visits.by_side.tolist() == [6, 6]


def test_the_first_code_runs_until_there_is_another(pool: Pool, kernel: Callable[[str], int]):
    trial, visits = pool.new_trial(), Visits(GROUPS)
    pool.launch(kernel("visit_slower"), (GROUPS, 1, 1), ONE, visits.args, 0, trial=trial.address)
    assert visits.by_side.tolist() == [GROUPS, 0]
    assert trial.state is TrialState.WATCHES
    assert trial.watched_ns > GROUPS * 10_000


def test_a_trial_begins_in_the_middle_of_a_launch(pool: Pool, kernel: Callable[[str], int]):
    trial, visits = pool.new_trial(), Visits(8000)
    calls: list[None] = []

    def begin() -> None:
        if not calls:
            trial.begin(kernel("visit_faster"), 0)
        calls.append(None)

    launched = pool.launch(
        kernel("visit_slower"), (8000, 1, 1), ONE, visits.args, 0, trial=trial.address, meanwhile=begin
    )
    assert launched is SUCCESS
    assert calls
    assert (visits.visits == 1).all()
    assert visits.by_side.min() > 0
    assert trial.state is TrialState.SECOND


def test_each_code_gets_the_arena_that_it_needs(pool: Pool, kernel: Callable[[str], int], counter):
    trial = pool.new_trial()
    trial.begin(kernel("use_arena"), 100_000)
    args = struct.pack("QP", 100_000, counter.address)
    for _ in range(3):
        assert pool.launch(kernel("nothing"), (64, 1, 1), ONE, args, 0, trial=trial.address) is SUCCESS
    assert counter.value == 0


def test_a_launch_without_memory_for_the_other_code_does_without(pool: Pool, kernel: Callable[[str], int]):
    """It had begun when the other code came."""
    trial, visits = pool.new_trial(), Visits(8000)
    began: list[None] = []

    def begin() -> None:
        if not began:
            trial.begin(kernel("visit_faster"), 1 << 20)
        began.append(None)

    pool.launch(kernel("visit_slower"), (8000, 1, 1), ONE, visits.args, 0, trial=trial.address, meanwhile=begin)
    assert began
    assert visits.by_side.tolist() == [8000, 0]


def test_cooperative_launches_run_the_first_code(pool: Pool, kernel: Callable[[str], int]):
    trial, visits = pool.new_trial(), Visits(8)
    trial.begin(kernel("visit_faster"), 0)
    pool.launch(kernel("visit_slower"), (8, 1, 1), ONE, visits.args, 0, cooperative=True, trial=trial.address)
    assert visits.by_side.tolist() == [8, 0]


def test_many_threads_share_a_trial(pool: Pool, kernel: Callable[[str], int]):
    trial = pool.new_trial()
    trial.begin(kernel("visit_faster"), 0)
    all_visits = [Visits(60) for _ in range(8)]

    def launch(visits: Visits) -> None:
        pool.launch(kernel("visit_slower"), (60, 1, 1), ONE, visits.args, 0, trial=trial.address)

    threads = [threading.Thread(target=launch, args=(visits,)) for visits in all_visits]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all((visits.visits == 1).all() for visits in all_visits)
    assert trial.state is TrialState.SECOND


def test_a_timeout_ends_a_launch_in_its_trial(pool: Pool, kernel: Callable[[str], int]):
    trial, visits = pool.new_trial(), Visits(100_000)
    trial.begin(kernel("visit_faster"), 0)
    outcome = pool.launch(
        kernel("visit_slower"), (100_000, 1, 1), ONE, visits.args, 0, timeout=0.1, trial=trial.address
    )
    assert outcome.failure is Failure.TIMED_OUT
    assert visits.visits.max() == 1
