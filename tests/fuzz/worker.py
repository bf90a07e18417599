# SPDX-License-Identifier: Apache-2.0
"""One process of a fuzzing run: python -m tests.fuzz.worker FIRST COUNT TOGETHER SHRINK LANGUAGE

Runs the kernels of the seeds FIRST, FIRST + 1, ..., so many TOGETHER in one source (of CUDA only), and says on its
standard output, a line each, what it is at and how that went; `driver.py` reads it. A failing kernel is made smaller
for SHRINK seconds.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import lanewise as lw

from .batch import compiled_together
from .choices import Choices
from .kernel import random_kernel
from .languages import MAKERS
from .running import AnyKernel, check, check_compiled
from .shrinking import shrunk

FOLDER: Final = Path(__file__).parents[2] / "out" / "fuzz"
"""Where failing kernels are written."""

Maker = Callable[[Choices], AnyKernel]

AT, PASSED, FAILED = "at", "passed", "failed"


def main(first: int, count: int, together: int, shrink: int, language: str) -> None:
    make = MAKERS[language]
    for start in range(first, first + count, together):
        seeds = range(start, min(start + together, first + count))
        _say(AT, seeds.start, len(seeds))
        failed = [seed for seed in seeds if not _agrees(make, seed)] if together == 1 else _disagreeing(seeds)
        for seed in failed:
            _report(make, seed, shrink)
        _say(PASSED, len(seeds) - len(failed))


def _say(*words: object) -> None:
    print(*words, flush=True)


def _disagreeing(seeds: range) -> list[int]:
    kernels = [random_kernel(Choices(seed)) for seed in seeds]
    try:
        programs = compiled_together(kernels)
    except lw.Error:
        return [seed for seed in seeds if not _agrees(random_kernel, seed)]
    failed: list[int] = []
    for seed, kernel, program in zip(seeds, kernels, programs, strict=True):
        if _failure(lambda k=kernel, p=program: check_compiled(k, p(), p)):
            failed.append(seed)
    return failed


def _agrees(make: Maker, seed: int) -> bool:
    return not _failure(lambda: check(make(Choices(seed))))


def _failure(run: Callable[[], None]) -> str:
    """What is wrong, "" for nothing. Whatever a compiler or a device raises is a finding."""
    try:
        run()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _report(make: Maker, seed: int, seconds: int) -> None:
    choices = Choices(seed)
    kernel = make(choices)
    first = _failure(lambda: check(kernel))
    if first and seconds:
        kernel = _small(make, choices, first, seconds)
    message = _failure(lambda: check(kernel)) or "fails only in one source with its neighbours"
    path = written(seed, kernel)
    _say(FAILED, seed, path, message.partition("\n")[0][:300])


def _small(make: Maker, choices: Choices, first: str, seconds: int) -> AnyKernel:
    kind = first.partition(":")[0]
    known: dict[str, bool] = {}

    def fails(tried: Choices) -> bool:
        kernel = make(tried)
        if kernel.source not in known:
            known[kernel.source] = _failure(lambda: check(kernel)).partition(":")[0] == kind
        return known[kernel.source]

    return make(Choices(replayed=shrunk(choices, fails, seconds)))


def written(seed: int, kernel: AnyKernel) -> Path:
    """The file that the kernel is now in."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{seed}{kernel.suffix}"
    path.write_text(kernel.source)
    return path


if __name__ == "__main__":
    main(*map(int, sys.argv[1:5]), sys.argv[5])
