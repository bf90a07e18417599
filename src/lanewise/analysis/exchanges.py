# SPDX-License-Identifier: Apache-2.0
"""Exchanges: accesses by which work-items of a warp may touch the same shared memory, without a barrier in between.

    __shared__ int s[64];
    ...
    s[threadIdx.x] = t;
    if (threadIdx.x == 0) for (int i = 0; i < 17; i++) sum += s[i];

Why
    By CUDA's rules this is a race: since Volta, the threads of a warp need not run in lock-step. But they do in the
    code that compilers make of such programs, and many programs count on it. So a region with an exchange runs whole
    warps, one access after the other. A region without any may run its work-items in any order.

Terms
    A *pair* is two instructions of one region, the second of which can come after the first. At least one of them
    writes, and both may access the same object in shared memory. Two atomic operations are no pair.

Method
    Two addresses are subtracted, for all pairs of different work-items of a warp that may make the accesses. A value
    that a work-item computes from its ids is a number (`item_values.py`). A value that is the same for all, and that no
    loop computes anew, is the same in both. Any other value may be any multiple of its factor. If no difference makes
    the accesses overlap, the pair is no exchange.

Limits
    Exchanges through global memory aren't looked for. Nor are those between iterations of a loop that stores by one
    instruction.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import gcd
from typing import Final, NamedTuple, final

from lanewise.analysis.item_values import WARP, Each, ItemValues, Sum
from lanewise.analysis.memory_objects import Kind, Objects, are_apart, kind_of, objects_of
from lanewise.analysis.uniformity import Uniformity
from lanewise.ir import effects
from lanewise.ir.dominators import dominators
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value

MOST_PAIRS: Final = 4000
"""Limit on pairs of accesses in a region. With more, it is taken to have an exchange."""
LARGEST: Final = 1024
"""Largest number of work-items of a group whose size is not known."""

_ATOMIC: Final = frozenset({"atomicrmw", "cmpxchg"})


class Exchange(NamedTuple):
    """A pair that may touch the same bytes."""

    first: Instruction
    second: Instruction


class _Access(NamedTuple):
    instruction: Instruction
    objects: Objects
    address: Sum | None
    """The address; None for a copy, which may touch any part of its objects."""
    size: int

    @property
    def writes(self) -> bool:
        return effects.writes(self.instruction)

    @property
    def is_atomic(self) -> bool:
        return self.instruction.op in _ATOMIC


class _Guards(NamedTuple):
    active: tuple[bool, ...]
    """True for each work-item for which all conditions hold that ids alone decide."""
    below: Mapping[Value, Sequence[Each]]
    """Values that are the same for all -> for each work-item, a number that the value is greater than."""


@final
class Exchanges:
    """The exchanges of one kernel, for a local size; None: for any."""

    def __init__(
        self, kernel: Function, facts: Uniformity, block: tuple[int, int, int] | None,
        types: Mapping[str, Type | None],
    ) -> None:  # fmt: skip
        self._facts: Final = facts
        self._types: Final = types
        self._tree: Final = dominators(kernel)
        self._values: Final = (
            ItemValues(block or (LARGEST, 1, 1), types, self._tree) if block or _is_flat(kernel) else None
        )
        self._known_guards: Final[dict[Block, _Guards]] = {}
        self._predecessors: Final[dict[Block, list[Block]]] = {block: [] for block in kernel.blocks}
        for block_ in kernel.blocks:
            for successor in block_.successors:
                self._predecessors[successor].append(block_)
        self._accesses: Final = {block: list(self._shared(block)) for block in kernel.blocks}

    def within(self, inside: Mapping[Block, Sequence[Block]]) -> Exchange | None:
        """An exchange of a region, or None. `inside` has the blocks of the region, each with its successors there."""
        accesses = [access for block in inside for access in self._accesses[block]]
        if not any(access.writes for access in accesses):
            return None
        if len(accesses) ** 2 > MOST_PAIRS:
            return Exchange(accesses[0].instruction, accesses[-1].instruction)
        following = _Following(inside)
        for a in accesses:
            for b in accesses:
                if self._are_pair(a, b, following) and self._may_meet(a, b, following):
                    return Exchange(a.instruction, b.instruction)
        return None

    # -- accesses ----------------------------------------------------------------------------------------------

    def _shared(self, block: Block) -> Iterable[_Access]:
        for instruction in block.instructions:
            for pointer in _pointers(instruction):
                objects = objects_of(pointer)
                if any(kind_of(o) is Kind.SHARED for o in objects):
                    yield self._access(instruction, pointer, objects)

    def _access(self, instruction: Instruction, pointer: Value, objects: Objects) -> _Access:
        if instruction.op == "call" or self._values is None:
            return _Access(instruction, objects, None, 0)
        size = effects.access_size(instruction, self._types)
        return _Access(instruction, objects, self._values.address(pointer), size)

    # -- pairs -------------------------------------------------------------------------------------------------

    def _are_pair(self, a: _Access, b: _Access, following: "_Following") -> bool:
        if not (a.writes or b.writes) or (a.is_atomic and b.is_atomic):
            return False
        if not any(not are_apart(x, y) for x in a.objects for y in b.objects):
            return False
        first, second = a.instruction.parent, b.instruction.parent
        if a is b:
            return False
        if second in following[first]:
            return True
        together = first is second
        return together and first.instructions.index(a.instruction) < first.instructions.index(b.instruction)

    def _may_meet(self, a: _Access, b: _Access, following: "_Following") -> bool:
        if a.address is None or b.address is None or self._values is None:
            return True
        blocks = a.instruction.parent, b.instruction.parent
        repeated = any(block in following[block] for block in blocks)
        period, uncommon = 0, dict[Value, int]()
        for term in {**a.address.terms, **b.address.terms}:
            one, other = a.address.terms.get(term, 0), b.address.terms.get(term, 0)
            if one == other and self._stays(term, repeated, following):
                continue
            period = gcd(period, one, other)
            uncommon[term] = one - other
        if len(uncommon) == 1 and not repeated:
            ((term, factor),) = uncommon.items()
            if self._stays(term, repeated, following) and self._is_kept_apart(a, b, term, factor):
                return False
        of_a, of_b = map(self._guards, blocks)
        differences = _differences(a.address.each, of_a.active, b.address.each, of_b.active)
        if period:
            return any((d + a.size - 1) % period - (a.size - 1) < b.size for d in differences)
        return any(-a.size < d < b.size for d in differences)

    def _is_kept_apart(self, a: _Access, b: _Access, term: Value, factor: int) -> bool:
        """True if a guard keeps one access below what the other one adds: `if (i < n) s[i] += s[i + n]`."""
        if factor < 0:
            a, b, factor = b, a, -factor
        assert a.address is not None
        assert b.address is not None
        least = min(a.address.each)
        for low in self._guards(b.instruction.parent).below.get(term, ()):  # the term is greater than `low`
            most = max(y - factor * (x + 1) for x, y in zip(low, b.address.each, strict=True))
            if least >= most + b.size:
                return True
        return False

    def _stays(self, term: Value, repeated: bool, following: "_Following") -> bool:
        """True if all work-items have the same value, whenever they make one of the accesses."""
        if not isinstance(term, Instruction):
            return True
        if not self._facts.is_uniform(term):
            return False
        return not repeated or term.parent not in following.inside or term.parent not in following[term.parent]

    # -- guards ------------------------------------------------------------------------------------------------

    def _guards(self, block: Block) -> _Guards:
        """Conditions that hold for the work-items that come to a block, if they compare ids with one more value."""
        known = self._known_guards.get(block)
        if known is None:
            known = self._known_guards[block] = self._find_guards(block)
        return known

    def _find_guards(self, block: Block) -> _Guards:
        assert self._values is not None
        active = (True,) * self._values.count
        below: dict[Value, list[Each]] = {}
        for condition, holds in self._conditions(block):
            found = self._values.condition(condition)
            if found is not None:
                active = tuple(a and c is holds for a, c in zip(active, found, strict=True))
            elif (bound := self._bound(condition, holds)) is not None:
                below.setdefault(bound[0], []).append(bound[1])
        return _Guards(active, below)

    def _conditions(self, block: Block) -> Iterable[tuple[Value, bool]]:
        """The conditions that must hold, or must not, for a work-item to come to a block."""
        above: Block | None = block
        while above is not None:
            block, above = above, self._tree.immediate(above)
            if above is not None and above.terminator.op == "br" and len(set(above.successors)) == 2:
                then, otherwise = above.successors
                if block in (then, otherwise) and set(self._predecessors[block]) == {above}:
                    yield from _parts(above.terminator.operands[0], block is then)

    def _bound(self, condition: Value, holds: bool) -> tuple[Value, Each] | None:
        """A value that is the same for all, and for each work-item a number that it is greater than."""
        if not isinstance(condition, Instruction) or condition.op != "icmp" or self._values is None:
            return None
        low, high = map(self._values.of, condition.operands)
        if condition.predicate[1:] in (("gt", "ge") if holds else ("lt", "le")):
            low, high = high, low
        elif condition.predicate[1:] not in (("lt", "le") if holds else ("gt", "ge")):
            return None
        strict = (condition.predicate[1:] in ("lt", "gt")) is holds
        if not low.is_known or len(high.terms) != 1 or len(set(high.each)) != 1 or min(low.each) < 0:
            return None
        ((term, factor),) = high.terms.items()
        if factor != 1 or not self._facts.is_uniform(term):
            return None
        return term, tuple(v - high.each[0] - (not strict) for v in low.each)


@cache
def _differences(a: Each, a_active: tuple[bool, ...], b: Each, b_active: tuple[bool, ...]) -> frozenset[int]:
    """The differences of the numbers of two different work-items of a warp."""
    found: set[int] = set()
    seen: set[tuple[object, ...]] = set()
    for start in range(0, len(a), WARP):
        warp = slice(start, start + WARP)
        ones, others = a[warp], b[warp]
        base = ones[0]
        pattern = (
            tuple(v - base if on else None for v, on in zip(ones, a_active[warp], strict=True)),
            tuple(v - base if on else None for v, on in zip(others, b_active[warp], strict=True)),
        )
        if pattern not in seen:
            seen.add(pattern)
            found.update(
                x - y
                for i, x in enumerate(pattern[0])
                if x is not None
                for j, y in enumerate(pattern[1])
                if y is not None and i != j
            )
    return frozenset(found)


@final
class _Following:
    """The blocks of a region that can come after each, itself only in a loop. Those of a block are found when asked
    for: few blocks have accesses, and a region may have thousands."""

    def __init__(self, inside: Mapping[Block, Sequence[Block]]) -> None:
        self.inside: Final = inside
        self._found: Final[dict[Block, frozenset[Block]]] = {}

    def __getitem__(self, block: Block) -> frozenset[Block]:
        found = self._found.get(block)
        if found is None:
            found = self._found[block] = self._search(block)
        return found

    def _search(self, block: Block) -> frozenset[Block]:
        seen: set[Block] = set()
        work = list(self.inside[block])
        while work:
            after = work.pop()
            if after not in seen:
                seen.add(after)
                work.extend(self.inside[after])
        return frozenset(seen)


def _parts(condition: Value, holds: bool) -> Iterable[tuple[Value, bool]]:
    """The parts of a condition, each with whether it holds if the whole does: those of a conjunction."""
    if isinstance(condition, Instruction) and condition.op in ("and" if holds else "or", "select"):
        a, *rest = condition.operands
        if condition.op != "select":
            yield from _parts(a, holds)
            yield from _parts(rest[0], holds)
            return
        fixed = rest[1 if holds else 0]  # select a, b, false: both hold; select a, true, b: neither does
        if isinstance(fixed, Constant) and fixed.kind == "int" and bool(fixed.integer) is not holds:
            yield from _parts(a, holds)
            yield from _parts(rest[0 if holds else 1], holds)
            return
    yield condition, holds


def _pointers(instruction: Instruction) -> tuple[Value, ...]:
    """The pointers that the instruction reads and writes through."""
    if effects.is_copy(instruction):
        return tuple(o for o in instruction.arguments[:2] if o.type.is_pointer)
    return (effects.pointer_operand(instruction),) if instruction.op in effects.ACCESSES else ()


def _is_flat(kernel: Function) -> bool:
    """True if the kernel is written for groups that extend along x alone."""
    return not any(i.callee.endswith(("sreg.tid.y", "sreg.tid.z")) for i in kernel.instructions())
