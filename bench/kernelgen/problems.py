# SPDX-License-Identifier: Apache-2.0
"""Data for each kernel and what NumPy says of it: by slices, in float32, in about the order of the kernel's operations.

A function here has its kernel's name and is a `Benchmark.prepare`. Arrays are indexed [k, j, i], as in memory.
"""

from __future__ import annotations

import numpy as np

from .problem import UNTOUCHED, Array, Extent, Points, Problem

_f32 = np.float32


def _random(extent: Extent, rng: np.random.Generator) -> Array:
    """Values in [-1, 1), (ns, ny, nx), without a k where ns is 1."""
    shape = (extent.ns, extent.ny, extent.nx) if extent.ns > 1 else (extent.ny, extent.nx)
    return rng.random(shape, np.float32) * _f32(2) - _f32(1)


def _window(array: Array, low: int, high: int, *offset: int) -> Array:
    """Points `low` from the start and `high` from the end of each dimension, or more, moved by `offset` (k, j, i)."""
    return array[tuple(slice(low + by, size - high + by) for by, size in zip(offset, array.shape, strict=True))]


def _result(like: Array, low: int, high: int, values: Array) -> Array:
    """An array like `like` that the kernel has written `values` to, `low` and `high` as in `_window`."""
    out = np.full_like(like, UNTOUCHED)
    _window(out, low, high, *(0,) * out.ndim)[...] = values
    return out


def _blank(like: Array) -> Array:
    return np.full_like(like, UNTOUCHED)


def _inner(extent: Extent, low: int, high: int) -> Points:
    """The parallel loops over the points of `_window`."""
    cut = low + high
    if extent.ns > 1:
        return Points(extent.nx - cut, extent.ns - cut, extent.ny - cut)
    return Points(extent.nx - cut, extent.ny - cut)


def _sizes(extent: Extent) -> tuple[np.int32, ...]:
    sizes = (np.int32(extent.nx), np.int32(extent.ny))
    return (*sizes, np.int32(extent.ns)) if extent.ns > 1 else sizes


def divergence(extent: Extent, rng: np.random.Generator) -> Problem:
    vx, vy, vz = (_random(extent, rng) for _ in range(3))
    alpha, beta, gamma = _f32(0.7), _f32(-0.4), _f32(0.9)

    def expected() -> tuple[Array, ...]:
        values = alpha * (_window(vx, 1, 1, 0, 0, 1) - _window(vx, 1, 1, 0, 0, -1))
        values += beta * (_window(vy, 1, 1, 0, 1, 0) - _window(vy, 1, 1, 0, -1, 0))
        values += gamma * (_window(vz, 1, 1, 1, 0, 0) - _window(vz, 1, 1, -1, 0, 0))
        return (_result(vx, 1, 1, values),)

    return Problem(
        (_blank(vx), vx, vy, vz, alpha, beta, gamma, *_sizes(extent)),
        _inner(extent, 1, 1),
        results=(0,),
        expected=expected,
    )


def gradient(extent: Extent, rng: np.random.Generator) -> Problem:
    u = _random(extent, rng)
    alpha, beta, gamma = _f32(0.7), _f32(-0.4), _f32(0.9)

    def expected() -> tuple[Array, ...]:
        gx = alpha * (_window(u, 1, 1, 0, 0, 1) - _window(u, 1, 1, 0, 0, -1))
        gy = beta * (_window(u, 1, 1, 0, 1, 0) - _window(u, 1, 1, 0, -1, 0))
        gz = gamma * (_window(u, 1, 1, 1, 0, 0) - _window(u, 1, 1, -1, 0, 0))
        return tuple(_result(u, 1, 1, values) for values in (gx, gy, gz))

    return Problem(
        (u, _blank(u), _blank(u), _blank(u), alpha, beta, gamma, *_sizes(extent)),
        _inner(extent, 1, 1),
        results=(1, 2, 3),
        expected=expected,
    )


def gameoflife(extent: Extent, rng: np.random.Generator) -> Problem:
    cell = (rng.random((extent.ny, extent.nx)) < 0.4).astype(np.float32)

    def expected() -> tuple[Array, ...]:
        neighbours = [(j, i) for j in (-1, 0, 1) for i in (-1, 0, 1) if (j, i) != (0, 0)]
        around = sum(_window(cell, 1, 1, *offset) for offset in neighbours)
        own = _window(cell, 1, 1, 0, 0)
        # 0 is what the kernel's quotients of at most 1e-20 are within a unit of the last place of 1.
        alive = (around == 3) | ((own == 1) & (around == 2))
        return (_result(cell, 1, 1, alive.astype(np.float32)),)

    return Problem(
        (cell, _blank(cell), *_sizes(extent)),
        _inner(extent, 1, 1),
        results=(1,),
        expected=expected,
    )


def gaussblur(extent: Extent, rng: np.random.Generator) -> Problem:
    image = _random(extent, rng)
    weights = {distance: _f32(np.exp(-distance / 3)) for distance in (0, 1, 2, 4, 5, 8)}
    s0, s1, s2, s4, s5, s8 = weights.values()
    norm = _f32(1 / (s0 + 4 * (s1 + s2 + s4 + s8) + 8 * s5))

    def expected() -> tuple[Array, ...]:
        reach = range(-2, 3)
        total = np.zeros_like(_window(image, 2, 2, 0, 0))
        for distance in (8, 5, 4, 2, 1, 0):
            at = [(j, i) for j in reach for i in reach if j * j + i * i == distance]
            total += weights[distance] * sum(_window(image, 2, 2, *offset) for offset in at)
        return (_result(image, 2, 2, norm * total),)

    return Problem(
        (image, _blank(image), norm, *weights.values(), *_sizes(extent)),
        _inner(extent, 2, 2),
        results=(1,),
        expected=expected,
    )


def jacobi(extent: Extent, rng: np.random.Generator) -> Problem:
    source = _random(extent, rng)
    c0, c1, c2 = _f32(0.2), _f32(0.15), _f32(0.05)

    def expected() -> tuple[Array, ...]:
        def at(j: int, i: int) -> Array:
            return _window(source, 1, 1, j, i)

        values = c2 * (at(-1, -1) + at(1, -1) + at(-1, 1) + at(1, 1))
        values += c1 * (at(0, -1) + at(0, 1) + at(-1, 0) + at(1, 0))
        values += c0 * at(0, 0)
        return (_result(source, 1, 1, values),)

    return Problem(
        (source, _blank(source), c0, c1, c2, *_sizes(extent)),
        _inner(extent, 1, 1),
        results=(1,),
        expected=expected,
    )


def _shell(array: Array, cut: int, squared: int, reach: int) -> Array:
    """Sum over the points of a squared distance, none of them further than `reach` along an axis."""
    span = range(-reach, reach + 1)
    offsets = [(k, j, i) for k in span for j in span for i in span if k * k + j * j + i * i == squared]
    total = np.zeros_like(_window(array, cut, cut, 0, 0, 0))
    for offset in offsets:
        total += _window(array, cut, cut, *offset)
    return total


def lapgsrb(extent: Extent, rng: np.random.Generator) -> Problem:
    source = _random(extent, rng)
    c0, c1, c2, c3 = _f32(-0.8), _f32(0.3), _f32(0.1), _f32(-0.05)

    def expected() -> tuple[Array, ...]:
        values = c3 * _shell(source, 2, 4, reach=2) + c2 * _shell(source, 2, 2, reach=1)
        values += c1 * _shell(source, 2, 1, reach=1)
        values += c0 * _window(source, 2, 2, 0, 0, 0)
        return (_result(source, 2, 2, values),)

    return Problem(
        (source, _blank(source), c0, c1, c2, c3, *_sizes(extent)),
        _inner(extent, 2, 2),
        results=(1,),
        expected=expected,
    )


def laplacian(extent: Extent, rng: np.random.Generator) -> Problem:
    source = _random(extent, rng)
    alpha, beta = _f32(0.4), _f32(0.1)

    def expected() -> tuple[Array, ...]:
        values = alpha * _window(source, 1, 1, 0, 0, 0) + beta * _shell(source, 1, 1, reach=1)
        return (_result(source, 1, 1, values),)

    return Problem(
        (source, _blank(source), alpha, beta, *_sizes(extent)),
        _inner(extent, 1, 1),
        results=(1,),
        expected=expected,
    )


def matmul(extent: Extent, rng: np.random.Generator) -> Problem:
    """Stored by columns: to NumPy, a is (ny, nx), b (ns, ny), c (ns, nx), and c += b @ a."""
    nx, ny, ns = extent.nx, extent.ny, extent.ns
    a, b, c = (_random(Extent(*shape), rng) for shape in ((nx, ny), (ny, ns), (nx, ns)))

    def expected() -> tuple[Array, ...]:
        total = c.copy()
        for k in range(ny):
            total += b[:, k, None] * a[None, k, :]
        return (total,)

    return Problem((a, b, c, *_sizes(extent)), Points(nx, ns), results=(2,), expected=expected)


def matvec(extent: Extent, rng: np.random.Generator) -> Problem:
    a, x = _random(extent, rng), rng.random(extent.nx, np.float32)

    def expected() -> tuple[Array, ...]:
        total = np.zeros(extent.ny, np.float32)
        for i in range(extent.nx):
            total += a[:, i] * x[i]
        return (total,)

    points = Points(extent.ny, only_one_loop=True)
    out = _blank(np.empty(extent.ny, np.float32))
    return Problem((a, x, out, *_sizes(extent)), points, results=(2,), expected=expected)


def sincos(extent: Extent, rng: np.random.Generator) -> Problem:
    x, y = (_random(extent, rng) * _f32(20) for _ in range(2))

    def expected() -> tuple[Array, ...]:
        total = np.sin(x.astype(np.float64)).astype(np.float32) + np.cos(y.astype(np.float64)).astype(np.float32)
        return (total,)

    points = _inner(extent, 0, 0)
    return Problem((x, y, _blank(x), *_sizes(extent)), points, results=(2,), expected=expected)


def _cubic(place: Array, low: int, high: int) -> tuple[Array, ...]:
    """The four weights at each point, computed in double and rounded."""
    t = _window(place, low, high, 0, 0, 0).astype(np.float64)
    weights = (
        t * (t + 1) * (t + 2) / 6,
        -(t - 1) * (t + 1) * (t + 2) / 2,
        (t - 1) * t * (t + 2) / 2,
        -(t - 1) * t * (t + 1) / 6,
    )
    return tuple(weight.astype(np.float32) for weight in weights)


def _tricubic(extent: Extent, rng: np.random.Generator, low: int) -> Problem:
    source, a, b, c = (_random(extent, rng) for _ in range(4))

    def expected() -> tuple[Array, ...]:
        wa, wb, wc = (_cubic(place, low, 2) for place in (a, b, c))
        total = np.zeros_like(wa[0])
        for r in range(4):
            for q in range(4):
                for p in range(4):
                    total += wa[p] * wb[q] * wc[r] * _window(source, low, 2, r - 1, q - 1, p - 1)
        return (_result(source, low, 2, total),)

    return Problem(
        (source, _blank(source), a, b, c, *_sizes(extent)),
        _inner(extent, low, 2),
        results=(1,),
        expected=expected,
    )


def tricubic(extent: Extent, rng: np.random.Generator) -> Problem:
    return _tricubic(extent, rng, low=1)


def tricubic2(extent: Extent, rng: np.random.Generator) -> Problem:
    return _tricubic(extent, rng, low=2)


def uxx1(extent: Extent, rng: np.random.Generator) -> Problem:
    u, xx, xy, xz = (_random(extent, rng) for _ in range(4))
    density = _random(extent, rng) + _f32(2)
    dth, c1, c2 = _f32(1 / extent.nx), _f32(1.125), _f32(-1 / 24)

    def expected() -> tuple[Array, ...]:
        def at(array: Array, k: int, j: int, i: int) -> Array:
            return _window(array, 2, 1, k, j, i)

        d = _f32(0.25) * (at(density, 0, 0, 0) + at(density, 0, -1, 0) + at(density, -1, 0, 0) + at(density, -1, -1, 0))
        change = c2 * (at(xx, 0, 0, 1) - at(xx, 0, 0, -2)) + c1 * (at(xx, 0, 0, 0) - at(xx, 0, 0, -1))
        change += c2 * (at(xy, 0, 1, 0) - at(xy, 0, -2, 0)) + c1 * (at(xy, 0, 0, 0) - at(xy, 0, -1, 0))
        change += c2 * (at(xz, 1, 0, 0) - at(xz, -2, 0, 0)) + c1 * (at(xz, 0, 0, 0) - at(xz, -1, 0, 0))
        return (_result(u, 2, 1, at(u, 0, 0, 0) + dth / d * change),)

    return Problem(
        (u, _blank(u), density, xx, xy, xz, dth, c1, c2, *_sizes(extent)),
        _inner(extent, 2, 1),
        results=(1,),
        expected=expected,
    )


def vecadd(extent: Extent, rng: np.random.Generator) -> Problem:
    a, b = (_random(extent, rng) for _ in range(2))
    return Problem((a, b, _blank(a), *_sizes(extent)), _inner(extent, 0, 0), results=(2,), expected=lambda: (a + b,))


def wave13pt(extent: Extent, rng: np.random.Generator) -> Problem:
    before, now = (_random(extent, rng) for _ in range(2))
    c0, c1, c2 = _f32(0.5), _f32(0.2), _f32(-0.05)

    def expected() -> tuple[Array, ...]:
        values = c2 * _shell(now, 2, 4, reach=2) + c1 * _shell(now, 2, 1, reach=1)
        values += c0 * _window(now, 2, 2, 0, 0, 0)
        values -= _window(before, 2, 2, 0, 0, 0)
        return (_result(now, 2, 2, values),)

    return Problem(
        (before, now, _blank(now), c0, c1, c2, *_sizes(extent)),
        _inner(extent, 2, 2),
        results=(2,),
        expected=expected,
    )


def whispering(extent: Extent, rng: np.random.Generator) -> Problem:
    ex, ey, h, energy, ca, cb, da, db = (_random(extent, rng) for _ in range(8))
    mu, epsilon = _f32(1.3), _f32(0.6)

    def expected() -> tuple[Array, ...]:
        def at(array: Array, j: int = 0, i: int = 0) -> Array:
            return _window(array, 1, 1, j, i)

        def new_ex(j: int) -> Array:
            return at(ca, j) * at(ex, j) + at(cb, j) * (at(h, j + 1) - at(h, j))

        def new_ey(i: int) -> Array:
            return at(ca, 0, i) * at(ey, 0, i) - at(cb, 0, i) * (at(h, 0, i + 1) - at(h, 0, i))

        x, y = new_ex(0), new_ey(0)
        z = at(da) * at(h) + at(db) * (x - new_ex(-1) + new_ey(-1) - y)
        total = at(energy) + _f32(0.5) * (z * z / mu + epsilon * (x * x + y * y))
        return tuple(_result(h, 1, 1, values) for values in (x, y, z, total))

    fields = (ex, ey, _blank(ex), _blank(ey), h, _blank(h), energy, _blank(energy))
    return Problem(
        (*fields, ca, cb, da, db, mu, epsilon, *_sizes(extent)),
        _inner(extent, 1, 1),
        results=(2, 3, 5, 7),
        expected=expected,
    )
