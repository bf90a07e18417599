# SPDX-License-Identifier: Apache-2.0
"""Operations and terms in Python's whole numbers: an oracle that shares nothing with `operations.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lanewise.ptx.symbolic.terms import Atom, Term


def as_signed(value: int, width: int) -> int:
    return (value ^ (1 << (width - 1))) - (1 << (width - 1))


def _quotient(a: int, b: int, width: int) -> int:
    """Towards zero; by zero, what SMT-LIB says, which is one of the values that PTX allows."""
    x, y = as_signed(a, width), as_signed(b, width)
    if y == 0:
        return -1 if x >= 0 else 1
    magnitude = abs(x) // abs(y)
    return magnitude if (x >= 0) == (y > 0) else -magnitude


def _remainder(a: int, b: int, width: int) -> int:
    x, y = as_signed(a, width), as_signed(b, width)
    return x if y == 0 else x - y * _quotient(a, b, width)


BINARY: dict[str, Callable[[int, int, int], int]] = {
    "add": lambda a, b, w: a + b,
    "subtract": lambda a, b, w: a - b,
    "multiply": lambda a, b, w: a * b,
    "and": lambda a, b, w: a & b,
    "or": lambda a, b, w: a | b,
    "xor": lambda a, b, w: a ^ b,
    "shl": lambda a, b, w: a * 2**b if b < w else 0,
    "lshr": lambda a, b, w: a // 2**b if b < w else 0,
    "ashr": lambda a, b, w: as_signed(a, w) // 2 ** min(b, w),
    "udiv": lambda a, b, w: a // b if b else -1,
    "urem": lambda a, b, w: a % b if b else a,
    "sdiv": _quotient,
    "srem": _remainder,
    "umin": lambda a, b, w: min(a, b),
    "umax": lambda a, b, w: max(a, b),
    "smin": lambda a, b, w: a if as_signed(a, w) <= as_signed(b, w) else b,
    "smax": lambda a, b, w: b if as_signed(a, w) <= as_signed(b, w) else a,
    "ult": lambda a, b, w: int(a < b),
    "slt": lambda a, b, w: int(as_signed(a, w) < as_signed(b, w)),
    "eq": lambda a, b, w: int(a == b),
}


def value_of(term: Term, symbols: Mapping[str, int]) -> int:
    """The number that a term is for values of its symbols."""
    total = term.constant
    for monomial, coefficient in term.parts:
        product = coefficient
        for atom in monomial:
            product *= _value_of(atom, symbols)
        total += product
    return total & ((1 << term.width) - 1)


def _value_of(atom: Atom, symbols: Mapping[str, int]) -> int:
    if atom.op == "symbol":
        return symbols[atom.name]
    values = [value_of(argument, symbols) for argument in atom.args]
    mask = (1 << atom.width) - 1
    match atom.op:
        case "sext":
            return as_signed(values[0], atom.args[0].width) & mask
        case "zext":
            return values[0]
        case "trunc":
            return values[0] & mask
        case "mul":
            return values[0] * values[1] & mask
        case "ite":
            return values[1] if values[0] else values[2]
        case _:
            return BINARY[atom.op](values[0], values[1], atom.args[0].width) & mask
