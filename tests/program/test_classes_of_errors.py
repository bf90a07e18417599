# SPDX-License-Identifier: Apache-2.0
"""Mistakes are also errors of the classes that Python has for them, with the message as it is written."""

import copy
import pickle
from collections.abc import Callable

import numpy as np
import pytest

import lanewise as lw
from lanewise.errors import LaunchTimeoutError

SOURCE = """
__global__ void fill(int *a, int n) { a[threadIdx.x] = n; }
__global__ void spin(int *a) { while (atomicAdd(a, 0) == 0) {} }
"""


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(SOURCE, language="cuda")


def array() -> np.ndarray:
    return np.zeros(4, np.int32)


@pytest.mark.parametrize(
    ("mistake", "python", "ours", "message"),
    [
        (lambda m: m["fil"], KeyError, lw.CompileError, "<source> has no kernel 'fil'; its kernels: fill, spin"),
        (lambda m: m["fill"](array(), 1), TypeError, lw.LaunchError, "write k[grid, block](...), not k(...)"),
        (lambda m: m["fill"][1, 4](array()), TypeError, lw.LaunchError, "kernel fill takes 2 arguments, not 1: "),
        (lambda m: m["fill"][1, 4](7, 1), TypeError, lw.LaunchError, "expected an array for int *, not int 7"),
        (lambda m: m["fill"][1, 4](np.zeros(4), 1), TypeError, lw.LaunchError, "int * needs "),
        (lambda m: m["fill"][1, 4](array(), 1 << 40), ValueError, lw.LaunchError, "does not fit int"),
        (lambda m: m["fill"][1, 4](array()[::2], 1), ValueError, lw.LaunchError, "the array is not C-contiguous"),
        (lambda m: m["fill"][1, 9999](array(), 1), ValueError, lw.LaunchError, "x must be 1 to 1024, not 9999"),
        (lambda m: m["spin"].launch(1, 1, [array()], timeout=0.1), TimeoutError, lw.LaunchError, "timeout of 0.1 s"),
    ],
)  # fmt: skip
def test_mistakes_are_of_pythons_classes_too(
    module: lw.Module, mistake: Callable[[lw.Module], object], python: type, ours: type, message: str
):
    with pytest.raises(python) as caught:
        mistake(module)
    assert isinstance(caught.value, ours)
    assert message in str(caught.value), "as written, not as a KeyError would show it"
    for copied in (copy.copy(caught.value), pickle.loads(pickle.dumps(caught.value))):
        assert (type(copied), str(copied)) == (type(caught.value), str(caught.value))


def test_the_reference_devices_timeout_is_one():
    module = lw.compile(SOURCE, language="cuda")
    with pytest.raises(LaunchTimeoutError):
        module["spin"].launch(1, 1, [array()], device="reference", timeout=0.2)
