# SPDX-License-Identifier: Apache-2.0
"""The parts of a first call on the simulated GPU: python -m bench.loops.split [CASE ...] [--size 256] [--chart FILE]

`compilation` is what the first call takes longer than later ones; `transfer`, what later ones take longer than calls
with all arrays on the device; `execution`, the latter. Medians in milliseconds. Nothing may be cached before.
"""

from __future__ import annotations

import argparse
import copy
import os
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import numpy as np
from bench.cpu import machine

from .workload import all_cases, case

PAPERS: Final = ("matmul", "nbody", "coulomb", "rank_k", "rank_2k", "stencil")
"""The benchmarks of unPython's authors."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.loops.split")
    parser.add_argument("cases", nargs="*", metavar="CASE")
    parser.add_argument("--size", type=int, default=256, help="of each workload (%(default)s)")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--chart", type=Path, metavar="FILE", help="draw them, too: FILE ends in .png, .svg or .pdf")
    given = parser.parse_args()
    chosen = given.cases or [each.name for each in all_cases() if each.name.partition(":")[0] in PAPERS]
    with tempfile.TemporaryDirectory() as cache:
        os.environ["LANEWISE_CACHE_DIR"] = cache  # before the first import of Lanewise
        found = {name: _parts(name, given.size, given.runs) for name in chosen}
    print("| loops | compilation ms | transfer ms | execution ms |\n| --- | --: | --: | --: |")
    for name, parts in found.items():
        print(f"| {name} | " + " | ".join(f"{1e3 * parts[part]:.3g}" for part in parts) + " |")
    if given.chart:
        from .chart import split

        split(given.chart, found, f"size {given.size}; {machine.described(2)}")
    return 0


def _parts(name: str, size: int, runs: int) -> dict[str, float]:
    import lanewise as lw

    loaded = case(name)
    function, arguments = loaded.workload.function, loaded.arguments(size)
    device = lw.device("simt")
    with lw.on(device):
        lw.jit(_nothing)(np.zeros(8))  # what the device and the compiler need for themselves
        first = _seconds(lambda: function(*arguments))
        later = _median(lambda: function(*arguments), runs)
    there = [lw.to_device(each, device) if isinstance(each, np.ndarray) else each for each in copy.deepcopy(arguments)]
    function(*there)
    resident = _median(lambda: function(*there), runs)
    return {
        "compilation": max(first - later, 0.0), "transfer": max(later - resident, 0.0), "execution": resident
    }  # fmt: skip


def _nothing(a: Any) -> None:
    import lanewise as lw

    for i in lw.prange(len(a)):
        a[i] = 0.0


def _seconds(work: Callable[[], Any]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def _median(work: Callable[[], Any], runs: int) -> float:
    return statistics.median(_seconds(work) for _ in range(runs))


if __name__ == "__main__":
    sys.exit(main())
