# SPDX-License-Identifier: Apache-2.0
"""Tracebacks of users' mistakes: they end where the user's code called, not ten frames further in.

A function of the public interface that lets an `Error` through takes the frames below itself off it. What is left, the
function's own frame, pytest leaves out where its module has

    __tracebackhide__ = hidden_by_pytest

Other exceptions are defects of Lanewise, and keep all their frames. So does an `Error` where the environment says
`LANEWISE_TRACEBACKS=full`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from lanewise.config import wants_full_tracebacks
from lanewise.errors import Error, hidden_by_pytest

P = ParamSpec("P")
T = TypeVar("T")
E = TypeVar("E", bound=Error)


def trimmed(error: E) -> E:
    """`error` without its frames, to be raised again: `raise trimmed(error) from error.__cause__`."""
    return error if wants_full_tracebacks() else error.with_traceback(None)


def trims_traceback(function: Callable[P, T]) -> Callable[P, T]:
    """A decorator for functions that aren't called for each launch: errors that come out of them are trimmed."""

    @functools.wraps(function)
    def call(*arguments: P.args, **named: P.kwargs) -> T:
        try:
            return function(*arguments, **named)
        except Error as error:
            raise trimmed(error) from error.__cause__

    return call


__tracebackhide__ = hidden_by_pytest
