# SPDX-License-Identifier: Apache-2.0
"""Arrays that all iterations of a parallel loop add to: equal to the interpreter, on each device and for any number of
threads."""

import os
import subprocess
import sys

import numpy as np
import pytest

import lanewise as lw
from lanewise.jit import geometry

RANDOM = np.random.default_rng(5)


@lw.jit
def histogram(bins, counts):
    for i in lw.prange(bins.shape[0]):
        local = np.zeros(len(counts), counts.dtype)
        for j in range(bins.shape[1]):
            local[bins[i, j]] += 1
        counts += local
    return counts


@lw.jit
def columns(a, total):
    for i in lw.prange(len(a)):
        total[:] += a[i]


@lw.jit
def scaled(a, s):
    for i in lw.prange(len(a)):
        s = s + 0.5 * a[i]
    return s


@lw.jit
def moments(a, first, second):
    count = 0
    for i in lw.prange(len(a)):
        if a[i, 0] > 0:
            first -= a[i]
            second[:, :] += a[i][:, None] * a[i]
            count += 1
    return count


@lw.jit
def extremes(a, low, high):
    for i in lw.prange(len(a)):
        low = np.minimum(low, a[i])
        high = np.maximum(high, a[i])
    return low, high


@lw.jit
def bits(a, some, all_, odd, product):
    for i in lw.prange(len(a)):
        some |= a[i]
        all_ &= a[i]
        odd[:] ^= a[i]
        product *= a[i]


TOTAL = np.zeros(7)


@lw.jit
def into_global(a):
    for i in lw.prange(len(a)):
        TOTAL[:] += a[i]


NUMBERS = RANDOM.integers(-9, 9, (300, 7))
CALLS = [
    (histogram, RANDOM.integers(0, 10, (40, 30)), np.arange(20, dtype=np.uint8)[::-2]),
    (columns, NUMBERS.astype(float), np.ones(7)),
    (columns, NUMBERS.astype("f2"), np.ones((2, 7), "f2")),
    (columns, NUMBERS[:0].astype(float), np.ones(7)),
    (scaled, NUMBERS[:, 0].astype(float), np.ones(())),
    (moments, NUMBERS.astype(float), np.zeros(7), np.zeros((7, 7))),
    (extremes, np.where(NUMBERS == 3, np.nan, NUMBERS).astype("f4"), np.zeros(7, "f4"), np.zeros(7, "f4")),
    (bits, NUMBERS, *(np.full(7, each) for each in (1, -1, 5, 1))),
    (bits, NUMBERS > 0, *(np.full(7, each) for each in (False, True, True, True))),
]  # fmt: skip


@pytest.mark.parametrize("device", ["cpu", "reference", "simt"])
def test_results_of_the_interpreter(device):
    for function, given, *starts in CALLS if device == "cpu" else CALLS[::3]:
        given = given[:20] if device == "reference" else given
        results = [start.copy() for start in starts]
        expected = [start.copy() for start in starts]
        with lw.on(device), np.errstate(all="ignore"):
            returned = function(given, *results)
        with np.errstate(all="ignore"):
            wanted = function.py_func(given, *expected)
        for found, right in zip(results, expected, strict=True):
            np.testing.assert_array_equal(found, right)  # all sums are exact
        np.testing.assert_array_equal(returned, wanted)
        assert getattr(returned, "dtype", None) == getattr(wanted, "dtype", None)
        assert (returned is results[-1]) == (wanted is expected[-1])


def test_an_array_from_outside_of_the_function():
    TOTAL[:] = 0
    into_global(NUMBERS.astype(float))
    np.testing.assert_array_equal(TOTAL, NUMBERS.sum(0))


def test_a_small_device_runs_tiles_and_adds_them_up():
    a = NUMBERS.astype(float).repeat(40, 0)
    simt = lw.device("simt", memory="400 KiB")
    total = np.ones(7)
    with lw.on(simt):
        columns(a, total)
    np.testing.assert_array_equal(total, 1 + a.sum(0))
    report = columns.inspect()
    assert " tiles: 672000 bytes to the device, 0 back" in report
    assert "read a[i]: 8 bytes at" in report


def test_buffers():
    simt = lw.device("simt")
    a, total = lw.to_device(NUMBERS.astype(float), simt), lw.to_device(np.ones(7), simt)
    columns(a, total)
    counts = lw.to_device(np.zeros(2, int), simt)
    assert histogram(lw.to_device(np.zeros((3, 4), int), simt), counts) is counts
    np.testing.assert_array_equal(total.copy_to_host(), 1 + NUMBERS.sum(0))
    np.testing.assert_array_equal(counts.copy_to_host(), [12, 0])
    with pytest.raises(lw.LaunchError, match="'s' is a buffer, and s = s"):
        scaled(a, total)


@lw.jit
def twice(a, first, second):
    for i in lw.prange(len(a)):
        first += a[i]
        second += a[i]


def test_one_array_added_up_in_twice():
    a, total = NUMBERS.astype(float), np.ones(7)
    twice(a, total, total)
    np.testing.assert_array_equal(total, 1 + 2 * NUMBERS.sum(0))
    simt = lw.device("simt")
    buffer = lw.to_device(np.ones(7), simt)
    twice(lw.to_device(a, simt), buffer, buffer)
    np.testing.assert_array_equal(buffer.copy_to_host(), total)


class OfOurs:
    """Not NumPy: its function is no reduction."""

    @staticmethod
    @lw.jit
    def maximum(a: float, b: float) -> float:
        return a + 2 * b


@lw.jit
def combined(a, s):
    for i in lw.prange(len(a)):
        s = OfOurs.maximum(s, a[i])
    return s


def test_a_function_called_maximum_that_is_not_numpys():
    with pytest.raises(lw.CompileError, match="'s' goes from one iteration"):
        combined(np.ones(9), 0.0)


def test_sums_are_the_same_for_any_number_of_threads():
    program = (
        "import numpy as np; from tests.jit.test_array_reductions import scaled; import lanewise as lw;"
        "a = np.random.default_rng(1).random((1000, 5)); print(scaled(a, np.zeros(5)).tolist())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "LANEWISE_NUM_THREADS": threads}, check=True,
            capture_output=True, text=True,
        ).stdout
        for threads in ("1", "3")
    }  # fmt: skip
    assert len(found) == 1


def test_inspection_names_the_copies():
    extremes(NUMBERS, np.zeros(7, int), np.zeros(7, int))
    report = extremes.inspect()
    assert "reduces low by minimum, high by maximum" in report
    assert "private copies of high, low, one for each chunk of iterations" in report


@lw.jit
def mixed(a, s):
    for i in lw.prange(len(a)):
        s += a[i]
        s = s + 1
    return s


@lw.jit(parallel_check=True)
def watched(a, s):
    for i in lw.prange(len(a)):
        s += a[i]


def test_iterations_that_add_up_are_no_conflict():
    s = np.zeros(7, int)
    watched(NUMBERS, s)
    assert (s == NUMBERS.sum(0)).all()


def test_errors():
    with pytest.raises(lw.CompileError, match=r"'s' is an array float32\[:\], and becomes one of float64"):
        scaled(NUMBERS.astype(float), np.zeros(7, "f4"))
    with pytest.raises(lw.CompileError, match=r"updates in place and sets to a new one: write s \+= "):
        mixed(NUMBERS, np.zeros(7, int))
    fixed = np.zeros(7)
    fixed.flags.writeable = False
    with pytest.raises(lw.LaunchError, match="'total' is read-only"):
        columns(NUMBERS.astype(float), fixed)


@pytest.mark.parametrize("most", [3 * 56, 56, 55, 1])
def test_large_arrays_have_few_copies(most, monkeypatch):
    """Down to one, for an array of more bytes than copies may have."""
    monkeypatch.setattr(geometry, "_MOST_COPIED", most)
    total = np.ones(7)
    columns(NUMBERS.astype(float), total)
    np.testing.assert_array_equal(total, 1 + NUMBERS.sum(0))


def test_a_number_may_be_the_minimum_of_numpys_function():
    @lw.jit
    def least(a, s):
        for i in lw.prange(len(a)):
            s = np.minimum(s, a[i])
        return s

    values = np.where(NUMBERS[:, 0] == 3, np.nan, NUMBERS[:, 0])
    assert np.isnan(least(values, 5.0))
    assert least(NUMBERS[:, 0].astype(float), 5.0) == NUMBERS[:, 0].min()
