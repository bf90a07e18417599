# SPDX-License-Identifier: Apache-2.0
"""Launches of one kernel with all of Lanewise's checks: python -m bench.checkers.ours KERNEL

It prints the same as `bench.checkers.oclgrind`, of the median of 21 launches."""

from __future__ import annotations

import json
import statistics
import sys
import time

import numpy as np
from bench.checkers.sizes import SIZES
from bench.cpu.compare import difference
from bench.cpu.problem import Local, kernel, source

import lanewise as lw


def main(name: str) -> None:
    problem = kernel(name).problem(SIZES[name])
    module = lw.compile(source(name), language="opencl", options=kernel(name).options.split(), checked=True)
    launch = module[name].ndrange(problem.global_size, problem.local_size)
    seconds: list[float] = []
    given: list[object] = []
    for _ in range(22):
        given = [
            lw.local(each.nbytes) if isinstance(each, Local) else each.copy() if isinstance(each, np.ndarray) else each
            for each in problem.arguments
        ]
        start = time.perf_counter()
        launch(*given)
        seconds.append(time.perf_counter() - start)
    results = [np.asarray(given[number]) for number in problem.results]
    print(json.dumps({
        "seconds": statistics.median(seconds[1:]), "wrong": difference(problem, results, problem.expected()),
    }))  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1])
