# SPDX-License-Identifier: Apache-2.0
"""The result of one check of `lanewise doctor`."""

from enum import StrEnum
from typing import NamedTuple


class State(StrEnum):
    """The meaning of a check for the installation."""

    OK = "ok"
    ABSENT = "absent"
    """Not there, but not needed to compile and run kernels."""
    MISSING = "missing"
    """Needed, and not there or not usable."""


class Finding(NamedTuple):
    """The finding: a line for people, and its parts for programs."""

    state: State
    text: str
    data: dict[str, object]


def ok(text: str, **data: object) -> Finding:
    """Report what is as it has to be."""
    return Finding(State.OK, text, data)


def absent(text: str, **data: object) -> Finding:
    """Report what is not there, and what it would be for."""
    return Finding(State.ABSENT, text, data)


def missing(text: str, **data: object) -> Finding:
    """Report what is needed and can't be used, and what to do about it."""
    return Finding(State.MISSING, text, data)
