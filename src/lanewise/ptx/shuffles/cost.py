# SPDX-License-Identifier: Apache-2.0
"""Profitability of shuffles.

A shuffle is compared with the load that it replaces, by latency. Its cost includes the two dependent instructions that
decide the corner case. The paper's measurements agree: on average, programs became faster on Maxwell (10.9 %) and
Pascal (1.8 %), and slower on Kepler (3.3 %) and Volta (15.2 %), whose caches answer about as fast as a shuffle does.

If lanes may be in different iterations of a loop, a test is added, once for all shuffles in the same straight-line
code.

Source: PTXASW (CC 2023), Table 1, and section 7 for the averages. Architectures after Volta are taken to be like Volta:
their first-level cache has the same structure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

CORNER_CYCLES: Final = 12
"""Two dependent instructions of about 6 cycles, for the predicate of the corner case."""
VOTE_CYCLES: Final = 24
"""A comparison, a vote and a combination, each dependent on the last. The vote takes about as long as two
instructions."""
PART_CYCLES: Final = 2
"""Cycles for each further 32 bits of an element: shuffles are issued every second cycle."""


@dataclass(frozen=True, slots=True)
class Latencies:
    """Latencies of one generation, in clock cycles."""

    name: str
    shuffle: int
    shared: int
    cache: int


KEPLER: Final = Latencies("Kepler", 24, 26, 35)
MAXWELL: Final = Latencies("Maxwell", 33, 23, 82)
PASCAL: Final = Latencies("Pascal", 33, 24, 82)
VOLTA: Final = Latencies("Volta and later", 22, 19, 28)
_BY_MAJOR: Final = {3: KEPLER, 5: MAXWELL, 6: PASCAL}
_ARCHITECTURE: Final = re.compile(r"sm_(\d+)[a-z]?").fullmatch


def architecture(targets: tuple[str, ...]) -> int:
    """The number of a target such as sm_86; 0 if none is named."""
    return max((int(match[1]) for target in targets if (match := _ARCHITECTURE(target))), default=0)


def latencies_of(sm: int) -> Latencies:
    return _BY_MAJOR.get(sm // 10, VOLTA)


def cycles_saved(sm: int, space: str, lanes: int, bytes_: int) -> int:
    """The number of cycles by which a shuffle, with its corner case, is faster than the load that it replaces."""
    latencies = latencies_of(sm)
    load = latencies.shared if space == "shared" else latencies.cache
    return load - (_shuffle_cycles(latencies, bytes_) if lanes else 0)


def cycles_of_test(sm: int, words: int) -> int:
    """Cost of the test that `words` 32-bit counters are equal in all lanes. (`match` is taken to cost no less.)"""
    return latencies_of(sm).shuffle + PART_CYCLES * (words - 1) + VOTE_CYCLES


def _shuffle_cycles(latencies: Latencies, bytes_: int) -> int:
    return latencies.shuffle + CORNER_CYCLES + PART_CYCLES * (max(1, bytes_ // 4) - 1)


def why_not(sm: int, space: str, lanes: int, bytes_: int) -> str | None:
    """The reason why a shuffle over `lanes` lanes, of an element of `bytes_` bytes, doesn't pay; None if it does. Reuse
    of the lane's own value always pays."""
    if lanes == 0:
        return None
    latencies = latencies_of(sm)
    shuffle = _shuffle_cycles(latencies, bytes_)
    load, what = (latencies.shared, "shared memory") if space == "shared" else (latencies.cache, "a cached load")
    if shuffle < load:
        return None
    return f"it doesn't pay on sm_{sm} ({latencies.name}): {shuffle} cycles with its corner case, {what} takes {load}"
