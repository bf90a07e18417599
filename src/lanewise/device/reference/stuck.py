# SPDX-License-Identifier: Apache-2.0
"""Ends an interpretation that repeats itself: a work-item that waits in a loop for what nobody does any more.

Work-items run one after another between barriers and operations of the warp, so one that waits for a later one, or for
a later work-group, waits for ever. The interpretation is deterministic: if all its variables and all memory are at one
time what they were at an earlier one, it goes on in the same way for ever, unless the host writes to memory meanwhile.
So another thread looks at them from time to time, and the program itself does nothing for it. Loops that count their
turns, or look at a clock, never come back to the same state; what ends them is the limit on turns (`machine.py`).
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterable
from types import FrameType
from typing import Any, Final, final

from lanewise.device.reference.machine import WorkItem
from lanewise.device.reference.memory import Memory
from lanewise.device.reference.time_limit import raise_in

MESSAGE: Final = (
    "it waits in a loop for a value that no running work-item will change. Between barriers and operations of the warp "
    "work-items run one after another, and between synchronisations of the grid work-groups do: a work-item may wait "
    "for earlier ones only. Use a barrier or a cooperative launch; if the host changes the value, give the launch a "
    "timeout or set LANEWISE_WATCHDOG to more seconds or to off"
)

_PAUSE: Final = 0.05
"""Seconds between two looks, or _SHARE times what a look takes."""
_SHARE: Final = 20

_TURNS: Final = "round_"
"""Variables of the program that count turns of its loops, for the order of lanes only: `progress.py`."""


@final
class Stuck(BaseException):
    """Raised in the middle of the interpretation. Nothing there catches it."""


@contextlib.contextmanager
def ended_if_stuck(
    patience: float | None, file_name: str, memory: Memory, suspended: Callable[[], Iterable[Any]]
) -> Generator[None, None, None]:
    """`Stuck` in what is inside, at its own place, where that has repeated itself for `patience` seconds; None: never.

    `file_name` is that of the program's code; `suspended` gives the generators of its work-items.
    """
    if patience is None:
        yield
        return
    thread = threading.get_ident()
    over = threading.Event()
    guard = threading.Lock()

    def watch() -> None:
        first_seen: dict[int, float] = {}
        pause = min(_PAUSE, patience / 10)
        while not over.wait(pause):
            before = time.monotonic()
            try:
                state = _state(sys._current_frames()[thread], file_name, memory, suspended())  # pyright: ignore[reportPrivateUsage] (the only way to another thread's frames)
            except RuntimeError:  # a table grew while it was read: the launch goes on
                continue
            now = time.monotonic()
            if now - first_seen.setdefault(state, now) >= patience:
                with guard:
                    if not over.is_set():
                        raise_in(thread, Stuck)
                return
            pause = max(pause, _SHARE * (now - before))

    watcher = threading.Thread(target=watch, name="lanewise-stuck", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        with guard:
            over.set()
        raise_in(thread, None)  # instead of one that has not arrived
        watcher.join()


def _state(frame: FrameType | None, file_name: str, memory: Memory, suspended: Iterable[Any]) -> int:
    """A number that is almost surely another one in another state."""
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
    """What can be hashed, and is equal for equal values; of a work-item, its private memory."""
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
