# SPDX-License-Identifier: Apache-2.0
"""Exceptions that end a work-item early. The code that started the work-item (`execution.py`) catches them and adds
kernel, block, thread, file and line. Neither is seen outside this package."""

from __future__ import annotations

from typing import final


@final
class Fault(Exception):
    """A violation of the semantics by the work-item; the text describes it."""


@final
class WorkItemExit(Exception):
    """The end of a work-item inside functions that have not returned."""


def stack_overflow(error: RecursionError) -> Fault:
    """The fault of a work-item whose calls are deeper than Python allows."""
    return Fault("calls too deep for the reference device").with_traceback(error.__traceback__)
