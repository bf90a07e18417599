# SPDX-License-Identifier: Apache-2.0
"""Constant-stride linear memory access descriptors (CSLMADs, 4.2) and the conditions of 4.3 on them.

A descriptor is a base and axes of positive strides, largest first. An axis has a coordinate, an affine function of
the loops' counters, so that negative strides (a counter run backwards) and counters that step over each other's
elements, as in `a[i + j]`, keep an affine address.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from lanewise.transfer.affine import AffineForm, Ranges, counter


@dataclass(frozen=True, slots=True)
class Axis:
    """A stride, and a coordinate with values from 0 to `count - 1`."""

    stride: int
    coordinate: AffineForm
    count: int


@dataclass(frozen=True, slots=True)
class Lmad:
    """The addresses `base + sum(stride * coordinate)`; axes by stride, largest first."""

    base: int
    axes: tuple[Axis, ...]

    @property
    def strides(self) -> tuple[int, ...]:
        return tuple(axis.stride for axis in self.axes)

    @property
    def counts(self) -> tuple[int, ...]:
        return tuple(axis.count for axis in self.axes)

    @property
    def last(self) -> int:
        return self.base + sum(axis.stride * (axis.count - 1) for axis in self.axes)


def describe(address: AffineForm, hull: Ranges) -> Lmad:
    """The descriptor of an address over a box of counters from zero."""
    base = address.constant
    axes: list[Axis] = []
    for name, stride in address.terms:
        count = hull[name][1]
        if count == 1:
            continue
        if stride > 0:
            axes.append(Axis(stride, counter(name), count))
        else:
            base += stride * (count - 1)
            axes.append(Axis(-stride, counter(name, -1).plus(count - 1), count))
    return Lmad(base, tuple(_merged(sorted(axes, key=lambda axis: axis.stride))[::-1]))


def _merged(axes: list[Axis]) -> list[Axis]:
    """Axes by stride, smallest first, those that step over elements of the one before made one with it."""
    result: list[Axis] = []
    for axis in axes:
        if result:
            inner = result[-1]
            factor, rest = divmod(axis.stride, inner.stride)
            if rest == 0 and factor < inner.count:
                coordinate = inner.coordinate.plus(axis.coordinate, factor)
                result[-1] = Axis(inner.stride, coordinate, inner.count + factor * (axis.count - 1))
                continue
        result.append(axis)
    return result


def is_restricted(strides: Sequence[int], counts: Sequence[int]) -> bool:
    """Condition 7, for Theorem 1: every iteration has an address of its own (an RCSLMAD)."""
    return all(strides[k] > _span(strides, counts, k + 1) for k in range(len(strides) - 1))


def interleaves(strides: Sequence[int], counts: Sequence[int]) -> bool:
    """Condition 14, for Theorem 2: each stride has room for the inner axes and for all offsets below the smallest."""
    return all(strides[k] > strides[-1] - 1 + _span(strides, counts, k + 1) for k in range(len(strides) - 1))


def bases_within_stride(bases: Sequence[int], strides: Sequence[int]) -> bool:
    """Condition 15, for Theorem 2."""
    return not strides or max(bases) - min(bases) < strides[-1]


def _span(strides: Sequence[int], counts: Sequence[int], first: int) -> int:
    return sum(stride * (count - 1) for stride, count in zip(strides[first:], counts[first:], strict=True))


def overlap_groups(intervals: Sequence[tuple[int, int]]) -> list[list[int]]:
    """The connected components of the memory-reference overlap graph (4.3): indices of intervals [first, end)."""
    groups: list[list[int]] = []
    reach = 0
    for index in sorted(range(len(intervals)), key=lambda i: intervals[i]):
        first, end = intervals[index]
        if groups and first < reach:
            groups[-1].append(index)
        else:
            groups.append([index])
            reach = end
        reach = max(reach, end)
    return groups
