# SPDX-License-Identifier: Apache-2.0
"""Random kernels through a rewriting function, one after the other or in several processes."""

from __future__ import annotations

import re
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Final

from .judge import compare
from .stencils import Stencil, stencil

Rewrite = Callable[[str], str]
_SHUFFLES: Final = re.compile(r"\bshfl\.")
_LOADS: Final = re.compile(r"\bld\.(?:\w+\.)*(?:global|shared)\b")


@dataclass(frozen=True, slots=True)
class Outcome:
    """Of one kernel. `failure`: what went wrong, "" if nothing did."""

    seed: int
    traps: tuple[str, ...]
    loads: int
    shuffles: int
    """How many were put in."""
    failure: str
    seconds: float
    """What rewriting took."""
    original: str
    rewritten: str


def judged(seed: int, rewrite: Rewrite, make: Callable[[int], Stencil] = stencil) -> Outcome:
    """The kernel that `make` makes of a seed. Whatever `rewrite` raises is a failure, too; what the checker can't judge
    raises here.
    """
    made = make(seed)
    begin = time.perf_counter()
    text, failure = "", ""
    try:
        text = rewrite(made.text)
    except Exception:
        failure = f"rewriting failed:\n{traceback.format_exc()}"
    seconds = time.perf_counter() - begin
    if not failure:
        difference = compare(made.text, text, made.kernel, made.launches, (seed,))
        failure = str(difference) if difference else ""
    shuffles = len(_SHUFFLES.findall(text)) - len(_SHUFFLES.findall(made.text))
    return Outcome(
        seed, made.traps, len(_LOADS.findall(made.text)), shuffles, failure, seconds, made.text, text
    )  # fmt: skip


def outcomes(
    first: int, count: int, rewrite: Rewrite, jobs: int = 1, make: Callable[[int], Stencil] = stencil
) -> Iterator[Outcome]:
    """Those of the seeds from `first`, in order. With several jobs, `rewrite` and `make` are functions of modules."""
    seeds, judge = range(first, first + count), partial(judged, rewrite=rewrite, make=make)
    if jobs == 1:
        yield from map(judge, seeds)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(judge, seeds, chunksize=4)


@dataclass(slots=True)
class Summary:
    """What a run comes to. That shuffles were put in at all is part of it: no kernel fails that stays as it is."""

    kernels: int = 0
    failed: int = 0
    changed: int = 0
    loads: int = 0
    shuffles: int = 0
    slowest: float = 0.0
    traps: Counter[str] | None = None
    """Kernels with shuffles, by their traps."""

    def add(self, outcome: Outcome) -> None:
        self.kernels += 1
        self.failed += bool(outcome.failure)
        self.changed += outcome.shuffles > 0
        self.loads += outcome.loads
        self.shuffles += outcome.shuffles
        self.slowest = max(self.slowest, outcome.seconds)
        if outcome.shuffles:
            self.traps = (self.traps or Counter()) + Counter(outcome.traps or ("none",))

    def __str__(self) -> str:
        return (
            f"{self.kernels} random kernels, {self.failed or 'none'} failed; {self.changed} got shuffles, "
            f"{self.shuffles} for {self.loads} loads"
        )
