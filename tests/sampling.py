# SPDX-License-Identifier: Apache-2.0
"""The sample of the tests that a run of all of them takes: a seventh of the cases of each test that has many, others
each day, so that a week runs all. LANEWISE_TEST_ALL_SHAPES=1 runs all at once, and all cases and shapes of tests that
choose some themselves; LANEWISE_TEST_DAY=N takes the sample of another day.
"""

import datetime
import os
import zlib
from collections.abc import Iterable

EVERY_SHAPE = os.environ.get("LANEWISE_TEST_ALL_SHAPES") == "1"
DAYS = 7
"""Days that run all cases."""
FEW = 3
"""Cases of a test that always runs whole."""
WHOLE = ("tests/docs/",)
"""Folders whose tests are never sampled: each document has one case."""
_DAY = "LANEWISE_TEST_DAY"
_SAMPLED = "LANEWISE_TEST_SAMPLED"


def begin(*, whole: bool) -> None:
    """Decide for this process, and for those that share its work, if a sample is taken: of runs of all tests."""
    os.environ[_SAMPLED] = str(int(whole and not EVERY_SHAPE))
    os.environ.setdefault(_DAY, str(datetime.datetime.now(datetime.UTC).toordinal()))


def is_sampled() -> bool:
    """True if this run takes a sample."""
    return os.environ.get(_SAMPLED) == "1"


def day() -> int:
    """The day whose sample is taken."""
    return int(os.environ[_DAY])


def left_out(cases: Iterable[str], day: int) -> set[str]:
    """The cases, `file::test[parameters]`, that a day leaves out. Tests right in tests/ look at all files at once, and
    are never sampled."""
    by_test: dict[str, list[str]] = {}
    for case in cases:
        by_test.setdefault(case.partition("[")[0], []).append(case)
    return {case for test, all_ in by_test.items() for case in _left_out(test, all_, day)}


def _left_out(test: str, cases: list[str], day: int) -> Iterable[str]:
    file = test.partition("::")[0]
    if len(cases) <= FEW or file.count("/") < 2 or file.startswith(WHOLE):
        return ()
    first = (day + zlib.crc32(test.encode())) % DAYS
    return (case for number, case in enumerate(cases) if number % DAYS != first)
