# SPDX-License-Identifier: Apache-2.0
"""Expectations of reductions, scans, sorts and tiles."""

import numpy as np

from ..case import Arguments, Launch, Table, in_and_out, integers
from .expectations import inputs

TABLE = Table(__file__)
SIDE = 12  # as in tiles.cu


def _reduced(launch: Launch, rng: np.random.Generator) -> Arguments:
    return {"out": np.zeros(launch.groups, np.uint32), "in": integers(rng, launch.size)}


@TABLE.case("collectives.cu", _reduced)
def tree_reduction(launch: Launch, given: Arguments):
    return {"out": inputs(launch, given).sum(axis=1, dtype=np.uint32)}


def _floats(launch: Launch, rng: np.random.Generator) -> Arguments:
    return {"out": np.zeros(launch.groups, np.float32), "in": rng.random(launch.size, np.float32) - 0.25}


@TABLE.case("collectives.cu", _floats)
def float_reduction(launch: Launch, given: Arguments):
    s = launch.by_group(given["in"])
    while s.shape[1] > 1:
        half = (s.shape[1] + 1) // 2
        upper = s[:, half:]
        s = s[:, :half].copy()
        s[:, : upper.shape[1]] += upper
    return {"out": s}


def _long_array(launch: Launch, rng: np.random.Generator) -> Arguments:
    count = 3 * launch.size + launch.size // 2
    return {"out": np.zeros(1, np.uint32), "in": integers(rng, count), "count": count}


@TABLE.case("collectives.cu", _long_array)
def grid_stride_reduction(launch: Launch, given: Arguments):
    return {"out": given["in"].sum(dtype=np.uint32)}


@TABLE.case("collectives.cu", in_and_out)
def inclusive_scan(launch: Launch, given: Arguments):
    return {"out": inputs(launch, given).cumsum(axis=1, dtype=np.uint32)}


@TABLE.case("collectives.cu", in_and_out)
def exclusive_scan(launch: Launch, given: Arguments):
    v = inputs(launch, given)
    return {"out": v.cumsum(axis=1, dtype=np.uint32) - v}


@TABLE.case("collectives.cu", in_and_out)
def stream_compaction(launch: Launch, given: Arguments):
    out = inputs(launch, given)
    for row in out:
        kept = row[row % 2 == 0]
        row[:] = len(kept)
        row[: len(kept)] = kept
    return {"out": out}


def _last_group(launch: Launch, rng: np.random.Generator) -> Arguments:
    return {
        "out": np.zeros(1, np.uint32),
        "partial": np.zeros(launch.groups, np.uint32),
        "arrived": np.zeros(1, np.uint32),
        "in": integers(rng, launch.size),
    }


@TABLE.case("collectives.cu", _last_group)
def last_group_adds_up(launch: Launch, given: Arguments):
    partial = inputs(launch, given).sum(axis=1, dtype=np.uint32)
    return {"out": partial.sum(dtype=np.uint32), "partial": partial}


def _bins(launch: Launch, rng: np.random.Generator) -> Arguments:
    return {"bins": np.arange(13, dtype=np.uint32), "in": integers(rng, launch.size)}


@TABLE.case("collectives.cu", _bins)
def histogram(launch: Launch, given: Arguments):
    return {"bins": given["bins"] + np.bincount(given["in"] % 13, minlength=13)}


@TABLE.case("sorting.cu", in_and_out)
def bitonic_sort(launch: Launch, given: Arguments):
    return {"out": np.sort(inputs(launch, given), axis=1)}


@TABLE.case("sorting.cu", in_and_out)
def odd_even_sort(launch: Launch, given: Arguments):
    return {"out": np.sort(inputs(launch, given), axis=1)}


def _many_equal(launch: Launch, rng: np.random.Generator) -> Arguments:
    return {"out": np.zeros(launch.size, np.uint32), "in": integers(rng, launch.size, 50)}


@TABLE.case("sorting.cu", _many_equal)
def rank_sort(launch: Launch, given: Arguments):
    return {"out": np.sort(inputs(launch, given), axis=1)}


@TABLE.case("sorting.cu", in_and_out)
def radix_sort(launch: Launch, given: Arguments):
    return {"out": np.sort(inputs(launch, given) % 256, axis=1)}


def _tile_a_group(launch: Launch, rng: np.random.Generator) -> Arguments:
    size = launch.groups * SIDE * SIDE
    return {"out": np.zeros(size, np.uint32), "in": integers(rng, size)}


@TABLE.case("tiles.cu", _tile_a_group)
def transpose(launch: Launch, given: Arguments):
    return {"out": given["in"].reshape(-1, SIDE, SIDE).swapaxes(1, 2)}


def _whole_matrices(launch: Launch, rng: np.random.Generator) -> Arguments:
    tiles = 3

    def small(*shape: int) -> np.ndarray:
        return rng.integers(-8, 9, shape).astype(np.float32)

    return {
        "c": np.zeros((launch.groups, SIDE, SIDE), np.float32),
        "a": small(launch.groups, tiles, SIDE, SIDE),
        "b": small(tiles, SIDE, SIDE),
        "tiles": tiles,
    }


@TABLE.case("tiles.cu", _whole_matrices)
def matrix_product(launch: Launch, given: Arguments):
    return {"c": np.einsum("gkij,kjl->gil", given["a"], given["b"])}


def _population(launch: Launch, rng: np.random.Generator) -> Arguments:
    shape = (launch.groups, SIDE, SIDE)
    cells = rng.integers(0, 2, shape, np.uint8)
    return {"out": np.zeros(shape, np.uint8), "in": cells, "generations": 3}


@TABLE.case("tiles.cu", _population)
def game_of_life(launch: Launch, given: Arguments):
    now = given["in"]
    for _ in range(given["generations"]):
        around = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx]
        neighbours = sum(np.roll(now, shift, axis=(1, 2)) for shift in around)
        now = ((neighbours == 3) | ((neighbours == 2) & (now == 1))).astype(np.uint8)
    return {"out": now}


def _words(launch: Launch, rng: np.random.Generator) -> Arguments:
    length = SIDE - 1
    a, b = rng.integers(97, 101, (2, launch.groups, length), np.uint8)
    return {"out": np.zeros(launch.groups, np.int32), "a": a, "b": b, "length": length}


@TABLE.case("tiles.cu", _words)
def wavefront(launch: Launch, given: Arguments):
    def longest(a: bytes, b: bytes) -> int:
        row = [0] * (len(b) + 1)
        for x in a:
            above = row[:]
            for j, y in enumerate(b, 1):
                row[j] = above[j - 1] + 1 if x == y else max(above[j], row[j - 1])
        return row[-1]

    return {"out": [longest(bytes(a), bytes(b)) for a, b in zip(given["a"], given["b"], strict=True)]}


def _regular_matrices(launch: Launch, rng: np.random.Generator) -> Arguments:
    m = rng.random((launch.groups, SIDE, SIDE)) + SIDE * np.eye(SIDE)
    return {"out": np.zeros_like(m), "in": m}


@TABLE.case("tiles.cu", _regular_matrices, tolerance=1e-12)
def lu_decomposition(launch: Launch, given: Arguments):
    m = given["in"].copy()
    for k in range(SIDE - 1):
        m[:, k + 1 :, k] /= m[:, k, k, None]
        m[:, k + 1 :, k + 1 :] -= m[:, k + 1 :, k, None] * m[:, k, None, k + 1 :]
    return {"out": m}


def _line(launch: Launch, rng: np.random.Generator) -> Arguments:
    count = launch.size - launch.items // 3
    line = rng.integers(-1000, 1000, launch.size, np.int32)
    return {"out": np.zeros(launch.size, np.int32), "in": line, "count": count}


@TABLE.case("tiles.cu", _line)
def stencil_with_halo(launch: Launch, given: Arguments):
    count = given["count"]
    out = np.zeros(launch.size, np.int64)
    out[:count] = np.convolve(given["in"][:count], [1, 2, 1])[1:-1]
    return {"out": out}
