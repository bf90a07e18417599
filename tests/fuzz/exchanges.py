# SPDX-License-Identifier: Apache-2.0
"""Random kernels whose threads exchange values within their warp without a barrier, and what a GPU makes of them:

    python -m tests.fuzz.exchanges COUNT [--seed SEED] [--all]

By CUDA's rules these are races, so that the reference device can't judge. Instead they are run here, one statement
after the other for all threads of a warp. Each access, in each turn of the loops around it, has an index of its own
that only the run knows: no compiler may leave an access out, or change the order of two. The kernels run as lanes, and
in code for any block size.
"""

import argparse
import secrets
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, Final

import numpy as np

from lanewise.program.source.compilation import compile_source

from .choices import Choices
from .mappings import MAPPINGS
from .opening import any_size, session

WARP: Final = 32
BLOCKS: Final = ((32,), (64,), (128,), (33,), (20,), (96,), (7,), (8, 8), (16, 4), (5, 7), (32, 2), (4, 2, 8))
TOGETHER: Final = 8
"""Kernels in one source."""
LANES: Final = ("auto", *(mapping for mapping in MAPPINGS if mapping != "loop"))

Words = np.ndarray[Any, np.dtype[np.uint32]]
Mask = np.ndarray[Any, np.dtype[np.bool_]]


@dataclass
class Warp:
    """The state of one warp: lanes that exist, their x, and the warp's part of shared memory."""

    lane: Words
    x: Words
    memory: Words
    arguments: Sequence[int]
    turns: Sequence[int]
    counters: dict[str, Words] = field(default_factory=dict)
    """The counters of the loops that run, by name."""

    def place(self, access: "Access") -> Words:
        place = self.lane * np.uint32(access.factor) + np.uint32(self.arguments[access.argument])
        for loop in access.loops:
            place = place + np.array(self.turns, np.uint32)[self.counters[loop] % TURNS]
        return place % np.uint32(WARP)


@dataclass
class Access:
    """`x` from memory, memory from `x`, or both: at an index that is another one for each lane."""

    kind: str
    argument: int
    factor: int
    """Odd."""
    loops: tuple[str, ...]
    """The loops around it."""

    def text(self) -> Iterator[str]:
        turn = "".join(f" + k.turn[{loop}]" for loop in self.loops)
        place = f"s[base + (({self.factor}u * lane + k.at[{self.argument}]{turn}) & 31)]"
        match self.kind:
            case "load":
                yield f"x = 3 * x + {place};"
            case "store":
                yield f"{place} = x + {self.argument};"
            case _:
                yield f"{place} += x;"

    def run(self, warp: Warp, on: Mask) -> None:
        place = warp.place(self)
        match self.kind:
            case "load":
                warp.x[on] = (np.uint32(3) * warp.x + warp.memory[place])[on]
            case "store":
                warp.memory[place[on]] = (warp.x + np.uint32(self.argument))[on]
            case _:
                warp.memory[place[on]] = (warp.memory[place] + warp.x)[on]


@dataclass
class If:
    condition: str
    value: int
    body: list["Statement"]

    def text(self) -> Iterator[str]:
        yield f"if ({self.condition.format(v=self.value)}) {{"
        yield from _indented(self.body)
        yield "}"

    def run(self, warp: Warp, on: Mask) -> None:
        chosen = eval(self.condition.format(v=self.value), {"lane": warp.lane, "x": warp.x})
        _run(self.body, warp, on & chosen)


@dataclass
class For:
    """As many turns for all lanes, or some that depend on the lane."""

    name: str
    start: str
    step: int
    end: int
    body: list["Statement"]

    def text(self) -> Iterator[str]:
        i = self.name
        yield f"for (unsigned {i} = {self.start}; {i} < {self.end}; {i} += {self.step}) {{"
        yield from _indented(self.body)
        yield "}"

    def run(self, warp: Warp, on: Mask) -> None:
        turns = np.zeros_like(warp.lane) + eval(self.start, {"lane": warp.lane})
        while (active := on & (turns < self.end)).any():
            warp.counters[self.name] = turns
            _run(self.body, warp, active)
            turns = turns + np.uint32(self.step)


Statement = Access | If | For


@dataclass
class ExchangeKernel:
    block: tuple[int, ...]
    arguments: list[int]
    turns: list[int]
    body: list[Statement] = field(repr=False)

    def text(self, name: str) -> str:
        items = prod(self.block)
        lines = [
            f'extern "C" __global__ void {name}(unsigned *out, Arguments k) {{',
            f"    __shared__ unsigned s[{-(-items // WARP) * WARP}];",
            "    unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);",
            "    unsigned lane = t % 32, base = t - lane, x = 5 * t + 1;",
            f"    for (unsigned e = t; e < sizeof s / sizeof *s; e += {items}) s[e] = 7 * e;",
            "    __syncthreads();",
            *_indented(self.body),
            "    out[t] = x;",
            "}",
        ]
        return "\n".join(lines) + "\n"

    def expected(self) -> Words:
        """What each thread has in `x` at the end."""
        found: list[Words] = []
        for base in range(0, prod(self.block), WARP):
            lanes = np.arange(min(WARP, prod(self.block) - base), dtype=np.uint32)
            memory = 7 * np.arange(base, base + WARP, dtype=np.uint32)
            warp = Warp(lanes, 5 * (lanes + np.uint32(base)) + 1, memory, self.arguments, self.turns)
            _run(self.body, warp, np.ones(len(lanes), bool))
            found.append(warp.x)
        return np.concatenate(found)


ARGUMENTS: Final = 16
TURNS: Final = 32
"""Above the counter of any loop."""
PRELUDE: Final = f"struct Arguments {{ unsigned at[{ARGUMENTS}], turn[{TURNS}]; }};\n"
_ARGUMENT_TYPE: Final = np.dtype([("at", "u4", (ARGUMENTS,)), ("turn", "u4", (TURNS,))])


def random_kernel(choices: Choices) -> ExchangeKernel:
    arguments = [choices.upto(WARP - 1) for _ in range(ARGUMENTS)]
    block = choices.pick(BLOCKS)
    turns = [choices.upto(WARP - 1) for _ in range(TURNS)]
    return ExchangeKernel(block, arguments, turns, _Maker(choices).body(2))


class _Maker:
    def __init__(self, choices: Choices) -> None:
        self._choices: Final = choices
        self._accesses = 0
        self._loops = 0
        self._around: tuple[str, ...] = ()

    def body(self, depth: int) -> list[Statement]:
        found: list[Statement] = []
        for _ in range(2 + self._choices.upto(3)):
            if self._accesses < ARGUMENTS:
                with self._choices.span():
                    found.append(self._statement(depth))
        return found

    def _statement(self, depth: int) -> Statement:
        choices = self._choices
        kind = choices.upto(6 if depth else 4)
        if kind == 5:
            condition = choices.pick(
                ("lane < {v}", "lane >= {v}", "lane == {v}", "x % 8 < {v} % 8", "lane % 4 != {v} % 4")
            )
            return If(condition, choices.upto(WARP), self.body(depth - 1))
        if kind == 6:
            self._loops += 1
            start = choices.pick(("lane % 1", "lane", "lane % 5", "lane % 3"))
            step = choices.pick((1, 3, 8))
            name, around = f"i{self._loops}", self._around
            self._around = (*around, name)
            body = self.body(depth - 1)
            self._around = around
            return For(name, start, step, 1 + choices.upto(3 * step), body)
        self._accesses += 1
        factor = choices.pick((1, 31, 3, 5, 17))
        return Access(choices.pick(("store", "load", "both")), self._accesses - 1, factor, self._around)


def failures(first: int, count: int, mappings: Sequence[str] = ()) -> list[str]:
    """What is wrong with the kernels of `count` seeds: a text for each. Without mappings: as by default, and under one
    more mapping for each source."""
    found: list[str] = []
    for start in range(first, first + count, TOGETHER):
        seeds = range(start, min(start + TOGETHER, first + count))
        kernels = {seed: random_kernel(Choices(seed)) for seed in seeds}
        source = PRELUDE + "".join(kernel.text(f"kernel{seed}") for seed, kernel in kernels.items())
        for mapping in mappings or (LANES[0], LANES[1 + start // TOGETHER % (len(LANES) - 1)]):
            module = compile_source(session(), source, language="cuda", mapping=mapping)
            for seed, kernel in kernels.items():
                for device in ("cpu", any_size()) if mapping == "auto" else ("cpu",):
                    out = np.zeros(prod(kernel.block), np.uint32)
                    given = np.array((kernel.arguments, kernel.turns), _ARGUMENT_TYPE)[()]
                    module[f"kernel{seed}"].launch(1, kernel.block, (out, given), device=device)
                    wrong = np.flatnonzero(out != kernel.expected())
                    if len(wrong):
                        where = f"seed {seed}, {mapping} on {device}, block {kernel.block}: threads {wrong[:8]}"
                        found.append(f"{where}\n{kernel.arguments}\n{kernel.text(f'kernel{seed}')}")
    return found


def _run(body: Sequence[Statement], warp: Warp, on: Mask) -> None:
    for statement in body:
        if on.any():
            statement.run(warp, on)


def _indented(body: Sequence[Statement]) -> Iterator[str]:
    return (f"    {line}" for statement in body for line in statement.text())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.exchanges")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=secrets.randbits(30))
    parser.add_argument("--all", action="store_true", help="under all mappings to lanes")
    options = parser.parse_args()
    print(f"{options.count} random kernels, of the seeds from {options.seed}", flush=True)
    wrong: list[str] = []
    for first in range(options.seed, options.seed + options.count, TOGETHER):
        count = min(TOGETHER, options.seed + options.count - first)
        wrong += failures(first, count, LANES if options.all else ())
        print(f"{first + count - options.seed} of {options.count}, {len(wrong)} failed", flush=True)
    print(*wrong[:5], f"{len(wrong)} failures", sep="\n")
    sys.exit(1 if wrong else 0)
