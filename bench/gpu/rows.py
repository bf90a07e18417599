# SPDX-License-Identifier: Apache-2.0
"""The figures of several kernels, by several processes at the same time if that is wanted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from .measure import Figures, Wanted, measured
from .problem import Kernel
from .report import Row
from .suite import kernel
from .tools import Tools


def rows_of(
    chosen: Sequence[Kernel], wanted: Wanted, tools: Tools, jobs: int, done: Callable[[str], object]
) -> list[Row]:
    """A row per kernel; `done` is called with the name of each, when it is measured."""
    arguments = [(each.name, wanted, tools) for each in chosen]
    rows: list[Row] = []
    if jobs == 1:
        for each, argument in zip(chosen, arguments, strict=True):
            rows.append((each, _measured(argument)))
            done(each.name)
        return rows
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        for each, figures in zip(chosen, pool.map(_measured, arguments), strict=True):
            rows.append((each, figures))
            done(each.name)
    return rows


def _measured(arguments: tuple[str, Wanted, Tools]) -> dict[str, Figures]:
    name, wanted, tools = arguments
    return measured(kernel(name), wanted, tools)
