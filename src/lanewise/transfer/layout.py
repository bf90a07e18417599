# SPDX-License-Identifier: Apache-2.0
"""Packed layouts of a group of references (4.3.1 to 4.3.4), and Algorithm 1.

Member m of a group has base b_m and the group's strides s. A layout writes b_m as base + r_m + sum(s_k * t_mk), with
0 <= r_m < s_d and t >= 0 (30), in a domain u' that holds every member shifted by t (31). If strides and u' satisfy
condition 14, Theorem 2 gives each pair of a remainder and a point of the domain an address of its own.

The remainder's part of the packed address is its rank among the distinct ones. The paper's line 6 of Algorithm 1 has
r_m there, with which r = {0, 6} and s = 8 make two host elements meet.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from lanewise.transfer.affine import AffineForm
from lanewise.transfer.integer_program import solve
from lanewise.transfer.lmad import Lmad, interleaves

MOST_ROOM = 2
"""Packed elements per element of the group's interval, above which a layout is refused: the interval is smaller."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Base b', strides s, domain u', and per member the remainder r and the shifts t."""

    base: int
    strides: tuple[int, ...]
    domain: tuple[int, ...]
    remainders: tuple[int, ...]
    shifts: tuple[tuple[int, ...], ...]

    @property
    def ranks(self) -> dict[int, int]:
        """Remainder -> its rank, `p_j` in 4.3.2."""
        return {remainder: rank for rank, remainder in enumerate(sorted(set(self.remainders)))}

    @property
    def size(self) -> int:
        """Elements of the packed array: the paper's count of elements transferred."""
        return len(self.ranks) * prod(self.domain)

    @property
    def packed_strides(self) -> tuple[int, ...]:
        q = len(self.ranks)
        return tuple(q * prod(self.domain[k + 1 :]) for k in range(len(self.domain)))

    def address(self, member: int, coordinates: Sequence[AffineForm]) -> AffineForm:
        """Line 6 of Algorithm 1 for one member: its packed address, in elements."""
        result = AffineForm(self.ranks[self.remainders[member]])
        for coordinate, shift, stride in zip(coordinates, self.shifts[member], self.packed_strides, strict=True):
            result = result.plus(coordinate.plus(shift), stride)
        return result


def widen(lmad: Lmad, strides: Sequence[int]) -> tuple[tuple[int, ...], tuple[AffineForm, ...]]:
    """Counts and coordinates of a descriptor along a group's strides; one that it lacks has count 1."""
    axes = {axis.stride: axis for axis in lmad.axes}
    counts = tuple(axes[s].count if s in axes else 1 for s in strides)
    return counts, tuple(axes[s].coordinate if s in axes else AffineForm(0) for s in strides)


def pack(members: Sequence[Lmad]) -> Layout | None:
    """A packed layout of the group; None where the paper has none."""
    strides = tuple(sorted({s for lmad in members for s in lmad.strides}, reverse=True))
    counts = [widen(lmad, strides)[0] for lmad in members]
    bases = [lmad.base for lmad in members]
    if not strides:
        layout = _points(bases)
    else:
        layout = (
            settle(bases, strides, counts, _digits(bases, strides, nearest=False))
            or settle(bases, strides, counts, _digits(bases, strides, nearest=True))
            or _by_program(bases, strides, counts)
        )
    interval = max(lmad.last for lmad in members) - min(bases) + 1
    return layout if layout and layout.size <= MOST_ROOM * interval else None


def _points(bases: list[int]) -> Layout:
    """Single elements: an axis of one step whose stride is above every difference."""
    low, high = min(bases), max(bases)
    return Layout(low, (high - low + 1,), (1,), tuple(b - low for b in bases), tuple((0,) for _ in bases))


Digits = list[tuple[tuple[int, ...], int]]
"""Per member, t and r; t may be negative here."""


def _digits(bases: Sequence[int], strides: Sequence[int], *, nearest: bool) -> Digits:
    """Distances from the least base in mixed radix: equations 3 and 4, and the first case of 4.3.4, where t is 0.

    With `nearest`, all digits but the last are rounded to the nearest: a stencil's neighbours to both sides.
    """
    low = min(bases)
    result: Digits = []
    for base in bases:
        rest = base - low
        shifts: list[int] = []
        for number, stride in enumerate(strides, 1):
            half = stride // 2 if nearest and number < len(strides) else 0
            shifts.append((rest + half) // stride)
            rest -= shifts[-1] * stride
        result.append((tuple(shifts), rest))
    return result


def settle(
    bases: Sequence[int], strides: tuple[int, ...], counts: Sequence[tuple[int, ...]], digits: Digits
) -> Layout | None:
    """The layout of these digits, shifted to begin at zero; None if condition 14 fails for its domain."""
    least = [min(t[k] for t, _ in digits) for k in range(len(strides))]
    shifts = tuple(tuple(t[k] - least[k] for k in range(len(strides))) for t, _ in digits)
    domain = tuple(max(u[k] + t[k] for u, t in zip(counts, shifts, strict=True)) for k in range(len(strides)))
    if not interleaves(strides, domain):
        return None
    base = bases[0] - digits[0][1] - sum(s * t for s, t in zip(strides, shifts[0], strict=True))
    return Layout(base, strides, domain, tuple(r for _, r in digits), shifts)


def _by_program(bases: Sequence[int], strides: tuple[int, ...], counts: Sequence[tuple[int, ...]]) -> Layout | None:
    """The integer program's layout, tried if condition 14 holds at least for the domain of all members unshifted."""
    if not interleaves(strides, [max(column) for column in zip(*counts, strict=True)]):
        return None
    digits = solve(bases, strides, counts)
    return settle(bases, strides, counts, digits) if digits else None
