# SPDX-License-Identifier: Apache-2.0
"""The outcome of a launch."""

import enum
from typing import NamedTuple


class Failure(enum.IntEnum):
    """Reason for an early end of a launch: `enum lw_kind` of lanewise_rt.h."""

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
    """A work-item called free() with an address that malloc() has not returned, or that was freed before."""
    DEADLOCK = 10
    """Work-groups ended while others waited in a grid synchronisation; `message` has their number."""
    TIMED_OUT = 11
    """It ran longer than its timeout."""
    STUCK = 12
    """All its threads waited in loops for a change that nobody made: `block` and `thread` are those of the first."""
    OVERRUN = 13
    """Memory next to an array of `Pool.allocate` was written, at `address`."""
    BARRIER = 14
    """A barrier of some warps that can't be completed, or is wrong; `message` explains it."""


class Access(enum.IntEnum):
    """Kind of access of the refused instruction: `enum lw_access` of lanewise_rt.h."""

    SOME = 0
    READ = 1
    WRITE = 2
    NO_ADDRESS = 3
    """The processor reports no address, since it is not of canonical form."""
    UNKNOWN_ADDRESS = 4
    """Another handler of the signal has passed it on without the address."""
    EXECUTE = 5
    """A jump to an address that holds no code."""


class Known(enum.IntFlag):
    """The fields of an outcome that describe the place of the failure."""

    PLACE = 1
    """`file`, `line` and `function`."""
    THREAD = 2
    BLOCK = 4


class Outcome(NamedTuple):
    """The end of a launch that failed or printed; the first failure, if there were several."""

    failure: Failure = Failure.NONE
    block: tuple[int, int, int] = (0, 0, 0)
    """Work-group of the failure. `thread` (the work-item in it) and the fields below describe the failure, too."""
    thread: tuple[int, int, int] = (0, 0, 0)
    message: str = ""
    """The assertion that failed, truncated to 1023 bytes, like `file` and `function`."""
    file: str = ""
    """File of the failed assertion, or else of the work-group's place, like `line` and `function`."""
    line: int = 0
    function: str = ""
    output: bytes = b""
    """Output of printf, whole calls in order."""
    address: int = 0
    """Address that the refused instruction accessed."""
    signal: int = 0
    """Signal by which the system reports the fault."""
    access: Access = Access.SOME
    known: Known = Known(0)
    instruction: int = 0
    """Address of the refused instruction."""
    caller: int = 0
    """Possible return address, if the refused instruction is not in generated code; otherwise meaningless."""


SUCCESS = Outcome()
"""The launch ran to its end and printed nothing."""
