# SPDX-License-Identifier: Apache-2.0
"""Random programs of Python loops, compiled by `lw.jit(exact=True)`, against Python:
python -m tests.frontend.python.generator COUNT [--seed SEED] [--device simt] [--show | --python]

The programs are those of the seeds SEED, SEED + 1, ...; without one, of numbers that nobody has looked at. Each has
five functions. The source of those that fail is printed, and the exit status is 1 if there are any. --show prints the
programs and runs nothing; --python has Python run them alone, which shows whether the programs are right.
"""

import argparse
import secrets
import sys
import time

import lanewise as lw

from .program import random_program
from .running import check


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.frontend.python.generator")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=secrets.randbits(40))
    parser.add_argument("--device", type=lw.device, help="where they run, such as simt")
    parser.add_argument("--show", action="store_true", help="print the programs and run nothing")
    parser.add_argument("--python", action="store_true", help="let Python run them alone")
    given = parser.parse_args()
    start, failed = time.perf_counter(), 0
    for seed in range(given.seed, given.seed + given.count):
        program = random_program(seed)
        if given.show:
            print(program.source)
            continue
        for failure in check(program, compiled=not given.python, device=given.device):
            failed += 1
            print(f"{failure}\n", flush=True)
    if not given.show:
        took = time.perf_counter() - start
        print(
            f"{given.count} random programs from seed {given.seed} in {took:.0f} s: {failed or 'no'} functions failed"
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
