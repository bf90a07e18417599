# SPDX-License-Identifier: Apache-2.0
"""Whether two kernels do the same: both run on the same random data, and every byte of every array must agree.

The rewritten one runs in order and at random, with other garbage in what nobody wrote and other addresses than the
original has. NaNs are alike, whatever their bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lanewise.ptx.language.module import Module
from lanewise.ptx.language.parser import parse

from .formats import Lanes
from .memory import Placed, Undefined, root, start
from .program import Program, Size

Arguments = tuple[Any, ...]


class Undetermined(Exception):
    """The original alone has several results: it can't be judged with."""


@dataclass(frozen=True, slots=True)
class Launch:
    """`arguments` makes new ones of random numbers; the same array may stand in several places."""

    grid: Size
    block: Size
    arguments: Callable[[np.random.Generator], Arguments]
    shared_bytes: int = 0

    def __str__(self) -> str:
        return f"a grid of {self.grid}, blocks of {self.block}"


@dataclass(frozen=True, slots=True)
class Difference:
    """The first one. `argument`: the position of the array among the kernel's, `index` in it, flat; before a slice
    it is negative.

    `message`: what the rewritten kernel does that is undefined, if that is it; then there is no array.
    """

    launch: Launch
    seed: int
    random_order: bool
    argument: int = -1
    index: int = -1
    expected: Any = None
    found: Any = None
    thread: str = ""
    message: str = ""

    def __str__(self) -> str:
        place = f"with {self.launch}, seed {self.seed}, lanes {'at random' if self.random_order else 'in order'}"
        if self.message:
            return f"{self.message}, {place}"
        return (
            f"argument {self.argument}, element {self.index}: {self.found!r}, not {self.expected!r}, written by "
            f"{self.thread}, {place}"
        )


def _arrays(arguments: Arguments) -> list[tuple[int, Lanes, int]]:
    """All arrays, flat, each with the position of its argument and, of a slice, where it begins in the whole."""
    found: list[tuple[int, Lanes, int]] = []
    for position, argument in enumerate(arguments):
        if isinstance(argument, Placed):
            found += [(position, part.reshape(-1), 0) for _, part in argument.parts]
        elif isinstance(argument, np.ndarray) and argument.ndim:
            whole = root(argument).reshape(-1)
            found.append((position, whole, (start(argument) - start(whole)) // argument.itemsize))
    return found


def _first_difference(expected: Arguments, found: Arguments) -> tuple[int, Lanes, Lanes, int, int] | None:
    """Position, what it should be, what it is, where, and where its argument begins."""
    for (position, right, begin), (_, other, _) in zip(_arrays(expected), _arrays(found), strict=True):
        if right.tobytes() == other.tobytes():
            continue
        raw = np.dtype(f"u{right.dtype.itemsize}")
        differing = right.view(raw) != other.view(raw)
        if right.dtype.kind == "f":
            differing &= ~(np.isnan(right) & np.isnan(other))
        if differing.any():
            return position, right, other, int(np.flatnonzero(differing)[0]), begin
    return None


def _judged(original: Program, rewritten: Program, launch: Launch, seed: int) -> Difference | None:
    def data() -> Arguments:
        return launch.arguments(np.random.default_rng(seed))

    def run(program: Program, salt: int, random_order: bool, trace: bool = False) -> tuple[Arguments, Any]:
        arguments = data()
        m = program.run(
            launch.grid, launch.block, arguments, 4 * seed + salt,
            random_order=random_order, shared_bytes=launch.shared_bytes, trace=trace,
        )  # fmt: skip
        return arguments, m

    expected, _ = run(original, 0, False)
    for salt, random_order in ((1, False), (2, True)):
        try:
            found, _ = run(rewritten, salt, random_order)
        except Undefined as error:
            return Difference(launch, seed, random_order, message=str(error))
        if _first_difference(expected, found) is None:
            continue
        for again in (1, 2, 3):
            if _first_difference(expected, run(original, again, again > 1)[0]) is not None:
                raise Undetermined(f"with {launch}, seed {seed}: the original has several results")
        found, m = run(rewritten, salt, random_order, trace=True)
        first = _first_difference(expected, found)
        assert first, "the same run twice"
        position, right, other, index, begin = first
        lane = m.memory.writer(other, index)
        thread = m.place(lane) if lane >= 0 else "no thread"
        return Difference(
            launch, seed, random_order, position, index - begin, right[index], other[index], thread
        )  # fmt: skip
    return None


def compare(
    original: str | Module, rewritten: str | Module, kernel: str, launches: Sequence[Launch], seeds: Iterable[int]
) -> Difference | None:
    """The first difference between two versions of a kernel, PTX as text or read; None without any.

    Raises Undefined where the original does what PTX leaves undefined, Undetermined where its result rests on the
    order of threads, Unsupported for what the interpreter lacks.
    """
    first, second = (Program(parse(each) if isinstance(each, str) else each, kernel) for each in (original, rewritten))
    for seed in seeds:
        for launch in launches:
            found = _judged(first, second, launch, seed)
            if found:
                return found
    return None
