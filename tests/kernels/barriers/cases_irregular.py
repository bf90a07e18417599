# SPDX-License-Identifier: Apache-2.0
"""Expectations of loops around barriers that no compiler likes (`irregular.cu`)."""

import numpy as np

from ..case import Arguments, Launch, Table, in_and_out, one_a_group, with_more
from .expectations import Rows, after, each_group, inputs, mirrored

TABLE = Table(__file__)


@TABLE.case("irregular.cu", with_more(rounds=4))
def first_round_has_none(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    for r in range(given["rounds"]):
        v = (v + after(v) if r else v) * 3 + r
    return {"out": v}


@TABLE.case("irregular.cu", with_more(rounds=4))
def last_round_has_none(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    for r in range(given["rounds"]):
        v = v * 3 + r
        if r + 1 < given["rounds"]:
            v = v + mirrored(v)
    return {"out": v}


@TABLE.case("irregular.cu", in_and_out)
def each_counts_the_rounds(launch: Launch, given: Arguments):
    def group(index: int, v: Rows) -> Rows:
        rounds = int((v % 4).max())
        for _ in range(rounds):
            v = v * 3 + after(v)
        return v + rounds

    return {"out": each_group(launch, given, group)}


@TABLE.case("irregular.cu", with_more(rounds=3))
def each_counts_the_inner_rounds(launch: Launch, given: Arguments):
    def group(index: int, v: Rows) -> Rows:
        for _ in range(given["rounds"]):
            for j in range(int(v.min()) % 3):
                v = v ^ mirrored(v + j) << 1
            v = v + 7
        return v

    return {"out": each_group(launch, given, group)}


@TABLE.case("irregular.cu", with_more(flags=one_a_group(5)))
def three_back_edges(launch: Launch, given: Arguments):
    def group(index: int, v: Rows) -> Rows:
        for r in range(given["flags"][index] + 1, 10):
            if r % 3 == 0:
                v = v + after(v)
                continue
            v = v ^ mirrored(v)
            if r % 3 == 2:
                v = after(v * 5, 2)
        return v

    return {"out": each_group(launch, given, group)}


@TABLE.case("irregular.cu", with_more(inner=3, outer=2))
def loops_with_one_head(launch: Launch, given: Arguments):
    v, i = inputs(launch, given), 0
    for j in range(given["outer"]):
        for _ in range(given["inner"]):
            v = v * 3 + after(v + i, j)
            i += 1
        v = v ^ 0x55
    return {"out": v + i}


@TABLE.case("irregular.cu", with_more(flags=one_a_group(8)))
def loop_with_four_entries(launch: Launch, given: Arguments):
    def group(index: int, v: Rows) -> Rows:
        s, entry = v, given["flags"][index] % 4
        for _ in range(3):
            if entry <= 0:
                v = v + after(s)
                s = v
            if entry <= 1:
                v = v ^ 3
            if entry <= 2:
                v = v + mirrored(s)
            s, entry = v, 0
        return v

    return {"out": each_group(launch, given, group)}


@TABLE.case("irregular.cu", with_more(flags=one_a_group(2)))
def loops_into_each_other(launch: Launch, given: Arguments):
    def group(index: int, v: Rows) -> Rows:
        second = given["flags"][index] % 2 == 1
        for left in range(7, -1, -1):
            if second:
                v = v ^ mirrored(v * 3)
                second = left % 2 == 1
            else:
                v = v + after(v)
                second = left % 3 == 0
        return v

    return {"out": each_group(launch, given, group)}


@TABLE.case("irregular.cu", with_more(rounds=3))
def machines_between_barriers(launch: Launch, given: Arguments):
    def machine(v: int) -> tuple[int, int]:
        state, steps = v % 4, 0
        while state != 3 and steps < 10:
            if state == 0:
                v = (v * 3 + 1) % (1 << 32)
                state = v % 3
            else:
                v >>= state == 1
                state = (v ^ steps) % 4
            steps += 1
        return v, steps

    v = inputs(launch, given)
    for _ in range(given["rounds"]):
        pairs = np.array([machine(int(value)) for value in v.flat], np.uint32).reshape(*v.shape, 2)
        v = pairs[..., 0] ^ after(pairs[..., 0] + pairs[..., 1])
    return {"out": v}


@TABLE.case("irregular.cu", with_more(rounds=3))
def return_from_a_divergent_loop(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    out, live, seen = np.zeros_like(v), np.ones_like(v, bool), np.zeros((launch.groups, 1), np.uint32)
    for _ in range(given["rounds"]):
        going = live
        for j in range(5):
            going = going & (j < v % 5)
            leaves = going & ((v + j) % 11 == 0)
            out[leaves] = 1000 + j
            live, going = live & ~leaves, going & ~leaves
            v = np.where(going, v * 3 + j, v)
        seen = seen * 7 + (v & 1 & live).sum(1, keepdims=True, dtype=np.uint32)
    return {"out": np.where(live, v + seen, out)}


@TABLE.case("irregular.cu", with_more(rounds=3))
def helper_with_early_returns(launch: Launch, given: Arguments):
    def leaves_early(v: Rows) -> Rows:
        out, live = v.copy(), np.ones_like(v, bool)
        for j in range(8):
            odd = live & (v % 2 == 1)
            out[odd] = v[odd] + j
            live = live & ~odd
            v = np.where(v % 4 == 2, v + 6, v // 2 + 1)
        return np.where(live, v, out)

    v = inputs(launch, given)
    for r in range(given["rounds"]):
        v = v * 2 + leaves_early(after(leaves_early(v)) + r)
    return {"out": v}


@TABLE.case("irregular.cu", with_more(flags=one_a_group(4)))
def one_loop_or_the_other(launch: Launch, given: Arguments):
    def group(index: int, v: Rows) -> Rows:
        flag = int(given["flags"][index])
        if flag % 2:
            for r in range(flag + 1):
                v = v + after(v, r)
            rounds = np.full_like(v, flag + 1)
        else:
            rounds, going = np.zeros_like(v), np.ones_like(v, bool)
            for r in range(4):
                going = going & (r < v % 4)
                v, rounds = np.where(going, v * 3 + r, v), rounds + going
        return mirrored(v + rounds) + rounds

    return {"out": each_group(launch, given, group)}
