# SPDX-License-Identifier: Apache-2.0
"""Runs one random kernel again: python -m tests.fuzz.repeat FILE [STAGE]

The first line of FILE says how to launch it; the rest may be edited, to see what matters. With a stage of the CPU's
pipeline ("isolate", "simplify", "work-group"), that stage's IR is printed first.
"""

import sys
from pathlib import Path

from .languages import parsed
from .running import check, compiled


def main(path: str, *stages: str) -> None:
    kernel = parsed(Path(path).read_text())
    for stage in stages:
        print(compiled(kernel).ir(stage, block=kernel.block))
    check(kernel)
    print(f"{path}: CPU and reference agree")


if __name__ == "__main__":
    main(*sys.argv[1:])
