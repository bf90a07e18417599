# SPDX-License-Identifier: Apache-2.0
"""Parallel calls, also while the interpreter shuts down.

A stream finishes its work after the main thread has ended, when `concurrent.futures` accepts no work.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def side_by_side(function: Callable[[T], R], items: Iterable[T], threads: int) -> list[R]:
    """Results of the function for each item, in order. At most `threads` calls run at once, one of them in the calling
    thread. An exception from a call is raised here, once no call is running."""
    waiting = deque(enumerate(items))
    found: dict[int, R] = {}
    failures: list[BaseException] = []

    def work() -> None:
        while not failures:
            try:
                number, item = waiting.popleft()
            except IndexError:
                return
            try:
                found[number] = function(item)
            except BaseException as failure:
                failures.append(failure)

    others = [threading.Thread(target=work, daemon=True) for _ in range(min(threads, len(waiting)) - 1)]
    for place, thread in enumerate(others):
        try:
            thread.start()
        except RuntimeError:  # later Pythons start none at their end: the running ones do all work
            del others[place:]
            break
    work()
    for thread in others:
        thread.join()
    if failures:
        raise failures[0]
    return [found[number] for number in sorted(found)]
