# SPDX-License-Identifier: Apache-2.0
"""The elements that the references of a call touch, in words: their linear memory access descriptors.

`read a[2 * i]: 8 bytes at 0 + 16 i, i < 1000` has a base, a stride and a count of iterations for each loop, in bytes
from the array's first element.

Source: unpython-jit4gpu, 4.2.
"""

import ast
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from lanewise.frontend.python.references import ReferenceOfRegion
from lanewise.jit.nests import CallNest
from lanewise.transfer.affine import AffineForm
from lanewise.transfer.nest import ArrayReference, NormalNest, normalise

_VERBS: Final = {"read": "read", "write": "write", "update": "read and write"}


class DescribedReference(NamedTuple):
    """The elements that a reference touches, in words, and its line; 0 for one that stands nowhere in the source."""

    line: int
    shown: str


def described(references: Sequence[ReferenceOfRegion], nest: CallNest) -> tuple[DescribedReference, ...]:
    """The references of a region, in order, with the numbers of a call; equal ones once."""
    loops = normalise(nest.loops)
    made = (_described(of, each, loops) for of, each in zip(references, nest.references, strict=True))
    return tuple(dict.fromkeys(made))


def _described(of: ReferenceOfRegion, reference: ArrayReference, loops: NormalNest) -> DescribedReference:
    text = of.array if of.node is None else ast.unparse(of.node)
    maybe = "perhaps " if reference.conditional and reference.subscripts is not None else ""
    start = f"{maybe}{_VERBS[reference.access]} {text}: "
    line = 0 if of.node is None else of.node.lineno
    address = reference.address()
    if address is None:
        return DescribedReference(line, f"{start}no affine subscripts, so all of {of.array}")
    address = address.replace(loops.variables).plus(-reference.array.address)
    terms = dict(sorted(address.terms, key=lambda term: -abs(term[1])))
    counts = ", ".join(_counts(reference, loops, address))
    at = "".join([str(address.constant), *(f" {'-' if c < 0 else '+'} {abs(c)} {name}" for name, c in terms.items())])
    size = reference.array.itemsize
    return DescribedReference(line, f"{start}{size} bytes at {at}{', ' if counts else ''}{counts}")


def _counts(reference: ArrayReference, loops: NormalNest, address: AffineForm) -> Iterator[str]:
    """The iterations of each loop that the address steps with; the most of them, if they depend on other loops."""
    hull = loops.hull(reference.around)
    for loop in loops.chosen(reference.around):
        if address.coefficient(loop.name) and loop.name in hull:
            yield f"{loop.name} < {hull[loop.name][1]}{' or less' if loop.extent.terms else ''}"
