# SPDX-License-Identifier: Apache-2.0
"""A sample of random kernels that exchange values within warps, other ones each day; `python -m tests.fuzz.exchanges`
runs as many as one likes."""

import datetime

from lanewise.workgroup import function

from .choices import Choices
from .exchanges import failures, random_kernel


def test_lanes_do_what_lock_step_does():
    day = datetime.datetime.now(datetime.UTC).toordinal()
    assert not failures(8 * day, 2)


def test_a_lost_step_is_noticed(monkeypatch):
    monkeypatch.setattr(function, "regions_in_step", lambda *_: frozenset())
    assert failures(0, 2, ("lanes:4x1",))


def test_what_random_kernels_are_to_hold_occurs():
    text = "".join(random_kernel(Choices(seed)).text("kernel") for seed in range(50))
    for word in ("if (lane < ", "if (x % 8 < ", "for (unsigned i", " = lane % 5;", "] += x;", "x = 3 * x + s["):
        assert word in text, word
