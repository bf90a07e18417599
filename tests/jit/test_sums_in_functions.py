# SPDX-License-Identifier: Apache-2.0
"""Functions that a parallel loop calls: their sums in shared elements are atomic, and their conflicts are reported, as
those of the loop itself are."""

import numpy as np
import pytest

import lanewise as lw

RANDOM = np.random.default_rng(12)
STEP = 3
i = 1  # a global of the name that loops count by


@lw.jit
def add(sums, k, value=STEP):
    sums[k] = sums[k] + value


@lw.jit
def add_below(row, k, value):
    add(value=value, k=k - 1, sums=row)
    if value > 1:
        return
    row[k] -= value


@lw.jit
def add_down(sums, k):
    if k >= 0:
        sums[k] += 1
        add_down(sums, k - 1)


@lw.jit
def add_to_field(particle, value):
    particle["count"] += value


@lw.jit
def histogram(bins, counts):
    for i in lw.prange(len(bins)):
        add(counts, bins[i])


@lw.jit
def of_rows(bins, table):
    for i in lw.prange(len(bins)):
        row = table[1]
        add_below(row, bins[i] + 1, i % 3)


@lw.jit
def triangle(bins, counts):
    for i in lw.prange(len(bins)):
        add_down(counts, bins[i])


@lw.jit
def of_records(bins, records):
    for i in lw.prange(len(bins)):
        add_to_field(records[bins[i]], 2)


@lw.jit
def own_elements(bins, counts):
    for i in lw.prange(len(bins)):
        add(counts, i, bins[i])


RECORD = np.dtype([("count", "i4"), ("other", "f4")], align=True)
SUMS = [
    (histogram, np.zeros(5, np.int64)),
    (of_rows, np.zeros((2, 6), np.float32)),
    (triangle, np.zeros(5, np.int32)),
    (of_records, np.zeros(5, RECORD)),
]


@pytest.mark.parametrize("device", ["cpu", "reference", "simt"])
@pytest.mark.parametrize(("function", "zeros"), SUMS)
def test_no_sum_is_lost(device: str, function, zeros: np.ndarray):
    bins = RANDOM.integers(0, 5, 100 if device == "reference" else 8000)
    sums, expected = zeros.copy(), zeros.copy()
    with lw.on(device):
        function(bins, sums)
    function.py_func(bins, expected)
    assert (sums == expected).all()


def test_each_iteration_with_an_element_of_its_own_needs_no_atomic_sum():
    counts, small = np.ones(100, np.int64), np.zeros(100, np.uint8)
    own_elements(np.arange(100), counts)
    assert (counts == np.arange(1, 101)).all()
    own_elements(np.ones(100, np.uint8), small)  # there are no atomic sums of 8 bits
    assert (small == 1).all()


def test_small_elements_are_refused():
    with pytest.raises(lw.CompileError, match="may add to the same element of an array uint8"):
        histogram(np.zeros(9, int), np.zeros(5, np.uint8))


@lw.jit
def before(array, k):
    return array[k - i]


@lw.jit
def put_first(array, value):
    array[0] = value
    return value


@lw.jit
def add_whole(row, value):
    row += value


@lw.jit
def shifted(a):
    for i in lw.prange(1, len(a)):
        a[i] = before(a, i)


@lw.jit
def one_for_all(a, b):
    for i in lw.prange(len(a)):
        a[i] = put_first(b, 2.0) + 1


@lw.jit
def perhaps(a, b):
    for i in lw.prange(len(a)):
        a[i] = put_first(b, 2.0) if a[i] > 5 else 0.0


@lw.jit
def whole(a, b):
    for i in lw.prange(len(a)):
        add_whole(b, a[i])


@lw.jit(parallel_check=True)
def histogram_checked(bins, counts):
    for i in lw.prange(len(bins)):
        add(counts, bins[i])


@pytest.mark.parametrize(
    ("function", "reason", "arrays"),
    [
        (shifted, "'a[i]', and the one whose i is 1 more reads the same element as 'array[k - i]' in line", (4,)),
        (one_for_all, "'array[0]', and the one whose i is 1 more writes the same element as 'array[0]'", (4, 1)),
        (whole, "which this updates in place: write row[:] += ...", (4, 3)),
    ],
)
def test_conflicts_are_reported(function, reason: str, arrays: tuple[int, ...]):
    with pytest.raises(lw.CompileError, match=r"test_sums_in_functions.py:\d+:\d+: error: ") as error:
        function(*map(np.ones, arrays))
    assert reason in str(error.value)


def test_what_is_not_certain_runs():
    a = np.arange(5.0)
    perhaps(a, np.zeros(1))
    assert (a == 0).all()


def test_atomic_sums_are_no_conflicts():
    counts = np.zeros(5, np.int64)
    histogram_checked(np.array([1, 1, 2]), counts)
    assert counts.tolist() == [0, 6, 3, 0, 0]
