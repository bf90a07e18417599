# SPDX-License-Identifier: Apache-2.0
"""Kernels that nobody tuned for: recorded launches, by each mapping of Lanewise, by Intel's runtime and by pocl.

python -m bench.unseen FOLDER [NAME ...] [--peers intel,pocl] [--mappings auto,loop,lanes] [--calls platform|python]
                       [--runs 5] [--threads 2] [--cpu native|x86-64-v3] [--seed 22] [--half tune|held-out]
                       [--most 2] [--save FILE] [--remarks] [--cpu-time]

FOLDER holds what `python -m bench.unseen.record` wrote. NAMEs choose the recordings whose names contain one of them.
Lanewise is launched by calls of OpenCL as the others are, or with --calls python by those of Python, which take longer.
Results are compared with those of Intel's runtime (compare.py). Halves are random, by the seed: tune on one, and report
both. --save writes outcomes as JSON; --remarks prints what the compiler says of kernels that are slower than Intel's.
In the table a `=` is beside the time of a mapping that has made the same machine code as `auto`. Mappings aren't
compared where the code of one was still to change after many launches; such players are named at the end. --cpu-time
takes the time that processors spend on all threads of a player: for a machine that has others to serve.
The exit status is 1 if Lanewise can't be had, can't play a recording, or computes something else.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

from bench.cpu import environment, machine
from bench.cpu.memory_folder import memory_folder
from bench.cpu.worker import CPU_TIME
from bench.cpu.workers import PeerError, Worker

from . import report
from .measure import OURS, Outcome, measure
from .recording import Recording, recordings

_PEERS: Final = ("intel", "pocl")
_CALLS: Final = ("platform", "python")


def main() -> int:
    given = _arguments()
    if given.cpu_time:
        os.environ[CPU_TIME] = "1"
    with memory_folder() as folder:
        return _run(given, folder)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.unseen", description="Recorded kernels by all mappings.")
    parser.add_argument("folder", type=Path, help="what bench.unseen.record wrote")
    parser.add_argument("names", nargs="*", metavar="NAME", help="a part of the names of recordings to play")
    parser.add_argument("--peers", default=",".join(_PEERS), help="whom to compare with (%(default)s)")
    parser.add_argument("--mappings", default="auto,loop,lanes", help="of Lanewise (%(default)s)")
    parser.add_argument("--calls", choices=_CALLS, default=_CALLS[0], help="that launch Lanewise (%(default)s)")
    parser.add_argument("--runs", type=int, default=5, help="turns of each, whose median counts (%(default)s)")
    parser.add_argument("--threads", type=int, default=2, help="of everybody (%(default)s)")
    parser.add_argument("--cpu", choices=environment.CPUS, default="native", help="of everybody (%(default)s)")
    parser.add_argument("--seed", type=int, default=22, help="of the halves (%(default)s)")
    parser.add_argument("--half", choices=("tune", "held-out"), help="play this one alone")
    parser.add_argument("--most", type=int, default=2, help="kernels of one name in a program (%(default)s)")
    parser.add_argument("--save", type=Path, metavar="FILE", help="write outcomes as JSON")
    parser.add_argument("--remarks", action="store_true", help="of kernels that are slower than Intel's")
    parser.add_argument("--cpu-time", action="store_true", help="of all threads, in place of the time that passes")
    return parser.parse_args()


def _chosen(given: argparse.Namespace) -> list[Recording]:
    """The recordings that are asked for."""
    found = recordings(given.folder, given.most)
    if given.names:
        found = [each for each in found if any(name in each.name for name in given.names)]
    return [each for each in found if given.half in (None, each.half(given.seed))]


def _run(given: argparse.Namespace, folder: Path) -> int:
    chosen = _chosen(given)
    if not chosen:
        print(f"{given.folder}: no recordings, or none that is asked for", file=sys.stderr)
        return 2
    threads = machine.stay_on_cores(given.threads)
    peers = [peer for peer in given.peers.split(",") if peer]
    missing = environment.install([*peers, "platform"] if given.calls == "platform" else peers)
    workers: dict[str, Worker] = {}
    try:
        players = {f"{OURS}{mapping}": f"{given.calls}:{mapping}" for mapping in given.mappings.split(",")}
        players |= {peer: peer for peer in peers if peer not in missing}
        for player, process in players.items():
            try:
                workers[player] = Worker(process, threads, folder / "caches", given.cpu, "bench.unseen.worker")
            except PeerError as error:
                missing[player] = str(error)
        return _play(given, chosen, workers, missing, threads, folder)
    finally:
        for worker in workers.values():
            worker.close()


def _play(
    given: argparse.Namespace,
    chosen: Sequence[Recording],
    workers: dict[str, Worker],
    missing: dict[str, str],
    threads: int,
    folder: Path,
) -> int:
    versions = ", ".join(dict.fromkeys(worker.version for worker in workers.values()))
    timed = " CPU time." if CPU_TIME in os.environ else ""
    conditions = f"{machine.described(threads)}.{timed} {versions}."
    print(report.HEADING, flush=True)
    outcomes: list[Outcome] = []
    for recording in chosen:
        outcome = measure(recording, workers, given.runs, given.folder, folder, recording.half(given.seed))
        outcomes.append(outcome)
        print(report.line(outcome), flush=True)
        if given.remarks and (outcome.ratio("intel") or 1) < 1:
            print("\n".join(f"    {remark}" for remark in outcome.remarks), flush=True)
        if given.save:
            saved = {"conditions": conditions, "outcomes": [asdict(each) for each in outcomes]}
            unfinished = given.save.with_name(f"{given.save.name}.unfinished")
            unfinished.write_text(json.dumps(saved, indent=1))
            unfinished.replace(given.save)
    print(f"\n{conditions}\n")
    print("\n".join(f"* {player} is left out: {why}" for player, why in missing.items()))
    said = [report.summary(report.groups(outcomes)), report.failures(outcomes), report.unsettled(outcomes)]
    print("\n\n".join(said), flush=True)
    lacks_ours = any(player.startswith(OURS) for player in missing)
    return 1 if lacks_ours or any(each.has_failed for each in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
