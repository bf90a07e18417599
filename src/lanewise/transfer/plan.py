# SPDX-License-Identifier: Apache-2.0
"""The plan of a loop nest's transfers: a buffer per group of references that may overlap, copies in and out.

`exact` copies the touched elements alone, into a packed buffer where 4.3 has a layout, else into an image of the
group's interval. `interval` copies the interval from the group's first byte to its last, `whole` the group's arrays.
`auto` takes the one with the least time by `TransferCosts`.

An element is copied in if a read or a conditional write touches it, and out if a write does. A copy out that is more
than the union of the writes is copied in first, so that elements nobody wrote go back unchanged.

Source: unpython-jit4gpu, section 4. The paper transfers all elements of the packed buffer; those touched are fewer.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import gcd
from typing import Literal

from lanewise.errors import Error
from lanewise.transfer import touched
from lanewise.transfer.affine import AffineForm, counter, form
from lanewise.transfer.copies import StridedCopy, copies_of_mask
from lanewise.transfer.costs import TransferCosts
from lanewise.transfer.layout import pack, widen
from lanewise.transfer.lmad import Lmad, describe, overlap_groups
from lanewise.transfer.nest import ArrayReference, LoopRange, NormalNest, normalise
from lanewise.transfer.views import ArrayView, view_of

Transfers = Literal["exact", "interval", "whole", "auto"]
PART = "$part"
"""The counter of an element's parts, where references of a group differ in alignment or size."""


@dataclass(frozen=True, slots=True)
class GroupPlan:
    """One buffer of `size` bytes. `references` are numbers of the plan's references, `addresses` their byte offsets
    in the buffer as functions of the normal counters; None for a reference that isn't affine."""

    kind: Literal["packed", "interval", "whole"]
    references: tuple[int, ...]
    addresses: tuple[AffineForm | None, ...]
    host: int
    size: int
    copies_in: tuple[StridedCopy, ...]
    copies_out: tuple[StridedCopy, ...]
    views: Mapping[str, ArrayView] = field(default_factory=dict[str, ArrayView], hash=False)
    """Arrays by their names, if all references find their elements by an array's strides."""


@dataclass(frozen=True, slots=True)
class NestPlan:
    """The normal loops, and the groups. References that touch nothing are in no group."""

    nest: NormalNest
    groups: tuple[GroupPlan, ...]
    transfers: Transfers

    @property
    def buffer_bytes(self) -> int:
        return sum(group.size for group in self.groups)

    @property
    def bytes_in(self) -> int:
        return sum(copy.bytes for group in self.groups for copy in group.copies_in)

    @property
    def bytes_out(self) -> int:
        return sum(copy.bytes for group in self.groups for copy in group.copies_out)

    def seconds(self, costs: TransferCosts) -> float:
        return sum(costs.seconds(g.copies_in) + costs.seconds(g.copies_out) for g in self.groups)


@dataclass(frozen=True, slots=True)
class _Active:
    """A reference that touches something: its number, and its interval of bytes.

    The interval is of the rectangular hull of its domain, cut to the array: a triangle's hull may leave it.
    """

    number: int
    reference: ArrayReference
    address: AffineForm | None
    interval: tuple[int, int]


def plan(
    loops: tuple[LoopRange, ...],
    references: Sequence[ArrayReference],
    transfers: Transfers = "exact",
    costs: TransferCosts | None = None,
    *,
    strided: bool = False,
) -> NestPlan:
    """The transfers of a nest. Raises `Error` for unknown variables and subscripts that don't fit their array.

    `strided`: all references to an array are in one buffer, and find their elements by a start and strides that are
    the array's alone. Arrays have different names then.
    """
    makers: dict[Transfers, Callable[[NormalNest, list[_Active]], GroupPlan]] = {
        "exact": _strided if strided else _exact,
        "interval": _interval,
        "whole": _whole,
    }
    if transfers == "auto":
        plans = [plan(loops, references, choice, strided=strided) for choice in makers]
        model = costs or TransferCosts()
        return min(plans, key=lambda made: made.seconds(model))
    if transfers not in makers:
        raise Error(f'transfers={transfers!r}: it is "exact", "interval", "whole" or "auto"')
    nest = normalise(loops)
    active = [made for n, reference in enumerate(references) if (made := _activate(nest, n, reference))]
    if transfers == "whole":
        spans = [made.reference.array.interval() for made in active]
    else:
        spans = [made.interval for made in active]
    if strided:
        spans = [_span_of_array(made, active, spans) for made in active]
    groups = [[active[index] for index in group] for group in overlap_groups(spans)]
    return NestPlan(nest, tuple(makers[transfers](nest, group) for group in groups), transfers)


def _span_of_array(active: _Active, others: list[_Active], spans: list[tuple[int, int]]) -> tuple[int, int]:
    """The span of all references to an array."""
    name = active.reference.array.name
    same = [span for other, span in zip(others, spans, strict=True) if other.reference.array.name == name]
    return min(span[0] for span in same), max(span[1] for span in same)


def _activate(nest: NormalNest, number: int, reference: ArrayReference) -> _Active | None:
    """A reference with its interval; None if it touches nothing."""
    loops = nest.chosen(reference.around)
    hull = nest.hull(reference.around)
    if len(hull) < len(loops) or any(first == end for first, end in hull.values()):
        return None
    address = reference.address()
    if address is None:
        first, end = reference.array.interval()
        return _Active(number, reference, None, (first, end)) if first < end else None
    for name, _ in address.terms:
        if name not in {loop.name for loop in loops}:
            raise Error(f"{reference.array.name}: a subscript names {name}, which is no loop around the reference")
    address = address.replace(nest.variables)
    first, last = address.interval(hull)
    low, high = reference.array.interval()
    interval = max(first, low), min(last + reference.array.itemsize, high)
    if interval[0] >= interval[1]:
        raise _outside(reference)
    return _Active(number, reference, address, interval)


def _outside(reference: ArrayReference) -> Error:
    return Error(f"{reference.array.name}: a subscript leaves the array, of shape {reference.array.shape}")


def _interval(nest: NormalNest, group: list[_Active]) -> GroupPlan:
    first, end = min(a.interval[0] for a in group), max(a.interval[1] for a in group)
    whole = any(a.address is None for a in group)
    return _image("whole" if whole else "interval", group, first, end)


def _whole(nest: NormalNest, group: list[_Active]) -> GroupPlan:
    spans = [a.reference.array.interval() for a in group]
    return _image("whole", group, min(s[0] for s in spans), max(s[1] for s in spans))


ALIGNMENT = 16
"""Bytes: an image starts at the same distance from a multiple of this as its host memory."""


def _image(
    kind: Literal["interval", "whole"],
    group: list[_Active],
    first: int,
    end: int,
    exact: tuple[list[StridedCopy], list[StridedCopy]] | None = None,
) -> GroupPlan:
    """A buffer that looks like the host's memory from `first` to `end`; all of it is copied, if no copies are given."""
    origin = first - first % ALIGNMENT
    everything = tuple(
        StridedCopy(max(low, first), max(low, first) - origin, min(high, end) - max(low, first))
        for low, high in _memory(group)
        if max(low, first) < min(high, end)
    )
    writes = any(a.reference.writes for a in group)
    copies_in, copies_out = (tuple(exact[0]), tuple(exact[1])) if exact else (everything, everything if writes else ())
    addresses = tuple(a.address.plus(-origin) if a.address else None for a in group)
    arrays = {a.reference.array.name: a.reference.array for a in group}
    views = {name: ArrayView(array.address - origin, array.strides) for name, array in arrays.items()}
    numbers = tuple(a.number for a in group)
    return GroupPlan(kind, numbers, addresses, first, end - origin, copies_in, copies_out, views)


def _memory(group: list[_Active]) -> list[tuple[int, int]]:
    """The memory of the group's arrays as disjoint intervals; what lies between them may not be there at all."""
    spans = [a.reference.array.interval() for a in group]
    return [(min(spans[i][0] for i in part), max(spans[i][1] for i in part)) for part in overlap_groups(spans)]


def _strided(nest: NormalNest, group: list[_Active]) -> GroupPlan:
    """As `_exact`, but packed only if each array has a view of the buffer."""
    found = _exact(nest, group)
    if found.kind != "packed":
        return found
    arrays: dict[str, list[tuple[list[AffineForm], AffineForm]]] = {}
    ranks: dict[str, int] = {}
    for active, address in zip(group, found.addresses, strict=True):
        reference = active.reference
        assert address is not None
        assert reference.subscripts is not None
        subscripts = [form(each).replace(nest.variables) for each in reference.subscripts]
        arrays.setdefault(reference.array.name, []).append((subscripts, address))
        ranks[reference.array.name] = len(reference.array.shape)
    views: dict[str, ArrayView] = {}
    for name, references in arrays.items():
        view = view_of(references, ranks[name])
        if view is None:
            return _exact(nest, group, packs=False)
        views[name] = view
    return replace(found, views=views)


def _exact(nest: NormalNest, group: list[_Active], *, packs: bool = True) -> GroupPlan:
    """The packed buffer, else an image with exact copies, else an image that is copied as a whole."""
    addresses = [a.address for a in group]
    known = [address for address in addresses if address is not None]
    first, end = min(a.interval[0] for a in group), max(a.interval[1] for a in group)
    if len(known) < len(group):
        return _image("whole", group, first, end)
    sizes = [a.reference.array.itemsize for a in group]
    unit = gcd(
        *sizes, *(c for address in known for _, c in address.terms), *(address.constant - first for address in known)
    )
    members = [_member(nest, a, first, unit) for a in group]
    if any(member is None for member in members):
        return _image("interval", group, first, end)
    found = [member for member in members if member]
    packed = _packed(nest, group, found, first, unit) if packs else None
    return packed or _masked(group, found, first, end, unit)


def _member(nest: NormalNest, active: _Active, first: int, unit: int) -> touched.TouchingReference | None:
    pieces = touched.few_pieces(nest.pieces(active.reference.around))
    if pieces is None or active.address is None:
        return None
    parts = active.reference.array.itemsize // unit
    low, high = active.reference.array.interval()
    for ranges in pieces:
        least, greatest = active.address.interval(ranges)
        if least < low or greatest + active.reference.array.itemsize > high:
            raise _outside(active.reference)
    address = active.address.plus(-first)
    terms = tuple((name, coefficient // unit) for name, coefficient in address.terms)
    address = AffineForm(address.constant // unit, terms)
    if parts > 1:
        address = address.plus(counter(PART))
        pieces = [{**ranges, PART: (0, parts)} for ranges in pieces]
    return touched.TouchingReference(address, pieces)


def _packed(
    nest: NormalNest, group: list[_Active], members: list[touched.TouchingReference], first: int, unit: int
) -> GroupPlan | None:
    """The packed buffer of 4.3; None if the group has no layout, or the touched elements aren't boxes in it."""
    lmads: list[Lmad] = []
    for active, member in zip(group, members, strict=True):
        hull = nest.hull(active.reference.around) | {PART: (0, active.reference.array.itemsize // unit)}
        lmads.append(describe(member.address, hull))
    layout = pack(lmads)
    if layout is None:
        return None
    strides = layout.strides if any(lmad.axes for lmad in lmads) else ()
    coordinates = [widen(lmad, strides)[1] or (AffineForm(0),) for lmad in lmads]
    addresses: list[AffineForm] = []
    for number, active in enumerate(group):
        address = layout.address(number, coordinates[number])
        size = active.reference.array.itemsize
        if size > unit:
            if address.coefficient(PART) != 1:
                return None
            address = address.plus(counter(PART, -1))
        address = address.times(unit)
        if address.constant % size or any(coefficient % size for _, coefficient in address.terms):
            return None  # an element would not be aligned
        addresses.append(address)
    sides: list[tuple[StridedCopy, ...]] = []
    for chosen in (_needed, _written):
        some = [(n, members[n], coordinates[n]) for n, a in enumerate(group) if chosen(a)]
        boxes = touched.boxes(layout, some)
        if boxes is None:
            return None
        sides.append(tuple(touched.copy_of_box(layout, r, box, unit, first) for r, box in boxes))
    numbers = tuple(a.number for a in group)
    return GroupPlan("packed", numbers, tuple(addresses), first, layout.size * unit, sides[0], sides[1])


def _masked(
    group: list[_Active], members: list[touched.TouchingReference], first: int, end: int, unit: int
) -> GroupPlan:
    sides: list[list[StridedCopy]] = []
    for chosen in (_needed, _written):
        mask = touched.mask([m for a, m in zip(group, members, strict=True) if chosen(a)], (end - first) // unit)
        if mask is None:
            return _image("interval", group, first, end)
        sides.append(copies_of_mask(mask, unit, first, first % ALIGNMENT))
    return _image("interval", group, first, end, (sides[0], sides[1]))


def _needed(active: _Active) -> bool:
    return active.reference.needs_old_value


def _written(active: _Active) -> bool:
    return active.reference.writes
