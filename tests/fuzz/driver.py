# SPDX-License-Identifier: Apache-2.0
"""A fuzzing run: worker processes, each for some hundreds of kernels (LLVM keeps about 1 MB a kernel), what they
report, and what becomes of those that crash or hang."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from .choices import Choices
from .languages import MAKERS
from .watch import Watch
from .worker import AT, FAILED, PASSED, written

KERNELS_A_WORKER: Final = 400
TOGETHER: Final = {"cuda": 4, "warps": 4, "views": 4, "opencl": 1}
"""Kernels in one source: more would take little off a run, and a run ends between sources."""

ROOT: Final = Path(__file__).parents[2]


class Failure(NamedTuple):
    seed: int
    path: Path
    """The kernel, as small as it was made."""
    message: str

    def __str__(self) -> str:
        path = self.path.relative_to(ROOT) if self.path.is_relative_to(ROOT) else self.path
        command = f"python -m tests.fuzz.repeat {path}"
        return f"kernel of seed {self.seed}: {self.message}\n  to run it again: {command}"


class Task(NamedTuple):
    first: int
    count: int
    together: int


@dataclass
class Run:
    """Kernels of consecutive seeds, in `jobs` processes at once, until `count` are done or `seconds` are over."""

    first: int
    count: int
    jobs: int = 1
    seconds: float = float("inf")
    shrink: int = 60
    """Seconds that a failing kernel is made smaller for."""
    patience: float = 180
    """Seconds without a word, idle or of a processor, after which a worker counts as hung; it says nothing while it
    makes a kernel smaller."""
    dialect: str = "cuda"
    mappings: tuple[str, ...] = ()
    """Under which each kernel is run; empty: under a sample; (ONE,): under one of all."""
    worker: tuple[str, ...] = ("-m", "tests.fuzz.worker")
    """What Python runs as a worker."""
    done: int = 0
    skipped: int = 0
    """Of those done, kernels that only the reference device took."""
    failures: list[Failure] = field(default_factory=list[Failure])

    def __post_init__(self) -> None:
        self._started = time.monotonic()
        self._lock = threading.Lock()
        self._ahead = range(self.first, self.first + self.count)
        self._again: deque[Task] = deque()
        self._groups: set[int] = set()
        """Process groups of the workers, which no signal of the terminal reaches."""

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self._started

    def execute(self, progress: Callable[[], None] = lambda: None) -> None:
        threads = [threading.Thread(target=self._work, args=(progress,)) for _ in range(self.jobs)]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                thread.join()
        except KeyboardInterrupt:
            self.seconds = 0
            for group in tuple(self._groups):
                _kill(group)
            raise

    def _next(self) -> Task | None:
        with self._lock:
            if self.elapsed > self.seconds or not (self._again or self._ahead):
                return None
            if self._again:
                return self._again.popleft()
            seeds, self._ahead = self._ahead[:KERNELS_A_WORKER], self._ahead[KERNELS_A_WORKER:]
            return Task(seeds.start, len(seeds), TOGETHER[self.dialect])

    def _work(self, progress: Callable[[], None]) -> None:
        while (task := self._next()) is not None:
            self._run(task, progress)

    def _run(self, task: Task, progress: Callable[[], None]) -> None:
        """One worker, and what is left of its task where it ends early."""
        arguments = [task.first, task.count, task.together, self.shrink, self.dialect, *self.mappings]
        command = [sys.executable, *self.worker, *map(str, arguments)]
        with (
            tempfile.TemporaryDirectory(prefix="fuzzing-", ignore_cleanup_errors=True) as folder,
            tempfile.TemporaryFile("w+") as errors,
            subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=errors, text=True, cwd=ROOT,
                env={**os.environ, "TMPDIR": folder},  # also what a worker that crashes leaves behind is removed
                process_group=0,
            ) as worker,
        ):  # fmt: skip
            assert worker.stdout is not None
            self._groups.add(worker.pid)
            at = Task(task.first, 0, task.together)
            hung = threading.Event()

            def end() -> None:
                hung.set()
                _kill(worker.pid)

            watch = Watch(worker.pid, self.patience, end)
            for line in worker.stdout:
                watch.word()
                kind, *words = line.split(maxsplit=3)
                if kind == AT:
                    at = Task(int(words[0]), int(words[1]), task.together)
                elif kind == PASSED:
                    with self._lock:
                        self.done += int(words[0])
                        self.skipped += int(words[1]) if words[1:] else 0
                    at = Task(at.first + at.count, 0, task.together)
                elif kind == FAILED:
                    self._add(Failure(int(words[0]), Path(words[1]), words[2].strip()))
                progress()
                if self.elapsed > self.seconds:
                    worker.terminate()
                    break
            watch.stop()
            worker.stdout.close()
            os.waitid(os.P_PID, worker.pid, os.WEXITED | os.WNOWAIT)
            self._groups.discard(worker.pid)
            _kill(worker.pid)  # what it started; until it is waited for, no other group has its number
            status = worker.wait()
            errors.seek(0)
            complaint = errors.read().strip().rpartition("\n")[2]
        if self.elapsed > self.seconds or status == 0:
            return
        self._go_on(task, at, "hangs" if hung.is_set() else f"ends the process with status {status}: {complaint}")

    def _go_on(self, task: Task, at: Task, message: str) -> None:
        """The kernels that a worker was at are run one by one, which says whose fault it was; then those behind."""
        if at.count > 1:
            self._again.append(Task(at.first, at.count, 1))
        else:
            self._add(Failure(at.first, written(at.first, MAKERS[self.dialect](Choices(at.first))), message))
        behind = at.first + at.count
        if at.count and behind < task.first + task.count:
            self._again.append(Task(behind, task.first + task.count - behind, task.together))

    def _add(self, failure: Failure) -> None:
        with self._lock:
            self.done += 1
            self.failures.append(failure)


def _kill(group: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)
