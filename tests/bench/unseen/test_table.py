# SPDX-License-Identifier: Apache-2.0
"""What the table of recorded kernels says: comparison of results, ratios, summaries."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from bench.unseen.compare import difference
from bench.unseen.measure import Outcome, _compare
from bench.unseen.played import Results

from bench.unseen import __main__ as driver
from bench.unseen import document, report


def _bytes(values: list[float], dtype: str) -> dict[int, np.ndarray]:
    return {0: np.array(values, dtype).view(np.uint8)}


@pytest.mark.parametrize(
    ("dtype", "found", "wanted", "differs"),
    [
        ("<f4", [1.0, 2.0], [1.0, 2.001], False),
        ("<f4", [1.0, 2.0], [1.0, 2.1], True),
        ("<f4", [1e-4, 100], [0, 100], False),  # relative to the greatest
        ("<f4", [float("nan"), 1], [float("nan"), 1], False),
        ("<f4", [float("nan"), 1], [0, 1], True),
        ("<f4", [float("inf"), 1], [float("inf"), 1], False),
        ("<f4", [3, 1], [float("inf"), 1], True),
        ("|u1", [7, 255], [8, 254], False),
        ("|u1", [7, 0], [9, 0], True),
        ("<i4", [7, 0], [8, 0], True),
    ],
)
def test_differences_that_rounding_makes_do_not_count(
    dtype: str, found: list[float], wanted: list[float], differs: bool
):
    assert bool(difference(_bytes(found, dtype), _bytes(wanted, dtype), {0: dtype})) == differs


def test_memory_of_an_unknown_type_is_compared_as_floats_too():
    wanted = np.linspace(1, 2, 1000, dtype=np.float32)
    close, far = wanted * np.float32(1 + 1e-6), wanted * np.float32(1.1)
    assert (close.view(np.uint8) != wanted.view(np.uint8)).mean() > 0.01
    assert difference({0: close.view(np.uint8)}, {0: wanted.view(np.uint8)}, {}) == ""
    assert difference({0: far.view(np.uint8)}, {0: wanted.view(np.uint8)}, {}) != ""


def test_a_few_elements_may_differ():
    wanted = np.zeros(2000, np.float32)
    found = wanted.copy()
    found[:2] = 9
    assert difference({0: found.view(np.uint8)}, {0: wanted.view(np.uint8)}, {0: "<f4"}) == ""
    found[2] = 9
    said = difference({0: found.view(np.uint8)}, {0: wanted.view(np.uint8)}, {0: "<f4"})
    assert said == "memory 0: 0.15% of 2000 differ, first 0: 9.0, not 0.0"


def test_a_memory_that_one_alone_changed_differs():
    some = np.zeros(4, np.uint8)
    assert difference({}, {1: some}, {}) == "memory 1: not changed"
    assert difference({1: some}, {}, {}) == "memory 1: changed, which it was not to be"


def _outcome(name: str, half: str, auto: float, loop: float, intel: float, pocl: float | None = None) -> Outcome:
    times = {"lanewise:auto": auto, "lanewise:loop": loop, "intel": intel}
    return Outcome(name, half, times if pocl is None else times | {"pocl": pocl})


def test_times_of_the_fastest_launches_take_the_place_of_medians():
    outcome = _outcome("first/a-1", "tune", 1e6, 2e6, 4e6)
    outcome.fastest = {"lanewise:auto": 1e6, "lanewise:loop": 5e5, "intel": 2e6}
    assert (outcome.by_fastest().ratio("intel"), outcome.by_fastest().of_best_mapping) == (2, 2)
    assert outcome.ratio("intel") == 4


def test_files_of_parts_of_a_corpus_become_one_section(tmp_path: Path):
    files = [tmp_path / "one", tmp_path / "two"]
    for file, name in zip(files, ("b/k-1", "a/k-2"), strict=True):
        saved = {"conditions": "A machine.", "outcomes": [asdict(_outcome(name, "tune", 1e6, 2e6, 4e6))]}
        file.write_text(json.dumps(saved))
    conditions, outcomes = document.load(files)
    assert [each.name for each in outcomes] == ["a/k-2", "b/k-1"]
    text = document.section(conditions, outcomes)
    assert "A machine." in text
    assert "| geometric mean of times Intel's speed | 4.00 | 4.00 | 4.00 | 4.00 |" in text


def test_rows_for_which_nothing_was_measured_are_left_out():
    """`auto` alone was played: there is no best mapping, and no second peer."""
    outcomes = [
        Outcome(f"a/{name}", "tune", {"lanewise:auto": 1e6, "intel": took}) for name, took in (("k", 4e6), ("l", 3e3))
    ]
    assert outcomes[0].of_best_mapping is None
    names = [line.split(" | ")[0] for line in report.summary([("all", outcomes)]).splitlines()]
    assert not [name for name in names if "pocl" in name or "best mapping" in name or "1.3" in name]
    assert "| least | 0.003 |" in report.summary([("all", outcomes)])


def test_ratios_and_their_summary():
    outcomes = [
        _outcome("first/a-1", "tune", 1e6, 2e6, 4e6, 3e6),
        _outcome("first/b-2", "held-out", 2e6, 1e6, 1e6),
        Outcome("second/c-3", "tune", {"intel": 1e6}, failures={"lanewise:auto": "memory 0: not changed"}),
    ]
    first, second, third = outcomes
    assert (first.ratio("intel"), first.ratio("pocl"), first.of_better_peer, first.of_best_mapping) == (4, 3, 3, 1)
    assert (second.ratio("pocl"), second.of_better_peer, second.of_best_mapping) == (None, 0.5, 2)
    assert (third.ratio("intel"), third.of_better_peer, third.of_best_mapping) == (None, None, None)

    assert report.line(first) == "| first/a-1 | tune | 1.000 | 2.000 |  | 4.000 | 4.00 | 3.000 | 3.00 | 1.00 |"
    assert report.failures(outcomes) == "* second/c-3, lanewise:auto: memory 0: not changed"
    groups = report.groups(outcomes)
    assert [name for name, _ in groups] == ["all", "tune", "held-out", "first", "second"]
    lines = [line.split(" | ") for line in report.summary(groups).splitlines()]
    rows = {name.removeprefix("| "): cells for name, *cells in lines}
    assert rows["geometric mean of times Intel's speed"][:4] == ["1.41", "4.00", "0.50", "1.41"]
    assert rows["the same of the better of both"][0] == "1.22"
    assert rows["at 1.0 or more"][:3] == ["50%", "100%", "0%"]
    assert rows["above 1.3"][:3] == ["1", "0", "1"]
    assert rows["wrong or failed by Lanewise"][0] == "1"


def test_the_time_of_a_mapping_with_the_same_code_says_nothing_of_auto():
    outcome = _outcome("first/a-1", "tune", 2e6, 1e6, 4e6)
    assert outcome.of_best_mapping == 2
    outcome.codes = {"lanewise:auto": "one", "lanewise:loop": "one"}
    assert outcome.of_best_mapping == 1
    assert report.line(outcome).startswith("| first/a-1 | tune | 2.000 | 1.000 = |  | 4.000 |")
    outcome.codes["lanewise:loop"] = "another"
    assert outcome.of_best_mapping == 2


def test_mappings_whose_code_was_still_to_change_are_not_compared():
    outcome = _outcome("first/a-1", "tune", 2e6, 1e6, 4e6)
    outcome.unsettled = ["lanewise:loop"]
    assert (outcome.of_best_mapping, outcome.ratio("intel")) == (None, 2)
    assert report.unsettled([outcome]) == "* first/a-1, lanewise:loop: its code was still to change"


def test_the_first_code_and_the_code_that_is_timed_are_both_compared():
    right, wrong = _bytes([1, 2], "<f4"), _bytes([1, 3], "<f4")
    types = {0: "<f4"}
    results = {
        "intel": Results(right, right, set(), {}),
        "lanewise:auto": Results(wrong, right, {0}, types),
        "lanewise:loop": Results(right, wrong, {0}, types),
        "lanewise:lanes": Results(right, right, set(), types),
    }
    outcome = Outcome("first/a-1", "tune")
    _compare(outcome, results)
    said = "memory 0: 50.00% of 2 differ, first 1: 3.0, not 2.0"
    assert outcome.failures == {
        "lanewise:auto": said,
        "lanewise:loop": f"by the code of the first launch, {said}",
    }


def test_it_fails_where_lanewise_can_not_be_had(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    given = SimpleNamespace(runs=1, folder=tmp_path, seed=22, remarks=False, save=None)
    monkeypatch.setattr(driver, "measure", lambda *arguments: Outcome("first/a-1", "tune", {"intel": 1e6}))
    recording = SimpleNamespace(half=lambda seed: "tune")
    status = [
        driver._play(given, [recording], {}, missing, 1, tmp_path)  # type: ignore[arg-type, list-item]
        for missing in ({"lanewise:auto": "no pyopencl"}, {"pocl": "no pyopencl"})
    ]
    assert status == [1, 0]
