# SPDX-License-Identifier: Apache-2.0
"""What the functions of sub-groups give, by the definitions of their extensions.

A sub-group is a list of the work-items that are there, in the order of their local ids; a set of the active ones among
them is a list of such ids."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from .running import DTYPES, Array

WARP = 32
Triple = tuple[int, int, int]


class SubGroup(NamedTuple):
    items: list[int]
    """Places of the work-items in the range, x fastest."""
    number: int
    of: int
    """Sub-groups that the work-group has."""
    greatest: int
    enqueued: int


def triple(extent: int | Sequence[int]) -> Triple:
    x, y, z = (*([extent] if isinstance(extent, int) else extent), 1, 1)[:3]
    return x, y, z


def sub_groups(size: int | Sequence[int], local: int | Sequence[int], width: int = WARP) -> Iterator[SubGroup]:
    """The sub-groups of a launch: each `width` work-items of a work-group, in linear order, up to the end of the
    range."""
    size, local = triple(size), triple(local)
    whole = local[0] * local[1] * local[2]
    nx, ny, nz = (range(-(-s // n)) for s, n in zip(size, local, strict=True))
    for group in itertools.product(nx, ny, nz):
        rows: list[list[int]] = []
        for first in range(0, whole, width):
            places = [placed(group, local, at) for at in range(first, min(first + width, whole))]
            rows.append(
                [x + size[0] * (y + size[1] * z) for x, y, z in places if x < size[0] and y < size[1] and z < size[2]]
            )
        rows = [row for row in rows if row]
        for number, row in enumerate(rows):
            yield SubGroup(row, number, len(rows), min(whole, width), -(-whole // width))


def placed(group: Triple, local: Triple, at: int) -> Triple:
    own = at % local[0], at // local[0] % local[1], at // local[0] // local[1]
    x, y, z = (g * n + o for g, n, o in zip(group, local, own, strict=True))
    return x, y, z


Operation = Callable[[Any, Any], Any]
OPERATIONS: dict[str, Operation] = {
    "add": np.add, "mul": np.multiply, "min": np.minimum, "max": np.maximum, "and": np.bitwise_and,
    "or": np.bitwise_or, "xor": np.bitwise_xor,
    "logical_and": lambda a, b: np.int32(bool(a) and bool(b)), "logical_or": lambda a, b: np.int32(bool(a) or bool(b)),
    "logical_xor": lambda a, b: np.int32(bool(a) != bool(b)),
}  # fmt: skip


def identity(name: str, type_: str) -> Any:
    dtype = np.dtype(DTYPES[type_])
    if name in ("min", "max"):
        if dtype.kind == "f":
            return dtype.type(np.inf if name == "min" else -np.inf)
        return dtype.type(np.iinfo(dtype).max if name == "min" else np.iinfo(dtype).min)
    value = {"mul": 1, "and": -1, "logical_and": 1}.get(name, 0)
    return np.array(value).astype(dtype)[()]


def combined(name: str, type_: str, values: Sequence[Any]) -> Any:
    """All of them, in one."""
    operation = OPERATIONS[name]
    if name.startswith("logical"):
        return reduce(operation, values, identity(name, type_))
    with np.errstate(over="ignore"):
        return reduce(operation, values) if len(values) else identity(name, type_)


def reductions(name: str, type_: str, values: Array, active: Sequence[int], size: int) -> dict[int, list[Any]]:
    """Of each active work-item: the reduction, both scans, and the reduction of its cluster of `size`."""
    found: dict[int, list[Any]] = {}
    for i in active:
        cluster = [j for j in active if j // size == i // size]
        sets = (active, [j for j in active if j <= i], [j for j in active if j < i], cluster)
        found[i] = [combined(name, type_, [values[j] for j in chosen]) for chosen in sets]
    return found


def bits(ids: Sequence[int]) -> int:
    return sum(1 << i for i in ids)
