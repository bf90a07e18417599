# SPDX-License-Identifier: Apache-2.0
"""Costs of instructions in lanes and in loops over work-items, for workgroup/lanes/analysis/instruction_costs.py.

python -m bench.lane_costs [--turns 15]

Each kernel does something in a loop, a few hundred times for each work-item; the same without it is subtracted, as far
as it isn't done meanwhile. Times are of one thread, the least of all turns. A cycle is a quarter of a multiplication
and an addition of integers that wait for each other, which take four cycles on all x86-64 processors of the last years.
The table has the constant's name and its measured value, in cycles: of a vector of as many lanes as a register has, of
one lane, or of one work-item.
"""

from __future__ import annotations

import argparse
import os
import time
from typing import Any, Final, NamedTuple

os.environ["LANEWISE_NUM_THREADS"] = "1"

import numpy as np

import lanewise as lw
from lanewise.pipelines.target import host_target

_ITEMS: Final = 512
_ROUNDS: Final = 256
_SOURCE: Final = """
__kernel void k(__global uint *out, __global const uint *words, __global const uchar *bytes, __global uint *sums,
                uint divisor, uint rounds) {
  uint i = get_global_id(0), x = words[i], y = words[i + 1] | 1, z = words[i + 2], sum = 0;
  float f = x, g = y;
  ulong wide = x * 4294967311ul, by = y * 65537ul;
  uchar16 many = (uchar16)(uchar)x;
  for (uint r = 0; r < rounds; r++) {
    BASE;
    BODY;
  }
  uchar8 eight = many.lo ^ many.hi;
  uchar4 four = eight.lo ^ eight.hi;
  out[i] = sum + (uint)f + (four.s0 ^ four.s1 ^ four.s2 ^ four.s3);
}
"""
_BASE: Final = {True: "sum += x ^ r", False: "sum += x ^ r; if (sum == z) break"}
"""The work that all kernels do, in lanes and in a loop. A second exit keeps LLVM from making vectors of the loop."""


class _Cost(NamedTuple):
    """A constant: what is done, by which mapping, and how often in an iteration."""

    name: str
    lanes: bool
    body: str
    count: int = 1
    each_lane: bool = False


_COSTS: Final = (
    _Cost("vector", True, "sum ^= (x + r) | z; sum += (z ^ r) & y", 6),
    _Cost("scalar", False, "sum ^= (x + r) | z; sum += (z ^ r) & y", 6),
    _Cost("mask", True, "if ((x ^ r) & 4) out[i] = sum; if ((z ^ r) & 4) out[i] = sum ^ x", 2),
    _Cost("arm", False, "x = x * 1664525u + 1013904223u; if (x >> 31) out[i] = sum", 1),
    _Cost("gathered", True, "sum += words[(x + r * 67) & 255]; sum += words[(z + r * 67) & 255]", 2, each_lane=True),
    _Cost("picked", True, "sum += bytes[(x + r * 67) & 255]; sum += bytes[(z + r * 67) & 255]", 2, each_lane=True),
    _Cost("apart", True, "many += vload16(i, bytes + (r * 5 & 63) * 64)", 64),
    _Cost("alone", True, "atomic_add(&sums[(x + r) & 255], 1u)", 1, each_lane=True),
    _Cost("division", True, "sum += (x + r) / y", 1),
    _Cost("uniform_division", True, "sum += x % (divisor + r)", 1),
    _Cost("scalar_division", False, "sum += (x + r) / y", 1),
    _Cost("scalar_wide_division", False, "sum += (wide + r) / by", 1),
    _Cost("float_division", True, "f += g / (float)(int)(x + r)", 1),
)
_CHAIN: Final = "x = x * y + z"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.lane_costs", description="Costs of lanes and of loops.")
    parser.add_argument("--turns", type=int, default=15, help="of which the least counts (%(default)s)")
    turns = parser.parse_args().turns
    width = host_target().processor.lanes
    lanes = f"lanes:{width}x1"
    empty = {mapping: _seconds(mapping, "", turns) for mapping in (lanes, "loop")}
    chain = _seconds("loop", f"{_CHAIN}; sum ^= x", turns)  # all else is done meanwhile
    cycle = chain / (4 * _ITEMS * _ROUNDS)
    print(f"a cycle: {cycle * 1e9:.3f} ns; {width} lanes")
    for cost in _COSTS:
        mapping = lanes if cost.lanes else "loop"
        took = (_seconds(mapping, cost.body, turns) - empty[mapping]) / (_ITEMS * _ROUNDS * cost.count * cycle)
        print(f"{cost.name:22} {took if cost.each_lane or not cost.lanes else took * width:6.2f}")


def _seconds(mapping: str, body: str, turns: int) -> float:
    """The least time of a launch."""
    random = np.random.default_rng(5)
    words = random.integers(0, 1 << 32, 8 * _ITEMS, np.uint32)
    arguments: list[Any] = [np.zeros(_ITEMS, np.uint32), words, words.view(np.uint8), np.zeros(256, np.uint32)]
    source = _SOURCE.replace("BASE", _BASE[mapping != "loop"]).replace("BODY", body)
    kernel = lw.compile(source, language="opencl", mapping=mapping)["k"].ndrange(
        (_ITEMS,), (64 if mapping != "loop" else 1,), device="cpu"
    )
    best = float("inf")
    for _ in range(turns):
        start = time.thread_time()
        kernel(*arguments, np.uint32(12345), np.uint32(_ROUNDS))
        best = min(best, time.thread_time() - start)
    return best


if __name__ == "__main__":
    main()
