# SPDX-License-Identifier: Apache-2.0
"""Work-items that wait for what nobody does are reported: python -m pytest tests/device/reference/test_waiting.py"""

import threading

import numpy as np
import pytest

from lanewise.errors import LaunchError

from .conftest import Make

SOURCE = """
__global__ void later(int *p) {
    if (threadIdx.x == 1) while (atomicAdd(p, 0) == 0);
    if (threadIdx.x == 2) atomicExch(p, 1);
}
__global__ void wait(volatile int *p) { while (*p == 0); }
__global__ void lock_and_look(int *p) {
    bool done = false;
    while (!done) {
        if (atomicAdd(p, 1) == 0 && p[1]) done = true;
        atomicSub(p, 1);
    }
}
__global__ void round_robin(volatile int *p) {
    int i = threadIdx.x;
    while (p[i] == 0) i = (i + 1) % 5;
}
__global__ void across_a_barrier(int *p) { while (atomicAdd(p, 0) == 0) __syncthreads(); }
__global__ void in_a_warp(int *p) {
    __shared__ volatile int go;
    go = 0;
    __syncwarp();
    if (threadIdx.x == 0) { while (go == 0); }
    else if (threadIdx.x == 99) go = 1;
}
__global__ void work(float *p, int n) {
    float x = 1;
    for (int k = 0; k < n; ++k) x = x * 0.5f;
    *p = x;
}
"""


@pytest.mark.parametrize("name", ["later", "wait", "lock_and_look", "round_robin", "across_a_barrier", "in_a_warp"])
def test_reported(cuda: Make, name: str) -> None:
    kernels = cuda(SOURCE)
    before = threading.active_count()
    with pytest.raises(LaunchError, match=rf"kernel {name}, block \(0, 0, 0\), thread \(\d+, 0, 0\): it waits in a"):
        kernels(name, np.zeros(64, np.int32), grid=(2, 1, 1), block=4, patience=0.2)
    assert threading.active_count() == before
    kernels("wait", np.ones(1, np.int32), patience=0.2)


def test_says_where(cuda: Make) -> None:
    with pytest.raises(LaunchError, match=r"^<source>:2: kernel later, block \(0, 0, 0\), thread \(1, 0, 0\): it"):
        cuda(SOURCE)("later", np.zeros(1, np.int32), block=4, patience=0.2)


def test_work_goes_on(cuda: Make) -> None:
    out = np.zeros(1, np.float32)
    cuda(SOURCE)("work", out, 200_000, patience=0.05)
    assert out[0] == 0


def test_the_host_writes_in_time(cuda: Make) -> None:
    flag = np.zeros(1, np.int32)
    timer = threading.Timer(0.3, lambda: flag.__setitem__(0, 1))
    timer.start()
    cuda(SOURCE)("wait", flag, patience=2.0)
    timer.join()
