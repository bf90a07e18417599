# SPDX-License-Identifier: Apache-2.0
"""Launches whose work-groups wait for one another: python -m pytest tests/runtime/test_cooperative.py"""

import os
import signal
import struct
import threading

import numpy as np
import pytest

from lanewise.runtime import SUCCESS, Failure, Known, Pool

ONE = (1, 1, 1)


def _sum_in_rounds(pool: Pool, kernel, grid, rounds: int) -> bool:
    sums, wrong = np.zeros(rounds, np.uint64), np.zeros(1, np.uint64)
    args = struct.pack("QPP", rounds, sums.ctypes.data, wrong.ctypes.data)
    outcome = pool.launch(kernel("sum_in_rounds"), grid, ONE, args, 64, cooperative=True)
    groups = int(np.prod(grid))
    return outcome is SUCCESS and wrong[0] == 0 and bool((sums == groups * (groups - 1) // 2).all())


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("grid", [(1, 1, 1), (2, 1, 1), (4, 5, 6), (1000, 1, 1)])
def test_all_groups_meet(cache, kernel, threads: int, grid):
    pool = Pool(threads, cache)
    assert _sum_in_rounds(pool, kernel, grid, 20)
    assert _sum_in_rounds(pool, kernel, grid, 1)


def test_launches_at_once(pool: Pool, kernel):
    right: list[bool] = []
    threads = [
        threading.Thread(target=lambda: right.extend(_sum_in_rounds(pool, kernel, (50, 1, 1), 50) for _ in range(5)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert right == [True] * 20


def test_without_a_synchronisation(pool: Pool, kernel, counter):
    args = struct.pack("P", counter.address)
    assert pool.launch(kernel("count"), (500, 1, 1), ONE, args, 0, cooperative=True) is SUCCESS
    assert counter.value == 500


def test_in_a_launch_that_is_not_cooperative(pool: Pool, kernel):
    outcome = pool.launch(kernel("some_sync"), (4, 1, 1), ONE, struct.pack("Q", 1), 0)
    assert (outcome.failure, outcome.block, outcome.known) == (Failure.NOT_COOPERATIVE, (0, 0, 0), Known.BLOCK)


@pytest.mark.parametrize("threads", [1, 3])
def test_groups_that_end_while_others_wait(cache, kernel, threads: int):
    pool = Pool(threads, cache)
    outcome = pool.launch(kernel("some_sync"), (10, 1, 1), ONE, struct.pack("Q", 7), 0, cooperative=True)
    assert (outcome.failure, outcome.message) == (Failure.DEADLOCK, "3 of 10")
    assert _sum_in_rounds(pool, kernel, (10, 1, 1), 3)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("yields", [0, 1])
def test_groups_that_spin_for_all_others(cache, kernel, counter, threads: int, yields: int):
    """All are there at once, so a barrier of the kernel's own works too."""
    args = struct.pack("QP", yields, counter.address)
    outcome = Pool(threads, cache).launch(kernel("spin_for_all"), (8, 1, 1), ONE, args, 0, cooperative=True)
    assert outcome == SUCCESS


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(("how", "failure"), [(0, Failure.TRAP), (1, Failure.FAULT), (2, Failure.TIMED_OUT)])
def test_failures_between_synchronisations(cache, kernel, threads: int, how: int, failure: Failure):
    pool = Pool(threads, cache)
    for which in (0, 11):
        outcome = pool.launch(
            kernel("fail_between"), (12, 1, 1), ONE, struct.pack("QQ", which, how), 0, timeout=0.1, cooperative=True
        )
        assert (outcome.failure, outcome.block) == (failure, (which, 0, 0))
    assert _sum_in_rounds(pool, kernel, (12, 1, 1), 3)


class Interrupted(BaseException):
    pass


def test_a_signal_handler_that_raises_ends_it(pool: Pool, kernel):
    def interrupt(number: int, frame: object):
        raise Interrupted

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.03)
        with pytest.raises(Interrupted):
            pool.launch(kernel("fail_between"), (12, 1, 1), ONE, struct.pack("QQ", 5, 2), 0, cooperative=True)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert _sum_in_rounds(pool, kernel, (12, 1, 1), 3)


def test_more_than_fits(pool: Pool, kernel, counter):
    args = struct.pack("P", counter.address)
    for groups, arena in ((5000, 0), (10, 200 << 20), (2**31 - 1, 1 << 30)):
        outcome = pool.launch(kernel("count"), (groups, 1, 1), ONE, args, arena, cooperative=True)
        assert outcome.failure is Failure.OUT_OF_MEMORY
    assert counter.value == 0
    assert pool.launch(kernel("count"), (4000, 1, 1), ONE, args, 0, cooperative=True) is SUCCESS


def test_a_fork_while_others_are_in_cooperative_launches(pool: Pool, kernel, counter):
    """The child takes none of their memory for its own launches."""
    stop = threading.Event()

    def launch_on():
        while not stop.is_set():
            _sum_in_rounds(pool, kernel, (40, 1, 1), 30)

    threads = [threading.Thread(target=launch_on) for _ in range(2)]
    for thread in threads:
        thread.start()
    codes: list[int] = []
    for _ in range(10):
        child = os.fork()
        if child == 0:
            signal.alarm(60)  # ends it
            before = counter.value
            outcome = pool.launch(kernel("count"), (500, 1, 1), ONE, struct.pack("P", counter.address), 64)
            right = outcome is SUCCESS and counter.value == before + 500 and _sum_in_rounds(pool, kernel, (9, 1, 1), 9)
            os._exit(0 if right else 3)
        codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    stop.set()
    for thread in threads:
        thread.join()
    assert codes == [0] * 10
