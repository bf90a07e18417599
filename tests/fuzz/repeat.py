# SPDX-License-Identifier: Apache-2.0
"""Runs one random kernel again: python -m tests.fuzz.repeat FILE [STAGE ...] [--mapping MAPPING ...]

The first line of FILE says how to launch it; the rest may be edited, to see what matters. It runs under the mappings
that are named, or under all that `mappings.py` has. With a stage of the CPU's pipeline ("isolate", "simplify",
"work-group"), that stage's IR is printed first, under the first mapping.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from .languages import parsed
from .mappings import all_mappings
from .running import check, compiled


def main(path: str, stages: Sequence[str], mappings: Sequence[str]) -> None:
    kernel = parsed(Path(path).read_text())
    for stage in stages:
        print(compiled(kernel, mappings[0]).ir(stage, block=kernel.block))
    taken = check(kernel, mappings)
    print(f"{path}: {'CPU and reference agree' if taken else 'the CPU does not take it'}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.repeat")
    parser.add_argument("path")
    parser.add_argument("stages", nargs="*")
    parser.add_argument("--mapping", action="append", default=[])
    options = parser.parse_args()
    main(options.path, options.stages, options.mapping or all_mappings())
