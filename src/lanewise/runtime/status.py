# SPDX-License-Identifier: Apache-2.0
"""How a launch ended."""

from __future__ import annotations

import enum
from typing import NamedTuple


class Failure(enum.IntEnum):
    """Why a launch ended early: `enum lw_kind` of lanewise_rt.h."""

    NONE = 0
    TRAP = 1
    """A work-item executed `__trap()`."""
    ASSERT = 2
    """A work-item's `assert()` failed."""
    OUT_OF_MEMORY = 3
    """The calling thread's arena could not be allocated; no work-group ran."""
    CANCELLED = 4
    """It was cancelled, or ran longer than its timeout."""


class Outcome(NamedTuple):
    """The end of a launch that failed or printed; the first failure, if there were several."""

    failure: Failure = Failure.NONE
    block: tuple[int, int, int] = (0, 0, 0)
    """Work-group of the failure, as are `thread` (the work-item in it) and what follows."""
    thread: tuple[int, int, int] = (0, 0, 0)
    message: str = ""
    """The assertion that failed, as `file`, `line` and `function` cut to 1023 bytes."""
    file: str = ""
    line: int = 0
    function: str = ""
    output: bytes = b""
    """What printf wrote, whole calls in order."""


SUCCESS = Outcome()
"""The launch ran to its end and printed nothing."""
