# SPDX-License-Identifier: Apache-2.0
"""Expressions of whole arrays in compiled loops, against NumPy."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import lanewise as lw

RANDOM = np.random.default_rng(19)


@lw.jit
def rings(data, radius, count):
    most = radius.max()
    result = np.zeros(count)
    for i in lw.prange(count):
        mask = np.logical_and(most * i / count <= radius, radius < most * (i + 1) / count)
        result[i] = data[mask].mean()
    return result


@lw.jit
def shortest_paths(path):
    for k in range(path.shape[0]):
        for i in lw.prange(path.shape[0]):
            path[i, :] = np.minimum(path[i, :], path[i, k] + path[k, :])


@lw.jit
def covariance(data, count):
    made = np.zeros((data.shape[1], data.shape[1]))
    for i in lw.prange(data.shape[1]):
        made[i:, i] = made[i, i:] = data[:, i] @ data[:, i:] / (count - 1.0)
    return made


@lw.jit
def convolution(x, weights):
    k, n, channels = weights.shape[0], x.shape[0], x.shape[3]
    out = np.empty((n, x.shape[1] - k + 1, x.shape[2] - k + 1, weights.shape[3]), dtype=x.dtype)
    for i in lw.prange(out.shape[1]):
        for j in lw.prange(out.shape[2]):
            window = x[:, i : i + k, j : j + k, :].copy()
            parts = np.reshape(window, (n, k, k, channels, 1)) * weights[None, :, :, :, :]
            out[:, i, j, :] = np.sum(parts, axis=(1, 2, 3))
    return out


@lw.jit
def rows_with_temporaries(a, b):
    for i in lw.prange(a.shape[0]):
        x = a[i] * 2 + b
        y = x
        for _ in range(3):
            x = x[::-1] + 1
        if i % 2:
            y = y + np.where(x > 3, x, -x)
        a[i, 1:] = a[i, :-1] + y[1:]
        a[i, 0] += np.sum(y[x > 3])


@lw.jit
def overlapping(a):
    for i in lw.prange(a.shape[0]):
        a[i, 1:] = a[i, :-1] * 2
        a[i, :] = a[i, ::-1] + a[i, 0]
        a[i, :] -= a[i, :].mean()


@lw.jit
def of_repeated_extents(a, columns, rows):
    for i in lw.prange(a.shape[0]):
        a[i] = columns * rows + (columns > rows)
        a[i] *= 2
        a[i, 0] = 0.5


@lw.jit
def kinds(a, counts, found):
    for i in lw.prange(a.shape[0]):
        counts[i, 0] = np.sum(a[i] > 0)
        counts[i, 1] = int(a[i].max() * 10)
        counts[i, 2] = np.prod(np.arange(4) + 1)
        found[i] = np.any(a[i] > 0.9) or np.all(a[i] > 0.1)
        a[i][a[i] > 0.5] = -1.0
        a[i][a[i] < 0] += 0.25
        z = np.ones_like(a[i], dtype=np.float32) / 3
        a[i, -1] = z.sum() + np.dot(a[i], a[i]) + abs(-a[i]).min()


@lw.jit
def norm(row):
    total = row * row
    return np.sqrt(total.sum())


@lw.jit
def by_functions(a, out):
    for i in lw.prange(a.shape[0]):
        out[i] = norm(a[i] + 1) + norm(a[i, 2:])


@lw.jit
def bins(values, sums):
    for i in lw.prange(values.shape[0]):
        sums[int(values[i, 0]), :] += values[i]


@lw.jit
def updated(a, total, out):
    for t in range(3):
        total += a[t] * 2
    for i in lw.prange(a.shape[0]):
        own = np.zeros(a.shape[1])
        for t in range(3):
            own += a[t]
        own /= 3
        out[i] = own.sum()
    return total


CASES: list[tuple[Any, Callable[[], tuple[Any, ...]]]] = [
    (rings, lambda: (RANDOM.random(900), RANDOM.random(900), 10)),
    (shortest_paths, lambda: (RANDOM.integers(1, 99, (20, 20)),)),
    (covariance, lambda: (RANDOM.random((30, 12)), 30)),
    (convolution, lambda: (RANDOM.random((2, 6, 7, 3), np.float32), RANDOM.random((3, 3, 3, 4), np.float32))),
    (rows_with_temporaries, lambda: (RANDOM.random((9, 7)), RANDOM.random(7))),
    (overlapping, lambda: (RANDOM.random((9, 7)),)),
    (of_repeated_extents, lambda: (RANDOM.random((5, 4, 3)), RANDOM.random((4, 1)), RANDOM.random(3))),
    (of_repeated_extents, lambda: (RANDOM.random((5, 4, 3)), RANDOM.random((4, 3)), RANDOM.random((1, 3)))),
    (kinds, lambda: (RANDOM.random((9, 6)), np.zeros((9, 3), int), np.zeros(9, bool))),
    (by_functions, lambda: (RANDOM.random((6, 5)), np.zeros(6))),
    (updated, lambda: (RANDOM.random((3, 5)), np.zeros(5), np.zeros(3))),
    (bins, lambda: (RANDOM.integers(0, 4, (50, 5)).astype(float), np.zeros((4, 5)))),
]


@pytest.mark.parametrize("device", ["cpu", "reference", "simt"])
@pytest.mark.parametrize(("function", "make"), CASES)
def test_against_numpy(function: Any, make: Callable[[], tuple[Any, ...]], device: str):
    given = make()
    expected = [each.copy() if isinstance(each, np.ndarray) else each for each in given]
    with lw.on(device):
        result = function(*given)
    wanted = function.py_func(*expected)
    for a, b in zip((result, *given), (wanted, *expected), strict=True):
        if a is not None:
            np.testing.assert_allclose(a, b, rtol=1e-5 if getattr(a, "dtype", None) == np.float32 else 1e-12)


@lw.jit(exact=True)
def exactly(a, b):
    for i in lw.prange(a.shape[0]):
        a[i] = a[i] * b + 0.1 * b - a[i, 0]
        a[i] /= 3


def test_exact():
    a, b = RANDOM.random((9, 33)), RANDOM.random(33)
    expected = a.copy()
    exactly(a, b)
    exactly.py_func(expected, b)
    assert (a == expected).all()


@lw.jit(boundscheck=True)
def of_other_shapes(a, b):
    for i in lw.prange(a.shape[0]):
        a[i] = a[i] + b


def test_shapes_that_do_not_go_together():
    of_other_shapes(np.ones((3, 4)), np.ones(1))
    with pytest.raises(IndexError, match=r"test_whole_arrays.py:\d+: index 3 is out of bounds for axis 0 with size 3"):
        of_other_shapes(np.ones((3, 4)), np.ones(3))
    with pytest.raises(IndexError, match="index 4 is out of bounds for axis 0 with size 4"):
        of_other_shapes(np.ones((3, 4)), np.ones(5))
    for many, few in ((5, 4), (4, 5)):
        with pytest.raises(IndexError, match="index 4 is out of bounds for axis 0 with size 4"):
            added_up(np.ones((3, many)), np.ones(few))


@lw.jit(boundscheck=True)
def added_up(a, total):
    for i in lw.prange(a.shape[0]):
        total += a[i]


@lw.jit(exact=True)
def exact_sum(a, out):
    for i in lw.prange(len(out)):
        out[i] = np.sum(a[i])


@lw.jit
def in_place(a):
    for i in lw.prange(len(a)):
        row = a[i]
        row += 1


@lw.jit
def to_integers(a):
    for i in lw.prange(len(a)):
        a[i] += 0.5


@lw.jit
def gathered(a, places):
    for i in lw.prange(len(a)):
        a[i, 0] = np.sum(a[i, places])


@lw.jit
def inverted(a):
    for i in lw.prange(len(a)):
        a[i] = np.linalg.inv(a[i])


@lw.jit
def truth(a):
    for i in lw.prange(len(a)):
        if a[i] > 0:
            a[i] = 0


@pytest.mark.parametrize(
    ("function", "arguments", "reason"),
    [
        (exact_sum, (np.ones((3, 3)), np.ones(3)), "exact=True, and sum adds up in another order than NumPy"),
        (in_place, (np.ones((3, 3)),), r"write row\[:\] \+= "),
        (to_integers, (np.ones((3, 3), int),), "an array int64.* is updated in place by values of float64"),
        (gathered, (np.ones((3, 3)), np.arange(2)), "indexing by an array copies"),
        (inverted, (np.ones((3, 3, 3)),), "'np.linalg.inv' isn't compiled"),
        (truth, (np.ones((3, 3)),), "only numbers have a truth value"),
    ],
)
def test_what_is_refused(function: Any, arguments: tuple[Any, ...], reason: str):
    with pytest.raises(lw.CompileError, match=reason):
        function(*arguments)


@lw.jit
def of_halves(a, result):
    for i in lw.prange(a.shape[0]):
        result[i, 0] = a[i].min()
        result[i, 1] = np.max(a[i])
        result[i, 2] = np.sum(a[i])
        result[i, 3] = a[i].mean()
        result[i, 4] = np.prod(a[i, :3])


@pytest.mark.parametrize("device", ["cpu", "simt"])
def test_halves_are_added_up_as_floats(device):
    a = np.random.default_rng(3).integers(-2000, 2000, (6, 80)).astype(np.float16)  # sums beyond the greatest half
    a[1] = 1500
    a[2, 3] = np.nan
    a[:, :3] /= 512
    result, expected = np.zeros((2, 6, 5), np.float16)
    with lw.on(device), np.errstate(all="ignore"):
        of_halves(a, result)
        of_halves.py_func(a, expected)
    np.testing.assert_array_equal(result, expected)
