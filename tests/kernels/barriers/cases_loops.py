# SPDX-License-Identifier: Apache-2.0
"""Expectations of barriers in loops, whole and cut short, and in jumps that no structured loop has."""

import numpy as np

from ..case import Arguments, Launch, Table, in_and_out, integers, one_a_group, with_more
from .expectations import Rows, after, each_group, inputs, items, mirrored

TABLE = Table(__file__)


def _rounds_by_parameter(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    for r in range(given["rounds"]):
        v = v * 3 + after(v, r)
    return {"out": v}


@TABLE.case("loops.cu", with_more(rounds=5), kernel="rounds_by_parameter")
def five_rounds(launch: Launch, given: Arguments):
    return _rounds_by_parameter(launch, given)


@TABLE.case("loops.cu", with_more(rounds=0), kernel="rounds_by_parameter")
def no_rounds(launch: Launch, given: Arguments):
    return _rounds_by_parameter(launch, given)


@TABLE.case("loops.cu", with_more(rounds=one_a_group(5)))
def rounds_loaded(launch: Launch, given: Arguments):
    def group(index: int, v: Rows) -> Rows:
        for r in range(given["rounds"][index]):
            v = v ^ (mirrored(v + r) << 1)
        return v

    return {"out": each_group(launch, given, group)}


@TABLE.case("loops.cu", in_and_out)
def rounds_from_shared(launch: Launch, given: Arguments):
    def group(index: int, v: Rows) -> Rows:
        for _ in range(int(v[0, launch.items // 2]) % 6):
            v = v + after(v)
        return v

    return {"out": each_group(launch, given, group)}


@TABLE.case("loops.cu", in_and_out)
def rounds_change_while_running(launch: Launch, given: Arguments):
    def group(index: int, v: Rows) -> Rows:
        rounds = -(-int((v % 9).max()) // 3)
        # Each round rotates by one place and adds the round's number.
        return (after(v, rounds) + sum(range(rounds))) * 16 + rounds

    return {"out": each_group(launch, given, group)}


@TABLE.case("loops.cu", in_and_out)
def halving_stride(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    stride = launch.items // 2
    while stride:
        v = v + after(v, stride)
        stride //= 2
    return {"out": v}


@TABLE.case("loops.cu", with_more(rounds=7))
def values_change_places(launch: Launch, given: Arguments):
    a = inputs(launch, given)
    b, c = np.broadcast_to(items(launch), a.shape), np.ones_like(a)
    for _ in range(given["rounds"]):
        a, b, c = b, c, a + after(a)
    return {"out": a + 3 * b + 5 * c}


@TABLE.case("loops.cu", with_more(limits=one_a_group(17)))
def counter_after_loop(launch: Launch, given: Arguments):
    def group(index: int, v: Rows) -> Rows:
        rounds = int(np.ceil(np.sqrt(given["limits"][index])))
        last = after(v + (rounds - 1), rounds - 1) if rounds else np.full_like(v, 77)
        return last + 1000 * rounds

    return {"out": each_group(launch, given, group)}


def _tiles(launch: Launch, rng: np.random.Generator) -> Arguments:
    tiles = 2 * launch.groups + 1
    return {
        "out": np.zeros(tiles * launch.items, np.uint32),
        "in": integers(rng, tiles * launch.items),
        "tiles": tiles,
    }


@TABLE.case("loops.cu", _tiles)
def tiles_by_group(launch: Launch, given: Arguments):
    return {"out": given["in"].reshape(-1, launch.items)[:, ::-1]}


@TABLE.case("loops.cu", with_more(rounds=4))
def three_phases_a_round(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    for r in range(given["rounds"]):
        v = v + mirrored(after(after(v) + r, 2) * 3)
    return {"out": v}


@TABLE.case("loops.cu", with_more(rounds=5))
def double_buffering(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    # n rounds of v + next give the binomial coefficients of n.
    return {"out": sum(factor * after(v, by) for by, factor in enumerate([1, 5, 10, 10, 5, 1]))}


@TABLE.case("loops.cu", with_more(rounds=3))
def barrier_alone_in_loop(launch: Launch, given: Arguments):
    return {"out": after(inputs(launch, given), given["rounds"])}


@TABLE.case("loops.cu", with_more(limit=9))
def barriers_in_loop_header(launch: Launch, given: Arguments):
    def group(index: int, v: Rows) -> Rows:
        v = v % 100
        for _ in range(given["limit"]):
            if (v >= 50).all():
                break
            v = v + after(v) // 2 + 1
        return v

    return {"out": each_group(launch, given, group)}


@TABLE.case("nested_loops.cu", with_more(rounds=3, inner=one_a_group(4)))
def barrier_in_inner(launch: Launch, given: Arguments):
    def group(index: int, v: Rows) -> Rows:
        for i in range(given["rounds"]):
            for j in range(given["inner"][index]):
                v = v * 3 + after(v, i + j)
            v = v ^ i
        return v

    return {"out": each_group(launch, given, group)}


@TABLE.case("nested_loops.cu", with_more(rounds=4))
def triangular(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    for i in range(given["rounds"]):
        first = v[:, :1]
        for j in range(i):
            v = v + after(v + j, j + 1)
        v = v + first
    return {"out": v}


@TABLE.case("nested_loops.cu", with_more(a=2, b=3, c=4))
def three_deep(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    for i in range(2):
        for j in range(i, 3):
            for k in range(j, 4):
                v = after(v, k) + (i * 9 + j * 3 + k)
    return {"out": v}


@TABLE.case("nested_loops.cu", with_more(rounds=4))
def divergent_inner(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    for _ in range(given["rounds"]):
        running = np.ones(v.shape, bool)
        for j in range(7):
            running = running & (j < v % 7)
            v = np.where(running, v * 5 + j, v)
        v = v + after(v)
    return {"out": v}


@TABLE.case("nested_loops.cu", with_more(rounds=5))
def inner_loop_every_other_round(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    for r in range(given["rounds"]):
        if r % 2:
            v = v * 2 + r
        else:
            for j in range(3):
                v = v + after(v, j)
    return {"out": v}


@TABLE.case("nested_loops.cu", with_more(rounds=3))
def loops_in_sequence(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    for _ in range(3):
        v = v + after(v)
    w = (v * 3 + v + 1) * 3 + v + 2
    return {"out": v + w.sum(axis=1, dtype=np.uint32)[:, None]}


@TABLE.case("break_continue.cu", with_more(stops=one_a_group(10)))
def break_loaded(launch: Launch, given: Arguments):
    def group(index: int, v: Rows) -> Rows:
        for _ in range(min(given["stops"][index], 8)):
            v = v + after(v)
        return v

    return {"out": each_group(launch, given, group)}


@TABLE.case("break_continue.cu", in_and_out)
def break_when_sum_is_large(launch: Launch, given: Arguments):
    def group(index: int, v: Rows) -> Rows:
        v = v % 16 + 1
        rounds = 0
        while v.sum() <= 40 * launch.items:
            v = v + v // 2 + 1
            rounds += 1
        return v * 100 + rounds

    return {"out": each_group(launch, given, group)}


@TABLE.case("break_continue.cu", with_more(stops=one_a_group(4)))
def break_past_a_barrier(launch: Launch, given: Arguments):
    def group(index: int, v: Rows) -> Rows:
        for _ in range(given["stops"][index]):
            v = v + after(v)
        return mirrored(after(v) * 2)

    return {"out": each_group(launch, given, group)}


@TABLE.case("break_continue.cu", with_more(stops=one_a_group(6)))
def two_breaks(launch: Launch, given: Arguments):
    def group(index: int, v: Rows) -> Rows:
        rounds, second = divmod(int(given["stops"][index]), 2)
        for _ in range(rounds):
            v = (v + after(v)) ^ 3
        return (v + after(v) if second else v) + rounds

    return {"out": each_group(launch, given, group)}


@TABLE.case("break_continue.cu", with_more(rounds=6))
def continue_before_second_barrier(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    for r in (0, 2, 3, 5):
        v = v + after(v, 1 + r)
    return {"out": v}


@TABLE.case("break_continue.cu", with_more(stops=one_a_group(14)))
def break_out_of_both(launch: Launch, given: Arguments):
    def group(index: int, v: Rows) -> Rows:
        done = min(int(given["stops"][index]), 12)
        for count in range(done):
            v = v + after(v + count // 3, count % 3)
        return v + (done + 1 if done < 12 else 12)

    return {"out": each_group(launch, given, group)}


@TABLE.case("break_continue.cu", with_more(stops=one_a_group(6)))
def return_in_loop(launch: Launch, given: Arguments):
    def group(index: int, v: Rows) -> Rows:
        stop = int(given["stops"][index])
        for _ in range(min(stop + 1, 4)):
            v = v + after(v)
        return v + 1000 if stop < 4 else v

    return {"out": each_group(launch, given, group)}


@TABLE.case("break_continue.cu", in_and_out)
def divergent_break_then_barrier(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    rounds = np.zeros_like(v)
    running = v % 4 != 0
    while running.any():
        v = np.where(running, v // 2 + rounds, v)
        rounds += running
        running &= (rounds <= 20) & (v % 4 != 0)
    return {"out": after(v + rounds)}


@TABLE.case("break_continue.cu", with_more(rounds=4))
def divergent_continue_then_barrier(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    for _ in range(given["rounds"]):
        v |= 31  # each zero bit is set, from the lowest on, without a carry
        v = v ^ (after(v) >> 1)
    return {"out": v}


@TABLE.case("jumps.cu", with_more(rounds=one_a_group(4)))
def do_while(launch: Launch, given: Arguments):
    def group(index: int, v: Rows) -> Rows:
        for _ in range(max(given["rounds"][index], 1)):
            v = v + 3 * after(v)
        return v

    return {"out": each_group(launch, given, group)}


@TABLE.case("jumps.cu", in_and_out)
def do_while_shared(launch: Launch, given: Arguments):
    def group(index: int, v: Rows) -> Rows:
        v = v % 32
        first, rounds = 0, 0
        while first < 100:
            first, rounds = int(v[0, 0]), rounds + 1
            v = v + mirrored(v) + 1
        return v * 100 + rounds

    return {"out": each_group(launch, given, group)}


@TABLE.case("jumps.cu", with_more(rounds=4))
def goto_backwards(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    for _ in range(4):
        v = v + after(v)
    return {"out": v}


@TABLE.case("jumps.cu", with_more(flags=one_a_group(2)))
def goto_over_a_barrier(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    return {"out": np.where(given["flags"][:, None] == 1, v + mirrored(v), after(v) + mirrored(after(v) * 3))}


@TABLE.case("jumps.cu", with_more(flags=one_a_group(2), rounds=3))
def goto_into_loop(launch: Launch, given: Arguments):
    def group(index: int, v: Rows) -> Rows:
        for r in range(given["rounds"]):
            if r or given["flags"][index] == 0:
                v = v + after(v)
            v = v ^ mirrored(v * 3)
        return v

    return {"out": each_group(launch, given, group)}


@TABLE.case("jumps.cu", in_and_out)
def divergent_goto_into_loop(launch: Launch, given: Arguments):
    v = after(inputs(launch, given))
    v = np.where(v % 2, v, v * 3 + 1)
    v ^= v >> 3
    rounds = np.ones_like(v)
    running = rounds < 2 + v % 4
    while running.any():
        stepped = v * 3 + 1
        v = np.where(running, stepped ^ (stepped >> 3), v)
        rounds += running
        running &= rounds < 2 + v % 4
    return {"out": mirrored(v) + rounds}


@TABLE.case("jumps.cu", with_more(stops=one_a_group(11)))
def goto_out_of_nested_loops(launch: Launch, given: Arguments):
    def group(index: int, v: Rows) -> Rows:
        stop = int(given["stops"][index])
        for _ in range(min(stop, 8)):
            v = v + after(v)
        return v + mirrored(v) if stop < 9 else 1 + mirrored(v)

    return {"out": each_group(launch, given, group)}


@TABLE.case("jumps.cu", with_more(flags=one_a_group(5)))
def switch_with_barriers(launch: Launch, given: Arguments):
    def group(index: int, v: Rows) -> Rows:
        match int(given["flags"][index]):
            case 0:
                return np.ones_like(v)
            case 1:
                return after(v)
            case 2:
                v = v + after(v, 2)
                return v ^ mirrored(v)
            case 3:
                return v ^ mirrored(v)
            case _:
                return v + 9

    return {"out": each_group(launch, given, group)}


@TABLE.case("jumps.cu", in_and_out)
def state_machine(launch: Launch, given: Arguments):
    def group(index: int, v: Rows) -> Rows:
        state = int(v[0, 0]) % 3
        for step in range(8):
            if state == 0:
                v = v + after(v)
                state = int(v[0, -1]) % 2 + 1
            elif state == 1:
                v = v * 5 + 1
                state = int(v[0, 0]) % 4
            elif state == 2:
                v = mirrored(v // 3)
                state = int(v[0, 0]) % 2 * 3
            else:
                return v + step
        return v

    return {"out": each_group(launch, given, group)}
