# SPDX-License-Identifier: Apache-2.0
"""What the machine can do at most on some threads: bandwidth of memory, fused multiply-adds.

After S. Williams, A. Waterman and D. Patterson, Roofline: An Insightful Visual Performance Model (2009). A kernel's
bound is the time that its bytes take at the greatest bandwidth, on data of the same size, or its operations at the
greatest rate. A shared machine's bandwidth changes by a factor of two from one minute to the next, so limits are
measured in turns with the kernel (`measure.py`).
"""

from __future__ import annotations

import ctypes
import statistics
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import numpy as np

from lanewise.toolchain import link_shared_object, run_zig

from .order import placed
from .problem import Problem

_SOURCE: Final = Path(__file__).with_suffix(".c")
_FLAGS: Final = ("-O3", "-march=native", "-mprefer-vector-width=512", "-ffreestanding", "-fPIC", "-c", "-o", "-")
_TRIAL: Final = 20e6
"""Nanoseconds of a trial at least, as of a kernel's turn."""

Part = Callable[[int, int], None]
"""(thread, passes): does a thread's part so many times."""


class Limit:
    """Something that bounds kernels, in some ways of doing it. `work` is the attribute of `Problem` that says how much
    of it there is, `amount` what a pass of each way does."""

    def __init__(
        self, work: str, threads: int, pool: ThreadPoolExecutor, amount: float, ways: Mapping[str, Part]
    ) -> None:
        self._work = work
        self._threads = threads
        self._pool = pool
        self._amount = amount
        self._ways = ways
        self._passes = {name: self._enough(part) for name, part in ways.items()}
        self.rates: Final[dict[str, list[float]]] = {name: [] for name in ways}
        """Bytes or operations a nanosecond of all trials, by way."""

    def trial(self) -> float:
        """The greatest rate of the ways, each tried once now."""
        for name, part in self._ways.items():
            passes = self._passes[name]
            self.rates[name].append(self._amount * passes / self._nanoseconds(part, passes))
        return max(rates[-1] for rates in self.rates.values())

    def bound(self, problem: Problem) -> float:
        """The least nanoseconds that the problem takes, as of a trial."""
        return getattr(problem, self._work) / self.trial()

    def median(self, way: str) -> float:
        return statistics.median(self.rates[way])

    def _enough(self, part: Part) -> int:
        passes = 1
        while self._nanoseconds(part, passes) < _TRIAL:
            passes *= 2
        return passes

    def _nanoseconds(self, part: Part, passes: int) -> int:
        start = time.perf_counter_ns()
        list(self._pool.map(part, range(self._threads), [passes] * self._threads))
        return time.perf_counter_ns() - start


class Roofline:
    """The limits of this machine."""

    def __init__(self, threads: int, folder: Path) -> None:
        path = folder / "roofline.so"
        path.write_bytes(link_shared_object([run_zig(["clang", *_FLAGS, str(_SOURCE)], "roofline.c does not compile")]))
        self._library = ctypes.CDLL(str(path))
        self._pool = ThreadPoolExecutor(threads)
        self._threads = threads

    def bandwidth(self, nbytes: int) -> Limit:
        """Bytes a nanosecond, read and written together, on `nbytes` altogether: all of them read, or one half copied
        to the other, also with stores that pass by the caches ("stream")."""
        lane_bytes = 4 * self._library.lanes()
        out, source = (placed(np.zeros(nbytes // 8, np.float32), 0) for _ in range(2))
        share = nbytes // 2 // lane_bytes // self._threads

        def halves(call: Callable[..., object]) -> Part:
            def run(thread: int, passes: int) -> None:
                start = thread * share * lane_bytes
                places = [ctypes.c_void_p(array.ctypes.data + start) for array in (out, source)]
                call(*places, ctypes.c_long(share), ctypes.c_long(passes))

            return run

        def read(first: object, second: object, count: object, passes: object) -> None:
            self._library.read(first, count, passes)
            self._library.read(second, count, passes)

        ways = {"read": halves(read), "copy": halves(self._library.copy), "stream": halves(self._library.stream)}
        return Limit("nbytes", self._threads, self._pool, 2 * share * lane_bytes * self._threads, ways)

    def multiply_adds(self) -> Limit:
        """Operations a nanosecond, a fused multiply-add being two."""
        count = 1 << 16

        def run(_: int, passes: int) -> None:
            self._library.multiply_add(ctypes.c_long(count), ctypes.c_long(passes), ctypes.c_float(0.5))

        operations = 2 * count * self._library.lanes() * self._library.chains() * self._threads
        return Limit("flops", self._threads, self._pool, operations, {"fma": run})
