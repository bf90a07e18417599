# SPDX-License-Identifier: Apache-2.0
"""Runs a kernel by all peers in turns, and compares what they computed."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from .compare import difference
from .order import Order, read_results, write
from .problem import KERNELS, Kernel, Problem
from .roofline import Limit
from .workers import PeerError, Worker

_TURN: Final = 20e6
"""Nanoseconds of a turn: so many launches of which the median counts, so that those of short kernels count as well."""
_MOST_LAUNCHES: Final = 9
_PAUSE: Final = 0.01
"""Seconds between turns, in which the threads of the one before stop to spin."""


@dataclass
class Outcome:
    """What was found of a kernel; peers by name."""

    name: str
    shown: str
    problem: Problem
    nanoseconds: dict[str, float] = field(default_factory=dict)
    """Of a warm launch: the median of the turns."""
    failures: dict[str, str] = field(default_factory=dict)
    """Why a peer has no time: it could not do it, or its result is wrong."""
    turns: dict[str, list[float]] = field(default_factory=dict)
    """Nanoseconds in each turn."""
    bounds: list[float] = field(default_factory=list)
    """What the machine's limit allowed in each turn, where one was given, in nanoseconds."""

    def ratio(self, peer: str) -> float | None:
        """How many times faster than the peer we are."""
        theirs, ours = self.nanoseconds.get(peer), self.nanoseconds.get("lanewise")
        return theirs / ours if theirs and ours else None

    @property
    def share(self) -> float | None:
        """How near we came to the machine's limit, 1 being there: the median of the turns."""
        ours = self.turns.get("lanewise")
        if not ours or len(ours) != len(self.bounds):
            return None
        return statistics.median(bound / took for bound, took in zip(self.bounds, ours, strict=True))


def measure(
    name: str,
    kernel: Kernel,
    size: int,
    workers: list[Worker],
    runs: int,
    folder: Path,
    limit: Limit | None = None,
    offset: int = 0,
    kernels: Path = KERNELS,
) -> Outcome:
    """Times of a kernel on `size`, whose arrays begin `offset` bytes into a page; with a limit, what that would have
    allowed is measured in each turn, too. `kernels`: the folder of its source."""
    problem = kernel.problem(size)
    outcome = Outcome(name, kernel.shown, problem)
    order = folder / "order"
    write(order, Order.of(name, problem, kernel.options, offset, kernels))
    expected = problem.expected()

    counts: dict[Worker, int] = {}
    for worker in workers:
        results = folder / "results"
        try:
            worker.load(order, results)
            (once,) = worker.time(1)
        except PeerError as error:
            outcome.failures[worker.name] = str(error)
            continue
        if wrong := difference(problem, read_results(results), expected):
            outcome.failures[worker.name] = wrong
        else:
            counts[worker] = max(1, min(_MOST_LAUNCHES, round(_TURN / once)))

    turns: dict[Worker, list[float]] = {worker: [] for worker in counts}
    for _ in range(runs):
        for worker, count in counts.items():
            if worker.name not in outcome.failures:
                time.sleep(_PAUSE)
                try:
                    turns[worker].append(statistics.median(worker.time(count)))
                except PeerError as error:
                    outcome.failures[worker.name] = str(error)
        if limit is not None and counts:
            time.sleep(_PAUSE)
            outcome.bounds.append(limit.bound(problem))
    outcome.turns = {worker.name: times for worker, times in turns.items() if worker.name not in outcome.failures}
    outcome.nanoseconds = {name: statistics.median(times) for name, times in outcome.turns.items()}
    return outcome
