# SPDX-License-Identifier: Apache-2.0
"""Races with accesses that others came after: python -m pytest tests/checks/test_race_history.py"""

from typing import NamedTuple

import numpy as np
import pytest

import lanewise as lw

START = """
__global__ void NAME(int *a) {
    int t = threadIdx.x, b = blockIdx.x, r = 0;
    short *pairs = (short *)a;
    signed char *bytes = (signed char *)a;
    __shared__ int s[2048];
"""
END = """
    if (r == 12345) a[900 + t] = r;
}
"""
CPU = ("cpu",)


class Case(NamedTuple):
    name: str
    body: str
    """Statements. The lines that end in `// race` are told, and no others."""
    grid: int
    block: int
    devices: tuple[str, ...] = ("cpu", "reference")


CASES = (
    Case(
        "pairs of a thread",
        """
        pairs[2 * t] = t; // race
        pairs[2 * t + 1] = t + 5;
        r = pairs[2 * (63 - t)]; // race
        """, 1, 64,
    ),
    Case(
        "pairs of a thread, with a barrier",
        """
        pairs[2 * t] = t;
        pairs[2 * t + 1] = t + 5;
        __syncthreads();
        r = pairs[2 * (63 - t)];
        """, 1, 64,
    ),
    Case(
        "three bytes of a thread",
        """
        bytes[3 * t] = t;
        bytes[3 * t + 1] = t + 1; // race
        bytes[3 * t + 2] = t + 2;
        r = bytes[3 * (63 - t) + 1]; // race
        """, 1, 64,
    ),
    Case(
        "bytes of several threads",
        """
        bytes[t] = t; // race
        r = bytes[(t + 33) % 64]; // race
        """, 1, 64,
    ),
    Case(
        "bytes of several threads, each its own",
        """
        bytes[t] = t;
        r = bytes[t];
        """, 1, 64,
    ),
    Case(
        "bytes of a loop",
        """
        #pragma unroll 1
        for (int k = 0; k < 4; ++k)
            bytes[4 * t + k] = t + k; // race
        r = bytes[4 * (63 - t) + 1]; // race
        """, 1, 64,
    ),
    Case(
        "a byte read before others",
        """
        if (t == 0 && b == 0) {
            r = ((volatile short *)pairs)[0]; // race
            r += ((volatile short *)pairs)[1];
        }
        if (t == 0 && b == 1) pairs[0] = 5; // race
        """, 2, 32,
    ),
    Case(
        "a byte written before a barrier",
        """
        if (t == 0 && b == 0) pairs[0] = 1; // race
        __syncthreads();
        if (t == 0 && b == 0) pairs[1] = 2;
        if (t == 0 && b == 1) r = pairs[0]; // race
        """, 2, 32,
    ),
    Case(
        "a counter reset with no barrier",
        """
        if (t == 0) a[0] = 0;
        __syncthreads();
        atomicAdd(a, 1);
        __syncthreads();
        a[100 + t] = a[0]; // race
        if (t == 0) a[0] = 0; // race
        """, 1, 64,
    ),
    Case(
        "a counter reset after a barrier",
        """
        if (t == 0) a[0] = 0;
        __syncthreads();
        atomicAdd(a, 1);
        __syncthreads();
        a[100 + t] = a[0];
        __syncthreads();
        if (t == 0) a[0] = 0;
        """, 1, 64,
    ),
    Case(
        "a counter that one thread writes",
        """
        if (t == 0) {
            atomicAdd(a, 1); // race
            if (b == gridDim.x - 1) a[0] = 7; // race
        }
        """, 3, 32,
    ),
    Case(
        "a shared counter that one thread writes",
        """
        if (t == 0) s[0] = 0;
        __syncthreads();
        if (t % 32 == 0) atomicAdd(s, 1); // race
        if (t == 64) s[0] = 9; // race
        """, 1, 96,
    ),
    Case(
        "a reader of an earlier epoch",
        """
        if (t == 0) r = a[0];
        __syncthreads();
        if (t == 40) r = a[0]; // race
        if (t == 70) {
            r = a[0];
            a[0] = r + 1; // race
        }
        """, 1, 96,
    ),
    Case(
        "readers of an earlier step of the warp",
        """
        if (t < 2) r = a[0];
        __syncwarp();
        if (t == 2) r = a[0]; // race
        if (t == 3) a[0] = 4; // race
        """, 1, 32,
    ),
    Case(
        "readers after a fence",
        """
        if (t == 0) {
            if (b < 2) {
                __threadfence();
                r = a[0];
            }
            if (b == 2) r = a[0]; // race
            if (b == 3) a[0] = 5; // race
        }
        """, 4, 32, CPU,
    ),
    Case(
        "a writer after a fence",
        """
        if (t == 0) {
            if (b == 0) a[0] = 3; // race
            if (b == 1) {
                __threadfence();
                a[0] = 4;
            }
            if (b == 2) r = a[0]; // race
        }
        """, 3, 32, CPU,
    ),
    Case(
        "a value that all write, one of them after a fence",
        """
        if (t == 0 && b == 1) __threadfence();
        if (t == 0) a[0] = 3;
        """, 3, 32,
    ),
    Case(
        "a value that was written after a fence",
        """
        if (t == 0) {
            if (b == 0) a[0] = 3; // race
            if (b == 1) {
                __threadfence();
                a[0] = 4;
            }
            if (b == 2) a[0] = 4; // race
        }
        """, 3, 32, CPU,
    ),
    Case(
        "a volatile read of the same thread",
        """
        if (t == 0) {
            r = s[0]; // race
            r += *(volatile int *)s;
        }
        if (t == 1) s[0] = 7; // race
        """, 1, 32,
    ),
    Case(
        "a volatile read of the same thread, in global memory",
        """
        if (t == 0) {
            r = a[0]; // race
            r += *(volatile int *)a;
        }
        if (t == 1) a[0] = 7; // race
        """, 1, 32, CPU,
    ),
    Case(
        "a byte of a shared word again",
        """
        if (t == 0) s[1234] = -1;
        __syncwarp();
        if (t == 40) ((volatile signed char *)s)[4 * 1234] = -1;
        """, 1, 64,
    ),
    Case(
        "a byte of a shared word, otherwise",
        """
        if (t == 0) s[1235] = -1; // race
        __syncwarp();
        if (t == 40) ((volatile signed char *)s)[4 * 1235] = -2; // race
        """, 1, 64,
    ),
    Case(
        "a byte of a word again",
        """
        if (t == 0) a[0] = 0x01020304;
        if (t == 40) bytes[1] = 3;
        """, 1, 64,
    ),
    Case(
        "a byte of a word, otherwise",
        """
        if (t == 0) a[0] = 0x01020304; // race
        if (t == 40) bytes[1] = 4; // race
        """, 1, 64,
    ),
    Case(
        "a word over a byte that is the same",
        """
        if (t == 0) bytes[1] = 3;
        if (t == 40) a[0] = 0x01020304;
        """, 1, 64,
    ),
    Case(
        "a value that its thread has replaced",
        """
        s[t] = 0; // race
        s[0] = 7; // race
        """, 1, 64,
    ),
    Case(
        "a value that its thread has replaced, in global memory",
        """
        a[t] = 0; // race
        a[0] = 7; // race
        """, 1, 64,
    ),
    Case(
        "a byte that its thread has replaced",
        """
        ((signed char *)s)[t] = 0; // race
        ((signed char *)s)[1] = 7; // race
        """, 1, 64,
    ),
    Case(
        "a byte that its thread has replaced, in global memory",
        """
        bytes[t] = 0; // race
        bytes[1] = 7; // race
        """, 1, 64,
    ),
    Case(
        "a value that its warp has replaced",
        """
        s[t] = 0; // race
        __syncwarp();
        s[0] = 7; // race
        """, 1, 64,
    ),
    Case(
        "a value that its warp has replaced, in global memory",
        """
        a[t] = 0; // race
        __syncwarp();
        a[0] = 7; // race
        """, 1, 64,
    ),
    Case(
        "values that their warp has replaced, and no other",
        """
        s[t] = 0;
        a[t] = 0;
        __syncwarp();
        s[0] = 7;
        a[0] = 7;
        """, 1, 32,
    ),
    Case(
        "values that were replaced after a barrier",
        """
        s[t] = 0;
        a[t] = 0;
        __syncthreads();
        s[0] = 7;
        a[0] = 7;
        """, 1, 64,
    ),
    Case(
        "a value that its block has replaced",
        """
        if (t == 0 && b == 0) a[0] = 0; // race
        __syncthreads();
        if (t == 0) a[0] = 7; // race
        """, 2, 64,
    ),
    Case(
        "a value that its block has replaced by itself",
        """
        if (t == 0 && b == 0) a[0] = 7;
        __syncthreads();
        if (t == 0) a[0] = 7;
        """, 2, 64,
    ),
    Case(
        "a value that one thread has replaced",
        """
        if (t == 0) {
            s[0] = 0; // race
            s[0] = 7;
        }
        if (t == 40) s[0] = 7; // race
        """, 1, 64,
    ),
    Case(
        "a word that one thread has replaced, and a byte of it that stayed",
        """
        if (t == 0) {
            s[0] = 0x01000005;
            s[0] = 0x02000005;
            a[0] = 0x01000005;
            a[0] = 0x02000005;
        }
        if (t == 40) ((volatile signed char *)s)[0] = 5;
        if (t == 40) ((volatile signed char *)a)[0] = 5;
        """, 1, 64, CPU,
    ),
    Case(
        "a word that one thread has replaced, and a byte of it that didn't stay",
        """
        if (t == 0) {
            s[0] = 0x01000005; // race
            s[0] = 0x02000005;
            a[0] = 0x01000005; // race
            a[0] = 0x02000005;
        }
        if (t == 40) ((volatile signed char *)s)[3] = 2; // race
        if (t == 40) ((volatile signed char *)a)[3] = 2; // race
        """, 1, 64,
    ),
    Case(
        "a value that one thread has replaced twice, beside a read",
        """
        if (t == 0) {
            r = s[0] + a[0];
            s[0] = 1;
            a[0] = 1;
            s[0] = 2; // race
            a[0] = 2; // race
            s[0] = a[0] = 7;
            r += s[0] + a[0];
        }
        __syncwarp();
        if (t == 40) s[0] = 7; // race
        if (t == 40) a[0] = 7; // race
        """, 1, 64,
    ),
    Case(
        "readers of three blocks after a fence, and a writer of the last one",
        """
        __threadfence();
        __syncthreads();
        r = a[0]; // race
        if (b == 2 && t == 40) a[0] = 5; // race
        """, 3, 64,
    ),
    Case(
        "a value that its thread has replaced after a fence",
        """
        if (t == 0) {
            s[0] = 1; // race
            a[0] = 1; // race
            __threadfence_block();
            s[0] = a[0] = 2;
        }
        if (t == 40) r = s[0] + a[0]; // race
        """, 1, 64, CPU,
    ),
    Case(
        "a value that its thread has replaced after a fence, read after a flag",
        """
        volatile int *flag = s + 1;
        if (t == 0) *flag = 0;
        __syncthreads();
        if (t == 0) {
            s[0] = a[0] = 1;
            __threadfence_block();
            s[0] = a[0] = 2;
            __threadfence_block();
            *flag = 1;
        }
        if (t == 40) {
            while (*flag == 0);
            __threadfence_block();
            r = s[0] + a[0];
        }
        """, 1, 64,
    ),
    Case(
        "a value that another block writes, too, and replaces",
        """
        if (t == 0) a[0] = 1; // race
        if (t == 0 && b == 1) a[0] = 2; // race
        """, 2, 32,
    ),
    Case(
        "a value that another warp writes, too, and replaces",
        """
        s[0] = 7; // race
        __syncwarp();
        if (t == 63) s[0] = 9; // race
        """, 1, 64,
    ),
    Case(
        "values that others write, too, and again",
        """
        s[0] = a[0] = 7;
        __syncwarp();
        if (t == 63) s[0] = a[0] = 7;
        """, 1, 64,
    ),
    Case(
        "a byte that others write, too, and their word",
        """
        if (t == 0) bytes[1] = 3;
        if (t == 32) bytes[1] = 3;
        if (t == 64) a[0] = 0x01020304;
        """, 1, 96,
    ),
    Case(
        "a writer between readers of two warps and a further one",
        """
        if (t < 64) r = s[5]; // race
        __syncwarp();
        if (t == 64) s[5] = r + 3; // race
        __syncwarp();
        if (t == 100) r += s[5]; // race
        """, 1, 128,
    ),
    Case(
        "a byte that is written beside readers of its word",
        """
        r = s[5]; // race
        if (t == 70) ((signed char *)s)[4 * 5 + 2] = r + 3; // race
        """, 1, 96,
    ),
    Case(
        "readers of one element, and one of them writes it after a barrier",
        """
        r = s[5] + a[5];
        __syncthreads();
        if (t == 70) s[5] = a[5] = r + 3;
        """, 1, 96,
    ),
)  # fmt: skip


KERNELS = [(START.replace("NAME", f"kernel{number}") + case.body + END) for number, case in enumerate(CASES)]


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile("".join(KERNELS), language="cuda", checked="races")


def told(module: lw.Module, number: int, device: str) -> list[str]:
    """The lines of the source that are told of a kernel."""
    case, lines = CASES[number], "".join(KERNELS).splitlines()
    array, faults = np.zeros(1024, np.int32), ()
    try:
        module[f"kernel{number}"].launch(case.grid, case.block, (array,), device=device)
    except lw.CheckError as error:
        faults = error.faults
    assert all(fault.kind == "race" for fault in faults)
    numbers = {each.line for fault in faults for each in (fault, fault.other) if each is not None}
    return [lines[each - 1].strip() for each in sorted(numbers)]


@pytest.mark.parametrize(
    ("number", "device"),
    [
        pytest.param(number, device, id=f"{case.name}, {device}")
        for number, case in enumerate(CASES)
        for device in case.devices
    ],
)
def test_races_with_earlier_accesses(module: lw.Module, number: int, device: str) -> None:
    marked = [line.strip() for line in CASES[number].body.splitlines() if line.endswith("// race")]
    assert told(module, number, device) == marked
