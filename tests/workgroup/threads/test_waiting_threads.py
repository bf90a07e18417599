# SPDX-License-Identifier: Apache-2.0
"""Kernels whose threads may wait for what another of their warp or block is yet to write, and the like that can't."""

import numpy as np
import pytest

import lanewise as lw
from lanewise.cache import Cache
from lanewise.device.cpu import CpuDevice

HEAD = """
#include <cuda/barrier>
__device__ int lock, turn;
extern "C" __global__ void k(int *p, int *flag, int n) {
    const unsigned FULL = 0xffffffff;
    int t = threadIdx.x, lane = t & 31, b = blockIdx.x, v = p[b * blockDim.x + t];
"""
SHUFFLE = "v += __shfl_xor_sync(FULL, v, 1);"
UNTIL = "while (atomicAdd(flag, 0) {}) __nanosleep(20);"

WAIT_IN_LOCK_STEP = {
    "1 turns": f"{UNTIL.format('!= t')} p[t] = ++p[n]; __threadfence(); atomicAdd(flag, 1); {SHUFFLE} p[t] += v;",
    "1 a lock of each thread": f"while (atomicCAS(&lock, 0, 1)); p[n] += v; atomicExch(&lock, 0); {SHUFFLE} p[t] = v;",
    "1 volatile": (
        f"while (*(volatile int *)flag != t); p[t] = ++p[n]; *(volatile int *)flag = t + 1; {SHUFFLE} p[t] = v;"
    ),
    "2 the other half": (
        f"if (lane < 16) {{ {UNTIL.format('== 0')} p[t] = 1; }} else {{ p[t] = 2; atomicExch(flag, 1); }} {SHUFFLE}"
        "p[t] = v;"
    ),
    "2 a lane waits for all": (
        f"if (lane == 0) {{ {UNTIL.format('< 31')} }} else atomicAdd(flag, 1); {SHUFFLE} p[t] = v;"
    ),
}
WAIT_IN_TURN = {
    "a later thread": f"if (t == 0) {{ {UNTIL.format('== 0')} }} if (t == 1) atomicExch(flag, 1);",
    "the last thread": f"if (t == blockDim.x - 1) atomicExch(flag, 1); {UNTIL.format('== 0')} p[t] = 2;",
    "turns downwards": f"{UNTIL.format('!= 63 - t')} p[t] = ++p[n]; __threadfence(); atomicAdd(flag, 1);",
    "all have come": f"atomicAdd(flag, 1); {UNTIL.format('< 64')} p[t] = 1;",
    "by an exchange of a value for itself": (
        "int o = 63 - t; while (atomicCAS(flag, o, o) != o); p[t] = ++p[n]; __threadfence(); atomicMax(flag, o + 1);"
    ),
    "by an exchange of the thread's own value": (
        "int o = 63 - t; while (atomicCAS(flag, o, 99) != o); p[t] = ++p[n]; __threadfence(); atomicExch(flag, o + 1);"
    ),
    "with a clock": (
        "if (t < 40) { long long since = clock64();"
        "while (*(volatile int *)flag == 0 && clock64() - since < 1LL << 60) p[t] = 1; }"
        "else if (t == 50) *(volatile int *)flag = 1;"
    ),
    "a value that changes": "while (*(volatile int *)flag < t) if (t == 63) *(volatile int *)flag = 99;",
}
STAY = {
    "no loop": f"atomicAdd(flag, 1); if (atomicAdd(flag, 0) > 3) p[t] = 1; {SHUFFLE}",
    "nobody tells": f"{UNTIL.format('== 0')} {SHUFFLE} p[t] = v;",
    "another object": f"{UNTIL.format('== 0')} atomicAdd(&turn, 1); {SHUFFLE} p[t] = v;",
    "an update that is tried again": (
        "int old = *flag, seen; while ((seen = atomicCAS(flag, old, old * 3 + v)) != old) old = seen;"
        f"atomicAdd(flag, 1); {SHUFFLE} p[t] = v;"
    ),
    "1 a barrier of the block": (
        "__shared__ cuda::barrier<cuda::thread_scope_block> bar; if (t == 0) init(&bar, blockDim.x); __syncthreads();"
        f"for (int i = 0; i < n; i++) {{ bar.arrive_and_wait(); {SHUFFLE} p[t] = v; bar.arrive_and_wait(); }}"
    ),
    "1 one lane takes a lock": (
        f"if (t == 0) {{ while (atomicCAS(&lock, 0, 1)); p[n] += 1; atomicExch(&lock, 0); }} {SHUFFLE} p[t] = v;"
    ),
    "1 a lane of each warp does": (
        f"{SHUFFLE} if (lane == __ffs(__activemask()) - 1) {{"
        "while (atomicCAS(&lock, 0, 1)); p[n] += v; atomicExch(&lock, 0); }"
    ),
    "1 lane after lane": (
        f"for (int i = 0; i < 32; i++) if (i == lane) {{ while (atomicCAS(&lock, 0, 1)); p[n] += v;"
        f"atomicExch(&lock, 0); }} {SHUFFLE} p[t] = v;"
    ),
    "1 behind a barrier": f"{UNTIL.format('< b')} __syncthreads(); if (t == 0) atomicAdd(flag, 1); {SHUFFLE} p[t] = v;",
    "1 behind an operation of the warp": (f"{UNTIL.format('< b')} {SHUFFLE} p[t] = v; if (t == 0) atomicAdd(flag, 1);"),
    "1 all leave together": (
        "int w; do w = atomicAdd(flag + lane, 0); while (__any_sync(FULL, w == 0));"
        "atomicExch(flag + lane, 1); p[t] = w;"
    ),
    "2 told before the paths meet": f"if (t < 3) atomicExch(flag, 1); __syncwarp(); {UNTIL.format('== 0')} p[t] = 1;",
    "2 the same lane tells": (
        f"if (t == 0) while (atomicCAS(&lock, 0, 1)); {SHUFFLE} p[t] = v; if (t == 0) atomicExch(&lock, 0);"
    ),
    "3 a lock": "while (atomicCAS(&lock, 0, 1)); p[n] += v; __threadfence(); atomicExch(&lock, 0);",
    "4 behind a barrier of the block": f"{UNTIL.format('< b')} __syncthreads(); if (t == 5) atomicAdd(flag, 1);",
    "4 another block": f"if (b) {{ {UNTIL.format('< b')} }} else if (t == 5) atomicAdd(flag, 1);",
    "5 the first thread tells": f"if (t == 0) atomicExch(flag, 1); {UNTIL.format('== 0')} p[t] = 1;",
    "5 the same thread tells": (
        f"if (t == 3) {{ {UNTIL.format('< b')} p[b] = 1; __threadfence(); atomicAdd(flag, 1); }}"
    ),
    "a barrier of the grid": (
        "__syncthreads(); if (t == 0) { atomicAdd(flag, 1); while (*(volatile int *)flag < gridDim.x); }"
        "__syncthreads();"
    ),
}


def compiled(body: str) -> lw.Kernel:
    return lw.compile(f"{HEAD}{body}\n}}", language="cuda")["k"]


def remarks(body: str, block: int | tuple[int, int] | None = 64) -> str:
    return "".join(compiled(body).remarks(block))


@pytest.mark.parametrize("body", (WAIT_IN_LOCK_STEP | WAIT_IN_TURN).values(), ids=WAIT_IN_LOCK_STEP | WAIT_IN_TURN)
def test_threads_that_wait_for_others_get_on_by_themselves(body: str):
    kernel = compiled(body)
    assert "on a stack of its own" in "".join(kernel.remarks(64))
    p, flag = np.zeros(200, np.int32), np.zeros(64, np.int32)
    kernel.launch(1, 32 if "31" in body else 64, (p, flag, 100), device="cpu", timeout=30)


@pytest.mark.parametrize("body", STAY.values(), ids=STAY)
@pytest.mark.parametrize("block", [64, None])
def test_others_stay_in_vectors_and_loops(body: str, block: int | None):
    assert "on a stack of its own" not in remarks(body, block)


def test_one_thread_of_a_block_of_several_rows():
    one = "if (t + threadIdx.y == 0) { while (atomicCAS(flag, 0, 1)); p[n] += 1; atomicExch(flag, 0); } "
    row = one.replace("t + threadIdx.y", "t")
    assert "on a stack of its own" not in remarks(one.replace("t + threadIdx.y", "(t | threadIdx.y)") + SHUFFLE, (8, 8))
    assert "on a stack of its own" in remarks(row + SHUFFLE, (8, 8))
    assert "on a stack of its own" not in remarks(row + SHUFFLE, (32, 2))


def test_a_loop_that_gets_on_seldom_gives_way():
    body = (
        "if (t == 63) atomicExch(flag, 1); while (atomicAdd(flag, 0) == 0);"
        "for (int i = 0; i < 64 || atomicAdd(flag, 0) == 0; i++) p[64 + atomicAdd(&turn, 1)] = t;"
    )
    p = np.zeros(64 + 64 * 64, np.int32)
    compiled(body)[1, 64](p, np.zeros(1, np.int32), 0)
    order = p[64:]
    assert np.bincount(order).tolist() == [64] * 64
    assert np.count_nonzero(np.diff(order)) < len(order) / 8


def test_turns_in_a_row():
    for body in (WAIT_IN_LOCK_STEP["1 turns"], WAIT_IN_TURN["turns downwards"]):
        p, flag = np.zeros(200, np.int32), np.zeros(64, np.int32)
        compiled(body.split("__threadfence")[0] + "__threadfence(); atomicAdd(flag, 1);").launch(
            1, 64, (p, flag, 100), device="cpu", timeout=30
        )
        assert sorted(p[:64]) == list(range(1, 65))
        assert p[100] == 64


ONE_ARRAY = {
    "in lock-step": f"if (t == 5) {{ while (*(volatile int *)flag == 0); }} else atomicExch(p, 1); {SHUFFLE} p[t] = v;",
    "in turn": f"if (t == 0) {{ {UNTIL.format('== 0')} }} if (t == 1) atomicExch(p, 1);",
    "through a choice": (
        f"int *q = n > 5 ? p : p + 1; if (t == 0) {{ {UNTIL.format('== 0')} }} if (t == 1) atomicExch(q, 1);"
    ),
}


@pytest.mark.parametrize("body", ONE_ARRAY.values(), ids=ONE_ARRAY)
def test_one_array_passed_twice(body: str):
    """Lanes or a loop, as long as the launch's arrays don't overlap."""
    kernel = compiled(body)
    text = "".join(kernel.remarks(64))
    assert "on a stack of its own" not in text
    assert "taken to overlap no other array: flag" in text
    flag = np.zeros(200, np.int32)
    kernel.launch(1, 64, (flag, flag, 100), device="cpu", timeout=30)
    flag[:] = 0
    other = np.ones(1, np.int32)
    kernel.launch(1, 64, (flag, other, 100), device="cpu", timeout=30)
    assert flag[0] == 1


def test_one_array_passed_twice_with_code_for_any_block():
    kernel = compiled(ONE_ARRAY["in turn"])
    assert "on a stack of its own" not in "".join(kernel.remarks(None))
    device = CpuDevice(Cache(None), 2, specialise=False)
    flag = np.zeros(200, np.int32)
    kernel.launch(1, 64, (flag, flag, 100), device=device, timeout=30)
    assert flag[0] == 1
