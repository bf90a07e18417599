# SPDX-License-Identifier: Apache-2.0
"""Parallel loops on a device with memory of its own: what is copied, and what they compute there."""

import contextlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanewise as lw
from lanewise.jit.transfers import TransferReport

ROOM = lw.device("simt", memory="64 MiB")


def on_device(function: Any, *arguments: Any, device: lw.Device = ROOM) -> TransferReport:
    """Compare a function on a device with Python's; the transfers of its only region."""
    expected, given = ([each.copy() if isinstance(each, np.ndarray) else each for each in arguments] for _ in range(2))
    right = function.py_func(*expected)
    with lw.on(device):
        found = function(*given)
    for ours, correct in zip(given, expected, strict=True):
        np.testing.assert_allclose(ours, correct, rtol=1e-12)
    if right is not None:
        assert found == pytest.approx(right, rel=1e-12)
    report = function.inspect()
    assert "bytes to the device" in report
    (region,) = function._regions
    *_, transfers = region.transfers.values()
    assert transfers.last is not None
    return transfers.last


@lw.jit(transfers="exact")
def every_other(a, b, n):
    for i in lw.prange(n):
        b[i] = a[2 * i] + 1.0


def test_elements_at_a_stride_are_packed():
    report = on_device(every_other, np.arange(1000.0), np.zeros(1000), 300)
    assert report == TransferReport(("packed",), 1, 2400, 2400, 16000)


@lw.jit(transfers="exact")
def stencil(a, b):
    for i in lw.prange(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            b[i, j] = a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1]


def test_a_stencil_copies_all_but_the_corners_and_back_the_inner_points():
    report = on_device(stencil, np.random.default_rng(1).random((30, 40)), np.zeros((30, 40)))
    assert report.bytes_in == 8 * (30 * 40 - 4)
    assert report.bytes_out == 8 * 28 * 38


@lw.jit(transfers="exact")
def row_maxima(a, b):
    for i in lw.prange(0, a.shape[0], 2):
        row = a[i]
        greatest = row[0]
        for j in range(1, len(row)):
            greatest = max(greatest, row[j])
        for j in range(len(row)):
            b[i, j] = row[j] - greatest


@pytest.mark.parametrize("turned", [False, True])
def test_rows_by_a_local_name_and_loops_side_by_side(turned: bool):
    a, b = np.random.default_rng(2).random((21, 30)), np.zeros((21, 30))
    if turned:
        a, b = a[::-1, ::-1], np.zeros((21, 60))[:, ::-2]
    report = on_device(row_maxima, a, b)
    assert (report.bytes_in, report.bytes_out) == (8 * 11 * 30, 8 * 11 * 30)


@lw.jit(transfers="exact")
def triangle(a, b, n):
    for i in lw.prange(n):
        for j in range(i + 1):
            b[i, j] = a[j, i] * 2


def test_a_triangle():
    report = on_device(triangle, np.random.default_rng(3).random((30, 30)), np.zeros((30, 30)), 20)
    assert (report.bytes_in, report.bytes_out) == (8 * 210, 8 * 210)


@lw.jit(transfers="exact")
def whatever(index, a, b, c, n):
    for i in lw.prange(n):
        k = i + 1
        if index[i] > 3:
            b[i] = a[index[i]]
        else:
            k = index[i]
        c[i] = a[k]


def test_what_is_not_understood_copies_whole_arrays_or_keeps_what_was_there():
    index = np.random.default_rng(4).permutation(100)
    report = on_device(whatever, index, np.arange(120.0), np.full(120, -1.0), np.zeros(120), 80)
    assert report.kinds == ("packed", "whole")
    assert report.bytes_in == 8 * (80 + 120 + 80)  # the index, all of a, and b, which is written under a condition


@lw.jit(transfers="exact")
def shifted_if_there(a, b):
    for i in lw.prange(len(a)):
        if i > 0:
            b[i] = a[i - 1]


def test_a_condition_that_keeps_an_index_within_its_array():
    on_device(shifted_if_there, np.arange(50.0), np.zeros(50))


@lw.jit(transfers="exact")
def in_place(a, b):
    for i in lw.prange(len(b)):
        b[i] = 2 * a[i + 1]


def test_arrays_that_overlap_share_a_buffer():
    memory = np.arange(64.0)
    expected = memory.copy()
    in_place.py_func(expected[1::2], expected[2:60:4])
    with lw.on(ROOM):
        in_place(memory[1::2], memory[2:60:4])
    assert (memory == expected).all()


@lw.jit(transfers="exact")
def matrix_product(a, b, c):
    for i in lw.prange(c.shape[0]):
        for j in range(c.shape[1]):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total


def test_a_small_device_works_in_tiles():
    random = np.random.default_rng(5)
    a, b = random.random((60, 50)), random.random((50, 40))
    small = lw.device("simt", memory="64 KiB")
    expected = a @ b
    c = np.zeros((60, 40))
    with lw.on(small):
        matrix_product(a, b, c)
    np.testing.assert_allclose(c, expected)
    (region,) = matrix_product._regions
    *_, transfers = region.transfers.values()
    assert transfers.last is not None
    assert transfers.last.tiles > 1
    assert "tiles: " in matrix_product.inspect()


@lw.jit(transfers="exact")
def sum_of_last_row(a):
    total = 0.0
    for i in lw.prange(a.shape[1]):
        total += a[-1, i]
    return total


def test_a_reduction_by_tiles():
    a = np.random.default_rng(6).random((4, 20_000))
    report = on_device(sum_of_last_row, a)
    assert (report.tiles, report.bytes_in) == (1, 160_000)
    assert on_device(sum_of_last_row, a, device=lw.device("simt", memory="384 KiB")).tiles > 1


def test_a_device_too_small_for_one_tile_leaves_the_arrays_alone():
    a, b, c = np.ones((4, 9000)), np.ones((9000, 4)), np.zeros((4, 4))
    with (
        pytest.raises(lw.LaunchError, match=r"matrix_product:\d+: .*too little memory.*\(i, j\)"),
        lw.on(lw.device("simt", memory="64 KiB")),
    ):
        matrix_product(a, b, c)
    assert not c.any()


def test_other_transfers():
    with pytest.raises(lw.Error, match="transfers='packed'"):
        lw.jit(transfers="packed")  # type: ignore[arg-type]
    a, b = np.arange(1000.0), np.zeros(1000)
    for choice, bytes_in in (("interval", 4792 + 2400), ("whole", 16000)):
        function = lw.jit(transfers=choice)(every_other.py_func)  # type: ignore[arg-type]
        assert on_device(function, a, b, 300).bytes_in == bytes_in


@lw.jit
def sum_of_row(row):
    total = 0.0
    for i in range(len(row)):
        total += row[i]
    return total


@lw.jit
def sums_of_rows(a, b):
    for i in lw.prange(len(b)):
        b[i] = sum_of_row(a[i])


def test_read_only_memory_is_never_copied_back(tmp_path: Path):
    (tmp_path / "a").write_bytes(np.arange(60.0).tobytes())
    a = np.asarray(np.memmap(tmp_path / "a", np.float64, "r", shape=(6, 10)))  # a store would be a fault
    b = np.zeros(6)
    with lw.on(ROOM):
        sums_of_rows(a, b)
    assert (b == a.sum(axis=1)).all()


@lw.jit(transfers="exact")
def shifted_by(a, b, k):
    for i in lw.prange(len(b)):
        b[i] = a[i + k]


def test_subscripts_of_numbers_that_wrap():
    a, b = np.arange(400.0), np.zeros(10)
    with lw.on(ROOM):
        shifted_by(a, b, np.uint8(250))
    assert b.tolist() == [250, 251, 252, 253, 254, 255, 0, 1, 2, 3]  # as NumPy adds an int to a uint8
    assert on_device(shifted_by, a, b, 250).bytes_in == 80


@lw.jit
def running_rows(pair, b):
    for i in lw.prange(b.shape[0]):
        for j in range(1, b.shape[1]):
            b[i, j] = pair[0][i, j - 1] + pair[1]


@pytest.mark.parametrize("device", [None, ROOM])
def test_arrays_in_tuples(device: lw.Device | None):
    memory = np.zeros((5, 40))
    with lw.on(device) if device else contextlib.nullcontext():
        running_rows((memory, 2.0), memory)
    assert (memory == 2.0 * np.arange(40)).all()


@lw.jit(transfers="exact")
def ones_per_row(a, b):
    for i in lw.prange(len(a)):
        b[i] = 1.0


def test_arrays_that_no_iteration_touches_need_no_room():
    b = np.zeros(3000)
    with lw.on(lw.device("simt", memory="48 KiB")):
        ones_per_row(np.zeros((3000, 100)), b)
    assert b.all()


def test_a_device_in_another_process(apart: lw.Device):
    report = on_device(
        lw.jit(transfers="exact")(every_other.py_func), np.arange(200.0), np.zeros(200), 60, device=apart
    )
    assert (report.bytes_in, report.bytes_out) == (480, 480)
