# SPDX-License-Identifier: Apache-2.0
"""Memory between pages that can't be accessed: python -m pytest tests/runtime/test_guarded_memory.py"""

import ctypes
import gc
import os
import re
import struct
import warnings
from pathlib import Path

import numpy as np
import pytest

from lanewise.runtime import SUCCESS, Access, Failure, Outcome, Pool

READ, WRITE = range(2)
SIZES = [0, 1, 400, 4096, 20_000, 1_200_000, 9_000_000]
PAGE = os.sysconf("SC_PAGESIZE")


def _touch(pool: Pool, kernel, how: int, address: int) -> Outcome:
    return pool.launch(kernel("touch"), (4, 1, 1), (1, 1, 1), struct.pack("QQ", how, address), 0)


def _rounded(size: int) -> int:
    return -(-size // 256) * 256


@pytest.mark.parametrize("size", SIZES)
def test_memory_starts_at_a_multiple_of_256_and_can_be_written(pool: Pool, size: int):
    memory = pool.allocate(size, zeroed=True)
    assert memory.address % 256 == 0
    array = np.asarray(memory)
    assert array.nbytes == size
    assert not array.any()
    array[:] = 7
    assert (np.asarray(memory) == 7).all()


@pytest.mark.parametrize("size", SIZES)
def test_accesses_past_either_end_are_faults(pool: Pool, kernel, size: int):
    memory = pool.allocate(size, zeroed=False)
    after = memory.address + _rounded(size)
    before = memory.address - (-_rounded(size) % PAGE if size else PAGE) - 1
    for address in (after, after + 5000, before, before - 5000):
        for how, access in ((READ, Access.READ), (WRITE, Access.WRITE)):
            outcome = _touch(pool, kernel, how, address)
            assert (outcome.failure, outcome.address) == (Failure.FAULT, address)
            assert outcome.access in (access, Access.SOME)
    assert size == 0 or _touch(pool, kernel, WRITE, memory.address + size - 1) is SUCCESS


def test_an_index_that_is_twice_what_it_should_be_is_a_fault(pool: Pool, kernel):
    memory = pool.allocate(8_000_000, zeroed=False)
    assert _touch(pool, kernel, READ, memory.address + 2 * memory.nbytes - 8).failure is Failure.FAULT


@pytest.mark.parametrize("size", [s for s in SIZES if s % 256])
@pytest.mark.parametrize("offset", [0, 1, 2, 100])
def test_a_write_to_slack_is_noticed_once(pool: Pool, kernel, size: int, offset: int):
    memory = pool.allocate(size, zeroed=False)
    address = memory.address + size + offset
    outcome = _touch(pool, kernel, WRITE, address)
    assert (outcome.failure, outcome.address) == (Failure.OVERRUN, address)
    assert _touch(pool, kernel, WRITE, memory.address) is SUCCESS


def test_a_write_before_memory_is_noticed(pool: Pool, kernel):
    memory = pool.allocate(400, zeroed=False)
    for distance in (1, 2, 3000):
        outcome = _touch(pool, kernel, WRITE, memory.address - distance)
        assert (outcome.failure, outcome.address) == (Failure.OVERRUN, memory.address - distance)


def test_reads_of_slack_give_what_looks_wrong(pool: Pool):
    memory = pool.allocate(400, zeroed=True)
    slack = bytes((ctypes.c_ubyte * 112).from_address(memory.address + 400))
    for dtype in (np.float16, np.float32):
        assert np.isnan(np.frombuffer(slack, dtype)).all()
    assert (np.frombuffer(slack, np.float64) < -1e305).all()


def test_slack_that_is_copied_to_slack_is_noticed(pool: Pool, kernel):
    one, other = pool.allocate(400, zeroed=True), pool.allocate(400, zeroed=True)
    ctypes.memmove(other.address + 400, one.address + 400, 1)
    assert _touch(pool, kernel, READ, other.address).failure is Failure.OVERRUN


def test_what_is_changed_when_memory_is_freed_is_told(pool: Pool):
    memory = pool.allocate(400, zeroed=False)
    ctypes.memset(memory.address + 450, 3, 1)
    with pytest.warns(RuntimeWarning, match=re.escape("next to a buffer of 400 bytes was written, 50 bytes past its")):
        del memory
    memory = pool.allocate(400, zeroed=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        del memory


def test_a_launch_that_fails_otherwise_says_so_and_leaves_slack_as_it_was(pool: Pool, kernel):
    memory = pool.allocate(400, zeroed=True)
    ctypes.memset(memory.address + 450, 3, 1)
    packed = struct.pack("QQQ", READ, 8, memory.address)
    assert pool.launch(kernel("touch"), (4, 1, 1), (1, 1, 1), packed, 0).failure is Failure.FAULT
    assert _touch(pool, kernel, READ, memory.address) is SUCCESS


def test_memory_is_used_again_and_zeroed(pool: Pool):
    for size in (100, 4000, 300_000):
        first = pool.allocate(size, zeroed=False)
        np.asarray(first)[:] = 9
        address = first.address
        del first
        again = pool.allocate(size, zeroed=True)
        assert again.address == address
        assert not np.asarray(again).any()


def test_arrays_keep_their_memory(pool: Pool):
    part = np.asarray(pool.allocate(1000, zeroed=True))[100:200]
    others = [pool.allocate(1000, zeroed=False) for _ in range(50)]
    assert all(abs(part.ctypes.data - other.address) >= 1000 for other in others)


def _mappings() -> int:
    return len(Path("/proc/self/maps").read_text().splitlines())


def test_mappings_are_bounded(pool: Pool, kernel):
    """Far below the 65,530 that the system allows a process."""
    if os.environ.get("TESTS_SANITIZER") == "thread":
        pytest.skip("the thread sanitizer maps memory of its own for each mapping")
    gc.collect()
    before = _mappings()
    many = [pool.allocate(100, zeroed=True) for _ in range(9000)]
    assert _mappings() - before < 20_000
    assert len({memory.address for memory in many}) == 9000
    for memory in (many[0], many[8500]):
        assert memory.address % 256 == 0
        assert _touch(pool, kernel, WRITE, memory.address + 100).failure is Failure.OVERRUN
        assert _touch(pool, kernel, WRITE, memory.address + 99) is SUCCESS
    del many, memory
    assert _touch(pool, kernel, READ, pool.allocate(100, zeroed=True).address) is SUCCESS


def test_more_than_there_is(pool: Pool):
    for size in (1 << 60, 1 << 47):
        with pytest.raises(MemoryError):
            pool.allocate(size, zeroed=False)


def test_a_child_of_a_fork_has_memory_of_its_own(pool: Pool):
    memory = pool.allocate(100, zeroed=True)
    child = os.fork()
    if child == 0:
        np.asarray(memory)[:] = 1
        fresh = np.asarray(pool.allocate(100, zeroed=True))
        os._exit(int(fresh.any()))
    assert os.waitpid(child, 0)[1] == 0
    assert not np.asarray(memory).any()
