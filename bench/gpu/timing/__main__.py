# SPDX-License-Identifier: Apache-2.0
"""Times of kernels on a GPU, by each compiler:

python -m bench.gpu.timing pack FOLDER [KERNEL ...] [--arch sm_90]    with nvcc, ptxas and Lanewise
python -m bench.gpu.timing play FOLDER [KERNEL ...] --json FILE       with a GPU, NumPy and cuda-bindings
python -m bench.gpu.timing show FILE [--sass FILE] [--document]       tables, or into the documents
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from lanewise.errors import Error

from . import playing, tables
from .records import record


def main(given: Sequence[str] | None = None) -> int:
    """Run the command; 2 after a message if it is given what there isn't."""
    parser = argparse.ArgumentParser(prog="python -m bench.gpu.timing")
    commands = parser.add_subparsers(dest="command", required=True)
    pack = commands.add_parser("pack", help="compile kernels into a folder")
    pack.add_argument("folder", type=Path)
    pack.add_argument("kernels", nargs="*", metavar="KERNEL")
    pack.add_argument("--arch", default="sm_90")
    play = commands.add_parser("play", help="run a folder's kernels on the GPU that is here")
    play.add_argument("folder", type=Path)
    play.add_argument("kernels", nargs="*", metavar="KERNEL")
    play.add_argument("--only", action="append", default=[], metavar="COMPILER", help="may be given several times")
    play.add_argument("--rounds", type=int, default=21, metavar="N")
    play.add_argument("--json", type=Path, required=True, metavar="FILE")
    show = commands.add_parser("show", help="tables of what was played")
    show.add_argument("file", type=Path)
    show.add_argument("--sass", type=Path, metavar="FILE", help="what python -m bench.gpu --json wrote")
    show.add_argument("--document", action="store_true", help="write them into docs/gpu.md and kernelgen.md")
    options = parser.parse_args(given)
    try:
        _run(options)
    except Error as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


def _run(options: argparse.Namespace) -> None:
    if options.command == "pack":
        from ..tools import find_tools
        from .packing import pack  # which needs the compilers that the machine with the GPU may lack

        pack(options.folder, options.arch, find_tools(), options.kernels, _tell)
    elif options.command == "play":
        playing.play(options.folder, options.kernels, options.only, options.rounds, options.json)
    else:
        sass = {} if options.sass is None else tables.dynamic_sass(json.loads(options.sass.read_text()))
        found = record(options.file, "gpu", "what `play` writes")
        if options.document:
            tables.write(found, sass)
        else:
            print("\n".join([*tables.document(found, sass), "", *tables.kernelgen(found)]))


def _tell(what: str) -> None:
    print(what, end=" ", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
