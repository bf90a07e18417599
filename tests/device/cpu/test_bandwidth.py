# SPDX-License-Identifier: Apache-2.0
"""The machine's memory is measured once."""

from pathlib import Path

import pytest

from lanewise.cache import Cache
from lanewise.cli.timing import BytesMoved, told
from lanewise.device.cpu import bandwidth


def test_it_is_measured_once_for_each_number_of_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    measured: list[int] = []

    def measure(threads: int) -> float:
        measured.append(threads)
        return 2.5e10 * threads

    monkeypatch.setattr(bandwidth, "_measured", measure)
    cache = Cache(tmp_path)
    for threads in (1, 2, 1, 2):
        assert bandwidth.memory_bandwidth(cache, threads) == 2.5e10 * threads
    assert measured == [1, 2]


def test_copies_are_timed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bandwidth, "last_level_cache_bytes", lambda: 0)
    monkeypatch.setattr(bandwidth, "_LEAST", 1 << 20)
    assert 1e7 < bandwidth.memory_bandwidth(Cache(None), 2) < 1e13


class Steps:
    front_end, machine_code, run = 0.1, 0.2, 0.3


@pytest.mark.parametrize(
    ("traffic", "line"),
    [
        (None, "launch: 2 ms (median of 3; 1 ms to 3 ms)"),
        (BytesMoved(0, 0, None), "launch: 2 ms (median of 3; 1 ms to 3 ms)"),
        (
            BytesMoved(2_000_000, 500, None),
            "arrays: 2 MB read, 500 B written, 1 GB/s if each element is accessed once; the arrays fit the caches",
        ),
        (
            BytesMoved(20_000_000_000, 0, 2e13),
            "arrays: 20 GB read, 0 B written, 1e+04 GB/s if each element is accessed once; "
            "50 % of the 2e+04 GB/s that copies reach here",
        ),
    ],
)
def test_what_is_told(traffic: BytesMoved | None, line: str):
    assert told(Steps(), [1e-3, 2e-3, 3e-3], traffic)[-1] == line
