# SPDX-License-Identifier: Apache-2.0
"""Expectations of atomics, integers of every width, and bit intrinsics."""

from typing import Any

import numpy as np

from ..case import Arguments, Array, Launch, MakeArguments, Table

TABLE = Table(__file__)

BUCKET = np.dtype([("count", "i4"), ("total", "f4"), ("square", "u8")])


def numbers(rng: np.random.Generator, size: int, dtype: Any) -> Array:
    """Numbers of the whole range of an integer type; some small, some at its ends."""
    limits = np.iinfo(dtype)
    values = rng.integers(limits.min, limits.max, size, dtype, endpoint=True)
    values[::5] = rng.integers(0, 10, values[::5].size).astype(dtype)
    values[: 2 if size > 1 else 0] = (limits.max, limits.min)
    return values


def out_and_ints(dtype: Any, count: Any = 1, **inputs: Any) -> MakeArguments:
    """`count` results of a type for each work-item, and an array of random integers for each named input type."""

    def make(launch: Launch, rng: np.random.Generator) -> Arguments:
        made = {name: numbers(rng, launch.size, kind) for name, kind in inputs.items()}
        return {"out": np.zeros(count * launch.size, dtype), **made}

    return make


def columns(*values: Any) -> Array:
    """Results of each work-item side by side."""
    return np.stack(np.broadcast_arrays(*values), axis=-1)


# --- atomics ---


def _cells(dtype: Any) -> MakeArguments:
    def make(launch: Launch, rng: np.random.Generator) -> Arguments:
        limits = np.iinfo(dtype)
        cells = np.array([5, limits.max, limits.min, limits.max, 0, 0, 1], dtype)
        return {"cells": cells, "in": rng.integers(0, limits.max, launch.size, dtype)}

    return make


def _reduced(given: Arguments) -> Array:
    v, before = given["in"], given["cells"]
    total = v.sum(dtype=v.dtype)
    folds = [np.bitwise_and.reduce(v) & before[3], np.bitwise_or.reduce(v), np.bitwise_xor.reduce(v)]
    with np.errstate(over="ignore"):
        return np.array([before[0] + total, v.min(), v.max(), *folds, total + total + before[6]], v.dtype)


@TABLE.case("atomics.cu", _cells(np.int32), kernel="reduce_global<int>")
def reduce_int(launch: Launch, given: Arguments):
    return {"cells": _reduced(given)}


@TABLE.case("atomics.cu", _cells(np.uint32), kernel="reduce_global<unsigned>")
def reduce_unsigned(launch: Launch, given: Arguments):
    return {"cells": _reduced(given)}


def _cells_64(launch: Launch, rng: np.random.Generator) -> Arguments:
    made = _cells(np.uint64)(launch, rng)
    values = rng.integers(0, 1 << 64, launch.size, np.uint64)
    return {"cells": made["cells"], "signed_cells": np.array([9, -9]), "in": values}


@TABLE.case("atomics.cu", _cells_64)
def reduce_64_bits(launch: Launch, given: Arguments):
    v = given["in"].view(np.int64)
    return {"cells": _reduced(given), "signed_cells": [min(v.min(), 9), max(v.max(), -9)]}


def _small_ints(launch: Launch, rng: np.random.Generator) -> Array:
    return rng.integers(-1000, 1000, launch.size, np.int32)


@TABLE.case(
    "atomics.cu",
    lambda launch, rng: {
        "signed_cell": np.array([7], np.int32),
        "cell": np.array([7], np.uint32),
        "in": _small_ints(launch, rng),
    },
)
def subtract(launch: Launch, given: Arguments):
    left = 7 - given["in"].sum()
    return {"signed_cell": left, "cell": left % (1 << 32)}


@TABLE.case(
    "atomics.cu",
    lambda launch, rng: {
        "sum": np.zeros(1, np.float32),
        "precise": np.ones(1),
        "in": _small_ints(launch, rng),
    },
)
def add_floats(launch: Launch, given: Arguments):
    return {"sum": given["in"].sum(), "precise": 1 + given["in"].sum() * 0.5}


@TABLE.case(
    "atomics.cu",
    lambda launch, rng: {
        "drawn": np.zeros(launch.size, np.uint32),
        "counter": np.zeros(1, np.int32),
        "in": _small_ints(launch, rng),
    },
)
def old_values_are_unique(launch: Launch, given: Arguments):
    return {"drawn": np.ones(launch.size), "counter": launch.size}


@TABLE.case("atomics.cu", lambda launch, rng: {"cells": np.zeros(2, np.uint32), "limit": 9})
def increment_and_decrement(launch: Launch, given: Arguments):
    return {"cells": [launch.size % 10, -launch.size % 10]}


@TABLE.case("atomics.cu", lambda launch, rng: {"sums": np.zeros(4, np.uint64)})
def exchange(launch: Launch, given: Arguments):
    total, first = launch.size * (launch.size + 1) // 2, 5 * launch.groups
    return {"sums": [first + total, first + total, first + (total << 20), first + total]}


@TABLE.case(
    "atomics.cu",
    lambda launch, rng: {
        "bits": np.zeros(1, np.int32),
        "in": (rng.random(launch.size) * 1000).astype(np.float32),
    },
)
def greatest_float(launch: Launch, given: Arguments):
    return {"bits": given["in"].max().view(np.int32)}


@TABLE.case(
    "atomics.cu",
    lambda launch, rng: {
        "out": np.zeros(3 * launch.groups, np.int32),
        "sums": np.zeros(launch.groups),
        "in": rng.integers(0, 10000, launch.size, np.int32),
    },
)
def in_shared_memory(launch: Launch, given: Arguments):
    v = launch.by_group(given["in"])
    bits = np.bitwise_or.reduce(np.uint32(1) << (v & 31).astype(np.uint32), axis=1).view(np.int32)
    sums = v.sum(axis=1) * 0.25 + 1e6 * (v % 16).sum(axis=1)
    return {"out": columns(v.min(axis=1), v.max(axis=1), bits), "sums": sums}


@TABLE.case(
    "atomics.cu",
    lambda launch, rng: {"buckets": np.zeros(5, BUCKET), "in": _small_ints(launch, rng)},
)
def into_buckets(launch: Launch, given: Arguments):
    buckets = np.zeros(5, BUCKET)
    for i in range(5):
        v = given["in"][given["in"] % 5 == i].astype(np.int64)
        buckets[i] = (v.size, v.sum(), (v * v).sum())
    return {"buckets": buckets}


# --- integers ---


def _operators(launch: Launch, given: Arguments):
    x, dtype = given["a"], given["a"].dtype
    y = np.where(given["b"] == 0, dtype.type(3), given["b"])
    quotient, shift = np.empty_like(x), (y & 7).astype(dtype)
    for i, (p, q) in enumerate(zip(x.tolist(), y.tolist(), strict=True)):
        magnitude = abs(p) // abs(q)  # towards zero, and wrapped: the least number has no opposite
        quotient[i] = np.array(magnitude if (p < 0) == (q < 0) else -magnitude).astype(dtype)
    with np.errstate(over="ignore"):
        results = [x + y, x - y, x * y, quotient, x - quotient * y, x & y, x | ~y, x ^ y, x << shift, x >> shift]
        return {"out": columns(*results, -x)}


def _two_operands(dtype: Any) -> MakeArguments:
    """Operands whose sum and product don't overflow: as int, to which narrow types are promoted, or as their own."""

    def make(launch: Launch, rng: np.random.Generator) -> Arguments:
        made = out_and_ints(dtype, 11, a=dtype, b=dtype)(launch, rng)
        limits = np.iinfo(dtype)
        most = 1 << limits.bits // 2 - 1
        if limits.bits >= 32 and limits.min < 0:
            made["a"], made["b"] = rng.integers(-most, most, (2, launch.size), dtype)
        elif limits.bits == 16 and limits.min == 0:
            made["a"] >>= 1
        return made

    return make


for _name, _dtype in {
    "signed char": np.int8,
    "unsigned char": np.uint8,
    "short": np.int16,
    "unsigned short": np.uint16,
    "int": np.int32,
    "unsigned": np.uint32,
    "long long": np.int64,
    "unsigned long long": np.uint64,
}.items():
    TABLE.case(
        "integers.cu",
        _two_operands(_dtype),
        kernel=f"operators<{_name}>",
        name="operators_" + _name.replace(" ", "_"),
    )(_operators)


@TABLE.case("integers.cu", out_and_ints(np.int64, 7, a=np.int32, b=np.int32))
def sign_matters(launch: Launch, given: Arguments):
    x = given["a"].astype(np.int64)
    y = np.where(given["b"] == 0, 1, given["b"]).astype(np.int64)
    ux, uy = x % (1 << 32), y % (1 << 32)
    quotient = np.sign(x) * np.sign(y) * (abs(x) // abs(y))
    product = ux.astype(np.uint64) * uy.astype(np.uint64) % np.uint64(1000000007)
    less = (x < y) + 2 * (ux < uy)
    return {"out": columns(quotient, ux // uy, x >> 3, ux >> 3, less, x * y, product.astype(np.int64))[:, :7]}


@TABLE.case("integers.cu", out_and_ints(np.int32, **{"in": np.int32}))
def mixed_signs(launch: Launch, given: Arguments):
    v = given["in"]
    byte, tiny = v.astype(np.uint8).astype(int), v.astype(np.int8).astype(int)
    low = (v.astype(np.int64) % (1 << 32)) < 1000
    even = v % 2 == 0
    return {
        "out": low + 2 * (byte < tiny) + 4 + 8 * (byte < 200) + 16 * (byte + tiny > 127) + 32 * even,
    }


@TABLE.case("integers.cu", out_and_ints(np.int64, 8, **{"in": np.int64}))
def conversions(launch: Launch, given: Arguments):
    kinds = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.bool_, np.int8]
    return {"out": columns(*(given["in"].astype(kind).astype(np.int64) for kind in kinds))}


WIDTHS: dict[str, Any] = {
    "flag": True,
    "c": np.int8(-100),
    "sc": -128,
    "uc": np.uint8(255),
    "s": -32768,
    "us": 65535,
    "i": np.int32(-(2**31)),
    "u": 2**32 - 1,
    "l": -(2**40),
    "ul": np.uint64(2**50),
    "ll": -(2**52),
    "ull": 2**53,
    "f": np.float32(0.1),
    "d": 0.1,
}


@TABLE.case("integers.cu", lambda launch, rng: {"out": np.zeros(14 * launch.size), **WIDTHS})
def arguments_of_every_width(launch: Launch, given: Arguments):
    return {"out": np.tile([float(value) for value in WIDTHS.values()], launch.size)}


@TABLE.case(
    "integers.cu",
    lambda launch, rng: {
        "flags": np.zeros(launch.size, np.bool_),
        "chars": np.zeros(launch.size, np.int8),
        "shorts": np.zeros(launch.size, np.int16),
        "halves": np.zeros(launch.size, np.uint16),
        "bytes": numbers(rng, launch.size, np.uint8),
    },
)
def arrays_of_narrow_types(launch: Launch, given: Arguments):
    v = given["bytes"].astype(np.int64)
    return {
        "flags": v % 3 == 0,
        "chars": v.astype(np.int8),
        "shorts": -v * 100,
        "halves": v * 1000 % 65536,
    }


@TABLE.case(
    "integers.cu",
    lambda launch, rng: {
        "out": np.zeros(launch.size, np.int32),
        "in": rng.integers(0, 2, launch.size).astype(np.bool_),
    },
)
def bool_is_zero_or_one(launch: Launch, given: Arguments):
    b, c = given["in"], np.arange(launch.size) > 0
    either = b | c
    return {"out": either * 1 + c + ~either + np.where(either, 10, 20) + ~b * 100}


@TABLE.case("integers.cu", out_and_ints(np.uint64, **{"in": np.uint32}))
def beyond_32_bits(launch: Launch, given: Arguments):
    i = np.arange(launch.size, dtype=np.uint64)
    product = (i + 5) * 0x123456789
    return {"out": given["in"] + product + (product >> 35) + (np.uint64(1) << i % 64)}


@TABLE.case("integers.cu", out_and_ints(np.int32, **{"in": np.int32}))
def increments(launch: Launch, given: Arguments):
    v = given["in"].astype(np.int64)
    v = np.sign(v) * (abs(v) % 100)
    b, c, d, e = v, v + 2, v + 2, v
    a = (v + 5) * 4 ^ b
    return {"out": a + 3 * b + 5 * (c - d) + 7 * d + 11 * np.sign(e) * (abs(e) % 7)}


# --- bit intrinsics ---


def _bits(values: Array, width: int) -> Array:
    """The bits of each value, the highest first."""
    shifts = np.arange(width - 1, -1, -1, dtype=np.uint64)
    return (values.astype(np.uint64)[:, None] >> shifts) & np.uint64(1)


@TABLE.case("bits.cu", out_and_ints(np.int32, 6, **{"in": np.uint64}))
def count_bits(launch: Launch, given: Arguments):
    results: list[Array] = []
    bits = {width: _bits(given["in"], width).astype(bool) for width in (32, 64)}
    results += [b.sum(axis=1) for b in bits.values()]
    results += [np.where(b.any(axis=1), b.argmax(axis=1), w) for w, b in bits.items()]
    results += [np.where(b.any(axis=1), b[:, ::-1].argmax(axis=1) + 1, 0) for b in bits.values()]
    return {"out": columns(*results)}


@TABLE.case("bits.cu", out_and_ints(np.uint64, 2, **{"in": np.uint64}))
def reverse_bits(launch: Launch, given: Arguments):
    def turned(width: int) -> Array:
        weights = np.uint64(1) << np.arange(width, dtype=np.uint64)
        return (_bits(given["in"], width) * weights).sum(axis=1, dtype=np.uint64)

    return {"out": columns(turned(32), turned(64))}


@TABLE.case("bits.cu", out_and_ints(np.uint32, 4, a=np.uint32, b=np.uint32))
def byte_permute(launch: Launch, given: Arguments):
    i = np.arange(launch.size)
    joined = columns(given["a"], given["b"]).view(np.uint8)

    def permuted(selector: Any) -> Array:
        nibbles = np.stack([np.broadcast_to(selector, i.shape) >> 4 * k & 7 for k in range(4)], axis=-1)
        return np.ascontiguousarray(np.take_along_axis(joined, nibbles, axis=1)).view(np.uint32)[:, 0]

    chosen = i * 0x1111 % 0x7778 & 0x7777
    return {"out": columns(*map(permuted, (0x0123, 0x7250, 0x5410, chosen)))}


@TABLE.case("bits.cu", out_and_ints(np.uint32, 4, low=np.uint32, high=np.uint32))
def funnel_shifts(launch: Launch, given: Arguments):
    out: list[list[int]] = []
    for i, (low, high) in enumerate(zip(given["low"].tolist(), given["high"].tolist(), strict=True)):
        both, wrapped, clamped = high << 32 | low, i % 32, min(i, 32)
        out.append([(both << wrapped >> 32), both >> wrapped, both << clamped >> 32, both >> clamped])
    return {"out": np.array(out, object) % (1 << 32)}


@TABLE.case("bits.cu", out_and_ints(np.int64, 6, a=np.int32, b=np.int32))
def high_products(launch: Launch, given: Arguments):
    def signed(v: int, width: int) -> int:
        v %= 1 << width
        return v - (v >> (width - 1) << width)

    def results(a: int, b: int) -> list[int]:
        wide, other = signed(a << 20 | b, 64), signed(b << 25 ^ a, 64)
        ua, ub = a % 2**32, b % 2**32
        return [
            a * b >> 32,
            ua * ub >> 32,
            wide * other >> 64,
            signed((wide % 2**64) * (other % 2**64) >> 64, 64),
            signed(signed(a, 24) * signed(b, 24), 32),
            (ua % 2**24) * (ub % 2**24) % 2**32,
        ]

    pairs = zip(given["a"].tolist(), given["b"].tolist(), strict=True)
    return {"out": [results(a, b) for a, b in pairs]}


@TABLE.case("bits.cu", out_and_ints(np.uint32, 6, a=np.int32, b=np.int32))
def averages_and_differences(launch: Launch, given: Arguments):
    a, b = given["a"].astype(np.int64), given["b"].astype(np.int64)
    ua, ub = a % (1 << 32), b % (1 << 32)
    means = [(a + b) >> 1, (a + b + 1) >> 1, (ua + ub) >> 1, (ua + ub + 1) >> 1]
    return {"out": columns(*means, abs(a - b) + 7, abs(ua - ub) + 7) % (1 << 32)}


@TABLE.case("bits.cu", out_and_ints(np.int64, 6, a=np.int32, b=np.int32))
def integer_min_max_abs(launch: Launch, given: Arguments):
    a, b = given["a"].astype(np.int64), given["b"].astype(np.int64)
    ua, ub = a % (1 << 32), b % (1 << 32)
    return {
        "out": columns(
            np.minimum(a, b),
            np.maximum(ua, ub),
            abs(np.sign(a) * (abs(a) // 2)),
            np.maximum(a * 8, b),
            abs(b * 4),
            np.minimum(ua, 1000000),
        )
    }
