# SPDX-License-Identifier: Apache-2.0
"""Loops in Python, compiled by Lanewise and by Numba from the same source, beside NumPy.

python -m bench.loops [CASE ...] [--peers numba,numpy,untiled] [--runs 9] [--threads 2] [--small] [--chart FILE]

A case is a workload of bench/loops/workloads, or one of its types, such as "matmul:float32"; without any, all are
measured. The peer "untiled" is Lanewise without register tiling, "rows" with rows in registers and no packed columns.
The results of each are compared with NumPy's first. --small takes sizes that show that all works, and no speed. The
exit status is 1 if Lanewise fails anywhere.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from bench.cpu import environment, geometric, machine
from bench.cpu.workers import PeerError, Worker

from .workload import Case, all_cases

_PEERS: Final = ("numba", "numpy", "untiled")
_SHOWN: Final = {"numba": "Numba", "numpy": "NumPy", "untiled": "untiled", "rows": "rows"}
_TURN: Final = 20e6
"""Nanoseconds of a turn: so many calls of which the median counts, so that those of short loops count as well."""
_MOST_CALLS: Final = 9
_PAUSE: Final = 0.01
"""Seconds between turns, in which the threads of the one before stop to spin."""


def main() -> int:
    given = _arguments()
    threads = machine.stay_on_cores(given.threads)
    peers = [peer for peer in given.peers.split(",") if peer]
    missing = environment.install([peer for peer in peers if peer == "numba"])
    for peer, why in missing.items():
        print(f"{_SHOWN[peer]} is left out: {why}")
    with tempfile.TemporaryDirectory() as folder:
        workers = [
            Worker(peer, threads, Path(folder), module="bench.loops.worker")
            for peer in ("lanewise", *(peer for peer in peers if peer not in missing))
        ]
        try:
            return _compare(given, workers, threads)
        finally:
            for worker in workers:
                worker.close()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.loops", description="Loops in Python, compiled.")
    known = [case.name for case in all_cases()]
    parser.add_argument("cases", nargs="*", metavar="CASE", help=", ".join(known))
    parser.add_argument("--peers", default=",".join(_PEERS), help="whom to compare with (%(default)s)")
    parser.add_argument("--runs", type=int, default=9, help="turns of each, whose median counts (%(default)s)")
    parser.add_argument("--threads", type=int, default=2, help="of everybody (%(default)s)")
    parser.add_argument("--small", action="store_true", help="sizes that show that all works, and no speed")
    parser.add_argument("--chart", type=Path, metavar="FILE", help="draw the speeds, too: .png, .svg or .pdf")
    given = parser.parse_args()
    if unknown := set(given.peers.split(",")) - {*_SHOWN, ""}:
        parser.error(f"no peer {unknown.pop()}: there are {', '.join(_SHOWN)}")
    for name in given.cases:
        if name not in known and not any(each.startswith(f"{name}:") for each in known):
            parser.error(f"no case {name}: there are {', '.join(known)}")
    return given


def _compare(given: argparse.Namespace, workers: list[Worker], threads: int) -> int:
    theirs = [worker.name for worker in workers[1:]]
    columns = ["loops", "size", "first ms", "Lanewise ms", *(f"{_SHOWN[name]} ms | times" for name in theirs)]
    print(f"{machine.described(threads)}. {', '.join(worker.version for worker in workers)}.\n")
    print(f"| {' | '.join(columns)} |\n| --- | --- | --: | --: |{' --: | --: |' * len(theirs)}", flush=True)
    ratios: dict[str, dict[str, float]] = {name: {} for name in theirs}
    failures: list[str] = []
    measured: dict[str, dict[str, float]] = {}
    for case in all_cases():
        if given.cases and not {case.name, case.name.partition(":")[0]} & set(given.cases):
            continue
        first, times, failed = _measure(case, workers, given.runs, given.small)
        failures += failed
        measured[case.name] = times
        ours = times.get("lanewise")
        cells = [case.name, "small" if given.small else case.workload.shown, _milliseconds(first), _milliseconds(ours)]
        for name in theirs:
            if ours and name in times:
                ratios[name][case.name] = times[name] / ours
            cells += [_milliseconds(times.get(name)), _number(ratios[name].get(case.name))]
        print(f"| {' | '.join(cells)} |", flush=True)
    means = [f" | {_number(geometric.mean(list(ratios[name].values())))}" for name in theirs]
    worst = [
        f"{min(r, key=r.__getitem__, default='')} | {_number(min(r.values(), default=None))}" for r in ratios.values()
    ]
    print(f"| **geometric mean** | | | | {' | '.join(means)} |\n| **worst** | | | | {' | '.join(worst)} |\n")
    print("\n".join(f"* {line}" for line in failures))
    if given.chart:
        from .chart import speeds  # needs matplotlib

        speeds(given.chart, measured, machine.described(threads))
    return 1 if any("lanewise" in line.partition(": ")[0].split(", ") for line in failures) else 0


def _measure(
    case: Case, workers: list[Worker], runs: int, small: bool
) -> tuple[int | None, dict[str, float], list[str]]:
    """Nanoseconds of our first call, compilation included; of a warm call by peer; and what failed."""
    first: int | None = None
    counts: dict[Worker, int] = {}
    failures: list[str] = []
    size = case.workload.tiny if small else case.workload.size
    for worker in workers:
        if worker.name == "numpy" and not case.workload.natural:
            continue
        try:
            took = worker.load(case.name, size)
            (once,) = worker.time(1)
        except PeerError as error:
            failures.append(f"{case.name}, {worker.name}: {str(error).splitlines()[0]}")
            continue
        first = took if worker.name == "lanewise" else first
        counts[worker] = max(1, min(_MOST_CALLS, round(_TURN / once)))
    turns: dict[str, list[float]] = {worker.name: [] for worker in counts}
    for _ in range(runs):
        for worker, count in counts.items():
            time.sleep(_PAUSE)
            turns[worker.name].append(statistics.median(worker.time(count)))
    return first, {name: statistics.median(each) for name, each in turns.items()}, failures


def _milliseconds(nanoseconds: float | None) -> str:
    return "" if nanoseconds is None else _number(nanoseconds / 1e6)


def _number(value: float | None) -> str:
    """With three digits that count."""
    if value is None or value != value:
        return ""
    return f"{value:.{3 if value < 1 else 2 if value < 10 else 1 if value < 100 else 0}f}"


if __name__ == "__main__":
    sys.exit(main())
