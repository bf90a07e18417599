# SPDX-License-Identifier: Apache-2.0
"""One process of a fuzzing run: python -m tests.fuzz.worker FIRST COUNT TOGETHER SHRINK DIALECT [MAPPING ...]

Runs the kernels of the seeds FIRST, FIRST + 1, ..., so many TOGETHER in one source (of CUDA only), under the mappings
named, under a sample, or under ONE, and says on its standard output, a line each, what it is at and how that went;
`driver.py` reads it. A failing kernel is made smaller for SHRINK seconds.
"""

import gc
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import lanewise as lw
from lanewise.garbage import THRESHOLD

from .batch import compiled_together
from .choices import Choices
from .kernel import RandomKernel
from .languages import MAKERS
from .mappings import ONE, one_of_all, sampled
from .running import AnyKernel, check, check_compiled
from .shrinking import shrunk

FOLDER: Final = Path(__file__).parents[2] / "out" / "fuzz"
"""Where failing kernels are written."""

Maker = Callable[[Choices], AnyKernel]

AT, PASSED, FAILED = "at", "passed", "failed"


class Outcome(NamedTuple):
    """Of a kernel."""

    failure: str
    """What is wrong, "" for nothing."""
    taken: bool
    """Whether the CPU took it."""


def main(first: int, count: int, together: int, shrink: int, dialect: str, *mappings: str) -> None:
    make = MAKERS[dialect]

    def under(seed: int) -> Sequence[str]:
        if mappings == (ONE,):
            return one_of_all(seed, dialect)
        return mappings or sampled(seed, dialect)

    for start in range(first, first + count, together):
        seeds = range(start, min(start + together, first + count))
        _say(AT, seeds.start, len(seeds))
        outcomes = _together(make, seeds, under) if together > 1 else None
        outcomes = outcomes or [_outcome(lambda s=seed: check(make(Choices(s)), under(s))) for seed in seeds]
        failed = [seed for seed, outcome in zip(seeds, outcomes, strict=True) if outcome.failure]
        for seed in failed:
            _report(make, seed, under(seed), shrink)
        _say(PASSED, len(seeds) - len(failed), sum(not (o.failure or o.taken) for o in outcomes))


def _say(*words: object) -> None:
    print(*words, flush=True)


def _together(make: Maker, seeds: range, under: Callable[[int], Sequence[str]]) -> list[Outcome] | None:
    """Of kernels that are compiled together; None where one of them can't be."""
    kernels = [make(Choices(seed)) for seed in seeds]
    try:
        programs = compiled_together([kernel for kernel in kernels if isinstance(kernel, RandomKernel)])
    except lw.Error:
        return None
    return [
        _outcome(lambda s=seed, k=kernel, p=program: check_compiled(k, p, under(s)))
        for seed, kernel, program in zip(seeds, kernels, programs, strict=True)
    ]


def _outcome(run: Callable[[], bool]) -> Outcome:
    """Whatever a compiler or a device raises is a finding."""
    try:
        return Outcome("", run())
    except Exception as error:
        return Outcome(f"{type(error).__name__}: {error}", True)


def _report(make: Maker, seed: int, mappings: Sequence[str], seconds: int) -> None:
    choices = Choices(seed)
    kernel = make(choices)
    first = _failure(kernel, mappings)
    if first and seconds:
        kernel = _small(make, choices, mappings, first, seconds)
    message = _failure(kernel, mappings) or "fails only in one source with its neighbours"
    path = written(seed, kernel)
    _say(FAILED, seed, path, message.partition("\n")[0][:300])


def _failure(kernel: AnyKernel, mappings: Sequence[str]) -> str:
    return _outcome(lambda: check(kernel, mappings)).failure


def _small(make: Maker, choices: Choices, mappings: Sequence[str], first: str, seconds: int) -> AnyKernel:
    kind = first.partition(":")[0]
    known: dict[str, bool] = {}

    def fails(tried: Choices) -> bool:
        kernel = make(tried)
        if kernel.source not in known:
            known[kernel.source] = _failure(kernel, mappings).partition(":")[0] == kind
        return known[kernel.source]

    return make(Choices(replayed=shrunk(choices, fails, seconds)))


def written(seed: int, kernel: AnyKernel) -> Path:
    """The file that the kernel is now in."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{seed}{kernel.suffix}"
    path.write_text(kernel.source)
    return path


if __name__ == "__main__":
    gc.set_threshold(THRESHOLD)  # otherwise searches for garbage take 15 % of the time
    first, count, together, shrink = map(int, sys.argv[1:5])
    main(first, count, together, shrink, *sys.argv[5:])
