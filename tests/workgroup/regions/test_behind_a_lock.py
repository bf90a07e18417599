# SPDX-License-Identifier: Apache-2.0
"""What a work-item read behind a lock is its own, also after the next barrier."""

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
__global__ void by_turns(int *lock, int *counter, int *out) {
    int t = threadIdx.x;
    while (atomicAdd(lock, 0) != t);
    __threadfence();
    int mine = *counter;
    *counter = mine + 3;
    __threadfence();
    atomicExch(lock, t + 1);
    __syncthreads();
    out[t] = mine;
}
"""


@pytest.mark.parametrize("mapping", ["auto", "loop"])
def test_a_counter_behind_a_lock_is_another_number_for_each(mapping: str):
    out = np.zeros(64, np.int32)
    module = lw.compile(SOURCE, language="cuda", mapping=mapping)
    module["by_turns"].launch(1, 64, (np.zeros(1, np.int32), np.zeros(1, np.int32), out))
    assert out.tolist() == list(range(0, 192, 3))
