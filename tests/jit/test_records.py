# SPDX-License-Identifier: Apache-2.0
"""Records (structured dtypes) in compiled loops, against the interpreter."""

from typing import Any

import numpy as np
import pytest

import lanewise as lw

RANDOM = np.random.default_rng(3)
FIELDS = [("x", "f8"), ("mass", "f4"), ("kind", "i1"), ("seen", "?"), ("z", "c8")]
ALIGNED, PACKED = np.dtype(FIELDS, align=True), np.dtype(FIELDS)


def particles(count: int, dtype: Any) -> Any:
    made: Any = np.zeros(count, dtype)
    made["x"], made["mass"] = RANDOM.random(count), RANDOM.random(count)
    made["kind"], made["z"] = RANDOM.integers(-3, 4, count), RANDOM.random(count) + 1j
    return made


@lw.jit(exact=True)
def moved(a, b, dt):
    for i in lw.prange(len(a)):
        p = a[i]
        p["x"] += dt * p["mass"]
        a[i]["kind"] = p["kind"] + 1 if p["x"] > 0.5 else -p["kind"]
        p["seen"] = a[i]["kind"] > 0
        p["z"] *= 2j
        b[len(a) - 1 - i] = a[i]
        if i % 3 == 0:
            b[len(a) - 1 - i] = (1.5, i, 2, True, 1j)


@lw.jit(exact=True)
def by_attributes(a):
    for i in lw.prange(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j].x = a[i, j].mass + 2 * a[i, j].x
            a[i, j].mass += 1
        row = a[i]
        row[0].kind = 7


@lw.jit
def scale(p, factor):
    p["x"] *= factor
    return p["x"]


@lw.jit
def with_calls_and_columns(a, out):
    for i in lw.prange(len(a)):
        out[i] = scale(a[i], 3.0) + a["x"][i] + a["mass"][i]
        a["kind"][i] = 5


@lw.jit
def counted(a, where, weights):
    for i in lw.prange(len(where)):
        a[where[i]]["n"] += 1
        a[where[i]]["sum"] += weights[i]


@pytest.mark.parametrize("device", ["cpu", "reference", "simt"])
@pytest.mark.parametrize("dtype", [ALIGNED, PACKED])
def test_fields(device: str, dtype: Any):
    a, b = particles(50, dtype), particles(50, dtype)
    expected, other = a.copy(), b.copy()
    with lw.on(device):
        moved(a[::2], b, np.float32(0.5))
    moved.py_func(expected[::2], other, np.float32(0.5))
    assert (a == expected).all()
    assert (b == other).all()


@lw.jit
def of_two_arrays(a, b, out):
    for i in lw.prange(len(out)):
        p = a[i] if i % 3 else b[len(b) - 1 - i]
        out[i] = p["x"] + p["mass"]
        p["kind"] = 9
        (a[i] if out[i] > 1 else p)["seen"] = True


@pytest.mark.parametrize("device", ["cpu", "reference", "simt"])
def test_one_of_two_records(device: str):
    given = particles(30, ALIGNED), particles(30, ALIGNED), np.zeros(30)
    results, expected = ([each.copy() for each in given] for _ in range(2))
    with lw.on(device):
        of_two_arrays(*results)
    of_two_arrays.py_func(*expected)
    for found, right in zip(results, expected, strict=True):
        assert (found == right).all()


def test_attributes_of_records():
    a = particles(12, ALIGNED).view(np.recarray).reshape(3, 4)
    expected = a.copy()
    by_attributes(a)
    by_attributes.py_func(expected)
    assert (a == expected).all()


def test_calls_and_columns():
    a, out = particles(40, ALIGNED), np.zeros(40)
    expected, wanted = a.copy(), out.copy()
    with_calls_and_columns(a, out)
    with_calls_and_columns.py_func(expected, wanted)
    assert (a == expected).all()
    np.testing.assert_allclose(out, wanted)


@lw.jit
def set_seen(p):
    p["seen"] = True


@lw.jit
def by_other_names(a):
    for i in lw.prange(len(a)):
        p = a[i]
        p["x"] = 3.0
        set_seen(a[i])


def test_fields_written_by_other_names_come_back_from_a_device():
    a = particles(20, ALIGNED)
    with lw.on("simt"):
        by_other_names(a)
    assert (a["x"] == 3.0).all()
    assert a["seen"].all()


@pytest.mark.parametrize("device", ["cpu", "simt"])
def test_sums_in_shared_records(device: str):
    a, where = np.zeros(4, np.dtype([("n", "i8"), ("sum", "f8")], align=True)), RANDOM.integers(0, 4, 5000)
    with lw.on(device):
        counted(a, where, np.ones(5000))
    assert (a["n"] == np.bincount(where, minlength=4)).all()
    assert (a["sum"] == a["n"]).all()


def test_conflicts_are_found():
    @lw.jit(parallel_check=True)
    def last(a, where):
        for i in lw.prange(len(where)):
            a[where[i]]["x"] = i

    last(particles(9, ALIGNED), np.arange(9))
    with pytest.raises(lw.LaunchError, match=r"iterations i=0 and i=1 of a parallel loop conflict at a\[1\]"):
        last(particles(9, ALIGNED), np.array([1, 1, 2]))


@lw.jit
def no_such_field(a):
    for i in lw.prange(len(a)):
        a[i]["y"] = 1


@lw.jit
def whole(a):
    for i in lw.prange(len(a)):
        a[i]["x"] = a[i] * 2


@lw.jit
def packed_column(a):
    for i in lw.prange(len(a)):
        a["x"][i] = 1


@pytest.mark.parametrize(
    ("function", "dtype", "error", "reason"),
    [
        (no_such_field, ALIGNED, lw.CompileError, "a record has no field 'y': it has x, mass, kind, seen, z"),
        (whole, ALIGNED, lw.CompileError, r"a record\(x, mass"),
        (packed_column, PACKED, lw.CompileError, "the field 'x' isn't aligned"),
        (packed_column, np.dtype([("x", "f8", 3)]), lw.LaunchError, "has the dtype .* which compiled code"),
    ],
)
def test_what_is_refused(function: Any, dtype: Any, error: type[Exception], reason: str):
    with pytest.raises(error, match=reason):
        function(np.zeros(5, dtype))
