# SPDX-License-Identifier: Apache-2.0
"""Kernels for all tests of streams, and a host function that holds a stream until it is let go."""

import functools
import threading
from typing import Self

import lanewise as lw

SOURCE = """
#include <cstdio>
#include <cassert>

__device__ int total;

__global__ void add(int *p, int by) { p[threadIdx.x] += by; }
__global__ void scale(int *p, int by) { p[threadIdx.x] *= by; }
__global__ void trap() { __trap(); }
__global__ void check(int n) { assert(n > 0); }
__global__ void say(int n) { for (int i = 0; i < n; i++) printf("line %d of %d\\n", i, n); }
__global__ void count() { total += 1; }

// Writes the time when it begins and when it ends, on a clock that ticks at each of these.
__global__ void stamp(int *times, int *clock, int index, int spins) {
    times[2 * index] = atomicAdd(clock, 1);
    volatile int spun = 0;
    while (spun < spins) spun = spun + 1;
    times[2 * index + 1] = atomicAdd(clock, 1);
}

// Succeeds only while its partner runs.
__global__ void meet(int *mine, int *partner, int *met) {
    atomicExch(mine, 1);
    for (long long i = 0; i < 2000000000 && !*met; i++) *met = atomicAdd(partner, 0);
}
"""


@functools.cache
def module() -> lw.Module:
    return lw.compile(SOURCE, language="cuda")


class Gate:
    """`stream.callback(gate.hold)` holds the stream until `gate.open()`, or until the end of `with gate:`."""

    def __init__(self) -> None:
        self._opened = threading.Event()
        self.reached = threading.Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.open()

    def hold(self) -> None:
        self.reached.set()
        assert self._opened.wait(60)

    def open(self) -> None:
        self._opened.set()
