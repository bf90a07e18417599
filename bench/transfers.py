# SPDX-License-Identifier: Apache-2.0
"""The choice of `transfers="auto"` beside the best of its three candidates, on 50 loop nests:
python -m bench.transfers [--bandwidth 22e9] [--start 8e-6] [--runs 5] [--nests]

The time of a transfer has two parts. What the host does, gathering and scattering blocks, is done and measured, as
processor time, on arrays that it has just written: small ones are in its caches, large ones aren't. The link to the
device is simulated: each copy takes `--start` seconds, and each byte 1 / `--bandwidth`. Shown are the time of the
choice over that of the best of "whole", "interval" and "exact", and over each of these. The exit status is 1 if a
choice takes more than 1.1 times the best. `--nests` shows each nest.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final, Literal

import numpy as np

from lanewise.transfer.affine import AffineForm, counter
from lanewise.transfer.copies import link_copies
from lanewise.transfer.costs import TransferCosts
from lanewise.transfer.nest import ArrayReference, HostArray, LoopRange
from lanewise.transfer.perform import pack_in, unpack_out
from lanewise.transfer.plan import GroupPlan, NestPlan, Transfers, plan

from .cpu.geometric import mean

_ROOM: Final = 1.1
"""Times the best that a choice may take."""
_CANDIDATES: Final[tuple[Transfers, ...]] = ("whole", "interval", "exact")
_ORIGIN: Final = 1 << 20
Nest = tuple[tuple[LoopRange, ...], list[ArrayReference]]
Access = Literal["read", "write", "update"]


def nests() -> Iterator[tuple[str, Nest]]:
    """50 nests: ten kinds, in five sizes."""
    i, j = counter("i"), counter("j")
    for n in (60, 200, 500, 1000, 2000):
        yield f"rows of {n}", _nest((n, n), (n // 2, n), [(i, j), (i, j)])
        yield f"the left half of {n}", _nest((n, n), (n, n // 2), [(i, j), (i, j)])
        yield f"one column of {n}", _nest((n, n), (n, 1), [(i, j), (i, j)])
        yield f"16 columns of {n}", _nest((n, n), (n, 16), [(i, j), (i, j)])
        yield f"every other element of {n}", _nest((n, n), (n, n // 2), [(i, j.times(2)), (i, j.times(2))])
        yield f"every eighth element of {n}", _nest((n, n), (n, n // 8), [(i, j.times(8)), (i, j.times(8))])
        yield f"every other row of {n}", _nest((n, n), (n // 2, n), [(i.times(2), j), (i.times(2), j)])
        yield f"the inside of {n}", _nest((n, n), (n - 2, n - 2), [(i.plus(2), j.plus(1)), (i.plus(1), j.plus(1))])
        yield f"a triangle of {n}", _nest((n, n), (n, i.plus(1)), [(i, j), (i, j)])
        yield f"the diagonal of {n}", _nest((n, n), (n, 1), [(i, i), (i, i)])


def _nest(shape: tuple[int, int], ends: tuple[int, AffineForm | int], subscripts: list[tuple[AffineForm, ...]]) -> Nest:
    """Elements of one array become elements of another."""
    loops = LoopRange("i", ends[0]), LoopRange("j", ends[1])
    nbytes = 8 * shape[0] * shape[1]
    accesses: tuple[Access, ...] = ("read", "write")
    references = [
        ArrayReference(HostArray(name, _ORIGIN + place * (nbytes + 4096), shape, (8 * shape[1], 8), 8), each, access)
        for place, (name, each, access) in enumerate(zip("ab", subscripts, accesses, strict=True))
    ]
    return loops, references


def seconds(made: NestPlan, costs: TransferCosts, memory: np.ndarray, runs: int) -> float:
    """The time of all copies of a plan."""
    return sum(_group_seconds(group, costs, memory, runs) for group in made.groups)


def _group_seconds(group: GroupPlan, costs: TransferCosts, memory: np.ndarray, runs: int) -> float:
    total = 0.0
    staging = np.zeros(group.size, np.uint8)
    intervals = [copy.host_interval() for copy in (*group.copies_in, *group.copies_out)]
    host = memory[min(first for first, _ in intervals) - _ORIGIN : max(end for _, end in intervals) - _ORIGIN]

    def write() -> None:
        staging.fill(1)
        host.fill(1)

    for copies, perform, side in (
        (group.copies_in, pack_in, "copies_in"),
        (group.copies_out, unpack_out, "copies_out"),
    ):
        over_link = link_copies(copies)
        total += sum(costs.start + copy.bytes * costs.per_byte for copy in over_link.direct)
        if over_link.staged:
            first, end = over_link.interval
            staged = replace(group, **{side: over_link.staged})
            total += costs.start + (end - first) * costs.per_byte
            total += _measured(lambda p=perform, s=staged: p(s, memory, _ORIGIN, staging), write, runs)
    return total


def _measured(work: Callable[[], None], prepare: Callable[[], None], runs: int) -> float:
    """The median of the processor times of some runs, each after `prepare`."""
    times: list[float] = []
    for _ in range(runs):
        prepare()
        start = time.thread_time()
        work()
        times.append(time.thread_time() - start)
    return statistics.median(times)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.transfers")
    default = TransferCosts()
    parser.add_argument(
        "--bandwidth", type=float, default=1 / default.per_byte, help="bytes per second (%(default).3g)"
    )
    parser.add_argument("--start", type=float, default=default.start, help="seconds per copy (%(default)s)")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--nests", action="store_true", help="show each nest")
    given = parser.parse_args()
    costs = replace(default, start=given.start, per_byte=1 / given.bandwidth)
    made = dict(nests())
    end = max(reference.array.interval()[1] for _, references in made.values() for reference in references)
    memory = np.ones(end - _ORIGIN, np.uint8)
    over_best: dict[str, float] = {}
    over: dict[str, list[float]] = {each: [] for each in _CANDIDATES}
    for name, nest in made.items():
        times = {each: seconds(plan(*nest, each, strided=True), costs, memory, given.runs) for each in _CANDIDATES}
        chosen = plan(*nest, "auto", costs, strided=True).transfers
        over_best[name] = times[chosen] / min(times.values())
        for each in _CANDIDATES:
            over[each].append(times[chosen] / times[each])
        if given.nests:
            shown = ", ".join(f"{each} {1e6 * took:.0f}" for each, took in times.items())
            print(f"{name}: {chosen}, {over_best[name]:.2f} of the best; us: {shown}")
    worst = max(over_best, key=over_best.__getitem__)
    print(f"{len(made)} nests, {given.bandwidth / 1e9:.3g} GB/s, {1e6 * given.start:.3g} us per copy")
    print(f"auto / best: median {statistics.median(over_best.values()):.3f}, worst {over_best[worst]:.3f} ({worst})")
    print("; ".join(f"auto / {each}: geometric mean {mean(ratios):.3f}" for each, ratios in over.items()))
    return 0 if over_best[worst] <= _ROOM else 1


if __name__ == "__main__":
    sys.exit(main())
