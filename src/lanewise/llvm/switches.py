# SPDX-License-Identifier: Apache-2.0
"""LLVM's switches that GPU code is compiled with and other code is not, and one that stays.

A switch is a variable of the whole process. So compilations with these switches and compilations without never run at
the same time: whoever needs the other setting waits until all that use the present one have finished. Compilations with
the same setting do run side by side. Nothing depends on what else the process compiled before.

The one that stays leaves out LLVM's warnings, printed to the terminal, of loops that weren't unrolled or vectorised as
a pragma asked for. Nothing takes it back, it has LLVM name each pass that it runs, which takes 3% of the time, and with
it 55 KB per run of passes are lost: llvmlite frees no table of these names. So it is set when a module with such loops
is optimised for the first time, when nothing else compiles.
"""

import os
import threading
from collections import deque
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final, NamedTuple, final

from lanewise.llvm.binding import llvm


class Switch(NamedTuple):
    """The name of one of LLVM's options, its value while GPU code is compiled, and LLVM's own value."""

    name: str
    gpu: str
    otherwise: str


GPU: Final = (
    # Loop strength reduction makes a pointer for each access of a loop, and counts registers as x86 has them.
    Switch("disable-lsr", "true", "false"),
    # It undoes what `passes/reassociate_pointer_arithmetic.py` has done.
    Switch("disable-separate-const-offset-from-gep", "true", "false"),
    # Operations that a loop unrolled as a whole may come to; a loop unrolled by a number, a quarter of that. At 300,
    # bodies of more than 18 operations are unrolled by two at most, where nvcc unrolls by four. Local arrays whose
    # indices become constants, of up to 128 elements, come into registers.
    Switch("unroll-threshold-aggressive", "1100", "300"),
    # Instructions that may compute how often a loop turns, to unroll it by a number that it is no multiple of. Enough
    # for a constant step from a thread's index to a bound; a division by the block's size costs more than it saves.
    Switch("scev-cheap-expansion-budget", "8", "4"),
)
"""The options that differ. `unroll-threshold-aggressive` counts at O3 alone."""


@final
class _Room:
    """Holds any number of threads of one kind at a time. They enter in the order in which they come."""

    def __init__(self) -> None:
        self._gpu = False
        self._unwarned = False
        self.empty()

    def empty(self) -> None:
        """Forget all threads: a forked child has none of them."""
        self._changed = threading.Condition()
        self._queue: deque[object] = deque()
        self._inside = 0

    def enter(self, gpu: bool, unwarned: bool) -> None:
        ticket = object()
        with self._changed:
            self._queue.append(ticket)
            try:
                self._changed.wait_for(lambda: self._queue[0] is ticket and self._suits(gpu, unwarned))
                if self._gpu is not gpu:
                    _set(gpu)
                    self._gpu = gpu
                if unwarned and not self._unwarned:
                    llvm().set_option("lanewise", "-opt-disable=transform-warning")
                    self._unwarned = True
                self._inside += 1
            finally:
                self._queue.remove(ticket)
                self._changed.notify_all()

    def _suits(self, gpu: bool, unwarned: bool) -> bool:
        return not self._inside or (self._gpu is gpu and (self._unwarned or not unwarned))

    def leave(self) -> None:
        with self._changed:
            self._inside -= 1
            self._changed.notify_all()


_room: Final = _Room()
os.register_at_fork(after_in_child=_room.empty)


@contextmanager
def switches(*, gpu: bool, unwarned: bool = False) -> Generator[None]:
    """Compile with the switches for GPU code, or without them; `unwarned`: without LLVM's warnings of loops."""
    _room.enter(gpu, unwarned)
    try:
        yield
    finally:
        _room.leave()


def _set(gpu: bool) -> None:
    for switch in GPU:
        llvm().set_option("lanewise", f"-{switch.name}={switch.gpu if gpu else switch.otherwise}")
