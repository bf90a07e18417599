# SPDX-License-Identifier: Apache-2.0
"""Random kernels, the CPU device against the reference device:
python -m tests.fuzz COUNT [--seed SEED] [--jobs JOBS] [--language cuda|opencl] [--warps | --views]
    [--one | --all | --mapping MAPPING ...]

The kernels are those of the seeds SEED, SEED + 1, ...; without one, of numbers that nobody has looked at. With
--warps, they are full of operations of warps, in CUDA C++; with --views, of accesses to one memory by several types.
Each runs under all mappings that are named (see `lw.compile`; "ptx" is the kernel's PTX on the device simt, "spirv" a
kernel in OpenCL C as SPIR-V, "both" lanes and a loop in turn), or as by default and under one more at random. With
--one it is a single one at random, that by default among them: nearly twice as many kernels in the same time. With
--all a kernel runs under every mapping except "ptx" and "spirv"; this takes about as long as three mappings did
(`codes.py`). --warps leaves out "loop" and "both". Failing kernels are made small and written to out/fuzz. The exit
status is 1 if there are any.
"""

import argparse
import secrets
import sys

import lanewise as lw
from lanewise.workgroup.mapping import mapping_of

from .driver import TOGETHER, Run
from .mappings import BOTH, ONE, THROUGH_PTX, THROUGH_SPIRV, all_mappings


def main(count: int, first: int, jobs: int, dialect: str, mappings: tuple[str, ...]) -> int:
    run = Run(first, count, jobs, dialect=dialect, mappings=mappings)
    print(f"{count} random kernels, of the seeds from {first}", flush=True)
    shown = 0

    def progress() -> None:
        nonlocal shown
        for failure in run.failures[shown:]:
            shown += 1
            print(f"\r{failure}", flush=True)
        rate = run.done / max(run.elapsed, 1)
        end = "\r" if sys.stdout.isatty() else "\n"
        if sys.stdout.isatty() or run.done % 100 < TOGETHER[dialect] or run.done == count:
            print(f"{run.done} of {count}, {rate:.1f} a second, {len(run.failures)} failed", end=end, flush=True)

    run.execute(progress)
    skipped = f", {run.skipped} ran on the reference device alone" if run.skipped else ""
    print(f"{run.done} random kernels in {run.elapsed:.0f} s: {len(run.failures) or 'none'} failed{skipped}")
    return 1 if run.failures or run.done < count else 0


def _mapping(text: str) -> str:
    """As it is; ArgumentTypeError where it names none."""
    try:
        if text not in (BOTH, THROUGH_PTX, THROUGH_SPIRV):
            mapping_of(text)
    except lw.Error as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=secrets.randbits(40))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--language", choices=("cuda", "opencl"), default="cuda")
    parser.add_argument("--warps", action="store_true")
    parser.add_argument("--views", action="store_true")
    mappings = parser.add_mutually_exclusive_group()
    mappings.add_argument("--mapping", action="append", default=[], type=_mapping)
    mappings.add_argument("--one", dest="mapping", action="store_const", const=[ONE])
    mappings.add_argument("--all", action="store_true")
    options = parser.parse_args()
    if options.warps + options.views + (options.language != "cuda") > 1:
        parser.error("--warps and --views are of CUDA C++, and one excludes the other")
    if THROUGH_SPIRV in options.mapping and options.language != "opencl":
        parser.error("--mapping spirv is of OpenCL C: --language opencl")
    dialect = "warps" if options.warps else "views" if options.views else options.language
    wanted = all_mappings(dialect) if options.all else tuple(options.mapping)
    sys.exit(main(options.count, options.seed, options.jobs, dialect, wanted))
