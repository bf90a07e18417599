# SPDX-License-Identifier: Apache-2.0
"""Errors of the mathematical library: python -m bench.ulp [FUNCTION ...] [--points N] [--jobs N]
       [--hardware [--stride N]]

Functions are named as in C: expf, pow. Without --points, functions of one float are judged at all 2^32 floats and the
others at ten million points and more, speeds are measured, and docs/mathematics.md gets what was found; with it, all
functions are judged at that many points and nothing is written. The exit status is 1 where a result is wrong in kind or
an error greater than OpenCL allows.

`--hardware` does so for the functions in the form that GPUs have, with models of their approximate instructions, by
CUDA's bounds; `--stride N` takes every Nth float.
"""

from __future__ import annotations

import argparse
import sys
import time

import lanewise as lw

from . import document, hardware, speed, sweep
from .judge import Outcome
from .table import Row, rows

_POINTS = 10_000_000


def main(names: list[str], points: int | None, jobs: int) -> int:
    failed = 0
    for row in rows(names):
        started = time.monotonic()
        try:
            if points is None and row.takes_every_float:
                outcome = sweep.at_every_float(row, jobs)
            else:
                outcome = sweep.at_points(row, points or _POINTS, jobs)
        except lw.Error as error:
            print(f"{row.name:18} {error}", flush=True)
            failed += 1
            continue
        seconds = time.monotonic() - started
        print(f"{row.name:18} {_line(row, outcome)}  [{seconds:.0f} s]", flush=True)
        for wrong in outcome.wrong:
            print(f"    {row.name}{wrong}")
        if points is None:
            document.update(row, outcome, speed.measure(row))
        failed += bool(outcome.wrong_count) or (row.opencl is not None and outcome.ulp.error > row.opencl)
    return 1 if failed else 0


def of_hardware(names: list[str], points: int | None, jobs: int, stride: int) -> int:
    failed = 0
    for row in hardware.hardware_rows(names):
        started = time.monotonic()
        if points is None and row.takes_every_float:
            outcome = hardware.at_every_float(row, jobs, stride)
        else:
            outcome = hardware.at_points(row, points or _POINTS, jobs)
        exceeded = hardware.exceeded(row, outcome) is not None
        line = f"{row.name:18} {_line(row._replace(opencl=None, cuda=None), outcome)}"
        line += "" if row.cuda is None else f"  CUDA {row.cuda:g}{' EXCEEDED' * exceeded}"
        print(f"{line}  [{time.monotonic() - started:.0f} s]", flush=True)
        for wrong in outcome.wrong:
            print(f"    {row.name}{wrong}")
        if points is None:
            document.update_hardware(row, outcome, exceeded)
        failed += bool(outcome.wrong_count) or exceeded
    return 1 if failed else 0


def _line(row: Row, outcome: Outcome) -> str:
    words = [f"{outcome.points:>13,} points", f"{outcome.ulp.error:9.4f} ulp"]
    for standard, bound in (("OpenCL", row.opencl), ("CUDA", row.cuda)):
        if bound is not None:
            words.append(f"{standard} {bound:g}{' EXCEEDED' if outcome.ulp.error > bound else ''}")
    if outcome.absolute.error:
        words.append(f"elsewhere {outcome.absolute.error:.2g} absolute")
    if outcome.wrong_count:
        words.append(f"{outcome.wrong_count} WRONG")
    return "  ".join([*words, f"at {outcome.ulp}"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench.ulp")
    parser.add_argument("functions", nargs="*")
    parser.add_argument("--points", type=int)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--hardware", action="store_true")
    parser.add_argument("--stride", type=int, default=1)
    options = parser.parse_args()
    if options.hardware:
        sys.exit(of_hardware(options.functions, options.points, options.jobs, options.stride))
    sys.exit(main(options.functions, options.points, options.jobs))
