# SPDX-License-Identifier: Apache-2.0
"""A sample of random programs of Python loops, other ones each day; LANEWISE_TEST_ALL_SHAPES=1 runs all of them.

`python -m tests.frontend.python.generator N` runs as many as one likes, and one again by its seed.
"""

from __future__ import annotations

import datetime
import time
from pathlib import Path

import numpy as np
import pytest
from tests.sampling import EVERY_SHAPE

from .generator.nests import Nest
from .generator.program import random_program
from .generator.running import check, compare, difference, loaded

PARTS = 6
PROGRAMS = 10
"""In each part, of five functions each."""
SECONDS = 6
"""Of a part, after which no further program is begun, unless all are to run."""

_SOURCE = """\
import numpy as np


def f(a):
    for i in range(len(a)):
        a[i] = {}
    return {}


def inputs_f():
    return (np.ones(8)[::2],)
"""


@pytest.mark.parametrize("part", range(PARTS))
def test_compiled_programs_do_what_python_does(part: int) -> None:
    day = datetime.datetime.now(datetime.UTC).toordinal()
    first, start = (day * PARTS + part) * PROGRAMS, time.process_time()
    done, failures = 0, []
    for seed in range(first, first + PROGRAMS):
        if EVERY_SHAPE or time.process_time() - start < SECONDS:
            failures += check(random_program(seed))
            done += 1
    assert not failures, "\n".join(map(str, failures))
    assert done


def test_python_can_run_random_programs() -> None:
    """They neither divide by zero nor leave arrays, and make no integers that don't fit."""
    for seed in range(100):
        assert not check(random_program(seed), compiled=False)


def test_the_seed_says_all() -> None:
    assert random_program(7) == random_program(7)
    assert random_program(7).source != random_program(8).source


def test_what_random_programs_are_to_hold_occurs() -> None:
    text = "\n".join(random_program(seed).source for seed in range(150))
    for word in (
        "lw.prange(", "range(3, -1, -1)", "while ", "elif ", "else:", "break", "continue",
        " // ", " % ", " << ", " >> ",
        "-1]", "[::-1]", "[::-3]", ".T", "[1:-1]", "(2, 2, 2, 2, 2, 2)", ".shape[", "row1 = ", ", 1:]", " if ", " and ",
        " or ", "not ", "total = min(", "total = max(", "total *= ", "total -= ", "total = total or ", "make_helper1",
        "make_helper2",
        "return scale * x", "(n - 1, x", "math.floor(", "np.sqrt(", "math.exp(", "over = a1[1:]", "np.minimum(",
        '"bool"', '"int8"', '"uint64"', '"float16"', '"float32"', "WHOLE", "PART", "for step in range(3):",
        '"complex64"', '"complex128"', ".conjugate()", "s * 0.5j", "records(", "align=False", '"f1", "', ']["f0"] = ',
        "np.where(", "np.maximum(", ".any()", ".sum()", "np.min(", "[::-1].copy()", "[i, ::-1] = ", "[i] += ", "[t1 > ",
    ):  # fmt: skip
        assert word in text, word


@pytest.mark.parametrize(
    ("stored", "returned", "found"),
    [
        ("WRONG + 2", "0", "argument 0 differs: 4 of 4, the first at [0]"),
        ("a[i]", "WRONG", "it returns something else: 1 of 1"),
        ("a[i]", "np.float32(1)", ""),
        ("a[i]", "np.float32(1) if WRONG else np.float64(1)", "it returns something else: float32[]"),
        ("a[i]", "a[8 * WRONG]", "IndexError"),
    ],
)
def test_differences_are_noticed(stored: str, returned: str, found: str, tmp_path: Path) -> None:
    """The number WRONG is 0 in what Python runs, and 1 in what stands for compiled code."""
    source = _SOURCE.format(stored, returned)
    plain = loaded(f"WRONG = 0\n{source}", tmp_path / "plain.py")
    ours = loaded(f"WRONG = 1\n{source}", tmp_path / "ours.py")
    text = compare(plain, ours, Nest("f", [], [], []))
    assert found in text
    assert bool(text) == bool(found)


def test_numbers_differ_by_type_bits_and_tolerance() -> None:
    assert difference(np.int64(3), 3, 0.0) == ""
    assert difference(3.0, 3, 0.0) == "float64[] 3.0, not int64[] 3"
    assert difference(None, 3, 0.0) == "None, not 3"
    assert difference(-0.0, 0.0, 0.0) != ""
    assert difference(np.nan, np.nan, 0.0) == ""
    assert difference(1.0, 1.0 + 1e-9, 1e-8) == ""
    assert difference(1.0, 1.0 + 1e-9, 1e-10) != ""
    assert difference(np.zeros(3), np.zeros(4), 0.0) != ""
    assert difference(1 + 0j, complex(1, -0.0), 0.0).startswith("imag: 1 of 1")
    record = np.zeros(1, [("x", "i4"), ("y", "c8")])
    assert difference(record, record.copy(), 0.0) == ""
    record["y"] = 1j
    assert difference(record, np.zeros_like(record), 0.0).startswith("field y: imag: 1 of 1")
