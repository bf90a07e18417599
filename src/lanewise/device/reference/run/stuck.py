# SPDX-License-Identifier: Apache-2.0
"""Detection of an interpretation that repeats itself: a work-item waits in a loop for what can no longer happen.

Work-items run one after another between barriers and operations of the warp. One that waits for a later one, or for a
later work-group, waits forever. The interpretation is deterministic: once all variables and all memory are the same as
before, it repeats forever, unless the host writes to memory. So the state is examined from time to time, at the start
of a loop iteration (`Services.between_turns`). Loops that count their iterations, or read a clock, never return to the
same state; the limit on turns ends them (`services.py`).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from types import FrameType
from typing import Any, Final, final

from lanewise.device.reference.memory.objects import Memory
from lanewise.device.reference.run.work_item import WorkItem

MESSAGE: Final = (
    "it waits in a loop for a value that no running work-item will change. Between barriers and operations of the warp "
    "work-items run one after another, and between synchronisations of the grid work-groups do: a work-item may wait "
    "for earlier ones only. Use a barrier or a cooperative launch; if the host changes the value, give the launch a "
    "timeout or set LANEWISE_WATCHDOG to more seconds or to off"
)

_PAUSE: Final = 0.05
"""Seconds between two examinations, or _SHARE times the duration of one."""
_SHARE: Final = 20

_TURNS: Final = "round_"
"""Prefix of variables that count iterations of loops, for the order of lanes only: `progress.py`."""


@final
class Stuck(BaseException):
    """Raised in the middle of the interpretation. Nothing there catches it."""


@final
class Looks:
    """Callback for `Services.between_turns`: raises `Stuck` if the interpretation has repeated itself for `patience`
    seconds.

    `file_name` is that of the program's code; `suspended` returns the generators of its work-items.
    """

    def __init__(self, patience: float, file_name: str, memory: Memory, suspended: Callable[[], Iterable[Any]]) -> None:
        self._patience: Final = patience
        self._file_name: Final = file_name
        self._memory: Final = memory
        self._suspended: Final = suspended
        self._first_seen: Final[dict[int, float]] = {}
        self._pause = min(_PAUSE, patience / 10)
        self._next = time.monotonic() + self._pause

    def __call__(self) -> None:
        before = time.monotonic()
        if before < self._next:
            return
        state = _state(sys._getframe(), self._file_name, self._memory, self._suspended())  # pyright: ignore[reportPrivateUsage] (the only way to the frames of the program)
        now = time.monotonic()
        if now - self._first_seen.setdefault(state, now) >= self._patience:
            raise Stuck
        self._pause = max(self._pause, _SHARE * (now - before))
        self._next = now + self._pause


def _state(frame: FrameType | None, file_name: str, memory: Memory, suspended: Iterable[Any]) -> int:
    """A hash of the state."""
    parts: list[object] = [memory.digest()]
    while frame is not None:
        if frame.f_code.co_filename == file_name:
            parts.append(_frame(frame))
        frame = frame.f_back
    for routine in suspended:
        while routine is not None:
            inner: FrameType | None = getattr(routine, "gi_frame", None)
            if inner is not None and not routine.gi_running:
                parts.append(_frame(inner))
            routine = getattr(routine, "gi_yieldfrom", None)
    return hash(tuple(parts))


def _frame(frame: FrameType) -> tuple[object, ...]:
    variables = [(n, _value(v)) for n, v in list(frame.f_locals.items()) if not n.startswith(_TURNS)]
    return (id(frame.f_code), frame.f_lasti, *variables)


def _value(value: object) -> object:
    """A hashable equivalent, equal for equal values. For a work-item, it covers the private memory."""
    match value:
        case bool() | int() | str() | bytes() | None:
            return value
        case float():
            return value.hex()
        case tuple():
            return tuple(map(_value, value))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType] (of anything)
        case WorkItem():
            return id(value), value.private.digest()
        case _:
            return id(value)
