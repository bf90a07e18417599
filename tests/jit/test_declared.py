# SPDX-License-Identifier: Apache-2.0
"""`lw.type` and `lw.gpu`: the examples of unPython's paper (Figures 2 and 3), and what is refused."""

from typing import Any

import numpy as np
import pytest

import lanewise as lw
from lanewise.program.selection import chosen_device


@lw.type("int64", "int64")
def sum_to(n):
    total = 0
    for i in range(n):
        total += i
    return total


def test_types_of_numbers():
    assert sum_to(10) == 45
    with pytest.raises(lw.LaunchError, match="argument 'n' must be an integer"):
        sum_to(1.5)
    assert sum_to.py_func.__annotations__["return"] == lw.i64


@lw.gpu
@lw.type("ndarray[double,2]", "ndarray [double, 2]", "ndarray [double, 2]", None)
def matrix_mult(a, b, c):
    m, n, p = np.shape(a)[0], np.shape(b)[1], np.shape(a)[1]
    for i in lw.prange(m):
        for j in lw.prange(n):
            total = 0.0
            for k in range(p):
                total += a[i, k] * b[k, j]
            c[i, j] = total


def arrays():
    random = np.random.default_rng(1)
    return random.random((12, 9)), random.random((9, 7)), np.zeros((12, 7))


def test_without_a_gpu_the_decorator_is_ignored(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    a, b, c = arrays()
    for _ in range(3):
        matrix_mult(a, b, c)
    np.testing.assert_allclose(c, a @ b)
    with pytest.raises(lw.LaunchError, match="argument 'a' must be an array"):
        matrix_mult(a.astype(np.float32), b, c)


def test_the_first_gpu_runs_the_loops(cuda: lw.Device):
    a, b, c = arrays()
    function = lw.gpu(matrix_mult)
    function(a, b, c)
    np.testing.assert_allclose(c, a @ b)
    assert "bytes to the device" in function.inspect()
    with lw.on(lw.device("cpu")):
        function(2 * a, b, c)
    np.testing.assert_allclose(c, 2 * a @ b)


def test_a_loop_that_the_gpu_does_not_take_runs_on_the_cpu(cuda: lw.Device, monkeypatch: pytest.MonkeyPatch):
    a, b, c = arrays()
    function = lw.gpu(matrix_mult)
    with lw.on(lw.device("cpu")):
        function(a, b, c)
    (region,) = function._regions
    run_grid, devices = region._run_grid, []

    def refused(*given):
        devices.append(chosen_device())
        if chosen_device() is not None:
            raise lw.CompileError("not on a GPU")
        return run_grid(*given)

    monkeypatch.setattr(region, "_run_grid", refused, raising=False)
    for _ in range(2):
        function(3 * a, b, c)
    np.testing.assert_allclose(c, 3 * a @ b)
    assert devices == [cuda, None, None]


@pytest.mark.parametrize(
    ("types", "text"),
    [
        (("int64",), "has 1 parameters: lw.type takes their types and that of the result, 2, not 1"),
        (("complex128", None), "doesn't know 'complex128'"),
        (("ndarray[double,0]", None), "doesn't know"),
        (("ndarray[double]", None), "doesn't know"),
        ((float, None), "doesn't know <class 'float'>"),
    ],
)
def test_what_is_refused(types: Any, text: str):
    with pytest.raises(lw.Error, match=r"lw\.type") as caught:

        @lw.type(*types)
        def function(a):
            pass

    assert text in str(caught.value)
