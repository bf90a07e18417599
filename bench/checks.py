# SPDX-License-Identifier: Apache-2.0
"""The cost of checks: the kernels of bench/cpu with and without them, alternating, on this machine.

python -m bench.checks [KERNEL ...] [--runs 5] [--processor]

The exit status is 1 if a checked kernel computes something else, or is said to be wrong.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np
from bench.cpu.geometric import mean
from bench.cpu.problem import Local, Problem, kernel, names, source

import lanewise as lw

CHECKS: tuple[bool | str, ...] = (False, "memory", True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.checks", description="The cost of checks.")
    parser.add_argument("kernels", nargs="*", choices=[[], *names()], metavar="KERNEL", help=", ".join(names()))
    parser.add_argument("--runs", type=int, default=5, help="launches of each, whose median counts (%(default)s)")
    parser.add_argument(
        "--processor", action="store_true", help="processor time of all threads, for a machine that others use"
    )
    given = parser.parse_args()
    clock = time.process_time if given.processor else time.perf_counter
    print('| kernel | ms | "memory" | all |\n| --- | --: | --: | --: |')
    costs: list[tuple[float, ...]] = []
    wrong = 0
    for name in given.kernels or names():
        problem = kernel(name).problem(kernel(name).size)
        made = [_launch(name, problem, checked) for checked in CHECKS]
        times = [[_seconds(launch, clock) for launch, _ in made] for _ in range(given.runs + 1)][1:]
        plain, *others = (statistics.median(each) for each in zip(*times, strict=True))
        costs.append(tuple(other / plain for other in others))
        print(f"| {name} | {1e3 * plain:.2f} | {costs[-1][0]:.2f} | {costs[-1][1]:.2f} |", flush=True)
        results = [[arguments[number] for number in problem.results] for _, arguments in made]
        same = all(
            np.array_equal(a, b, equal_nan=True)
            for other in results[1:]
            for a, b in zip(results[0], other, strict=True)
        )
        if not same:
            print(f"{name}: checked kernels compute something else")
            wrong += 1
    print(
        "| **geometric mean** | | "
        + " | ".join(f"**{mean(column):.2f}**" for column in zip(*costs, strict=True))
        + " |"
    )
    return wrong > 0


def _launch(name: str, problem: Problem, checked: bool | str) -> tuple[Callable[[], None], list[object]]:
    module = lw.compile(source(name), language="opencl", options=kernel(name).options.split(), checked=checked)
    arguments: list[object] = [
        lw.local(each.nbytes) if isinstance(each, Local) else each.copy() if isinstance(each, np.ndarray) else each
        for each in problem.arguments
    ]
    launch = module[name if name in module.kernels else module.kernels[0]].ndrange
    return lambda: launch(problem.global_size, problem.local_size)(*arguments), arguments


def _seconds(launch: Callable[[], None], clock: Callable[[], float]) -> float:
    start = clock()
    launch()
    return clock() - start


if __name__ == "__main__":
    raise SystemExit(main())
