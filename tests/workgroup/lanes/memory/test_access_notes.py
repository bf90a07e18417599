# SPDX-License-Identifier: Apache-2.0
"""Notes of accesses in lanes: one call of the runtime core for each vector, as it has all that differs."""

import re

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
__global__ void halves(int *a, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    a[i % 32] = i;
}
"""
SERVICE = re.compile(r"call void %\S+\(ptr %launch, .*ptr %noted\.address")


@pytest.mark.parametrize("chunks", [1, 4])
def test_a_note_is_one_call_per_vector(chunks: int) -> None:
    module = lw.compile(SOURCE, language="cuda", checked="races", mapping=f"lanes:16x{chunks}")
    text = module.ir("work-group", block=64)
    assert len(SERVICE.findall(text)) >= chunks
    assert "lane.body" not in text


@pytest.mark.parametrize("n", [64, 37, 32])
@pytest.mark.parametrize("mapping", ["loop", "lanes:16x1", "lanes:16x4"])
def test_each_active_lane_is_noted(mapping: str, n: int) -> None:
    kernel = lw.compile(SOURCE, language="cuda", checked="races", mapping=mapping)["halves"]
    if n == 32:
        kernel[1, 64](np.zeros(64, np.int32), n)
        return
    with pytest.raises(lw.CheckError) as raised:
        kernel[1, 64](np.zeros(64, np.int32), n)
    (fault,) = raised.value.faults
    assert fault.times == n - 32
    assert fault.offset == 4 * (fault.thread[0] % 32)
