# SPDX-License-Identifier: Apache-2.0
"""Barriers that count arrivals, pipelines, latches and semaphores of CUDA C++, on all devices."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanewise as lw

SOURCE = Path(__file__).with_name("barriers.cu")
TURNS = 5
Array = np.ndarray[Any, np.dtype[np.int32]]


@cache
def compiled(mapping: str = "auto") -> lw.Module:
    return lw.compile(SOURCE, mapping=mapping)


def folded(parts: Array) -> Array:
    """3 * (3 * (3 * a + b) + c) and so on, of the rows."""
    total = np.zeros(parts.shape[1], np.int32)
    for part in parts:
        total = 3 * total + part
    return total


def split(x: Array, size: int) -> Array:
    x = x[:size]
    return sum((x * k + np.roll(x, -37) + k for k in range(TURNS)), np.zeros_like(x))


def within_a_warp(x: Array, size: int) -> Array:
    return np.array([0] + (size - 1) * list(folded(x[:TURNS, None])), np.int32)


def dropping(x: Array, size: int) -> Array:
    turns = np.arange(size) % 7
    first = np.count_nonzero(turns > np.arange(6)[:, None], axis=1)
    return np.append(turns, np.sum(first * x[:6])).astype(np.int32)


def completing(x: Array, size: int) -> Array:
    found = 0
    for k in range(TURNS):
        found = 5 * found + (k + 1) * x[:size].sum()
    return np.full(size, found)


def copied(x: Array, size: int) -> Array:
    return folded(x[: TURNS * size].reshape(TURNS, size)[:, ::-1])


def with_producers(x: Array, size: int) -> Array:
    return np.where(np.arange(size) < 32, 0, copied(x, size))


def with_roles(x: Array, size: int) -> Array:
    return np.where(np.arange(size) % 2, 0, copied(x, size))


def permits(x: Array, size: int) -> Array:
    sums = np.zeros(size, np.int32)
    total = np.int32(TURNS)
    with np.errstate(over="ignore"):
        for t in range(size)[::-1]:
            total = sums[t] = np.int32(3) * total + x[t]
    return sums


CASES: dict[str, Callable[[Array, int], Array]] = {
    "split": split,
    "producer_and_consumers": lambda x, size: 2 * x[: 64 * TURNS].reshape(TURNS, 64)[:, ::-1].ravel(),
    "within_a_warp": within_a_warp,
    "dropping": dropping,
    "completing": completing,
    "copied": copied,
    "pipelined": copied,
    "with_producers": with_producers,
    "with_roles": with_roles,
    "own_pipeline": lambda x, size: folded(x[: TURNS * size].reshape(TURNS, size)),
    "latched": lambda x, size: x[:size][::-1] + TURNS,
    "permits": permits,
    "primitives": lambda x, size: TURNS * x[:size][::-1] + sum(range(TURNS)) + 1,
    "for_some_time": lambda x, size: x[:size] + 1,
    "by_turns": lambda x, size: x[:size] + np.arange(size, dtype=np.int32) // 32,
    "in_bulk": lambda x, size: 3 * x[: 64 * TURNS].reshape(TURNS, 64)[:, ::-1].ravel(),
    "by_instructions": lambda x, size: 3 * x[: 64 * TURNS].reshape(TURNS, 64)[:, ::-1].ravel(),
    "with_shuffles": lambda x, size: np.full(size, x[:size].sum() + TURNS),
}


def checked(name: str, size: int, device: lw.Device | str, mapping: str = "auto") -> None:
    x = np.random.default_rng(5).integers(0, 99, 8 * 256, np.int32)
    out = np.zeros(8 * 256, np.int32)
    compiled(mapping)[name].launch(1, size, (out, x, TURNS), device=device, timeout=60)
    wanted = CASES[name](x, size)
    np.testing.assert_array_equal(out[: len(wanted)], wanted)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_values(name: str, device: str):
    checked(name, 96, device)


@pytest.mark.parametrize("name", CASES)
def test_on_a_simulated_gpu(name: str):
    checked(name, 64, lw.device("simt", gpu="H100"))


@pytest.mark.parametrize("name", CASES)
def test_threads_with_stacks_of_their_own(name: str):
    checked(name, 64, "cpu", "threads")
