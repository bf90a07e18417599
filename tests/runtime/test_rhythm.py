# SPDX-License-Identifier: Apache-2.0
"""python -m pytest tests/runtime/test_rhythm.py

Workers spin for the next launch: for 70 us, or longer while launches follow one another soon.
"""

import ctypes
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from lanewise.cache import Cache
from lanewise.runtime import SUCCESS, Pool, load
from lanewise.runtime.build import compile_c

ONE = (1, 1, 1)
MANY = 100
USUAL = 70
MOST = 300


@pytest.fixture(scope="module")
def spin_after() -> Callable[[int, int, int], int]:
    function = load(compile_c(Path(__file__).with_name("rhythm.c"))).spin_after
    function.restype = ctypes.c_uint64
    return lambda *numbers: function(*map(ctypes.c_uint64, numbers))


@pytest.mark.parametrize("pause", [40, 72, 100, 140, 150, 190])
def test_workers_spin_longer_than_the_pauses_of_launches_that_follow_soon(spin_after, pause: int):
    spins = spin_after(pause, 50, MANY)
    assert pause < spins <= MOST
    assert spins >= min(2 * pause - 1, MOST)


@pytest.mark.parametrize("pause", [0, 1, 30, 210, 300, 1_000, 100_000_000])
def test_workers_spin_as_usual_if_launches_follow_at_once_or_late(spin_after, pause: int):
    assert spin_after(pause, 50, MANY) == USUAL


@pytest.mark.parametrize(("took", "spins"), [(5, USUAL), (10, 200)])
def test_workers_spin_for_launches_that_are_worth_it(spin_after, took: int, spins: int):
    assert abs(spin_after(100, took, MANY) - spins) <= 1


def test_it_takes_several_launches_until_workers_spin_longer(spin_after):
    spins = [spin_after(100, 50, count) for count in range(1, 20)]
    assert spins[:5] == [USUAL] * 5
    assert spins[-1] > 190
    assert spins == sorted(spins, key=lambda us: us > USUAL)


def test_workers_sleep_when_launches_that_followed_soon_have_ended(cache: Cache, kernel):
    assert Pool(1, cache).launch(kernel("nothing"), ONE, ONE, b"", 0) is SUCCESS  # starts the watch
    before = threads()
    pool = Pool(2, cache)
    for _ in range(40):
        assert pool.launch(kernel("nothing"), (4000, 1, 1), ONE, b"", 0) is SUCCESS
        end = time.perf_counter() + 100e-6
        while time.perf_counter() < end:
            pass
    (worker,) = threads() - before
    end = time.monotonic() + 30
    while state(worker) != "S":
        assert time.monotonic() < end
    time.sleep(0.01)
    switches = voluntary_switches(worker)
    time.sleep(0.02)
    assert (state(worker), voluntary_switches(worker)) == ("S", switches)


@pytest.fixture(scope="module")
def of_pools() -> ctypes.CDLL:
    library = load(compile_c(Path(__file__).with_name("pool_rhythm.c")))
    library.pause_after.restype = library.yields_after_sleep.restype = ctypes.c_uint64
    library.pause_after.argtypes = [ctypes.c_uint64]
    return library


def test_launches_of_one_thread_are_none_that_workers_wait_for(of_pools: ctypes.CDLL):
    longest = of_pools.pause_after(1)
    assert of_pools.pause_after(2) < longest == 1_200_000


def test_a_worker_that_has_slept_spins_as_usual_until_it_works(of_pools: ctypes.CDLL):
    assert of_pools.yields_after_sleep() == 0


def threads() -> set[int]:
    return {int(name) for name in os.listdir("/proc/self/task")}


def state(thread: int) -> str:
    return Path(f"/proc/self/task/{thread}/stat").read_text().rpartition(")")[2].split()[0]


def voluntary_switches(thread: int) -> int:
    lines = Path(f"/proc/self/task/{thread}/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("voluntary_ctxt_switches")))
