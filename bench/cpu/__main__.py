# SPDX-License-Identifier: Apache-2.0
"""Lanewise's CPU device beside Intel's and pocl's OpenCL and Numba, on the same kernels and data.

python -m bench.cpu [KERNEL ...] [--peers intel,pocl,numba] [--runs 9] [--mapping auto] [--threads 2]
                    [--arrays page|numpy] [--cpu native|x86-64-v3]

Without kernels all are measured, and the machine's limits and the compiler's times with them, and docs/cpu.md and
docs/cpu.png get what was found. With some, with other arrays or for another processor, a table is printed. The exit
status is 1 where Lanewise computes something else than NumPy.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from . import document, environment, machine, report
from .measure import Outcome, measure
from .memory_folder import memory_folder
from .order import PLACEMENTS
from .problem import kernel, names
from .workers import PeerError, Worker

_PEERS: Final = ("intel", "pocl", "numba")


def main() -> int:
    given = _arguments()
    with memory_folder() as folder:
        return _run(given, folder)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.cpu", description="Lanewise's CPU device beside others.")
    parser.add_argument("kernels", nargs="*", choices=[[], *names()], metavar="KERNEL", help=", ".join(names()))
    parser.add_argument("--peers", default=",".join(_PEERS), help="whom to compare with (%(default)s)")
    parser.add_argument("--runs", type=_count, default=9, help="turns of each, whose median counts (%(default)s)")
    parser.add_argument("--mapping", default="auto", help="of work-items by Lanewise (%(default)s)")
    parser.add_argument("--threads", type=_count, default=2, help="of everybody (%(default)s)")
    parser.add_argument("--arrays", choices=PLACEMENTS, default="page", help="where they begin (%(default)s)")
    parser.add_argument("--cpu", choices=environment.CPUS, default="native", help="of everybody (%(default)s)")
    given = parser.parse_args()
    given.peers = [peer for peer in given.peers.split(",") if peer]
    if unknown := set(given.peers) - set(_PEERS):
        parser.error(f"no peer {unknown.pop()}: there are {', '.join(_PEERS)}")
    return given


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of at least 1")
    return int(text)


def _run(given: argparse.Namespace, folder: Path) -> int:
    threads = machine.stay_on_cores(given.threads)
    missing = environment.install(given.peers)
    workers: list[Worker] = []
    try:
        for peer in (f"lanewise:{given.mapping}", *(peer for peer in given.peers if peer not in missing)):
            try:
                workers.append(Worker(peer, threads, folder / "caches", given.cpu))
            except PeerError as error:
                missing[peer] = str(error)
        return _compare(given, workers, missing, threads, folder)
    finally:
        for worker in workers:
            worker.close()


def _compare(
    given: argparse.Namespace, workers: list[Worker], missing: dict[str, str], threads: int, folder: Path
) -> int:
    peers = [peer for peer in given.peers if peer not in missing]
    print(report.heading(peers), flush=True)
    outcomes: list[Outcome] = []
    for name in given.kernels or names():
        size, offset = kernel(name).size, PLACEMENTS[given.arrays]
        outcomes.append(measure(name, kernel(name), size, workers, given.runs, folder, offset=offset))
        print(report.line(outcomes[-1], peers), flush=True)
    print(report.means(outcomes, peers), report.failures(outcomes, missing), sep="\n\n", flush=True)
    if not given.kernels and given.arrays == "page" and given.cpu == "native":
        conditions = f"{machine.described(threads)}. {', '.join(worker.version for worker in workers)}."
        table = report.table(outcomes, peers, missing)
        limits = document.limits(workers[0], threads, given.runs, folder)
        compiling = document.compiling(given.mapping, threads, folder)
        document.write(conditions, [table, limits, compiling], outcomes, peers)
    return 1 if any("lanewise" in outcome.failures for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
