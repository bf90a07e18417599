# SPDX-License-Identifier: Apache-2.0
"""Work that no launch waits for: compilations in a child process, one at a time.

A thread of this process hands each to a child of low priority, which the program doesn't see
(`runtime/core/detached.c`), and takes the result. The thread is a daemon, and the child ends with the process, so
neither keeps it alive. The child of a fork has no such thread, and none of its parent's work:
who has added that is told, and the first new work starts a thread.
"""

import contextlib
import functools
import os
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import final


@final
class Background:
    """A queue of work with at most one thread, which starts with the first piece."""

    def __init__(self) -> None:
        self._reset()
        os.register_at_fork(after_in_child=self._forget)

    def _reset(self) -> None:
        self._queue: queue.SimpleQueue[_Work] = queue.SimpleQueue()
        self._pending: dict[_Work, None] = {}  # in the queue, or under way
        self._lock = threading.RLock()  # reentrant, since a signal handler may launch
        self._running = False

    def add(self, work: Callable[[], None], lost: Callable[[], None] = lambda: None) -> None:
        """Have `work` called later, by the thread; if none can be started now, after a later call. In the child of a
        fork `lost` is called instead of work that isn't done yet. It raises nothing."""
        added = _Work(work, lost)
        with self._lock:
            self._pending[added] = None
            self._queue.put(added)
            if self._running:
                return
            with contextlib.suppress(RuntimeError):  # the interpreter is about to end, or there are too many threads
                threading.Thread(
                    target=self._serve, args=(self._queue,), name="lanewise-background", daemon=True
                ).start()
                self._running = True

    def _serve(self, works: "queue.SimpleQueue[_Work]") -> None:
        while True:
            work = works.get()
            with contextlib.suppress(Exception):  # nobody waits for it, and other work is to be done all the same
                work.run()
            self._pending.pop(work, None)

    def _forget(self) -> None:
        lost = list(self._pending)
        self._reset()
        for work in lost:
            work.lost()


@dataclass(frozen=True, eq=False)
class _Work:
    run: Callable[[], None]
    lost: Callable[[], None]


@functools.cache
def background_of_this_process() -> Background:
    return Background()
