# SPDX-License-Identifier: Apache-2.0
"""What the machine can do at most on some threads: bandwidth of memory, fused multiply-adds.

After S. Williams, A. Waterman and D. Patterson, Roofline: An Insightful Visual Performance Model (2009). A kernel's
bound is the time that its bytes take at the greatest bandwidth that was measured, on data of the same size, or its
operations at the greatest rate.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from lanewise.toolchain import link_shared_object, run_zig

from .order import aligned

_SOURCE: Final = Path(__file__).with_suffix(".c")
_FLAGS: Final = ("-O3", "-march=native", "-mprefer-vector-width=512", "-ffreestanding", "-fPIC", "-c", "-o", "-")
_PATIENCE: Final = 1.5
"""Seconds of trials, of which the best counts."""
_LEAST_SECONDS: Final = 0.003
"""Duration of a trial: long beside the start of the threads, short enough to find the processors free at times."""


@dataclass(frozen=True)
class Bandwidth:
    """Bytes a nanosecond, read and written together, on arrays of `nbytes` altogether."""

    nbytes: int
    read: float
    copy: float
    stream: float
    """Copying with stores that pass by the caches."""

    @property
    def best(self) -> float:
        return max(self.read, self.copy, self.stream)


class Roofline:
    """Measures; the best of some trials."""

    def __init__(self, threads: int, folder: Path) -> None:
        path = folder / "roofline.so"
        path.write_bytes(link_shared_object([run_zig(["clang", *_FLAGS, str(_SOURCE)], "roofline.c does not compile")]))
        self._library = ctypes.CDLL(str(path))
        self._pool = ThreadPoolExecutor(threads)
        self._threads = threads

    def bandwidth(self, nbytes: int) -> Bandwidth:
        """On `nbytes` altogether: all of them read, or one half of them copied to the other."""
        lane_bytes = 4 * self._library.lanes()
        out, source = (aligned(np.zeros(nbytes // 8, np.float32)) for _ in range(2))
        share = nbytes // 2 // lane_bytes // self._threads

        def halves(call: Callable[..., object]) -> Callable[[int, int], None]:
            def run(thread: int, passes: int) -> None:
                start = thread * share * lane_bytes
                places = [ctypes.c_void_p(array.ctypes.data + start) for array in (out, source)]
                call(*places, ctypes.c_long(share), ctypes.c_long(passes))

            return run

        def read(first: object, second: object, count: object, passes: object) -> None:
            self._library.read(first, count, passes)
            self._library.read(second, count, passes)

        moved = 2 * share * lane_bytes * self._threads
        rates = [moved / self._nanoseconds(halves(each)) for each in (read, self._library.copy, self._library.stream)]
        return Bandwidth(nbytes, *rates)

    def multiply_adds(self) -> float:
        """Operations a nanosecond, a fused multiply-add being two."""
        count = 1 << 16

        def run(_: int, passes: int) -> None:
            self._library.multiply_add(ctypes.c_long(count), ctypes.c_long(passes), ctypes.c_float(0.5))

        operations = 2 * count * self._library.lanes() * self._library.chains() * self._threads
        return operations / self._nanoseconds(run)

    def _nanoseconds(self, run: Callable[[int, int], None]) -> float:
        """The least time of a pass, in which each thread does its share."""
        passes = 1
        while (once := self._trial(run, passes)) < _LEAST_SECONDS * 1e9:
            passes = max(2 * passes, int(1.2 * passes * _LEAST_SECONDS * 1e9 / max(once, 1)) if once > 1e6 else 0)
        best, end = once, time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            best = min(best, self._trial(run, passes))
        return best / passes

    def _trial(self, run: Callable[[int, int], None], passes: int) -> int:
        start = time.perf_counter_ns()
        list(self._pool.map(run, range(self._threads), [passes] * self._threads))
        return time.perf_counter_ns() - start
