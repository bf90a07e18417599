# SPDX-License-Identifier: Apache-2.0
"""All operations in every kind of control flow. Expectations are written as the kernels are, for whole warps."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..case import Arguments, Array, Launch, Table
from .expectations import Place, warps
from .ptx_manual import (
    FULL,
    LANES,
    PerLane,
    bits_of,
    clamp,
    lanes_of,
    match_all,
    match_any,
    redux,
    shuffle_source,
    vote,
)

TABLE = Table(__file__)
RESULTS = 18


class Warp:
    """A warp and the results that its lanes have gathered."""

    def __init__(self, place: Place, given: Arguments) -> None:
        self.place = place
        self.here = place.here
        self.given = given
        self.values: list[int] = place.lanes(given["in"])
        self.results = np.zeros((32, RESULTS), np.uint64)

    def among(self, condition: Callable[[int], bool]) -> int:
        """The bits of those lanes whose value is such."""
        return bits_of([lane for lane in lanes_of(self.here) if condition(self.values[lane])])

    def operate(self, mask: int | Sequence[int], values: Sequence[int], here: int | None = None) -> None:
        """`operate` of flows.cu, by the lanes that are `here`: those of the mask unless told."""
        masks = [mask] * 32 if isinstance(mask, int) else list(mask)
        if here is None:
            here = self.here & masks[0]
        v = [value & FULL for value in values]

        def found(mode: str, b: Sequence[int], c: int) -> PerLane:
            sources = [shuffle_source(mode, lane, b[lane], c)[0] for lane in LANES]
            return [v[s] if masks[lane] & here & 1 << s else 0 for lane, s in enumerate(sources)]

        leaders = [lanes_of(m & here)[0] if m & here else 0 for m in masks]
        alike = match_all(masks, [x // 8 for x in v], here)
        results = [
            vote("ballot", masks, [True] * 32, here),
            vote("ballot", masks, [x & 1 == 1 for x in v], here),
            vote("any", masks, [x % 16 == 0 for x in v], here),
            vote("all", masks, [x % 16 != 0 for x in v], here),
            vote("uni", masks, [x >> 3 & 1 == 1 for x in v], here),
            found("bfly", [1] * 32, 31),
            found("down", [2] * 32, 31),
            found("up", [1] * 32, clamp("up", 8)),
            found("idx", leaders, 31),
            found("idx", v, 31),
            found("bfly", [16] * 32, 31),
            match_any(masks, [x % 4 for x in v], here),
            match_any(masks, [(x % 3, x % 2) for x in v], here),
            [pair and pair[0] for pair in alike],
            [pair and pair[1] for pair in alike],
            redux("add", masks, v, here),
            redux("min", masks, [x - 40 for x in v], here),
            redux("xor", masks, v, here),
        ]
        for lane in lanes_of(here):
            own = np.array([result[lane] for result in results], np.uint64)
            self.results[lane] = (3 * self.results[lane] + own) & np.uint64(FULL)


Flow = Callable[[Warp], None]


def arguments(**more: int | Callable[[Launch], int]):
    def make(launch: Launch, rng: np.random.Generator) -> Arguments:
        given = {"out": np.zeros(RESULTS * launch.size, np.uint32), "in": numbers(launch, rng)}
        return given | {name: value(launch) if callable(value) else value for name, value in more.items()}

    return make


def numbers(launch: Launch, rng: np.random.Generator) -> Array:
    """Below 96; in some warps, all of a kind."""
    result = rng.integers(0, 96, launch.size, np.uint32)
    for place in list(warps(launch))[1::3]:
        result[place.items] = result[place.first] // 8 * 8 + rng.integers(0, 8, place.here.bit_count())
    return result


def gathered(launch: Launch, run: Callable[[list[Warp]], object], given: Arguments) -> Array:
    all_warps = [Warp(place, given) for place in warps(launch)]
    for group in range(launch.groups):
        run([warp for warp in all_warps if warp.place.group == group])
    return np.concatenate([warp.results[: warp.here.bit_count()] for warp in all_warps])


def flow(name: str = "", **more: int | Callable[[Launch], int]) -> Callable[[Flow], Flow]:
    """Adds a case for the kernel of the function's name."""

    def add(run: Flow) -> Flow:
        def expected(launch: Launch, given: Arguments):
            return {"out": gathered(launch, lambda group: [run(warp) for warp in group], given)}

        kernel = run.__name__
        TABLE.case("flows.cu", arguments(**more), kernel=kernel, name=f"{kernel}{name}")(expected)
        return run

    return add


@flow()
def straight(warp: Warp):
    warp.operate(FULL, warp.values)


@flow()
def named(warp: Warp):
    warp.operate(0x0F3FF101, warp.values)


@flow("-halves", mask=0xFFFF0000)
@flow("-one", mask=0x00000004)
@flow("-all", mask=FULL)
def named_by_the_launch(warp: Warp):
    warp.operate(warp.given["mask"], warp.values)


@flow()
def both_sides(warp: Warp):
    warp.operate(0xAAAAAAAA, warp.values)
    warp.operate(0x55555555, [v + 5 for v in warp.values])


@flow()
def tiles(warp: Warp):
    warp.operate([0xFF << (lane & 24) for lane in LANES], warp.values, warp.here)


@flow()
def labelled(warp: Warp):
    for label in range(3):
        warp.operate(warp.among(lambda v, label=label: v % 3 == label), warp.values)


@flow()
def after_some_have_returned(warp: Warp):
    warp.operate(FULL, warp.values, warp.among(lambda v: v % 3 != 0))
    warp.operate(FULL, [v + 1 for v in warp.values], warp.among(lambda v: v % 3 == 2))


@flow("-half", n=lambda launch: launch.size // 2 + 5)
@flow("-most", n=lambda launch: launch.size - 1)
def bounded(warp: Warp):
    inside = range(max(0, min(32, warp.given["n"] - warp.place.first)))
    warp.operate(FULL, warp.values, warp.here & bits_of(inside))


@flow()
def those_that_are_here(warp: Warp):
    warp.operate(warp.among(lambda v: v & 1 == 1), warp.values)
    warp.operate(warp.among(lambda v: v & 3 == 3), [v + 3 for v in warp.values])


@flow()
def divergent_loop(warp: Warp):
    for k in range(5):
        warp.operate(warp.among(lambda v, k=k: k < v % 5), [v + k for v in warp.values])
    warp.operate(FULL, warp.values)


@flow()
def loop_of_the_warp(warp: Warp):
    left = [v % 4 for v in warp.values]
    while any(left):
        warp.operate(FULL, [a + v for a, v in zip(left, warp.values, strict=True)])
        left = [max(a - 1, 0) for a in left]


@flow("-2", n=2)
@flow("-5", n=5)
def uniform_loop(warp: Warp):
    for k in range(min(warp.given["n"], 3)):
        warp.operate(FULL, [v + k for v in warp.values])


@flow()
def after_divergence(warp: Warp):
    def changed(v: int) -> int:
        if v & 1:
            return v * 5 + 1
        k = 0
        while k < v % 7:
            v, k = v // 2 + 3, k + 1
        return v

    warp.operate(FULL, [changed(v) for v in warp.values])


@flow()
def cases_of_a_switch(warp: Warp):
    for case, change in ((0, lambda v: v), (1, lambda v: v + 1), (3, lambda v: v * 3)):
        warp.operate(warp.among(lambda v, case=case: v % 4 == case), [change(v) for v in warp.values])
    for lane in lanes_of(warp.among(lambda v: v % 4 in (1, 2))):
        warp.results[lane, 0] += 7


@flow()
def in_a_function(warp: Warp):
    def changed(v: int) -> int:
        return v + (v % 16 == 3)

    warp.operate(FULL, [changed(v) for v in warp.values])
    warp.operate(warp.among(lambda v: v & 2 == 2), [changed(v + 1) for v in warp.values])


@flow()
def one_leader_after_the_other(warp: Warp):
    left, turn = warp.here, 0
    while left:
        value = warp.values[lanes_of(left)[0]] % 5
        same = warp.among(lambda v, value=value: v % 5 == value)
        warp.operate(same, [v + turn for v in warp.values])
        left, turn = left & ~same, turn + 1


# -- kernels whose warps depend on one another ---------------------------------------------------------------------


def padded(values: Sequence[int], first: int) -> list[int]:
    """The 32 values of a warp, with zeros for lanes that there are not."""
    own = list(values[first : first + 32])
    return own + [0] * (32 - len(own))


def every_lane(group: list[Warp]) -> list[int]:
    return [warp.values[lane] for warp in group for lane in lanes_of(warp.here)]


def run_between_barriers(group: list[Warp]) -> None:
    values = every_lane(group)
    n = len(values)
    s: list[int] = []
    for warp in group:
        odd = warp.among(lambda v: v & 1 == 1) % 64
        s += [warp.values[lane] + odd for lane in lanes_of(warp.here)]
    moved = [s[(t + 33) % n] for t in range(n)]
    greatest: list[int] = []
    for place, warp in enumerate(group):
        own = padded(moved, 32 * place)
        warp.operate(FULL, own)
        greatest += [max(own)] * warp.here.bit_count()
    if greatest[0] & 1:
        for place, warp in enumerate(group):
            warp.operate(FULL, padded(greatest[::-1], 32 * place))


@TABLE.case("flows.cu", arguments())
def between_barriers(launch: Launch, given: Arguments):
    return {"out": gathered(launch, run_between_barriers, given)}


@TABLE.case("flows.cu", arguments())
def first_warp_only(launch: Launch, given: Arguments):
    def run(group: list[Warp]) -> None:
        group[0].operate(FULL, group[0].values)
        for warp in group:
            warp.operate(FULL, [v + 1 for v in warp.values])

    return {"out": gathered(launch, run, given)}
