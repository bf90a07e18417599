# SPDX-License-Identifier: Apache-2.0
"""Loop nests and references to arrays, the plain data that a plan is made from, and their normal form.

Normal means (4.2 of the paper): every counter begins at zero and has step one. Its upper bound is the ceiling of an
affine function of outer counters over a positive divisor; the divisor is the loop's step.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from lanewise.errors import Error
from lanewise.transfer.affine import AffineForm, Ranges, counter, form


@dataclass(frozen=True, slots=True)
class LoopRange:
    """`for name in range(lower, upper, step)`, the bounds affine in outer counters."""

    name: str
    upper: AffineForm | int
    lower: AffineForm | int = 0
    step: int = 1
    parallel: bool = True


@dataclass(frozen=True, slots=True)
class HostArray:
    """An array in host memory: address of element (0, ..., 0), strides in bytes of any sign."""

    name: str
    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    itemsize: int

    def interval(self) -> tuple[int, int]:
        """The first byte of the array's elements, and the one after the last."""
        if 0 in self.shape:
            return self.address, self.address
        spans = [stride * (extent - 1) for extent, stride in zip(self.shape, self.strides, strict=True)]
        return self.address + sum(min(s, 0) for s in spans), self.address + sum(
            max(s, 0) for s in spans
        ) + self.itemsize


@dataclass(frozen=True, slots=True)
class ArrayReference:
    """A read, a write or both at `array[subscripts]` inside the loops with the names `around` (all, if None).

    `subscripts` is None for what isn't affine. A conditional write may leave an element as it was.
    """

    array: HostArray
    subscripts: tuple[AffineForm | int, ...] | None
    access: Literal["read", "write", "update"] = "read"
    conditional: bool = False
    around: tuple[str, ...] | None = None

    @property
    def needs_old_value(self) -> bool:
        return self.access != "write" or self.conditional

    @property
    def writes(self) -> bool:
        return self.access != "read"

    def address(self) -> AffineForm | None:
        """The byte address as a function of the counters."""
        if self.subscripts is None:
            return None
        if len(self.subscripts) != len(self.array.strides):
            rank = len(self.array.strides)
            raise Error(f"{self.array.name}: {len(self.subscripts)} subscripts for an array of {rank} dimensions")
        result = AffineForm(self.array.address)
        for subscript, stride in zip(self.subscripts, self.array.strides, strict=True):
            result = result.plus(form(subscript), stride)
        return result


@dataclass(frozen=True, slots=True)
class NormalLoop:
    """A loop from zero by one; its count is the ceiling of `extent / divisor`, or zero where that is negative."""

    name: str
    extent: AffineForm
    divisor: int = 1

    def count(self, outer: Mapping[str, int]) -> int:
        return max(0, -(-self.extent.at(outer) // self.divisor))

    def most(self, outer: Ranges) -> int:
        return max(0, -(-self.extent.interval(outer)[1] // self.divisor))


@dataclass(frozen=True, slots=True)
class NormalNest:
    """Normal loops, outer ones before those in them, and the original variables as functions of the normal counters."""

    loops: tuple[NormalLoop, ...]
    variables: Mapping[str, AffineForm] = field(hash=False)

    def chosen(self, around: tuple[str, ...] | None = None) -> tuple[NormalLoop, ...]:
        """The loops with these names, or all."""
        return self.loops if around is None else tuple(loop for loop in self.loops if loop.name in around)

    def hull(self, around: tuple[str, ...] | None = None) -> dict[str, tuple[int, int]]:
        """Ranges that hold every iteration of loops; a range is empty where the loops do nothing."""
        ranges: dict[str, tuple[int, int]] = {}
        for loop in self.chosen(around):
            count = loop.most(ranges)
            ranges[loop.name] = (0, count)
            if not count:
                break
        return ranges

    def pieces(self, around: tuple[str, ...] | None = None) -> Iterator[dict[str, tuple[int, int]]]:
        """Disjoint boxes of counters that make up the domain.

        A counter on which another loop's bound depends is split into its values; a rectangular domain is one piece.
        """
        loops = self.chosen(around)
        governing = {name for loop in loops for name, _ in loop.extent.terms}

        def inside(
            level: int, values: dict[str, int], ranges: dict[str, tuple[int, int]]
        ) -> Iterator[dict[str, tuple[int, int]]]:
            if level == len(loops):
                yield ranges
                return
            loop = loops[level]
            count = loop.count(values)
            if loop.name not in governing:
                if count:
                    yield from inside(level + 1, values, {**ranges, loop.name: (0, count)})
                return
            for value in range(count):
                yield from inside(level + 1, {**values, loop.name: value}, {**ranges, loop.name: (value, value + 1)})

        return inside(0, {}, {})


def normalise(loops: tuple[LoopRange, ...]) -> NormalNest:
    """The same iterations with counters from zero by one. Raises `Error` for a step of zero or an unknown variable."""
    normal: list[NormalLoop] = []
    variables: dict[str, AffineForm] = {}
    for loop in loops:
        if loop.step == 0:
            raise Error(f"loop {loop.name}: its step is 0")
        lower, upper = form(loop.lower), form(loop.upper)
        for name, _ in (*lower.terms, *upper.terms):
            if name not in variables:
                raise Error(f"loop {loop.name}: its bound names {name}, which is no outer loop's variable")
        lower, upper = lower.replace(variables), upper.replace(variables)
        sign = 1 if loop.step > 0 else -1
        normal.append(NormalLoop(loop.name, upper.plus(lower, -1).times(sign), abs(loop.step)))
        variables[loop.name] = lower.plus(counter(loop.name, loop.step))
    return NormalNest(tuple(normal), variables)
