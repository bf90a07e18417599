# SPDX-License-Identifier: Apache-2.0
"""All barrier kernels, the shapes at which they run, and the kernels that must be refused."""

from dataclasses import dataclass

from ..case import Case, Launch
from . import (
    cases_algorithms,
    cases_calls,
    cases_conditions,
    cases_data,
    cases_irregular,
    cases_loops,
    cases_pocl,
)

CASES: list[Case] = [
    *cases_conditions.TABLE.cases,
    *cases_loops.TABLE.cases,
    *cases_calls.TABLE.cases,
    *cases_data.TABLE.cases,
    *cases_algorithms.TABLE.cases,
    *cases_irregular.TABLE.cases,
    *cases_pocl.TABLE.cases,
]

# Work-items a group, in one, two and three dimensions.
BLOCKS: dict[int, tuple[tuple[int, ...], ...]] = {
    1: ((1,), (1, 1), (1, 1, 1)),
    3: ((3,), (1, 3), (3, 1, 1)),
    7: ((7,), (7, 1), (1, 1, 7)),
    32: ((32,), (8, 4), (4, 2, 4)),
    33: ((33,), (11, 3), (3, 1, 11)),
    64: ((64,), (8, 8), (4, 4, 4)),
    100: ((100,), (4, 25), (5, 5, 4)),
    200: ((200,), (20, 10), (5, 8, 5)),
    256: ((256,), (16, 16), (8, 8, 4)),
    1024: ((1024,), (32, 32), (16, 8, 8)),
}

# Twelve groups, more than a machine of a few cores runs at once.
GRIDS: dict[int, tuple[int, ...]] = {1: (12,), 2: (4, 3), 3: (2, 3, 2)}

# The reference device interprets, at about a microsecond an instruction: two groups of the smaller sizes, one of the
# larger.
SMALL_GRIDS: dict[int, tuple[int, ...]] = {1: (2,), 2: (1, 2), 3: (2, 1, 1)}
LARGE = 64

# Code for one local size is compiled anew for each, so a case has every seventh size; its neighbours in the table
# have the others.
SMALL_STEP, STEP = 7, 7


def launches(place: int, *, small: bool, every: bool) -> list[Launch]:
    """The launches of the case at this place of the table: some sizes in one shape each, or all in all shapes with
    `every`.

    The sizes, and the number of dimensions of each, change from case to case. `small` ones suit the reference device.
    """
    chosen: list[Launch] = []
    for turn, (items, shapes) in enumerate(BLOCKS.items()):
        if not every and (place + turn) % (SMALL_STEP if small else STEP):
            continue
        for dimensions, block in enumerate(shapes, 1):
            if every or (place + turn // 2) % 3 == dimensions - 1:
                small_grid = (1,) if items >= LARGE else SMALL_GRIDS[dimensions]
                chosen.append(Launch(small_grid if small else GRIDS[dimensions], block))
    return chosen


QUADRATIC = frozenset({"odd_even_sort", "loop_until_none_changes"})
"""Kernels whose work grows with the square of a group's size: at 1,024 the interpreter takes half a minute."""
LARGEST_QUADRATIC = 256


def interpreted(case: Case, place: int, *, every: bool) -> list[Launch]:
    """The launches of a case on the reference device: those that suit it."""
    found = launches(place, small=True, every=every)
    if every or case.kernel not in QUADRATIC:
        return found
    return [launch for launch in found if launch.items <= LARGEST_QUADRATIC]


def all_launches(place: int, *, every: bool) -> list[Launch]:
    """Every size on few groups, in one shape that changes from case to case; in every shape with `every`."""
    return [
        Launch((1, 5, 1)[: len(block)], block)
        for turn, shapes in enumerate(BLOCKS.values())
        for number, block in enumerate(shapes)
        if every or (place + turn) % 3 == number
    ]


@dataclass(frozen=True)
class Refused:
    """A kernel of divergent.cu; an error must name one of its lines that are marked `refused`."""

    kernel: str
    takes_out: bool = True


REFUSED = [
    Refused("only_even_ones", takes_out=False),
    Refused("only_the_first"),
    Refused("different_barriers"),
    Refused("different_trip_counts"),
    Refused("break_by_some"),
    Refused("in_a_helper"),
    Refused("one_side_of_short_circuit"),
    Refused("divergent_switch"),
    Refused("one_group_late"),
    Refused("after_some_have_returned"),
]
