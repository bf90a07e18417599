# SPDX-License-Identifier: Apache-2.0
"""Operations on terms other than sums and products. Each folds known operands and is otherwise an atom.

The names are those of SMT-LIB's bit vectors, if there are any; `translation.py` maps them to Z3. Comparisons and
predicates are terms of one bit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from lanewise.ptx.symbolic.terms import Term, Terms, signed


def _truncated_quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


# On numbers from 0 to 2^width - 1; the result is taken modulo 2^width. None: PTX leaves it open.
_FOLDED: Final[dict[str, Callable[[int, int, int], int | None]]] = {
    "and": lambda a, b, _: a & b,
    "or": lambda a, b, _: a | b,
    "xor": lambda a, b, _: a ^ b,
    "shl": lambda a, b, width: a << b if b < width else 0,
    "lshr": lambda a, b, width: a >> b if b < width else 0,
    "ashr": lambda a, b, width: signed(a, width) >> min(b, width - 1),
    "udiv": lambda a, b, _: a // b if b else None,
    "urem": lambda a, b, _: a % b if b else None,
    "sdiv": lambda a, b, w: _truncated_quotient(signed(a, w), signed(b, w)) if b else None,
    "srem": lambda a, b, w: (
        signed(a, w) - signed(b, w) * _truncated_quotient(signed(a, w), signed(b, w)) if b else None
    ),
    "umin": lambda a, b, _: min(a, b),
    "umax": lambda a, b, _: max(a, b),
    "smin": lambda a, b, w: min(signed(a, w), signed(b, w)),
    "smax": lambda a, b, w: max(signed(a, w), signed(b, w)),
    "ult": lambda a, b, _: int(a < b),
    "slt": lambda a, b, w: int(signed(a, w) < signed(b, w)),
    "eq": lambda a, b, _: int(a == b),
}
COMPARISONS: Final = frozenset({"ult", "slt", "eq"})
_COMMUTATIVE: Final = frozenset({"and", "or", "xor", "umin", "umax", "smin", "smax"})


class Operations:
    """The constructors, for one set of terms."""

    def __init__(self, terms: Terms) -> None:
        self.terms: Final = terms
        terms.makers.update(
            {
                "sext": lambda width, args: self.extend("sext", args[0], width),
                "zext": lambda width, args: self.extend("zext", args[0], width),
                "trunc": lambda width, args: terms.truncate(args[0], width),
                "mul": lambda _, args: terms.multiply(args[0], args[1]),
                "ite": lambda _, args: self.choose(args[0], args[1], args[2]),
                **{op: self._maker(op) for op in _FOLDED},
            }
        )

    def _maker(self, op: str) -> Callable[[int, tuple[Term, ...]], Term]:
        return lambda _, args: self.binary(op, args[0], args[1])

    # -- widths ------------------------------------------------------------------------------------------------

    def extend(self, op: str, a: Term, width: int) -> Term:
        """`sext` or `zext` to `width` bits; a smaller width truncates."""
        if width <= a.width:
            return self.terms.truncate(a, width)
        if a.value is not None:
            return self.terms.constant(width, signed(a.value, a.width) if op == "sext" else a.value)
        atom = a.atom
        if atom is not None and atom.op == "zext":  # its highest bit is 0
            return self.extend("zext", atom.args[0], width)
        if atom is not None and atom.op == op:
            return self.extend(op, atom.args[0], width)
        return self.terms.apply(op, width, (a,))

    # -- two operands ------------------------------------------------------------------------------------------

    def binary(self, op: str, a: Term, b: Term) -> Term:
        """`op` on two terms of one width; the amount of a shift may have another width. A comparison has one bit."""
        width = 1 if op in COMPARISONS else a.width
        if a.value is not None and b.value is not None:
            folded = _FOLDED[op](a.value, b.value, a.width)
            if folded is not None:
                return self.terms.constant(width, folded)
        if op in _COMMUTATIVE and a.value is not None:
            a, b = b, a
        simpler = self._simplified(op, a, b)
        return simpler if simpler is not None else self.terms.apply(op, width, (a, b))

    def _simplified(self, op: str, a: Term, b: Term) -> Term | None:
        terms, number = self.terms, b.value
        if op == "shl" and number is not None:
            return terms.scale(a, 1 << number) if number < a.width else terms.constant(a.width, 0)
        if op in ("lshr", "ashr") and number == 0:
            return a
        if op == "eq":
            return self._equal(a, b)
        if a is b:
            if op in ("and", "or", "umin", "umax", "smin", "smax"):
                return a
            if op in ("xor", "ult", "slt"):
                return terms.constant(1 if op in COMPARISONS else a.width, 0)
        if number is None:
            return None
        if op in ("or", "xor") and _apart(a, number):
            return terms.add(a, b)
        if op == "xor" and number == (1 << a.width) - 1:
            return terms.complement(a)
        if op == "and":
            if number == 0:
                return b
            if number == (1 << a.width) - 1:
                return a
        if op == "udiv" and number == 1:
            return a
        return None

    def _equal(self, a: Term, b: Term) -> Term | None:
        difference = self.terms.subtract(a, b)
        if difference.value is not None:
            return self.terms.constant(1, int(difference.value == 0))
        opposite = self.terms.scale(difference, -1)
        if opposite.parts[0][1] < difference.parts[0][1]:
            difference = opposite
        return self.terms.apply("eq", 1, (difference, self.terms.constant(difference.width, 0)))

    # -- predicates --------------------------------------------------------------------------------------------

    def negated(self, a: Term) -> Term:
        """The negation of a predicate: p + 1 modulo 2. The normal form of its negation is `a` again."""
        return self.terms.complement(a)

    def choose(self, condition: Term, a: Term, b: Term) -> Term:
        if condition.value is not None:
            return a if condition.value else b
        if a is b:
            return a
        if condition.constant:  # of a negated predicate
            condition, a, b = self.negated(condition), b, a
        return self.terms.apply("ite", a.width, (condition, a, b))


def _apart(a: Term, number: int) -> bool:
    """True if no bit of `number` can be set in `a`: all of `a` is a multiple of a higher power of two, or the constant
    part shares no bit with it."""
    step = min((coefficient & -coefficient for _, coefficient in a.parts), default=1 << a.width)
    low = step - 1
    return number <= low and not (a.constant & low & number)
