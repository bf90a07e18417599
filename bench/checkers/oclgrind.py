# SPDX-License-Identifier: Apache-2.0
"""Launches of one kernel under Oclgrind: oclgrind --data-races --uninitialized python -m bench.checkers.oclgrind KERNEL

It prints the seconds of the fastest of two launches, which get fresh data, and what is wrong with the
results, as JSON."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import numpy as np
import pyopencl as cl  # pyright: ignore[reportMissingImports] : installed for measurements only
from bench.checkers.sizes import SIZES
from bench.cpu.compare import difference
from bench.cpu.problem import Local, kernel, source

_PLATFORM = "Oclgrind"


def main(name: str) -> None:
    platform = next((each for each in cl.get_platforms() if each.name == _PLATFORM), None)
    if platform is None:
        print(json.dumps({"error": "pyopencl finds no platform Oclgrind"}))
        return
    context = cl.Context(platform.get_devices())
    queue = cl.CommandQueue(context)
    problem = kernel(name).problem(SIZES[name])
    program = cl.Program(context, source(name).read_text()).build(options=kernel(name).options)
    made = getattr(program, name)
    seconds: list[float] = []
    results: list[Any] = []
    for _ in range(2):
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        given = [
            cl.LocalMemory(each.nbytes)
            if isinstance(each, Local)
            else cl.Buffer(context, flags, hostbuf=each) if isinstance(each, np.ndarray) else each
            for each in problem.arguments
        ]  # fmt: skip
        made.set_args(*given)
        queue.finish()
        start = time.perf_counter()
        cl.enqueue_nd_range_kernel(queue, made, problem.global_size, problem.local_size)
        queue.finish()
        seconds.append(time.perf_counter() - start)
        results = []
        for number in problem.results:
            array = np.empty_like(problem.arguments[number])
            cl.enqueue_copy(queue, array, given[number])
            results.append(array)
    print(json.dumps({"seconds": min(seconds), "wrong": difference(problem, results, problem.expected())}))


if __name__ == "__main__":
    main(sys.argv[1])
