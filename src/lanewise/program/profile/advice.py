# SPDX-License-Identifier: Apache-2.0
"""Sentences on what is slow on a GPU, and what would mend it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lanewise.program.profile.counts import Counts

WARP: Final = 32
MANY: Final = 1.25
"""Times as many sectors or wavefronts as are needed, from which on a line is told."""
FEW_LANES: Final = 24
"""Active lanes of a warp, on average, below which a line is told."""
MANY_DIVERGENT: Final = 0.05
"""Share of divergent branches from which on a line is told."""


def advice(counters: Counts) -> Iterator[str]:
    """Sentences on all in a line, or a kernel, that costs more than it must."""
    yield from _sectors(counters)
    yield from _wavefronts(counters)
    repeats = counters["atomic_repeats"]
    if repeats:
        yield f"{repeats:,} atomic operations wait for another lane's on the same address: add up within the warp first"
    branches, divergent = counters["branches"], counters["divergent_branches"]
    if branches and divergent > MANY_DIVERGENT * branches:
        yield (
            f"{divergent / branches:.0%} of the branches part the lanes of a warp, which then run both ways one after "
            "the other: let whole warps decide alike"
        )
    warps, threads = counters["warp_instructions"], counters["thread_instructions"]
    if warps and threads < FEW_LANES * warps and not divergent:
        yield f"{threads / warps:.1f} of {WARP} lanes are active: the others have left, or wait for another way"


def _sectors(counters: Counts) -> Iterator[str]:
    for kind in ("load", "store"):
        sectors, ideal = counters[f"global_{kind}_sectors"], counters[f"global_{kind}_ideal_sectors"]
        if sectors > MANY * ideal:
            yield (
                f"{kind}s {sectors / max(1, ideal):.1f} times the sectors that it needs ({sectors:,} for {ideal:,}): "
                "let neighbouring threads access neighbouring elements"
            )


def _wavefronts(counters: Counts) -> Iterator[str]:
    for kind in ("load", "store", "atomic"):
        wavefronts, ideal = counters[f"shared_{kind}_wavefronts"], counters[f"shared_{kind}_ideal_wavefronts"]
        if wavefronts > MANY * ideal:
            yield (
                f"bank conflicts: {wavefronts / max(1, ideal):.1f} times the wavefronts of shared memory that it needs "
                f"({wavefronts:,} for {ideal:,}): pad the rows of the array by one word, or change who reads what"
            )
