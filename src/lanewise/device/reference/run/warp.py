# SPDX-License-Identifier: Apache-2.0
"""Operations of a warp: the result of each lane once all participating lanes have met.

Source: PTX ISA, "shfl.sync", "vote.sync", "match.sync", "redux.sync", "activemask".
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Final

from lanewise.device.reference.arithmetic.indeterminate import Indeterminate, Value, poison
from lanewise.device.reference.arithmetic.integers import wrapped
from lanewise.device.reference.run.matrices import matrix_product
from lanewise.ir.intrinsics import WIDE
from lanewise.ir.matrix_products import PRODUCTS

WARP_SIZE: Final = 32
WIDE_SIZE: Final = 64
"""Number of lanes of a warp whose operations are those of `ir.intrinsics.WIDE`."""
_MASK: Final = 0xFFFFFFFF

Lanes = Mapping[int, tuple[Value, ...]]
"""Operands, without the member mask, of each participating lane."""
Results = dict[int, Value]


def shuffle_source(mode: str, lane: int, b: int, c: int) -> int | None:
    """The lane that a shuffle reads; None if it is outside the segment. `c` holds the clamp in bits 0-4 and the segment
    mask in bits 8-12."""
    clamp, segment = c & 31, c >> 8 & 31
    offset = b & 31
    last = lane & segment | clamp & ~segment
    if mode == "up":
        source = lane - offset
        return source if source >= last else None
    if mode == "down":
        source = lane + offset
    elif mode == "bfly":
        source = lane ^ offset
    else:
        source = lane & segment | offset & ~segment
    return source if source <= last else None


def _shuffle(mode: str, *, with_predicate: bool) -> Callable[[Lanes], Results]:
    def run(lanes: Lanes) -> Results:
        results: Results = {}
        for lane, (value, b, c) in lanes.items():
            source = shuffle_source(mode, lane, b, c)
            if source is not None and source not in lanes:
                value = poison(f"a shuffle from lane {source}, which takes no part in it")
            elif source is not None:
                value = lanes[source][0]
            results[lane] = (value, source is not None) if with_predicate else value
        return results

    return run


def _wide_shuffle(source: Callable[[int, int], int]) -> Callable[[Lanes], Results]:
    """A shuffle among 64 lanes, each from the lane `source(lane, by)`, or from itself if there is none."""

    def run(lanes: Lanes) -> Results:
        results: Results = {}
        for lane, (_, by) in lanes.items():
            place = source(lane, by % WIDE_SIZE)
            place = place if 0 <= place < WIDE_SIZE else lane
            absent = poison(f"a shuffle from lane {place}, which takes no part in it")
            results[lane] = lanes[place][0] if place in lanes else absent
        return results

    return run


def lane_mask(lanes: Mapping[int, bool]) -> int:
    """The bits of the lanes that are True, as an i32."""
    return _bits(lanes, WARP_SIZE)


def _wide_mask(lanes: Mapping[int, bool]) -> int:
    return _bits(lanes, WIDE_SIZE)


def _bits(lanes: Mapping[int, bool], size: int) -> int:
    return wrapped(sum(1 << lane for lane, chosen in lanes.items() if chosen), size)


def _vote(decide: Callable[[Mapping[int, bool]], Value]) -> Callable[[Lanes], Results]:
    def run(lanes: Lanes) -> Results:
        return dict.fromkeys(lanes, decide({lane: bool(p) for lane, (p,) in lanes.items()}))

    return run


def _match_any(lanes: Lanes) -> Results:
    return {lane: lane_mask({other: v == value for other, (v,) in lanes.items()}) for lane, (value,) in lanes.items()}


def _match_all(lanes: Lanes) -> Results:
    equal = len({value for (value,) in lanes.values()}) == 1
    return dict.fromkeys(lanes, (lane_mask(dict.fromkeys(lanes, True)) if equal else 0, equal))


def _reduction(step: Callable[[int, int], int], *, unsigned: bool = False) -> Callable[[Lanes], Results]:
    def run(lanes: Lanes) -> Results:
        values = [v & _MASK if unsigned else v for (v,) in lanes.values()]
        return dict.fromkeys(lanes, wrapped(reduce(step, values), 32))

    return run


def _active(mask: Callable[[Mapping[int, bool]], int]) -> Callable[[Lanes], Results]:
    return lambda lanes: dict.fromkeys(lanes, mask(dict.fromkeys(lanes, True)))


_VOTES: Final[dict[str, Callable[[Mapping[int, bool]], Value]]] = {
    "all": lambda votes: all(votes.values()),
    "any": lambda votes: any(votes.values()),
    "uni": lambda votes: len(set(votes.values())) == 1,
    "ballot": lane_mask,
}

_MODES: Final = ("up", "down", "bfly", "idx")

MEETINGS: Final[dict[str, Callable[[Lanes], Results]]] = {
    "bar.warp.sync": lambda lanes: dict.fromkeys(lanes),
    **{f"shfl.sync.{m}.{k}": _shuffle(m, with_predicate=False) for m in _MODES for k in ("i32", "f32")},
    **{f"shfl.sync.{m}.{k}p": _shuffle(m, with_predicate=True) for m in _MODES for k in ("i32", "f32")},
    **{f"vote.{name}.sync": _vote(decide) for name, decide in _VOTES.items()},
    **{f"match.any.sync.{kind}": _match_any for kind in ("i32", "i64")},
    **{f"match.all.sync.{kind}p": _match_all for kind in ("i32", "i64")},
    "redux.sync.add": _reduction(operator.add),
    "redux.sync.and": _reduction(lambda a, b: a & b),
    "redux.sync.or": _reduction(lambda a, b: a | b),
    "redux.sync.xor": _reduction(lambda a, b: a ^ b),
    "redux.sync.min": _reduction(min),
    "redux.sync.max": _reduction(max),
    "redux.sync.umin": _reduction(min, unsigned=True),
    "redux.sync.umax": _reduction(max, unsigned=True),
    **{row.symbol: matrix_product(row) for row in PRODUCTS},
    f"{WIDE}barrier.sync": lambda lanes: dict.fromkeys(lanes),
    f"{WIDE}ballot.sync": _vote(_wide_mask),
    f"{WIDE}up.sync": _wide_shuffle(lambda lane, by: lane - by),
    f"{WIDE}down.sync": _wide_shuffle(lambda lane, by: lane + by),
    f"{WIDE}across.sync": _wide_shuffle(lambda lane, by: lane ^ by),
    f"{WIDE}lane.sync": _wide_shuffle(lambda lane, number: number),
}
"""Operations for which the lanes named by a member mask meet."""

MASK_POSITION: Final = {name: 1 if name.startswith("redux") else 0 for name in MEETINGS}
"""Index of the operand that is the member mask."""

LOCK_STEP: Final = "volatile access"
"""A volatile access of shared memory, which the lanes of a warp make together. Code from before CUDA 9 exchanges values
within a warp in this way, without barriers."""

CONVERGED: Final[dict[str, Callable[[Lanes], Results]]] = {
    LOCK_STEP: lambda lanes: dict.fromkeys(lanes),
    "activemask": _active(lane_mask),
    f"{WIDE}active": _active(_wide_mask),
    **{f"vote.{name}": _vote(decide) for name, decide in _VOTES.items()},
}
"""Operations of the lanes that happen to be converged."""


def first_undetermined(name: str, operands: tuple[Value, ...]) -> Indeterminate | None:
    """An undetermined operand that affects the operation; only the data of a shuffle may be undetermined."""
    is_shuffle = name.startswith("shfl") or (name.startswith(WIDE) and len(operands) == 3)
    deciding = (operands[0], *operands[2:]) if is_shuffle else operands
    return next((o for o in deciding if o.__class__ is Indeterminate), None)
