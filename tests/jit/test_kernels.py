# SPDX-License-Identifier: Apache-2.0
"""Kernels in Python, on all devices, against NumPy."""

import math
from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import lanewise as lw

TILE = 8
FULL = 0xFFFFFFFF


@pytest.fixture(params=["reference", "cpu"])
def device(request: pytest.FixtureRequest) -> Iterator[str]:
    with lw.on(request.param):
        yield request.param


@pytest.fixture(params=["reference", "cpu", "simt"])
def any_device(request: pytest.FixtureRequest) -> Iterator[str]:
    """Also a device that takes PTX and has memory of its own, which takes longer."""
    with lw.on(request.param):
        yield request.param


@lw.kernel
def places(out: lw.i64[:, :]):  # type: ignore[reportGeneralTypeIssues] : values, not types
    x, y, z = lw.global_id(), lw.global_id(1), lw.global_id(axis=2)
    i = (z * lw.global_size(1) + y) * lw.global_size(0) + x
    out[i, 0] = lw.local_id(0) + 10 * lw.local_id(1) + 100 * lw.local_id(2)
    out[i, 1] = lw.group_id(0) + 10 * lw.group_id(1) + 100 * lw.group_id(2)
    out[i, 2] = lw.local_size(0) + 10 * lw.local_size(1) + 100 * lw.local_size(2)
    out[i, 3] = lw.num_groups(0) + 10 * lw.num_groups(1) + 100 * lw.num_groups(2)
    out[i, 4] = lw.lane_id() + 100 * lw.warp_size


def test_places_and_sizes(device: str):
    grid, block = (3, 2, 2), (4, 2, 3)
    out = np.zeros((12 * 24, 5), np.int64)
    places[grid, block](out)
    size = [g * b for g, b in zip(grid, block, strict=True)]
    z, y, x = (axis.reshape(-1) for axis in np.indices(size[::-1]))
    local, group = [p % b for p, b in zip((x, y, z), block, strict=True)], [x // 4, y // 2, z // 3]
    weights = [1, 10, 100]
    expected = np.empty_like(out)
    expected[:, 0] = sum(w * p for w, p in zip(weights, local, strict=True))
    expected[:, 1] = sum(w * p for w, p in zip(weights, group, strict=True))
    expected[:, 2], expected[:, 3] = 4 + 20 + 300, 3 + 20 + 200
    expected[:, 4] = (local[0] + 4 * (local[1] + 2 * local[2])) % 32 + 3200
    assert (out == expected).all()


@lw.kernel
def product(a, b, c):
    left, right = lw.shared((TILE, TILE), a.dtype), lw.shared((TILE, TILE), np.float32)
    x, y = lw.local_id(0), lw.local_id(1)
    i, j = lw.global_id(1), lw.global_id(0)
    s = np.float32(0)
    for k in range(0, a.shape[1], TILE):
        left[y, x] = a[i, k + x] if i < a.shape[0] and k + x < a.shape[1] else 0.0
        right[y, x] = b[k + y, j] if k + y < b.shape[0] and j < b.shape[1] else 0.0
        lw.barrier()
        for m in range(TILE):
            s += left[y, m] * right[m, x]
        lw.barrier()
    if i < c.shape[0] and j < c.shape[1]:
        c[i, j] = s


def test_tiled_matrix_product(device: str):
    random = np.random.default_rng(1)
    a, b = random.random((13, 20), np.float32), random.random((20, 18), np.float32)
    c = np.zeros((13, 18), np.float32)
    product[(3, 2), (TILE, TILE)](a, b, c)
    np.testing.assert_allclose(c, a @ b, rtol=1e-5)
    c[:] = 0  # strides of all kinds
    product[(3, 2), (TILE, TILE)](a[::-1].T.copy().T, b[:, ::-1], c)
    np.testing.assert_allclose(c, a[::-1] @ b[:, ::-1], rtol=1e-5)


@lw.jit
def of_warp(x, mask):
    delta = lw.warp_size // 2
    while True:
        if delta == 0:
            return x
        x += lw.shfl_down_sync(mask, x, delta)
        delta //= 2


@lw.kernel
def total(a, out, n: int):
    partial = lw.shared(lw.warp_size, lw.f64)
    s = 0.0
    for i in range(lw.global_id(), n, lw.global_size()):
        s += a[i]
    s = of_warp(s, FULL)
    if lw.lane_id() == 0:
        partial[lw.local_id() // lw.warp_size] = s
    lw.barrier()
    if lw.local_id() == 0:
        for w in range(1, lw.local_size() // lw.warp_size):
            s += partial[w]
        lw.atomic.add(out, 0, s)


def test_reduction_by_shuffles(device: str):
    a, out = np.random.default_rng(2).random(1000), np.zeros(1)
    total[3, 64](a, out, len(a))
    np.testing.assert_allclose(out[0], a.sum())


@lw.kernel
def histogram(data, bins):
    own = lw.shared(16, lw.u32)
    t = lw.local_id()
    if t < 16:
        own[t] = 0
    lw.barrier()
    i = lw.global_id()
    if i < data.size:
        lw.atomic.add(own, data[i], 1)
    lw.barrier()
    if t < 16:
        lw.atomic.add(bins, t, own[t])


def test_histogram_by_atomics(device: str):
    data, bins = np.random.default_rng(3).integers(0, 16, 500, np.uint8), np.zeros(16, np.uint32)
    histogram[8, 64](data, bins)
    assert (bins == np.bincount(data, minlength=16)).all()


@lw.kernel
def scan(a, nbytes: int):
    room = lw.dynamic_shared((2, lw.local_size()), a.dtype)
    last = lw.dynamic_shared(1, lw.i32, offset=nbytes - 4)
    t, now, distance = lw.local_id(), 0, 1
    room[0, t] = a[t]
    lw.barrier()
    while distance < lw.local_size():
        room[1 - now, t] = room[now, t] + (room[now, t - distance] if t >= distance else 0)
        now = 1 - now
        distance *= 2
        lw.barrier()
    if t == 0:
        last[0] = now
    lw.barrier()
    a[t] = room[last[0], t]


def test_scan_in_dynamic_shared_memory(any_device: str):
    a = np.random.default_rng(4).integers(-9, 9, 96, np.int32)
    expected = a.cumsum(dtype=np.int32)
    scan[1, 96, 4 * 193](a, 4 * 193)
    assert (a == expected).all()


@lw.kernel
def shuffles(small, whole, halves, narrow, out, pairs):
    t = lw.local_id()
    small[t] = lw.shfl_sync(FULL, small[t], 5)
    whole[t] = lw.shfl_up_sync(FULL, whole[t], 3, width=16)
    halves[t] = lw.shfl_xor_sync(FULL, halves[t], 1)
    narrow[t] = lw.shfl_down_sync(FULL, narrow[t], 2)
    out[t, 0] = lw.ballot_sync(FULL, t % 3 == 0)
    out[t, 1] = lw.any_sync(FULL, t == 7) + 2 * lw.all_sync(FULL, t == 7) + 4 * lw.all_sync(FULL, t < 99)
    out[t, 1] += 1000 * (lw.match_any_sync(FULL, t % 8) == 0x01010101 << t % 8)
    out[t, 1] += 2000 * (lw.match_any_sync(FULL, pairs[t]) == (3 << t // 2 * 2))
    if t < 4:
        out[t, 2] = lw.active_mask()
        lw.sync_warp(0xF)
    lw.sync_warp()
    out[t, 3] = lw.barrier_count(t > 4) + 100 * lw.barrier_or(t == 4) + 200 * lw.barrier_and(t == 4)
    lw.memory_fence()
    lw.memory_fence("group")
    lw.memory_fence(scope="system")


def test_warp_operations(any_device: str):
    lanes = np.arange(32)
    small, whole = lanes.astype(np.float32) / 3, lanes.astype(np.int64) << 40
    halves, narrow = lanes.astype(np.float16), (lanes % 3 == 0)
    before = [each.copy() for each in (small, whole, halves, narrow)]
    out = np.zeros((32, 4), np.int64)
    shuffles[1, 32](small, whole, halves, narrow, out, (lanes // 2).astype(np.float16))
    assert (small == before[0][5]).all()
    assert (whole == before[1][np.where(lanes % 16 < 3, lanes, lanes - 3)]).all()
    assert (halves == before[2][lanes ^ 1]).all()
    assert (narrow == before[3][np.where(lanes < 30, lanes + 2, lanes)]).all()
    assert (out[:, 0] == sum(1 << lane for lane in range(0, 32, 3))).all()
    assert (out[:, 1] == 1 + 4 + 3000).all()
    assert (out[:4, 2] == 0xF).all()
    assert (out[:, 3] == 27 + 100).all()


@lw.kernel
def atomics(ints, unsigned, longs, floats, doubles, before):
    t = lw.local_id()
    lw.atomic.add(ints, 0, t)
    lw.atomic.sub(ints, 1, t)
    lw.atomic.min(ints, 2, -t)
    lw.atomic.max(ints, 3, t)
    lw.atomic.and_(unsigned, (0, 0), ~(1 << t))
    lw.atomic.or_(unsigned, (0, 1), 1 << t)
    lw.atomic.xor(unsigned, (1, 0), 1 << (t % 4))
    lw.atomic.min(unsigned, (1, 1), 3000000000 + t)
    before[t] = lw.atomic.exch(longs, 0, t)
    lw.atomic.cas(longs, 1, 7, 99)
    lw.atomic.cas(longs, 2, 8, 99)
    lw.atomic.max(longs, 3, t)
    lw.atomic.add(floats, 0, 0.5)
    lw.atomic.min(floats, 1, -t)
    lw.atomic.exch(floats, 2, 2.5)
    lw.atomic.cas(floats, 3, 1.5, 2.5)
    lw.atomic.sub(doubles, 0, t)
    lw.atomic.max(doubles, 1, t / 2)


def test_atomics(any_device: str):
    ints, longs = np.zeros(4, np.int32), np.array([-1, 7, 7, 0])
    unsigned = np.array([[FULL, 0], [0, FULL]], np.uint32)
    floats, doubles = np.array([0, 0, 0, 1.5], np.float32), np.zeros(2)
    before = np.zeros(32, np.int64)
    atomics[1, 32](ints, unsigned, longs, floats, doubles, before)
    assert ints.tolist() == [496, -496, -31, 31]
    assert unsigned.tolist() == [[0, FULL], [0, 3000000000]]
    assert sorted([*before, longs[0]]) == list(range(-1, 32))
    assert longs[1:].tolist() == [99, 7, 31]
    assert floats.tolist() == [16, -31, 2.5, 2.5]
    assert doubles.tolist() == [-496, 15.5]


@lw.jit
def root(x, start=1.0):
    """A square root, by Newton's method."""
    for _ in range(50):
        following = (start + x / start) / 2
        if following == start:
            break
        start = following
    return start, x


@lw.kernel
def languages(a, scalar, pair, nested):
    i = lw.global_id()
    if i >= a.shape[5]:
        return
    own = lw.local_array((2, 3), lw.f64)
    for k in range(6):
        own[k // 3, k % 3] = math.sqrt(a[0, 0, k % 2, 0, 0, i]) + np.float32(0.25)
    value, same = root(own[1, 2])
    shift, (scale, on) = nested
    row = a[1, 0, :, 0, 0]
    row[1, i] = value * value - same + (scale if on else 0) + shift
    row[0, i] = pair[0] * pair[1] + scalar[()]


def test_language_and_arguments(any_device: str):
    base = np.random.default_rng(5).random((2, 1, 2, 1, 1, 10)) + 1
    a = base[:, :, ::-1]
    expected = base.copy()[:, :, ::-1]
    languages[2, 8](a, np.array(2.0), (2, np.float32(3)), (1, (4.0, True)))
    expected[1, 0, 1], expected[1, 0, 0] = 5, 8
    np.testing.assert_allclose(a, expected, rtol=1e-12)


def scaled_by(factor: Any):
    @lw.kernel
    def scale(a, k=2):
        a[lw.global_id()] *= factor * k

    return scale


def test_closures_defaults_and_names():
    a = np.ones(4, np.float32)
    scaled_by(3)[1, 4](a)
    scaled_by(np.float32(0.5))[1, 4](k=4, a=a)
    scaled_by(np.float32(0.25))[1, 4](a, 4)
    assert (a == 12).all()


@lw.kernel
def first_of(pair, out):
    out[0] = pair[0][0] * pair[1]


class Size(IntEnum):
    LARGE = 7


class Pair(NamedTuple):
    array: Any
    factor: Any


def test_arrays_and_numbers_of_other_classes(tmp_path: Path):
    out = np.zeros(1)
    for dtype in ("float32", "int16"):
        np.full(4, 3, dtype).tofile(tmp_path / dtype)
        first_of[1, 1]((np.memmap(tmp_path / dtype, dtype), Size.LARGE), out)
        assert out[0] == 21
        first_of[1, 1](Pair(np.full(1, 5, dtype), True), out)
        assert out[0] == 5


@lw.kernel
def add_one(a: lw.f32[:], n: lw.i32):  # type: ignore[reportGeneralTypeIssues] : values, not types
    i = lw.global_id()
    if i < n:
        a[i] += 1


def test_every_form_of_launch(any_device: str):
    stream = lw.Stream()
    buffer = lw.to_device(np.zeros(8, np.float32))
    add_one[1, 8, 0, stream](buffer, 8)
    stream.synchronize()
    add_one.ndrange(8, 4)(buffer, 8)
    add_one.launch(2, 4, (buffer, 7))
    add_one.prepare(2, 4, (buffer, 7))
    assert buffer.copy_to_host().tolist() == [3] * 7 + [2]
    report = add_one.inspect()
    assert "for a: float32[:], n: int32" in report
    assert "add_one" in add_one.module(buffer, 1).ptx()


def test_streams_report_an_index_out_of_bounds():
    stream = lw.Stream()
    outside[1, 4, 0, stream](np.zeros(3), np.zeros((4, 4)))
    with pytest.raises(IndexError, match="index 3 is out of bounds for axis 0 with size 3"):
        stream.synchronize()


@lw.kernel(boundscheck=True)
def outside(a, b):
    i = lw.local_id()
    lw.atomic.add(a, i, b[0, -1])
    lw.barrier()


def test_an_index_out_of_bounds(device: str):
    a = np.zeros(4)
    outside[1, 4](a, np.ones((1, 2)))
    assert (a == 1).all()
    with pytest.raises(IndexError, match=r"test_kernels.py:\d+: index 3 is out of bounds for axis 0 with size 3"):
        outside[1, 4](np.zeros(3), np.zeros((4, 4)))


@lw.kernel
def divergent(a):
    if lw.local_id() < 2:
        lw.barrier()
        a[0] = 1
    lw.barrier()


@lw.kernel
def races(a):
    s = lw.shared(4, lw.f64)
    t = lw.local_id()
    s[t] = t
    a[t] = s[3 - t]


@pytest.mark.parametrize(
    ("kernel", "message"),
    [(divergent, r"barrier.*test_kernels.py:\d+"), (races, r"race.*test_kernels.py:\d+|test_kernels.py:\d+.*race")],
)
def test_the_reference_device_finds(kernel: Any, message: str):
    with pytest.raises(lw.LaunchError, match=message):
        kernel.launch(1, 4, (np.zeros(4),), device="reference")


@lw.kernel
def waits_for_the_grid(a, total):
    lw.atomic.add(total, 0, a[lw.global_id()])
    lw.grid_barrier()
    a[lw.global_id()] = total[0]


def test_a_barrier_of_the_grid(device: str):
    a, total = np.arange(24), np.zeros(1, np.int64)
    waits_for_the_grid.launch(3, 8, (a, total), cooperative=True)
    assert (a == 276).all()


@lw.kernel
def pow(größe):
    größe[lw.global_id()] = math.pow(größe[lw.global_id()], 2)


@lw.kernel
def größe(a):
    a[lw.global_id()] += 1


def test_names_that_are_others_or_not_of_ascii(any_device: str):
    a = np.full(4, 3.0)
    pow[1, 4](a)
    größe[1, 4](a)
    assert (a == 10).all()


@lw.kernel
def talk(a, n: int):
    i = lw.global_id()
    if i == 1:
        print("100%", i, a[i], a[i] > 0, (n, 2.5, "x"), lw.u8(255), None)  # type: ignore[reportCallIssue] : a converter
    print(-n, i, sep="", end="|")


def test_print(device: str, capfd: pytest.CaptureFixture[str]):
    talk[1, 3](np.array([1, 0.1, 3], np.float32), 7)
    out = capfd.readouterr().out
    assert "100% 1 0.1 True (7, 2.5, 'x') 255 None\n" in out
    assert out.count("-7") == 3
    assert "-72|" in out
