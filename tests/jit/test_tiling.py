# SPDX-License-Identifier: Apache-2.0
"""Register tiling of parallel nests: the same results to the bit, and a reason for each nest that is left as it is."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import lanewise as lw

Array = NDArray[Any]


def product(a, b, c):
    for i in lw.prange(a.shape[0]):
        for j in lw.prange(b.shape[1]):
            total = c[i, j] * 0
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total


def convolution(a, b, c):
    for i in lw.prange(c.shape[0]):
        for j in lw.prange(c.shape[1]):
            total = a[i, j] * 0
            for p in range(b.shape[0]):
                for q in range(b.shape[1]):
                    total += b[p, q] * a[i + p, j + q]
            c[i, j] = total


def lower_triangle(a, b, c):
    for i in lw.prange(c.shape[0]):
        for j in range(i + 1):
            total = a[i, 0] * 0
            for k in range(a.shape[1]):
                total += a[i, k] * b[j, k]
            c[i, j] = 2 * total


def upper_triangle(a, b, c):
    for i in lw.prange(1, c.shape[0]):
        for j in lw.prange(i - 1, c.shape[1]):
            total = a[i, 0] * 0
            for k in range(a.shape[1]):
                total += a[i, k] * b[j, k]
            c[i, j] = 2 * total


def contraction(a, b, c):
    for i in lw.prange(a.shape[0]):
        for j in lw.prange(b.shape[0]):
            for k in lw.prange(b.shape[2]):
                total = c[i, j, k]
                for m in range(a.shape[1]):
                    total += a[i, m] * b[j, m, k]
                c[i, j, k] = total


def two_sums(a, b, c):
    for i in lw.prange(3, a.shape[0], 2):
        for j in lw.prange(b.shape[1] - 1, -1, -1):
            least, total = a[i, 0], a[i, 0] * 0
            for k in range(1, a.shape[1]):
                x = a[i, k] - b[k, j]
                least = min(least, x)
                if x > 0:
                    total += x
            c[i, j] = least + total


def compiled(function: Callable[..., None], **options: Any) -> Any:
    return lw.jit(function, exact=True, **options)


def check(function: Any, a: Array, b: Array, c: Array) -> None:
    """The results are those of the kernel that isn't tiled, to the bit, and near those of Python for small ones."""
    expected = c.copy()
    compiled(function.py_func, tiling="none")(a, b, expected)
    function(a, b, c)
    assert np.array_equal(c, expected)


def random(*shape: int, dtype: str = "float64") -> Array:
    values = np.random.default_rng(sum(shape)).random(shape) * 100
    return values.astype(dtype)


SIZES = ((16, 16, 1), (16, 17, 0), (37, 41, 50), (64, 16, 700), (300, 33, 7), (1, 40, 3), (40, 1, 3), (0, 20, 2))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int8"])
def test_products_of_any_size(dtype: str):
    function = compiled(product)
    for rows, columns, length in SIZES:
        a, b = random(rows, length, dtype=dtype), random(length, columns, dtype=dtype)
        check(function, a, b, np.ones((rows, columns), dtype))
    assert "rows along i at a time" in function.inspect()
    assert "packed: columns of b" in function.inspect()


def test_a_product_as_python_has_it():
    a, b = random(17, 5), random(5, 18)
    found, expected = np.zeros((2, 17, 18))
    compiled(product)(a, b, found)
    product(a, b, expected)
    assert np.array_equal(found, expected)


def test_a_long_sum_goes_on_from_part_to_part():
    check(compiled(product), random(18, 1300), random(1300, 19), np.zeros((18, 19)))


def test_views_with_any_strides():
    a, b = random(60, 80)[::-1, ::2], random(50, 40).T[:, ::-1]
    check(compiled(product), a, b, np.zeros((60, 100))[:, ::-2])


@pytest.mark.parametrize("function", [lower_triangle, upper_triangle])
def test_triangles(function: Callable[..., None]):
    made = compiled(function)
    for rows, length in ((16, 3), (37, 50), (250, 4), (65, 520), (1, 2), (0, 1)):
        check(made, random(rows, length), random(rows, length + 1)[:, 1:], np.zeros((rows, rows)))
    assert "rows along i at a time" in made.inspect()


def running(a, b, c):
    for i in lw.prange(a.shape[0]):
        for j in range(i + 1):
            total = 0.0
            for k in range(b.shape[0]):
                total += a[i, k] * b[k, j]
            c[i, j] = total / 1000


def test_an_array_that_is_written_and_overlaps_another():
    """Then a loop over range isn't known to be parallel: each element goes into those after it."""
    found, expected = random(2, 40, 41)[0], random(2, 40, 41)[0]
    made, b = compiled(running), random(40, 40)
    made(found[:, :-1], b, found[:, 1:])
    running(expected[:, :-1], b, expected[:, 1:])
    assert np.array_equal(found, expected)
    check(made, random(40, 40), b, np.zeros((40, 40)))
    assert "rows along i at a time" in made.inspect()


def test_nests_that_share_no_column():
    made = compiled(convolution)
    for rows, columns, width in ((16, 64, 3), (37, 150, 5), (50, 63, 1)):
        a = random(rows + width - 1, columns + width - 1)
        check(made, a, random(width, width), np.zeros((rows, columns)))
    assert "rows along i at a time" in made.inspect()
    assert "packed" not in made.inspect()


def test_three_axes():
    made = compiled(contraction)
    check(made, random(20, 30), random(17, 30, 18), random(20, 17, 18))
    assert "rows along i at a time" in made.inspect()


def planes(a, b, c):
    for i in lw.prange(a.shape[0]):
        for j in lw.prange(a.shape[1] - 1, -1, -1):
            for k in lw.prange(b.shape[1]):
                total = 0.0
                for m in range(a.shape[2]):
                    total += a[i, j, m] * b[m, k]
                c[i, j, k] = total + i - j


def test_more_rows_than_a_grid_has_groups():
    made = compiled(convolution)
    check(made, random(400_000, 18, dtype="int8"), random(1, 1, dtype="int8"), np.zeros((400_000, 16), "int64"))
    assert "rows along i at a time" in made.inspect()


def test_rows_go_on_in_the_next_plane():
    made = compiled(planes)
    for shape in ((20, 17, 30), (300, 1, 3), (5, 7, 600)):
        check(made, random(*shape), random(shape[2], 19), np.zeros((*shape[:2], 19)))
    assert "rows along j and i at a time" in made.inspect()


def test_steps_and_several_values_from_iteration_to_iteration():
    made = compiled(two_sums)
    check(made, random(90, 33), random(33, 47), np.zeros((90, 47)))
    assert "rows along i at a time" in made.inspect()


def views_of_rows(a, b, c):
    for i in lw.prange(a.shape[0]):
        for j in lw.prange(b.shape[1]):
            row = a[i]
            total = 0.0
            for k in range(a.shape[1]):
                total += row[k] * b[k, j]
            c[i, j] = total


def test_a_row_may_be_a_variable():
    made = compiled(views_of_rows)
    check(made, random(40, 30), random(30, 50), np.zeros((40, 50)))
    assert "rows along i at a time" in made.inspect()


def test_rows_alone():
    made = compiled(product, tiling="rows")
    check(made, random(40, 30), random(30, 50), np.zeros((40, 50)))
    assert "rows along i at a time" in made.inspect()
    assert "packed" not in made.inspect()


def test_few_rows_are_left_as_they_are():
    made = compiled(product)
    check(made, random(4, 30), random(30, 50), np.zeros((4, 50)))
    check(made, random(30, 7), random(7, 10), np.zeros((30, 10)))
    remarks = made.inspect().split("\n  for ")[-1]
    assert remarks.startswith("b: ")
    assert "rows along" not in remarks
    assert "cpu, region 0" in remarks


def prefix(a, b, c):
    for i in lw.prange(a.shape[0]):
        for j in lw.prange(b.shape[1]):
            total = 0.0
            for k in range(i):
                total += a[i, k] * b[k, j]
            c[i, j] = total


def searching(a, b, c):
    for i in lw.prange(a.shape[0]):
        for j in lw.prange(b.shape[1]):
            c[i, j] = -1
            for k in range(a.shape[1]):
                if a[i, k] > b[k, j]:
                    c[i, j] = k
                    break


def scaled(a, b, c):
    for i in lw.prange(a.shape[0]):
        for j in lw.prange(b.shape[1]):
            c[i, j] = a[i, j] * b[i, j]


def own_columns(a, b, c):
    for i in lw.prange(a.shape[0]):
        for j in lw.prange(a.shape[1]):
            total = 0.0
            for _ in range(3):
                total += a[i, j] * b[i, j]
            c[i, j] = total


def in_memory(a, b, c):
    for i in lw.prange(a.shape[0]):
        for j in lw.prange(b.shape[1]):
            c[i, j] = 0
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def calculating(a, b, c):
    for i in lw.prange(a.shape[0]):
        for j in lw.prange(b.shape[1]):
            total = 0.0
            for k in range(b.shape[0]):
                total += 1 / (1 + 2 * b[k, 0] * (i + j) - i * i)
            c[i, j] = total


def calling(a, b, c):
    for i in lw.prange(a.shape[0]):
        for j in lw.prange(b.shape[1]):
            total = 0.0
            for k in range(a.shape[1]):
                total += power(a[i, k], 2) * b[k, j]
            c[i, j] = total


@lw.jit
def power(x, n):
    if n <= 1:
        return x
    return x * power(x, n - 1)


def calling_for_values(a, b, c):
    for i in lw.prange(a.shape[0]):
        for j in lw.prange(b.shape[1]):
            total = 0.0
            for k in range(a.shape[1]):
                total += twice(a[i, k]) * b[k, j]
            c[i, j] = total


@lw.jit
def twice(x):
    return 2 * x


def test_a_nest_that_calls_a_function_which_only_returns_a_value():
    function = compiled(calling_for_values)
    for rows, columns, length in SIZES:
        check(function, random(rows, length), random(length, columns), np.ones((rows, columns)))
    assert "rows along i at a time" in function.inspect()


def rows_in_order(a, b, c):
    for i in range(1, a.shape[0]):
        for j in lw.prange(a.shape[1]):
            total = 0.0
            for k in range(a.shape[1]):
                total += c[i - 1, k] * b[k, j]
            c[i, j] = total


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (prefix, "not tiled: the bounds of its loops differ from row to row"),
        (searching, "not tiled: it has jumps or while loops"),
        (in_memory, "not tiled: its loops store to memory"),
        (calculating, "not tiled: its loops compute more than they load"),
        (calling, "not tiled: it has one axis"),
        (scaled, "not tiled: its body has no loop"),
        (own_columns, "not tiled: its rows share no loads"),
        (rows_in_order, ""),  # each row needs the one before it: the parallel loop within has no rows
    ],
)
def test_nests_that_are_left_as_they_are(function: Callable[..., None], reason: str):
    made = compiled(function)
    check(made, random(20, 20), random(20, 20), np.zeros((20, 20)))
    assert " rows along" not in made.inspect()
    assert made.inspect().count(reason) == 1 or not reason


def test_checked_indices_leave_a_nest_as_it_is():
    made = compiled(product, boundscheck=True)
    check(made, random(20, 20), random(20, 20), np.zeros((20, 20)))
    assert "not tiled: indices are checked" in made.inspect()


def test_an_unknown_tiling_is_refused():
    with pytest.raises(lw.Error, match='tiling=\'all\': it is "auto", "rows", "vectors" or "none"'):
        lw.jit(tiling="all")  # pyright: ignore[reportArgumentType] : the error is tested
