# SPDX-License-Identifier: Apache-2.0
"""Launches that can't get on end with an error, and no others: python -m pytest tests/device/cpu/test_waiting.py"""

import os
import threading
import time
from typing import Any

import numpy as np
import pytest

import lanewise as lw
from lanewise.cache import Cache
from lanewise.device.cpu import CpuDevice

SOURCE = r"""
#include <cooperative_groups.h>

__device__ float busy(long long turns) {
    float x = 1;
    for (long long k = 0; k < turns; ++k) x = x * 0.999f + 1.0f;
    return x;
}

// Stuck: launched with 8 blocks of 32. The first is so only in turn or in lock-step.
__global__ void for_a_later_item(int *p) {
    if (threadIdx.x == 3) while (atomicAdd(p, 0) == 0);
    if (threadIdx.x == 5) atomicExch(p, 1);
}
__global__ void volatile_read(int *p) { while (*(volatile int *)p == 0); }
__global__ void for_a_later_block(int *p) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == gridDim.x - 1) atomicExch(p, 1);
    else while (atomicCAS(p, 1, 1) != 1) __nanosleep(100);
}
__global__ void lock_and_look(int *p) {
    bool done = false;
    while (!done) {
        if (atomicAdd(p, 1) == 0 && p[1]) done = true;
        atomicSub(p, 1);
    }
}
__global__ void across_a_barrier(int *p) { while (atomicAdd(p, 0) == 0) __syncthreads(); }
__global__ void told_by_one(int *p) {
    __shared__ int go;
    for (;;) {
        if (threadIdx.x == 0) go = atomicAdd(p, 0);
        __syncthreads();
        int seen = go;
        __syncthreads();
        if (seen) break;
    }
}
__global__ void counting(int *p) {
    long long n = 0;
    while (*(volatile int *)p == 0) ++n;
    p[1] = n;
}
__global__ void round_robin(int *p) {
    int i = threadIdx.x;
    while (((volatile int *)p)[i] == 0) i = (i + 1) % 37;
}
__global__ void loop_in_a_loop(int *p) {
    for (;;) {
        for (int k = 0; k < 64; ++k)
            if (atomicAdd(p, 0)) return;
        __nanosleep(10);
    }
}
__device__ int recursive(int *p, int n) {
    if (n == 0) { while (atomicAdd(p, 0) == 0); return 1; }
    return recursive(p, n - 1) + recursive(p, n - 2 < 0 ? 0 : n - 2);
}
__global__ void not_inlined(int *p) { p[1] = recursive(p, 3); }
__global__ void in_a_warp(int *p) {
    __shared__ volatile int go;
    go = 0;
    __syncwarp();
    if (threadIdx.x == 0) { while (go == 0); }
    else if (threadIdx.x == 99) go = 1;
    p[1] = __shfl_sync(-1, threadIdx.x, 3);
}
__global__ void grid_waits_for_one(int *p) {
    if (blockIdx.x == 2) while (atomicAdd(p, 0) == 0);
    cooperative_groups::this_grid().sync();
}

// Not stuck, whatever the time is that they are given.
__global__ void spin_lock(int *lock, long long *count, int n) {
    for (int k = 0; k < n; ++k) {
        bool done = false;
        while (!done) {
            if (atomicCAS(lock, 0, 1) != 0) continue;
            *(volatile long long *)count += 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}
__global__ void queue(int *next, float *out, int n) {
    int i;
    while ((i = atomicAdd(next, 1)) < n) out[i] = busy(20000);
}
__global__ void look_back(volatile int *ready, int *sum) {
    int b = blockIdx.x;
    if (b > 0) while (ready[b - 1] == 0);
    sum[b] = (b > 0 ? sum[b - 1] : 0) + 1;
    __threadfence();
    ready[b] = 1;
}
__global__ void long_work(volatile int *stop, float *out, long long n) {
    float x = 1;
    for (long long k = 0; k < n && !*stop; ++k) x = x * 0.999f + 1.0f;
    *out = x;
}
__global__ void work_when_told(volatile int *go, volatile int *stop, float *out, long long n) {
    bool done = false;
    while (!done)
        if (*go) {
            *out = busy(n);
            done = *stop == 0;
        }
}
__global__ void wait(volatile int *p, int *out) { while (*p == 0); *out = 7; }
__global__ void work_and_set(volatile int *p, long long n) { p[1] = 1; if (busy(n) > 0) *p = 1; }
__global__ void follow(volatile int *p, int *out, int n) {
    int last = 0;
    while (last < n) last = *p;
    *out = last;
}
__global__ void clock_bound(volatile int *p) { long long t = clock64(); while (clock64() - t < 1500000000 && *p == 0); }
__global__ void ping_pong(volatile int *p, int n) {
    for (int k = 0; k < n; ++k) {
        while (p[0] % 2 != blockIdx.x);
        if (busy(20000) > 0) p[0] = p[0] + 1;
    }
}
__global__ void grid_steps(volatile int *p, int n, long long turns) {
    for (int k = 0; k < n; ++k) {
        if (blockIdx.x < gridDim.x - 1) while (p[k] == 0);
        else if (busy(turns) > 0) p[k] = 1;
        cooperative_groups::this_grid().sync();
    }
}
"""

STUCK = ("volatile_read", "for_a_later_block", "lock_and_look", "across_a_barrier", "told_by_one",
         "counting", "round_robin", "loop_in_a_loop", "not_inlined", "in_a_warp")  # fmt: skip
WORK = 200_000_000
"""Turns of `busy`: a good half second."""


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(SOURCE, language="cuda")


@pytest.fixture(scope="module")
def in_turn() -> lw.Module:
    return lw.compile(SOURCE, language="cuda", mapping="lock-step")


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANEWISE_WATCHDOG", "0.3")


def zeros(count: int = 64, dtype: type = np.int32) -> np.ndarray[tuple[int], np.dtype[Any]]:
    return np.zeros(count, np.dtype(dtype))


@pytest.mark.parametrize("name", STUCK)
def test_stuck(module: lw.Module, name: str) -> None:
    why = "a thread waits in a loop for a value that no running thread will change"
    with pytest.raises(lw.LaunchError, match=rf"kernel {name}: {why}, in block \("):
        module[name][8, 32](zeros())
    out = zeros()
    module["wait"][1, 1](zeros() + 1, out)
    assert out[0] == 7


def test_threads_wait_for_later_ones(module: lw.Module) -> None:
    told = zeros()
    module["for_a_later_item"][8, 32](told)
    assert told[0] == 1


@pytest.mark.parametrize("mapping", ["loop", "lock-step", "lanes:4x2"])
def test_stuck_in_other_mappings(mapping: str) -> None:
    module = lw.compile(SOURCE, language="cuda", mapping=mapping)
    in_turn = () if mapping == "lanes:4x2" else ("for_a_later_item",)
    for name in (*in_turn, "across_a_barrier", "told_by_one"):
        with pytest.raises(lw.LaunchError, match="waits in a loop"):
            module[name][2, 32](zeros())


def test_stuck_in_saved_code(in_turn: lw.Module, tmp_path: os.PathLike[str]) -> None:
    path = os.path.join(tmp_path, "waiting.lwo")
    in_turn.save(path)
    with pytest.raises(lw.LaunchError, match="waits in a loop"):
        lw.load(path)["for_a_later_item"][2, 32](zeros())


def test_a_grid_that_waits_for_one_block(module: lw.Module) -> None:
    with pytest.raises(lw.LaunchError, match=r"waits in a loop .* in block \(2, 0, 0\)"):
        module["grid_waits_for_one"].launch(6, 32, (zeros(),), cooperative=True)


def test_says_which_work_item(in_turn: lw.Module) -> None:
    with pytest.raises(lw.LaunchError, match=r"in block \(0, 0, 0\), thread \(3, 0, 0\)\. .*the line$"):
        in_turn["for_a_later_item"][1, 32](zeros())
    debugged = lw.compile(SOURCE, language="cuda", options=["-g"], mapping="lock-step")
    line = 1 + SOURCE[: SOURCE.index("if (threadIdx.x == 3)")].count("\n")
    with pytest.raises(lw.LaunchError, match=rf"thread \(3, 0, 0\), at <source>:{line} \(for_a_later_item\)"):
        debugged["for_a_later_item"][1, 32](zeros())


def test_two_streams_that_wait_for_one_another(module: lw.Module) -> None:
    streams = lw.Stream(), lw.Stream()
    for stream in streams:
        module["volatile_read"].launch(1, 1, (zeros(),), stream=stream)
    for stream in streams:
        with pytest.raises(lw.LaunchError, match="waits in a loop"):
            stream.synchronize()


def test_a_timeout_goes_first(module: lw.Module) -> None:
    with pytest.raises(lw.LaunchError, match="longer than its timeout"):
        module["volatile_read"].launch(1, 1, (zeros(),), timeout=0.8)


def test_off(module: lw.Module, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANEWISE_WATCHDOG", "off")
    out = zeros()
    with_host(module, 0.8, out)


def with_host(module: lw.Module, seconds: float, out: np.ndarray) -> None:
    """A kernel that waits until the host, after some time, writes its flag."""
    flag = zeros()
    timer = threading.Timer(seconds, lambda: flag.__setitem__(0, 1))
    timer.start()
    module["wait"][1, 1](flag, out)
    timer.join()
    assert out[0] == 7


def test_the_host_writes_in_time(module: lw.Module, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANEWISE_WATCHDOG", "2")
    with_host(module, 0.8, zeros())


def test_the_host_writes_now_and_then(module: lw.Module) -> None:
    flag, out = zeros(), zeros()

    def count() -> None:
        for number in range(1, 9):
            time.sleep(0.1)
            flag[0] = number

    host = threading.Thread(target=count)
    host.start()
    module["follow"][1, 1](flag, out, 8)
    host.join()
    assert out[0] == 8


def test_another_stream_writes(module: lw.Module) -> None:
    flag, out = zeros(2), zeros()
    first, second = lw.Stream(), lw.Stream()
    module["work_and_set"][1, 1](zeros(2), 1)  # compiled now: that takes longer than the host has
    module["wait"][1, 1](np.ones(1, np.int32), out)
    out[0] = 0
    module["work_and_set"].launch(1, 1, (flag, WORK), stream=second)
    deadline = time.monotonic() + 60
    while not flag[1] and time.monotonic() < deadline:  # a busy machine may take longer than that to begin, too
        time.sleep(0.001)
    module["wait"].launch(1, 1, (flag, out), stream=first)
    first.synchronize()
    second.synchronize()
    assert out[0] == 7


def test_locks(module: lw.Module) -> None:
    count = zeros(1, np.int64)
    module["spin_lock"][4, 32](zeros(), count, 1000)
    assert count[0] == 4 * 32 * 1000


def test_a_queue(module: lw.Module) -> None:
    out = zeros(5000, np.float32)
    module["queue"][4, 32](zeros(), out, 5000)
    assert (out > 0).all()


def test_a_look_back_scan(module: lw.Module) -> None:
    ready, sums = zeros(5000), zeros(5000)
    module["look_back"][5000, 1](ready, sums)
    assert (sums == np.arange(1, 5001)).all()


def test_long_work(module: lw.Module) -> None:
    out = zeros(1, np.float32)
    module["long_work"][2, 1](zeros(), out, WORK)
    module["work_when_told"][2, 1](zeros() + 1, zeros(), out, WORK)
    module["clock_bound"][1, 1](zeros())
    assert out[0] > 0


def test_work_after_waiting(module: lw.Module) -> None:
    flag, out = zeros(), zeros(1, np.float32)
    timer = threading.Timer(0.15, lambda: flag.__setitem__(0, 1))
    timer.start()
    module["work_when_told"][2, 1](flag, zeros(), out, WORK)
    timer.join()
    assert out[0] > 0


def test_blocks_in_turns(module: lw.Module) -> None:
    turns = zeros()
    module["ping_pong"][2, 1](turns, 100)
    assert turns[0] == 200


def test_steps_of_a_grid(module: lw.Module) -> None:
    done = zeros()
    module["grid_steps"].launch(6, 1, (done, 3, WORK // 2), cooperative=True)
    assert list(done[:4]) == [1, 1, 1, 0]


def test_a_time_that_is_none_is_told_before_the_first_launch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANEWISE_WATCHDOG", "-3")
    kernel = lw.compile("__global__ void one(int *p) { *p = 1; }", language="cuda")["one"]
    given = zeros()
    with pytest.raises(lw.Error, match="LANEWISE_WATCHDOG must be a number of seconds above 0, or off, not '-3'"):
        kernel.launch(1, 1, (given,), device=CpuDevice(Cache(None), 2))
    assert not given.any()
