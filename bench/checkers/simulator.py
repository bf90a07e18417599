# SPDX-License-Identifier: Apache-2.0
"""A launch of one kernel in Numba's simulator: NUMBA_ENABLE_CUDASIM=1 python -m bench.checkers.simulator KERNEL

It prints the same as `bench.checkers.oclgrind`, of one launch: nothing is compiled before it."""

from __future__ import annotations

import json
import sys
import time

import numpy as np
from bench.checkers.cuda_kernels import KERNELS
from bench.checkers.sizes import SIZES
from bench.cpu.compare import difference
from bench.cpu.problem import Local, kernel
from numba import cuda  # pyright: ignore[reportMissingImports] : installed for measurements only


def main(name: str) -> None:
    if name not in KERNELS:
        print(json.dumps({"error": "not written in Python"}))
        return
    problem = kernel(name).problem(SIZES[name])
    grid = tuple(n // of for n, of in zip(problem.global_size, problem.local_size, strict=True))
    given = [
        each.ravel() if isinstance(each, np.ndarray) else each
        for each in problem.arguments
        if not isinstance(each, Local)
    ]
    launch = cuda.jit(KERNELS[name])[grid, problem.local_size]
    start = time.perf_counter()
    launch(*given)
    seconds = time.perf_counter() - start
    results = [np.asarray(problem.arguments[number]) for number in problem.results]
    expected = kernel(name).problem(SIZES[name]).expected()  # of arguments that the launch has not changed
    print(json.dumps({"seconds": seconds, "wrong": difference(problem, results, expected)}))


if __name__ == "__main__":
    main(sys.argv[1])
