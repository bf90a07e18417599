# SPDX-License-Identifier: Apache-2.0
"""Sub-groups (cl_khr_subgroups and its extensions) that are full, short and cut off, with all work-items and with some,
on every device and as lanes of several widths.

Each operation with one type, and a choice of shapes; with LANEWISE_TEST_ALL_SHAPES=1 all with all."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanewise as lw

from .running import DEVICES, DTYPES, WIDTHS, Array, aligned
from .sub_group_model import OPERATIONS, SubGroup, bits, reductions, sub_groups

MAPPINGS = ("lanes:8x4", "lanes:16x2", "lanes:4x8")
LAUNCHES = [
    (1, 1), (32, 16), (66, 33), (48, 48), (128, 64), (256, 256),
    ((8, 6), (8, 6)), ((16, 8), (16, 4)), ((6, 4, 4), (3, 4, 4)), ((5, 5, 3), (5, 5, 3)),
]  # fmt: skip
CUT_OFF = [(70, 48), (3, 64), ((20, 3), (64, 2)), ((7, 5, 3), (4, 2, 2)), ((3, 40), (4, 16))]
"""Range and local size where the last work-groups are smaller."""
ALL = os.environ.get("LANEWISE_TEST_ALL_SHAPES") == "1"
SHAPES = [*LAUNCHES, *CUT_OFF] if ALL else [*LAUNCHES[2:9:3], *CUT_OFF[1::2]]

AT = """
#define AT (get_global_id(0) + get_global_size(0) * (get_global_id(1) + get_global_size(1) * get_global_id(2)))
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
"""


def compiled(text: str, **more: Any) -> lw.Module:
    module = lw.compile(AT + text, language="opencl", **more)
    assert module.warnings == ()
    return module


def everywhere(text: str, mappings: Sequence[str] = ("auto",)) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The kernel k on each device, as `launch(size, local)(arguments)`."""
    for mapping in mappings:
        kernel = compiled(text, mapping=mapping)["k"]
        yield mapping, lambda size, local, kernel=kernel: kernel.ndrange(size, local, device="cpu")
    kernel = compiled(text)["k"]
    yield "reference", lambda size, local: kernel.ndrange(size, local, device="reference")


def mapping_of(shape: tuple[Any, Any]) -> str:
    """Of each shape another one of the widths."""
    shapes = [*LAUNCHES, *CUT_OFF]
    return MAPPINGS[shapes.index(shape) % 3]


def count(size: int | Sequence[int]) -> int:
    return int(np.prod(size))


# -- where a work-item stands ------------------------------------------------------------------------------------------

QUERIES = """
kernel void k(global uint *out) {
    uint found[] = {get_sub_group_size(), get_max_sub_group_size(), get_num_sub_groups(), get_sub_group_id(),
                    get_sub_group_local_id(), ENQUEUED};
    for (int q = 0; q < 6; ++q) out[6 * AT + q] = found[q];
}
"""


@pytest.mark.parametrize("standard", ["CL1.2", "CL2.0", "CL3.0"])
@pytest.mark.parametrize(("size", "local"), SHAPES)
def test_queries(size: Any, local: Any, standard: str):
    text = QUERIES.replace("ENQUEUED", "get_enqueued_num_sub_groups()" if standard != "CL1.2" else "0")
    wanted = np.zeros((count(size), 6), np.uint32)
    for group in sub_groups(size, local):
        enqueued = group.enqueued if standard != "CL1.2" else 0
        for own, item in enumerate(group.items):
            wanted[item] = len(group.items), group.greatest, group.of, group.number, own, enqueued
    module = compiled(text, options=f"-cl-std={standard}")
    for device in DEVICES:
        out = np.zeros_like(wanted)
        module["k"].ndrange(size, local, device=device)(out)
        np.testing.assert_array_equal(out, wanted, device)


# -- reductions and scans ----------------------------------------------------------------------------------------------

ARITHMETIC = """
kernel void k(global TYPE *out, global const TYPE *in, global const int *chosen) {
    TYPE x = in[AT];
    out += 7 * AT;
    UNIFORM
    if (chosen[AT]) {
        out[3] = sub_group_non_uniform_reduce_OP(x);
        out[4] = sub_group_non_uniform_scan_inclusive_OP(x);
        out[5] = sub_group_non_uniform_scan_exclusive_OP(x);
        out[6] = sub_group_clustered_reduce_OP(x, 8);
    }
}
"""
UNIFORM = """
    out[0] = sub_group_reduce_OP(x);
    out[1] = sub_group_scan_inclusive_OP(x);
    out[2] = sub_group_scan_exclusive_OP(x);
"""
TYPES_AND_OPERATIONS = [
    *(("int", name) for name in OPERATIONS),
    *(("float", name) for name in ("add", "mul", "min", "max")),
    ("char", "add"), ("char", "max"), ("uchar", "xor"), ("uchar", "min"), ("short", "min"), ("ushort", "mul"),
    ("uint", "max"), ("uint", "or"), ("long", "add"), ("long", "min"), ("ulong", "max"), ("ulong", "and"),
    ("half", "add"), ("half", "max"), ("double", "add"), ("double", "min"), ("double", "mul"),
]  # fmt: skip


def operands(type_: str, name: str, n: int) -> Array:
    """Numbers whose sums and products are exact, or wrap."""
    rng = np.random.default_rng(n)
    dtype = np.dtype(DTYPES[type_])
    if dtype.kind == "f":
        return rng.choice([1, -1, 2, 0.5], n).astype(dtype) if name == "mul" else rng.integers(-9, 9, n).astype(dtype)
    if name.startswith("logical"):
        return (rng.integers(0, 8, n) // 3).astype(dtype)
    return rng.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, n, dtype, endpoint=True)


def arithmetic(type_: str, name: str) -> str:
    uniform = UNIFORM if name in ("add", "min", "max") else ""
    return ARITHMETIC.replace("UNIFORM", uniform).replace("TYPE", type_).replace("OP", name)


def wanted_arithmetic(type_: str, name: str, groups: Iterator[SubGroup], x: Array, chosen: Array) -> Array:
    wanted = np.zeros((x.size, 7), x.dtype)
    for group in groups:
        values, every = x[group.items], range(len(group.items))
        if name in ("add", "min", "max"):
            for own, results in reductions(name, type_, values, every, 8).items():
                wanted[group.items[own], :3] = results[:3]
        active = [own for own in every if chosen[group.items[own]]]
        for own, results in reductions(name, type_, values, active, 8).items():
            wanted[group.items[own], 3:] = results
    return wanted


@pytest.mark.parametrize(
    ("type_", "name"), TYPES_AND_OPERATIONS if ALL else [*{n: (t, n) for t, n in TYPES_AND_OPERATIONS[::3]}.values()]
)
def test_arithmetic_of_all_types(type_: str, name: str):
    x = operands(type_, name, 96)
    chosen = np.random.default_rng(1).integers(0, 2, 96, np.int32)
    wanted = wanted_arithmetic(type_, name, sub_groups(96, 48), x, chosen)
    for device, launch in everywhere(arithmetic(type_, name)):
        out = np.zeros_like(wanted)
        launch(96, 48)(out, x, chosen)
        np.testing.assert_array_equal(out, wanted, device)


@pytest.mark.parametrize(("size", "local"), SHAPES)
def test_arithmetic_in_all_shapes(size: Any, local: Any):
    n = count(size)
    rng = np.random.default_rng(2)
    x = operands("int", "add", n)
    launches = list(everywhere(arithmetic("int", "add"), [mapping_of((size, local))]))
    for chosen in (rng.integers(0, 2, n), np.ones(n), np.arange(n) % 32 == 5, np.arange(n) % 32 < 9):
        chosen = chosen.astype(np.int32)
        wanted = wanted_arithmetic("int", "add", sub_groups(size, local), x, chosen)
        for device, launch in launches:
            out = np.zeros_like(wanted)
            launch(size, local)(out, x, chosen)
            np.testing.assert_array_equal(out, wanted, device)


@pytest.mark.parametrize(("size", "local"), [(64, 64), (48, 48), (70, 48)] if ALL else [(48, 48)])
def test_sums_that_are_rounded_are_the_same_everywhere(size: int, local: int):
    """They depend on the values that take part, in order, and not on where these are."""
    rng = np.random.default_rng(3)
    x = (rng.random(size) - 0.5).astype(np.float32) * np.float32(10) ** rng.integers(-6, 6, size).astype(np.float32)
    chosen = rng.integers(0, 2, size, np.int32)
    found: set[bytes] = set()
    for _, launch in everywhere(arithmetic("float", "add"), ("lanes:16x2", "lanes:4x8")):
        out = np.zeros((size, 7), np.float32)
        launch(size, local)(out, x, chosen)
        found.add(out.tobytes())
    assert len(found) == 1
    for group in sub_groups(size, local):
        sums = [x[group.items].sum(dtype=np.float64), x[group.items][chosen[group.items] != 0].sum(dtype=np.float64)]
        rounding = np.abs(x[group.items]).sum() * 5 * np.finfo(np.float32).eps
        assert abs(out[group.items[0], 0] - sums[0]) <= rounding
        for item in group.items:
            if chosen[item]:
                assert abs(out[item, 3] - sums[1]) <= rounding
    packed = np.zeros(64, np.float32)
    first = [item for item in range(32) if chosen[item]]
    packed[: len(first)] = x[first]
    again = np.zeros((64, 7), np.float32)
    compiled(arithmetic("float", "add"))["k"].ndrange(64, 64)(again, packed, (np.arange(64) < len(first)).astype("i4"))
    assert (again[: len(first), 3:6] == out[first, 3:6]).all()


# -- votes and ballots -------------------------------------------------------------------------------------------------

VOTES = """
kernel void k(global int *out, global const int *in, global const int *chosen) {
    int x = in[AT];
    out += 20 * AT;
    out[0] = sub_group_all(x % 4) != 0;
    out[1] = sub_group_any(x == 5) != 0;
    if (chosen[AT]) {
        uint4 b = sub_group_ballot(x & 2);
        out[2] = sub_group_elect() != 0;
        out[3] = sub_group_non_uniform_all(x % 4) != 0;
        out[4] = sub_group_non_uniform_any(x == 5) != 0;
        out[5] = sub_group_non_uniform_all_equal(x / 32) != 0;
        out[6] = b.x;
        out[7] = b.y | b.z | b.w;
        out[8] = sub_group_inverse_ballot(b) != 0;
        out[9] = sub_group_ballot_bit_extract(b, x % get_sub_group_size()) != 0;
        out[10] = sub_group_ballot_bit_count(b | (uint4)(0, 1, 1, 1));
        out[11] = sub_group_ballot_inclusive_scan(b);
        out[12] = sub_group_ballot_exclusive_scan(b);
        if (b.x) out[13] = sub_group_ballot_find_lsb(b), out[14] = sub_group_ballot_find_msb(b);
        out[15] = get_sub_group_eq_mask().x;
        out[16] = get_sub_group_ge_mask().x;
        out[17] = get_sub_group_gt_mask().x;
        out[18] = get_sub_group_le_mask().x;
        out[19] = get_sub_group_lt_mask().x;
    }
}
"""


LOW = (1 << 32) - 1
"""The bits of the first component of a ballot."""


def wanted_votes(group: SubGroup, x: Array, chosen: Array) -> Iterator[tuple[int, list[int]]]:
    values = x[group.items].tolist()
    active = [own for own, item in enumerate(group.items) if chosen[item]]
    there = [values[own] for own in active]
    ballot = [own for own in active if values[own] & 2]
    whole = bits(range(group.greatest))
    for own, item in enumerate(group.items):
        row = [0] * 20
        row[:2] = all(v % 4 for v in values), 5 in values
        if chosen[item]:
            row[2:6] = own == active[0], all(v % 4 for v in there), 5 in there, len({v // 32 for v in there}) == 1
            row[6:8] = bits(ballot) & LOW, bits(ballot) >> 32
            row[8:10] = own in ballot, values[own] % len(values) in ballot
            row[10:13] = len(ballot), sum(b <= own for b in ballot), sum(b < own for b in ballot)
            row[13:15] = (ballot[0], ballot[-1]) if ballot else (0, 0)
            le, lt = bits(range(own + 1)), bits(range(own))
            row[15:20] = (mask & LOW for mask in (1 << own, whole & ~lt, whole & ~le, le, lt))
        yield item, [int(v) for v in row]


@pytest.mark.parametrize(("size", "local"), SHAPES)
def test_votes_and_ballots(size: Any, local: Any):
    n = count(size)
    rng = np.random.default_rng(4)
    launches = list(everywhere(VOTES))
    any_values = rng.integers(0, 64, n, np.int32)
    alike = any_values % 8 * 4 + 1
    for x, active in ((any_values, rng.integers(0, 2, n)), (any_values, np.ones(n)), (alike, np.arange(n) % 3)):
        chosen = active.astype(np.int32)
        wanted = np.zeros((n, 20), np.uint32)
        for group in sub_groups(size, local):
            for item, row in wanted_votes(group, x, chosen):
                wanted[item] = row
        for device, launch in launches:
            out = np.zeros((n, 20), np.int32)
            launch(size, local)(out, x, chosen)
            np.testing.assert_array_equal(out.view(np.uint32), wanted, device)


# -- from one work-item to another -------------------------------------------------------------------------------------

SHUFFLES = """
kernel void k(global TYPE *out, global const TYPE *in, global const uint *ids, global const int *chosen,
              global const uint *known, uint by, int delta) {
    TYPE x = in[AT], y[12];
    uint id = ids[AT];
    y[0] = sub_group_broadcast(x, by % get_sub_group_size());
    if (chosen[AT]) {
        y[1] = sub_group_non_uniform_broadcast(x, by);
        y[2] = sub_group_broadcast_first(x);
        y[3] = sub_group_shuffle(x, id);
        y[4] = sub_group_shuffle_xor(x, by);
        y[5] = sub_group_shuffle_xor(x, 1);
        y[6] = sub_group_shuffle_up(x, id);
        y[7] = sub_group_shuffle_up(x, 1);
        y[8] = sub_group_shuffle_down(x, id);
        y[9] = sub_group_shuffle_down(x, 3);
        y[10] = sub_group_rotate(x, delta);
        y[11] = sub_group_clustered_rotate(x, delta, 4);
    }
    for (int i = 0; i < 12; ++i)
        if (known[AT] >> i & 1) out[12 * AT + i] = y[i];
}
"""


def sources(group: SubGroup, own: int, first: int, id_: int, by: int, delta: int) -> list[int]:
    """The id whose value each function of SHUFFLES gives."""
    return [
        by % len(group.items), by, first, id_, own ^ by, own ^ 1, own - id_, own - 1, own + id_, own + 3,
        (own + delta) % group.greatest, own // 4 * 4 + (own % 4 + delta) % 4,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("type_", "size", "local"),
    [
        *((t, 96, 48) for t in list(DTYPES)[:: 1 if ALL else 3]),
        *(("int", *s) for s in (SHAPES if ALL else LAUNCHES[2::3])),
    ],
)
def test_shuffles(type_: str, size: Any, local: Any):
    n = count(size)
    rng = np.random.default_rng(5)
    x = np.frombuffer(rng.bytes(n * 8), DTYPES[type_])[:n]
    x = np.where(np.isnan(x), 1, x).astype(x.dtype) if x.dtype.kind == "f" else x
    ids = rng.integers(0, 32, n, np.uint32)
    mapping = mapping_of((size, local)) if type_ == "int" and local != 48 else "auto"
    launches = list(everywhere(SHUFFLES.replace("TYPE", type_), [mapping]))
    for chosen, by, delta in ((rng.integers(0, 4, n), 5, -7), (np.ones(n), 17, 37)):
        chosen = chosen.astype(np.int32)
        wanted, known = np.zeros((n, 12), x.dtype), np.zeros(n, np.uint32)
        for group in sub_groups(size, local):
            active = [own for own, item in enumerate(group.items) if chosen[item]]
            for own, item in enumerate(group.items):
                of = sources(group, own, active[0] if active else 0, int(ids[item]), by, delta)
                for at, source in enumerate(of if chosen[item] else of[:1]):
                    if at == 0 or source in active:
                        known[item] |= np.uint32(1 << at)
                        wanted[item, at] = x[group.items[source]]
        for device, launch in launches:
            out = np.zeros_like(wanted)
            launch(size, local)(out, x, ids, chosen, known, by, delta)
            np.testing.assert_array_equal(out, wanted, device)


VECTORS = """
kernel void k(global TYPE *out, global const TYPE *in) {
    TYPE x = in[AT], y = x + (TYPE)1;
    out += 8 * AT;
    out[0] = sub_group_broadcast(x, 3);
    out[1] = y;
    if (get_sub_group_local_id() != 4) out[1] = sub_group_non_uniform_broadcast(x, 6);
    out[2] = intel_sub_group_shuffle(x, 31 - get_sub_group_local_id());
    out[3] = intel_sub_group_shuffle_xor(x, 9);
    out[4] = intel_sub_group_shuffle_down(x, y, 5);
    out[5] = intel_sub_group_shuffle_up(x, y, 5);
    out[6] = intel_sub_group_shuffle_down(x, y, 0);
    out[7] = intel_sub_group_shuffle_up(x, y, 32);
}
"""


@pytest.mark.parametrize(("type_", "width"), list(zip(("int", "float", "uint") * 2, WIDTHS, strict=True)))
def test_vectors(type_: str, width: int):
    name = type_ if width == 1 else f"{type_}{width}"
    stride = 4 if width == 3 else width
    x: Array = aligned((64, stride), type_)
    x[:] = np.arange(64 * stride).reshape(64, stride)
    row = np.concatenate([x.reshape(2, 32, stride), x.reshape(2, 32, stride) + 1], axis=1)
    ids = np.arange(32)
    kept = np.where(ids[:, None] == 4, row[:, 36, None], row[:, 6, None])
    wanted = np.stack([
        np.broadcast_to(row[:, 3, None], kept.shape), kept, row[:, 31 - ids], row[:, ids ^ 9], row[:, ids + 5],
        row[:, 32 + ids - 5], row[:, ids], row[:, ids],
    ], axis=2)  # fmt: skip
    for device, launch in everywhere(VECTORS.replace("TYPE", name)):
        out = aligned((64, 8, stride), type_)
        launch(64, 64)(out, x)
        np.testing.assert_array_equal(out[..., :width], wanted.reshape(64, 8, stride)[..., :width], device)


def test_blocks():
    text = """
    kernel void k(global uint *out, global const uint *in) {
        uint first = 15 * 32 * get_sub_group_id();
        intel_sub_group_block_write(out + first, intel_sub_group_block_read(in + first));
        intel_sub_group_block_write2(out + first + 32, intel_sub_group_block_read2(in + first + 32) + 1);
        intel_sub_group_block_write4(out + first + 96, intel_sub_group_block_read4(in + first + 96).wzyx);
        uint8 x = intel_sub_group_block_read8(in + first + 224);
        intel_sub_group_block_write8(out + first + 224, x.s76543210);
    }
    """
    x = np.arange(64 * 15, dtype=np.uint32)
    rows = x.reshape(2, 15, 32)
    wanted = np.concatenate([rows[:, :1], rows[:, 1:3] + 1, rows[:, 6:2:-1], rows[:, 14:6:-1]], axis=1)
    for device, launch in everywhere(text):
        out = np.zeros_like(x)
        launch(64, 64)(out, x)
        np.testing.assert_array_equal(out.reshape(rows.shape), wanted, device)


# -- control flow ------------------------------------------------------------------------------------------------------

FLOWS = """
kernel void k(global int *out, global const int *in) {
    int x = in[AT], last = 0, k;
    out += 10 * AT;
    if (x & 1) out[0] = sub_group_non_uniform_reduce_add(x);
    else out[0] = sub_group_non_uniform_reduce_max(x);
    out[1] = sub_group_non_uniform_reduce_add(x);
    for (k = 0; k < x % 5; ++k)
        if ((x >> k) & 1) last = 3 * last + sub_group_non_uniform_reduce_add(x + k);
    out[2] = last;
    out[3] = sub_group_non_uniform_scan_inclusive_add(k);
    for (k = 0, last = 0; k < 4; ++k) {
        last = 2 * last + sub_group_non_uniform_reduce_add(x + k);
        if ((x + k) % 3 == 0) last += sub_group_non_uniform_reduce_add(last % 100);
    }
    out[4] = last;
    switch (x % 4) {
    case 0: out[5] = sub_group_elect(); break;
    case 1: out[5] = 10;
    case 2: out[5] += sub_group_non_uniform_scan_exclusive_add(x); break;
    }
    out[6] = sub_group_reduce_add(x);
    if (x % 7 == 0) return;
    out[7] = sub_group_non_uniform_reduce_add(x);
    out[8] = sub_group_reduce_add(x);
    out[9] = sub_group_scan_exclusive_add(x);
}
"""


def among(values: Array, active: Array, name: str = "add", place: int = 0) -> Array:
    """For each active work-item its reduction (place 0) or scan; 0 for the others."""
    ids = np.flatnonzero(active).tolist()
    found = reductions(name, "int", values.astype(np.int32), ids, 32)
    return np.array([found[i][place] if i in found else 0 for i in range(values.size)], np.int32)


def wanted_of_flows(x: Array) -> Array:
    every, odd = np.ones(x.size, bool), x % 2 == 1
    rows = [among(x, odd) + among(x, ~odd, "max"), among(x, every)]
    last = np.zeros_like(x)
    for k in range(5):
        takes = (k < x % 5) & (x >> k & 1 == 1)
        last = np.where(takes, 3 * last + among(x + k, takes), last)
    rows += [last, among(x % 5, every, place=1)]
    last = np.zeros_like(x)
    for k in range(4):
        last = 2 * last + among(x + k, every)
        takes = (x + k) % 3 == 0
        last = last + among(np.fmod(last, 100), takes)
    first = np.zeros_like(x)
    first[np.flatnonzero(x % 4 == 0)[:1]] = 1
    in_two = (x % 4 == 1) | (x % 4 == 2)
    rows += [last, first + np.where(x % 4 == 1, 10, 0) + among(x, in_two, place=2), among(x, every)]
    stays = x % 7 != 0
    rows += [among(x, stays), among(x, stays), among(x, stays, place=2)]
    return np.stack(rows, axis=1)


@pytest.mark.parametrize(
    ("local", "mapping"), list(zip((32, 48, 64, 7), (*MAPPINGS, "auto"), strict=True))[:: 1 if ALL else 2]
)
def test_divergent_flows(local: int, mapping: str):
    x = np.random.default_rng(6).integers(0, 1000, 2 * local, np.int32)
    wanted = np.zeros((2 * local, 10), np.int32)
    for group in sub_groups(2 * local, local):
        wanted[group.items] = wanted_of_flows(x[group.items])
    for device, launch in everywhere(FLOWS, [mapping]):
        out = np.zeros_like(wanted)
        launch(2 * local, local)(out, x)
        np.testing.assert_array_equal(out, wanted, device)


def test_the_barrier_of_one_sub_group():
    text = """
    kernel void k(global int *out, global const int *in, local int *tile) {
        int i = get_local_id(0);
        tile[i] = in[i];
        if (get_sub_group_id() != 1) {
            sub_group_barrier(CLK_LOCAL_MEM_FENCE);
            out[i] = tile[i ^ 1];
            SCOPED;
            tile[i] = 2 * out[i];
            sub_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            out[i] += tile[i ^ 3];
        }
    }
    """
    x = np.arange(96, dtype=np.int32) ** 2
    once = x[np.arange(96) ^ 1]
    wanted = np.where(np.arange(96) // 32 == 1, 0, once + 2 * once[np.arange(96) ^ 3])
    scoped = "sub_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group)"
    plain, of_device = "sub_group_barrier(CLK_LOCAL_MEM_FENCE)", scoped.replace("work_group", "device")
    for standard, barrier in (("CL1.2", plain), ("CL2.0", scoped), ("CL2.0", of_device)):
        module = compiled(text.replace("SCOPED", barrier), options=f"-cl-std={standard}")
        for device in DEVICES:
            out = np.zeros_like(x)
            module["k"].ndrange(96, 96, device=device)(out, x, lw.local(4 * 96))
            np.testing.assert_array_equal(out, wanted, device)


# -- programs as a whole -----------------------------------------------------------------------------------------------

EXTENSIONS = (
    "cl_khr_subgroups", "cl_khr_subgroup_extended_types", "cl_khr_subgroup_ballot", "cl_khr_subgroup_non_uniform_vote",
    "cl_khr_subgroup_non_uniform_arithmetic", "cl_khr_subgroup_shuffle", "cl_khr_subgroup_shuffle_relative",
    "cl_khr_subgroup_clustered_reduce", "cl_khr_subgroup_rotate", "cl_intel_subgroups",
)  # fmt: skip


@pytest.mark.parametrize("standard", ["CL1.2", "CL2.0", "CL3.0"])
def test_extensions_are_there(standard: str):
    text = "".join(
        f"#ifndef {name}\n#error no {name}\n#endif\n#pragma OPENCL EXTENSION {name} : enable\n" for name in EXTENSIONS
    )
    module = compiled(text + "kernel void k(global int *p) { *p = sub_group_any(1); }", options=f"-cl-std={standard}")
    assert module.warnings == ()


def test_a_header_may_name_intels_functions(tmp_path: Path):
    (tmp_path / "first.h").write_text("#define FIRST(x) intel_sub_group_shuffle(x, 0)\n")
    text = '#include "first.h"\nkernel void k(global int *p) { p[AT] = FIRST(p[AT]); }'
    p = np.arange(5, 37, dtype=np.int32)
    compiled(text, include_dirs=[tmp_path])["k"].ndrange(32, 32)(p)
    assert (p == 5).all()


def test_sub_groups_run_in_lock_step():
    kernel = compiled(arithmetic("int", "add"))["k"]
    regions = [remark for remark in kernel.remarks(64) if " lanes" in remark]
    assert regions
    assert all("a warp at a time" in remark for remark in regions)


PTX = arithmetic("double", "min") + VOTES.replace("void k", "void votes") + SHUFFLES.replace("TYPE", "half").replace(
    "void k", "void shuffles"
)  # fmt: skip


def test_ptx_has_operations_of_the_warp():
    text = compiled(PTX).ptx()
    for instruction in ("shfl.sync.idx", "shfl.sync.up", "shfl.sync.down", "shfl.sync.bfly", "vote.sync.ballot",
                        "vote.sync.all", "activemask"):  # fmt: skip
        assert instruction in text
    assert not re.search(r"call\.uni", text)


@pytest.mark.skipif(shutil.which("ptxas") is None, reason="ptxas is not on the PATH: its check of our PTX is left out")
def test_ptxas_takes_it(tmp_path: Path):
    (tmp_path / "k.ptx").write_text(compiled(PTX).ptx(arch="sm_80"))
    command = ["ptxas", "-arch=sm_80", str(tmp_path / "k.ptx"), "-o", str(tmp_path / "k.cubin")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


TURNS = """
__kernel void turns(__global int *out, volatile __global atomic_int *turn) {
    int behind = get_num_sub_groups() - 1 - get_sub_group_id();
    while (atomic_load_explicit(turn, memory_order_acquire, memory_scope_device) != behind) ;
    out[get_global_id(0)] = behind;
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_sub_group_local_id() == 0)
        atomic_fetch_add_explicit(turn, 1, memory_order_release, memory_scope_device);
}
"""


def test_a_sub_group_may_wait_for_a_later_one():
    """CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, which the platform says."""
    out, turn = np.zeros(128, np.int32), np.zeros(1, np.int32)
    kernel = lw.compile(TURNS, language="opencl", options="-cl-std=CL3.0")["turns"]
    kernel.launch(1, 128, (out, turn), device="cpu", timeout=30)
    assert turn[0] == 4
    assert out.tolist() == np.repeat([3, 2, 1, 0], 32).tolist()
