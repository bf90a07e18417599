# SPDX-License-Identifier: Apache-2.0
"""What bench/cpu does around the kernels: processes, comparison, means, the document."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from bench.cpu import document, geometric, report
from bench.cpu.compare import difference
from bench.cpu.measure import Outcome, measure
from bench.cpu.order import PLACEMENTS, Order, placed, write
from bench.cpu.problem import Problem, kernel
from bench.cpu.roofline import Limit
from bench.cpu.workers import PeerError, Worker


def _problem(tolerance: float = 0.0, differing: float = 0.0) -> Problem:
    expected = np.arange(1000, dtype=np.float32)
    return Problem((np.zeros_like(expected),), (1000,), (1,), (0,), lambda: (expected,), tolerance, differing)


def _with(place: int, value: float) -> list[np.ndarray]:
    values = np.arange(1000, dtype=np.float32)
    values[place] = value
    return [values]


def test_a_difference_names_the_element():
    problem = _problem()
    assert difference(problem, [np.arange(1000, dtype=np.float32)], problem.expected()) == ""
    assert "most at 7: 8, not 7" in difference(problem, _with(7, 8), problem.expected())
    assert "most at 7: nan" in difference(problem, _with(7, math.nan), problem.expected())


def test_the_tolerance_is_relative_to_the_greatest_and_some_may_differ():
    loose, some = _problem(tolerance=1e-3), _problem(differing=1e-3)
    assert difference(loose, _with(7, 7.9), loose.expected()) == ""
    assert difference(loose, _with(7, 8.1), loose.expected()) != ""
    assert difference(some, _with(7, 70), some.expected()) == ""
    both = _with(7, 70)[0]
    both[8] = 80
    assert difference(some, [both], some.expected()) != ""


@pytest.mark.parametrize(("placement", "offset"), [("page", 0), ("numpy", 16)])
def test_arrays_begin_where_they_are_to_and_keep_their_values(placement: str, offset: int):
    array = np.arange(30, dtype=np.int16).reshape(5, 6)
    copy = placed(array, PLACEMENTS[placement])
    assert copy.ctypes.data % 4096 == offset
    assert (copy == array).all()
    assert copy.flags.c_contiguous


def test_geometric_means():
    assert geometric.mean([1, 4, 16]) == pytest.approx(4)
    assert geometric.mean_without_best([16, 1, 4], 1) == pytest.approx(2)
    assert math.isnan(geometric.mean_without_best([2], 3))


def test_a_worker_measures_and_survives_what_it_cannot_compile(tmp_path: Path):
    worker = Worker("lanewise:loop", 1, tmp_path / "cache")
    try:
        with ThreadPoolExecutor(1) as pool:
            limit = Limit("nbytes", 1, pool, 1e9, {"read": _sleep})
            outcome = measure("saxpy", kernel("saxpy"), 512, [worker], 2, tmp_path, limit)
        assert outcome.failures == {}
        assert outcome.nanoseconds["lanewise"] > 0
        assert len(outcome.bounds) == len(limit.rates["read"]) == len(outcome.turns["lanewise"]) == 2

        problem = kernel("saxpy").problem(512)
        write(tmp_path / "bad", Order.of("saxpy", problem, "-D get_global_id=missing"))
        with pytest.raises(PeerError, match="missing"):
            worker.load(tmp_path / "bad", tmp_path / "results")

        worker.close()
        write(tmp_path / "good", Order.of("saxpy", problem, ""))
        assert worker.load(tmp_path / "good", tmp_path / "results") > 0, "a process that ended is started again"
    finally:
        worker.close()


def test_the_bound_of_a_turn_is_measured_in_it():
    outcome = Outcome("saxpy", "16M", _problem(), turns={"lanewise": [2, 4, 2]}, bounds=[1, 1, 2])
    assert outcome.share == 0.5
    assert Outcome("saxpy", "16M", _problem(), turns={"lanewise": [2, 4]}).share is None
    assert Outcome("saxpy", "16M", _problem(), bounds=[1]).share is None


def test_a_limit_counts_what_its_fastest_way_does():
    with ThreadPoolExecutor(2) as pool:
        done: list[tuple[str, int]] = []

        def way(name: str, seconds: float) -> Callable[[int, int], None]:
            def run(thread: int, passes: int) -> None:
                done.append((name, thread))
                time.sleep(seconds)

            return run

        limit = Limit("nbytes", 2, pool, 1e6, {"slow": way("slow", 0.4), "fast": way("fast", 0.03)})
        assert sorted(done) == [("fast", 0), ("fast", 1), ("slow", 0), ("slow", 1)]
        rate = limit.trial()
    assert limit.rates["fast"] == [rate]
    assert limit.median("slow") < rate <= 1e6 / 0.03e9


def test_the_limits_in_a_table():
    with ThreadPoolExecutor(1) as pool:
        limit = Limit("nbytes", 1, pool, 50e6, {"read": _sleep, "copy": _sleep, "stream": _sleep, "fma": _sleep})
        limit.trial()
        outcome = Outcome("saxpy", "16M", _problem(), {"lanewise": 2e6}, turns={"lanewise": [2e6]}, bounds=[1e6])
        shown = report.limits({128 << 20: limit}, limit, 32 << 20, [outcome])
    assert "| 128 MiB, which does not fit into the last-level cache |" in shown
    assert "| saxpy | 0 | 2.00 | 1.00 | 50% |" in shown


def _sleep(thread: int, passes: int) -> None:
    time.sleep(0.02)


def test_a_row_says_how_many_times_faster_we_are():
    outcome = Outcome("saxpy", "16M", _problem(), {"lanewise": 2e6, "intel": 5e6}, {"pocl": "crashed\nbadly"})
    assert report.line(outcome, ["intel", "pocl"]) == "| saxpy | 16M | 2.00 | 5.00 | 2.50 |  |  |"
    assert report.failures([outcome], {"numba": "no network"}) == "* Numba: no network\n* saxpy, pocl: crashed"


def test_what_all_kernels_fail_by_is_said_once():
    outcomes = [Outcome(name, "", _problem(), failures={"pocl": "unknown processor"}) for name in ("saxpy", "fft")]
    assert report.failures(outcomes, {}) == "* all kernels, pocl: unknown processor"
    outcomes.append(Outcome("scan", "", _problem()))
    assert report.failures(outcomes, {}) == "* saxpy, fft, pocl: unknown processor"


def test_the_document_keeps_what_is_around_the_marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "cpu.md"
    marks = "<!-- what make bench measured -->\n", "<!-- end of what make bench measured -->\n"
    path.write_text(f"before\n{marks[0]}old\n{marks[1]}after\n")
    monkeypatch.setattr(document, "_DOCUMENT", path)
    monkeypatch.setattr(document, "_CHART", tmp_path / "cpu.png")
    outcome = Outcome("saxpy", "16M", _problem(), {"lanewise": 2e6, "intel": 5e6})
    document.write("A machine.", ["| a table |"], [outcome], ["intel"])
    text = path.read_text()
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "| a table |" in text
    assert "old" not in text
