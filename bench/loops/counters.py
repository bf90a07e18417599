# SPDX-License-Identifier: Apache-2.0
"""The work of a GPU for the loops, with and without loop optimisations: python -m bench.loops.counters [CASE ...]

Each case is run on the simulated GPU without any ("no-opt"), with loads of vectors ("load-opt"), with unroll-and-jam
("unroll"), and with both ("all-opt"), as in the figures of unPython's authors. The results are compared with NumPy's.
The table has warp instructions, requests of loads from global memory, and their sectors, in thousands, and the greatest
number of registers by the profile's estimate. The exit status is 1 if a result is wrong.

Source: Garg and Amaral, sections 3.4 and 5.
"""

from __future__ import annotations

import argparse
import copy
import sys
from typing import Any, Final

import lanewise as lw

from .workload import Case, case

CASES: Final = ("matmul:float32", "matmul:float64", "rank_k:float32", "rank_2k:float32", "convolution", "nbody:float32",
                "coulomb", "contraction:float32", "stencil")  # fmt: skip
VARIANTS: Final = {"none": "no-opt", "vectors": "load-opt", "rows": "unroll", "auto": "all-opt"}
"""Values of `tiling`, with the names of the paper's figures."""
COUNTERS: Final = {
    "instructions": "warp_instructions", "requests": "global_load_requests", "sectors": "global_load_sectors",
}  # fmt: skip
SIZES: Final = {"nbody": 8192, "coulomb": 256, "contraction": 256, "convolution": 256, "stencil": 512}
_SIZE: Final = 256


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.loops.counters")
    parser.add_argument("cases", nargs="*", default=CASES, metavar="CASE")
    parser.add_argument("--size", type=int, help="of each workload; by default some for each")
    given = parser.parse_args()
    wrong: list[str] = []
    print(
        f"| loops | size | counter | {' | '.join(VARIANTS.values())} |\n| --- | --: | --- |{' --: |' * len(VARIANTS)}"
    )
    for name in given.cases:
        size = given.size or SIZES.get(name.partition(":")[0], _SIZE)
        found = {variant: counted(case(name), size, variant) for variant in VARIANTS}
        wrong += [f"{name}, {VARIANTS[variant]}: {each['wrong']}" for variant, each in found.items() if each["wrong"]]
        for number, counter in enumerate((*COUNTERS, "registers")):
            cells = [_shown(found[variant][counter], counter) for variant in VARIANTS]
            print(f"| {'' if number else name} | {'' if number else size} | {counter} | {' | '.join(cells)} |")
        sys.stdout.flush()
    print("\n".join(wrong))
    return 1 if wrong else 0


def counted(of: Case, size: int, variant: str) -> dict[str, Any]:
    """The counters of a call, and the places where its results differ from NumPy's."""
    function = lw.jit(of.workload.function.py_func, tiling=variant)  # pyright: ignore[reportArgumentType] : one of VARIANTS
    arguments = of.arguments(size)
    expected = of.workload.reference(*copy.deepcopy(arguments))
    with lw.on(lw.device("simt")):
        profiles = function.profile(*arguments)
    found: dict[str, Any] = {
        shown: sum(each.counters[counter] for each in profiles) for shown, counter in COUNTERS.items()
    }
    found["registers"] = max(each.occupancy.registers.number for each in profiles)
    found["wrong"] = of.difference(of.written(None, arguments), expected)
    return found


def _shown(value: int, counter: str) -> str:
    return str(value) if counter == "registers" else f"{value / 1000:,.0f}"


if __name__ == "__main__":
    sys.exit(main())
