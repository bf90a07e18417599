# SPDX-License-Identifier: Apache-2.0
"""Expectations of what lives across barriers: private and uniform values, and shared memory in its forms."""

import numpy as np

from ..case import Arguments, Launch, MakeArguments, Table, in_and_out, integers, with_more
from .expectations import Rows, after, each_group, inputs, items, mirrored

TABLE = Table(__file__)


def _out_of(dtype: type) -> MakeArguments:
    """Arguments with results of another type than the inputs'."""

    def arguments(launch: Launch, rng: np.random.Generator) -> Arguments:
        return {"out": np.zeros(launch.size, dtype), "in": integers(rng, launch.size)}

    return arguments


@TABLE.case("private_state.cu", in_and_out)
def array_with_dynamic_index(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    t = np.broadcast_to(items(launch), v.shape)
    mine = v[..., None] + np.arange(8, dtype=np.uint32) ** 2
    rows, columns = np.indices(v.shape)
    stored = after(mine[rows, columns, t % 8])
    mine[rows, columns, stored % 8] += stored
    total = mirrored(mine[rows, columns, (t + 3) % 8])
    for i in range(8):
        total = total * 3 + mine[:, :, i]
    return {"out": total}


@TABLE.case("private_state.cu", _out_of(np.float64))
def struct_across_barriers(launch: Launch, given: Arguments):
    v = inputs(launch, given).astype(np.int64) % 1024
    position = np.stack([v * 0.5, v * 0.25, v * 2.0], axis=-1)
    tag, mass = v % 256, v + 0.125
    hits = v + after(tag)
    rows, columns = np.indices(v.shape)
    position[rows, columns, after(v) % 3] += np.roll(position, -1, axis=1)[rows, columns, tag % 3]
    mass = mass + mirrored(mass)
    return {"out": position @ [1.0, 3.0, 5.0] + 7.0 * hits + 11.0 * mass}


@TABLE.case("private_state.cu", in_and_out)
def address_of_private(launch: Launch, given: Arguments):
    a = inputs(launch, given)
    b, odd = a * 3, a % 2 == 1
    next_one = after(np.where(odd, a, b))
    a, b = np.where(odd, a + next_one, a), np.where(odd, b, b + next_one)
    return {"out": np.where(odd, a, b) + a * 5 + b * 7 + (a ^ b)[:, :1]}


@TABLE.case("private_state.cu", in_and_out)
def generic_pointer(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    place = items(launch) % 3
    mine, s = v + 1000 + 5 * (place == 0), 2 * (v + 1000) + 5 * (place == 1)
    v = v + 5 * (place == 2).astype(np.uint32)
    return {"in": v, "out": mine + 3 * s + 7 * v}


@TABLE.case("private_state.cu", in_and_out)
def many_live_values(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    a, b, c, d, e, f = v + 1, v * 3, v ^ 5, v >> 1, ~v, v * v
    g = after(a)
    h, i = g ^ a, g * b
    j = mirrored(h) + c
    k = j * d
    m = k - e
    live = [a, b, c, d, e, f, g, h, i, j, k, m, after(m, 2)]
    return {"out": sum(factor * value for factor, value in enumerate(live, 1))}


@TABLE.case("private_state.cu", _out_of(np.float64))
def all_types_live(launch: Launch, given: Arguments):
    v = inputs(launch, given).astype(np.int64)
    other = after(v)
    odd = other % 2 == 1
    flag = (v % 3 == 0) ^ odd
    tiny, small = v.astype(np.int8), (v >> 8).astype(np.uint16)
    large = np.where(odd, v * v >> 3, v * v) % 100003
    vector = v % 7 * 5.0 + (v % 11 + odd) * 17.0 + v % 13 * 19.0
    fixed = 2.0 * tiny + 3.0 * small + large + v % 4096 * 0.5 + v * 0.25 + v
    return {"out": flag + fixed + vector + mirrored(other)}


def _ten_out(launch: Launch, rng: np.random.Generator) -> Arguments:
    return {"out": np.zeros(10 * launch.size, np.uint32), "in": integers(rng, launch.size), "rounds": 7}


@TABLE.case("private_state.cu", _ten_out)
def array_filled_in_a_loop(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    history = np.zeros((*v.shape, 10), np.uint32)
    for r in range(given["rounds"]):
        history[:, :, r] = after(v, r)
        v = v + history[:, :, r // 2]
    return {"out": history}


@TABLE.case("private_state.cu", in_and_out)
def set_before_used_after(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    return {"out": after(v) + np.where(v % 2, v * 3, 0)}


def _with_cells(launch: Launch, rng: np.random.Generator) -> Arguments:
    return {
        "out": np.zeros(launch.size, np.uint32),
        "cells": integers(rng, launch.groups, 1000),
        "in": integers(rng, launch.size),
    }


@TABLE.case("uniform_values.cu", _with_cells)
def loaded_before_used_after(launch: Launch, given: Arguments):
    cells = given["cells"]

    def group(index: int, v: Rows) -> Rows:
        before = int(cells[index])
        return after(v, before) + (before * 4 + 1)

    return {"cells": cells + 1, "out": each_group(launch, given, group)}


@TABLE.case("uniform_values.cu", with_more(a=5, b=3))
def computed_from_group(launch: Launch, given: Arguments):
    def group(index: int, v: Rows) -> Rows:
        shift = (5 * index + 3) % launch.items
        return after(v, 2 * shift) * (index + 3) + shift

    return {"out": each_group(launch, given, group)}


@TABLE.case("uniform_values.cu", with_more(table=np.array([2, 3, 1, 0], np.int32), rounds=5))
def changes_every_round(launch: Launch, given: Arguments):
    def group(index: int, v: Rows) -> Rows:
        place = index % 4
        for _ in range(given["rounds"]):
            place = int(given["table"][place])
            v = v + after(v, place)
        return v * 10 + place

    return {"out": each_group(launch, given, group)}


@TABLE.case("uniform_values.cu", with_more(start=40))
def no_longer_uniform(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    value = 2 * (40 + np.arange(launch.groups, dtype=np.uint32))[:, None]
    value = np.where(v % 2, value * 2 + 1, value)
    return {"out": value + 5 * after(value)}


@TABLE.case("uniform_values.cu", in_and_out)
def counter_of_divergent_loop(launch: Launch, given: Arguments):
    count = inputs(launch, given) % 10
    return {"out": count * 100 + after(count)}


@TABLE.case("uniform_values.cu", lambda launch, rng: {"out": np.zeros(launch.size, np.uint32)})
def atomic_is_not_uniform(launch: Launch, given: Arguments):
    return {"out": np.full(launch.size, 1001)}


@TABLE.case("uniform_values.cu", in_and_out)
def one_cell_for_all(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    for writer in range(0, launch.items, 1 + launch.items // 5):
        v = v * 2 + v[:, writer : writer + 1]
    return {"out": v}


@TABLE.case("uniform_values.cu", lambda launch, rng: {"out": np.zeros(launch.size, np.uint32)})
def indices_across_barriers(launch: Launch, given: Arguments):
    def code(extents: tuple[int, ...], mirror: bool) -> Rows:
        axes = [np.arange(extent)[:: -1 if mirror else 1] for extent in (*extents, 1, 1)[:3]]
        x, y, z = np.meshgrid(*axes, indexing="ij")
        return (x + 10 * y + 100 * z).reshape(-1, order="F").astype(np.uint32)

    # A work-item's own code is up to three digits of several places each, so that they may carry into each other.
    return {"out": code(launch.block, True)[None, :] + 1000 * code(launch.grid, False)[:, None]}


@TABLE.case("shared_memory.cu", in_and_out, shared=lambda launch: 8 * launch.items)
def dynamic(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    return {"out": after(v) + 2 * after(v, 2)}


@TABLE.case("shared_memory.cu", _out_of(np.float64), shared=lambda launch: 9 * launch.items)
def carved(launch: Launch, given: Arguments):
    v = inputs(launch, given).astype(np.int64)
    return {"out": after(v) * 0.5 + mirrored(v % 256) + mirrored(v % 1000)}


@TABLE.case("shared_memory.cu", in_and_out)
def volatile_cells(launch: Launch, given: Arguments):
    return {"out": mirrored(2 * after(inputs(launch, given) + 1))}


@TABLE.case("shared_memory.cu", _out_of(np.int32))
def array_of_structs(launch: Launch, given: Arguments):
    v = inputs(launch, given) % 5000
    return {"out": after(v) + (v % 100).sum(axis=1, keepdims=True)}


@TABLE.case("shared_memory.cu", _out_of(np.float32))
def used_twice(launch: Launch, given: Arguments):
    return {"out": mirrored(after(inputs(launch, given) % 4096)) * np.float32(0.5)}


@TABLE.case("shared_memory.cu", with_more(rounds=3))
def pointers_swap(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    for _ in range(given["rounds"]):
        v = after(v) * 3 + v
    return {"out": v}


@TABLE.case("shared_memory.cu", in_and_out)
def sum_in_one_cell(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    total = v.sum(axis=1, keepdims=True, dtype=np.uint32)
    return {"out": np.broadcast_to(total ^ v.max(axis=1, keepdims=True), v.shape)}
