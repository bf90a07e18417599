# SPDX-License-Identifier: Apache-2.0
"""Expectations of barriers that vote, barriers in functions, and barriers inside expressions."""

import numpy as np

from ..case import Arguments, Launch, Table, in_and_out, one_a_group, with_more
from .expectations import Rows, after, each_group, inputs, mirrored

TABLE = Table(__file__)


def _count(condition: np.ndarray) -> Rows:
    """How many work-items of each group meet the condition, as a column."""
    return np.count_nonzero(condition, axis=1)[:, None].astype(np.uint32)


@TABLE.case("votes.cu", in_and_out)
def count_and_or(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    every = (v % 16 != 3).all(axis=1, keepdims=True)
    some = (v % 64 == 5).any(axis=1, keepdims=True)
    return {"out": np.broadcast_to(_count(v & 1) * 4 + every * 2 + some, v.shape)}


@TABLE.case("votes.cu", in_and_out)
def predicate_is_any_value(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    return {"out": np.broadcast_to(_count(v % 3) + 1000, v.shape)}


@TABLE.case("votes.cu", in_and_out)
def loop_until_none_changes(launch: Launch, given: Arguments):
    v = inputs(launch, given) % 1000
    return {"out": np.broadcast_to(v.min(axis=1, keepdims=True), v.shape)}


@TABLE.case("votes.cu", in_and_out)
def count_decides(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    return {"out": mirrored(np.where(_count(v % 2) * 2 >= launch.items, after(v) + 1, v))}


@TABLE.case("votes.cu", in_and_out)
def only_the_living_vote(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    living = _count(v % 3)
    now = _count((v % 3 == 2) & (v % 2 == 1))
    return {"out": np.choose(v % 3, [v * 0, v * 0 + living, v * 0 + living + 300 * now + 100000])}


@TABLE.case("votes.cu", with_more(rounds=6))
def vote_every_other_round(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    total = np.zeros_like(v)
    for r in range(given["rounds"]):
        v = v * 1664525 + 1013904223
        if r % 2:
            total = total * 7 + _count(v >> 31)
    return {"out": total}


@TABLE.case("helpers.cu", in_and_out)
def inlined_twice(launch: Launch, given: Arguments):
    v = after(inputs(launch, given))
    return {"out": v + 2 * mirrored(v * v)}


def _not_inlined(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    for r in range(given["rounds"]):
        v = v * 3 + after(v, r)
    if given["rounds"] % 2:
        v = v + v[:, :1]
    return {"out": v}


@TABLE.case("helpers.cu", with_more(rounds=3), kernel="not_inlined")
def not_inlined_and_called_after_loop(launch: Launch, given: Arguments):
    return _not_inlined(launch, given)


@TABLE.case("helpers.cu", with_more(rounds=4), kernel="not_inlined")
def not_inlined_in_loop_only(launch: Launch, given: Arguments):
    return _not_inlined(launch, given)


@TABLE.case("helpers.cu", with_more(rounds=5))
def helper_returns_from_loop(launch: Launch, given: Arguments):
    def search(index: int, v: Rows) -> Rows:
        for r in range(given["rounds"]):
            if (v % 16 == 0).any():
                return after(v) + r
            v = v * 5 + after(v)
        return v

    v = each_group(launch, given, search)
    return {"out": v + v[:, :1]}


def _classify(v: Rows) -> Rows:
    result = np.where(v % 2 == 0, v // 2, 0)
    open_ = v % 2 != 0
    for i in range(4):
        found = open_ & (v % 5 == i)
        result = np.where(found, v + i, result)
        open_ = open_ & ~found
        v = v * 3 + 1
    return np.where(open_, 1, result).astype(np.uint32)


@TABLE.case("helpers.cu", in_and_out)
def divergent_helper_before_barrier(launch: Launch, given: Arguments):
    return {"out": _classify(after(_classify(inputs(launch, given))))}


@TABLE.case("helpers.cu", in_and_out)
def shared_memory_of_helper(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    total = v.sum(axis=1, keepdims=True, dtype=np.uint32)
    again = (v ^ total).sum(axis=1, keepdims=True, dtype=np.uint32)
    return {"out": np.broadcast_to(again - total, v.shape)}


@TABLE.case("helpers.cu", in_and_out)
def recursive_template(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    for depth in (4, 3, 2, 1, 0):
        v = v + after(v, depth)
        v = v * 3 if depth else v
    return {"out": v}


@TABLE.case("helpers.cu", with_more(flags=one_a_group(2)))
def helpers_in_helpers(launch: Launch, given: Arguments):
    def twice(v: Rows) -> Rows:
        v = v + v[:, :1]
        return v + v[:, -1:]

    def group(index: int, v: Rows) -> Rows:
        return twice(twice(v) if given["flags"][index] else v)

    return {"out": each_group(launch, given, group)}


@TABLE.case("helpers.cu", in_and_out)
def waiting_function(launch: Launch, given: Arguments):
    return {"out": mirrored(inputs(launch, given))}


@TABLE.case("expressions.cu", with_more(flags=one_a_group(2)))
def and_then(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    return {"out": v + ((given["flags"][:, None] > 0) & (_count(v % 2) > 1))}


@TABLE.case("expressions.cu", with_more(flags=one_a_group(3)))
def or_else(launch: Launch, given: Arguments):
    v, flag = inputs(launch, given), given["flags"][:, None]
    some = (v % 32 == 7).any(axis=1, keepdims=True)
    every = (v % 8 != 0).all(axis=1, keepdims=True)
    return {"out": np.where((flag == 1) | some | ((flag == 2) & every), v * 3, v)}


@TABLE.case("expressions.cu", with_more(flags=one_a_group(5)))
def conditional_operator(launch: Launch, given: Arguments):
    v, flag = inputs(launch, given), given["flags"][:, None]
    w = np.where(flag > 2, after(v), np.where(flag > 1, after(v, 2) + after(v, 3), v))
    return {"out": w + np.where(flag % 2, 100, after(w))}


@TABLE.case("expressions.cu", with_more(rounds=3))
def in_lambda(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    for by in (0, 1, 2, 1):
        v = v + after(v, by)
    return {"out": v}


@TABLE.case("expressions.cu", in_and_out)
def lambdas_handed_in(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    a = mirrored(v)
    return {"out": after(mirrored(a * v)) + a}


@TABLE.case("expressions.cu", in_and_out)
def class_with_barriers(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    first = v.sum(axis=1, keepdims=True, dtype=np.uint32)
    second = first + _count(v % 2)
    return {"out": np.broadcast_to(first + 3 * second + 7 * 12345, v.shape)}


@TABLE.case("expressions.cu", in_and_out)
def comma_operator(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    return {"out": mirrored(v + after(v))}
