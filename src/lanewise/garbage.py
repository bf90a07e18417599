# SPDX-License-Identifier: Apache-2.0
"""Python's search for garbage, made rare while a compilation runs: it takes up to a tenth of the time otherwise.

A command of the command line counts as one from its start to its end, launches included, since its process ends then.
What they leave in cycles, such as arrays on the reference device, is found at the next rare search.

A compiler makes many objects, most of which live until it is done. Python looks through the young ones each time that
there are 700 more, and through all of them, those of the whole program included, when they have grown by a quarter.

The first compilations of a process also load Lanewise and LLVM. What they make is mostly there for good, so it counts
as old at once: the search among 100,000 young objects, which would follow, takes 6 ms. Later ones leave garbage, and
that is to be found.
"""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

from lanewise import locks

P = ParamSpec("P")
T = TypeVar("T")

THRESHOLD: Final = 200_000
"""Objects between two searches, more than a small kernel takes; 40 MB at most wait for one."""

_lock: Final = locks.lock()
_AT_START: Final = 3
"""Compilations that load parts of Lanewise: the front end, a module's code for the CPU, its PTX. A command is one."""
_done = 0

_running: list[tuple[int, int, int]] = []
"""The thresholds that each running compilation has found; the first one's are put back by the last."""


def with_rare_searches(function: Callable[P, T]) -> Callable[P, T]:
    """`function`, during whose calls Python looks for garbage rarely. Where the program looks more rarely itself, or
    never, nothing changes; nor do thresholds that it sets meanwhile."""

    @functools.wraps(function)
    def rarely(*arguments: P.args, **named: P.kwargs) -> T:
        _begin()
        try:
            return function(*arguments, **named)
        finally:
            _end()

    return rarely


def _begin() -> None:
    with _lock:
        found = gc.get_threshold()
        _running.append(found)
        if 0 < found[0] < THRESHOLD:
            gc.set_threshold(THRESHOLD, *found[1:])


def _end() -> None:
    global _done
    with _lock:
        first = _running[0]
        _running.pop()
        if not _running and gc.get_threshold() == (THRESHOLD, *first[1:]):
            _done += 1
            if _done <= _AT_START and not gc.get_freeze_count():
                gc.freeze()  # all objects become permanent,
                gc.unfreeze()  # and then old
            gc.set_threshold(*first)
