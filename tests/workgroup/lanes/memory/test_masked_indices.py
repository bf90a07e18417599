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
kernel void set(global int *out, global const int *in) {
    uint i = get_global_id(0);
    out[i] = in[i | 128];
}
kernel void set_of_groups(global int *out, global const int *in) {
    uint i = get_global_id(0);
    out[i] = in[i | 64] + 3 * in[(i * 4) | 1536] + 5 * in[(i >> 4) | 8] + 7 * in[(i & ~15u) | 48];
}
kernel void set_unless_clamped(global int *out, global const int *in, int most) {
    int i = get_global_id(0);
    out[i] = in[min(i, most) | 128];
}
"""
NAMES = ("blocks", "partners", "fields", "crossing", "set", "set_of_groups")


@pytest.mark.parametrize("name", NAMES)
def test_results_are_those_of_single_work_items(name: str) -> None:
    given = np.random.default_rng(3).integers(-1000, 1000, 4096, np.int32)
    found = {}
    for mapping in ("loop", "lanes:16", "lanes:8", "auto"):
        out = np.zeros(4096, np.int32)
        lw.compile(SOURCE, language="opencl", mapping=mapping)[name].ndrange(512, 128)(out, given)
        found[mapping] = out.tobytes()
    assert len(set(found.values())) == 1, [mapping for mapping in found if found[mapping] != found["loop"]]


@pytest.mark.parametrize("name", ["set", "set_of_groups", "set_unless_clamped"])
@pytest.mark.parametrize("mapping", ["loop", "lanes:8", "lanes:16", "lanes:8x2", "auto"])
def test_bits_that_are_set_already_are_not_added(name: str, mapping: str) -> None:
    given = np.random.default_rng(4).integers(-1000, 1000, 4096, np.int32)
    i = np.arange(512)
    expected = {
        "set": given[i | 128],
        "set_of_groups": given[i | 64] + 3 * given[i * 4 | 1536] + 5 * given[i >> 4 | 8] + 7 * given[i & ~15 | 48],
        "set_unless_clamped": given[np.minimum(i, 300) | 128],
    }
    out = np.zeros(512, np.int32)
    kernel = lw.compile(SOURCE, language="opencl", mapping=mapping)[name]
    kernel.ndrange(512, 128)(out, given, *((300,) if name == "set_unless_clamped" else ()))
    np.testing.assert_array_equal(out, expected[name])


def test_neighbours_need_no_gather() -> None:
    module = lw.compile(SOURCE, language="opencl")
    for name in NAMES:
        apart = [remark for remark in module[name].remarks(128) if "gather" in remark or "scatter" in remark]
        assert bool(apart) == (name == "crossing"), (name, apart)
