# SPDX-License-Identifier: Apache-2.0
"""From source to the first result, in new processes; imports of numpy and lanewise are not counted.

Each kernel runs at its tiny size, so that little but the compiler is measured.
"""

from __future__ import annotations

import shutil
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .order import Order, write
from .problem import kernel
from .workers import PeerError, Worker


@dataclass(frozen=True)
class CompileTimes:
    """Milliseconds; None where the kernel can't be compiled so."""

    name: str
    cold: float | None
    """With an empty cache: the runtime's core and the libraries that the kernel calls are compiled, too."""
    mapped: dict[str, float | None]
    """By the mapping, with those in the cache."""


def compile_times(
    name: str, mapping: str, mappings: Sequence[str], threads: int, runs: int, folder: Path
) -> CompileTimes:
    def median(mapping: str, options: Sequence[str], keep: bool) -> float | None:
        cache = folder / ("libraries" if keep else "cold")
        times: list[float] = []
        for option in options:
            if not keep:
                shutil.rmtree(cache, ignore_errors=True)
            try:
                times.append(_first_result(name, mapping, option, threads, cache))
            except PeerError:
                return None
        return statistics.median(times)

    cold = median(mapping, [""] * runs, keep=False)
    median("loop", [""], keep=True)  # the libraries come into the cache
    # A macro that nothing asks for: another program to the cache.
    options = [f"-D RUN={run}" for run in range(runs)]
    return CompileTimes(name, cold, {each: median(each, options, keep=True) for each in mappings})


def _first_result(name: str, mapping: str, option: str, threads: int, cache: Path) -> float:
    chosen = kernel(name)
    order, results = cache.with_name("order"), cache.with_name("results")
    write(order, Order.of(name, chosen.problem(chosen.tiny), f"{chosen.options} {option}".strip()))
    worker = Worker(f"lanewise:{mapping}", threads, cache)
    try:
        return worker.load(order, results) / 1e6
    finally:
        worker.close()
