# SPDX-License-Identifier: Apache-2.0
"""Addresses that no two work-items have in common, as far as the extents of the launch allow.

An address in an array is a polynomial in the indices of the work-item and in numbers that are the same for all:
extents, arguments, constants. If it is linear in the indices, the coefficients are like the digits' weights of a
number: each must be at least the span of those before it. For `tile[ty][tx]` of `float tile[16][16]`, that is

    4 * tx + 64 * ty:    4 >= 4,    64 >= 4 + 4 * (ntid.x - 1),    and blocks of one layer

which the kernel tests when it starts. A global index counts as one index, with the extent of the grid.

Numbers of fewer than 32 bits are not followed: as a char, the indices 1 and 257 are the same.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

from lanewise.checks.subscripts import ObjectAddress
from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Argument, Constant, Value, i64

Monomial: TypeAlias = tuple[str, ...]
"""Names of the factors, in order: of special registers, or of arguments."""
Polynomial: TypeAlias = dict[Monomial, int]

_REGISTER: Final = "llvm.nvvm.read.ptx.sreg."
_KNOWN: Final = tuple(f"{name}.{axis}" for name in ("tid", "ntid", "ctaid", "nctaid") for axis in "xyz")
_PASSED_ON: Final = ("sext", "zext", "trunc", "freeze")
_LARGEST: Final = 12
"""Terms of a polynomial that is looked at."""
_NARROWEST: Final = 32
"""Bits of the narrowest integers that are followed: indices of work-items and extents have as many."""


class Weight(NamedTuple):
    """The coefficient of an index, and the index's extent, as polynomials in uniform numbers."""

    coefficient: Polynomial
    extent: Polynomial


class OwnElements(NamedTuple):
    """A condition for accesses of `size` bytes: each work-item has its own, by weights from the least up."""

    size: int
    weights: tuple[Weight, ...]

    def test(self, arguments: dict[str, Argument], read: Callable[[str], Value], build: Builder) -> Value:
        """The condition as an i1. `read` gives the value of a special register, an i32."""

        def number(polynomial: Polynomial) -> Value:
            total: Value = i64(0)
            for factors, by in polynomial.items():
                term: Value = i64(by)
                for name in factors:
                    value = arguments[name] if name in arguments else read(name)
                    wide = value if value.type is ty.I64 else build.cast("sext", value, ty.I64)
                    term = build.binary("mul", term, wide)
                total = build.binary("add", total, term)
            return total

        span: Value = i64(self.size)
        right: Value = Constant(ty.I1, "int", "true")
        for weight in self.weights:
            extent, by = number(weight.extent), number(weight.coefficient)
            one = build.compare("eq", extent, i64(1))
            apart = build.compare("sge", by, span)
            right = build.binary("and", right, build.binary("or", one, apart))
            further = build.binary("mul", by, build.binary("sub", extent, i64(1)))
            span = build.binary("add", span, further)
        return right


def own_elements(addresses: Sequence[ObjectAddress], size: int, *, in_grid: bool) -> OwnElements | None:
    """The condition on which accesses at these addresses, of `size` bytes, touch elements of their work-item alone;
    None if there is none. `in_grid`: work-items are those of all groups."""
    known = [_polynomial(each) for each in addresses]
    first = known[0]
    if first is None or any(each != first for each in known):
        return None
    rest = dict(first)
    weights: list[Weight] = []
    for axis in "xyz":
        tid, ntid, ctaid, nctaid = (f"{name}.{axis}" for name in ("tid", "ntid", "ctaid", "nctaid"))
        local = _take(rest, tid)
        extent: Polynomial = {(ntid,): 1}
        if in_grid:
            group = _take(rest, ctaid)
            if group != _times(local, {(ntid,): 1}):
                return None
            extent = {tuple(sorted((nctaid, ntid))): 1}
        if any(_is_index(name, in_grid) for factors in local for name in factors):
            return None
        weights.append(Weight(local, extent))
    if any(_is_index(name, in_grid) for factors in rest for name in factors):
        return None
    weights.sort(key=_order)
    return OwnElements(size, tuple(weights))


def _is_index(name: str, in_grid: bool) -> bool:
    return name.startswith("tid.") or (in_grid and name.startswith("ctaid."))


def _order(weight: Weight) -> tuple[int, int]:
    """Absent ones last: their extents are to be 1. Before them the larger coefficients, by degree and number."""
    if not weight.coefficient:
        return 1 << 20, 0
    return max(map(len, weight.coefficient)), max(map(abs, weight.coefficient.values()))


def _take(polynomial: Polynomial, name: str) -> Polynomial:
    """Take the terms with a factor out of a polynomial: what the factor is multiplied by."""
    found: Polynomial = {}
    for factors in [each for each in polynomial if name in each]:
        others = list(factors)
        others.remove(name)
        found[tuple(others)] = polynomial.pop(factors)
    return found


def _polynomial(address: ObjectAddress) -> Polynomial | None:
    total: Polynomial = {(): address.constant} if address.constant else {}
    for term in address.terms:
        part = _of_value(term.value, 0)
        if part is None:
            return None
        total = _sum(total, _times(part, {(): term.stride}))
    return total


def _of_value(value: Value, depth: int) -> Polynomial | None:
    """An integer as a polynomial; None if it isn't one of numbers that are known."""
    if depth > _LARGEST or value.type.bits < _NARROWEST:
        return None
    if isinstance(value, Constant):
        return {(): value.integer} if value.kind == "int" and value.integer else {} if value.kind == "int" else None
    if isinstance(value, Argument):
        return {(str(value.name),): 1} if value.type.is_int and value.name else None
    if not isinstance(value, Instruction):
        return None
    if value.op in _PASSED_ON:
        return _of_value(value.operands[0], depth + 1)
    if value.op == "call":
        name = value.callee.removeprefix(_REGISTER)
        return {(name,): 1} if value.callee.startswith(_REGISTER) and name in _KNOWN else None
    if value.op not in ("add", "sub", "mul", "shl", "or"):
        return None
    a, b = (_of_value(each, depth + 1) for each in value.operands)
    if a is None or b is None:
        return None
    if value.op == "shl":
        return _times(a, {(): 1 << b.get((), 0)}) if set(b) <= {()} and b.get((), 0) < 32 else None
    if value.op == "or":
        return _sum(a, b) if "disjoint" in value.flags else None
    if value.op == "mul":
        return _times(a, b)
    return _sum(a, b if value.op == "add" else _times(b, {(): -1}))


def _sum(a: Polynomial, b: Polynomial) -> Polynomial:
    found = dict(a)
    for factors, by in b.items():
        found[factors] = found.get(factors, 0) + by
    return {factors: by for factors, by in found.items() if by}


def _times(a: Polynomial, b: Polynomial) -> Polynomial:
    found: Polynomial = {}
    for left, by in a.items():
        for right, times in b.items():
            factors = tuple(sorted((*left, *right)))
            found[factors] = found.get(factors, 0) + by * times
    return {factors: by for factors, by in found.items() if by}
