# SPDX-License-Identifier: Apache-2.0
"""Expectations of straight-line barriers, barriers in uniform conditions, and work-items that return early."""

from typing import Any

import numpy as np

from ..case import Arguments, Launch, Table, in_and_out, integers, one_a_group, with_more
from .expectations import Rows, after, each_group, inputs, items, mirrored

TABLE = Table(__file__)


@TABLE.case("straight.cu", in_and_out)
def rotate(launch: Launch, given: Arguments):
    return {"out": after(inputs(launch, given))}


@TABLE.case("straight.cu", in_and_out)
def empty_regions(launch: Launch, given: Arguments):
    return {"out": mirrored(inputs(launch, given))}


@TABLE.case("straight.cu", lambda launch, rng: {})
def nothing_but_barriers(launch: Launch, given: Arguments):
    return {}


@TABLE.case("straight.cu", lambda launch, rng: {"data": integers(rng, launch.size)})
def rotate_in_place(launch: Launch, given: Arguments):
    once = after(launch.by_group(given["data"]))
    return {"data": once + after(once)}


@TABLE.case("straight.cu", in_and_out)
def three_arrays(launch: Launch, given: Arguments):
    v = mirrored(inputs(launch, given))
    return {"out": (v & 0xFF) + 256 * (v >> 8) + 3 * (v >> 16)}


@TABLE.case("straight.cu", in_and_out)
def fences_beside_barriers(launch: Launch, given: Arguments):
    return {"out": after(inputs(launch, given), launch.items // 2 + 1) * 3}


@TABLE.case("uniform_if.cu", with_more(flag=0), kernel="if_parameter")
def if_parameter_false(launch: Launch, given: Arguments):
    return {"out": inputs(launch, given) + 1}


@TABLE.case("uniform_if.cu", with_more(flag=1), kernel="if_parameter")
def if_parameter_true(launch: Launch, given: Arguments):
    return {"out": mirrored(inputs(launch, given)) + 1}


@TABLE.case("uniform_if.cu", in_and_out)
def if_group_index(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    v[::2] ^= after(v[::2] * 7)
    return {"out": v}


@TABLE.case("uniform_if.cu", with_more(flags=one_a_group(4)))
def if_loaded(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    return {"out": np.where(given["flags"][:, None] > 1, v - after(v), v)}


def _flag_for_each_item(launch: Launch, rng: np.random.Generator) -> Any:
    return np.repeat(one_a_group(2)(launch, rng), launch.items)


@TABLE.case("uniform_if.cu", with_more(flags=_flag_for_each_item))
def if_all_agree(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    return {"out": np.where(launch.by_group(given["flags"]) != 0, v * 2 + after(v), ~v)}


@TABLE.case("uniform_if.cu", with_more(out_of_range=1 << 31))
def if_never(launch: Launch, given: Arguments):
    return {"out": given["in"] + 5}


@TABLE.case("uniform_if.cu", with_more(flags=one_a_group(2)))
def both_arms(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    before = after(v * 2, -1)
    return {"out": np.where(given["flags"][:, None] == 1, v + 10 * after(v), before + 10 * (before[:, :1] + 1))}


@TABLE.case("uniform_if.cu", with_more(flags=one_a_group(4)))
def nested_ifs(launch: Launch, given: Arguments):
    def group(index: int, v: Rows) -> Rows:
        flag = given["flags"][index]
        if flag == 0:
            return v
        if flag == 2:
            return (v ^ 0x55) + v[:, :1]
        v = v + after(v)
        if flag == 3:
            v = v + after(v, 2)
        return v * 3

    return {"out": each_group(launch, given, group)}


def _divergent_around(launch: Launch, given: Arguments, flag: bool) -> Rows:
    v = inputs(launch, given)
    v = np.where(v & 1, v * 3 + 1, v)
    s = np.where(v & 2, v // 2, v)
    if flag:
        v = np.where(v & 4, v + after(s), v - after(s, -1))
    return np.where(v & 8, ~v, v)


@TABLE.case("uniform_if.cu", with_more(flag=1), kernel="divergent_around")
def divergent_around_taken(launch: Launch, given: Arguments):
    return {"out": _divergent_around(launch, given, True)}


@TABLE.case("uniform_if.cu", with_more(flag=0), kernel="divergent_around")
def divergent_around_skipped(launch: Launch, given: Arguments):
    return {"out": _divergent_around(launch, given, False)}


@TABLE.case("uniform_if.cu", in_and_out)
def after_divergent_arms_meet(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    stored = np.choose(v % 3, [v + 1, v + 2, v * 0])
    kept = np.choose(v % 3, [v * 5, v ^ 9, v * 0 + items(launch)])
    return {"out": kept + after(stored)}


def _all_but_a_few(launch: Launch, rng: np.random.Generator) -> int:
    return launch.size - launch.items // 2


@TABLE.case("early_return.cu", with_more(count=_all_but_a_few))
def past_the_end(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    out = (v + v[:, np.arange(launch.items) // 2]).reshape(-1)
    out[given["count"] :] = 0
    return {"out": out}


@TABLE.case("early_return.cu", in_and_out)
def one_survivor(launch: Launch, given: Arguments):
    total = np.zeros(launch.groups, np.uint32)
    for column in inputs(launch, given).T:
        total = total * 3 + column
    return {"out": np.pad(total, (0, launch.size - launch.groups))}


@TABLE.case("early_return.cu", in_and_out)
def odd_ones_leave(launch: Launch, given: Arguments):
    v = after(inputs(launch, given))
    out = v.copy()
    out[:, ::2] = np.roll(v[:, ::2] * 5, -1, axis=1)
    return {"out": out}


@TABLE.case("early_return.cu", with_more(flags=one_a_group(2)))
def whole_groups_leave(launch: Launch, given: Arguments):
    return {"out": np.where(given["flags"][:, None] == 1, 0, mirrored(inputs(launch, given)))}


@TABLE.case("early_return.cu", with_more(rounds=6))
def leave_in_different_rounds(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    out = np.zeros_like(v)
    here = np.ones(v.shape, bool)
    for r in range(given["rounds"]):
        first = v[:, :1].copy()
        leaving = here & (v % 8 == r) & (items(launch) > 0)
        out[leaving] = np.broadcast_to(first + r, v.shape)[leaving]
        here &= ~leaving
        v[here] += (8 * np.broadcast_to(first, v.shape))[here]
    return {"out": np.where(here, v, out)}


@TABLE.case("early_return.cu", in_and_out)
def until_nobody_is_left(launch: Launch, given: Arguments):
    stay = inputs(launch, given) % 6
    seen = np.zeros_like(stay)
    for r in range(6):
        living = np.count_nonzero(stay >= r, axis=1)[:, None].astype(np.uint32)
        seen = np.where(stay >= r, seen * 300 + living, seen)
    return {"out": seen}


@TABLE.case("early_return.cu", in_and_out)
def leave_in_two_places(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    w = v + after(v)
    # In each of three rounds v becomes 2 v + v.
    return {"out": np.where(v % 5 == 1, 1, np.where(w % 5 == 2, w, w * 27))}


@TABLE.case("early_return.cu", in_and_out)
def leave_from_nested_ifs(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    half = v >> 1
    odd, second = v % 2 == 1, (half & 2) != 0
    leaves_with_result = odd & second & ((half & 4) != 0)
    leaves = leaves_with_result | (odd & ~second & (half % 3 == 0))
    left = np.count_nonzero(~leaves, axis=1)[:, None].astype(np.uint32)
    kept = np.where(odd, half + second, v) * 512 + left
    return {"out": np.where(leaves_with_result, half, np.where(leaves, 0, kept))}


@TABLE.case("early_return.cu", in_and_out)
def leave_a_message(launch: Launch, given: Arguments):
    next_one = after(inputs(launch, given))
    leaves = np.arange(launch.items) >= (launch.items + 1) // 2
    s = np.where(leaves, next_one * 2, next_one + 1)
    return {"out": np.where(leaves, 0, mirrored(s))}


@TABLE.case("early_return.cu", in_and_out)
def half_pass_by(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    out = v.copy()
    out[:, ::2] += v[:, (np.arange(0, launch.items, 2) + 2) % launch.items // 2 * 2]
    return {"out": out}
