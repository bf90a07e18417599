# SPDX-License-Identifier: Apache-2.0
"""Random kernels in PTX, translated for the CPU, against the interpreter of tests/ptx/checker:

    python -m tests.frontend.ptx.random_ptx COUNT [--seed SEED] [--launches N] [--parting] [--device cpu|simt]
        [--mapping M]

The kernels are those of the seeds SEED, SEED + 1, ...; without one, of numbers that nobody has looked at. Each runs
in all of its block sizes, or in N of them. With --parting, their lanes part and wait for one another; some then wait
in loops for other lanes of their warp. The exit status is 1 if any result differs or a kernel ends the process.
"""

import argparse
import secrets
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from random import Random
from typing import Final

import numpy as np

from lanewise.ptx.language.parser import parse

from ...ptx.checker.memory import Placed
from ...ptx.checker.parting import parting
from ...ptx.checker.program import Program
from ...ptx.checker.stencils import Stencil, stencil
from .generated import device as device_of
from .generated import opened

_PATIENCE: Final = 60
"""Seconds until a launch counts as endless."""


_KERNELS_A_PROCESS: Final = 200
"""LLVM keeps about 1 MB a kernel."""


def compared(random: Stencil, device: str = "cpu", mapping: str = "auto", launches: int | None = None) -> int:
    """The number of arrays that are equal after all launches of a kernel, or `launches` of them; AssertionError if one
    differs."""
    interpreter = Program(parse(random.text), random.kernel)
    kernel = opened(random.text, random.kernel, mapping)
    equal = 0
    chosen = random.launches
    if launches is not None and launches < len(chosen):
        chosen = Random(random.seed).sample(chosen, launches)
    for launch in chosen:
        wanted, found = (launch.arguments(np.random.default_rng(random.seed)) for _ in range(2))
        if any(isinstance(argument, Placed) for argument in wanted):
            continue  # a pointer to a place outside all arrays
        interpreter.run(launch.grid, launch.block, wanted, 4 * random.seed, shared_bytes=launch.shared_bytes)
        kernel.launch(
            launch.grid, launch.block, found, shared=launch.shared_bytes, device=device_of(device), timeout=_PATIENCE
        )  # fmt: skip
        for left, right in zip(wanted, found, strict=True):
            if isinstance(left, np.ndarray):
                np.testing.assert_array_equal(right, left, f"seed {random.seed}, {launch}")
                equal += 1
    return equal


def _outcome(
    make: Callable[[int], Stencil], seed: int, device: str, mapping: str, launches: int | None
) -> tuple[int, str]:
    """Arrays that are equal, and what is wrong, "" for nothing. Whatever a compiler raises is a finding."""
    try:
        return compared(make(seed), device, mapping, launches), ""
    except Exception as error:
        return 0, f"{type(error).__name__}: {error}"


def _pool() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=_KERNELS_A_PROCESS)


def main(
    count: int, first: int, make: Callable[[int], Stencil], device: str, mapping: str, launches: int | None
) -> int:
    print(f"{count} random kernels, of the seeds from {first}", flush=True)
    failed, equal, begin = 0, 0, time.monotonic()
    pool = _pool()
    for done, seed in enumerate(range(first, first + count), 1):
        try:
            found, failure = pool.submit(_outcome, make, seed, device, mapping, launches).result()
        except BrokenProcessPool:
            found, failure = 0, "the process ended"
            pool = _pool()
        equal += found
        if failure:
            failed += 1
            print(f"kernel of seed {seed}: {failure}", flush=True)
        if done % 100 == 0 or done == count:
            print(
                f"{done} of {count} in {time.monotonic() - begin:.0f} s: {equal} arrays equal, {failed} failed",
                flush=True,
            )
    pool.shutdown()
    return 1 if failed else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.frontend.ptx.random_ptx")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=secrets.randbits(32))
    parser.add_argument("--launches", type=int)
    parser.add_argument("--parting", action="store_true")
    parser.add_argument("--device", choices=("cpu", "simt"), default="cpu")
    parser.add_argument("--mapping", default="auto")
    options = parser.parse_args()
    make = parting if options.parting else stencil
    sys.exit(main(options.count, options.seed, make, options.device, options.mapping, options.launches))
