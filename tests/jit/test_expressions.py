# SPDX-License-Identifier: Apache-2.0
"""Expressions of whole arrays in functions marked with `lw.jit`, against NumPy."""

from typing import Any

import numpy as np
import pytest

import lanewise as lw
from lanewise.jit import fused


@pytest.fixture(autouse=True)
def any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled loops evaluate expressions of small arrays, too."""
    monkeypatch.setattr(fused, "LARGE", 0)


def same(function: Any, *arguments: Any, compiled: bool = True) -> None:
    """Compare a function's result and arguments with Python's."""
    expected, given = ([each.copy() if isinstance(each, np.ndarray) else each for each in arguments] for _ in range(2))
    with np.errstate(all="ignore"):
        right = function.py_func(*expected)
    found = function(*given)
    assert any(each.kernels for each in function._expressions) == compiled
    for ours, correct in zip([found, *given], [right, *expected], strict=True):
        if isinstance(correct, np.ndarray):
            single = correct.dtype == np.float32
            np.testing.assert_allclose(ours, correct, rtol=1e-9, atol=1e-6 if single else 1e-12)
            assert (ours.dtype, ours.flags.c_contiguous) == (correct.dtype, correct.flags.c_contiguous)


@lw.jit
def chain(a, b, c):
    t = np.sqrt(a * a + b * b) * 2.0 - c / (1.0 + a)
    return np.where(t > 1.0, t, -t) + np.maximum(a, b) ** 1.5


def random(*shape: int) -> Any:
    return np.random.default_rng(sum(shape)).random(shape)


@pytest.mark.parametrize("shape", [(17,), (5, 7), (3, 4, 5), (2, 3, 2, 3)])
def test_one_loop_for_arrays_of_one_shape(shape: tuple[int, ...]):
    same(chain, random(*shape), random(*shape) + 1, random(*shape))


def test_shapes_orders_and_numbers_that_go_together():
    function = lw.jit(chain.py_func)
    same(function, random(5, 7), random(7), random(5, 1))
    same(function, random(6, 5, 7)[::2, :, ::-1], 0.5, random(5, 7))
    same(function, random(5, 7).T, random(5, 7).T, random(5, 7).T)
    same(function, random(5, 7).astype(np.float32), random(7).astype(np.float32), np.float32(2))
    same(function, np.arange(7), np.arange(7, dtype=np.uint8), True)
    assert "an expression of whole arrays" in function.inspect()


@lw.jit
def sums(a, b):
    norm = np.sqrt(np.sum((a - b) ** 2.0))
    return norm, (a * b).sum() / np.sum(np.where(a > b, a, b)), np.sum(a > b), np.sum(a), a.sum()


@pytest.mark.parametrize("device", ["cpu", "simt"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32, np.uint8])
def test_sums(device: str, dtype: type):
    function = lw.jit(sums.py_func)
    cases = [(random(50, 7), random(50, 7)), (random(30, 8).T, random(8, 1)), (random(9), random(5, 1, 1))]
    for a, b in cases:
        a, b = (10 * a).astype(dtype), (10 * b).astype(dtype)
        with lw.on(device):
            found = function(a, b)
        for ours, right in zip(found, function.py_func(a, b), strict=True):
            assert type(ours) is type(right)
            np.testing.assert_allclose(ours, right, rtol=1e-5 if dtype == np.float32 else 1e-12)
    added = [each for each in function._expressions if each.expression.total is not None]
    assert [len(each.kernels) for each in added] == [3] * 4


def test_exact_sums_are_numpys():
    function = lw.jit(sums.py_func, exact=True)
    a, b = random(4000), random(4000)
    assert function(a, b) == function.py_func(a, b)


@lw.jit
def sums_that_stay(a, b, sum):
    return np.sum(a * b, axis=0), (a * b).sum(1), sum(a * b + a), np.sum([1, 2, 3])


def test_which_sums_stay_numpys():
    a, b = random(20, 30), random(20, 30)
    found = sums_that_stay(a, b, np.sum)
    for ours, right in zip(found, sums_that_stay.py_func(a, b, np.sum), strict=True):
        np.testing.assert_allclose(ours, right, rtol=1e-12)
    assert all(each.expression.total is None for each in sums_that_stay._expressions)


def sums_that_are_empty(a):
    return np.sum(a * a)


def test_sums_of_no_arrays():
    a, b = np.float64(3), np.float64(4)
    assert lw.jit(sums.py_func)(a, b) == sums.py_func(a, b)
    assert lw.jit(sums_that_are_empty)(np.zeros((0, 3))) == 0


@lw.jit
def integers(a, b, k):
    return (a * b - k) // 3 % 5 + (~a & b | (a ^ k)), (a < b) & (a != k), abs(-a * 2)


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint8", "int16"])
def test_integers_wrap_and_round_as_numpy_has_them(dtype: str):
    given = np.random.default_rng(1)
    a, b = (given.integers(0, 127, 50).astype(dtype) for _ in range(2))
    for function in (lw.jit(integers.py_func),):
        right, found = integers.py_func(a, b, 3), function(a, b, 3)
        for ours, correct in zip(found, right, strict=True):
            assert ours.dtype == correct.dtype
            assert (ours == correct).all()
    with pytest.raises(OverflowError):
        integers(a.astype(np.uint8), b.astype(np.uint8), 300)


@lw.jit
def relaxed(a, b):
    b[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])
    a[...] = 2 * b - a * 0.5
    b += a * a + 1.0
    return b


def test_slices_are_assigned_to():
    same(relaxed, random(8, 9), random(8, 9))


@lw.jit
def shifted(a):
    a[1:] = a[:-1] * 2.0 + 1.0
    a[:4] = a[4] + 0 * a[:4] + 1.0
    return a


def test_what_is_read_is_read_before_anything_is_written():
    same(shifted, random(40))


@lw.jit
def refused(a, b):
    return a * b + a


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (np.array([1 + 2j, 3]), np.array([1.0, 2])),
        (np.array([1, 2], np.float16), np.array([1, 2], np.float16)),
        (np.array(["a", "b"], object), np.array([2, 3])),
        (np.array(3.0), np.ones(4)),
        (2.0, 3.0),
    ],
)
def test_numpy_evaluates_what_loops_do_not(a: Any, b: Any):
    function = lw.jit(refused.py_func)
    assert np.all(function(a, b) == refused.py_func(a, b))
    assert not any(each.kernels for each in function._expressions)


def test_errors_are_numpy_s():
    with pytest.raises(ValueError, match="broadcast"):
        refused(np.ones(3), np.ones(4))
    with pytest.raises(ValueError, match="negative integer powers"):
        lw.jit(_powers)(np.arange(3), np.array([-1, 0, 1]))
    with pytest.raises(TypeError):
        refused(np.array([True]), "text")


def _powers(a, b):
    return a**b + 1


@lw.jit
def around_a_loop(a, b, sqrt):
    for i in lw.prange(len(a)):
        a[i] = a[i] + 1
    total = np.sum(a * b + 2.0)
    for _ in [1, 2]:
        a = sqrt(a * b + 1)
    return total + a


def test_expressions_between_loops_and_names_that_mean_something_else():
    same(around_a_loop, random(30), random(30), np.cbrt)


def test_another_device():
    a, b = random(30, 40), random(40)
    with lw.on(lw.device("simt")):
        found = refused(a, b)
    np.testing.assert_allclose(found, a * b + a)


def test_small_arrays_are_left_to_numpy(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.undo()
    function = lw.jit(refused.py_func)
    same(function, random(20), random(20), compiled=False)
    assert "evaluated by NumPy" in function.inspect()
    same(function, random(fused.LARGE), random(fused.LARGE))
