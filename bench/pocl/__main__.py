# SPDX-License-Identifier: Apache-2.0
"""The measurements of pocl's paper (pocl-2014, section 6), each by one command.

python -m bench.pocl samples [--peers intel,pocl] [--runs 5] [--threads 2] [NAME ...]   6.1: times of samples
python -m bench.pocl samples --target aarch64 [NAME ...]      6.2: what code for 64-bit Arm has, generated, not run
python -m bench.pocl loops [--target aarch64]                 6.4, Table 2: loops over work-items outside and inside
python -m bench.pocl functions [--target aarch64]             6.5, Tables 3 and 4: mathematical functions of vectors

The exit status is 1 if Lanewise fails, or computes something else than NumPy, in samples or loops that are timed.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.cpu import environment, machine, report
from bench.cpu.measure import Outcome, measure
from bench.cpu.memory_folder import memory_folder
from bench.cpu.workers import PeerError, Worker

from lanewise.pipelines.target import CpuTarget

from . import functions, loops
from .generated import TARGETS, counts, work_group_ir
from .samples import SAMPLES, sample


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.pocl", description="The measurements of pocl's paper.")
    parser.add_argument("what", choices=("samples", "loops", "functions"))
    parser.add_argument("names", nargs="*", choices=[[], *SAMPLES], metavar="NAME", help=", ".join(SAMPLES))
    parser.add_argument("--target", choices=TARGETS, default="host", help="the processor (%(default)s)")
    parser.add_argument("--peers", default="intel,pocl", help="who else runs the samples (%(default)s)")
    parser.add_argument("--runs", type=int, default=5, help="turns of each, of which the median counts (%(default)s)")
    parser.add_argument("--threads", type=int, default=2, help="of everybody (%(default)s)")
    parser.add_argument("--calls", type=int, default=1_000_000, help="of each function (%(default)s)")
    given = parser.parse_intermixed_args()  # names may follow options
    if min(given.runs, given.threads, given.calls) < 1:
        parser.error("--runs, --threads and --calls are at least 1")
    target = TARGETS[given.target]()
    match given.what:
        case "samples" if given.target == "host":
            return _timed(given)
        case "samples":
            print(samples_generated(given.names or list(SAMPLES), target))
        case "loops":
            status = _loops_timed(given) if given.target == "host" else 0
            print(loops.table(target))
            return status
        case _:
            print(functions.table(given.calls, given.runs) if given.target == "host" else functions.generated(target))
    return 0


def samples_generated(names: Sequence[str], target: CpuTarget) -> str:
    """The table of samples' code for a target."""
    lines = [
        "| sample | instructions, a loop | of vectors | instructions, as chosen | of vectors | ms to make it | calls |",
        "| --- |" + " --: |" * 6,
    ]
    for name in names:
        each = sample(name)
        block = each.kernel.problem(each.kernel.tiny).local_size
        cells: list[str] = []
        took, calls = 0.0, 0
        for mapping in ("loop", "auto"):
            start = time.process_time()
            ir = work_group_ir(each.source, each.name, block, mapping, target, options=each.kernel.options)
            found = counts(ir, target)
            took, calls = time.process_time() - start, found.calls
            cells += [str(found.all), str(found.vector)]
        lines.append(f"| {name} | {' | '.join(cells)} | {1e3 * took:.0f} | {calls} |")
    return "\n".join(lines)


def _timed(given: argparse.Namespace) -> int:
    peers = [peer for peer in given.peers.split(",") if peer]
    print(report.heading(peers), flush=True)
    outcomes, missing = _outcomes(
        given,
        given.names or list(SAMPLES),
        ["lanewise:auto", *peers],
        lambda outcome: print(report.line(outcome, peers), flush=True),
    )
    print(report.means(outcomes, peers), "", report.failures(outcomes, missing), sep="\n")
    return 1 if any("lanewise" in outcome.failures for outcome in outcomes) else 0


def _loops_timed(given: argparse.Namespace) -> int:
    print("| loops over work-items | ms of the DCT |\n| --- | --: |")
    failed: list[Outcome] = []
    for name, mapping in (*loops.MAPPINGS.items(), ("in lanes", "lanes")):
        (outcome,), _ = _outcomes(given, ["DCT"], [f"lanewise:{mapping}"])
        took = outcome.nanoseconds.get("lanewise")
        failed += [outcome] if took is None else []
        print(f"| {name} | {'failed' if took is None else f'{took / 1e6:.2f}'} |", flush=True)
    print("", report.failures(failed, {}), sep="\n")
    return int(bool(failed))


def _outcomes(
    given: argparse.Namespace,
    names: Sequence[str],
    peers: Sequence[str],
    tell: Callable[[Outcome], object] = lambda _: None,
) -> tuple[list[Outcome], dict[str, str]]:
    """Measure samples. The outcomes, each told when it is there, and why peers are missing."""
    threads = machine.stay_on_cores(given.threads)
    missing = environment.install([peer for peer in peers if not peer.startswith("lanewise")])
    workers: list[Worker] = []
    with memory_folder() as folder:
        try:
            for peer in peers:
                if peer not in missing:
                    try:
                        workers.append(Worker(peer, threads, folder / "caches"))
                    except PeerError as error:
                        missing[peer] = str(error)
            outcomes: list[Outcome] = []
            for name in names:
                outcomes.append(_outcome(name, workers, given.runs, folder))
                tell(outcomes[-1])
            return outcomes, missing
        finally:
            for worker in workers:
                worker.close()


def _outcome(name: str, workers: list[Worker], runs: int, folder: Path) -> Outcome:
    each = sample(name)
    outcome = measure(each.name, each.kernel, each.kernel.size, workers, runs, folder, kernels=each.folder)
    outcome.name = name
    return outcome


if __name__ == "__main__":
    sys.exit(main())
