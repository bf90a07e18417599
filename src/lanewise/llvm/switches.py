# SPDX-License-Identifier: Apache-2.0
"""LLVM's switches that GPU code is compiled with, and other code is not.

A switch is a variable of the whole process. So compilations with these switches and compilations without never run at
the same time: whoever needs the other setting waits until all that use the present one have finished. Compilations with
the same setting do run side by side. Nothing depends on what else the process compiled before.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final, final

from lanewise.llvm.binding import llvm

GPU: Final = (
    # Loop strength reduction makes a pointer for each access of a loop, and counts registers as x86 has them.
    "disable-lsr",
    # It undoes what `passes/reassociate_pointer_arithmetic.py` has done.
    "disable-separate-const-offset-from-gep",
)
"""Names of switches that are on while GPU code is compiled, and off otherwise."""


@final
class _Room:
    """Holds any number of threads of one kind at a time. They enter in the order in which they come."""

    def __init__(self) -> None:
        self._gpu = False
        self.empty()

    def empty(self) -> None:
        """Forget all threads: a forked child has none of them."""
        self._changed = threading.Condition()
        self._queue: deque[object] = deque()
        self._inside = 0

    def enter(self, gpu: bool) -> None:
        ticket = object()
        with self._changed:
            self._queue.append(ticket)
            try:
                self._changed.wait_for(lambda: self._queue[0] is ticket and (not self._inside or self._gpu is gpu))
                if self._gpu is not gpu:
                    _set(gpu)
                    self._gpu = gpu
                self._inside += 1
            finally:
                self._queue.remove(ticket)
                self._changed.notify_all()

    def leave(self) -> None:
        with self._changed:
            self._inside -= 1
            self._changed.notify_all()


_room: Final = _Room()
os.register_at_fork(after_in_child=_room.empty)


@contextmanager
def switches(*, gpu: bool) -> Generator[None]:
    """Compile with the switches for GPU code, or without them."""
    _room.enter(gpu)
    try:
        yield
    finally:
        _room.leave()


def _set(gpu: bool) -> None:
    for name in GPU:
        llvm().set_option("lanewise", f"-{name}={'true' if gpu else 'false'}")
