# SPDX-License-Identifier: Apache-2.0
"""Tiles on a device with little memory, each copied while the one before it runs."""

import threading
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

import lanewise as lw
from lanewise.device.base import Device
from lanewise.jit.nests import host_array
from lanewise.jit.tile_runs import run_tiles
from lanewise.jit.transfers import Tile, TilesOfCall
from lanewise.transfer.affine import AffineForm, counter
from lanewise.transfer.copies import StridedCopy
from lanewise.transfer.costs import DeviceLimits
from lanewise.transfer.nest import ArrayReference, LoopRange
from lanewise.transfer.pipelining import are_disjoint, may_overlap
from lanewise.transfer.plan import plan
from lanewise.transfer.tiling import tile

ROOM = DeviceLimits(1 << 30)
RANDOM = np.random.default_rng(8)


@lw.jit(transfers="exact")
def scaled(a, b):
    for i in lw.prange(len(a)):
        b[i] += 2 * a[i]


@lw.jit(transfers="exact")
def columns_in_place(a):
    for j in lw.prange(a.shape[1]):
        for i in range(1, a.shape[0]):
            a[i, j] += a[i - 1, j]


@lw.jit(transfers="exact")
def sums(a, total):
    largest = 0.0
    for i in lw.prange(a.shape[0]):
        total += a[i]
        largest = max(largest, a[i, 0])
    return largest


@lw.jit(transfers="exact")
def every_third(a, keys):
    for i in lw.prange(len(keys)):
        if keys[i] > 0:
            a[3 * i] = keys[i]


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (scaled, (np.arange(20_000.0), np.ones(20_000))),
        (columns_in_place, (RANDOM.integers(0, 9, (50, 700)).astype(float),)),
        (sums, (RANDOM.integers(0, 9, (9000, 4)).astype(float), np.zeros(4))),
        (every_third, (np.zeros(30_000), RANDOM.integers(-3, 9, 10_000))),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_results_and_report(function: Any, arguments: tuple[Any, ...]):
    results, expected = ([each.copy() for each in arguments] for _ in range(2))
    room = 400 if function is sums else 128  # the sums of numbers take 256 KiB of it
    with lw.on(lw.device("simt", memory=f"{room} KiB")):
        returned = function(*results)
    assert returned == function.py_func(*expected)
    for found, right in zip(results, expected, strict=True):
        np.testing.assert_array_equal(found, right)
    assert "; each tile is copied while the one before it runs" in function.inspect()


def columns(array: Any, access: Any, count: int = 8) -> tuple[Any, list[ArrayReference]]:
    """Columns of an array, in a parallel loop over them."""
    loops = LoopRange("j", count), LoopRange("i", array.shape[0], parallel=False)
    return loops, [ArrayReference(host_array("a", array), (counter("i"), counter("j")), access)]


def halves(loops: Any, references: Any, transfers: Any) -> list[Any]:
    first, *others = loops
    parts = (first.upper // 2, 0), (first.upper, first.upper // 2)
    return [
        plan((LoopRange(first.name, upper, lower), *others), references, transfers, strided=True)
        for upper, lower in parts
    ]


def test_needs():
    updated = columns(np.zeros((10, 8)), "update")
    assert may_overlap(halves(*updated, "exact"), ROOM)
    assert not may_overlap(halves(*updated, "exact")[:1], ROOM)  # 1
    assert not may_overlap(halves(*updated, "exact"), DeviceLimits(10 * 8 * 8 - 1))  # 2
    assert may_overlap(halves(*updated, "exact"), DeviceLimits(10 * 8 * 8))
    assert not may_overlap(halves(*updated, "interval"), ROOM)  # 3
    assert may_overlap(halves(*columns(np.zeros((10, 8)), "read"), "interval"), ROOM)
    memory = np.zeros(9)
    chain = [
        ArrayReference(host_array("a", memory), (counter("j"),), "write"),
        ArrayReference(host_array("a", memory), (AffineForm(3),), "read"),
    ]
    assert not may_overlap(halves((LoopRange("j", 8),), chain, "exact"), ROOM)  # 3


def test_copies_that_share_bytes():
    rows = StridedCopy(1000, 0, 8, (64,), (8,), (10,))
    assert are_disjoint([rows], [moved(rows, 8)])
    assert not are_disjoint([rows], [moved(rows, 7)])
    assert not are_disjoint([rows], [StridedCopy(1064, 0, 1)])
    assert are_disjoint([rows], [StridedCopy(1056, 0, 8)])
    assert are_disjoint([rows], [])
    many = StridedCopy(1000, 0, 8, (64,), (8,), (1 << 17,))
    assert not are_disjoint([many], [moved(many, 8)])  # too many blocks to look at
    assert are_disjoint([many], [moved(many, 1 << 24)])


def moved(copy: StridedCopy, distance: int) -> StridedCopy:
    return StridedCopy(
        copy.host + distance, copy.packed, copy.block, copy.host_strides, copy.packed_strides, copy.counts
    )


class Watched:
    """A memory that tells when a tile has been written to it."""

    def __init__(self) -> None:
        self.memory = lw.device("simt", memory="1 MiB").memory
        self.sent = threading.Semaphore(0)
        self.threads: set[int] = set()

    def write(self, address: int, data: Any) -> None:
        self.memory.write(address, data)
        self.threads.add(threading.get_ident())
        self.sent.release()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.memory, name)


def tiles_of(a: Any, count: int) -> TilesOfCall:
    loops = (LoopRange("i", len(a)),)
    references = [ArrayReference(host_array("a", a), (counter("i"),), "update")]
    plans = tile(loops, references, DeviceLimits(a.nbytes // count), strided=True)
    assert len(plans) == count
    assert may_overlap(plans, ROOM)
    return TilesOfCall([Tile((range(1),), each) for each in plans], overlaps=True)


def test_the_next_tile_is_there_before_one_has_run():
    a = np.zeros(64)
    tiling = tiles_of(a, 4)
    memory = Watched()
    device = cast("Device", SimpleNamespace(memory=memory, name="watched"))

    def run(number: int, places: Any) -> None:
        for _ in range(1 if number else 2):
            assert number == 3 or memory.sent.acquire(timeout=30)
        memory.memory.write(places["a"].address + 128 * number, np.full(16, number + 1.0).view(np.uint8))

    before = memory.free_bytes()
    run_tiles(device, tiling, {"a": a}, {}, run)
    assert (a == np.repeat([1, 2, 3, 4], 16)).all()
    assert threading.get_ident() not in memory.threads
    assert memory.free_bytes() == before


def test_what_a_tile_raises_ends_the_copies():
    a = np.zeros(64)
    memory = Watched()
    device = cast("Device", SimpleNamespace(memory=memory, name="watched"))

    def run(number: int, places: Any) -> None:
        if number == 1:
            raise ValueError("in a tile")
        memory.memory.write(places["a"].address, np.full(16, 7.0).view(np.uint8))

    before = memory.free_bytes()
    with pytest.raises(ValueError, match="in a tile"):
        run_tiles(device, tiles_of(a, 4), {"a": a}, {}, run)
    assert (a == np.repeat([7, 0, 0, 0], 16)).all()
    assert memory.free_bytes() == before
