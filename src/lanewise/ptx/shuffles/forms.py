# SPDX-License-Identifier: Apache-2.0
"""Addresses as `stem + constant`, with the stride from lane to lane.

`base + 4 * sext(i + 1)` and `base + 4 * sext(i) + 4` are the same address unless `i + 1` wraps round. So constants
within an extension are moved out of it, to find addresses that may be equal; `proof.py` then proves them equal.
"""

from typing import NamedTuple

from lanewise.ptx.symbolic.operations import Operations
from lanewise.ptx.symbolic.terms import Atom, Term, Terms, signed

EXTENSIONS = ("sext", "zext")


class Form(NamedTuple):
    """`stem + constant`; in the next lane `stem + constant + stride`, or an unknown address if `stride` is None."""

    stem: Term
    constant: int
    stride: int | None


def form_of(terms: Terms, operations: Operations, address: Term) -> Form:
    here = drawn_out(terms, operations, address)
    there = drawn_out(terms, operations, terms.neighbour(address, 1))
    step = terms.subtract(there, here)
    return Form(
        terms.without_constant(here), signed(here.constant, here.width),
        None if step.parts else signed(step.constant, step.width),
    )  # fmt: skip


def drawn_out(terms: Terms, operations: Operations, address: Term) -> Term:
    """An address with constants moved out of extensions."""
    total = terms.constant(address.width, address.constant)
    for monomial, coefficient in address.parts:
        product = terms.constant(address.width, coefficient)
        for atom in monomial:
            product = terms.multiply(product, _drawn_out(terms, operations, atom))
        total = terms.add(total, product)
    return total


def _drawn_out(terms: Terms, operations: Operations, atom: Atom) -> Term:
    if atom.op not in EXTENSIONS:
        return terms.of_atom(atom)
    inner = atom.args[0]
    rest = operations.extend(atom.op, terms.without_constant(inner), atom.width)
    return terms.add(rest, terms.constant(atom.width, signed(inner.constant, inner.width)))
