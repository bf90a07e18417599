# SPDX-License-Identifier: Apache-2.0
"""Arguments to judge a function at: special values, their neighbours, random bits, and the ranges of its row."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from .table import Range, Row

CHUNK: Final = 1 << 18
_RANDOM_BITS: Final = 0.3
"""Part of the points whose bits are random: exponents of all sizes are as frequent."""

Columns = list[NDArray[Any]]


def chunks(row: Row, count: int, seed: int = 0) -> Iterator[Columns]:
    """Arrays of arguments of the row's type, `count` points and the special ones in all. The same each time."""
    yield special_points(row)
    for number, first in enumerate(range(0, count, CHUNK)):
        yield _random_points(row, min(CHUNK, count - first), np.random.default_rng((seed, number)))


def _float_type(row: Row) -> type[np.floating[Any]]:
    return np.float32 if row.type == "float" else np.float64


def special_values(of: type[np.floating[Any]]) -> NDArray[Any]:
    """Zeros, denormals, whole numbers and halves, numbers beside these, the greatest, infinities, NaN."""
    info = np.finfo(of)
    sizes = [
        0.0, info.smallest_subnormal, 5 * info.smallest_subnormal, info.tiny - info.smallest_subnormal, info.tiny,
        info.tiny + info.smallest_subnormal, 1e-20, info.eps, 0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 7.5, 8.0,
        10.0, 25.0, 64.0, 100.0, 127.0, 128.0, 1000.0, 1e10, 2.0 ** info.nmant, 2.0 ** (info.nmant + 1), 2.0 ** 63,
        1e30, info.max / 2, info.max, np.inf, np.nan,
    ]  # fmt: skip
    positive = np.array(sizes, dtype=of)
    with np.errstate(over="ignore"):
        beside = [np.nextafter(positive, of(0)), positive, np.nextafter(positive, of(np.inf))]
    both = np.concatenate([*beside, *(-each for each in beside)])
    bits = np.unique(both.view(np.uint32 if of is np.float32 else np.uint64))
    return bits.view(of)


def special_points(row: Row) -> Columns:
    """All combinations of special values; of three and more arguments, of fewer such values."""
    of = _float_type(row)
    values = special_values(of)
    few = np.array([0.0, -0.0, 1.0, -3.0, 1e-30, np.finfo(of).tiny, np.finfo(of).max, np.inf, -np.inf, np.nan], of)
    whole = np.array([0, 1, -1, 2, -2, 3, -3, 10, 31, 128, -128, 149, -149, 1023, -1074, 2**24, -(2**24)], of)
    whole = whole[(whole >= row.integers[0]) & (whole <= row.integers[1])]
    if len(row.parameters) > 2:
        values = few
    choices = [values if parameter == row.type else whole for parameter in row.parameters]
    if row.parameters == (row.type,):
        choices = [np.concatenate([values, _powers_of_two(of), _multiples(of)])]
    return [np.ascontiguousarray(column) for column in np.array(list(itertools.product(*choices)), of).T]


def _powers_of_two(of: type[np.floating[Any]]) -> NDArray[Any]:
    info = np.finfo(of)
    powers = np.ldexp(of(1), np.arange(info.minexp - info.nmant, info.maxexp, dtype=np.int32))
    return np.concatenate([sign * np.nextafter(powers, of(to)) for sign in (1, -1) for to in (0, 1, np.inf)]).astype(of)


def _multiples(of: type[np.floating[Any]]) -> NDArray[Any]:
    """Numbers nearest to multiples of pi / 4 and of 1 / 4."""
    whole = np.arange(-2000, 2000)
    many = np.trunc(np.logspace(3, 15, 2000))
    return np.concatenate([whole * (np.pi / 4), whole / 4, many * (np.pi / 4), many / 4]).astype(of)


def _random_points(row: Row, count: int, random: np.random.Generator) -> Columns:
    of = _float_type(row)
    box_of_point = random.integers(0, len(row.ranges), count)
    by_bits = random.random(count) < _RANDOM_BITS
    columns: Columns = []
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        for index, parameter in enumerate(row.parameters):
            column = np.empty(count, of)
            for number, box in enumerate(row.ranges):
                chosen = box_of_point == number
                values = _in_range(box[index], int(chosen.sum()), random)
                column[chosen] = (np.rint(values) if parameter != row.type else values).astype(of)
            if parameter == row.type:
                integers = np.uint32 if of is np.float32 else np.uint64
                bits = random.integers(0, np.iinfo(integers).max, count, dtype=integers, endpoint=True)
                columns.append(np.where(by_bits, bits.view(of), column))
            else:
                columns.append(column)
    return columns


def _in_range(bounds: Range, count: int, random: np.random.Generator) -> NDArray[np.float64]:
    """Evenly spread; of positive ranges with large quotients, half of the points by their logarithm."""
    low, high = bounds
    even = low + (high - low) * random.random(count)
    if low <= 0 or high / low < 1e3:
        return even
    by_logarithm = np.exp(np.log(low) + (np.log(high) - np.log(low)) * random.random(count))
    return np.where(random.random(count) < 0.5, even, by_logarithm)
