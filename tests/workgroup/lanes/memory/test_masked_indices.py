# SPDX-License-Identifier: Apache-2.0
"""Indices of which the lanes of a row differ in few bits: `i & ~15`, `i ^ 32`. They are neighbours, or uniform."""

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
kernel void blocks(global int *out, global const int *in) {
    uint i = get_global_id(0), low = i & 63;
    out[((i - low) << 2) + low] = in[(i & ~63u) + (low | 256)] + in[i & 0x1f0];
}
kernel void partners(global int *out, global const int *in) {
    uint i = get_global_id(0);
    out[i] = in[i ^ 32] + 3 * in[(i ^ 64) | 128] - in[(i ^ 0x80000000u) >> 26] + in[(short)(i ^ 0xfffff800) & 0x7ff];
}
kernel void fields(global int *out, global const int *in) {
    uint i = get_global_id(0);
    out[i] = in[(i * 4) | 2] - in[(i * 4) ^ 1] + in[(i * 4) & 0x3c0] + in[(i * 4 + 3) & ~3u];
}
kernel void crossing(global int *out, global const int *in) {
    uint i = get_global_id(0);
    out[i] = in[i & ~3u] + 3 * in[i ^ 4] + 5 * in[i & 5] + 7 * in[i | 9] + 9 * in[(i + 7) & ~31u] + in[(i + 1) ^ 32];
}
"""
NAMES = ("blocks", "partners", "fields", "crossing")


@pytest.mark.parametrize("name", NAMES)
def test_results_are_those_of_single_work_items(name: str) -> None:
    given = np.random.default_rng(3).integers(-1000, 1000, 4096, np.int32)
    found = {}
    for mapping in ("loop", "lanes:16", "lanes:8", "auto"):
        out = np.zeros(4096, np.int32)
        lw.compile(SOURCE, language="opencl", mapping=mapping)[name].ndrange(512, 128)(out, given)
        found[mapping] = out.tobytes()
    assert len(set(found.values())) == 1, [mapping for mapping in found if found[mapping] != found["loop"]]


def test_neighbours_need_no_gather() -> None:
    module = lw.compile(SOURCE, language="opencl")
    for name in NAMES:
        apart = [remark for remark in module[name].remarks(128) if "gather" in remark or "scatter" in remark]
        assert bool(apart) == (name == "crossing"), (name, apart)
