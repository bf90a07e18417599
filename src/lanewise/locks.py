# SPDX-License-Identifier: Apache-2.0
"""Locks that are free in the child of a fork, whatever threads of its parent held them: those aren't there.

What such a lock guards must be sound between any two steps, as it must be for a thread that an exception ends.
"""

import os
import threading
import weakref
from typing import Any, Final

_locks: Final[weakref.WeakSet[Any]] = weakref.WeakSet()  # Python's types don't tell of `_at_fork_reinit`


def lock() -> threading.Lock:
    """A new lock."""
    made = threading.Lock()
    _locks.add(made)
    return made


def reentrant_lock() -> threading.RLock:
    """A new lock that its holder may take again."""
    made = threading.RLock()
    _locks.add(made)
    return made


def _free() -> None:
    for each in list(_locks):
        each._at_fork_reinit()  # as the locks of Python's own modules are


os.register_at_fork(after_in_child=_free)
