# SPDX-License-Identifier: Apache-2.0
"""python -m pytest tests/runtime/test_launch.py"""

import struct
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from lanewise.cache import Cache
from lanewise.errors import Error
from lanewise.runtime import SUCCESS, Failure, Pool
from lanewise.runtime.caches import last_level_cache_bytes

ONE = (1, 1, 1)


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("grid", [(1, 1, 1), (2, 1, 1), (1, 7, 1), (3, 1, 5), (4, 5, 6), (70_000, 1, 1), (3, 3, 9000)])
def test_every_group_runs_once(cache: Cache, kernel, threads: int, grid):
    visits = np.zeros(int(np.prod(grid)), np.uint32)
    outcome = Pool(threads, cache).launch(kernel("visit"), grid, ONE, struct.pack("P", visits.ctypes.data), 0)
    assert outcome is SUCCESS
    assert (visits == 1).all()


@pytest.mark.parametrize("threads", [2, 3, 40])
@pytest.mark.parametrize("groups", [1, 79, 80, 5000])
def test_every_group_runs_once_in_launches_that_are_shared_out(cache: Cache, kernel, threads: int, groups: int):
    pool = Pool(threads, cache)
    for _ in range(4):  # all but the first follow one that is known to be short
        visits = np.zeros(groups, np.uint32)
        args = struct.pack("P", visits.ctypes.data)
        assert pool.launch(kernel("visit"), (groups, 1, 1), ONE, args, 0) is SUCCESS
        assert (visits == 1).all()


def test_threads_begin_with_ranges_of_their_own_if_kernels_take_turns(cache: Cache, kernel):
    pool = Pool(2, cache)
    cursor, started = np.zeros(1, np.uint64), np.zeros(64, np.uint64)
    args = struct.pack("PP", cursor.ctypes.data, started.ctypes.data)
    for _ in range(300):  # the second thread may come too late for a launch
        cursor[0] = 0
        pool.launch(kernel("order_slowly"), (64, 1, 1), ONE, args, 0)
        if np.flatnonzero(started == 32)[0] < np.flatnonzero(started == 16)[0]:
            return
        assert pool.launch(kernel("count"), (64, 1, 1), ONE, args, 0) is SUCCESS
    pytest.fail("the second half never began before the first had ended")


def test_groups_of_all_threads_may_wait_for_earlier_ones(pool: Pool, kernel, counter):
    for launch in range(1, 5):
        assert pool.launch(kernel("follow"), (90, 1, 1), ONE, struct.pack("P", counter.address), 0) is SUCCESS
        assert counter.value == 90 * launch


def test_one_thread_goes_in_linear_order(cache: Cache, kernel, counter):
    started = np.zeros(3 * 50 * 7, np.uint64)
    args = struct.pack("PP", counter.address, started.ctypes.data)
    Pool(1, cache).launch(kernel("order"), (3, 50, 7), ONE, args, 0)
    assert (started == np.arange(started.size)).all()


def test_what_the_function_is_told(pool: Pool, kernel):
    told = np.zeros(12, np.uint32)
    args = struct.pack("P16s", told.ctypes.data, bytes(range(16)))
    pool.launch(kernel("describe"), (1, 1, 1), (8, 4, 2), args, 0, dynamic_shared=4096)
    assert told[:8].tolist() == [1, 1, 1, 8, 4, 2, 4096, 0]
    assert told[8:].tobytes() == bytes(range(16))


def test_what_is_more_than_the_caches_hold(pool: Pool, kernel):
    told = np.zeros(1, np.uint64)
    args = struct.pack("P", told.ctypes.data)
    try:
        for cache_bytes, grid, expected in ((1000, (7, 1, 1), 142), (1 << 40, (1, 2, 4), 1 << 37), (5, (2, 3, 1), 0)):
            pool.set_cache_bytes(cache_bytes)
            assert pool.launch(kernel("tell_stream_bytes"), grid, ONE, args, 0) is SUCCESS
            assert told[0] == expected
    finally:
        pool.set_cache_bytes(last_level_cache_bytes())


@pytest.mark.parametrize("size", [1, 64, 100_000, 5_000_000])
def test_arenas_are_aligned_and_not_shared(pool: Pool, kernel, counter, size: int):
    groups = 2_000_000 // size + 3
    args = struct.pack("QP", size, counter.address)
    assert pool.launch(kernel("use_arena"), (groups, 1, 1), ONE, args, size) is SUCCESS
    assert counter.value == 0


def test_arenas_grow_and_shrink(pool: Pool, kernel, counter):
    for size in (100, 40_000_000, 1000, 50_000_000, 0):
        args = struct.pack("QP", size, counter.address)
        assert pool.launch(kernel("use_arena"), (5, 1, 1), ONE, args, size) is SUCCESS
    assert counter.value == 0


def test_an_arena_that_does_not_fit(pool: Pool, kernel, counter):
    args = struct.pack("P", counter.address)
    outcome = pool.launch(kernel("count"), (100, 1, 1), ONE, args, 1 << 62)
    assert outcome.failure is Failure.OUT_OF_MEMORY
    assert counter.value == 0
    assert pool.launch(kernel("count"), (100, 1, 1), ONE, args, 0) is SUCCESS
    assert counter.value == 100


def test_many_threads_launch_at_once(pool: Pool, kernel):
    """More than there are slots for launches in a pool."""
    wrong: list[int] = []

    def work(seed: int):
        visits = np.zeros(17 + seed, np.uint32)
        args = struct.pack("P", visits.ctypes.data)
        for round_ in range(1, 40):
            outcome = pool.launch(kernel("visit"), (visits.size, 1, 1), ONE, args, 64 * seed)
            if outcome is not SUCCESS or not (visits == round_).all():
                wrong.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(80)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_groups_may_wait_for_earlier_ones(pool: Pool, kernel, counter):
    args = struct.pack("P", counter.address)
    assert pool.launch(kernel("wait_for_previous"), (5000, 1, 1), ONE, args, 0) is SUCCESS
    assert counter.value == 5000


def test_groups_that_take_longer_than_a_slice(pool: Pool, kernel, counter):
    args = struct.pack("P", counter.address)
    assert pool.launch(kernel("second_is_long"), (4, 1, 1), ONE, args, 0) == SUCCESS
    assert counter.value == 4


def _threads_used(pool: Pool, kernel) -> int:
    used = np.zeros(60, np.uint64)
    pool.launch(kernel("which_thread"), (60, 1, 1), ONE, struct.pack("P", used.ctypes.data), 0)
    return len(set(used.tolist()))


def switches_of_other_threads() -> int:
    """Number of times that other threads of this process have gone to sleep."""
    own = str(threading.get_native_id())
    files = [task / "status" for task in Path("/proc/self/task").iterdir() if task.name != own]
    return sum(int(line.split()[1]) for file in files for line in file.read_text().splitlines() if line[:2] == "vo")


def test_workers_are_not_woken_for_what_is_over_before_they_are_awake(cache: Cache, kernel):
    pool, code = Pool(2, cache), kernel("some_microseconds")
    for grid in (300, 3):  # the first starts the worker
        pool.launch(code, (grid, 1, 1), ONE, b"", 0)
    times = 300
    before = switches_of_other_threads()
    for _ in range(times):
        time.sleep(0.0005)  # the worker goes to sleep meanwhile
        assert pool.launch(code, (3, 1, 1), ONE, b"", 0) is SUCCESS
    # A launch that was interrupted took longer, and then the next one wakes the worker. The watch ticks, too.
    assert switches_of_other_threads() - before < 0.7 * times


def test_the_number_of_threads_can_be_changed(pool: Pool, kernel):
    assert pool.num_threads == 3
    assert _threads_used(pool, kernel) == 3
    pool.set_num_threads(1)
    assert pool.num_threads == 1
    assert _threads_used(pool, kernel) == 1
    pool.set_num_threads(6)
    assert _threads_used(pool, kernel) == 6
    pool.set_num_threads(2)
    assert _threads_used(pool, kernel) == 2


@pytest.mark.parametrize("number", [0, -1, 1025])
def test_numbers_of_threads_that_are_none(pool: Pool, cache: Cache, number: int):
    with pytest.raises(Error, match=f"1 to 1024 threads, not {number}"):
        pool.set_num_threads(number)
    with pytest.raises(Error, match=f"1 to 1024 threads, not {number}"):
        Pool(number, cache)
    assert pool.num_threads == 3
