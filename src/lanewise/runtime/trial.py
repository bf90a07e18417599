# SPDX-License-Identifier: Apache-2.0
"""Trials of two codes of one kernel, of which the runtime core chooses by the clock (`core/trial.c`)."""

import ctypes
from enum import IntEnum
from typing import Final, NamedTuple, final


class TrialState(IntEnum):
    """`enum lw_trial_state` of lanewise_rt.h."""

    WATCHES = 0
    TRIES = 1
    FIRST = 2
    SECOND = 3


class TrialTimes(NamedTuple):
    """Nanoseconds of processor time per work-group, by either code, and the work-groups that were timed."""

    first_ns: float
    second_ns: float
    groups: int


class _Trial(ctypes.Structure):
    """struct lw_trial of lanewise_rt.h."""

    _fields_ = (
        ("second", ctypes.c_void_p),
        ("arena_bytes", ctypes.c_uint64),
        ("long_ns", ctypes.c_uint64),
        ("watched_ns", ctypes.c_uint64),
        ("ns", ctypes.c_uint64 * 2),
        ("groups", ctypes.c_uint64 * 2),
        ("turns", ctypes.c_uint32),
        ("counted", ctypes.c_uint32 * 2),
        ("state", ctypes.c_uint32),
        ("asks", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
    )
    watched_ns: int
    ns: ctypes.Array[ctypes.c_uint64]
    groups: ctypes.Array[ctypes.c_uint64]
    state: int
    asks: int


_all: Final[list[_Trial]] = []
"""All that were made: requests that queues and calls keep refer to them, as long as the process lives."""


@final
class Trial:
    """A trial that launches take part in by its `address`. `begin` is the core's function `lw_trial_begin`. `long_ns`:
    nanoseconds that work-groups take before the trial asks for a second code."""

    __slots__ = ("_begin", "_raw", "address")

    def __init__(self, begin: "ctypes._NamedFuncPointer", long_ns: int = 0) -> None:  # pyright: ignore[reportPrivateUsage] : ctypes has no public name for it
        self._begin = begin
        self._raw: Final = _Trial(long_ns=long_ns)
        _all.append(self._raw)
        self.address: Final = ctypes.addressof(self._raw)

    @property
    def watched_ns(self) -> int:
        """Nanoseconds that work-groups took before the trial, added up over all threads."""
        return self._raw.watched_ns

    @property
    def asks(self) -> bool:
        """True once work-groups have taken `long_ns`, and again when the choice is made, until `answer` is called."""
        return bool(self._raw.asks)

    def answer(self) -> None:
        """Take note that the trial asks. To be called before looking why."""
        self._raw.asks = 0

    def ask(self) -> None:
        """Let it ask again."""
        self._raw.asks = 1

    @property
    def state(self) -> TrialState:
        return TrialState(self._raw.state)

    def begin(self, second: int, arena_bytes: int) -> None:
        """Let work-groups run by the work-group function at address `second`, too, whose arena has `arena_bytes`
        without dynamic shared memory. To be called once."""
        self._begin(self.address, second, arena_bytes)

    def times(self) -> TrialTimes:
        """The times of both codes, once the trial has begun."""
        ns, groups = list(self._raw.ns), list(self._raw.groups)
        return TrialTimes(ns[0] / max(groups[0], 1), ns[1] / max(groups[1], 1), sum(groups))
