# SPDX-License-Identifier: Apache-2.0
"""Results of `bench.unseen.mappings` from times: how far `auto` is from the best mapping."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from bench.unseen.mappings import Choice, _time, compared, summary
from bench.unseen.recording import Buffer, Recording


def test_a_mapping_with_the_same_code_is_as_fast_whatever_the_clock_says():
    assert Choice("k", {"auto,fixed": 2.0, "loop": 4.0}, {"lanes": "auto,fixed"}).ratio == 1


@pytest.mark.parametrize(
    ("tried", "same_as", "wanted"),
    [
        ("", {}, 2.0),
        ("lanes", {}, 1.5),
        ("lanes", {"lanes": "loop"}, 1.0),
        ("lanes", {"lanes": "auto,fixed"}, 2.0),
    ],
)
def test_what_launches_try_counts_where_it_is_faster(tried: str, same_as: dict[str, str], wanted: float):
    seconds = {"auto,fixed": 2.0, "loop": 1.0} | ({} if same_as else {"lanes": 1.5})
    choice = Choice("k", seconds, same_as, tried=tried)
    assert (choice.ratio, choice.after_launches) == (2.0, wanted)


def test_only_who_seems_to_be_behind_is_measured_again():
    counts = {"auto,fixed": 0, "lanes": 0, "loop": 0}

    def turn(mapping: str, seconds: float) -> float:
        counts[mapping] += 1
        return seconds

    players = {"auto,fixed": lambda: turn("auto,fixed", 2.0), "lanes": lambda: turn("lanes", 1.0)}
    choice = Choice("k")
    _time(choice, {**players, "loop": lambda: turn("loop", 9.0)}, 5)
    assert choice.ratio == 2
    assert counts == {"auto,fixed": 25, "lanes": 25, "loop": 2}


def test_a_recording_is_compared_by_code_and_by_time(tmp_path: Path):
    x = np.arange(64, dtype=np.float32)
    (tmp_path / "memory-0").write_bytes(x.tobytes())
    source = "kernel void doubled(global float *x) { x[get_global_id(0)] *= 2; }"
    recording = Recording("p/k", tmp_path, "doubled", source, "", (64,), (64,), None, (Buffer(0, 0, x.nbytes),))
    choice = compared(recording, ["lanes", "loop"], 2)
    assert not choice.failures
    assert choice.same_as == {"lanes": "auto,fixed"}
    assert choice.seconds.keys() == {"auto,fixed", "loop"}


def test_the_table_has_a_column_per_program():
    choices = [Choice("a/k", {"auto,fixed": 1.2, "loop": 1.0}), Choice("b/k", {"auto,fixed": 1.0})]
    text = summary(choices)
    assert text.splitlines()[0] == "| | all | a | b |"
    (above,) = re.findall(r"^\| above 1\.1 \| (.*) \|$", text, re.MULTILINE)
    assert above.split(" | ") == ["1", "1", "0"]
