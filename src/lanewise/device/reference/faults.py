# SPDX-License-Identifier: Apache-2.0
"""How a work-item stops before its end. Both are caught where the work-item was started (`launch.py`), which adds
kernel, block, thread, file and line; neither is seen outside this package."""

from __future__ import annotations

from typing import final


@final
class Fault(Exception):
    """The work-item did what the semantics forbid; the text says what."""


@final
class WorkItemExit(Exception):
    """The work-item ends here although functions that called this one have not returned."""


def stack_overflow(error: RecursionError) -> Fault:
    """The fault of a work-item whose calls go deeper than Python's."""
    return Fault("calls too deep for the reference device").with_traceback(error.__traceback__)
