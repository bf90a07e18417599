# SPDX-License-Identifier: Apache-2.0
"""Several copies of the runtime core in a process, as sessions with caches of their own load: each has signal handlers,
the last one's in front, and pokes and faults reach the copy that they are for."""

import struct
from pathlib import Path

import pytest

from lanewise.cache import Cache
from lanewise.runtime import Failure, Pool

ONE = (1, 1, 1)


@pytest.fixture
def pools(tmp_path: Path) -> list[Pool]:
    return [Pool(2, Cache(tmp_path / name)) for name in "abc"]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_pokes_and_faults_reach_their_copy(pools: list[Pool], kernel, counter, order: tuple[int, ...]):
    args = struct.pack("P", counter.address)
    for index in (*order, *order):
        outcome = pools[index].launch(kernel("never_end"), (4, 1, 1), ONE, args, 0, timeout=0.05)
        assert outcome.failure is Failure.TIMED_OUT
        outcome = pools[index].launch(kernel("descend_for_ever"), (4, 1, 1), ONE, b"", 0)
        assert outcome.failure is Failure.STACK_OVERFLOW
