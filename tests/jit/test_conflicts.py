# SPDX-License-Identifier: Apache-2.0
"""Iterations of a parallel loop that conflict: proven before the run, or found by `parallel_check=True`."""

import numpy as np
import pytest

import lanewise as lw


@lw.jit
def shifted(a):
    for i in lw.prange(1, len(a)):
        a[i] = a[i - 1] + 1.0


@lw.jit
def same_element(a, b):
    for i in lw.prange(len(a)):
        b[0] = a[i]


@lw.jit
def through_rows(a):
    for i in lw.prange(a.shape[0] - 1):
        row = a[i]
        below = a[i + 1]
        for j in lw.prange(a.shape[1]):
            row[j] = 2 * below[j]


@lw.jit
def doubled_last(a):
    for _i in lw.prange(len(a)):
        a[-1] *= 2


@lw.jit
def columns_twice(a, b):
    for i in lw.prange(a.shape[0]):
        for j in lw.prange(a.shape[1]):
            b[j] = a[i, j]


PROVEN = [
    (shifted, "'a[i]', and the one whose i is 1 more reads the same element as 'a[i - 1]'", (np.ones(5),)),
    (same_element, "'b[0]', and the one whose i is 1", (np.ones(5), np.ones(1))),
    (through_rows, "one whose i is 1 less reads the same element as 'below[j]': iter", (np.ones((3, 4)),)),
    (doubled_last, "'a[-1]', and the one whose _i is 1", (np.ones(5),)),
    (columns_twice, "'b[j]', and the one whose i is 1", (np.ones((3, 4)), np.ones(4))),
]


@pytest.mark.parametrize(("function", "reason", "arrays"), PROVEN)
def test_proven(function, reason: str, arrays: tuple[np.ndarray, ...]):
    before = [each.copy() for each in arrays]
    with pytest.raises(lw.CompileError, match=r"test_conflicts.py:\d+:\d+: error: iterations") as error:
        function(*arrays)
    assert reason in str(error.value)
    assert all((a == b).all() for a, b in zip(arrays, before, strict=True)), "nothing has run"


def test_few_iterations_do_not_conflict():
    a, b = np.ones(2), np.zeros(1)
    shifted(a)
    same_element(a[:1], b)
    assert a[1] == 2
    assert b[0] == 1


@lw.jit
def apart(a, b, n):
    for i in lw.prange(n):
        if b[i] > 0:
            a[i] = a[i + 1]
        b[2 * i + n] = b[2 * i + n + 1]
        a[i + n] = a[i + n] + b[i]


def test_what_is_not_proven_runs():
    apart(np.ones(20), -np.ones(40), 10)


@lw.jit(parallel_check=True)
def scattered(a, to, b):
    total = 0.0
    for i in lw.prange(len(a)):
        b[to[i]] = a[i]
        total += a[i]
    return total


@lw.jit(parallel_check=True)
def neighbours(a, order, b):
    for i in lw.prange(0, len(order), 2):
        for j in lw.prange(2):
            b[i + j] = a[order[i + j]]


@lw.jit
def set_to(row, k, value):
    row[k] = value


@lw.jit(parallel_check=True)
def by_a_function(a, to):
    for i in lw.prange(len(to)):
        set_to(a[0], to[i], i)


@lw.jit(parallel_check=True)
def counted(to, counts):
    for i in lw.prange(len(to)):
        counts[to[i]] += 1


@lw.jit(boundscheck=True, parallel_check=True)
def scattered_within_bounds(a, to, b):
    for i in lw.prange(len(a)):
        set_to(b, to[i], a[i])


def _message(function, *arguments) -> str:
    with pytest.raises(lw.LaunchError) as error:
        function(*arguments)
    return str(error.value)


def test_both_checks_at_once():
    b = np.zeros(5)
    scattered_within_bounds(np.arange(5.0), np.array([4, 3, 2, 1, 0]), b)
    assert list(b) == [4, 3, 2, 1, 0]
    assert "conflict at b[3]: both write it" in _message(
        scattered_within_bounds, np.ones(3), np.array([3, 1, 3]), np.zeros(5)
    )
    with pytest.raises(IndexError, match="index 5 is out of bounds for axis 0 with size 5"):
        scattered_within_bounds(np.ones(3), np.array([3, 5, 1]), np.zeros(5))


def test_two_writes():
    to, b = np.arange(100), np.zeros(100)
    assert scattered(np.ones(100), to, b) == 100
    assert (b == 1).all()
    to[70] = 30
    message = _message(scattered, np.ones(100), to, b)
    assert "test_conflicts.py:87: iterations i=30 and i=70 of a parallel loop conflict at b[30]" in message
    assert "both write it, in line 87" in message


def test_parts_of_one_array():
    a, order = np.zeros((2, 10)), np.arange(10)
    neighbours(a[0], order, a[1])
    message = _message(neighbours, a[:, ::-1][0], order, a[0])
    assert "iterations (i=4, j=1) and (i=4, j=0)" not in message
    assert "iterations (i=4, j=0) and (i=4, j=1) of a parallel loop conflict at a[5]" in message
    assert "the later one reads what the earlier one writes, in lines" in message or "in line" in message


def test_reads_before_a_write():
    a, order = np.zeros(10), np.arange(10)
    order[0] = 6
    message = _message(neighbours, a, order, a)
    assert "iterations (i=0, j=0) and (i=6, j=0)" in message
    assert "the earlier one reads it, and the later one writes it" in message


def test_within_a_function():
    a = np.zeros((2, 8))
    by_a_function(a, np.arange(8))
    assert (a[0] == np.arange(8)).all()
    assert "iterations i=2 and i=3 of a parallel loop conflict at a[0, 5]" in _message(
        by_a_function, a, np.array([1, 2, 5, 5])
    )


def test_atomic_sums_are_no_conflicts():
    counts = np.zeros(4, np.int64)
    counted(np.arange(100) % 4, counts)
    assert (counts == 25).all()


def test_on_another_device():
    b = np.zeros(100)
    with lw.on("simt"):
        scattered(np.ones(100), np.arange(100), b)
    assert (b == 1).all()
    buffer = lw.to_device(np.ones(100), lw.device("simt"))
    with pytest.raises(lw.LaunchError, match="'a' is on a device: pass a copy"):
        scattered(buffer, np.arange(100), b)


@lw.jit(parallel_check=True)
def read_then_written(a, b, to):
    for i in lw.prange(len(to)):
        if i == 0:
            b[0] = a[to[0]]
        else:
            b[i] = a[to[i]]
            a[to[i]] = i


def test_the_line_of_an_earlier_reader_is_told_though_the_writer_has_read_it_too():
    message = _message(read_then_written, np.ones(4), np.zeros(2), np.array([3, 3]))
    first = read_then_written.py_func.__code__.co_firstlineno
    assert "iterations i=0 and i=1 of a parallel loop conflict at a[3]" in message
    assert f"the later one writes it, in lines {first + 4} and {first + 7}" in message
