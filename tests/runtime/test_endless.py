# SPDX-License-Identifier: Apache-2.0
"""Work-groups that never end, and slices of those that take long: python -m pytest tests/runtime/test_endless.py"""

import signal
import struct
import threading
import time

import numpy as np
import pytest

from lanewise.runtime import SUCCESS, Failure, Known, Pool, packed_request

ONE = (1, 1, 1)
MAX_LAUNCHES = 64
"""The slots of a pool, as in core.h: launches at once."""


def _is_usable(pool: Pool, kernel, counter) -> bool:
    before = counter.value
    args = struct.pack("P", counter.address)
    return pool.launch(kernel("slowly"), (50, 1, 1), ONE, args, 0) == SUCCESS and counter.value == before + 50


@pytest.mark.parametrize("name", ["never_end", "first_never_ends"])
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("groups", [1, 100])
def test_timeout_ends_what_never_would(cache, kernel, counter, name: str, threads: int, groups: int):
    pool = Pool(threads, cache)
    args = struct.pack("P", counter.address)
    outcome = pool.launch(kernel(name), (groups, 1, 1), ONE, args, 0, timeout=0.1)
    assert outcome.failure is Failure.TIMED_OUT
    assert outcome.known & Known.BLOCK
    if name == "never_end":
        assert (outcome.known, outcome.file, outcome.line) == (Known.BLOCK | Known.PLACE, "loop.cu", 7)
    else:
        assert outcome.block == (0, 0, 0)
    assert _is_usable(pool, kernel, counter)


def test_timeout_in_services(pool: Pool, kernel, counter):
    """No lock stays taken: of the heap, of the output, of the C library."""
    for _ in range(5):
        outcome = pool.launch(kernel("print_and_allocate_for_ever"), (10, 1, 1), ONE, b"", 0, timeout=0.05)
        assert outcome.failure is Failure.TIMED_OUT
        assert _is_usable(pool, kernel, counter)


def test_timeout_while_others_wait(pool: Pool, kernel, counter):
    """A loop that waits for a later work-group of the same thread."""
    args = struct.pack("QP", 1, counter.address)
    assert pool.launch(kernel("spin_for_all"), (20, 1, 1), ONE, args, 0, timeout=0.1).failure is Failure.TIMED_OUT


def test_cancel_ends_what_never_would(pool: Pool, kernel, counter):
    def cancel():
        while counter.value == 0:
            time.sleep(0.001)
        pool.cancel()

    canceller = threading.Thread(target=cancel)
    canceller.start()
    outcome = pool.launch(kernel("never_end"), (4, 1, 1), ONE, struct.pack("P", counter.address), 0)
    canceller.join()
    assert outcome.failure is Failure.CANCELLED


def test_cancels_while_launches_begin_and_end(pool: Pool, kernel, counter):
    """Each launch has run to its end, or has been cancelled, and there are both; none goes on for ever."""
    stop = threading.Event()

    def cancel_on():
        while not stop.wait(0.001):
            pool.cancel()

    canceller = threading.Thread(target=cancel_on)
    canceller.start()
    ended: list[Failure] = []
    end = time.monotonic() + 30
    try:
        while len(ended) < 300 or (len(set(ended)) < 2 and time.monotonic() < end):
            before = counter.value
            name, groups = (("count", 20), ("slowly", 3))[len(ended) % 2]
            args = struct.pack("P", counter.address)
            outcome = pool.launch(kernel(name), (groups, 1, 1), ONE, args, 0, timeout=30)
            assert counter.value <= before + groups
            assert outcome is not SUCCESS or counter.value == before + groups
            ended.append(outcome.failure)
    finally:
        stop.set()
        canceller.join()
    assert set(ended) == {Failure.NONE, Failure.CANCELLED}
    assert _is_usable(pool, kernel, counter)


def test_a_cancel_that_comes_late_leaves_the_next_launch_alone(pool: Pool, kernel, counter):
    """The number is that of a launch whose slot another one has by now."""
    core, handle = pool._library, pool._handle
    args = struct.pack("P", counter.address)
    request = packed_request(kernel("never_end"), ONE, ONE, len(args), 0, 0, False)
    before = core.lw_start(handle, request, args)
    core.lw_cancel(handle, before)
    while not core.lw_resume(handle, before, 0):
        continue
    core.lw_release(handle, before)
    number = core.lw_start(handle, request, args)
    assert number > before
    assert number % MAX_LAUNCHES == before % MAX_LAUNCHES
    for _ in range(3):
        core.lw_cancel(handle, before)
        assert not core.lw_resume(handle, number, 0)
    core.lw_cancel(handle, number)
    while not core.lw_resume(handle, number, 0):
        continue
    core.lw_release(handle, number)
    assert _is_usable(pool, kernel, counter)


class Interrupted(BaseException):
    pass


@pytest.mark.parametrize("threads", [1, 3])
def test_a_signal_handler_that_raises_ends_it(cache, kernel, counter, threads: int):
    def interrupt(number: int, frame: object):
        raise Interrupted

    pool = Pool(threads, cache)
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        for delay in (0.01, 0.08):
            signal.setitimer(signal.ITIMER_REAL, delay)
            with pytest.raises(Interrupted):
                pool.launch(kernel("never_end"), (4, 1, 1), ONE, struct.pack("P", counter.address), 0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert _is_usable(pool, kernel, counter)


def test_a_signal_handler_that_launches(pool: Pool, kernel, counter):
    """Signals are handled while work-groups wait in their middle; a handler may launch, too."""
    seen: list[bool] = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: seen.append(_is_usable(pool, kernel, counter)))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        args = struct.pack("P", counter.address)
        assert pool.launch(kernel("never_end"), ONE, ONE, args, 0, timeout=0.3).failure is Failure.TIMED_OUT
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert seen == [True]


def test_long_groups_go_on_where_they_were_left(pool: Pool, kernel):
    """A work-group that takes several slices of time computes what one that isn't interrupted does."""
    sums = np.zeros(2)
    args = struct.pack("QP", 40_000_000, sums.ctypes.data)
    start = time.perf_counter()
    assert pool.launch(kernel("compute_long"), (2, 1, 1), ONE, args, 0) == SUCCESS
    assert time.perf_counter() - start > 0.06  # or nothing was interrupted
    assert sums[0] == sums[1] != 0
