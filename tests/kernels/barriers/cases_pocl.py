# SPDX-License-Identifier: Apache-2.0
"""Expectations of the classes of control flow that pocl once got wrong, by its issues' numbers (`pocl_classes.cu`)."""

import numpy as np

from ..case import Arguments, Launch, Table, in_and_out, one_a_group, with_more
from .expectations import Rows, after, each_group, inputs, items, mirrored

TABLE = Table(__file__)


def _conditions_in_nested_loops(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    s = np.zeros_like(v)
    a, b = given["a"], given["b"]
    for i in range(given["outer"]):
        for j in range(given["inner"]):
            v = v * 3 + i
            if b > a:
                s = v
            if a > 0:
                v = v + after(s)
            v = v ^ j
    if a > 0:
        v = v + mirrored(v)
    return {"out": v}


@TABLE.case("pocl_classes.cu", with_more(outer=2, inner=3, a=1, b=2), kernel="conditions_in_nested_loops")
def both_conditions_in_nested_loops(launch: Launch, given: Arguments):
    return _conditions_in_nested_loops(launch, given)


@TABLE.case("pocl_classes.cu", with_more(outer=3, inner=2, a=0, b=2), kernel="conditions_in_nested_loops")
def one_condition_in_nested_loops(launch: Launch, given: Arguments):
    return _conditions_in_nested_loops(launch, given)


@TABLE.case("pocl_classes.cu", with_more(flags=one_a_group(3)))
def every_way_to_the_latch_waits(launch: Launch, given: Arguments):
    def group(index: int, v: Rows) -> Rows:
        for r in range(5):
            way = (r + given["flags"][index]) % 3
            v = v + after(v) if way == 0 else v ^ after(v) if way == 1 else after(v)
        return v

    return {"out": each_group(launch, given, group)}


@TABLE.case("pocl_classes.cu", in_and_out)
def arm_that_never_ends(launch: Launch, given: Arguments):
    return {"out": inputs(launch, given) + 100 * (items(launch) % 36) + 10}


@TABLE.case("pocl_classes.cu", with_more(limit=9))
def guard_inside_a_condition(launch: Launch, given: Arguments):
    v, t = inputs(launch, given), items(launch)
    partial = mirrored(v) + v[:, t[0] // 2]
    s = np.where(t % 4 == 0, partial, v)
    return {"out": np.where((t % 4 == 0) & (t // 4 >= given["limit"]), 7, s + partial)}


@TABLE.case("pocl_classes.cu", with_more(rounds=4))
def skips_a_loop_behind_a_barrier(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    for _ in range(given["rounds"]):
        s, takes_it, trip = v, v % 3 != 0, np.zeros_like(v)
        while (going := takes_it & (trip < v % 5)).any():
            # The length is computed anew in each round, from what the round before has made of v.
            place = (items(launch) + trip) % launch.items
            v = np.where(going, v * 7 + np.take_along_axis(s, place.astype(np.int64), 1), v)
            takes_it, trip = going, trip + 1
    return {"out": v}


@TABLE.case("pocl_classes.cu", with_more(flags=one_a_group(4)))
def all_skip_a_loop_behind_a_barrier(launch: Launch, given: Arguments):
    def group(index: int, v: Rows) -> Rows:
        flag = int(given["flags"][index])
        for r in range(3):
            s = v
            if flag > r:
                for j in range(flag):
                    v = v * 7 + after(s, j)
        return v

    return {"out": each_group(launch, given, group)}


@TABLE.case("pocl_classes.cu", with_more(limit=5000))
def return_that_none_takes(launch: Launch, given: Arguments):
    return {"out": given["in"] + np.arange(launch.size, dtype=np.uint32) + 1}


@TABLE.case("pocl_classes.cu", with_more(count=20), kernel="shared_between_versions")
def shared_between_versions(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    live = items(launch) < given["count"]
    votes = (mirrored(v) % 4 * live).sum(1, keepdims=True, dtype=np.uint32)
    return {"out": np.where(live, votes * 8 + (v & 1 & live).sum(1, keepdims=True, dtype=np.uint32), 0)}


@TABLE.case("pocl_classes.cu", with_more(size=lambda launch, rng: launch.size))
def bounds_checks_around_barriers(launch: Launch, given: Arguments):
    return {"out": mirrored(inputs(launch, given)) + items(launch)}


@TABLE.case("pocl_classes.cu", in_and_out)
def first_one_before_and_behind(launch: Launch, given: Arguments):
    first = inputs(launch, given)[:, :1]
    return {"out": (items(launch) + 1 + first + 1) * 2 + first + 1 + items(launch)}


@TABLE.case("pocl_classes.cu", in_and_out)
def barrier_in_the_round_of_all(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    s, going = v, np.ones_like(v, bool)
    for r in range(200):
        going = going & (r < 1 + v % 4)
        v = np.where(going, v * 5 + after(s, r) % 4 * 4, v)
    return {"out": v}


@TABLE.case("pocl_classes.cu", in_and_out)
def private_array_in_rounds(launch: Launch, given: Arguments):
    v, t = inputs(launch, given), items(launch)
    sums = np.stack([(v + k * t).sum(1, dtype=np.uint32) for k in range(8)], 1)
    # Place 3 is read, and then moved on, in the one round j for which (j + t) % 8 is 3.
    return {"out": sums[:, t[0] % 8] + v + 3 * t + (3 - t) % 8}


@TABLE.case("pocl_classes.cu", in_and_out)
def compare_and_swap_loops(launch: Launch, given: Arguments):
    total = 3 + (inputs(launch, given) % 8).sum(1, keepdims=True, dtype=np.uint32)
    return {"out": np.broadcast_to(total * 2 + launch.items, (launch.groups, launch.items))}


@TABLE.case("pocl_classes.cu", with_more(flags=one_a_group(2)))
def two_ways_to_the_latch(launch: Launch, given: Arguments):
    def group(index: int, v: Rows) -> Rows:
        for left in range(5, -1, -1):
            v = v + left
            if (left + given["flags"][index]) % 2 == 0:
                v = v ^ after(v)
        return v

    return {"out": each_group(launch, given, group)}


@TABLE.case("pocl_classes.cu", with_more(rounds=6, a=1, b=3))
def condition_of_two_parts(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    for r in range(given["rounds"]):
        s, both = v, r > given["a"] and r != given["b"]
        v = v * 3 + r
        if both:
            v = v + mirrored(s)
    return {"out": v}


@TABLE.case("pocl_classes.cu", with_more(extents=np.array([2, 3, 2], np.int32)))
def loop_over_three_extents(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    width, height, depth = given["extents"]
    for z, y, x in np.ndindex(depth, height, width):
        if (x + y + z) % 2:
            v = v + after(v, x + 1) + y
    return {"out": v}


@TABLE.case("pocl_classes.cu", with_more(mask=0xA6D5))
def many_conditional_barriers(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    s = v
    for bit in range(16):
        if given["mask"] >> bit & 1:
            v = s = v + after(s, bit)
        else:
            v = v ^ bit
    return {"out": v}


@TABLE.case("pocl_classes.cu", in_and_out)
def comb_sort(launch: Launch, given: Arguments):
    return {"out": np.sort(inputs(launch, given) % 1000, axis=1)}


@TABLE.case("pocl_classes.cu", with_more(rounds=one_a_group(4)))
def one_of_three_loops_waits(launch: Launch, given: Arguments):
    def alone(v: Rows, modulus: int, factor: int) -> Rows:
        going = np.ones_like(v, bool)
        for j in range(modulus):
            going = going & (j < v % modulus)
            v = np.where(going, v * factor + j, v)
        return v

    def group(index: int, v: Rows) -> Rows:
        v = alone(v, 4, 3)
        for r in range(given["rounds"][index]):
            v = v + after(v, r)
        return alone(v, 6, 5)

    return {"out": each_group(launch, given, group)}


@TABLE.case("pocl_classes.cu", with_more(limit=5))
def several_ends(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    return {"out": np.where(v % 3 == 0, 0, np.where(v % 3 == 1, v + given["limit"], v))}


@TABLE.case("pocl_classes.cu", with_more(rows=5, tiles=3))
def rounds_within_tiles(launch: Launch, given: Arguments):
    rows = min(given["rows"], launch.items)
    v = np.zeros((launch.groups, launch.items), np.uint32)
    for tile in range(given["tiles"]):
        s = inputs(launch, given)[:, :rows] + tile
        for k in range(rows):
            s[:, k + 1 :] += s[:, k : k + 1]
        v[:, :rows] = v[:, :rows] * 3 + s
    return {"out": v}
