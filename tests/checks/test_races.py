# SPDX-License-Identifier: Apache-2.0
"""Races in shared memory: both accesses told, and no word on twins that are right."""

import os
import subprocess
import sys
from typing import NamedTuple

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
#define I int i = threadIdx.x; out += 64 * blockIdx.x;
__global__ void reverse(int *out) {
    __shared__ int t[64]; I
    t[i] = i;
    out[i] = t[63 - i];
}
__global__ void reverse_right(int *out) {
    __shared__ int t[64]; I
    t[i] = i;
    __syncthreads();
    out[i] = t[63 - i];
}
__global__ void sum(int *out) {
    __shared__ int t[64]; I
    t[i] = i;
    __syncthreads();
    for (int s = 32; s > 0; s /= 2)
        if (i < s)
            t[i] += t[i + s];
    out[i] = i ? 0 : t[0];
}
__global__ void sum_right(int *out) {
    __shared__ int t[64]; I
    t[i] = i;
    __syncthreads();
    for (int s = 32; s > 0; s /= 2) {
        if (i < s)
            t[i] += t[i + s];
        __syncthreads();
    }
    out[i] = t[0];
}
__global__ void many_write(int *out) {
    __shared__ int flag;
    flag = threadIdx.x;
    __syncthreads();
    out[64 * blockIdx.x + threadIdx.x] = flag;
}
__global__ void many_write_right(int *out) {
    __shared__ int flag;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    flag = 1;
    __syncthreads();
    out[64 * blockIdx.x + threadIdx.x] = flag;
}
__global__ void count(int *out) {
    __shared__ int n;
    if (threadIdx.x == 0) n = 0;
    atomicAdd(&n, 1);
    __syncthreads();
    out[64 * blockIdx.x + threadIdx.x] = n;
}
__global__ void count_right(int *out) {
    __shared__ int n;
    if (threadIdx.x == 0) n = 0;
    __syncthreads();
    atomicAdd(&n, 1);
    __syncthreads();
    out[64 * blockIdx.x + threadIdx.x] = n;
}
__global__ void compare_and_swap(int *out) {
    __shared__ int n;
    if (threadIdx.x == 0) n = 0;
    __syncthreads();
    int old, seen = n;
    do {
        old = seen;
        seen = atomicCAS(&n, old, old + 1);
    } while (seen != old);
    __syncthreads();
    out[64 * blockIdx.x + threadIdx.x] = n;
}
__global__ void by_assembly(int *out) {
    __shared__ int t[64]; I
    t[i] = i;
    asm volatile("bar.sync 0;" ::: "memory");
    out[i] = t[63 - i];
}
__global__ void by_half_warps(int *out) {
    __shared__ int t[64]; I
    if (i % 32 < 16) {
        __syncwarp(0xffff);
        t[i] = i;
    }
    __syncwarp();
    if (i % 32 >= 16) out[i] = t[i - 16];
}
__global__ void by_acquiring(int *out) {
    __shared__ int value, flag;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        value = 8;
        __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    } else if (threadIdx.x == 32) {
        while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE));
        out[0] = value;
    }
}
__global__ void by_pointers(int *out) {
    __shared__ int t[64]; I
    for (int *p = t + i; p < t + 64; p += blockDim.x) *p = i;
    __syncthreads();
    int sum = 0;
    for (int *end = t + 64; end > t;) sum += *--end;
    out[i] = sum;
}
__global__ void warps(int *out) {
    __shared__ int t[64]; I
    t[i] = i;
    __syncwarp();
    out[i] = t[i ^ 32];
}
__global__ void warps_right(int *out) {
    __shared__ int t[64]; I
    t[i] = i;
    __syncwarp();
    out[i] = t[i ^ 1];
}
__global__ void lanes(int *out) {
    __shared__ int t[64]; I
    t[i] = i;
    out[i] = t[i ^ 1];
}
__global__ void lanes_right(int *out) {
    __shared__ volatile int t[64]; I
    t[i] = i;
    out[i] = t[i ^ 1];
}
__global__ void bytes(int *out) {
    __shared__ unsigned char t[64]; I
    t[i] = i;
    out[i] = t[i & ~1];
}
__global__ void bytes_right(int *out) {
    __shared__ unsigned char t[64]; I
    t[i] = i;
    out[i] = t[i];
    t[i] = 3 * i;
}
__global__ void words(int *out) {
    __shared__ unsigned char t[256]; I
    t[4 * i + 1] = i;
    out[i] = ((int *)t)[i ^ 1];
}
__global__ void words_right(int *out) {
    __shared__ unsigned char t[256]; I
    t[4 * i + 1] = i;
    out[i] = ((int *)t)[i];
}
__global__ void narrow(int *out) {
    __shared__ int t[512]; I
    unsigned char at = 8 * i;
    t[at] = i;
    out[i] = 0;
}
__global__ void narrow_right(int *out) {
    __shared__ int t[512]; I
    unsigned short at = 8 * i;
    t[at] = i;
    out[i] = t[at];
}
__global__ void again(int *out) {
    __shared__ int t[64]; I
    for (int n = 0; n < 3; ++n) {
        t[i] = n + i;
        __syncthreads();
        out[i] = t[63 - i];
    }
}
__global__ void again_right(int *out) {
    __shared__ int t[64]; I
    for (int n = 0; n < 3; ++n) {
        t[i] = n + i;
        __syncthreads();
        out[i] = t[63 - i];
        __syncthreads();
    }
}
"""


class Race(NamedTuple):
    """A kernel, and where in their lines of the source two accesses begin that race."""

    kernel: str
    one: str
    other: str


RACES = (
    Race("reverse", "t[i] = i;", "t[63 - i]"),
    Race("sum", "t[i] += t[i + s];", "t[i + s];"),
    Race("many_write", "= threadIdx.x;", "= threadIdx.x;"),
    Race("count", "atomicAdd(&n, 1)", "= 0;"),
    Race("warps", "t[i ^ 32]", "t[i] = i;"),
    Race("lanes", "t[i ^ 1]", "t[i] = i;"),
    Race("bytes", "t[i & ~1]", "t[i] = i;"),
    Race("words", "((int *)t)[i ^ 1]", "t[4 * i + 1] = i;"),
    Race("narrow", "t[at] = i;", "t[at] = i;"),
    Race("again", "t[63 - i]", "t[i] = n + i;"),
)


@pytest.fixture(scope="module", params=["lanes", "loop", "threads"])
def module(request: pytest.FixtureRequest) -> lw.Module:
    return lw.compile(SOURCE, language="cuda", checked="races", mapping=request.param)


@pytest.mark.parametrize("race", RACES, ids=lambda race: race.kernel)
def test_both_accesses_of_a_race_are_told(module: lw.Module, race: Race) -> None:
    with pytest.raises(lw.CheckError) as raised:
        module[race.kernel][2, 64](np.zeros(128, np.int32))
    (fault,) = raised.value.faults
    assert fault.kind == "race"
    assert fault.other is not None
    assert fault.other.thread != fault.thread
    lines = SOURCE.splitlines()
    pair = sorted(lines[each.line - 1][each.column - 1 :] for each in (fault, fault.other))
    assert all(map(str.startswith, pair, sorted((race.one, race.other))))


@pytest.mark.parametrize("race", RACES, ids=lambda race: race.kernel)
def test_no_word_on_the_mended_twin(module: lw.Module, race: Race) -> None:
    for _ in range(2):  # what the first launch left behind is no access of the second
        module[f"{race.kernel}_right"][3, 64](np.zeros(192, np.int32))


@pytest.mark.parametrize("kernel", ["by_assembly", "by_half_warps", "by_acquiring", "by_pointers"])
def test_accesses_that_something_else_orders(kernel: str) -> None:
    module = lw.compile(SOURCE, language="cuda", checked="races")
    module[kernel][1, 64](np.zeros(64, np.int32))


def test_a_read_before_a_loop_of_compare_and_swap_is_no_race(module: lw.Module) -> None:
    out = np.zeros(64, np.int32)
    module["compare_and_swap"][1, 64](out)
    assert (out == 64).all()


def test_the_text_of_a_race() -> None:
    module = lw.compile(SOURCE, language="cuda", checked="races", mapping="lanes")
    with pytest.raises(lw.CheckError) as raised:
        module["many_write"][1, 2](np.zeros(64, np.int32))
    assert str(raised.value).splitlines() == [
        "kernel many_write: 1 place at fault",
        "<source>:36:10: error: race: write of element 0 of shared variable 'flag' of 4 bytes, and write by thread "
        "(0, 0, 0) here without a barrier between them, in block (0, 0, 0), thread (1, 0, 0)",
        "   36 |     flag = threadIdx.x;",
        "      |          ^",
    ]


WAITING = '''
import numpy as np
import lanewise as lw

SOURCE = """
__global__ void flag(int *p, volatile int *q) { p[threadIdx.x] = 1; while (*q == 0); }
__global__ void lock(int *p, volatile int *q) { while (atomicCAS(p, 0, 1) != 0); p[1] = 1; }
__global__ void shared(int *p, volatile int *q) {
    __shared__ volatile int set;
    if (threadIdx.x == 0) set = 0;
    __syncthreads();
    while (set == 0);
    p[0] = 1;
}
"""
module = lw.compile(SOURCE, language="cuda", checked=True)
for kernel in module.kernels:
    try:
        module[kernel][1, 64](np.zeros(128, np.int32), np.zeros(1, np.int32))
    except lw.LaunchError as error:
        print(kernel, "waits in vain" if "no running thread" in str(error) else error)
'''


def test_waiting_in_vain_ends_under_checks() -> None:
    """Notes of checks are no progress of a loop that waits."""
    done = subprocess.run(
        [sys.executable, "-c", WAITING], env={**os.environ, "LANEWISE_WATCHDOG": "0.5"}, capture_output=True,
        text=True, check=False, timeout=60,
    )  # fmt: skip
    told = [f"{kernel} waits in vain" for kernel in ("flag", "lock", "shared")]
    assert done.stdout.splitlines() == told, done.stderr
