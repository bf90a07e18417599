# SPDX-License-Identifier: Apache-2.0
"""A time limit for interpretations, at any point of the program."""

from __future__ import annotations

import contextlib
import ctypes
import threading
from collections.abc import Generator

from lanewise.errors import LaunchTimeoutError


class _TimeIsUp(BaseException):
    """Raised in the middle of the interpretation. Nothing there catches it."""


@contextlib.contextmanager
def time_limit(seconds: float | None, kernel: str) -> Generator[None, None, None]:
    """Context that raises LaunchError if its body takes longer; None: no limit. `kernel` is the name in the source.

    Another thread raises an exception in this one, between two of Python's bytecodes (C API, "Thread State and the
    Global Interpreter Lock").
    """
    if seconds is None:
        yield
        return
    thread = threading.get_ident()
    guard = threading.Lock()
    over = False

    def interrupt() -> None:
        with guard:
            if not over:
                raise_in(thread, _TimeIsUp)

    timer = threading.Timer(min(seconds, threading.TIMEOUT_MAX), interrupt)
    timer.daemon = True
    timer.start()
    try:
        try:
            yield
        finally:
            timer.cancel()
            with guard:
                over = True
            raise_in(thread, None)  # instead of one that has not arrived
    except _TimeIsUp:
        raise LaunchTimeoutError(f"kernel {kernel}: the launch ran longer than its timeout of {seconds} s") from None


def raise_in(thread: int, exception: type[BaseException] | None) -> None:
    """Raise an exception in another thread; None: take back one that has not arrived there."""
    raised = ctypes.py_object(exception) if exception is not None else None
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)
