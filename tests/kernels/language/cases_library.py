# SPDX-License-Identifier: Apache-2.0
"""Expectations of atomics with a scope, and of the C++ library in device code."""

import numpy as np

from ..case import Arguments, Array, Launch, Table, in_and_out

TABLE = Table(__file__)

ONES = np.uint32(0xFFFFFFFF)


def _small(launch: Launch, rng: np.random.Generator) -> Array:
    return rng.integers(-1000, 1000, launch.size, np.int32)


def _cells(launch: Launch, rng: np.random.Generator) -> Arguments:
    cells = np.array([5, 6, ONES, 0, ONES, 0, 0, 0, 0, 0], np.uint32)
    return {"cells": cells, "in": rng.integers(0, 1 << 31, launch.size, np.uint32)}


@TABLE.case("atomic_scopes.cu", _cells)
def suffixes(launch: Launch, given: Arguments):
    v, n = given["in"], launch.size
    total = v.sum(dtype=np.uint32)
    with np.errstate(over="ignore"):
        sums = [2 * total + np.uint32(5), np.uint32(6) - total, v.min(), v.max()]
    folds = [fold.reduce(v) for fold in (np.bitwise_and, np.bitwise_or, np.bitwise_xor)]
    return {"cells": [*sums, *folds, n, 1000001 - n, 1]}


@TABLE.case(
    "atomic_scopes.cu",
    lambda launch, rng: {
        "sums": np.zeros(3 * launch.groups, np.float32),
        "last": np.zeros(launch.groups, np.float32),
    },
)
def within_blocks(launch: Launch, given: Arguments):
    n = launch.items
    return {"sums": np.tile([n * (n - 1) / 2, 0, max(5.5, n - 1)], launch.groups), "last": [10] * launch.groups}


@TABLE.case(
    "atomic_scopes.cu",
    lambda launch, rng: {"two": np.array([1, 2], np.float32), "four": np.array([1, 2, 3, 4], np.float32)},
)
def add_vectors(launch: Launch, given: Arguments):
    n, total = launch.size, launch.size * (launch.size - 1) // 2
    return {"two": [1 + total, 2 + n], "four": [1 + n, 2 + total, 3 + 2 * total, 4 - total]}


@TABLE.case(
    "atomic_scopes.cu",
    lambda launch, rng: {
        "cells": np.array([5, 6, -1, 0, 0, 0, 0]),
        "count": np.array([1], np.uint64),
        "pair": np.array([0, 0], np.int32).view([("low", "i4"), ("high", "i4")]),
        "old": np.arange(launch.size, dtype=np.int32),
        "in": _small(launch, rng),
    },
)
def builtin_functions(launch: Launch, given: Arguments):
    v, n = given["in"].astype(np.int64), launch.size
    folds = [fold.reduce(v) for fold in (np.bitwise_and, np.bitwise_or, np.bitwise_xor)]
    return {
        "cells": [5 + v.sum(), 6 - v.sum(), *folds, min(v.min(), 0), max(v.max(), 0)],
        "count": [1 + 3 * n],
        "pair": np.array([n, -2 * n], np.int32).view(given["pair"].dtype),
        "old": given["old"] + given["in"],
    }


@TABLE.case(
    "atomic_scopes.cu",
    lambda launch, rng: {
        "taken": np.zeros(launch.size, np.uint32),
        "total": np.zeros(1, np.float32),
        "cells": np.zeros(5, np.int32),
        "end": np.array([1 << 20], np.uint64),
        "in": _small(launch, rng),
    },
)
def objects(launch: Launch, given: Arguments):
    v, n = given["in"], launch.size
    return {
        "taken": [1] * n,
        "total": [v.sum()],
        "cells": [min(v.min(), 0), max(v.max(), 0), np.bitwise_or.reduce(v), 2 * n, v.sum()],
        "end": [(1 << 20) - 16 * n],
    }


# --- the C++ library ---


@TABLE.case("standard_library.cu", in_and_out)
def of_std(launch: Launch, given: Arguments):
    return {"out": _standard(given["in"])}


@TABLE.case("standard_library.cu", in_and_out)
def of_cuda_std(launch: Launch, given: Arguments):
    return {"out": _standard(given["in"])}


@TABLE.case("standard_library.cu", in_and_out, name="of_std_20", kernel="of_std", options=("-std=c++20",))
def of_std_20(launch: Launch, given: Arguments):
    return {"out": _standard(given["in"])}


def _standard(v: Array) -> Array:
    kept = np.stack([v % 7, v % 5, v % 3], axis=1)
    low, high = kept.min(axis=1), kept.max(axis=1)
    total = kept.sum(axis=1)
    optional = np.where(v & 1, v % 11, 20)
    clamped = np.clip(v % 100, 10, 60)
    return (low + 10 * high + 100 * total + 1000 * optional + 100000 * clamped + v % 2).astype(np.uint32)
