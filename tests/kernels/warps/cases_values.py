# SPDX-License-Identifier: Apache-2.0
"""Votes, matches, reductions and the registers of a lane."""

from typing import Any

import numpy as np

from ..case import Arguments, Array, Launch, MakeArguments, Table
from .expectations import Place, by_warp, together, warps
from .ptx_manual import FULL, LANES, PerLane, lanes_of, match_all, match_any, redux, vote

TABLE = Table(__file__)
MASKS = (FULL, 0x0000FFFF, 0xC3A50FF1)


def flags(launch: Launch, rng: np.random.Generator) -> Array:
    """Four bits a work-item, each true of none, few, half, most or all of its warp."""
    bits = np.zeros(launch.size, np.uint32)
    for place in warps(launch):
        for bit in range(4):
            chosen = rng.random(place.here.bit_count()) < rng.choice([0, 0.05, 0.5, 0.95, 1])
            bits[place.items] |= chosen.astype(np.uint32) << np.uint32(bit)
    return bits


def results(count: int, make_input: Any, **more: int) -> MakeArguments:
    def make(launch: Launch, rng: np.random.Generator) -> Arguments:
        return {"out": np.zeros(count * launch.size, np.uint32), "in": make_input(launch, rng)} | more

    return make


def only_out(count: int, **more: int) -> MakeArguments:
    return lambda launch, rng: {"out": np.zeros(count * launch.size, np.uint32)} | more


# -- votes ---------------------------------------------------------------------------------------------------------


def ballots(v: PerLane, mask: int, here: int) -> list[PerLane]:
    kinds = enumerate(("all", "any", "uni", "ballot"))
    return [vote(kind, [mask] * 32, [x >> bit & 1 for x in v], here) for bit, kind in kinds]


def votes(launch: Launch, given: Arguments):
    mask = given["mask"]

    def compute(place: Place) -> PerLane:
        v, some = place.lanes(given["in"]), place.here & mask
        of_all, of_some = ballots(v, FULL, place.here), ballots(v, mask, some)
        return together(*of_all, [place.here] * 32, *of_some, of_some[0], of_some[1], of_some[3])

    return {"out": by_warp(launch, compute)}


for mask in MASKS:
    TABLE.case("values.cu", results(12, flags, mask=mask), kernel="votes", name=f"votes-{mask:#x}")(votes)


def votes_on_the_launch(launch: Launch, given: Arguments):
    def compute(place: Place) -> PerLane:
        n, here = given["n"], place.here
        lower, even = [lane for lane in lanes_of(here) if lane < n], [lane for lane in lanes_of(here) if lane % 2 == 0]
        own = (n > 3, n > 3, here if n > 3 else 0, sum(1 << lane for lane in lower), here, len(even))
        return [own] * 32

    return {"out": by_warp(launch, compute)}


for n in (2, 11):
    name = f"votes_on_the_launch-{n}"
    TABLE.case("values.cu", only_out(6, n=n), kernel="votes_on_the_launch", name=name)(votes_on_the_launch)


# -- matches -------------------------------------------------------------------------------------------------------


def few_values(dtype: Any):
    """All lanes of a warp have one value, or some have others that differ in one bit."""

    def make(launch: Launch, rng: np.random.Generator) -> Array:
        bits = np.dtype(dtype).itemsize * 8
        numbers = np.zeros(launch.size, np.uint64)
        for place in warps(launch):
            base = np.uint64(rng.integers(0, 1 << (bits - 2), dtype=np.uint64))
            others = base ^ np.array([0, 1, 1 << (bits // 2 + 3), 1 << (bits - 1)], np.uint64)
            numbers[place.items] = rng.choice(others[: rng.integers(1, 5)], place.here.bit_count())
        return numbers.astype(f"u{bits // 8}").view(dtype)

    return make


def matched(launch: Launch, given: Arguments):
    mask, values = given["mask"], given["in"].view(f"u{given['in'].itemsize}")

    def compute(place: Place) -> PerLane:
        columns: list[PerLane] = []
        for named, here in ((FULL, place.here), (mask, place.here & mask)):
            v = place.lanes(values)
            pairs = match_all([named] * 32, v, here)
            columns += [match_any([named] * 32, v, here)]
            columns += [[pair and pair[part] for pair in pairs] for part in (0, 1)]
        return together(*columns)

    return {"out": by_warp(launch, compute)}


TYPES: dict[str, Any] = {
    "int": np.int32,
    "unsigned int": np.uint32,
    "float": np.float32,
    "long long": np.int64,
    "unsigned long long": np.uint64,
    "double": np.float64,
}

for place, (type_, dtype) in enumerate(TYPES.items()):
    arguments = results(6, few_values(dtype), mask=MASKS[place % 3])
    TABLE.case("values.cu", arguments, kernel=f"matches<{type_}>", name=f"matches<{type_}>")(matched)


# -- reductions ----------------------------------------------------------------------------------------------------

REDUCTIONS = ("add", "add", "umin", "min", "umax", "max", "and", "or", "xor")


def reduced(launch: Launch, given: Arguments):
    def compute(place: Place) -> PerLane:
        v, mask = place.lanes(given["in"]), given["mask"]
        of_all = [redux(name, [FULL] * 32, v, place.here) for name in REDUCTIONS]
        return together(*of_all, *(redux(name, [mask] * 32, v, place.here & mask) for name in REDUCTIONS))

    return {"out": by_warp(launch, compute)}


def any_bits(launch: Launch, rng: np.random.Generator) -> Array:
    return rng.integers(0, 1 << 32, launch.size, np.uint32)


for mask in MASKS:
    TABLE.case("values.cu", results(18, any_bits, mask=mask), kernel="reductions", name=f"reductions-{mask:#x}")(
        reduced
    )


@TABLE.case("values.cu", only_out(9, n=0x87654321))
def reductions_of_the_launch(launch: Launch, given: Arguments):
    def compute(place: Place) -> PerLane:
        return together(*(redux(name, [FULL] * 32, [given["n"]] * 32, place.here) for name in REDUCTIONS))

    return {"out": by_warp(launch, compute)}


# -- registers -----------------------------------------------------------------------------------------------------


@TABLE.case("values.cu", only_out(7))
def lanes(launch: Launch, given: Arguments):
    def compute(place: Place) -> PerLane:
        warp = place.first % launch.items // 32
        below = [(1 << lane) - 1 for lane in LANES]
        up_to = [(2 << lane) - 1 for lane in LANES]
        masks = [[1 << lane for lane in LANES], below, up_to, [FULL ^ m for m in up_to], [FULL ^ m for m in below]]
        return together(list(LANES), [warp] * 32, *masks)

    return {"out": by_warp(launch, compute)}
