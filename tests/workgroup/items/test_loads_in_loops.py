# SPDX-License-Identifier: Apache-2.0
"""A load in a loop that also writes is no value of the group: through the back edge, the stores come before it, too."""

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
__global__ void scatter(unsigned *o, int n) {
    int i = 0;
    do { unsigned v = o[0]; o[v & 15] += v + 1; i++; } while (i < n);
}
__global__ void alone(unsigned *o, int n) {
    if (threadIdx.x) return;
    __syncthreads();
    int i = 0;
    do { unsigned v = o[0]; atomicAdd(&o[v & 15], v + 1); i++; } while (i < n);
}
__global__ void maximum(unsigned *o, const unsigned *a, int n) {
    unsigned best;
    int i = 0;
    do { best = o[0]; if (a[i] > best) atomicExch(&o[0], a[i]); } while (++i < n);
    o[1] = best;
}
"""


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(SOURCE, language="cuda")


def scattered(n: int) -> list[int]:
    o = [0] * 16
    for _ in range(n):
        o[o[0] & 15] += o[0] + 1
    return o


@pytest.mark.parametrize("device", ["cpu", "reference"])
@pytest.mark.parametrize(("kernel", "block"), [("scatter", 1), ("alone", 1), ("alone", 4), ("alone", 32)])
def test_read_modify_write_of_one_place(module: lw.Module, kernel: str, block: int, device: str):
    o = np.zeros(16, np.uint32)
    module[kernel].launch(1, block, (o, 10), device=device)
    assert o.tolist() == scattered(10)


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_running_maximum(module: lw.Module, device: str):
    a = np.array([3, 9, 2, 40, 7, 41, 1], np.uint32)
    o = np.zeros(2, np.uint32)
    module["maximum"].launch(1, 1, (o, a, len(a)), device=device)
    assert o.tolist() == [41, 41]
