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
    """Another thread ended it."""
    TEXTURE = 5
    """A work-item used a texture or surface in a way that `message` explains."""
    FAULT = 6
    """The processor refused an instruction: `signal`, `address`, `access`."""
    STACK_OVERFLOW = 7
    """A work-group needed more than its stack."""
    NOT_COOPERATIVE = 8
    """A grid synchronisation in a launch that is not cooperative."""
    BAD_FREE = 9
    """A work-item called free() with what malloc() has not given, or has freed before."""
    DEADLOCK = 10
    """Work-groups ended while others waited in a grid synchronisation: how many, in `message`."""
    TIMED_OUT = 11
    """It ran longer than its timeout."""
    STUCK = 12
    """All its threads waited in loops for what nobody changed: `block` and `thread` are those of the first."""
    OVERRUN = 13
    """Memory next to an array of `Pool.allocate` was written: at `address`."""


class Access(enum.IntEnum):
    """What the refused instruction did at its address: `enum lw_access` of lanewise_rt.h."""

    SOME = 0
    READ = 1
    WRITE = 2
    NO_ADDRESS = 3
    """The address is none that the processor could name: not of canonical form."""
    UNKNOWN_ADDRESS = 4
    """Another handler of the signal has passed it on without."""
    EXECUTE = 5
    """A jump to an address that holds no code."""


class Known(enum.IntFlag):
    """Which fields of an outcome say where it failed."""

    PLACE = 1
    """`file`, `line` and `function`."""
    THREAD = 2
    BLOCK = 4


class Outcome(NamedTuple):
    """The end of a launch that failed or printed; the first failure, if there were several."""

    failure: Failure = Failure.NONE
    block: tuple[int, int, int] = (0, 0, 0)
    """Work-group of the failure, as are `thread` (the work-item in it) and what follows."""
    thread: tuple[int, int, int] = (0, 0, 0)
    message: str = ""
    """The assertion that failed, as `file` and `function` cut to 1023 bytes."""
    file: str = ""
    """Of the failed assertion, else where the work-group was, as `line` and `function`."""
    line: int = 0
    function: str = ""
    output: bytes = b""
    """What printf wrote, whole calls in order."""
    address: int = 0
    """That the refused instruction used."""
    signal: int = 0
    """By which the system tells of it."""
    access: Access = Access.SOME
    known: Known = Known(0)
    instruction: int = 0
    """Address of the refused instruction."""
    caller: int = 0
    """What may be the address that it returns to, where it is not in generated code; else of no meaning."""


SUCCESS = Outcome()
"""The launch ran to its end and printed nothing."""
