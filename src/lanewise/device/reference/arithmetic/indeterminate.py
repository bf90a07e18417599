# SPDX-License-Identifier: Apache-2.0
"""Values with undetermined bits: LLVM's `undef`, bit by bit, and `poison`.

Source: LLVM Language Reference, "Undefined Values", "Poison Values".

Every other runtime value is a plain Python object that Python's operators work on. An `Indeterminate` refuses them all
with a TypeError, so the functions that give the operations their meaning (`integers.py`, `floats.py`, ...) need no test
for it: they catch the TypeError and ask this module for the result.
"""

from __future__ import annotations

from typing import Any, Final, NoReturn, TypeAlias, final

from lanewise.device.reference.faults import Fault

Value: TypeAlias = Any
"""A runtime value, by its IR type:

    i1                         bool
    iN                         int, signed: from -2**(N-1) to 2**(N-1) - 1
    ptr                        int, the address: from 0 to 2**64 - 1
    half bfloat float double   float that the type can hold exactly (see floats.py about signalling NaNs)
    vector, array, struct      tuple of the elements' values
    any scalar                 Indeterminate
"""

ALL: Final = -1
"""Every bit, as a two's complement integer."""


@final
class Indeterminate:
    """A scalar some of whose bits are not determined."""

    __slots__ = ("bits", "poison", "unknown", "why")

    def __init__(self, why: str, *, poison: bool = False, bits: int = 0, unknown: int = ALL) -> None:
        self.why: Final = why
        """Origin of the value, for the message of a fault."""
        self.poison: Final = poison
        """Poison stays poison in all operations but select, phi and freeze."""
        self.bits: Final = bits
        """The value, signed, with zeros for the bits that are not known."""
        self.unknown: Final = unknown
        """The bits that are not determined, sign-extended like a value of the type."""

    def __repr__(self) -> str:
        return f"<{self.why}>"

    @property
    def is_wholly_unknown(self) -> bool:
        return self.poison or self.unknown == ALL

    def refuse_operator(self, other: object) -> NoReturn:
        raise TypeError(self.why)

    __eq__ = refuse_operator
    __ne__ = refuse_operator

    def __bool__(self) -> NoReturn:
        raise Fault(f"a branch that depends on {self.why}")

    def __hash__(self) -> NoReturn:
        raise Fault(f"a switch that depends on {self.why}")


def first_indeterminate(*values: Value) -> Indeterminate | None:
    """The operand that makes a result indeterminate: poison before undefined bits; None if all are determined."""
    found = [v for v in values if v.__class__ is Indeterminate]
    poisoned = [v for v in found if v.poison]
    return poisoned[0] if poisoned else found[0] if found else None


def unknown_result(*operands: Value) -> Indeterminate:
    """The result of an operation in which one unknown bit makes all bits of the result unknown.

    A TypeError from an operation without an indeterminate operand is a defect and is raised again."""
    cause = first_indeterminate(*operands)
    if cause is None:
        raise TypeError(f"operands {operands!r} are not what the operation works on")
    return cause if cause.is_wholly_unknown else Indeterminate(cause.why)


def poison(why: str) -> Indeterminate:
    return Indeterminate(why, poison=True)


def check_stored(value: Value, *, keeps_record: bool) -> None:
    """Raise a fault if a scalar that others may read is not determined. If the memory records its known bits, one known
    bit is enough: such values are bit-fields under construction. Elements of vectors and aggregates may be anything:
    they may be padding."""
    if value.__class__ is Indeterminate and (value.is_wholly_unknown or not keeps_record):
        raise Fault(f"a store of a value that depends on {value.why}")


def known_bits(value: Value, mask: int) -> tuple[int, int]:
    """(bits, unknown bits) of an integer, both unsigned and within `mask`."""
    if value.__class__ is Indeterminate:
        return value.bits & mask, value.unknown & mask
    return value & mask, 0
