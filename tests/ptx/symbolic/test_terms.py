# SPDX-License-Identifier: Apache-2.0
"""Terms against numbers: random expressions are made as terms and reckoned in whole numbers; the term, its Z3
expression, its neighbour and its rough translation must agree."""

from __future__ import annotations

import random
from typing import Any, cast

import pytest
import z3

from lanewise.ptx.symbolic.operations import Operations
from lanewise.ptx.symbolic.terms import Differs, Term, Terms
from lanewise.ptx.symbolic.translation import Translator

from .evaluation import BINARY, as_signed, value_of

_SYMBOLS = (("x", Differs.BY_PLACE), ("y", Differs.BY_ROW), ("n", Differs.NOT), ("u", Differs.FREELY))
_WIDTHS = (8, 16, 32, 64)
_INTERESTING = (0, 1, 2, 3, 4, 7, 8, 31, 32, 33, 63, 64, 255, -1, -2, -4, 1 << 7, 1 << 15, 1 << 31, (1 << 31) - 1)


class _Writer:
    """A random expression as a term, and as a function of the values of its symbols."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.terms = Terms()
        self.operations = Operations(self.terms)

    def number(self, width: int) -> int:
        number = self.rng.choice((*_INTERESTING, self.rng.getrandbits(width)))
        return number & ((1 << width) - 1)

    def make(self, width: int, depth: int) -> tuple[Term, Any]:
        rng, terms, operations = self.rng, self.terms, self.operations
        mask = (1 << width) - 1
        choice = rng.randrange(10) if depth else rng.randrange(2)
        if choice == 0:
            number = self.number(width)
            return terms.constant(width, number), lambda _: number
        if choice == 1:
            name, differs = rng.choice(_SYMBOLS)
            key = f"{name}{width}"
            return terms.symbol(key, width, differs), lambda symbols: symbols[key]
        if choice == 2:
            other = rng.choice([w for w in _WIDTHS if w != width])
            inner, value = self.make(other, depth - 1)
            op = rng.choice(("sext", "zext"))
            if other > width:
                return operations.extend(op, inner, width), lambda s: value(s) & mask
            if op == "zext":
                return operations.extend(op, inner, width), value
            return operations.extend(op, inner, width), lambda s: as_signed(value(s), other) & mask
        if choice == 3:
            inner, value = self.make(width, depth - 1)
            return terms.complement(inner), lambda s: ~value(s) & mask
        if choice == 4:
            compared = rng.choice(_WIDTHS)
            op = rng.choice(("ult", "slt", "eq"))
            (a, p), (b, q) = self.make(compared, depth - 1), self.make(compared, depth - 1)
            (t, v), (f, w) = self.make(width, depth - 1), self.make(width, depth - 1)
            condition, negated = operations.binary(op, a, b), rng.random() < 0.5
            if negated:
                condition = operations.negated(condition)

            def chosen(s: Any) -> int:
                return v(s) if bool(BINARY[op](p(s), q(s), compared)) is not negated else w(s)

            return operations.choose(condition, t, f), chosen
        op = rng.choice([name for name in BINARY if name not in ("ult", "slt", "eq")])
        (a, p), (b, q) = self.make(width, depth - 1), self.make(width, depth - 1)
        if op in ("add", "subtract", "multiply"):
            return getattr(terms, op)(a, b), lambda s: BINARY[op](p(s), q(s), width) & mask
        return operations.binary(op, a, b), lambda s: BINARY[op](p(s), q(s), width) & mask

    def values(self) -> dict[str, int]:
        return {f"{name}{width}": self.number(width) for name, _ in _SYMBOLS for width in _WIDTHS}


def _z3_value(translator: Translator, term: Term, symbols: dict[str, int]) -> int:
    expression = translator.expression(term)
    pairs = [
        (z3.BitVec(key, width), z3.BitVecVal(symbols[key], width))
        for name, _ in _SYMBOLS
        for width in _WIDTHS
        for key in (f"{name}{width}",)
    ]
    return cast(Any, z3.simplify(z3.substitute(expression, *pairs))).as_long()


@pytest.mark.parametrize("seed", range(40))
def test_terms_are_the_numbers_that_they_stand_for(seed: int) -> None:
    writer = _Writer(seed)
    for _ in range(30):
        width = writer.rng.choice(_WIDTHS)
        term, value = writer.make(width, 4)
        assert term.width == width
        for _ in range(6):
            symbols = writer.values()
            assert value_of(term, symbols) == value(symbols)


def _has_products(term: Term) -> bool:
    """A product of unknowns, which becomes a variable for Z3."""
    return any(
        len(monomial) > 1 or any(atom.op == "mul" or any(map(_has_products, atom.args)) for atom in monomial)
        for monomial, _ in term.parts
    )


@pytest.mark.parametrize("seed", range(100, 115))
def test_expressions_of_z3_are_the_same_numbers(seed: int) -> None:
    writer, compared = _Writer(seed), 0
    for _ in range(40):
        term, value = writer.make(writer.rng.choice(_WIDTHS), 3)
        if _has_products(term):
            continue
        for _ in range(2):
            symbols = writer.values()
            assert _z3_value(Translator(rough=False), term, symbols) == value(symbols)
            compared += 1
    assert compared > 20


@pytest.mark.parametrize("seed", range(200, 230))
def test_a_neighbours_value_is_that_of_its_place(seed: int) -> None:
    """Where nothing is each lane's own: x + n for x."""
    writer = _Writer(seed)
    for _ in range(30):
        term, _ = writer.make(writer.rng.choice(_WIDTHS), 4)
        if term.differs is Differs.FREELY:
            continue
        n = writer.rng.randint(-31, 31)
        symbols = writer.values()
        moved = symbols | {f"x{width}": symbols[f"x{width}"] + n & ((1 << width) - 1) for width in _WIDTHS}
        assert value_of(writer.terms.neighbour(term, n), symbols) == value_of(term, moved)
        if term.differs <= Differs.BY_ROW:
            assert writer.terms.neighbour(term, n) is term


def test_what_is_each_lanes_own_has_another_name_in_another_lane() -> None:
    terms = Terms()
    own = terms.symbol("u", 32, Differs.FREELY)
    assert terms.neighbour(own, 1) is not own
    assert terms.neighbour(own, 1) is not terms.neighbour(own, 2)


@pytest.mark.parametrize("seed", range(300, 320))
def test_replacing_symbols_is_putting_values(seed: int) -> None:
    writer = _Writer(seed)
    for _ in range(20):
        term, _ = writer.make(writer.rng.choice(_WIDTHS), 4)
        replacements = {}
        symbols = writer.values()
        changed = dict(symbols)
        for width in _WIDTHS:
            other, value = writer.make(width, 1)
            replacements[writer.terms.symbol(f"n{width}", width, Differs.NOT)] = other
            changed[f"n{width}"] = value(symbols)
        found = writer.terms.replaced(term, replacements, {})
        assert value_of(found, symbols) == value_of(term, changed)


def test_equal_polynomials_are_one_object() -> None:
    terms = Terms()
    x, y = terms.symbol("x", 32, Differs.NOT), terms.symbol("y", 32, Differs.NOT)
    one = terms.multiply(terms.plus(x, 3), terms.plus(y, -1))
    two = terms.add(terms.subtract(terms.multiply(x, y), x), terms.scale(terms.plus(y, -1), 3))
    assert one is two


@pytest.mark.parametrize("seed", range(400, 410))
def test_a_rough_translation_only_allows_more(seed: int) -> None:
    """Of two terms that it says are always equal, the values are."""
    writer = _Writer(seed)
    translator = Translator(rough=True)
    proven = 0
    for _ in range(25):
        a, _ = writer.make(64, 3)
        b = writer.terms.plus(a, writer.rng.choice((0, 0, 4)))
        solver = z3.SolverFor("QF_BV")
        solver.set("timeout", 500)
        solver.add(translator.expression(a) != translator.expression(b))
        if solver.check() == z3.unsat:
            proven += 1
            for _ in range(5):
                symbols = writer.values()
                assert value_of(a, symbols) == value_of(b, symbols)
    assert proven
