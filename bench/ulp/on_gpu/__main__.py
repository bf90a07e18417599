# SPDX-License-Identifier: Apache-2.0
"""Errors of the mathematical library on a GPU:

    python -m bench.ulp.on_gpu pack FOLDER [--arch sm_90]   with nvcc, ptxas and Lanewise
    python -m bench.ulp.on_gpu play FOLDER OUT              with a GPU, NumPy and cuda-bindings
    python -m bench.ulp.on_gpu judge OUT                    with gmpy2: into docs/mathematics.md

The exit status of `judge` is 1 where a result is wrong in kind or beyond CUDA's bound.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from lanewise.errors import Error


def main(given: Sequence[str] | None = None) -> int:
    """Run the command; 2 after a message if it is given what there isn't."""
    parser = argparse.ArgumentParser(prog="python -m bench.ulp.on_gpu")
    commands = parser.add_subparsers(dest="command", required=True)
    pack = commands.add_parser("pack", help="compile functions into a folder")
    pack.add_argument("folder", type=Path)
    pack.add_argument("--arch", default="sm_90")
    play = commands.add_parser("play", help="compute a folder's functions on the GPU that is here")
    play.add_argument("folder", type=Path)
    play.add_argument("out", type=Path)
    judge = commands.add_parser("judge", help="judge what was computed")
    judge.add_argument("out", type=Path)
    options = parser.parse_args(given)
    try:
        return _run(options)
    except Error as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _run(options: argparse.Namespace) -> int:  # each command imports what its machine has
    if options.command == "pack":
        from ...gpu.tools import find_tools
        from .packing import pack

        pack(options.folder, options.arch, find_tools())
        return 0
    if options.command == "play":
        from .playing import play

        play(options.folder, options.out)
        return 0
    from .. import document
    from .judging import exceeded, outcomes

    failed = 0
    for row, outcome, cuda in outcomes(options.out):
        beyond = exceeded(row, outcome)
        failed += beyond or bool(outcome.wrong_count)
        document.update_on_gpu(row, outcome, beyond, cuda)
        bound = "" if row.cuda is None else f"  CUDA {row.cuda:g}{' EXCEEDED' * beyond}"
        own = "" if cuda is None else f", its own {cuda:.4f}"
        wrong = f"  {outcome.wrong_count} WRONG" if outcome.wrong_count else ""
        line = f"{row.name:18} {outcome.points:>13,} points {outcome.ulp.error:9.4f} ulp{bound}{own}{wrong}"
        print(f"{line}  at {outcome.ulp}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
