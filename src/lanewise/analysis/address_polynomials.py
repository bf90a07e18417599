# SPDX-License-Identifier: Apache-2.0
"""Addresses as polynomials: the sum of a base, of products of values times constants, and of a constant, in bytes.

    %row = mul nsw i32 %i, %width
    %k = add nsw i32 %row, %x
    %wide = sext i32 %k to i64
    %q = getelementptr inbounds float, ptr %p, i64 %wide        %p + 4 sext(%i) sext(%width) + 4 sext(%x)

`a[(i + 1) * width + x]` is then what `a[i * width + x]` will be when `i` has become `i + 1`: one is the other with
another polynomial in place of `i`. Sums of `addresses.py` have no products of values, of which this can't be seen.

Two addresses that are both accessed, and whose polynomials differ in the constant alone, are at that distance from each
other. An address that nobody accesses may be another one than its polynomial.

Method
    Address computations are followed down to a value that is none, the base. Sums and products of 64 bits make a ring,
    as addresses do. Those of 32 bits and more are followed as if they never wrapped: an array has less than 2^32
    elements (`addresses.py`), so that an index that wrapped and one that didn't can't both be in it. Narrower ones are
    followed if their flags say that they don't wrap.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple, final

from lanewise.analysis.addresses import constant_fields, stays_extended
from lanewise.analysis.shapes import strides
from lanewise.ir.instruction import Instruction
from lanewise.ir.layout import field_offsets, resolve, size_of
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value

_MOST_DEPTH: Final = 8
"""Limit on sums and products within each other that are followed."""
_MOST_TERMS: Final = 12
"""Limit on the terms of a product that is multiplied out."""
_CASTS: Final = frozenset({"addrspacecast", "bitcast"})
_FOLLOWED: Final = frozenset({"add", "sub", "mul", "shl"})


class Factor(NamedTuple):
    """A value, extended to 64 bits, and its power."""

    extension: str
    """`sext`, `zext`, or empty for a value of 64 bits."""
    value: Value
    power: int


Product = frozenset[Factor]
"""Values that are multiplied; none for the number 1."""
Polynomial = dict[Product, int]
_ONE: Final[Product] = frozenset()


class PolynomialAddress(NamedTuple):
    """The base, products with their factors in bytes, and a constant number of bytes."""

    base: Value
    terms: frozenset[tuple[Product, int]]
    offset: int

    @property
    def start(self) -> "PolynomialAddress":
        """The same address without its constant: equal for all addresses at known distances from each other."""
        return PolynomialAddress(self.base, self.terms, 0)

    @property
    def parts(self) -> list[Value]:
        """The values that the address is computed from."""
        return [self.base, *(factor.value for product, _ in self.terms for factor in product)]


@final
class Polynomials:
    """The polynomials of a function's addresses, and of values in them; each is computed once. They hold as long as
    nobody changes an operation on integers or addresses."""

    def __init__(self, types: Mapping[str, Type | None]) -> None:
        self._types: Final = types
        self._known: Final[dict[tuple[Value, str], Polynomial]] = {}

    def forget(self) -> None:
        """Forget all polynomials."""
        self._known.clear()

    def address_of(self, pointer: Value) -> PolynomialAddress:
        """The polynomial that an address is, as far as its computation is followed, also through casts. An address in
        code that isn't reached may be computed from itself; it is followed once around."""
        types = self._types
        terms: Polynomial = {}
        followed: set[Value] = set()
        while pointer not in followed:
            followed.add(pointer)
            if isinstance(pointer, Instruction) and pointer.op == "getelementptr" and not pointer.type.is_vector:
                _add(terms, {_ONE: constant_fields(pointer, types)}, 1)
                for index, size in strides(pointer, types):
                    if size:
                        extension = "" if index.type.bits == 64 else "sext"
                        _add(terms, self._polynomial(index, extension, _MOST_DEPTH), size)
                pointer = pointer.operands[0]
            elif isinstance(pointer, Instruction) and pointer.op in _CASTS and pointer.operands[0].type.is_pointer:
                pointer = pointer.operands[0]
            elif isinstance(pointer, Constant) and pointer.kind == "expr" and pointer.operands[0].type.is_pointer:
                offset = 0 if pointer.opcode in _CASTS else _constant_offset(pointer, types)
                if offset is None:
                    break
                _add(terms, {_ONE: offset}, 1)
                pointer = pointer.operands[0]
            else:
                break
        return _address(pointer, terms)

    def replaced(self, address: PolynomialAddress, values: Mapping[Value, Value]) -> PolynomialAddress:
        """The address with other values in place of some: those that phis have on an edge."""
        terms: Polynomial = {_ONE: address.offset}
        for product, factor in address.terms:
            kept = frozenset(each for each in product if each.value not in values)
            new: Polynomial = {kept: 1}
            for extension, value, power in product - kept:
                by = self._polynomial(values[value], extension, _MOST_DEPTH)
                for _ in range(power):
                    new = _product(new, by)
            _add(terms, new, factor)
        base = address.base
        if base in values:
            below = self.address_of(values[base])
            _add(terms, {**dict(below.terms), _ONE: below.offset}, 1)
            base = below.base
        return _address(base, terms)

    def _polynomial(self, value: Value, extension: str, depth: int) -> Polynomial:
        """The polynomial that a value with an extension is."""
        if isinstance(value, Constant):
            if value.kind != "int":
                return {frozenset({Factor(extension, value, 1)}): 1}
            signed = extension != "zext" or value.type.bits >= 32
            return {_ONE: value.integer if signed else value.integer % (1 << value.type.bits)}
        known = self._known.get((value, extension))
        if known is None:
            made = self._new(value, extension, depth) if isinstance(value, Instruction) and depth else None
            known = {frozenset({Factor(extension, value, 1)}): 1} if made is None else made
            self._known[value, extension] = known
        return known

    def _new(self, value: Instruction, extension: str, depth: int) -> Polynomial | None:
        """The polynomial of a sum, a product or an extended value; None if it isn't followed."""
        op = value.op
        if not extension and op in ("sext", "zext"):
            signed = op == "sext" or "nneg" in value.flags
            return self._polynomial(value.operands[0], "sext" if signed else "zext", depth - 1)
        if op == "or":
            is_exact = "disjoint" in value.flags
        else:
            is_exact = op in _FOLLOWED and (value.type.bits >= 32 or stays_extended(value, extension))
        if not is_exact:
            return None
        a, b = value.operands
        left = self._polynomial(a, extension, depth - 1)
        if op == "shl":
            if not isinstance(b, Constant) or b.kind != "int" or not 0 <= b.integer < value.type.bits:
                return None
            return {product: factor << b.integer for product, factor in left.items()}
        right = self._polynomial(b, extension, depth - 1)
        if op == "mul":
            if len(right) == 1 and _ONE in right:
                return {product: factor * right[_ONE] for product, factor in left.items()}
            return _product(left, right) if len(left) * len(right) <= _MOST_TERMS else None
        made = dict(left)
        _add(made, right, -1 if op == "sub" else 1)
        return made


def _address(base: Value, terms: Polynomial) -> PolynomialAddress:
    offset = terms.pop(_ONE, 0)
    return PolynomialAddress(base, frozenset((product, factor) for product, factor in terms.items() if factor), offset)


def _add(to: Polynomial, other: Polynomial, factor: int) -> None:
    for product, count in other.items():
        to[product] = to.get(product, 0) + count * factor


def _product(a: Polynomial, b: Polynomial) -> Polynomial:
    made: Polynomial = {}
    for x, m in a.items():
        for y, n in b.items():
            powers: dict[tuple[str, Value], int] = {}
            for extension, value, power in (*x, *y):
                powers[extension, value] = powers.get((extension, value), 0) + power
            product = frozenset(Factor(*key, power) for key, power in powers.items())
            made[product] = made.get(product, 0) + m * n
    return made


def _constant_offset(address: Constant, types: Mapping[str, Type | None]) -> int | None:
    """The bytes that a constant address computation adds; None if they aren't known."""
    current, offset = address.source_type, 0
    if address.opcode != "getelementptr" or current is None:
        return None
    for number, index in enumerate(address.operands[1:]):
        if not isinstance(index, Constant) or index.kind not in ("int", "zeroinitializer"):
            return None
        if number:
            current = resolve(current, types)
            if current.kind == "struct":
                offset += field_offsets(current, types)[0][index.integer]
                current = current.fields[index.integer]
                continue
            current = current.inner
        offset += index.integer * size_of(current, types)
    return offset
