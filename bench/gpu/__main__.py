# SPDX-License-Identifier: Apache-2.0
"""PTX of Lanewise beside nvcc's, by what ptxas makes of it: python -m bench.gpu [KERNEL ...] [--arch sm_80]

Registers, spills, occupancy, SASS by class, weighed by loops, and weighed by what the simulated GPU counts: docs/gpu.md
says how each number is defined. `--document` writes today's tables into docs/gpu.md, `--times` measures how long
compilers take. `--without STEP` leaves a step of Lanewise's pipeline out, or a switch of LLVM's that
it sets, `--ablation` each one in turn. NVIDIA's
programs are used where they are found; no GPU is needed. What they said is kept in out/bench/gpu, so that a second run
compiles what has changed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from lanewise.errors import Error

from . import ablation, compile_times, compilers, report
from .document import write, write_ablation
from .measure import Wanted
from .problem import Kernel
from .rows import rows_of
from .suite import HELD_OUT, SUITE, kernel, sets
from .tools import Tools, find_tools

_ARCHITECTURES: Final = ("sm_80", "sm_90")
_IGNORES: Final = {
    "times": (
        "given",
        "ablation",
        "without",
        "enabled",
        "static",
        "json",
        "document",
        "held_out",
        "arch",
        "compilers",
        "jobs",
    ),
    "given": ("kernels", "without", "enabled", "static", "arch", "compilers", "jobs"),
    "ablation": ("without", "enabled", "static", "compilers", "jobs"),
}
"""Options that would be ignored beside an option."""
_SHOWN: Final = {"kernels": "names of kernels", "given": "--from", "enabled": "--with", "held_out": "--held-out"}


def main(given: Sequence[str] | None = None) -> int:
    """Run the command; 2 after a message if it is given what there isn't."""
    try:
        return _run(_options(given))
    except Error as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _run(options: argparse.Namespace) -> int:
    _check(options)
    compilers.check_steps(frozenset(options.without), frozenset(options.enabled))
    tools = find_tools(options.nvdisasm)
    console = Console(stderr=options.json == "-", width=None if sys.stdout.isatty() else 200)
    for why in tools.missing:
        console.print(f"skipped: {why}")
    if options.times:
        for line in compile_times.table(options.kernels or [each.name for each in SUITE], tools, options.nvrtc):
            print(line, flush=True)
        return 0
    chosen = _chosen(options.kernels, options.held_out)
    if options.ablation:
        _ablate(options, chosen, tools)
        return 0
    found: dict[str, list[report.Row]] = {}
    names = _names(options.compilers, tools, console)
    for file in options.given or ():
        for data in _records(file):
            found[data["arch"]], names = report.from_json(data)
    for arch in () if options.given else options.arch:
        wanted = Wanted(arch, names, not options.static, frozenset(options.without), frozenset(options.enabled))
        found[arch] = rows_of(chosen, wanted, tools, options.jobs, _tell)
    for arch, rows in found.items():
        _show(console, rows, names, arch)
    if options.json:
        _write(options.json, [report.as_json(rows, names, arch) for arch, rows in found.items()])
    if options.document:
        write(found, names, held_out=options.held_out)
    return 0


def _ablate(options: argparse.Namespace, chosen: Sequence[Kernel], tools: Tools) -> None:
    if options.given:
        found = ablation.from_json(_loaded(options.given[0]))
    else:
        found = ablation.measured(chosen, options.arch[0], tools, _tell)
    if options.json:
        _write(options.json, ablation.as_json(found))
    print("", *ablation.report(found), sep="\n", file=sys.stderr if options.json == "-" else sys.stdout)
    if options.document:
        write_ablation(found, held_out=options.held_out)


def _check(options: argparse.Namespace) -> None:
    """Error for options of which one would be ignored."""
    for mode, others in _IGNORES.items():
        for each in others if getattr(options, mode) else ():
            if getattr(options, each):
                raise Error(f"{_shown(mode)} and {_shown(each)} don't go together")
    if options.document and options.kernels:
        raise Error("--document writes the tables of all kernels: name none")
    if options.ablation and max(len(options.given or ()), len(options.arch or ())) > 1:
        raise Error("--ablation takes one architecture or one file")
    options.arch = options.arch or [_ARCHITECTURES[0]]
    options.compilers = options.compilers or ",".join(compilers.NAMES)
    options.jobs = options.jobs or 1


def _shown(option: str) -> str:
    """An option as users write it."""
    return _SHOWN.get(option, f"--{option}")


def _loaded(file: str) -> Any:
    """The JSON in a file. Error where there is none."""
    try:
        return json.loads(Path(file).read_text())
    except (OSError, ValueError) as error:
        raise Error(f"no JSON can be read of {file}: {error}") from None


def _records(file: str) -> list[dict[str, Any]]:
    """The records that --json wrote to a file."""
    found = _loaded(file)
    if not isinstance(found, list) or not all(isinstance(each, dict) and "compilers" in each for each in found):
        raise Error(f"{file} isn't what --json writes: no list of records with 'compilers'")
    return found


def _write(file: str, data: object) -> None:
    """Write as JSON; - is standard output."""
    text = json.dumps(data, indent=1) + "\n"
    if file == "-":
        print(text, end="")
    else:
        Path(file).write_text(text)


def _options(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.gpu")
    add = parser.add_argument
    add("kernels", nargs="*", metavar="KERNEL", help="all of the suite, unless some are named")
    add("--arch", action="append", choices=_ARCHITECTURES, help="sm_80, unless said; may be given twice")
    add("--compilers", metavar="NAMES", help="lanewise,nvcc,llvm, unless said; the first is compared with the others")
    add("--held-out", action="store_true", help="the held-out kernels instead of the suite")
    add("--without", action="append", default=[], metavar="STEP", help="leave this step or switch of LLVM's out")
    add("--with", dest="enabled", action="append", default=[], metavar="STEP", help="run a step that otherwise isn't")
    add("--ablation", action="store_true", help="dynamic SASS without each step and switch, and by groups")
    add("--static", action="store_true", help="run nothing: no dynamic SASS, sectors and bank conflicts")
    add("--json", metavar="FILE", help="all numbers, as a list of a record per architecture; - for standard output")
    add("--from", dest="given", action="append", metavar="FILE", help="measure nothing: show what --json wrote")
    add("--document", action="store_true", help="write the tables into docs/gpu.md")
    add("--times", action="store_true", help="measure how long compilers take")
    add("--jobs", type=int, metavar="N", help="processes at the same time")
    add("--nvdisasm", metavar="FILE", help="where nvdisasm is, if it isn't found")
    add("--nvrtc", metavar="FILE", help="where libnvrtc.so is, for --times")
    return parser.parse_args(given)


def _chosen(names: Sequence[str], held_out: bool) -> list[Kernel]:
    return [kernel(name) for name in names] if names else list(HELD_OUT if held_out else SUITE)


def _names(wanted: str, tools: Tools, console: Console) -> tuple[str, ...]:
    """The compilers to run."""
    names = tuple(wanted.split(","))
    unknown = [name for name in names if name not in compilers.NAMES]
    if unknown:
        raise Error(f"no compiler is called {unknown[0]!r}; known are {', '.join(compilers.NAMES)}")
    if "llvm" in names and not compilers.left_out():
        console.print("skipped: llvm, since the pipeline has no step that LLVM's own hasn't")
        names = tuple(name for name in names if name != "llvm")
    return tuple(name for name in names if name != "nvcc" or tools.nvcc is not None)


def _tell(name: str) -> None:
    print(name, end=" ", file=sys.stderr, flush=True)


def _show(console: Console, rows: Sequence[report.Row], names: Sequence[str], arch: str) -> None:
    head, *lines = report.table(rows, names)
    shown = Table(*head, title=f"{arch}: {' | '.join(names)}", box=None, header_style="bold")
    for number, column in enumerate(shown.columns):
        column.justify = "left" if number < 2 else "right"
    for line in lines:
        shown.add_row(*line)
    console.print(shown)
    for title, members in sets(row.name for row, _ in rows).items():
        console.print(f"{title}, {len(members)} kernels:", markup=False, highlight=False)
        for remark in report.remarks([row for row in rows if row[0].name in members], names):
            console.print(remark, markup=False, highlight=False)


if __name__ == "__main__":
    sys.exit(main())
