# SPDX-License-Identifier: Apache-2.0
"""Messages for kernels in Python that can't be compiled or launched."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import lanewise as lw


@lw.kernel
def add_one(a: lw.f32[:], n: lw.i32):  # type: ignore[reportGeneralTypeIssues] : values, not types
    i = lw.global_id()
    if i < n:
        a[i] += 1


@lw.jit
def loops(a):
    for i in range(4):
        a[i] = lw.global_id()


def test_functions_of_work_items_outside_of_kernels():
    with pytest.raises(lw.Error, match=r"^lw.atomic.add is for the work-items of a kernel, and was called by Python"):
        lw.atomic.add(np.zeros(3), 0, 1)
    with pytest.raises(lw.CompileError, match=r"lw.global_id is for the work-items of a kernel, not for a loop"):
        loops(np.zeros(4))


def test_launches_that_break_a_rule():
    a = np.zeros(4, np.float32)
    with pytest.raises(lw.LaunchError, match=r"^kernel add_one: write add_one\[grid, block\]\(...\), not add_one\("):
        add_one(a, 4)
    with pytest.raises(lw.LaunchError, match=r"^kernel add_one: write add_one\[grid, block\]\(...\), not \[4\]"):
        add_one[4](a, 4)  # type: ignore[index]
    with pytest.raises(lw.LaunchError, match="missing a required argument: 'n'; its parameters are: a, n"):
        add_one[1, 4](a)
    with pytest.raises(lw.LaunchError, match=r"argument 'a' must be an array lw.f32\[:\], not an array of float64"):
        add_one[1, 4](np.zeros(4), 4)
    with pytest.raises(lw.LaunchError, match="argument 'n': 4294967296 does not fit int32"):
        add_one[1, 4](a, 1 << 32)
    with pytest.raises(lw.LaunchError, match=r"argument 'n': expected an integer for int32, not float 4.0"):
        add_one[1, 4](a, 4.0)
    with pytest.raises(lw.LaunchError, match="block"):
        add_one[1, 0](a, 4)
    with pytest.raises(lw.LaunchError, match="kernel scale: 'k' is a str"):
        scale[1, 4](a, "4")
    with pytest.raises(lw.LaunchError, match="isn't aligned"):
        scale[1, 4](np.zeros(9, np.uint8)[1:].view(np.float32), 1)
    assert not a.any()
    with pytest.raises(lw.Error, match="has not been launched yet"):
        returns.inspect()


@lw.kernel
def scale(a, k):
    a[lw.global_id()] *= k


@lw.kernel
def returns(a):
    return a[0]


@lw.kernel
def calls_a_kernel(a):
    scale(a, 2)


@lw.kernel
def wants_an_axis(a):
    a[lw.global_id(3)] = 0


@lw.kernel
def wants_a_constant(a):
    s = lw.shared(len(a), lw.f32)
    a[0] = s[0]


@lw.kernel
def wants_a_type(a):
    s = lw.shared(4, 4)
    a[0] = s[0]


@lw.kernel
def gives_an_argument(a):
    lw.barrier(a)  # type: ignore[reportCallIssue]


@lw.kernel
def fences(a):
    lw.memory_fence("block")


@lw.kernel
def divides_a_warp(a):
    a[0] = lw.shfl_down_sync(0xFFFFFFFF, a[0], 1, 3)


@lw.kernel
def adds_to_bytes(a):
    s = lw.shared(4, lw.u8)
    lw.atomic.add(s, 0, 1)


@lw.kernel
def adds_a_float(a):
    s = lw.shared(4, lw.u32)
    lw.atomic.add(s, 0, 1.5)


@lw.kernel
def ands_floats(a):
    lw.atomic.and_(a, 0, 1)


@lw.kernel
def lacks_an_index(a):
    s = lw.shared((4, 4), lw.u32)
    lw.atomic.add(s, 0, 1)


@lw.kernel
def adds_to_an_element(a):
    lw.atomic.add(a[0], 0, 1)


@lw.kernel
def uses_a_lambda(a):
    a[0] = (lambda x: x)(a[0])


@lw.kernel
def prints_an_array(a):
    print(a)


@lw.kernel
def takes_any(*a):
    print(a)


@pytest.mark.parametrize(
    ("kernel", "message"),
    [
        (returns, r"test_kernel_errors.py:\d+:\d+: error: a kernel returns nothing: store the result in an array"),
        (calls_a_kernel, "'scale' is a kernel, which compiled code doesn't call: mark what both do"),
        (wants_an_axis, "a grid has the axes 0, 1 and 2, and no axis 3"),
        (wants_a_constant, "each extent of an array that a kernel declares must be a constant"),
        (wants_a_type, "the type of an array's elements is one such as lw.f32 or np.float32, not an int"),
        (gives_an_argument, r"lw.barrier\(\): too many positional arguments"),
        (fences, 'the scope of a fence is "group", "device" or "system"'),
        (divides_a_warp, "the width of a shuffle is a power of two up to 32, not 3"),
        (adds_to_bytes, "atomic operations are of numbers of 32 and 64 bits, not of a uint8"),
        (adds_a_float, r"an atomic operation on a uint32 takes an integer, not a float: write int\(...\)"),
        (ands_floats, "atomic operations on bits are of integers, not of a float64"),
        (lacks_an_index, "needs 2 indices, as a tuple, in an atomic operation"),
        (adds_to_an_element, r"of an element of an array, given as \(array, index\), not of a float64"),
        (uses_a_lambda, "a lambda isn't compiled: define a function with @lw.jit"),
        (prints_an_array, r"an array float64\[:\] can't be printed in a kernel"),
        (takes_any, r"'\*' and '\*\*' among the parameters aren't compiled"),
    ],
)
def test_errors_name_the_place_and_the_rule(kernel: Any, message: str):
    with pytest.raises(lw.CompileError, match=message):
        kernel[1, 4](np.ones(4))


@pytest.mark.parametrize("function", [len, loops])
def test_what_can_not_be_marked(function: Callable[..., Any]):
    with pytest.raises(lw.Error, match=r"lw.kernel marks functions|a function is either a kernel or compiled"):
        lw.kernel(function)
