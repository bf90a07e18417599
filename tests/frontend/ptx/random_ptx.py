# SPDX-License-Identifier: Apache-2.0
"""Random kernels in PTX, translated for the CPU, against the interpreter of tests/ptx/checker:

    python -m tests.frontend.ptx.random_ptx COUNT [--seed SEED] [--parting] [--device cpu|simt] [--mapping M]

The kernels are those of the seeds SEED, SEED + 1, ...; without one, of numbers that nobody has looked at. With
--parting, their lanes part and wait for one another; some then wait in loops for other lanes of their warp. The
exit status is 1 if any result differs.
"""

import argparse
import secrets
import sys
import time
from collections.abc import Callable
from typing import Final

import numpy as np

import lanewise as lw
from lanewise.ptx.language.parser import parse

from ...ptx.checker.memory import Placed
from ...ptx.checker.parting import parting
from ...ptx.checker.program import Program
from ...ptx.checker.stencils import Stencil, stencil

_PATIENCE: Final = 60
"""Seconds until a launch counts as endless."""


def compared(random: Stencil, device: str | lw.Device = "cpu", mapping: str = "auto") -> int:
    """The number of arrays that are equal after all launches of a kernel; AssertionError if one differs."""
    interpreter = Program(parse(random.text), random.kernel)
    kernel = lw.compile(random.text, language="ptx", mapping=mapping)[random.kernel]
    equal = 0
    for launch in random.launches:
        wanted, found = (launch.arguments(np.random.default_rng(random.seed)) for _ in range(2))
        if any(isinstance(argument, Placed) for argument in wanted):
            continue  # a pointer to a place outside all arrays
        interpreter.run(launch.grid, launch.block, wanted, 4 * random.seed, shared_bytes=launch.shared_bytes)
        kernel.launch(
            launch.grid, launch.block, found, shared=launch.shared_bytes, device=device, timeout=_PATIENCE
        )  # fmt: skip
        for left, right in zip(wanted, found, strict=True):
            if isinstance(left, np.ndarray):
                np.testing.assert_array_equal(right, left, f"seed {random.seed}, {launch}")
                equal += 1
    return equal


def main(count: int, first: int, make: Callable[[int], Stencil], device: str | lw.Device, mapping: str) -> int:
    print(f"{count} random kernels, of the seeds from {first}", flush=True)
    failed, equal, begin = 0, 0, time.monotonic()
    for done, seed in enumerate(range(first, first + count), 1):
        try:
            equal += compared(make(seed), device, mapping)
        except (AssertionError, lw.Error) as error:
            failed += 1
            print(f"kernel of seed {seed}: {error}", flush=True)
        if done % 100 == 0 or done == count:
            print(
                f"{done} of {count} in {time.monotonic() - begin:.0f} s: {equal} arrays equal, {failed} failed",
                flush=True,
            )
    return 1 if failed else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.frontend.ptx.random_ptx")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=secrets.randbits(32))
    parser.add_argument("--parting", action="store_true")
    parser.add_argument("--device", choices=("cpu", "simt"), default="cpu")
    parser.add_argument("--mapping", default="auto")
    options = parser.parse_args()
    chosen = lw.device("simt", gpu="H100") if options.device == "simt" else options.device
    sys.exit(main(options.count, options.seed, parting if options.parting else stencil, chosen, options.mapping))
