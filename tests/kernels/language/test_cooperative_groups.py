# SPDX-License-Identifier: Apache-2.0
"""Cooperative groups against NumPy: on all devices what needs no operation of the warp, the rest on the reference."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import lanewise as lw

Numbers = NDArray[np.uint32]
DEVICES = ("cpu", "reference")
CPU_LACKS = "on the CPU device"


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(Path(__file__).with_name("cooperative_groups.cu"))


def numbers(size: int) -> Numbers:
    return np.random.default_rng(size).integers(0, 100, size, np.uint32)


def zeros(*shape: int) -> Numbers:
    return np.zeros(shape, np.uint32)


def launch(module: lw.Module, name: str, grid: Any, block: Any, *arguments: Any, device: str, **more: Any) -> None:
    module[name].launch(grid, block, arguments, device=device, **more)


def bits(chosen: NDArray[Any]) -> int:
    return sum(1 << i for i, bit in enumerate(chosen) if bit)


# -- without operations of the warp --------------------------------------------------------------------------------


@pytest.mark.parametrize("device", DEVICES)
def test_where_threads_stand(module: lw.Module, device: str) -> None:
    grid, block = (2, 3, 2), (4, 3, 2)
    out = zeros(12, 24, 10)
    launch(module, "places", grid, block, out, device=device)
    for b, t in np.ndindex(12, 24):
        place = (b % 2, b // 2 % 3, b // 6)
        thread = (t % 4, t // 4 % 3, t // 12)
        at = place[0] + 10 * place[1] + 100 * place[2]
        expected = [t, 24024, at, thread[0] + 100 * thread[1] + 10000 * thread[2], 4 + 300 + 20000]
        expected += [b, 12 + 1000 * 288, 2 + 30 + 200, at, t + 2400]
        assert out[b, t].tolist() == expected


@pytest.mark.parametrize("device", DEVICES)
def test_a_block_as_any_group(module: lw.Module, device: str) -> None:
    given, out = numbers(192), zeros(192)
    launch(module, "sum_of_block", 3, 64, out, given, device=device, shared=256)
    assert (out == np.repeat(given.reshape(3, 64).sum(axis=1), 64)).all()


@pytest.mark.parametrize("device", DEVICES)
def test_copies_by_a_group(module: lw.Module, device: str) -> None:
    given, out = numbers(120), zeros(120)
    launch(module, "copy_and_reverse", 3, 40, out, given, device=device, shared=160)
    assert (out.reshape(3, 40) == given.reshape(3, 40)[:, ::-1]).all()
    small, bytes_ = np.arange(50, dtype=np.uint8), np.zeros((2, 64), np.uint8)
    launch(module, "copy_bytes", 2, 24, bytes_, small, device=device)
    assert (bytes_ == np.r_[255, small[:37], np.full(26, 255)]).all()


@pytest.mark.parametrize("device", DEVICES)
def test_a_tile_of_one_thread_needs_no_warp(module: lw.Module, device: str) -> None:
    given, out = numbers(80), zeros(80)
    launch(module, "alone", 2, 40, out, given, device=device)
    rank = np.tile(np.arange(40), 2)
    assert (out == 3 * given + 3 * (given & 1) + 2 + 2 + rank).all()


@pytest.mark.parametrize("device", DEVICES)
def test_one_thread_calls(module: lw.Module, device: str) -> None:
    out = zeros(3)
    launch(module, "once_a_block", 3, 40, out, device=device)
    assert out.tolist() == [3, 3, 3]


# -- grids ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(("grid", "block"), [((5, 1), (32, 1)), ((3, 2), (5, 3)), ((1, 1), (7, 1))])
def test_blocks_meet(module: lw.Module, device: str, grid: tuple[int, int], block: tuple[int, int]) -> None:
    size = int(np.prod(grid) * np.prod(block))
    a, b = numbers(size), zeros(size)
    block_x = np.tile(np.repeat(np.arange(grid[0]), np.prod(block)), grid[1])
    expected = [a.copy(), b.copy()]
    for step in range(5):
        expected[1 - step % 2] = (np.roll(expected[step % 2], -37) + block_x).astype(np.uint32)
    launch(module, "shift_through_grid", grid, block, a, b, 5, device=device, cooperative=True)
    assert (a == expected[0]).all()
    assert (b == expected[1]).all()


@pytest.mark.parametrize("device", DEVICES)
def test_a_grid_knows_whether_it_can_meet(module: lw.Module, device: str) -> None:
    for cooperative in (False, True):
        out = zeros(8)
        launch(module, "valid", 2, 4, out, device=device, cooperative=cooperative)
        assert out.tolist() == [int(cooperative)] * 8


@pytest.mark.parametrize("device", DEVICES)
def test_only_cooperative_launches_meet(module: lw.Module, device: str) -> None:
    with pytest.raises(lw.LaunchError, match=r"shift_through_grid.*cooperative=True"):
        launch(module, "shift_through_grid", 2, 32, zeros(64), zeros(64), 1, device=device)


@pytest.mark.parametrize("device", DEVICES)
def test_blocks_that_do_not_come(module: lw.Module, device: str) -> None:
    with pytest.raises(lw.LaunchError, match=r"some_blocks_only.*ended"):
        launch(module, "some_blocks_only", 4, 8, zeros(4), device=device, cooperative=True)


def test_a_grid_too_large_for_the_reference(module: lw.Module) -> None:
    with pytest.raises(lw.LaunchError, match="at most 65536 threads"):
        launch(module, "shift_through_grid", 1000, 256, zeros(8), zeros(8), 1, device="reference", cooperative=True)


# -- warps ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("size", [4, 32])
def test_tiles(module: lw.Module, device: str, size: int) -> None:
    given, out = numbers(64), zeros(64, 16)
    launch(module, f"tiles<{size}>", 1, 64, out, given, device=device)
    for first in range(0, 64, size):
        v = given[first : first + size]
        same = v % 4 == v[0] % 4
        for r in range(size):
            shuffled = [v[1], v[min(r + 1, size - 1)], v[max(r - 1, 0)], v[r ^ 1]]
            votes = [(v % 8 == 0).any(), (v % 8 != 0).all(), bits(v & 1), bits(v % 4 == v[r] % 4)]
            all_same = [bits(same) if same.all() else 0, same.all()]
            places = [first // size + 100 * (64 // size) + 10000 * r]
            combined = [v.sum(), v.min() ^ v.max(), v[: r + 1].sum(), np.bitwise_xor.reduce(v[:r]), first // size]
            assert out[first + r].tolist() == [*shuffled, *votes, *all_same, *places, *combined]


@pytest.mark.parametrize("device", DEVICES)
def test_tiles_of_tiles(module: lw.Module, device: str) -> None:
    given, out = numbers(64), zeros(64)
    launch(module, "nested_tiles", 1, 64, out, given, device=device)
    item = np.arange(64)
    v = given[item // 8 * 8 + 3]
    assert (out == 3 * v + 1000 * (item % 32 // 8) + 400000 + item % 16 + 16).all()


@pytest.mark.parametrize("device", DEVICES)
def test_coalesced_groups(module: lw.Module, device: str) -> None:
    given, out = numbers(64), zeros(64, 12)
    launch(module, "coalesced", 1, 64, out, given, device=device)
    for first in (0, 32):
        members = [i for i in range(first, first + 32) if given[i] % 3]
        v, n = given[members], len(members)
        for r, item in enumerate(members):
            down, up = v[r + 2] if r + 2 < n else v[r], v[r - 2] if r >= 2 else v[r]
            votes = [bits(v & 1), bits(v % 4 == v[r] % 4)]
            sums = [v.sum(), v[: r + 1].sum(), v[:r].sum()]
            four = min(4, n - r // 4 * 4) + 10 * (r // 4) + 100 * -(-n // 4) + 1000 * (r % 4)
            assert out[item].tolist() == [n, r, v[-1], down, up, *votes, *sums, four, v[0]]


@pytest.mark.parametrize("device", DEVICES)
def test_partitions(module: lw.Module, device: str) -> None:
    given, out = numbers(64), zeros(64, 4)
    launch(module, "partitions", 1, 64, out, given, device=device)
    for item in range(64):
        warp = given[item // 32 * 32 :][:32]
        labels = warp % 5
        order = list(dict.fromkeys(labels.tolist()))
        own = labels == given[item] % 5
        assert out[item, 0] == own.sum() + 100 * len(order) + 10000 * order.index(given[item] % 5)
        assert out[item, 1] == warp[own].sum()
        half = (warp & 1) == (given[item] & 1)
        assert out[item, 2] == half.sum() + 100 * half[: item % 32].sum()
        eight = given[item // 8 * 8 :][:8]
        assert out[item, 3] == ((eight & 1) == (given[item] & 1)).sum()


@pytest.mark.parametrize("device", DEVICES)
def test_aggregated_atomics(module: lw.Module, device: str) -> None:
    given, out, count = numbers(128), zeros(128), zeros(1)
    launch(module, "append", 2, 64, out, count, given, device=device)
    odd = given[given % 2 == 1]
    assert count[0] == odd.size
    assert sorted(out[: odd.size]) == sorted(odd)


@pytest.mark.parametrize("device", DEVICES)
def test_updates_of_an_atomic(module: lw.Module, device: str) -> None:
    given, out, total = numbers(128), zeros(128), zeros(1)
    launch(module, "update", 2, 64, total, out, given, device=device)
    assert total[0] == 2 * given.sum()
    for first in range(0, 128, 32):  # each warp goes on from where others were
        v = given[first : first + 32]
        assert (out[first : first + 32] - out[first] == np.cumsum(v) - v).all()
