# SPDX-License-Identifier: Apache-2.0
"""What each lane of a warp gets from an operation of the warp, as the PTX ISA manual defines it.

Operands are lists of 32, an element a lane; `here` has the bits of the lanes that execute the operation. A lane that
doesn't has None as its result, and so has one whose result the manual leaves undefined.
"""

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

LANES = range(32)
FULL = 0xFFFFFFFF

PerLane = list[Any]


def signed(bits: int, width: int = 32) -> int:
    bits &= (1 << width) - 1
    return bits - (1 << width) if bits >> (width - 1) else bits


def lanes_of(bits: int) -> list[int]:
    return [lane for lane in LANES if bits >> lane & 1]


def bits_of(lanes: Sequence[int]) -> int:
    return sum(1 << lane for lane in lanes)


def each_lane(here: int, result: Callable[[int], Any]) -> PerLane:
    return [result(lane) if here >> lane & 1 else None for lane in LANES]


def named(masks: Sequence[int], here: int) -> int:
    """The bits of those lanes that their own masks name; what the others get is undefined."""
    return bits_of([lane for lane in lanes_of(here) if masks[lane] >> lane & 1])


# -- shfl.sync -----------------------------------------------------------------------------------------------------


def shuffle_source(mode: str, lane: int, b: int, c: int) -> tuple[int, bool]:
    """The lane whose value is copied, and p: the pseudo-code of `shfl.sync`, variable for variable."""
    bval = b & 0x1F
    cval = c & 0x1F
    segmask = c >> 8 & 0x1F
    max_lane = (lane & segmask) | (cval & ~segmask)
    min_lane = lane & segmask
    if mode == "up":
        j = lane - bval
        pval = j >= max_lane
    elif mode == "down":
        j = lane + bval
        pval = j <= max_lane
    elif mode == "bfly":
        j = lane ^ bval
        pval = j <= max_lane
    else:
        assert mode == "idx"
        j = min_lane | (bval & ~segmask)
        pval = j <= max_lane
    return (j if pval else lane), pval


def shuffle(mode: str, values: PerLane, b: Sequence[int], c: Sequence[int], here: int = FULL) -> PerLane:
    """Pairs of the value, None from a lane that isn't here, and p."""

    def result(lane: int) -> tuple[Any, bool]:
        source, in_range = shuffle_source(mode, lane, b[lane], c[lane])
        return (values[source] if here >> source & 1 else None), in_range

    return each_lane(here, result)


def clamp(mode: str, width: int) -> int:
    """The operand c of CUDA's shuffles within segments of `width` lanes."""
    return (32 - width) << 8 | (0 if mode == "up" else 31)


# -- vote.sync, activemask -----------------------------------------------------------------------------------------


def vote(kind: str, masks: Sequence[int], predicates: Sequence[bool], here: int = FULL) -> PerLane:
    def result(lane: int) -> Any:
        votes = {other: bool(predicates[other]) for other in lanes_of(masks[lane] & here)}
        if kind == "ballot":
            return bits_of([other for other, ayes in votes.items() if ayes])
        if kind == "all":
            return all(votes.values())
        if kind == "any":
            return any(votes.values())
        assert kind == "uni"
        return len(set(votes.values())) == 1

    return each_lane(named(masks, here), result)


# -- match.sync ----------------------------------------------------------------------------------------------------


def match_any(masks: Sequence[int], values: PerLane, here: int = FULL) -> PerLane:
    def result(lane: int) -> int:
        return bits_of([other for other in lanes_of(masks[lane] & here) if values[other] == values[lane]])

    return each_lane(named(masks, here), result)


def match_all(masks: Sequence[int], values: PerLane, here: int = FULL) -> PerLane:
    """Pairs of the mask and the predicate."""

    def result(lane: int) -> tuple[int, bool]:
        members = lanes_of(masks[lane] & here)
        same = len({values[other] for other in members}) == 1
        return (bits_of(members) if same else 0), same

    return each_lane(named(masks, here), result)


# -- redux.sync ----------------------------------------------------------------------------------------------------

STEPS: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "min": lambda a, b: min(signed(a), signed(b)),
    "max": lambda a, b: max(signed(a), signed(b)),
    "umin": lambda a, b: min(a & FULL, b & FULL),
    "umax": lambda a, b: max(a & FULL, b & FULL),
}


def redux(operation: str, masks: Sequence[int], values: Sequence[int], here: int = FULL) -> PerLane:
    """Results as unsigned numbers."""
    step = STEPS[operation]

    def result(lane: int) -> int:
        return reduce(step, [values[member] for member in lanes_of(masks[lane] & here)]) & FULL

    return each_lane(named(masks, here), result)
