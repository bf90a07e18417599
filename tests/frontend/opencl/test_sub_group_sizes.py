# SPDX-License-Identifier: Apache-2.0
"""Sub-groups of 8, 16 and 64 work-items (cl_intel_required_subgroup_size): parts of a warp, each with control flow of
its own, or warps of twice the usual size. What their functions give is tested as for those of 32."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import lanewise as lw

from .running import DEVICES, DTYPES
from .sub_group_model import sub_groups
from .test_sub_groups import (
    ALL,
    FLOWS,
    MAPPINGS,
    QUERIES,
    SHUFFLES,
    VOTES,
    arithmetic,
    compiled,
    count,
    everywhere,
    operands,
    sources,
    wanted_arithmetic,
    wanted_of_flows,
    wanted_votes,
)

CASES = [
    (8, 64, 64), (16, 96, 48), (8, 66, 33), (16, (8, 6), (8, 6)),  # whole groups, the last sub-group short at times
    (64, 256, 128), (64, 200, 100), (64, (16, 8), (16, 8)),
    (16, 70, 48), (8, (20, 3), (64, 2)), (16, 3, 64), (8, (7, 5, 3), (4, 2, 2)),  # and groups that are cut off
    (64, 150, 96), (64, (20, 5), (16, 4)),
]  # fmt: skip
SOME = CASES if ALL else [CASES[1], CASES[8], CASES[5], CASES[12]]


def of(width: int, text: str) -> str:
    """The text with a required size of sub-groups for its kernel."""
    return text.replace("kernel void", f"kernel __attribute__((intel_reqd_sub_group_size({width}))) void")


@pytest.mark.parametrize(("width", "size", "local"), CASES)
def test_queries(width: int, size: Any, local: Any):
    wanted = np.zeros((count(size), 6), np.uint32)
    for group in sub_groups(size, local, width):
        for own, item in enumerate(group.items):
            wanted[item] = len(group.items), group.greatest, group.of, group.number, own, group.enqueued
    text = of(width, QUERIES.replace("ENQUEUED", "get_enqueued_num_sub_groups()"))
    module = compiled(text, options="-cl-std=CL2.0")
    for device in DEVICES:
        out = np.zeros_like(wanted)
        module["k"].ndrange(size, local, device=device)(out)
        np.testing.assert_array_equal(out, wanted, device)


def launches(width: int, text: str, place: int) -> Iterator[tuple[str, Callable[..., Any]]]:
    return everywhere(of(width, text), [MAPPINGS[place % len(MAPPINGS)]])


@pytest.mark.parametrize(("width", "size", "local"), SOME)
def test_arithmetic(width: int, size: Any, local: Any):
    type_, name = ("float", "max") if width == 8 else ("int", "add")
    n = count(size)
    x = operands(type_, name, n)
    prepared = list(launches(width, arithmetic(type_, name), width))
    for chosen in (np.random.default_rng(1).integers(0, 2, n, np.int32), (np.arange(n) % 32 < 9).astype(np.int32)):
        wanted = wanted_arithmetic(type_, name, sub_groups(size, local, width), x, chosen)
        for device, launch in prepared:
            out = np.zeros_like(wanted)
            launch(size, local)(out, x, chosen)
            np.testing.assert_array_equal(out, wanted, device)


@pytest.mark.parametrize(("width", "size", "local"), SOME)
def test_votes_and_ballots(width: int, size: Any, local: Any):
    n = count(size)
    rng = np.random.default_rng(4)
    x, chosen = rng.integers(0, 64, n, np.int32), rng.integers(0, 2, n, np.int32)
    wanted = np.zeros((n, 20), np.uint32)
    for group in sub_groups(size, local, width):
        for item, row in wanted_votes(group, x, chosen):
            wanted[item] = row
    text = VOTES if width < 64 else VOTES.replace("(0, 1, 1, 1)", "(0, 0, 1, 1)").replace("if (b.x)", "if (b.x | b.y)")
    for device, launch in launches(width, text, width // 8):
        out = np.zeros((n, 20), np.int32)
        launch(size, local)(out, x, chosen)
        np.testing.assert_array_equal(out.view(np.uint32), wanted, device)


@pytest.mark.parametrize(("width", "size", "local"), SOME)
def test_shuffles(width: int, size: Any, local: Any):
    n = count(size)
    rng = np.random.default_rng(5)
    x, ids = rng.integers(0, 1 << 30, n, np.int32), rng.integers(0, width, n, np.uint32)
    chosen, by, delta = rng.integers(0, 4, n, np.int32), 5, -7
    wanted, known = np.zeros((n, 12), x.dtype), np.zeros(n, np.uint32)
    for group in sub_groups(size, local, width):
        active = [own for own, item in enumerate(group.items) if chosen[item]]
        for own, item in enumerate(group.items):
            from_ = sources(group, own, active[0] if active else 0, int(ids[item]), by, delta)
            for at, source in enumerate(from_ if chosen[item] else from_[:1]):
                if at == 0 or source in active:
                    known[item] |= np.uint32(1 << at)
                    wanted[item, at] = x[group.items[source]]
    for device, launch in launches(width, SHUFFLES.replace("TYPE", "int"), width):
        out = np.zeros_like(wanted)
        launch(size, local)(out, x, ids, chosen, known, by, delta)
        np.testing.assert_array_equal(out, wanted, device)


@pytest.mark.parametrize(("width", "local"), [(16, 48), (64, 96), (8, 7)] if ALL else [(16, 48), (64, 96)])
def test_divergent_flows(width: int, local: int):
    x = np.random.default_rng(6).integers(0, 1000, 2 * local, np.int32)
    wanted = np.zeros((2 * local, 10), np.int32)
    for group in sub_groups(2 * local, local, width):
        wanted[group.items] = wanted_of_flows(x[group.items])
    for device, launch in launches(width, FLOWS, width):
        out = np.zeros_like(wanted)
        launch(2 * local, local)(out, x)
        np.testing.assert_array_equal(out, wanted, device)


OWN_WAYS = """
kernel void k(global int *out, global const int *in, local int *tile) {
    int i = get_local_id(0), own = get_sub_group_id(), sum = 0;
    tile[i] = in[i];
    for (int round = 0; round < own; ++round) {  // each sub-group as often as its number says
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        sum += sub_group_reduce_add(tile[i ^ 1]) + sub_group_broadcast(i, round);
        if (round == 1) return;
    }
    out[i] = sum;
}
"""


def test_sub_groups_of_a_warp_go_ways_of_their_own():
    for width in (8, 16, 64):
        n = 4 * width
        x = np.arange(n, dtype=np.int32) ** 2
        sums = x.reshape(-1, width).sum(1).repeat(width)
        number, first = np.arange(n) // width, np.arange(n) // width * width
        wanted = np.where(number == 1, sums + first, 0)
        for device, launch in launches(width, OWN_WAYS, width):
            out = np.zeros_like(x)
            launch(n, n)(out, x, lw.local(4 * n))
            np.testing.assert_array_equal(out, wanted, device)


COMMON = """
kernel void k(global TYPE *out, global const TYPE *in, uint id) {
    TYPE x = in[AT], sum = sub_group_reduce_add(x);
    x = sub_group_scan_inclusive_max(x) + sub_group_shuffle_xor(sum, 1) + sub_group_broadcast(x, id);
    if (get_sub_group_id() & 1) x += sub_group_reduce_min(x) + sub_group_shuffle(x, id + 1);
    out[AT] = x;
}
"""


@pytest.mark.parametrize("width", [8, 16])
def test_parts_of_a_warp_run_in_lanes(width: int):
    n, number = 96, 3
    for type_ in ("int", "double"):
        x = np.random.default_rng(7).integers(-1000, 1000, n).astype(DTYPES[type_])
        parts = x.reshape(-1, width)
        wanted = np.maximum.accumulate(parts, 1) + parts.sum(1, keepdims=True) + parts[:, [number]]
        wanted[1::2] += wanted[1::2].min(1, keepdims=True) + wanted[1::2, [number + 1]]
        text = of(width, COMMON.replace("TYPE", type_))
        assert "a warp at a time" in compiled(text)["k"].remarks(n)[0]
        for device, launch in launches(width, text, width // 8):
            out = np.zeros_like(x)
            launch(n, n)(out, x, number)
            np.testing.assert_array_equal(out, wanted.ravel(), device)


def test_a_broadcast_reads_one_element_of_each_part():
    text = of(16, "kernel void k(global int *out, uint id) { out[AT] = sub_group_broadcast(out[AT], id); }")
    assert "gather" not in compiled(text).ir("work-group", kernel="k", block=64)


WAITING = """
kernel void k(global int *out, global atomic_int *flag, int first) {
    if (get_sub_group_id() == first) atomic_store(flag, 1);
    else while (atomic_load(flag) == 0);
    out[AT] = sub_group_reduce_add(1);
}
"""


@pytest.mark.parametrize("first", [0, 1])
def test_parts_of_a_warp_wait_for_one_another(first: int):
    kernel = compiled(of(16, WAITING), options="-cl-std=CL3.0")["k"]
    out = np.zeros(32, np.int32)
    kernel.ndrange(32, 32, device="cpu")(out, np.zeros(1, np.int32), first)
    assert (out == 16).all()


def test_kernels_with_sub_groups_of_different_sizes():
    text = """
    __attribute__((intel_reqd_sub_group_size(8))) kernel void eight(global int *out) { KEEP }
    kernel __attribute__((intel_reqd_sub_group_size(16))) void sixteen(global int *out) { KEEP }
    kernel void usual(global int *out) { KEEP }
    """.replace("KEEP", "out[AT] = 100 * get_max_sub_group_size() + sub_group_reduce_add(1);")
    module = compiled(text)
    for name, width in (("eight", 8), ("sixteen", 16), ("usual", 32)):
        for device in DEVICES:
            out = np.zeros(96, np.int32)
            module[name].ndrange(96, 48, device=device)(out)
            sizes = [min(width, 48 - item % 48 // width * width) for item in range(96)]
            assert out.tolist() == [100 * width + size for size in sizes]
    assert "vote.sync" in module.ptx()


def test_where_sizes_differ_each_kernel_knows_its_own():
    text = COMMON.replace("TYPE", "int")
    module = compiled(of(16, text) + text.replace("void k", "void usual"))
    for name, distances in (("k", "1, i32 4127)"), ("usual", "1, i32 31)")):
        simplified = module.ir("simplify", kernel=name, block=64)
        assert distances in simplified
        assert "load i32, ptr addrspace(3) @lw.sub_group_size" not in simplified


def test_the_macro_and_the_pragma():
    name = "cl_intel_required_subgroup_size"
    text = f"#ifndef {name}\n#error no {name}\n#endif\n#pragma OPENCL EXTENSION {name} : enable\n"
    assert compiled(of(32, text + "kernel void k(global int *p) { *p = 1; }")).warnings == ()


@pytest.mark.parametrize("width", [4, 128])
def test_other_sizes_are_refused(width: int):
    refusal = f"kernel k requires sub-groups of {width}: here they are of 8, 16, 32 or 64"
    with pytest.raises(lw.CompileError, match=refusal):
        compiled(of(width, "kernel void k(global int *p) { p[0] = get_max_sub_group_size(); }"))
