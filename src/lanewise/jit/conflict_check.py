# SPDX-License-Identifier: Apache-2.0
"""`parallel_check=True`: what a launch knows of accesses to its arrays, and the error for iterations that conflict."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, cast, final

import numpy as np

from lanewise.errors import LaunchError
from lanewise.frontend.python.conflicts import ProvenConflict
from lanewise.frontend.python.parallel import Grid
from lanewise.frontend.python.watching import ARRAYS, CONFLICTS, FIRST_ARRAY, WORDS_OF_ARRAY, WORDS_OF_UNIT
from lanewise.jit.arguments import address_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    AnyArray = NDArray[Any]


class ConflictError(LaunchError):
    """Two iterations of a parallel loop, one of which writes an element that the other reads or writes."""


@final
class WatchedArrays:
    """The arrays of a launch whose accesses are watched. `words` is what the kernel gets (`watching`)."""

    def __init__(self, arrays: Mapping[str, AnyArray]) -> None:
        self._arrays: Final = arrays
        ranges = _ranges([each for each in arrays.values() if each.size])
        place = FIRST_ARRAY + WORDS_OF_ARRAY * len(ranges)
        heads: list[int] = []
        for start, end, unit in ranges:
            heads += [start, end, unit, place]
            place += WORDS_OF_UNIT * -(-(end - start) // unit)
        self.words: Final = np.zeros(place, np.int64)
        self.words[ARRAYS] = len(ranges)
        self.words[FIRST_ARRAY : FIRST_ARRAY + len(heads)] = heads

    def raise_conflict(self, file: str, grid: Grid, bounds: Sequence[Sequence[int]]) -> None:
        """ConflictError if the kernel has found one. `bounds`: the arguments of the range of each axis."""
        kind, address, earlier, later, earlier_line, later_line = self.words[:6].tolist()
        if not kind:
            return
        axes = [range(*each) for each in bounds[: len(grid.axes)]]
        names = [axis.variable for axis in grid.axes]
        lines = f"line {later_line}" if earlier_line == later_line else f"lines {earlier_line} and {later_line}"
        raise ConflictError(
            f"{file}:{later_line}: iterations {_iteration(names, axes, earlier)} and {_iteration(names, axes, later)} "
            f"of a parallel loop conflict at {self._element(address)}: {CONFLICTS[kind]}, in {lines}; iterations of "
            "prange run at the same time, in any order"
        )

    def _element(self, address: int) -> str:
        """The element at an address, by the first array that has it."""
        for name, array in self._arrays.items():
            index = _index_of(array, address)
            if index is not None:
                return f"{name}[{', '.join(map(str, index))}]"
        return "an element of an array"


def raise_proven(conflicts: Sequence[ProvenConflict], bounds: Sequence[Sequence[int]]) -> None:
    """CompileError if iterations are proven to conflict, and there are enough of them."""
    if not conflicts:
        return
    counts = [len(range(*each)) for each in bounds]
    for conflict in conflicts:
        if all(count > distance for count, distance in zip(counts, conflict.fewest, strict=False)):
            raise conflict.error


def arrays_by_name(names: Sequence[str], values: Sequence[Any]) -> dict[str, AnyArray]:
    """The arrays among inputs, also those in tuples."""
    found: dict[str, AnyArray] = {}
    for name, value in zip(names, values, strict=False):
        if isinstance(value, np.ndarray):
            found[name] = value
        elif isinstance(value, tuple):
            items = cast("tuple[Any, ...]", value)
            found |= arrays_by_name([f"{name}[{number}]" for number in range(len(items))], items)
    return found


def _ranges(arrays: Sequence[AnyArray]) -> list[tuple[int, int, int]]:
    """First and last address of arrays, and the size of a unit that divides all elements; arrays that overlap are
    one."""
    merged: list[tuple[int, int, int]] = []
    for start, end, unit in sorted(_range(each) for each in arrays):
        if merged and start < merged[-1][1]:
            first, last, before = merged.pop()
            merged.append((first, max(last, end), math.gcd(unit, before, start - first)))
        else:
            merged.append((start, end, unit))
    return merged


def _range(array: AnyArray) -> tuple[int, int, int]:
    start = end = address_of(array)
    for extent, stride in zip(array.shape, array.strides, strict=True):
        if stride < 0:
            start += stride * (extent - 1)
        else:
            end += stride * (extent - 1)
    return start, end + array.itemsize, math.gcd(array.itemsize, *array.strides)


def _index_of(array: AnyArray, address: int) -> tuple[int, ...] | None:
    """The index of the element at an address; None if the array has none there."""
    index = [0] * array.ndim
    rest = address - address_of(array)
    for axis, stride in enumerate(array.strides):
        if stride < 0:  # counted from the other end
            rest += -stride * (array.shape[axis] - 1)
    for axis in sorted(range(array.ndim), key=lambda each: -abs(array.strides[each])):
        stride, extent = array.strides[axis], array.shape[axis]
        place = min(rest // abs(stride), extent - 1) if stride else 0
        rest -= place * abs(stride)
        index[axis] = place if stride >= 0 else extent - 1 - place
    return tuple(index) if 0 <= rest < array.itemsize and all(each >= 0 for each in index) else None


def _iteration(names: Sequence[str], axes: Sequence[range], number: int) -> str:
    """The variables of an iteration, by its number from 1."""
    place, values = number - 1, list[int]()
    for axis in reversed(axes):
        place, turn = divmod(place, len(axis))
        values.append(axis[turn])
    shown = ", ".join(f"{name}={value}" for name, value in zip(names, reversed(values), strict=True))
    return shown if len(names) == 1 else f"({shown})"
