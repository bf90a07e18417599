# SPDX-License-Identifier: Apache-2.0
# pyright: reportGeneralTypeIssues=false
# The annotations are values that Lanewise reads, and no types.
"""The types of regions, known before a call."""

import numpy as np
import pytest

import lanewise as lw
from lanewise.ahead.function_types import FunctionTypes, UnknownTypeError
from lanewise.jit.function import JitFunction

HALF = 0.5


def types_of(function: JitFunction) -> list[str]:
    """The names of the types of each region's inputs."""
    return [
        ", ".join(sorted(f"{name}: {of.name}" for name, of in types.items()))
        for found in FunctionTypes(function).types
        for types in found
    ]


@lw.jit
def locals_of_all_kinds(a: lw.f32[:, :], n: int, x: lw.i16):
    rows, columns = a.shape
    out = np.zeros((n, 2 * columns), np.float32)
    line = out[0]
    means = a.mean(axis=1)
    half, one, more = HALF * n, x + 1, np.sqrt(a)
    scale = n // 2 if n > 3 else rows
    for i in lw.prange(rows):
        out[i, 0] = line[i] + means[i] + half + one + more[i, 0] + scale
    return out


def test_variables_have_the_types_of_what_is_assigned_to_them():
    assert types_of(locals_of_all_kinds) == [
        "half: float, line: float32[:], means: float32[:], more: float32[:, :], one: int16, out: float32[:, :], "
        "scale: int"
    ]


@lw.jit
def results_of_regions(a: lw.f32[:]):
    s = 0.0
    count = 0
    for i in lw.prange(len(a)):
        s += a[i]
    for i in range(len(a)):
        if a[i] > s:
            count += 1
    for i in lw.prange(len(a)):
        a[i] = s + count


def test_what_a_region_leaves_is_an_input_of_the_next():
    assert types_of(results_of_regions) == [
        "a: float32[:], s: float",
        "a: float32[:], count: int, s: float32",
        "a: float32[:], count: int, s: float32",
    ]


@lw.jit
def swapped_in_a_loop(a: lw.f64[:], b: lw.f64[:], steps: int):
    while steps > 0:
        for i in lw.prange(len(a)):
            b[i] = a[i] / steps
        a, b = b, a
        steps -= 1


def test_a_loop_is_followed_until_nothing_is_new():
    assert types_of(swapped_in_a_loop) == ["a: float64[:], b: float64[:], steps: int"]


def read(name: str):
    raise AssertionError("never called")


@lw.jit
def of_a_file(n: int):
    a = read("a.npy")
    for i in lw.prange(n):
        a[i] = 0


@lw.jit
def of_two_types(a: lw.f64[:], n: int):
    if n > 3:
        a = np.zeros(n, np.float32)
    for i in lw.prange(n):
        a[i] = 0


@lw.jit
def without_annotation(a: lw.f64[:], n):
    for i in lw.prange(n):
        a[i] = 0


@lw.jit
def with_another(a: lw.f64[:], name: str):
    for i in lw.prange(len(a)):
        a[i] = 0


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (of_a_file, "the type of 'a' isn't known before the call"),
        (of_two_types, "the type of 'a' isn't known before the call"),
        (without_annotation, "parameter 'n' has no type"),
        (with_another, "the annotation of parameter 'name' is no type of compiled code"),
    ],
)
def test_reasons_for_which_nothing_is_built(function: JitFunction, message: str):
    with pytest.raises(UnknownTypeError, match=message):
        FunctionTypes(function)


@lw.jit
def huge(n: int):
    a = np.zeros((1 << 20, 1 << 20))
    b = n ** (10**9)
    for i in lw.prange(n):
        a[i, 0] = b


def test_samples_are_small():
    assert types_of(huge) == ["a: float64[:, :], b: int"]
