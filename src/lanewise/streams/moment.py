# SPDX-License-Identifier: Apache-2.0
"""A place in the order of a queue's work, which any number of threads can wait for."""

from __future__ import annotations

import copy
import os
import threading
import time
from typing import final

from lanewise.errors import LaunchError


@final
class Moment:
    """Reached once, when all work before it has ended, successfully or not.

    In the child of a fork, moments of the parent's threads count as reached: their work is not the child's.
    """

    __slots__ = ("_gate", "_process", "_reached", "failure", "time_ns")

    def __init__(self) -> None:
        self._gate = threading.Lock()
        self._gate.acquire()
        self._process = os.getpid()
        self._reached = False
        self.failure: BaseException | None = None
        """The failure of the work before it."""
        self.time_ns = 0
        """Time when it was reached, on the clock of `time.perf_counter_ns`."""

    @property
    def reached(self) -> bool:
        return self._reached or self._process != os.getpid()

    def reach(self, failure: BaseException | None = None) -> None:
        """Release all waiting threads. Called once."""
        self.failure = failure
        self.time_ns = time.perf_counter_ns()
        self._reached = True
        self._gate.release()

    def wait(self) -> None:
        """Return when it is reached. Signals are handled meanwhile, so that KeyboardInterrupt ends the wait."""
        if not self.reached:
            with self._gate:  # held for an instant only, so that all who wait get through
                pass

    def raise_failure(self) -> None:
        """Raise the failure of the work before it, if there is one."""
        if self.failure is not None:
            raise again(self.failure)


def again(failure: BaseException) -> BaseException:
    """A copy to raise. Raising the stored exception itself would keep alive everything that its callers refer to."""
    try:
        copied = copy.copy(failure)
    except TypeError:  # a class whose constructor takes other arguments than it stores
        return LaunchError(f"{type(failure).__name__}: {failure}")
    copied.__cause__ = failure.__cause__
    return copied.with_traceback(failure.__traceback__)
