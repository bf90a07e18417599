# SPDX-License-Identifier: Apache-2.0
"""What programs do with warps: sums, scans, sorts, exchanges."""

from typing import Any

import numpy as np

from ..case import Arguments, Array, Launch, MakeArguments, Table
from .expectations import ON_FULL_WARPS, launches, warps

TABLE = Table(__file__)
FILE = "idioms.cu"


def whole_numbers(dtype: Any, high: int = 100) -> MakeArguments:
    """Small ones, of which every sum is exact."""

    def make(launch: Launch, rng: np.random.Generator) -> Arguments:
        return {"out": np.zeros(launch.size, dtype), "in": rng.integers(0, high, launch.size).astype(dtype)}

    return make


def in_place(launch: Launch, rng: np.random.Generator) -> Arguments:
    return {"data": rng.integers(0, 1 << 32, launch.size, np.uint32)}


def rows(values: Array, width: int = 32) -> Array:
    return values.reshape(-1, width)


def one_a(count: int, values: Array, given: Array) -> Array:
    """The values in the first places of an array of the size of `given`, zeros behind them."""
    return np.concatenate([values, np.zeros(given.size - count, values.dtype)])


@TABLE.case(FILE, whole_numbers(np.float32), launches=ON_FULL_WARPS)
def sum_by_shuffles(launch: Launch, given: Arguments):
    sums = rows(given["in"]).sum(axis=1)
    return {"out": one_a(sums.size, sums, given["in"])}


@TABLE.case(FILE, whole_numbers(np.float64), launches=ON_FULL_WARPS)
def sum_in_all_lanes(launch: Launch, given: Arguments):
    return {"out": np.repeat(rows(given["in"]).sum(axis=1), 32)}


def bounded(launch: Launch, rng: np.random.Generator) -> Arguments:
    return whole_numbers(np.int32)(launch, rng) | {"n": launch.size - 3}


@TABLE.case(FILE, bounded, launches=launches(((32,), (70,), (24, 3), (1024,), (300,))))
def sum_of_the_block(launch: Launch, given: Arguments):
    sums = launch.by_group(np.where(np.arange(launch.size) < given["n"], given["in"], 0)).sum(axis=1)
    return {"out": one_a(sums.size, sums, given["in"])}


@TABLE.case(FILE, whole_numbers(np.int32), launches=ON_FULL_WARPS)
def inclusive_scan(launch: Launch, given: Arguments):
    return {"out": rows(given["in"]).cumsum(axis=1)}


@TABLE.case(FILE, whole_numbers(np.int64, 1 << 50), launches=ON_FULL_WARPS)
def scan_of_segments(launch: Launch, given: Arguments):
    return {"out": rows(given["in"], 8).cumsum(axis=1)}


def with_places(launch: Launch, rng: np.random.Generator) -> Arguments:
    made = whole_numbers(np.float32, 20)(launch, rng)
    return {"out": made["out"], "places": np.zeros(launch.size, np.int32), "in": made["in"]}


@TABLE.case(FILE, with_places, launches=ON_FULL_WARPS)
def greatest_and_its_place(launch: Launch, given: Arguments):
    v = rows(given["in"])
    places = v.argmax(axis=1) + 32 * np.arange(len(v))
    return {"out": np.repeat(v.max(axis=1), 32), "places": np.repeat(places, 32)}


@TABLE.case(FILE, in_place, launches=ON_FULL_WARPS)
def bitonic_sort(launch: Launch, given: Arguments):
    return {"data": np.sort(rows(given["data"]), axis=1)}


@TABLE.case(FILE, in_place, launches=ON_FULL_WARPS)
def transpose_bits(launch: Launch, given: Arguments):
    bits = rows(given["data"])[:, :, None] >> np.arange(32, dtype=np.uint32) & 1
    return {"data": (bits.astype(np.uint64) << np.arange(32, dtype=np.uint64)[:, None]).sum(axis=1)}


@TABLE.case(FILE, whole_numbers(np.uint32), launches=ON_FULL_WARPS)
def partition(launch: Launch, given: Arguments):
    return {"out": [np.concatenate([row[row % 2 == 1], row[row % 2 == 0]]) for row in rows(given["in"])]}


def bins(launch: Launch, rng: np.random.Generator) -> Arguments:
    return {"bins": np.zeros(16, np.int32), "in": rng.integers(0, 1 << 32, launch.size, np.uint32)}


@TABLE.case(FILE, bins)
def histogram(launch: Launch, given: Arguments):
    return {"bins": np.bincount(given["in"] % 16, minlength=16)}


def rounds(launch: Launch, rng: np.random.Generator) -> Arguments:
    return whole_numbers(np.uint32, 1 << 32)(launch, rng) | {"rounds": 3}


@TABLE.case(FILE, rounds)
def exchange_in_shared_memory(launch: Launch, given: Arguments):
    v = given["in"].copy()
    for place in warps(launch):
        for k in range(given["rounds"]):
            v[place.items] = v[place.items] * 3 + np.roll(v[place.items], -(k + 1))
    return {"out": v}


@TABLE.case(FILE, whole_numbers(np.uint32), launches=ON_FULL_WARPS)
def exchange_of_some(launch: Launch, given: Arguments):
    v = rows(given["in"])
    odd = v % 2 == 1
    stored = np.where(odd, v, 0)
    neighbours = rows(stored.reshape(-1, 2)[:, ::-1].copy())
    first = np.take_along_axis(v, odd.argmax(axis=1)[:, None], axis=1)
    return {"out": np.where(odd, v + neighbours + first, v)}


@TABLE.case(
    FILE,
    whole_numbers(np.uint32),
    kernel="warp_synchronous_reduction<unsigned int>",
    name="warp_synchronous_reduction<unsigned>",
    shared=lambda launch: 4 * launch.items,
    launches=launches(((64,), (16, 16))),
)
@TABLE.case(
    FILE,
    whole_numbers(np.float32),
    kernel="warp_synchronous_reduction<float>",
    name="warp_synchronous_reduction<float>",
    shared=lambda launch: 4 * launch.items,
    launches=launches(((128,), (64,))),
)
def warp_synchronous_reduction(launch: Launch, given: Arguments):
    sums = launch.by_group(given["in"]).sum(axis=1)
    return {"out": one_a(sums.size, sums, given["in"])}


@TABLE.case(FILE, whole_numbers(np.uint32), launches=ON_FULL_WARPS)
def warp_synchronous_scan(launch: Launch, given: Arguments):
    return {"out": np.concatenate([given["in"][place.items].cumsum() for place in warps(launch)])}
