# SPDX-License-Identifier: Apache-2.0
"""Programs of Csmith as kernels, compared with what g++ makes of them.

python -m tests.fuzz.csmith COUNT [--seed FIRST] [--mapping auto]...

Needs `csmith` and `g++`. Programs that g++'s code takes more than a moment for are left out. Each one that differs, or
that is not compiled, is written to out/csmith.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from . import compare

FAILED = Path("out/csmith")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.csmith", description="Csmith's programs as kernels.")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1, help="of the first program (%(default)s)")
    parser.add_argument("--mapping", action="append", help="of threads; more than one take turns (auto)")
    given = parser.parse_args()
    mappings = given.mapping or ["auto"]
    compared = failed = 0
    for number in range(given.count):
        seed, mapping = given.seed + number, mappings[number % len(mappings)]
        source, problem = compare.compared(seed, mapping)
        if problem is None:
            continue  # it does not end in time
        compared += 1
        if problem:
            failed += 1
            FAILED.mkdir(parents=True, exist_ok=True)
            (FAILED / f"{seed}.cu").write_text(source)
            print(f"seed {seed}, {mapping}: {problem}", flush=True)
    print(f"{given.count} programs, {compared} compared, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
