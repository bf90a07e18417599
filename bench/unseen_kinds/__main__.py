# SPDX-License-Identifier: Apache-2.0
"""Kernels of kinds that bench/cpu doesn't have, by each mapping of Lanewise, beside Intel's OpenCL.

python -m bench.unseen_kinds [KERNEL ...] [--mappings auto,lanes,loop] [--runs 9] [--threads 2]
                             [--cpu native|x86-64-v3] [--without-intel]

It prints milliseconds of a warm launch, the medians of turns that alternate. `choice` is how many times the time of the
best mapping `auto` takes, once its launches have decided, `times` how many times faster than Intel it is. The exit
status is 1 if Lanewise computes something else than NumPy.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path
from typing import Final

from bench.cpu import environment, geometric, machine
from bench.cpu.measure import Outcome, measure
from bench.cpu.memory_folder import memory_folder
from bench.cpu.problem import Kernel
from bench.cpu.workers import PeerError, Worker

from .kernels import NAMES

_KERNELS: Final = Path(__file__).parent / "kernels"


def main() -> int:
    given = _arguments()
    with memory_folder() as folder:
        return _run(given, folder)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.unseen_kinds", description="Kernels of further kinds.")
    parser.add_argument("kernels", nargs="*", choices=[[], *NAMES], metavar="KERNEL", help=", ".join(NAMES))
    parser.add_argument("--mappings", default="auto,lanes,loop", help="of work-items by Lanewise (%(default)s)")
    parser.add_argument("--runs", type=int, default=9, help="turns of each, whose median counts (%(default)s)")
    parser.add_argument("--threads", type=int, default=2, help="of everybody (%(default)s)")
    parser.add_argument("--cpu", choices=environment.CPUS, default="native", help="of everybody (%(default)s)")
    parser.add_argument("--without-intel", action="store_true", help="compare the mappings alone")
    return parser.parse_args()


def _run(given: argparse.Namespace, folder: Path) -> int:
    threads = machine.stay_on_cores(given.threads)
    mappings = given.mappings.split(",")
    peers = {mapping: f"lanewise:{mapping}" for mapping in mappings}
    if not given.without_intel:
        if missing := environment.install(["intel"]):
            print(f"Intel: {missing['intel']}")
        else:
            peers["intel"] = "intel"
    workers: list[Worker] = []
    try:
        for name, peer in peers.items():
            try:
                worker = Worker(peer, threads, folder / "caches", given.cpu)
            except PeerError as error:
                print(f"{name}: {error}")
                continue
            worker.name = name
            workers.append(worker)
        outcomes = _measured(given, workers, folder)
    finally:
        for worker in workers:
            worker.close()
    return 1 if any(mapping in outcome.failures for outcome in outcomes for mapping in mappings) else 0


def _measured(given: argparse.Namespace, workers: list[Worker], folder: Path) -> list[Outcome]:
    """What was found of each kernel. Prints the table."""
    names = [worker.name for worker in workers]
    print(f"| kernel | size | {' | '.join(names)} | choice | times |")
    print(f"| --- | --- |{' --: |' * (len(names) + 2)}", flush=True)
    outcomes: list[Outcome] = []
    for name in given.kernels or NAMES:
        outcomes.append(measure(name, kernel(name), kernel(name).size, workers, given.runs, folder, kernels=_KERNELS))
        print(_row(outcomes[-1], names), flush=True)
        for peer, why in outcomes[-1].failures.items():
            print(f"  {peer}: {why}")
    for what, ratio in (("choice", _choice), ("times Intel's speed", _times)):
        print(f"{what}, geometric mean: {_number(geometric.mean([r for o in outcomes if (r := ratio(o))]))}")
    return outcomes


def kernel(name: str) -> Kernel:
    """A kernel with its data."""
    return import_module(f"bench.unseen_kinds.kernels.{name}").KERNEL


def source(name: str) -> Path:
    """The file with a kernel's source, in OpenCL C."""
    return _KERNELS / f"{name}.cl"


def _row(outcome: Outcome, names: list[str]) -> str:
    times = [_number(time / 1e6) if (time := outcome.nanoseconds.get(name)) else "" for name in names]
    cells = [outcome.name, outcome.shown, *times, _number(_choice(outcome)), _number(_times(outcome))]
    return f"| {' | '.join(cells)} |"


def _choice(outcome: Outcome) -> float | None:
    """The time of `auto`, in times of the best mapping's."""
    times = {name: time for name, time in outcome.nanoseconds.items() if name != "intel"}
    return times["auto"] / min(times.values()) if "auto" in times else None


def _times(outcome: Outcome) -> float | None:
    """The number of times that `auto` is faster than Intel's."""
    auto, intel = outcome.nanoseconds.get("auto"), outcome.nanoseconds.get("intel")
    return intel / auto if auto and intel else None


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"


if __name__ == "__main__":
    sys.exit(main())
