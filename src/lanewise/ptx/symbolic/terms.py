# SPDX-License-Identifier: Apache-2.0
"""Symbolic bit vectors: values of registers, as functions of unknowns.

A term is a polynomial with coefficients modulo 2^width over *atoms*: symbols, such as `%tid.x` or a parameter, and
applications of operations other than sums and products, such as sign extension or a load. Sums, differences, products,
shifts by constants and complements are thus in normal form: equal polynomials are one object, and most questions about
addresses are answered by subtracting.

Each atom records its variation between the lanes of a warp. It may be the same for all, a function of the lane's place,
or arbitrary. For a function of the place, substituting %tid.x + n for %tid.x yields the neighbour's value.

Source: PTXASW (CC 2023), 4.1 "Instruction Encoding": concrete and symbolic bit vectors, uninterpreted functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import IntEnum
from typing import Final, final

MOST_MONOMIALS: Final = 24
"""Limit on monomials: a product with more is kept as one atom. Addresses have up to about eight."""


class Differs(IntEnum):
    """Variation of a value between the lanes of a warp that execute an instruction together."""

    NOT = 0
    BY_ROW = 1
    """The same for lanes of one row of the block: a function of %tid.y and %tid.z."""
    BY_PLACE = 2
    """A function of %tid.x (or the lane's number) and of values that are the same in a row."""
    FREELY = 3
    """Nothing is known about another lane's value."""


@final
class Atom:
    """`op` of `args`; symbols have none and a `name`."""

    __slots__ = ("args", "differs", "loops", "name", "number", "op", "width")

    def __init__(
        self, op: str, width: int, name: str, args: tuple[Term, ...], number: int, differs: Differs,
        loops: frozenset[int],
    ) -> None:  # fmt: skip
        self.op: Final = op
        self.width: Final = width
        self.name: Final = name
        """Name of a symbol or an uninterpreted function; for a load, the state space and its version."""
        self.args: Final = args
        self.number: Final = number
        """Number in order of creation, which is the order in normal forms."""
        self.differs: Final = differs
        self.loops: Final = loops
        """Headers of the loops whose iteration it depends on."""


Monomial = tuple[Atom, ...]


@final
class Term:
    """`constant + sum of coefficient * product of atoms`, modulo 2^width. One object for equal polynomials."""

    __slots__ = ("constant", "differs", "loops", "parts", "width")

    def __init__(self, width: int, constant: int, parts: tuple[tuple[Monomial, int], ...]) -> None:
        self.width: Final = width
        self.constant: Final = constant
        self.parts: Final = parts
        atoms = [atom for monomial, _ in parts for atom in monomial]
        self.differs: Final = max((atom.differs for atom in atoms), default=Differs.NOT)
        self.loops: Final[frozenset[int]] = frozenset().union(*(atom.loops for atom in atoms))

    @property
    def value(self) -> int | None:
        """The number, if the term is constant; otherwise None."""
        return None if self.parts else self.constant

    @property
    def atom(self) -> Atom | None:
        """The atom, if the term is just one; otherwise None."""
        if not self.constant and len(self.parts) == 1 and self.parts[0][1] == 1 and len(self.parts[0][0]) == 1:
            return self.parts[0][0][0]
        return None

    def atoms(self) -> Iterable[Atom]:
        """Its atoms, without those nested in them."""
        return dict.fromkeys(atom for monomial, _ in self.parts for atom in monomial)


def signed(value: int, width: int) -> int:
    """The number that `width` bits represent in two's complement."""
    return value - (1 << width) if value >> (width - 1) & 1 else value


@final
class Terms:
    """Makes terms, one object per polynomial."""

    def __init__(self) -> None:
        self._terms: dict[tuple[int, int, tuple[tuple[Monomial, int], ...]], Term] = {}
        self._atoms: dict[tuple[str, int, str, tuple[Term, ...]], Term] = {}
        self._count = 0
        self._neighbours: dict[tuple[Term, int], Term] = {}
        self.makers: Final[dict[str, Callable[[int, tuple[Term, ...]], Term]]] = {}
        """Constructors of operations that simplify; neighbours' values are made with these."""

    # -- terms -------------------------------------------------------------------------------------------------

    def constant(self, width: int, value: int) -> Term:
        return self._term(width, value & ((1 << width) - 1), ())

    def _term(self, width: int, constant: int, parts: tuple[tuple[Monomial, int], ...]) -> Term:
        key = (width, constant, parts)
        found = self._terms.get(key)
        if found is None:
            found = self._terms[key] = Term(width, constant, parts)
        return found

    def _from(self, width: int, constant: int, parts: dict[Monomial, int]) -> Term:
        mask = (1 << width) - 1
        kept = [(monomial, coefficient & mask) for monomial, coefficient in parts.items() if coefficient & mask]
        kept.sort(key=lambda part: [atom.number for atom in part[0]])
        return self._term(width, constant & mask, tuple(kept))

    def symbol(self, name: str, width: int, differs: Differs, loops: frozenset[int] = frozenset()) -> Term:
        """An unknown value with a name. Equal name and width mean equal values."""
        return self._atom("symbol", width, name, (), differs, loops)

    def apply(self, op: str, width: int, args: tuple[Term, ...], name: str = "") -> Term:
        """The value of an operation as one atom, with the variation of its arguments."""
        differs = max((arg.differs for arg in args), default=Differs.NOT)
        loops = frozenset[int]().union(*(arg.loops for arg in args))
        return self._atom(op, width, name, args, differs, loops)

    def _atom(
        self, op: str, width: int, name: str, args: tuple[Term, ...], differs: Differs, loops: frozenset[int]
    ) -> Term:
        key = (op, width, name, args)
        found = self._atoms.get(key)
        if found is None:
            self._count += 1
            atom = Atom(op, width, name, args, self._count, differs, loops)
            found = self._atoms[key] = self._term(width, 0, (((atom,), 1),))
        return found

    def fresh(self, name: str, width: int) -> Term:
        """A value about which nothing is known, not even that it is the same in another lane."""
        self._count += 1
        return self.symbol(f"{name}'{self._count}", width, Differs.FREELY)

    # -- arithmetic --------------------------------------------------------------------------------------------

    def add(self, a: Term, b: Term) -> Term:
        if not b.parts:
            return self._term(a.width, (a.constant + b.constant) & ((1 << a.width) - 1), a.parts)
        parts = dict(a.parts)
        for monomial, coefficient in b.parts:
            parts[monomial] = parts.get(monomial, 0) + coefficient
        return self._from(a.width, a.constant + b.constant, parts)

    def plus(self, a: Term, number: int) -> Term:
        return self.add(a, self.constant(a.width, number)) if number else a

    def scale(self, a: Term, factor: int) -> Term:
        if factor == 1:
            return a
        return self._from(a.width, a.constant * factor, {m: c * factor for m, c in a.parts})

    def divided(self, a: Term, factor: int) -> Term:
        """`a` with constant and coefficients, as signed numbers, divided by a factor of all of them."""
        parts = {monomial: signed(coefficient, a.width) // factor for monomial, coefficient in a.parts}
        return self._from(a.width, signed(a.constant, a.width) // factor, parts)

    def subtract(self, a: Term, b: Term) -> Term:
        return self.add(a, self.scale(b, -1))

    def complement(self, a: Term) -> Term:
        """Bitwise complement: -a - 1."""
        return self.add(self.scale(a, -1), self.constant(a.width, -1))

    def multiply(self, a: Term, b: Term) -> Term:
        if not a.parts:
            return self.scale(b, a.constant)
        if not b.parts:
            return self.scale(a, b.constant)
        if (len(a.parts) + 1) * (len(b.parts) + 1) > MOST_MONOMIALS:
            first, second = sorted((a, b), key=_order)
            return self.apply("mul", a.width, (first, second))
        parts: dict[Monomial, int] = {}
        for m, c in (*a.parts, ((), a.constant)):
            for n, d in (*b.parts, ((), b.constant)):
                product = tuple(sorted((*m, *n), key=lambda atom: atom.number))
                parts[product] = parts.get(product, 0) + c * d
        return self._from(a.width, parts.pop((), 0), parts)

    def truncate(self, a: Term, width: int) -> Term:
        """The low bits. Truncation distributes over sums and products."""
        if width == a.width:
            return a
        total = self.constant(width, a.constant)
        for monomial, coefficient in a.parts:
            product = self.constant(width, coefficient)
            for atom in monomial:
                product = self.multiply(product, self._truncated(atom, width))
            total = self.add(total, product)
        return total

    def _truncated(self, atom: Atom, width: int) -> Term:
        if atom.op in ("sext", "zext"):
            inner = atom.args[0]
            if inner.width >= width:
                return self.truncate(inner, width)
            return self.apply(atom.op, width, atom.args)
        if atom.op == "trunc":
            return self.apply("trunc", width, atom.args)
        return self.apply("trunc", width, (self.of_atom(atom),))

    def of_atom(self, atom: Atom) -> Term:
        return self._term(atom.width, 0, (((atom,), 1),))

    def without_constant(self, a: Term) -> Term:
        return self._term(a.width, 0, a.parts)

    # -- other lanes -------------------------------------------------------------------------------------------

    def neighbour(self, a: Term, n: int) -> Term:
        """The value of `a` in the lane n places on: that of %tid.x + n, in the same row of the block."""
        if a.differs <= Differs.BY_ROW or n == 0:
            return a
        key = (a, n)
        found = self._neighbours.get(key)
        if found is None:
            found = self.constant(a.width, a.constant)
            for monomial, coefficient in a.parts:
                product = self.constant(a.width, coefficient)
                for atom in monomial:
                    product = self.multiply(product, self._neighbour_of(atom, n))
                found = self.add(found, product)
            self._neighbours[key] = found
        return found

    def _neighbour_of(self, atom: Atom, n: int) -> Term:
        itself = self.of_atom(atom)
        if atom.differs <= Differs.BY_ROW:
            return itself
        if not atom.args:
            if atom.differs is Differs.BY_PLACE:
                return self.add(itself, self.constant(atom.width, n))
            return self.symbol(f"{atom.name} of lane{n:+}", atom.width, Differs.FREELY)
        args = tuple(self.neighbour(arg, n) for arg in atom.args)
        maker = self.makers.get(atom.op)
        return maker(atom.width, args) if maker else self.apply(atom.op, atom.width, args, atom.name)

    # -- replacing ---------------------------------------------------------------------------------------------

    def replaced(self, a: Term, values: dict[Term, Term], known: dict[Term, Term]) -> Term:
        """`a` with terms substituted for some of its symbols. `known` caches results."""
        found = known.get(a)
        if found is None:
            found = self.constant(a.width, a.constant)
            for monomial, coefficient in a.parts:
                product = self.constant(a.width, coefficient)
                for atom in monomial:
                    product = self.multiply(product, self._replaced_atom(atom, values, known))
                found = self.add(found, product)
            known[a] = found
        return found

    def _replaced_atom(self, atom: Atom, values: dict[Term, Term], known: dict[Term, Term]) -> Term:
        itself = self.of_atom(atom)
        if itself in values:
            return values[itself]
        if not atom.args:
            return itself
        args = tuple(self.replaced(arg, values, known) for arg in atom.args)
        if args == atom.args:
            return itself
        maker = self.makers.get(atom.op)
        return maker(atom.width, args) if maker else self.apply(atom.op, atom.width, args, atom.name)


def _order(term: Term) -> tuple[int, list[list[int]]]:
    return (term.constant, [[atom.number for atom in monomial] for monomial, _ in term.parts])


def symbols_of(term: Term) -> Iterable[Atom]:
    """All symbols in a term, those within its atoms included."""
    work = list(term.atoms())
    seen: set[Atom] = set()
    while work:
        atom = work.pop()
        if atom in seen:
            continue
        seen.add(atom)
        if not atom.args:
            yield atom
        for argument in atom.args:
            work += argument.atoms()
