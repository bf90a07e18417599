# SPDX-License-Identifier: Apache-2.0
"""Expectations of calls that can't be inlined: recursion, pointers to functions, virtual functions."""

import numpy as np

from ..case import Arguments, Array, Launch, Table

TABLE = Table(__file__)


def _index(launch: Launch) -> Array:
    return np.arange(launch.size, dtype=np.int32)


def _item(launch: Launch) -> Array:
    return _index(launch) % launch.items


def _out(launch: Launch, rng: np.random.Generator) -> Arguments:
    return {"out": np.zeros(launch.size, np.int32)}


def _out_and_in(launch: Launch, rng: np.random.Generator) -> Arguments:
    return {"out": np.zeros(launch.size, np.int32), "in": rng.integers(0, 1000, launch.size, np.int32)}


# --- recursion ---


@TABLE.case("calls.cu", lambda launch, rng: {"out": np.zeros(launch.size, np.uint32)})
def fibonacci(launch: Launch, given: Arguments):
    numbers = [0, 1]
    while len(numbers) < 13:
        numbers.append(numbers[-1] + numbers[-2])
    return {"out": np.array(numbers)[_index(launch) % 13]}


@TABLE.case(
    "calls.cu",
    lambda launch, rng: {"out": np.zeros(launch.size, np.int32), "in": rng.integers(0, 50, launch.size, np.uint32)},
)
def parity(launch: Launch, given: Arguments):
    return {"out": np.where(given["in"] % 2, 1, 2)}


@TABLE.case("calls.cu", _out)
def ackermann(launch: Launch, given: Arguments):
    n = _index(launch) % 5
    return {"out": np.choose(_index(launch) % 3, [n + 1, n + 2, 2 * n + 3])}


@TABLE.case(
    "calls.cu",
    lambda launch, rng: {
        "data": rng.integers(-100, 100, 8 * launch.size, np.int32),
        "shared_sums": np.zeros(launch.size, np.float32),
    },
    shared=lambda launch: 4 * launch.items,
)
def sorts(launch: Launch, given: Arguments):
    data = np.sort(given["data"].reshape(-1, 8))
    return {"data": data, "shared_sums": np.sort(launch.by_group(data[:, 0]))}


@TABLE.case(
    "calls.cu",
    lambda launch, rng: {
        "out": np.zeros(3 * launch.size, np.int32),
        "in": rng.integers(0, 1000, 7 * launch.size, np.int32),
    },
)
def trees(launch: Launch, given: Arguments):
    values = given["in"].reshape(-1, 7)
    return {"out": [(_depth(list(row)), row.sum(), row.max()) for row in values]}


def _depth(values: list[int]) -> int:
    """Of the search tree that the values make in this order."""
    if not values:
        return 0
    root, *rest = values
    return 1 + max(_depth([v for v in rest if v < root]), _depth([v for v in rest if v >= root]))


@TABLE.case(
    "calls.cu",
    lambda launch, rng: {"out": np.zeros(10 * launch.size, np.uint32)},
    launches=(Launch((2, 3), (4, 3, 2)), Launch((3,), (96,)), Launch((1, 2), (1, 5))),
)
def places(launch: Launch, given: Arguments):
    grid, block = (*launch.grid, 1, 1)[:3], (*launch.block, 1, 1)[:3]
    rows: list[tuple[int, ...]] = []
    for group in range(launch.groups):
        for item in range(launch.items):
            x, y, z = item % block[0], item // block[0] % block[1], item // (block[0] * block[1])
            rows.append((x, y, z, group % grid[0], group // grid[0], block[0], block[1], grid[0], grid[1], 7 + item))
    return {"out": rows}


# --- pointers to functions ---


@TABLE.case("calls.cu", _out_and_in)
def tables(launch: Launch, given: Arguments):
    v, i, item = given["in"], _index(launch), _item(launch)
    first: Array = np.choose(v & 3, [v + 3, v - 3, v * 3, v + 3 + item])
    second: Array = np.choose(v % 3, [v * 5, v + 5, v - 5])
    third: Array = np.choose(v >> 2 & 1, [v - i, v + i + item])
    fourth: Array = np.choose(v & 1, [v * 4, v + 4])
    fifth: Array = np.choose(v % 3, [v - 7, 2 * v * 7, 0 * v])
    return {"out": first + second + third + fourth + fifth}


@TABLE.case("calls.cu", _out)
def structs_through_pointers(launch: Launch, given: Arguments):
    i = np.arange(12)
    return {"out": [((i + 10 * item) * (i + 1) - i).sum() for item in range(launch.size)]}


@TABLE.case(
    "calls.cu",
    lambda launch, rng: {"out": np.zeros(launch.size, np.int32), "code": np.frombuffer(b"i3+i*25*-9+\0", np.int8)},
)
def postfix(launch: Launch, given: Arguments):
    i = _index(launch)
    return {"out": (i + 3) * i - 10 + 9}


@TABLE.case("calls.cu", _out)
def expressions(launch: Launch, given: Arguments):
    x = _index(launch)
    value = x * x + x * 20
    return {"out": np.where(x - 20 > 0, value, -value)}


# --- virtual functions, members, closures ---


@TABLE.case("calls.cu", _out)
def rays(launch: Launch, given: Arguments):
    i = _index(launch) % 8
    return {"out": np.select([i < 4, i % 2 == 1], [100, 300], 225)}


@TABLE.case("calls.cu", _out_and_in)
def members(launch: Launch, given: Arguments):
    v = given["in"]
    both: Array = np.where(v & 8, 100, 2)
    by: Array = np.select([v % 3 == 0, v % 3 == 1], [1, -1], both)
    return {"out": by * v + by * (v + 1)}


@TABLE.case("calls.cu", _out_and_in)
def closures(launch: Launch, given: Arguments):
    base = given["in"]
    low, two, one = (np.where(base & 1, v * v, -v) for v in (base % 100, np.array(2), np.array(1)))
    return {"out": 5 + base + 1 + base + 9 + 1 + low + two + one}
