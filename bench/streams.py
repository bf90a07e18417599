# SPDX-License-Identifier: Apache-2.0
"""What streams cost and gain: a launch in a stream, and independent kernels of one work-group each at once.

python bench/streams.py
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable

import numpy as np

import lanewise as lw

SOURCE = """
__global__ void empty() {}
__global__ void work(double *out, int steps) {
    double x = threadIdx.x;
    for (int i = 0; i < steps; i++) x = x * 1.0000001 + 1e-9;
    out[threadIdx.x] = x;
}
"""


def best(work: Callable[[], object], repeats: int) -> float:
    """Seconds of the quickest call."""
    times: list[float] = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def bench_launch(module: lw.Module) -> None:
    empty, s, count = module["empty"], lw.Stream(), 2000
    direct = empty[1, 1]

    def launches() -> None:
        for _ in range(count):
            direct()

    def put() -> None:
        for _ in range(count):
            empty.launch(1, 1, (), stream=s)

    def put_and_wait() -> None:
        put()
        s.synchronize()

    def alternate() -> None:
        for _ in range(count):
            empty.launch(1, 1, (), stream=s)
            s.synchronize()

    print(f"launch without a stream, none in use       {1e6 * best(launches, 5) / count:8.2f} us")
    puts: list[float] = []
    for _ in range(5):
        puts.append(best(put, 1))
        s.synchronize()
    print(f"launch in a stream, until it returns       {1e6 * statistics.median(puts) / count:8.2f} us")
    print(f"launch in a stream, one after the other    {1e6 * best(put_and_wait, 5) / count:8.2f} us")
    print(f"launch in a stream and synchronize()       {1e6 * best(alternate, 5) / count:8.2f} us")
    print(f"launch without a stream, one in use        {1e6 * best(launches, 5) / count:8.2f} us")
    with s.capture() as graph:
        put()

    def replay() -> None:
        graph.launch(s)
        s.synchronize()

    print(f"launch in a graph of {count}                  {1e6 * best(replay, 5) / count:8.2f} us")


def bench_overlap(module: lw.Module) -> None:
    work, steps = module["work"], 20_000_000
    arrays, streams = [np.zeros(1) for _ in range(2)], [lw.Stream() for _ in range(2)]

    def one_after_the_other() -> None:
        for array in arrays:
            work[1, 1](array, steps)

    def at_once() -> None:
        for array, stream in zip(arrays, streams, strict=True):
            work.launch(1, 1, (array, steps), stream=stream)
        lw.synchronize()

    fork, join = lw.Event(), lw.Event()
    with streams[0].capture() as graph:
        fork.record(streams[0])
        streams[1].wait(fork)
        for array, stream in zip(arrays, streams, strict=True):
            work.launch(1, 1, (array, steps), stream=stream)
        join.record(streams[1])
        streams[0].wait(join)

    alone = best(one_after_the_other, 15)
    print(f"two kernels of one group, in turn          {1e3 * alone:8.2f} ms on {len(os.sched_getaffinity(0))} cores")
    for name, way in (("in two streams", at_once), ("in a graph", graph.launch)):
        together = best(way, 15)
        print(f"  {name:<40} {1e3 * together:8.2f} ms, {alone / together:.2f} times faster")


def main() -> None:
    module = lw.compile(SOURCE, language="cuda")
    bench_launch(module)
    bench_overlap(module)


if __name__ == "__main__":
    main()
