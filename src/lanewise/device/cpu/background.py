# SPDX-License-Identifier: Apache-2.0
"""Work that no launch waits for: compilations in a child process, one at a time.

A thread of this process hands each to a child of low priority, which the program doesn't see
(`runtime/core/detached.c`), and takes the result. The thread is a daemon, and the child ends with the process, so
neither keeps it alive. The child of a fork has no such thread; it starts
one of its own when it has work.
"""

import contextlib
import functools
import os
import queue
import threading
from collections.abc import Callable
from typing import final


@final
class Background:
    """A queue of work with at most one thread, which starts with the first piece."""

    def __init__(self) -> None:
        self._work: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._running = False
        os.register_at_fork(after_in_child=self._forget)

    def add(self, work: Callable[[], None]) -> None:
        """Have `work` called later, by the thread; never, if no thread can be started. It raises nothing."""
        self._work.put(work)
        if not self._running:
            self._running = True
            with contextlib.suppress(RuntimeError):  # the interpreter is about to end, or there are too many threads
                threading.Thread(
                    target=self._serve, args=(self._work,), name="lanewise-background", daemon=True
                ).start()

    def _serve(self, work: "queue.SimpleQueue[Callable[[], None]]") -> None:
        while True:
            with contextlib.suppress(Exception):  # nobody waits for it, and other work is to be done all the same
                work.get()()

    def _forget(self) -> None:
        self._work = queue.SimpleQueue()
        self._running = False


@functools.cache
def background_of_this_process() -> Background:
    return Background()
