# SPDX-License-Identifier: Apache-2.0
"""Parallel loops in which several iterations add to one element of an array: no sum is lost."""

import ast

import numpy as np
import pytest

import lanewise as lw
from lanewise.frontend.python.shared_elements import shared_elements, with_augmented_assignments

RANDOM = np.random.default_rng(11)


@lw.jit
def histogram(values, weights, counts, sums):
    for i in lw.prange(len(values)):
        bin = int(values[i] * len(counts))
        counts[bin] += 1
        sums[bin] -= weights[i]


@lw.jit
def column_sums(a, sums):
    for i in lw.prange(a.shape[0]):
        for j in range(a.shape[1]):
            sums[j] += a[i, j]


@lw.jit
def row_sums_and_column_sums(a, rows, columns):
    for i in lw.prange(a.shape[0]):
        for j in range(a.shape[1]):
            columns[j] = columns[j] + a[i, j]
            rows[i] = a[i, j] + rows[i]


@lw.jit
def pairs(first, second, degrees, seen):
    for i in lw.prange(len(first)):
        degrees[first[i], second[i]] += 1
        seen[first[i]] |= 1 << second[i]


@pytest.mark.parametrize("device", ["cpu", "reference", "simt"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_histogram(device: str, dtype: type):
    n = 200 if device == "reference" else 20_000
    values, weights = RANDOM.random(n), RANDOM.integers(0, 9, n).astype(dtype)
    counts, sums = np.zeros(10, np.int32), np.zeros(10, dtype)
    expected = np.histogram(values, 10, (0, 1))[0], -np.histogram(values, 10, (0, 1), weights=weights)[0]
    with lw.on(device):
        histogram(values, weights, counts, sums)
    assert (counts == expected[0]).all()
    assert (sums == expected[1]).all()


@pytest.mark.parametrize("device", ["cpu", "simt"])
def test_sums_over_the_parallel_loop(device: str):
    a = RANDOM.integers(0, 100, (3000, 7)).astype(float)
    sums = np.zeros(7)
    with lw.on(device):
        column_sums(a, sums)
    assert (sums == a.sum(axis=0)).all()


def test_sums_that_are_written_in_full():
    a = RANDOM.integers(0, 100, (2000, 9)).astype(float)
    rows, columns = np.zeros(2000), np.zeros(9)
    row_sums_and_column_sums(a, rows, columns)
    assert (rows == a.sum(axis=1)).all()
    assert (columns == a.sum(axis=0)).all()


def test_two_dimensions_and_bits():
    first, second = RANDOM.integers(0, 6, 5000), RANDOM.integers(0, 5, 5000)
    degrees, seen = np.zeros((6, 5), np.int64), np.zeros(6, np.uint32)
    pairs(first, second, degrees, seen)
    expected = np.zeros((6, 5), np.int64)
    np.add.at(expected, (first, second), 1)
    assert (degrees == expected).all()
    assert (seen == (expected > 0) @ (1 << np.arange(5))).all()


def test_small_elements_are_refused():
    with pytest.raises(lw.CompileError, match="may add to the same element of an array uint8"):
        column_sums(np.ones((4, 4), np.uint8), np.zeros(4, np.uint8))


def test_fractions_are_not_added_to_integers():
    with pytest.raises(lw.CompileError, match=r"an array int64.*takes integers, not a float64: write int"):
        column_sums(np.ones((4, 4)), np.zeros(4, np.int64))


@pytest.mark.parametrize(
    ("source", "shared"),
    [
        ("a[i] += 1", False),
        ("a[i + 1] += 1", False),
        ("a[n - i] += 1", False),
        ("a[2 * i] += 1; a[2 * i] -= 3", False),
        ("a[i * n + j] += 1", False),
        ("k = i * n\nfor m in range(n): a[k + m] += x[m]", False),
        ("a[i, j] += 1", False),
        ("a[i][j] += 1", False),
        ("a[i + j] += 1", True),
        ("a[j] += 1", True),
        ("a[0] += 1", True),
        ("a[i * j] += 1", True),
        ("a[i // 2] += 1", True),
        ("a[i % n] += 1", True),
        ("a[x[i]] += 1", True),
        ("k = x[i]\na[k] += 1", True),
        ("for m in range(n): a[i + m] += 1", True),
        ("a[i] += 1; a[i + 1] += 1", True),
        ("a[i, x[j]] += 1", True),
        ("a[x[i]] *= 2", False),  # not a sum: as it was
        ("a[x[i]] += a[i]", False),
        ("a[x[i]] += 1; a[x[i]] |= 1", False),
        ("a[x[i]] = 1", False),
        ("a[x[i], :] += 1", True),
        ("a[x[i] * len(a)] += a.shape[0]", True),
    ],
)
def test_which_arrays_are_shared(source: str, shared: bool):
    axes = ["i", "j"] if "j" in source else ["i"]
    found = shared_elements(ast.parse(source).body, axes, {"a", "x"})
    assert found == ({"a"} if shared else set())


@pytest.mark.parametrize(
    ("source", "made"),
    [
        ("a[i] = a[i] + x", "a[i] += x"),
        ("a[i, j] = x * y | a[i, j]", "a[i, j] |= x * y"),
        ("a[i] = a[i] - x", "a[i] -= x"),
        ("a[i] = x - a[i]", "a[i] = x - a[i]"),
        ("a[i] = a[j] + x", "a[i] = a[j] + x"),
        ("a[i] = a[i] + a[j]", "a[i] = a[i] + a[j]"),
        ("a[i] = a[i] + x + y", "a[i] = a[i] + x + y"),
        ("a[i] = b[i] = a[i] + x", "a[i] = b[i] = a[i] + x"),
    ],
)
def test_which_assignments_are_augmented(source: str, made: str):
    (loop,) = ast.parse(f"for i in r:\n {source}").body
    assert isinstance(loop, ast.For)
    assert ast.unparse(with_augmented_assignments(loop).body[0]) == made
    assert ast.unparse(loop.body[0]) == source


def test_reads_make_it_no_sum():
    body = ast.parse("a[x[i]] += 1\ny[i] = a[i]").body
    assert shared_elements(body, ["i"], {"a", "x", "y"}) == frozenset()


@lw.jit
def column_sums_of_rows(a, sums):
    for i in lw.prange(a.shape[0]):
        row = sums[0]
        for j in range(a.shape[1]):
            row[j] += a[i, j]
            sums[1][j] = sums[1][j] + a[i, j]


@lw.jit
def sums_in_either(a, even, odd):
    for i in lw.prange(a.shape[0]):
        row = even[:]
        if i % 2:
            row = odd[:]
        for j in range(a.shape[1]):
            row[j] += a[i, j]


def test_sums_in_rows():
    a = RANDOM.integers(0, 100, (20_000, 3)).astype(float)
    sums = np.zeros((2, 3))
    column_sums_of_rows(a, sums)
    assert (sums == a.sum(axis=0)).all()


def test_sums_in_either_of_two():
    a = RANDOM.integers(0, 100, (20_000, 3)).astype(float)
    even, odd = np.zeros(3), np.zeros(3)
    sums_in_either(a, even, odd)
    assert (even == a[::2].sum(axis=0)).all()
    assert (odd == a[1::2].sum(axis=0)).all()


@pytest.mark.parametrize(
    ("source", "shared"),
    [
        ("row = a[i]\nrow[j] += 1", set[str]()),
        ("row = a[j]\nrow[k] += 1", {"a", "row"}),
        ("row = a[0]\nrow[j] += 1", {"a", "row"}),
        ("row = a[i]\nrow[0] += 1", {"a", "row"}),
        ("row = a[:, j]\nrow[i] += 1", set[str]()),
        ("row = a[i, 1:]\nrow[j] += 1", {"a", "row"}),
        ("row = a[0]\npart = row[n]\npart[j] += len(row)", {"a", "row", "part"}),
        ("a[0][j] += 1", {"a"}),
        ("a.T[i, j] += 1", set[str]()),
        ("a.T[i, j] += 1; a[i, j] += 1", {"a"}),
        ("row = a[0]\nrow[j] += row[i]", set[str]()),
        ("row = a[0]\nrow = x[0]\nrow[j] += 1", {"row"}),
        ("row = a[0]\nx[i] = row[j]\nrow[j] += 1", set[str]()),
    ],
)
def test_which_views_are_shared(source: str, shared: set[str]):
    assert shared_elements(ast.parse(source).body, ["i", "j"], {"a", "x"}) == shared
