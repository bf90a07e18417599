# SPDX-License-Identifier: Apache-2.0
"""Regions that only the first work-items along x work in: loops that end after these, and which regions are none."""

from collections.abc import Callable

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
#define KERNEL(name, condition)                                            \\
    extern "C" __global__ void name(int *out, const int *in, BOUND bound) { \\
        int x = threadIdx.x, y = threadIdx.y;                               \\
        if (condition) out[y * blockDim.x + x] += 1;                        \\
    }
#define BOUND int
KERNEL(below, x < bound)
KERNEL(at_most, x <= bound)
KERNEL(swapped, bound > x)
KERNEL(inverse, !(x >= bound))
KERNEL(first, x == 0)
KERNEL(below_unsigned, (unsigned)x < (unsigned)bound)
KERNEL(at_most_unsigned, (unsigned)x <= (unsigned)bound)
KERNEL(above, x > bound)
KERNEL(own_bound, x < in[x])
KERNEL(along_y, y < bound)
#undef BOUND
#define BOUND long long
KERNEL(below_wide, x < bound)
extern "C" __global__ void others_work(int *out, const int *in, int bound) {
    int place = threadIdx.y * blockDim.x + threadIdx.x;
    if (threadIdx.x < bound) out[place] += 1; else out[place] -= 1;
}
extern "C" __global__ void work_before(int *out, const int *in, int bound) {
    int place = threadIdx.y * blockDim.x + threadIdx.x;
    out[place] += 2;
    if (threadIdx.x < bound) out[place] += in[place];
}
"""
WIDTH, HEIGHT = 7, 2
X, Y = np.meshgrid(np.arange(WIDTH), np.arange(HEIGHT))
BOUNDS = (-(2**31), -1, 0, 1, 3, 6, 7, 8, 2**31 - 1)
WORK: dict[str, Callable[[int], np.ndarray]] = {
    "below": lambda bound: bound > X,
    "at_most": lambda bound: bound >= X,
    "swapped": lambda bound: bound > X,
    "inverse": lambda bound: bound > X,
    "first": lambda bound: X == 0,
    "below_unsigned": lambda bound: bound % 2**32 > X,
    "at_most_unsigned": lambda bound: bound % 2**32 >= X,
    "below_wide": lambda bound: bound > X,
}
OTHERS: dict[str, Callable[[int], np.ndarray]] = {
    "above": lambda bound: bound < X,  # 3
    "own_bound": lambda bound: X < 2,  # 2
    "along_y": lambda bound: bound > Y,  # 2
    "others_work": lambda bound: np.where(bound % 2**32 > X, 1, -1),  # 4
    "work_before": lambda bound: 2 + 2 * (bound % 2**32 > X),  # 1
}
MODULE = lw.compile(SOURCE, language="cuda", mapping="loop")


@pytest.mark.parametrize("name", [*WORK, *OTHERS])
def test_the_loop_ends_after_them(name: str):
    text = MODULE.ir("work-group", name, block=(WIDTH, HEIGHT))
    assert ("region.0.some:" in text) == (name in WORK)


@pytest.mark.parametrize("name", [*WORK, *OTHERS])
def test_each_of_them_works_once_and_no_other(name: str):
    for bound in BOUNDS:
        out, all_two = np.zeros((HEIGHT, WIDTH), np.int32), np.full((HEIGHT, WIDTH), 2, np.int32)
        MODULE[name][1, (WIDTH, HEIGHT)](out, all_two, bound)
        assert np.array_equal(out, (WORK | OTHERS)[name](bound)), bound


def test_a_loop_over_them_takes_the_place_of_lanes_that_gather():
    source = """
    __global__ void wave(int *out, int bound) {
        __shared__ int tile[17][17];
        int t = threadIdx.x;
        for (int m = 0; m < 16; ++m) {
            STORE;
            __syncthreads();
        }
        out[t] = tile[t][t];
    }
    """
    wave = "if (t <= m) tile[m - t + 1][t + 1] = max(tile[m - t][t], max(tile[m - t + 1][t], tile[m - t][t + 1]))"
    remarks = lw.compile(source.replace("STORE", wave), language="cuda")["wave"].remarks(16)
    assert any("code of the first threads that hardly does anything but gather" in remark for remark in remarks)
    row = "if (t <= m) tile[m][t + 1] = max(tile[m][t], tile[m + 1][t])"
    remarks = lw.compile(source.replace("STORE", row), language="cuda")["wave"].remarks(16)
    assert not any("a loop over threads" in remark for remark in remarks)
