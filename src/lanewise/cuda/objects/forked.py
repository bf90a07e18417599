# SPDX-License-Identifier: Apache-2.0
"""Work shared out over processors by forks of this process: Python runs in one thread at a time, and so does LLVM."""

import ctypes
import os
import pickle
import signal
import struct
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeVar

T = TypeVar("T")
R = TypeVar("R")

_NUMBER: Final = struct.Struct("=H")
MOST_TASKS: Final = 4096
"""Tasks whose numbers fit into a pipe."""
_MOST_PROCESSES: Final = 16
_PR_SET_PDEATHSIG: Final = 1
"""The number of the operation in Linux's <sys/prctl.h>."""


class _Fork(NamedTuple):
    pid: int
    results: int
    """The end of a pipe."""


def shared_out(tasks: Sequence[T], work: Callable[[T], R]) -> list[R]:
    """The results of `work`, in the order of the tasks. Each process takes the next task that nobody has. Results are
    pickled. A task that a fork could not do is done here, so that errors are raised here."""
    processes = min(len(os.sched_getaffinity(0)), len(tasks), _MOST_PROCESSES)
    if processes < 2 or len(tasks) > MOST_TASKS:
        return [work(task) for task in tasks]
    numbers, ours = os.pipe()
    os.write(ours, b"".join(_NUMBER.pack(number) for number in range(len(tasks))))
    os.close(ours)
    forks: list[_Fork] = []
    try:
        for _ in range(processes - 1):
            forks.append(_fork(tasks, work, numbers))
        done = {number: work(tasks[number]) for number in _taken(numbers)}
        for fork in forks:
            done.update(_results_of(fork))
    finally:
        os.close(numbers)
        for fork in forks:
            _end(fork)
    return [done[number] if number in done else work(task) for number, task in enumerate(tasks)]


def _taken(numbers: int) -> Iterator[int]:
    """Numbers of tasks, taken from the pipe one at a time."""
    while len(data := os.read(numbers, _NUMBER.size)) == _NUMBER.size:
        yield _NUMBER.unpack(data)[0]


def _fork(tasks: Sequence[T], work: Callable[[T], R], numbers: int) -> _Fork:
    """A process that does tasks. Threads of this one wait for programs of the system's, and hold no lock meanwhile."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    results, theirs = os.pipe()
    parent = os.getpid()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # from Python 3.12 on, about threads
        pid = os.fork()
    if pid:
        os.close(theirs)
        return _Fork(pid, results)
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        _end_with(parent)
        done = {number: work(tasks[number]) for number in _taken(numbers)}
        with open(theirs, "wb") as file:
            pickle.dump(done, file)
        code = 0
    finally:
        os._exit(code)


def _end_with(parent: int) -> None:
    """Have the kernel end this process with its parent. A compile service ends in the middle of work."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def _results_of(fork: _Fork) -> dict[int, Any]:
    """The results of a process that has ended well, by number; of another, none."""
    with open(fork.results, "rb", closefd=False) as file:
        data = file.read()
    try:
        return pickle.loads(data)
    except (EOFError, pickle.UnpicklingError):
        return {}


def _end(fork: _Fork) -> None:
    """Wait for a process, which is stopped if it still works."""
    os.close(fork.results)
    try:
        os.kill(fork.pid, signal.SIGKILL)
        os.waitpid(fork.pid, 0)
    except (ProcessLookupError, ChildProcessError):
        pass
