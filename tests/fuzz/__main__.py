# SPDX-License-Identifier: Apache-2.0
"""Random kernels, the CPU device against the reference device:
python -m tests.fuzz COUNT [--seed SEED] [--jobs JOBS] [--language cuda|opencl]

The kernels are those of the seeds SEED, SEED + 1, ...; without one, of numbers that nobody has looked at. Failing
kernels are made small and written to out/fuzz. The exit status is 1 if there are any.
"""

import argparse
import secrets
import sys

from .driver import TOGETHER, Run
from .languages import MAKERS


def main(count: int, first: int, jobs: int, language: str) -> int:
    run = Run(first, count, jobs, language=language)
    print(f"{count} random kernels, of the seeds from {first}", flush=True)
    shown = 0

    def progress() -> None:
        nonlocal shown
        for failure in run.failures[shown:]:
            shown += 1
            print(f"\r{failure}", flush=True)
        rate = run.done / max(run.elapsed, 1)
        end = "\r" if sys.stdout.isatty() else "\n"
        if sys.stdout.isatty() or run.done % 800 < TOGETHER[language] or run.done == count:
            print(f"{run.done} of {count}, {rate:.1f} a second, {len(run.failures)} failed", end=end, flush=True)

    run.execute(progress)
    print(f"{run.done} random kernels in {run.elapsed:.0f} s: {len(run.failures) or 'none'} failed")
    return 1 if run.failures or run.done < count else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=secrets.randbits(40))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--language", choices=MAKERS, default="cuda")
    options = parser.parse_args()
    sys.exit(main(options.count, options.seed, options.jobs, options.language))
