# SPDX-License-Identifier: Apache-2.0
"""Random stencil kernels, as they are against with shuffles put in:
python -m tests.ptx.checker COUNT [--seed SEED] [--jobs JOBS] [--parting | --wrapping]
    [--mistake MISTAKE]

The kernels are those of the seeds SEED, SEED + 1, ...; without one, of numbers that nobody has looked at. Failing ones
are written to out/ptx-checker, as they were and rewritten. The exit status is 1 if there are any, or if no kernel got
a shuffle. With --parting, they are kernels with locks, fences, calls in loops, and lanes that part; with
--wrapping, kernels whose 32-bit indices wrap within a warp. With --mistake, a rewriting that
is known to be wrong is judged instead of ours.
"""

import argparse
import secrets
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from . import naive
from .driver import Outcome, Rewrite, Summary, outcomes
from .parting import parting
from .rewriting import synthesised
from .stencils import Stencil, stencil
from .wrapping import wrapping

_FOLDER: Final = Path(__file__).parents[3] / "out" / "ptx-checker"


def _keep(outcome: Outcome, folder: Path) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("original", outcome.original), ("rewritten", outcome.rewritten)):
        (folder / f"{outcome.seed}.{name}.ptx").write_text(text)
    traps = ", ".join(outcome.traps) or "none"
    return f"kernel of seed {outcome.seed} (traps: {traps}): {outcome.failure}\n  kept in {folder}"


def main(
    count: int,
    first: int,
    jobs: int,
    rewrite: Rewrite,
    folder: Path = _FOLDER,
    make: Callable[[int], Stencil] = stencil,
) -> int:
    print(f"{count} random kernels, of the seeds from {first}", flush=True)
    summary, begin = Summary(), time.monotonic()
    for outcome in outcomes(first, count, rewrite, jobs, make):
        summary.add(outcome)
        if outcome.failure:
            print(_keep(outcome, folder), flush=True)
        if summary.kernels % 100 == 0:
            print(f"{summary}, {summary.kernels / (time.monotonic() - begin):.1f} a second", flush=True)
    print(f"{summary}, in {time.monotonic() - begin:.0f} s; the slowest rewriting took {summary.slowest:.1f} s")
    for trap, kernels in summary.traps.most_common() if summary.traps else ():
        print(f"  {kernels:5} kernels with shuffles have the trap: {trap}")
    return 1 if summary.failed or not summary.shuffles else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.ptx.checker")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=secrets.randbits(32))
    parser.add_argument("--jobs", type=int, default=1)
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--parting", action="store_true")
    kind.add_argument("--wrapping", action="store_true")
    parser.add_argument("--mistake", choices=naive.WRONG)
    options = parser.parse_args()
    chosen = partial(naive.rewritten, mistake=options.mistake) if options.mistake else synthesised
    make = parting if options.parting else wrapping if options.wrapping else stencil
    sys.exit(main(options.count, options.seed, options.jobs, chosen, make=make))
