# SPDX-License-Identifier: Apache-2.0
"""Shuffles: the manual's sources, and which results it defines."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..case import Arguments, Array, Expected, Launch, MakeArguments, Table
from .expectations import Place, filled, rows_by_warp, together
from .ptx_manual import FULL, PerLane, clamp, shuffle

TABLE = Table(__file__)
MODES = ("up", "down", "bfly", "idx")
WIDTHS = (32, 16, 8, 4, 2)
TYPES: dict[str, Any] = {
    "int": np.int32,
    "unsigned int": np.uint32,
    "float": np.float32,
    "double": np.float64,
    "long long": np.int64,
    "unsigned long long": np.uint64,
}

Step = tuple[str, Any, int]
"""A shuffle: mode, the operand b (a number, or an array with one for each work-item) and the segments' width."""

Steps = Callable[[Arguments], list[Step]]


def values(dtype: Any, size: int, rng: np.random.Generator) -> Array:
    """Numbers with bits everywhere, in both halves of the long ones."""
    if np.dtype(dtype).kind == "f":
        return rng.standard_normal(size).astype(dtype)
    return rng.integers(0, 1 << 64, size, np.uint64).astype(dtype)


def shuffled(launch: Launch, given: Arguments, steps: Steps) -> Array:
    """The results of the steps, each work-item's in a row; None where the manual defines none."""

    def compute(place: Place) -> PerLane:
        def step(mode: str, b: Any, width: int) -> PerLane:
            distances = place.lanes(b) if isinstance(b, np.ndarray) else [b] * 32
            here = place.here & given.get("mask", FULL)
            pairs = shuffle(mode, place.lanes(given["in"]), distances, [clamp(mode, width)] * 32, here)
            return [pair and pair[0] for pair in pairs]

        return together(*(step(*s) for s in steps(given)))

    return rows_by_warp(launch, compute)


def arguments(dtype: Any, steps: Steps, count: int, **more: int) -> MakeArguments:
    """out, in, by, a bit for each result that is defined, and more."""

    def make(launch: Launch, rng: np.random.Generator) -> Arguments:
        made = {"out": np.zeros(count * launch.size, dtype), "in": values(dtype, launch.size, rng)}
        by = rng.choice([0, 1, 2, 3, 5, 8, 16, 31, 34], launch.size).astype(np.int32)
        rows = shuffled(launch, made | {"by": by} | more, steps)
        defined = (np.not_equal(rows, np.array(None)) << np.arange(count)).sum(axis=1).astype(np.uint32)
        return made | {"by": by, "defined": defined} | more

    return make


def case(kernel: str, dtype: Any, steps: Steps, count: int, **more: int) -> None:
    """Adds a case whose arguments are those, and whose results the steps'."""

    def expected(launch: Launch, given: Arguments) -> Expected:
        return {"out": filled(shuffled(launch, given, steps))}

    numbers = "".join(f"-{n:#x}" if n > 99 else f"-{n}" for n in more.values())
    TABLE.case("shuffles.cu", arguments(dtype, steps, count, **more), kernel=kernel, name=kernel + numbers)(expected)


def of_all_kinds(width: int) -> Steps:
    return lambda given: [(mode, b, width) for b in (3, given["launch"], given["by"]) for mode in MODES]


def of_some(given: Arguments) -> list[Step]:
    return [("up", 2, 32), ("down", given["by"], 32), ("bfly", 4, 8), ("idx", given["by"], 16)]


for place, (name, dtype) in enumerate(TYPES.items()):
    for width in WIDTHS if name == "int" else (WIDTHS[place % 5], WIDTHS[(place + 3) % 5]):
        case(f"shuffles<{name}, {width}>", dtype, of_all_kinds(width), 12, launch=(1, 6, 17, 31)[(place + width) % 4])

for width in (32, 4):
    steps: Steps = lambda given: [(mode, given["by"], given["width"]) for mode in MODES]  # noqa: E731
    case("widths_of_the_launch", np.int32, steps, 4, width=width)

for mask in (FULL, 0x0000FFFF, 0xA5A5C3FF, 0x80000001):
    case("shuffles_of_some", np.int32, of_some, 4, mask=mask)

older: Steps = lambda given: [("up", 1, 32), ("down", given["by"], 32), ("bfly", 1, 16), ("idx", given["by"], 4)]  # noqa: E731
case("shuffles_without_masks", np.float32, older, 4)
