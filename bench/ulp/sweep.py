# SPDX-License-Identifier: Apache-2.0
"""Runs functions on Lanewise's CPU device at many points, and judges the results while the next are computed."""

from __future__ import annotations

import functools
import itertools
import operator
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

import lanewise as lw

from . import kernels, points
from .judge import Judge, Outcome
from .table import Row

_FLOATS_AT_ONCE: Final = 1 << 20

Columns = list[NDArray[Any]]
Piece = TypeVar("Piece")


def results(module: lw.Module, number: int, columns: Columns) -> NDArray[Any]:
    """Of the row of that number in the module, at these points."""
    got = np.empty_like(columns[0])
    kernel = module[kernels.over_points(number)]
    kernel[-(-len(got) // kernels.BLOCK), kernels.BLOCK](got, *columns, len(got))
    return got


def at_points(row: Row, count: int, jobs: int) -> Outcome:
    """At special points and `count` others."""
    module = lw.compile(kernels.source([row]), language="cuda")

    def work(columns: Columns, judge: Judge) -> None:
        judge.add(columns, results(module, 0, columns))

    return spread(row, points.chunks(row, count), work, jobs)


def at_every_float(row: Row, jobs: int) -> Outcome:
    """At all 2^32, for a function of one float; at some points first, which make the greatest error nearly known: MPFR
    is slow, and asked whenever an error may be greater than those before."""
    module = lw.compile(kernels.source([row]), language="cuda")
    kernel = module[kernels.over_floats(0)]

    def work(piece: Columns | int, judge: Judge) -> None:
        if isinstance(piece, int):
            got = np.empty(_FLOATS_AT_ONCE, np.float32)
            kernel[_FLOATS_AT_ONCE // kernels.BLOCK, kernels.BLOCK](got, piece)
            judge.add([np.arange(piece, piece + _FLOATS_AT_ONCE, dtype=np.uint32).view(np.float32)], got)
        else:
            judge.add(piece, results(module, 0, piece))

    first = points.chunks(row, jobs * points.CHUNK)
    return spread(row, itertools.chain(first, range(0, 1 << 32, _FLOATS_AT_ONCE)), work, jobs)


def spread(row: Row, pieces: Iterator[Piece], work: Callable[[Piece, Judge], None], jobs: int) -> Outcome:
    """Work through the pieces in `jobs` threads, each with a judge of its own."""
    lock = threading.Lock()

    def run(judge: Judge) -> Outcome:
        while True:
            with lock:
                piece = next(pieces, None)
            if piece is None:
                return judge.outcome
            work(piece, judge)

    judges = [Judge(row) for _ in range(jobs)]
    with ThreadPoolExecutor(jobs) as pool:
        return functools.reduce(operator.add, pool.map(run, judges))
