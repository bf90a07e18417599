# SPDX-License-Identifier: Apache-2.0
"""Expectations of the heap, alloca, static locals, unions, bit fields, 128-bit integers, labels as values, address
queries."""

import numpy as np

from ..case import Arguments, Array, Launch, Table

TABLE = Table(__file__)


def _index(launch: Launch) -> Array:
    return np.arange(launch.size)


def _out(launch: Launch, rng: np.random.Generator) -> Arguments:
    return {"out": np.zeros(launch.size, np.int32)}


# --- bytes ---


def _two_texts(launch: Launch, rng: np.random.Generator) -> Arguments:
    a = rng.integers(0, 256, launch.size + 8, np.uint8)
    b = np.where(rng.random(len(a)) < 0.1, rng.integers(0, 256, len(a), np.uint8), a)
    return {"out": np.zeros(2 * launch.size, np.int32), "a": a, "b": b}


@TABLE.case("objects.cu", _two_texts)
def comparisons(launch: Launch, given: Arguments):
    def order(i: int, n: int) -> int:
        a, b = (given[name][i : i + n].tobytes() for name in "ab")
        return (a > b) - (a < b)

    return {"out": [order(i, n) for i in range(launch.size) for n in (8, i % 8)]}


# --- the heap, alloca ---


@TABLE.case("objects.cu", lambda launch, rng: {**_out(launch, rng), "n": 6})
def lists(launch: Launch, given: Arguments):
    total = np.zeros(launch.size, np.int64)
    for i in reversed(range(given["n"])):
        total = 3 * total + i * _index(launch)
    return {"out": total}


@TABLE.case("objects.cu", _out)
def arrays(launch: Launch, given: Arguments):
    count = _index(launch) % 5 + 1
    return {"out": [5 + sum((i + 1) ** 2 for i in range(n)) for n in count]}


@TABLE.case(
    "objects.cu",
    lambda launch, rng: {**_out(launch, rng), "met": np.zeros(launch.size, np.int32), "rounds": 4},
)
def private_arrays(launch: Launch, given: Arguments):
    def of(n: int) -> int:
        total = 0
        for i in reversed(range(n)):
            total = 2 * total % 1001 + i * i
        return total

    sums = [sum(of((i + r) % 40 + 1) for r in range(given["rounds"])) for i in range(launch.size)]
    letters = ord("a") + np.arange(launch.items)[::-1] % 26
    return {"out": sums, "met": np.tile(letters, launch.groups)}


# --- static locals, unions, bit fields ---


@TABLE.case("objects.cu", _out)
def statics(launch: Launch, given: Arguments):
    i = _index(launch)
    values = np.array([2, 3, 5, 7, 11, 13, 17, 19])[i & 7] + np.where(i & 1, 200, 100)
    return {"out": np.roll(launch.by_group(values), -1, axis=1) + 5}


@TABLE.case(
    "objects.cu",
    lambda launch, rng: {
        "out": np.zeros(launch.size, np.uint32),
        "fields": np.zeros(2 * launch.size, np.uint64),
        "in": rng.normal(size=launch.size).astype(np.float32),
    },
)
def packed(launch: Launch, given: Arguments):
    fields = np.zeros((launch.size, 2), np.uint64)
    for i in range(launch.size):
        wide = (i << 36 | i) % (1 << 40) >> (i % 3 == 0)
        fields[i, 0] = (i & 1) | ((i + 3) & 31) << 1 | wide << 6 | (i % 3 == 0) << 46
        fields[i, 1] = -i & 511
    return {"out": (-given["in"]).view(np.uint32), "fields": fields}


# --- 128-bit integers ---


def _longs(rng: np.random.Generator, size: int) -> Array:
    return rng.integers(-(1 << 63), 1 << 63, size, np.int64) >> rng.integers(0, 63, size)


def _wrapped(value: int) -> int:
    return (value + (1 << 127)) % (1 << 128) - (1 << 127)


def _divided(a: int, b: int) -> tuple[int, int]:
    """Towards zero, as C has it."""
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return quotient, a - quotient * b


@TABLE.case(
    "objects.cu",
    lambda launch, rng: {
        "out": np.zeros(12 * launch.size, np.uint64),
        "a": _longs(rng, launch.size),
        "b": _longs(rng, launch.size),
    },
)
def wide_integers(launch: Launch, given: Arguments):
    rows: list[int] = []
    for i, (a, b) in enumerate(zip(given["a"].tolist(), given["b"].tolist(), strict=True)):
        x, y = _wrapped((a << i % 60) + b), _wrapped(b << i * 7 % 50) | 1
        ux, uy = x % (1 << 128), y % (1 << 128)
        last = (ux >> 3 if x < y else ux << 5) ^ (ux - uy)
        for value in (*_divided(x, y), ux // uy, ux % uy, ux * uy, last):
            rows += [value % (1 << 64), (value >> 64) % (1 << 64)]
    return {"out": np.array(rows, np.uint64)}


@TABLE.case(
    "wide_conversions.cu",
    lambda launch, rng: {
        "doubles": np.zeros(2 * launch.size),
        "floats": np.zeros(2 * launch.size, np.float32),
        "back": np.zeros(2 * launch.size, np.int64),
        "a": _longs(rng, launch.size),
    },
)
def wide_conversions(launch: Launch, given: Arguments):
    values = [a << i % 64 for i, a in enumerate(given["a"].tolist())]
    both = [v for value in values for v in (value, value % (1 << 128))]
    back: list[int] = []
    for a in given["a"]:
        back.append(int(float(a) * 1e9) >> 20)
        back.append(int(abs(np.float32(a) * np.float32(1e9))) >> 20)
    return {"doubles": [float(v) for v in both], "floats": [_to_float(v) for v in both],
            "back": [(b + (1 << 63)) % (1 << 64) - (1 << 63) for b in back]}  # fmt: skip


def _to_float(value: int) -> float:
    """Rounded once to 24 bits, to even."""
    size, sign = abs(value), -1 if value < 0 else 1
    shift = max(size.bit_length() - 24, 0)
    kept, rest = size >> shift, size & (1 << shift) - 1
    half = 1 << shift >> 1
    kept += rest > half or (rest == half != 0 and kept & 1)
    rounded = kept << shift
    return sign * (float("inf") if rounded >> 128 else float(rounded))


# --- labels as values, which memory an address is in ---


@TABLE.case(
    "objects.cu",
    lambda launch, rng: {**_out(launch, rng), "code": np.array([0, 1, 1, 0, 2], np.uint8)},
)
def computed_goto(launch: Launch, given: Arguments):
    i = _index(launch)
    ran = np.where(i % 2, i * 25 + 3, (i + 3) * 25 + 3)
    return {"out": ran + 1 + np.where(i % 3, 1000, 0)}


SHARED, GLOBAL, CONSTANT, LOCAL = 1, 2, 4, 8


@TABLE.case("objects.cu", lambda launch, rng: {"out": np.zeros(20 * launch.size, np.int32)}, shared=lambda launch: 16)
def memories(launch: Launch, given: Arguments):
    kinds = [SHARED, SHARED, SHARED, LOCAL, LOCAL, CONSTANT, GLOBAL, GLOBAL, GLOBAL]
    return {"out": np.tile([*np.repeat(kinds, 2), 11, 1], launch.size)}
