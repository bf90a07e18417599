# SPDX-License-Identifier: Apache-2.0
"""Transfers of arrays that a parallel loop passes to functions, and of their rows: what these touch, and no more."""

import numpy as np
import pytest

import lanewise as lw


@lw.jit
def blend(a, b, i):
    left = a[2 * i]
    return left + b[i]


@lw.jit
def put(row, k, value):
    if k < len(row):
        row[k] = value


@lw.jit
def total(row):
    found = 0.0
    for k in range(len(row)):
        found += row[k]
    return found


@lw.jit
def deep(a, i, n):
    if n > 0:
        return deep(a, i + 7, n - 1)
    return a[i]


@lw.jit
def blended(a, b, out):
    for i in lw.prange(len(out)):
        out[i] = blend(a, b, i)


@lw.jit
def first_columns(table, values):
    for i in lw.prange(len(values)):
        put(table[2 * i], 0, values[i])


@lw.jit
def totals(table, out):
    for i in lw.prange(len(out)):
        out[i] = total(table[i + 10])


@lw.jit
def far(a, out):
    for i in lw.prange(len(out)):
        out[i] = deep(a, i, 5)


@lw.jit
def doubled(table, out):
    for i in lw.prange(out.shape[0]):
        out[i] = 2 * table[3 * i, :]


@lw.jit
def shifted(table, out):
    for i in lw.prange(out.shape[0]):
        row = table[i]
        out[i, :] += row[1:]


@lw.jit
def windows(table, out):
    for i in lw.prange(len(out)):
        out[i] = total(table[i, 2 * i : 2 * i + 5])


@lw.jit
def every_third(table, out):
    for i in lw.prange(len(out)):
        out[i] = total(table[i, -7::3]) + total(table[i, :200][1:3])


@lw.jit
def from_the_end(table, out):
    for i in lw.prange(len(out)):
        out[i] = total(table[2 * i, 10::-2])


@lw.jit
def around(table, out):
    for i in lw.prange(len(out)):
        out[i] = total(table[i, i - 2 : i + 3])  # the first ones are empty, as they begin at the end


@lw.jit
def written(table, values):
    for i in lw.prange(len(values)):
        table[i, 3:9] = values[i]
        put(table[i, 20:22], 1, values[i])


TABLE = np.arange(6000.0).reshape(100, 60)
CALLS = [
    (blended, (np.arange(900.0), np.arange(400.0), np.zeros(300)), 8 * 600, 8 * 300),
    (first_columns, (TABLE, np.arange(50.0)), 8 * 50 + 8 * 50, 8 * 50),
    (totals, (TABLE, np.zeros(20)), 8 * 20 * 60, 8 * 20),
    (far, (np.arange(500.0), np.zeros(20)), 8 * 520, 8 * 520),  # it calls itself, and might write
    (doubled, (TABLE, np.zeros((30, 60))), 8 * 30 * 60, 8 * 30 * 60),
    (shifted, (TABLE, np.ones((30, 59))), 8 * 30 * 59 + 8 * 30 * 59, 8 * 30 * 59),
    (windows, (TABLE, np.zeros(20)), 8 * 20 * 5, 8 * 20),
    (every_third, (TABLE, np.zeros(20)), 8 * 20 * 60, 8 * 20),  # a part of a slice counts as the slice
    (from_the_end, (TABLE, np.zeros(20)), 8 * 20 * 6, 8 * 20),
    (around, (TABLE, np.zeros(20)), 8 * 6000, 8 * 20),  # bounds of both signs: all of the table
    (written, (TABLE, np.arange(20.0)), 8 * 20 * 2 + 8 * 20, 8 * 20 * 8),
]


@pytest.mark.parametrize(("function", "arguments", "there", "back"), CALLS, ids=[call[0].__name__ for call in CALLS])
def test_bytes(function, arguments, there, back):
    exact = lw.jit(transfers="exact")(function.py_func)
    given, expected = ([each.copy() for each in arguments] for _ in range(2))
    with lw.on(lw.device("simt")):
        exact(*given)
    function.py_func(*expected)
    for found, right in zip(given, expected, strict=True):
        np.testing.assert_array_equal(found, right)
    assert f": {there} bytes to the device, {back} back" in exact.inspect()
    assert ("deep calls itself: the arrays that it is given count as whole" in exact.inspect()) == (function is far)
