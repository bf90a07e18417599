# SPDX-License-Identifier: Apache-2.0
"""Expressions of whole arrays in `lw.jit`, beside NumPy and, where it is installed, numexpr.

python bench/array_expressions.py

A line has the median of turns of each, and how many times as long the others take. All have two threads, but NumPy.
"""

from __future__ import annotations

import math
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import lanewise as lw

THREADS = 2
TURNS = 15
SIZES = (100_000, 4_000_000)


@lw.jit
def polynomial(x):
    return ((0.31938153 * x - 0.356563782) * x + 1.781477937) * x + 1.0


@lw.jit
def distance(x, y):
    return np.sqrt(x * x + y * y) * 2.0 - 1.0 / (1.0 + x)


@lw.jit
def bell(x):
    return np.exp(-0.5 * x * x) * 0.3989422804014327


@lw.jit
def chosen(x, y):
    return np.where(x > 0.5, x * y, x + y)


# Numbers are variables, since those in numexpr's texts are double.
CASES: tuple[tuple[Any, str, dict[str, float]], ...] = (
    (polynomial, "((a * x - b) * x + c) * x + d", {"a": 0.31938153, "b": 0.356563782, "c": 1.781477937, "d": 1.0}),
    (distance, "sqrt(x * x + y * y) * a - b / (b + x)", {"a": 2.0, "b": 1.0}),
    (bell, "exp(a * x * x) * b", {"a": -0.5, "b": 0.3989422804014327}),
    (chosen, "where(x > a, x * y, x + y)", {"a": 0.5}),
)


def numexpr() -> Any:
    """The module; None if it isn't installed."""
    try:
        import numexpr  # pyright: ignore[reportMissingImports]
    except ImportError:
        print("numexpr is left out: it isn't installed")
        return None
    numexpr.set_num_threads(THREADS)
    return numexpr


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    os.environ["LANEWISE_NUM_THREADS"] = str(THREADS)  # read at the first launch
    evaluator = numexpr()
    ratios: dict[str, list[float]] = {"NumPy": [], "numexpr": []}
    for dtype in (np.float64, np.float32):
        for size in SIZES:
            for function, text, numbers in CASES:
                arrays = dict(zip("xy", np.random.default_rng(1).random((2, size)).astype(dtype), strict=True))
                arguments = [arrays[name] for name in function.py_func.__code__.co_varnames]
                values = arrays | {name: dtype(number) for name, number in numbers.items()}
                works: dict[str, Callable[[], object]] = {
                    "Lanewise": lambda f=function, a=arguments: f(*a),
                    "NumPy": lambda f=function, a=arguments: f.py_func(*a),
                }
                if evaluator is not None:
                    works["numexpr"] = lambda t=text, v=values: evaluator.evaluate(t, v)
                for work in works.values():
                    seconds(work)
                times = {name: [0.0] * TURNS for name in works}
                for turn in range(TURNS):
                    for name, work in works.items():
                        times[name][turn] = seconds(work)
                medians = {name: statistics.median(each) for name, each in times.items()}
                ours = medians.pop("Lanewise")
                shown = [f"{name} {median / ours:.2f}" for name, median in medians.items()]
                name = function.py_func.__name__
                print(f"{name:10} {np.dtype(dtype).name} {size:>9,}: {ours * 1e3:7.3f} ms; {', '.join(shown)}")
                for name, median in medians.items():
                    ratios[name].append(median / ours)
    for name, each in ratios.items():
        if each:
            print(f"{name}: {math.exp(statistics.fmean(map(math.log, each))):.2f} times as long, geometric mean")


if __name__ == "__main__":
    main()
