# SPDX-License-Identifier: Apache-2.0
"""Unroll-and-jam on the simulated GPU: the results of the interpreter to the bit, fewer loads, and a reason for each
nest that is left as it is: .venv/bin/python -m pytest tests/jit/test_unrolling.py"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import lanewise as lw
from lanewise.frontend.python.unrolling.shape import Unrolling
from lanewise.jit import geometry
from lanewise.jit.region_kernel import RegionKernel

Array = NDArray[Any]
FEW = 12
"""A size at which the interpreter is quick."""


@pytest.fixture(autouse=True)
def few_iterations_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(geometry, "_FEWEST_ITEMS", 1)
    monkeypatch.setattr(geometry, "MOST_COPIES", 4)


def product(a, b, c):
    for i in lw.prange(a.shape[0]):
        for j in lw.prange(b.shape[1]):
            total = c[i, j] * 0
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total


def backwards(a, b, c):
    for i in lw.prange(a.shape[0] - 1, -1, -2):
        for j in lw.prange(b.shape[1] - 1, 0, -1):
            least, total = a[i, 0], 0.0
            for k in range(a.shape[1] - 1, 0, -1):
                x = a[i, k] - b[k, j]
                least = min(least, x)
                if x > 0:
                    total += x
            c[i, j] = least + total


def lower_triangle(a, b, c):
    for i in lw.prange(c.shape[0]):
        for j in range(i + 1):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j] if j < b.shape[1] else a[i, k]
            c[i, j] = 2 * total


def distances(a, b, c):
    for i in lw.prange(a.shape[0]):
        total = 0.0
        for k in range(a.shape[0]):
            total += abs(a[i, 0] - a[k, 0])
        c[i, 0] = total


def stencil(a, b, c):
    for i in lw.prange(1, a.shape[0] - 1):
        for j in lw.prange(1, a.shape[1] - 1):
            c[i, j] = a[i, j] + 0.5 * (a[i - 1, j] + a[i + 1, j]) + 0.25 * (a[i, j - 1] + a[i, j + 1])


def random(*shape: int, dtype: str = "float64") -> Array:
    values = np.random.default_rng(sum(shape)).random(shape) * 100
    return values.astype(dtype)


def on_gpu(function: Any, *arguments: Any) -> str:
    """Run a function on the simulated GPU; what it says of itself."""
    with lw.on(lw.device("simt")):
        function(*arguments)
    return function.inspect()


def check(function: Any, a: Array, b: Array, c: Array) -> str:
    expected = c.copy()
    function.py_func(a, b, expected)
    report = on_gpu(function, a, b, c)
    assert np.array_equal(c, expected)
    return report


@pytest.mark.parametrize("dtype", ["float64", "int8"])
def test_products_of_any_size(dtype: str):
    made = lw.jit(product, exact=True)
    report = ""
    for rows, columns, length in ((5, 3, 0), (FEW + 1, FEW + 3, 5), (1, 9, 3), (9, 1, 3), (0, 7, 2)):
        a, b = random(rows, length, dtype=dtype), random(length, columns, dtype=dtype)
        with np.errstate(over="ignore"):
            report = check(made, a, b, np.ones((rows, columns), dtype))
    assert "unrolled and jammed: " in report


@pytest.mark.parametrize("function", [backwards, lower_triangle, distances, stencil])
def test_nests_of_other_forms(function: Callable[..., None]):
    made = lw.jit(function, exact=True)
    for size in (7, FEW + 5):
        report = check(made, random(size, 12)[::-1, ::2], random(size - 1, 6).T, np.zeros((size, size))[:, ::-1])
        assert "unrolled and jammed: " in report


def test_neighbours_are_vectors_only_if_rows_start_at_multiples_of_16_bytes():
    made = lw.jit(product, exact=True)
    whole = random(FEW, 16)
    assert "vectors" not in check(made, whole[:, 1:8], random(7, 11), np.zeros((FEW, 11)))
    assert "as vectors from a, b, c" in check(made, whole[:, :8], random(8, FEW), np.zeros((FEW, FEW)))


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_the_unrolled_kernel_on_other_devices(device: str, monkeypatch: pytest.MonkeyPatch):
    made = lw.jit(lower_triangle, exact=True)
    a, b, expected = random(FEW, 5), random(5, 7), np.zeros((FEW + 1, FEW + 1))[:FEW, :FEW]
    found = expected.copy()
    on_gpu(made, a, b, expected)
    kernel = next(each for each in made.parts().regions[0].made if isinstance(each.tiling, Unrolling))
    monkeypatch.setattr(RegionKernel, "_kernel_for", lambda *_, **__: kernel)
    with lw.on(lw.device(device)):
        made(a, b, found)
    assert np.array_equal(found, expected)


def shifted(a, b, c):
    for i in lw.prange(c.shape[0]):
        for j in lw.prange(c.shape[1]):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total


def test_arrays_that_overlap_are_left_as_they_are():
    """Each row of the result is read by its own iterations alone, and lies in `a`."""
    made, both = lw.jit(shifted, exact=True), random(FEW, 20)
    expected = both.copy()
    shifted(expected[:, :4], random(4, FEW), expected[:, 8:20])
    report = on_gpu(made, both[:, :4], random(4, FEW), both[:, 8:20])
    assert np.array_equal(both, expected)
    assert "unrolled" not in report


def test_buffers_on_the_device():
    made, device = lw.jit(product, exact=True), lw.device("simt")
    a, b = random(FEW, 8), random(8, FEW)
    expected = np.zeros((FEW, FEW))
    product(a, b, expected)
    buffers = [lw.to_device(each, device) for each in (a, b, np.zeros((FEW, FEW)))]
    made(*buffers)
    assert np.array_equal(buffers[2].copy_to_host(), expected)
    assert "as vectors from a, b, c" in made.inspect()


def test_tiles_of_a_small_device():
    made, c = lw.jit(product, exact=True), np.zeros((96, 96))
    a, b = random(96, 64), random(64, 96)
    expected = c.copy()
    lw.jit(product, exact=True)(a, b, expected)
    with lw.on(lw.device("simt", memory="144 KiB")):
        made(a, b, c)
    assert np.array_equal(c, expected)
    assert " tiles: " in made.inspect()
    assert "unrolled and jammed: " in made.inspect()


def added(a, b, c):
    total = 0.0
    for i in lw.prange(a.shape[0]):
        for k in range(a.shape[1]):
            total += a[i, k]
    c[0, 0] = total


def with_while(a, b, c):
    for i in lw.prange(a.shape[0]):
        k = 0
        while a[i, k] > 50 and k < a.shape[1] - 1:
            k += 1
        c[i, 0] = a[i, k]


def own_bounds(a, b, c):
    for i in lw.prange(a.shape[0]):
        total = 0.0
        for k in range(int(a[i, 0]) % a.shape[1]):
            total += b[0, k]
        c[i, 0] = total


def shares_nothing(a, b, c):
    for i in lw.prange(a.shape[0]):
        total = 0.0
        for k in range(a.shape[1]):
            total += a[i, k]
        c[i, 0] = total


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (added, "it is a reduction, whose order of additions stays"),
        (with_while, "it has jumps or while loops"),
        (own_bounds, "the bounds of the loop over 'k' aren't known to be the same in all rows"),
        (shares_nothing, "its iterations share few loads"),
    ],
)
def test_nests_that_are_left_as_they_are(function: Callable[..., None], reason: str):
    a, b, c, expected = random(FEW, 6), random(6, FEW), np.zeros((FEW, FEW)), np.zeros((FEW, FEW))
    function(a, b, expected)
    report = on_gpu(lw.jit(function), a, b, c)
    np.testing.assert_allclose(c, expected)
    assert f"not unrolled: {reason}" in report


def test_few_iterations_are_left_as_they_are(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(geometry, "_FEWEST_ITEMS", 4096)
    assert "not unrolled: there are few iterations" in check(
        lw.jit(product, exact=True), random(FEW, 6), random(6, FEW), np.zeros((FEW, FEW))
    )


def test_each_step_spares_loads():
    """The product's counters by `tiling`: unrolling spares requests, and with vectors the most."""
    found: dict[str, int] = {}
    for tiling in ("none", "rows", "auto"):
        made, c = lw.jit(product, tiling=tiling), np.zeros((16, 128), np.float32)  # pyright: ignore[reportArgumentType] : one of them
        a, b = random(16, 16, dtype="float32"), random(16, 128, dtype="float32")
        with lw.on(lw.device("simt")):
            (profile,) = made.profile(a, b, c)
        np.testing.assert_allclose(c, a @ b, rtol=1e-5)
        found[tiling] = profile.counters["global_load_requests"]
    assert 1.9 * found["rows"] < found["none"]
    assert 2 * found["auto"] < found["rows"]
