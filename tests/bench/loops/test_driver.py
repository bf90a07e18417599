# SPDX-License-Identifier: Apache-2.0
"""The processes of bench/loops, and what the driver makes of their answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.cpu.workers import PeerError, Worker
from bench.loops.__main__ import _measure
from bench.loops.workload import case


def test_workers_measure_and_say_what_they_cannot_do(tmp_path: Path) -> None:
    workers = [Worker(peer, 1, tmp_path, module="bench.loops.worker") for peer in ("lanewise", "numpy")]
    try:
        first, times, failures = _measure(case("stencil"), workers, 1, small=True)
        assert first is not None
        assert not failures
        assert first > 0
        assert sorted(times) == ["lanewise", "numpy"]
        assert all(each > 0 for each in times.values())

        _, times, failures = _measure(case("queens"), workers, 1, small=True)
        assert [*times] == ["lanewise"], "the queens have no natural form in NumPy"
        with pytest.raises(PeerError, match="no natural form"):
            workers[1].load("queens", 6)
        with pytest.raises(PeerError, match="KeyError: 3"):
            workers[0].load("queens", 3)
    finally:
        for worker in workers:
            worker.close()
