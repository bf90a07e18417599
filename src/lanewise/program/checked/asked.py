# SPDX-License-Identifier: Apache-2.0
"""The checks of a compilation: those that it asks for, else those of the code around it, else the environment's."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar

from lanewise.checks.parts import parts_of
from lanewise.config import default_checks
from lanewise.errors import Error

_AROUND: ContextVar[tuple[str, ...] | None] = ContextVar("lanewise checks", default=None)
"""A context variable, so that threads and tasks that ask for different checks don't meet."""


def checks_of(given: object) -> tuple[str, ...]:
    """The names of the checks for what `lw.compile` was given as `checked`; None: what holds here. Error for what names
    none."""
    if given is not None:
        return parts_of(given)
    around = _AROUND.get()
    if around is not None:
        return around
    try:
        return parts_of(default_checks())
    except Error as error:
        raise Error(f"LANEWISE_CHECK: {error}") from None


def checked(*parts: str) -> AbstractContextManager[None]:
    """`with lw.checked():` compilations that say nothing of checks get all of them, for the code within, in this thread
    or task; `lw.checked("memory")` those that are named. Error for a name that is none."""
    return _around(parts_of(parts or True))


@contextmanager
def _around(parts: tuple[str, ...]) -> Generator[None]:
    token = _AROUND.set(parts)
    try:
        yield
    finally:
        _AROUND.reset(token)
