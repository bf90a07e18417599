# SPDX-License-Identifier: Apache-2.0
"""Loops that `lw.jit` compiles, against Python itself."""

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import lanewise as lw

Doubles = NDArray[np.float64]


@pytest.fixture(scope="module")
def random() -> np.random.Generator:
    return np.random.default_rng(1)


@lw.jit
def matrix_product(a, b, c):
    for i in lw.prange(a.shape[0]):
        for j in lw.prange(b.shape[1]):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_matrix_product(random: np.random.Generator, dtype: str):
    a, b = random.random((37, 50)).astype(dtype), random.random((50, 41)).astype(dtype)
    c = np.zeros((37, 41), dtype)
    matrix_product(a, b, c)
    np.testing.assert_allclose(c, a @ b, rtol=1e-5)


def test_views_with_any_strides(random: np.random.Generator):
    a, b = random.random((60, 80))[::-1, ::2], random.random((30, 40)).T
    c = np.zeros((60, 60))[:, ::-2]
    matrix_product(a, b, c)
    np.testing.assert_allclose(c, a @ b)


@lw.jit(exact=True)
def heat(a, b, steps):
    n, m = a.shape
    for _ in range(steps):
        for i in lw.prange(1, n - 1):
            for j in range(1, m - 1):
                b[i, j] = a[i, j] + 0.1 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1] - 4 * a[i, j])
        a, b = b, a
    return a


def test_a_parallel_loop_within_a_serial_one_to_the_bit(random: np.random.Generator):
    start = random.random((20, 70))
    expected = heat.py_func(start.copy(), start.copy(), 5)
    assert (heat(start.copy(), start.copy(), 5) == expected).all()


@lw.jit
def sweep(a, b):
    for i in lw.prange(1, len(a) - 1):
        b[i] = 0.5 * (a[i - 1] + a[i + 1])


@lw.jit
def sweeps(a, b, count):
    for _ in range(count):
        sweep(a, b)
        sweep(b, a)


def test_a_function_with_parallel_loops_called_in_a_loop(random: np.random.Generator):
    a = random.random(300)
    found, expected = a.copy(), a.copy()
    sweeps(found, a.copy(), 4)
    sweeps.py_func(expected, a.copy(), 4)
    assert (found == expected).all()
    assert "for a: float64[:], b: float64[:]" in sweep.inspect(), "the inner function wasn't run by itself"


@lw.jit
def statistics(x):
    total, least, most, product, all_positive, any_large = 0.0, math.inf, -math.inf, 1.0, True, False
    for i in lw.prange(len(x)):
        total += x[i]
        least = min(least, x[i])
        most = max(x[i], most)
        product *= 1.0 + x[i] / 1000
        all_positive = all_positive and x[i] > 0
        any_large = any_large or x[i] > 0.99999
    return total, least, most, product, all_positive, any_large


@pytest.mark.parametrize("count", [0, 1, 5, 256, 1000, 100_003])
def test_reductions(random: np.random.Generator, count: int):
    x = random.random(count)
    total, least, most, product, all_positive, any_large = statistics(x)
    expected = statistics.py_func(x)
    assert total == pytest.approx(expected[0], rel=1e-12)
    assert (least, most) == expected[1:3]
    assert product == pytest.approx(expected[3], rel=1e-9)
    assert (all_positive, any_large) == expected[4:]


def test_a_reduction_is_the_same_for_any_number_of_threads(random: np.random.Generator):
    x = random.random(70_001)
    device: Any = lw.device("cpu")
    before, results = device.num_threads, set()
    for threads in (1, 2, 3):
        device.set_num_threads(threads)
        results.add(statistics(x)[0])
    device.set_num_threads(before)
    assert len(results) == 1


@lw.jit
def residual(a, b):
    error = 0.0
    for i in lw.prange(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            value = 0.25 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])
            error = max(error, abs(value - a[i, j]))
            b[i, j] = value
    return error


def test_a_reduction_over_a_nest(random: np.random.Generator):
    a = random.random((300, 90))
    b, c = a.copy(), a.copy()
    assert residual(a, b) == pytest.approx(residual.py_func(a, c), rel=1e-12)
    np.testing.assert_allclose(b, c)


@lw.jit
def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def test_scalars_that_a_serial_loop_leaves_behind():
    assert [fibonacci(n) for n in (0, 1, 2, 10, 90)] == [fibonacci.py_func(n) for n in (0, 1, 2, 10, 90)]
    assert type(fibonacci(3)) is int


@lw.jit
def queens(row, columns, falling, rising, n):
    if row == n:
        return 1
    count = 0
    for c in range(n):
        f, r = 1 << (row + c), 1 << (row - c + n)
        if columns & (1 << c) or falling & f or rising & r:
            continue
        count += queens(row + 1, columns | (1 << c), falling | f, rising | r, n)
    return count


def test_recursion():
    assert queens(0, 0, 0, 0, 6) == 4


@lw.jit
def position(x, wanted):
    for i in range(len(x)):
        if x[i] == wanted:
            return i
    return -1


def test_return_from_within_a_loop():
    x = np.arange(10, dtype=np.int32) * 3
    assert [position(x, 12), position(x, 13)] == [4, -1]


@lw.jit
def clipped(x, low, high):
    return min(max(x, low), high)


@lw.jit
def swapped(a, b):
    return b, a


@lw.jit
def calling(x, y):
    for i in lw.prange(len(x)):
        a, b = swapped(x[i], y[i])
        y[i] = clipped(a, 0.25, 0.75) - b


def test_functions_that_are_called(random: np.random.Generator):
    x, y = random.random(1000), random.random(1000)
    z = y.copy()
    calling(x, y)
    calling.py_func(x, z)
    assert (y == z).all()


@lw.jit
def divided(a, b, quotients, remainders):
    for i in lw.prange(len(a)):
        quotients[i] = a[i] // b[i]
        remainders[i] = a[i] % b[i]


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint32", "float32", "float64"])
def test_floor_division_and_modulo_have_pythons_signs(dtype: str):
    values = np.array([-7, -6, -1, 1, 2, 5, 7, 100]).astype(dtype)
    a, b = (part.ravel().copy() for part in np.meshgrid(values, values))
    found, expected = [(np.zeros_like(a), np.zeros_like(a)) for _ in range(2)]
    divided(a, b, *found)
    divided.py_func(a, b, *expected)
    assert (found[0] == expected[0]).all()
    assert (found[1] == expected[1]).all()


@lw.jit
def of_types(x, y):
    for i in range(len(x)):
        y[i] = x[i] * 2.0 + 1
    return x[0] * 2


@pytest.mark.parametrize("dtype", ["float32", "float64", "int16", "int64", "uint8", "bool"])
def test_results_have_the_types_that_python_gives(dtype: str):
    x = np.array([1, 0, 1, 1], dtype)
    y, z = np.zeros(4), np.zeros(4)
    assert type(of_types(x, y)) is type(of_types.py_func(x, z))
    assert (y == z).all()


def test_devices_agree(random: np.random.Generator):
    a, b = random.random((9, 12)), random.random((12, 7))
    results = []
    for device in ("cpu", "reference", "simt"):
        c = np.zeros((9, 14))[:, ::2]
        with lw.on(device):
            matrix_product(a[::-1], b, c)
        results.append(c)
    np.testing.assert_allclose(results[0], a[::-1] @ b)
    assert (results[0] == results[1]).all()
    assert (results[0] == results[2]).all()


@lw.jit
def shifted(a, b):
    for i in lw.prange(a.shape[0]):
        for j in range(1, a.shape[1]):
            b[i, j] = a[i, j - 1] + 1


def test_arrays_that_overlap_keep_the_order_of_serial_loops():
    x, y = np.zeros((5, 40)), np.zeros((5, 40))
    shifted(x, x)
    shifted.py_func(y, y)
    assert (x == y).all()


@lw.jit
def plus(x, y=2):
    return x + y


@lw.jit
def powers(n):
    s = 0
    for i in range(n):
        s += 3**i + i**i + plus(i) + plus(y=i, x=1)
    return s


def test_integer_powers_and_default_arguments():
    assert powers(12) == powers.py_func(12)


@lw.jit
def compared(x, limits):
    count = 0
    for i in range(len(x)):
        for j in range(-300, 300, 50):
            count += (x[i] < j) + 2 * (x[i] >= j) + 4 * (x[i] == j) + 8 * (j <= x[i])
        count += 16 * (x[i] > limits[i])
    return count


@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint64", "int64"])
@pytest.mark.parametrize("other", ["int8", "uint64"])
def test_integers_compare_by_value(dtype: str, other: str):
    x, limits = np.array([0, 1, 50, 100]).astype(dtype), np.array([-1, 100, 50, 7]).astype(other)
    assert compared(x, limits) == compared.py_func(x, limits)


@lw.jit(boundscheck=True)
def neighbours(a, b):
    for i in lw.prange(len(a)):
        b[i] = a[i - 1] + a[i + 1]


@lw.jit(boundscheck=True)
def from_the_end(a):
    s = 0
    for i in range(4):
        s += a[i - 3]
    return s


@pytest.mark.parametrize("device", ["cpu", "reference", "simt"])
def test_checked_indices(device: str):
    a, b = np.arange(50.0), np.zeros(50)
    with lw.on(device):
        with pytest.raises(
            lw.LaunchError, match=r"test_loops.py:\d+: index 50 is out of bounds for axis 0 with size 50"
        ):
            neighbours(a, b)
        assert from_the_end(a) == from_the_end.py_func(a)


@lw.jit
def scaled(a: lw.f32[:, :], factor: lw.f32, count: int):  # type: ignore[reportGeneralTypeIssues] : values, not types
    for i in lw.prange(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = a[i, j] * factor + count


def test_annotated_parameters_are_checked():
    a = np.ones((3, 4), np.float32)
    scaled(a, 2, np.int32(1))
    assert (a == 3).all()
    for arguments, message in (
        ((a[0], 2, 1), r"'a' must be an array lw\.f32\[:, :\], not an array of float32 with 1 dim"),
        ((a.astype(float), 2, 1), r"'a' must be an array lw\.f32\[:, :\], not an array of float64 with 2 dim"),
        ((a, "2", 1), r"'factor' must be a number \(f32\), not '2'"),
        ((a, 2, 1.5), r"'count' must be an integer \(int\), not 1\.5"),
    ):
        with pytest.raises(lw.LaunchError, match=message):
            scaled(*arguments)
    assert (a == 3).all()


@lw.jit
def increment(row, place):
    row[place] += 1


@lw.jit
def count_by_views(data, counts):
    for i in lw.prange(counts.shape[0]):
        row = counts[i]
        for j in range(data.shape[1]):
            row[data[i, j]] += 1


@lw.jit
def count_by_calls(data, counts):
    for i in lw.prange(counts.shape[0]):
        for j in range(data.shape[1]):
            increment(counts[i], data[i, j])


@pytest.mark.parametrize("device", ["cpu", "reference", "simt"])
@pytest.mark.parametrize("function", [count_by_views, count_by_calls])
def test_stores_through_views_and_calls_come_back(random: np.random.Generator, function, device: str):
    data = random.integers(0, 4, (5, 30))
    found, expected = np.zeros((5, 4), np.int32), np.zeros((5, 4), np.int32)
    with lw.on(device):
        function(data, found)
    function.py_func(data, expected)
    assert (found == expected).all()


# -- errors ------------------------------------------------------------------------------------------------------------


@lw.jit
def carries(x):
    previous = 0.0
    for i in lw.prange(len(x)):
        x[i] = x[i] - previous
        previous = x[i]


@lw.jit
def breaks(x):
    for i in lw.prange(len(x)):
        if x[i] > 0:
            break


@lw.jit
def becomes_an_array(x):
    for i in range(len(x)):
        y = x[i]
        x[i] = y
        y = x


@lw.jit
def uses_a_list(x):
    for i in range(len(x)):
        x[i] = [1, 2][i]


@lw.jit
def adds_arrays(x):
    for _ in range(3):
        x[0] = x + 1


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (carries, r"test_loops.py:\d+:\d+: error: 'previous' goes from one iteration of a parallel loop to the next"),
        (breaks, r"'break' can't leave a parallel loop"),
        (becomes_an_array, r"'y' is a float64 and becomes a float64\[:\]: a variable has one type"),
        (uses_a_list, r"error: a list isn't compiled: use a tuple"),
        (adds_arrays, r"a number is needed here, not an array float64\[:\]"),
    ],
)
def test_errors_name_the_place_and_the_rule(function: object, message: str):
    x = np.ones(4)
    with pytest.raises(lw.CompileError, match=message):
        function(x)  # type: ignore[operator]
    assert (x == 1).all()


def test_values_that_compiled_loops_do_not_have():
    with pytest.raises(lw.LaunchError, match="'x' has the dtype object"):
        position(np.zeros(3, object), 1)
    with pytest.raises(lw.LaunchError, match="'x' is a list"):
        position([1, 2], 1)
    with pytest.raises(TypeError, match=r"^position\(\) missing 1 required"):
        position(np.zeros(3))
    with pytest.raises(lw.LaunchError, match=r"'n' is 1180591620717411303424, which doesn't fit 64 bits"):
        fibonacci(2**70)


def test_loops_with_more_iterations_than_a_grid_has_groups():
    @lw.jit
    def numbered(a):
        for i in lw.prange(a.shape[0]):
            for j in range(a.shape[1]):
                for k in range(a.shape[2]):
                    a[i, j, k] = i + j + k

    for shape in ((300_000, 3, 1), (3, 200_000, 2), (2, 3, 70_000)):
        a = np.zeros(shape, np.int32)
        numbered(a)
        i, j, k = np.indices(shape, sparse=True)
        assert (a == i + j + k).all()


@lw.jit
def checksum(data, poly=0x8408):
    crc = 0xFFFF
    for byte in data:
        bits = 0xFF & byte
        for _ in range(8):
            if (crc & 1) ^ (bits & 1):
                crc = (crc >> 1) ^ poly
            else:
                crc >>= 1
            bits >>= 1
    return ~crc & 0xFFFF


@lw.jit
def sums_until(a, out, limit):
    for i in lw.prange(len(out)):
        total = 0.0
        for row in a:
            if total > limit[i]:
                break
            for x in row:
                total += x
        out[i] = total


def test_loops_over_arrays():
    data = np.random.default_rng(4).integers(0, 256, 300).astype(np.uint8)
    assert checksum(data) == checksum.py_func(data)
    assert "a serial loop" in checksum.inspect()
    assert checksum(data.tolist()) == checksum.py_func(data), "a list is Python's"
    a, out, limit = np.random.default_rng(4).random((20, 5)), np.zeros(6), np.arange(6) * 5.0
    expected = out.copy()
    sums_until(a, out, limit)
    sums_until.py_func(a, expected, limit)
    assert np.allclose(out, expected)
