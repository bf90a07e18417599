# SPDX-License-Identifier: Apache-2.0
"""Loops over range that call functions marked with `lw.jit`: axes of the grid if the functions only return values."""

from typing import Any

import numpy as np

import lanewise as lw

FOUND = "axis x: j, a loop over range whose iterations are independent"


@lw.jit
def clamp(value, size):
    return min(max(value, 0), size - 1)


@lw.jit
def before(row, j):
    return row[clamp(j - 1, len(row))]


@lw.jit
def store(row, j, value):
    row[clamp(j + 1, len(row))] = value
    return value


@lw.jit
def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)


@lw.jit(exact=True)
def returns_values(a, b):
    for i in lw.prange(a.shape[0]):
        for j in range(a.shape[1]):
            b[i, j] = 2 * before(a[i], j) + a[i, clamp(j + 1, a.shape[1])]


@lw.jit(exact=True)
def stores(a, b):
    for i in lw.prange(a.shape[0]):
        for j in range(a.shape[1]):
            b[i, j] = store(b[i], j, a[i, j])


@lw.jit(exact=True)
def recurs(a, b):
    for i in lw.prange(a.shape[0]):
        for j in range(a.shape[1]):
            b[i, j] = factorial(int(a[i, j]))


@lw.jit(exact=True)
def reads_what_is_written(a, b):
    for i in lw.prange(a.shape[0]):
        for j in range(a.shape[1]):
            b[i, j] = before(b[i], j) + a[i, j]


def run(function: Any) -> str:
    a = np.arange(12.0).reshape(3, 4)
    b, expected = np.zeros_like(a), np.zeros_like(a)
    function(a, b)
    function.py_func(a, expected)
    assert (b == expected).all()
    return function.inspect()


def test_a_function_that_returns_a_value_is_called_by_work_items_side_by_side():
    assert FOUND in run(returns_values)


def test_a_function_that_stores_is_called_in_the_order_of_the_loop():
    assert FOUND not in run(stores)


def test_a_function_that_calls_itself_is_taken_for_one_that_stores():
    assert FOUND not in run(recurs)


def test_an_array_that_a_function_reads_and_the_loop_writes_keeps_the_order():
    assert FOUND not in run(reads_what_is_written)
