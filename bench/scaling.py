# SPDX-License-Identifier: Apache-2.0
"""How compile time grows with the size of a kernel: CPU seconds to machine code and to PTX.

python bench/scaling.py [--shape SHAPE ...] [--sizes 2000 4000 ...] [--mapping MAPPING] [--limit SECONDS]

Each number is from a process of its own, without clang's share and without imports. Sizes are instructions of kernel IR
once it is simplified. A column `x` is the time over that of the size before; twice the instructions should take at most
2.3 times the time.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from typing import Final

from growing_kernels import SHAPES
from rich.console import Console
from rich.table import Table

MOST: Final = 2.3
"""Times as long as before that twice the instructions may take."""

MEASURED: Final = """
import re, resource, sys, time
import lanewise as lw
from growing_kernels import source
what, shape, repeats, mapping, limit = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4], int(sys.argv[5])
resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
def compiled(repeats):
    return lw.compile(source(shape, repeats), language="cuda", mapping=mapping)
def finish(module):
    return module.ptx() if what == "ptx" else module["grow"].remarks(64)
if what == "count":
    text = compiled(repeats).ir(after="simplify", block=64)
    print(len(re.findall("^  ", re.search(r"^define .*?^}", text, re.M | re.S)[0], re.M)))
else:
    finish(compiled(1))
    module = compiled(repeats)
    start = time.process_time()
    told = finish(module)
    print(time.process_time() - start)
    print("\\n".join(told) if what == "cpu" else "")
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python bench/scaling.py")
    parser.add_argument("--shape", action="append", choices=tuple(SHAPES))
    parser.add_argument("--sizes", type=int, nargs="+", default=[2000, 4000, 8000, 16000])
    parser.add_argument("--mapping", default="auto")
    parser.add_argument("--limit", type=int, default=300, help="CPU seconds for one kernel")
    parser.add_argument("--remarks", action="store_true", help="what was chosen for the largest")
    options = parser.parse_args()
    for what, title in (("cpu", f"machine code, mapping {options.mapping}, block of 64"), ("ptx", "PTX")):
        table = Table("", title=f"CPU seconds to {title}")
        for size in options.sizes:
            table.add_column(str(size), justify="right")
            table.add_column("x", justify="right")
        for shape in options.shape or SHAPES:
            cells: list[str] = []
            before = None
            for size in options.sizes:
                seconds, told = _seconds(what, shape, size, options.mapping, options.limit)
                cells += [_shown(seconds), _growth(before, seconds)]
                before = seconds
            table.add_row(shape, *cells)
            print(f"{what}, {shape}: {' '.join(cells[::2])}", file=sys.stderr, flush=True)  # a whole table takes long
            if options.remarks and what == "cpu":
                print(shape, told, sep="\n", flush=True)
        Console().print(table)


def _shown(seconds: float | None) -> str:
    return "over" if seconds is None else f"{seconds:.2f}"


def _growth(before: float | None, seconds: float | None) -> str:
    if before is None or seconds is None:
        return ""
    growth = seconds / before
    return f"[{'green' if growth <= MOST else 'red'}]{growth:.2f}"


def _seconds(what: str, shape: str, size: int, mapping: str, limit: int) -> tuple[float | None, str]:
    """The seconds, None if it takes more than the limit; and the remarks."""
    answer = _answer(what, shape, _repeats(shape, size), mapping, limit)
    return (None, "") if answer is None else (float(answer[0]), "\n".join(answer[1:]))


def _repeats(shape: str, size: int) -> int:
    """How many of a shape make a kernel of so many instructions."""
    few, many = (int((_answer("count", shape, repeats, "loop", 60) or "0")[0]) for repeats in (10, 50))
    return round((size - few) / (many - few) * 40) + 10


def _answer(what: str, shape: str, repeats: int, mapping: str, limit: int) -> list[str] | None:
    """The lines that the measured process prints; None where it took too long."""
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"LANEWISE_CACHE_DIR": cache, "PYTHONPATH": os.path.dirname(__file__)}
        command = [sys.executable, "-c", MEASURED, what, shape, str(repeats), mapping, str(limit)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode < 0:
        return None
    if done.returncode:
        raise SystemExit(f"{shape}: the measured process failed:\n{done.stderr}")
    return done.stdout.splitlines()


if __name__ == "__main__":
    main()
