# SPDX-License-Identifier: Apache-2.0
"""Calls side by side, also while the interpreter shuts down.

A stream ends its work after the main thread has ended: `concurrent.futures` takes no work then.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def side_by_side(function: Callable[[T], R], items: Iterable[T], threads: int) -> list[R]:
    """What the function returns for each item, in order; at most `threads` calls at once, one of them the caller's.

    What a call raises is raised here, once no call goes on."""
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
        except RuntimeError:  # later Pythons start none at their end: those that run do all
            del others[place:]
            break
    work()
    for thread in others:
        thread.join()
    if failures:
        raise failures[0]
    return [found[number] for number in sorted(found)]
