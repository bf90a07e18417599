# SPDX-License-Identifier: Apache-2.0
"""Terms as Z3's expressions.

An atom without meaning in the theory of bit vectors, such as a load, a floating-point function, or a product of two
unknowns, becomes a variable. That only allows more values, so proofs remain valid.

A *rough* translation also makes a variable of every sum. `sext(i + j * n + 2) = sext(i + j * n) + 2` holds, unless it
wraps round, for any sum; its proof then takes 2 ms instead of 300.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, final

from lanewise.ptx.symbolic.terms import Atom, Monomial, Term
from lanewise.ptx.symbolic.z3_module import z3


@final
class Translator:
    """Translates terms, finds their variables, and prints them with other names for the variables."""

    def __init__(self, rough: bool) -> None:
        self._rough: Final = rough
        self._expressions: dict[Term, Any] = {}
        self._variables: dict[Term, frozenset[str]] = {}

    def expression(self, term: Term) -> Any:
        found = self._expressions.get(term)
        if found is None:
            found = z3().BitVecVal(term.constant, term.width)
            for name, factor, atom in self._parts(term):
                value = self._atom(atom) if atom is not None else z3().BitVec(name, term.width)
                found = found + (value if factor == 1 else z3().BitVecVal(factor, term.width) * value)
            self._expressions[term] = found
        return found

    def variables(self, term: Term) -> frozenset[str]:
        """Names of the variables in its expression."""
        found = self._variables.get(term)
        if found is None:
            names: set[str] = set()
            for name, _, atom in self._parts(term):
                if atom is None:
                    names.add(name)
                else:
                    names.update(*(self.variables(argument) for argument in atom.args))
            found = self._variables[term] = frozenset(names)
        return found

    def text(self, term: Term, names: dict[str, str]) -> str:
        """Its expression as text, with `names` for variables. New variables are added to `names`."""
        parts = [str(term.constant)]
        for name, factor, atom in self._parts(term):
            if atom is None:
                value = names.setdefault(name, f"v{len(names)}")
            else:
                value = f"{atom.op}{atom.width}({', '.join(self.text(argument, names) for argument in atom.args)})"
            parts.append(f"{factor}*{value}")
        return f"[{term.width}: {' + '.join(parts)}]"

    def _parts(self, term: Term) -> list[tuple[str, int, Atom | None]]:
        """Summands of a term: a variable or an operation that Z3 knows, and its factor."""
        if self._rough and len(term.parts) > 1 and term.width == 32:
            return [(_sum_name(term), 1, None)]
        found: list[tuple[str, int, Atom | None]] = []
        for monomial, factor in term.parts:
            first, *others = monomial
            if others:
                found.append((_product_name(monomial), factor, None))
            elif first.op in _TRANSLATIONS:
                found.append(("", factor, first))
            else:
                found.append((_variable_name(first), factor, None))
        return found

    def _atom(self, atom: Atom) -> Any:
        return _TRANSLATIONS[atom.op](z3(), atom, [self.expression(argument) for argument in atom.args])


def _variable_name(atom: Atom) -> str:
    return atom.name if atom.op == "symbol" else f"{atom.op} {atom.name} {atom.number}"


def _sum_name(term: Term) -> str:
    return " + ".join(f"{factor} * {_product_name(monomial)}" for monomial, factor in term.parts)


def _product_name(monomial: Monomial) -> str:
    return " * ".join(str(atom.number) for atom in monomial)


def _bit(z3: Any, condition: Any) -> Any:
    return z3.If(condition, z3.BitVecVal(1, 1), z3.BitVecVal(0, 1))


def _shift(z3: Any, args: list[Any], shifted: Callable[[Any, Any], Any]) -> Any:
    """PTX clamps the amount, which has 32 bits, to the width; SMT-LIB's shifts have the same result for larger
    amounts."""
    value, amount = args
    width, bits = value.size(), amount.size()
    if bits < width:
        amount = z3.ZeroExt(width - bits, amount)
    elif bits > width:
        amount = z3.If(z3.UGE(amount, width), z3.BitVecVal(width, width), z3.Extract(width - 1, 0, amount))
    return shifted(value, amount)


_TRANSLATIONS: Final[dict[str, Callable[[Any, Atom, list[Any]], Any]]] = {
    "sext": lambda z3, atom, args: z3.SignExt(atom.width - args[0].size(), args[0]),
    "zext": lambda z3, atom, args: z3.ZeroExt(atom.width - args[0].size(), args[0]),
    "trunc": lambda z3, atom, args: z3.Extract(atom.width - 1, 0, args[0]),
    "and": lambda z3, _, args: args[0] & args[1],
    "or": lambda z3, _, args: args[0] | args[1],
    "xor": lambda z3, _, args: args[0] ^ args[1],
    "shl": lambda z3, _, args: _shift(z3, args, lambda a, b: a << b),
    "lshr": lambda z3, _, args: _shift(z3, args, z3.LShR),
    "ashr": lambda z3, _, args: _shift(z3, args, lambda a, b: a >> b),
    "udiv": lambda z3, _, args: z3.UDiv(args[0], args[1]),
    "urem": lambda z3, _, args: z3.URem(args[0], args[1]),
    "sdiv": lambda z3, _, args: args[0] / args[1],
    "srem": lambda z3, _, args: z3.SRem(args[0], args[1]),
    "umin": lambda z3, _, args: z3.If(z3.ULT(args[0], args[1]), args[0], args[1]),
    "umax": lambda z3, _, args: z3.If(z3.ULT(args[0], args[1]), args[1], args[0]),
    "smin": lambda z3, _, args: z3.If(args[0] < args[1], args[0], args[1]),
    "smax": lambda z3, _, args: z3.If(args[0] < args[1], args[1], args[0]),
    "ult": lambda z3, _, args: _bit(z3, z3.ULT(args[0], args[1])),
    "slt": lambda z3, _, args: _bit(z3, args[0] < args[1]),
    "eq": lambda z3, _, args: _bit(z3, args[0] == args[1]),
    "ite": lambda z3, _, args: z3.If(args[0] == 1, args[1], args[2]),
}  # fmt: skip
"""Operations that Z3 knows. Division by 0, which PTX leaves open, has a value like any other."""
