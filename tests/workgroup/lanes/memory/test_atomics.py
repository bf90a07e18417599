# SPDX-License-Identifier: Apache-2.0
"""Atomic operations on memory of the work-group: plain updates, one lane after the other."""

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
kernel void counts(global int *out, global const uchar *in, local int *bins) {
    int own = get_local_id(0);
    bins[own] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(bins + in[own]);
    atomic_max(bins + 63, own);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[own] = bins[own];
}
kernel void places(global int *out, global const uchar *in, local int *bins) {
    int own = get_local_id(0);
    bins[own] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[own] = 100 * atomic_add(bins + in[own], own) + atomic_cmpxchg(bins + 40 + in[own] % 2, 0, own + 1);
}
kernel void some(global int *out, global const uchar *in, local int *bins) {
    int own = get_local_id(0), place = 0;
    bins[own] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (own * 5 % 7 < 4 && own < 61) {
        atomic_inc(bins + in[own]);
        atomic_max(bins + 63, own);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (in[own] % 2 == 0) place = atomic_add(bins + 40, own) * 2 + atomic_cmpxchg(bins + 41 + own % 2, 0, own + 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[own] = 1000 * bins[own] + place;
}
"""
N = 64


@pytest.mark.parametrize("name", ["counts", "places", "some"])
@pytest.mark.parametrize("values", [1, 2, 30], ids=lambda values: f"{values}-bins")
def test_results_are_those_of_single_work_items(name: str, values: int) -> None:
    given = np.random.default_rng(values).integers(0, values, N, np.uint8)
    found = {}
    for mapping in ("lanes:8", "lanes:16", "loop"):
        out = np.zeros(N, np.int32)
        lw.compile(SOURCE, language="opencl", mapping=mapping)[name].ndrange(N, N)(out, given, lw.local(4 * N))
        found[mapping] = out.tolist()
    assert found["lanes:8"] == found["loop"]
    assert found["lanes:16"] == found["loop"]


def test_work_items_that_are_switched_off_update_nothing() -> None:
    """Masked updates are those of a loop over lanes."""
    text = lw.compile(SOURCE, language="opencl", mapping="lanes:16").ir("work-group", "some", block=N)
    assert "lane.loop" in text


@pytest.mark.parametrize("name", ["counts", "places"])
def test_addresses_are_taken_from_registers(name: str) -> None:
    """There is no loop over lanes, for which a vector of addresses would be stored and read element by element."""
    text = lw.compile(SOURCE, language="opencl", mapping="lanes:16").ir("work-group", name, block=N)
    assert "extractelement <16 x ptr>" in text
    assert "lane.loop" not in text
    assert "%lanes.0" not in text
