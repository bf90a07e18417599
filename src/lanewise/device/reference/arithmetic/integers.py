# SPDX-License-Identifier: Apache-2.0
"""Integer operations of any width on two runtime values.

`binary(op, flags, bits)` and `compare(predicate, bits)` return the function for one operation of one width. Results
outside the width wrap, or are poison if a flag excludes them. Division by zero and the one quotient that overflows are
immediate undefined behaviour, so they are faults, as in C++.

Source: LLVM Language Reference, "Binary Operations", "Bitwise Binary Operations", "icmp Instruction".
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Final

from lanewise.device.reference.arithmetic.indeterminate import (
    Indeterminate,
    Value,
    first_indeterminate,
    known_bits,
    poison,
    unknown_result,
)
from lanewise.device.reference.faults import Fault

Binary = Callable[[Value, Value], Value]


def wrapped(value: int, bits: int) -> int:
    """`value` modulo 2**bits, as the runtime value of an iN: signed, a bool for i1."""
    value &= (1 << bits) - 1
    if bits == 1:
        return value != 0
    return value - (1 << bits) if value >> (bits - 1) else value


def from_known_bits(bits: int, unknown: int, width: int, why: str) -> Value:
    """The value with these bits; the bits in `unknown` are not determined."""
    unknown &= (1 << width) - 1
    if not unknown:
        return wrapped(bits, width)
    known = int(wrapped(bits & ~unknown, width))
    return Indeterminate(why, bits=-known if width == 1 else known, unknown=sign_extended(unknown, width))


def sign_extended(value: int, bits: int) -> int:
    """The lowest `bits` bits of `value` as a signed number; -1 or 0 if `bits` is 1."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def signed(value: Value) -> Value:
    """The signed number that a runtime value represents: only a bool differs."""
    return -value if value.__class__ is bool else value


def binary(op: str, flags: tuple[str, ...], bits: int) -> Binary:
    """The function of a two-operand integer operation."""
    if op in _BITWISE:
        return _bitwise(op, flags, bits)
    if op in ("shl", "lshr", "ashr"):
        return _shift(op, flags, bits)
    if op in ("udiv", "sdiv", "urem", "srem"):
        return _division(op, flags, bits)
    return _modular(op, flags, bits)


# -- addition, subtraction, multiplication -------------------------------------------------------------------------

_MODULAR: Final[dict[str, Binary]] = {"add": operator.add, "sub": operator.sub, "mul": operator.mul}


def _modular(op: str, flags: tuple[str, ...], bits: int) -> Binary:
    compute = _MODULAR[op]
    low, high = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
    mask = (1 << bits) - 1
    overflow = poison(f"the result of an {op} that overflows i{bits}")
    keeps_sign = "nsw" in flags

    def outside(result: int) -> Value:
        return overflow if keeps_sign else wrapped(result, bits)

    def run(a: Value, b: Value) -> Value:
        try:
            result = compute(a, b)
        except TypeError:
            return unknown_result(a, b)
        return result if low <= result <= high else outside(result)

    def run_add(a: Value, b: Value) -> Value:  # the operation that kernels execute most, without the inner call
        try:
            result = a + b
        except TypeError:
            return unknown_result(a, b)
        return result if low <= result <= high else outside(result)

    def run_unsigned(a: Value, b: Value) -> Value:
        try:
            unsigned_result = compute(a & mask, b & mask)
        except TypeError:
            return unknown_result(a, b)
        return run(a, b) if 0 <= unsigned_result <= mask else overflow

    def run_bool(a: Value, b: Value) -> Value:
        try:
            result, unsigned_result = compute(-a, -b), compute(+a, +b)
        except TypeError:
            return unknown_result(a, b)
        if (keeps_sign and not -1 <= result <= 0) or ("nuw" in flags and not 0 <= unsigned_result <= 1):
            return overflow
        return wrapped(result, 1)

    if bits == 1:
        return run_bool
    if "nuw" in flags:
        return run_unsigned
    return run_add if op == "add" else run


# -- bits ----------------------------------------------------------------------------------------------------------

_BITWISE: Final[dict[str, Binary]] = {"and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b}


def _bitwise(op: str, flags: tuple[str, ...], bits: int) -> Binary:
    compute = _BITWISE[op]
    mask = (1 << bits) - 1
    overlap = poison("the result of an or disjoint of operands that share a bit")
    disjoint = "disjoint" in flags

    def bit_by_bit(a: Value, b: Value) -> Value:
        cause = first_indeterminate(a, b)
        if cause is None or cause.poison:
            return unknown_result(a, b)
        (a_bits, a_unknown), (b_bits, b_unknown) = known_bits(a, mask), known_bits(b, mask)
        if op == "and":  # a bit is known if either bit is known to be 0
            unknown = (a_unknown & (b_bits | b_unknown)) | (b_unknown & (a_bits | a_unknown))
        elif op == "or":  # ... if either is known to be 1
            unknown = (a_unknown & ~b_bits) | (b_unknown & ~a_bits)
        else:
            unknown = a_unknown | b_unknown
        return from_known_bits(compute(a_bits, b_bits), unknown, bits, cause.why)

    def run(a: Value, b: Value) -> Value:
        try:
            return compute(a, b)
        except TypeError:
            return bit_by_bit(a, b)

    def run_disjoint(a: Value, b: Value) -> Value:
        try:
            return overlap if a & b else a | b
        except TypeError:
            return bit_by_bit(a, b)

    return run_disjoint if disjoint else run


def _shift(op: str, flags: tuple[str, ...], bits: int) -> Binary:
    mask = (1 << bits) - 1
    too_far = poison(f"the result of a {op} by {bits} or more")
    lost = poison(f"the result of a {op} that shifts out bits that it promised to keep")
    exact, keeps_sign, keeps_value = "exact" in flags, "nsw" in flags, "nuw" in flags

    def unknown_shift(a: Value, b: Value) -> Value:
        cause = first_indeterminate(a, b)
        if cause is None or cause.poison or b.__class__ is Indeterminate:
            return unknown_result(a, b)
        if not 0 <= b < bits:
            return too_far
        if op == "shl":
            return from_known_bits((cause.bits & mask) << b, (cause.unknown & mask) << b, bits, cause.why)
        if op == "lshr":
            return from_known_bits((cause.bits & mask) >> b, (cause.unknown & mask) >> b, bits, cause.why)
        return from_known_bits(cause.bits >> b, cause.unknown >> b, bits, cause.why)

    def run(a: Value, b: Value) -> Value:
        if a.__class__ is Indeterminate or b.__class__ is Indeterminate:
            return unknown_shift(a, b)
        if not 0 <= b < bits:
            return too_far
        a = signed(a)
        if op == "shl":
            result = a << b
            if (keeps_sign and sign_extended(result, bits) != result) or (keeps_value and (a & mask) << b > mask):
                return lost
        elif exact and a & ((1 << b) - 1):
            return lost
        elif op == "lshr":
            result = (a & mask) >> b
        else:
            return wrapped(a >> b, 1) if bits == 1 else a >> b
        return wrapped(result, bits)

    return run


# -- division ------------------------------------------------------------------------------------------------------


def truncated_quotient(a: int, b: int) -> int:
    """a / b rounded toward zero, as C divides."""
    return a // b if (a ^ b) >= 0 else -(-a // b)


def _division(op: str, flags: tuple[str, ...], bits: int) -> Binary:
    mask = (1 << bits) - 1
    lowest = -(1 << (bits - 1))
    inexact = poison(f"the result of an exact {op} with a remainder")
    exact, is_signed, wants_quotient = "exact" in flags, op[0] == "s", op.endswith("div")

    def run(a: Value, b: Value) -> Value:
        if b.__class__ is Indeterminate:
            raise Fault(f"a division by a number that depends on {b.why}")
        a, b = signed(a), signed(b)
        if not b:
            raise Fault(f"a division by zero ({op} i{bits})")
        if a.__class__ is Indeterminate:
            return unknown_result(a)
        if is_signed and b == -1 and a == lowest:
            raise Fault(f"a division that overflows ({op} i{bits} {a}, -1)")
        if not is_signed:
            a, b = a & mask, b & mask
        quotient = truncated_quotient(a, b)
        if not wants_quotient:
            return wrapped(a - quotient * b, bits)
        return inexact if exact and quotient * b != a else wrapped(quotient, bits)

    return run


# -- comparison ----------------------------------------------------------------------------------------------------

COMPARISONS: Final[dict[str, Binary]] = {
    "eq": operator.eq, "ne": operator.ne, "gt": operator.gt, "ge": operator.ge, "lt": operator.lt, "le": operator.le,
}  # fmt: skip


def compare(predicate: str, flags: tuple[str, ...], bits: int, *, pointers: bool = False) -> Binary:
    """icmp of integers, or of pointers, whose values are unsigned already."""
    test = COMPARISONS[predicate if predicate in ("eq", "ne") else predicate[1:]]
    mask = (1 << bits) - 1
    unlike_signs = poison("an icmp samesign of operands whose signs differ")

    def run(a: Value, b: Value) -> Value:
        try:
            return test(a, b)
        except TypeError:
            return unknown_result(a, b)

    def run_masked(a: Value, b: Value) -> Value:
        try:
            return test(a & mask, b & mask)
        except TypeError:
            return unknown_result(a, b)

    def run_signed_pointers(a: Value, b: Value) -> Value:
        try:
            return test(sign_extended(a, bits), sign_extended(b, bits))
        except TypeError:
            return unknown_result(a, b)

    def run_signed_bool(a: Value, b: Value) -> Value:
        try:
            return test(-a, -b)
        except TypeError:
            return unknown_result(a, b)

    def run_same_sign(a: Value, b: Value) -> Value:
        try:
            return unlike_signs if (signed(a) < 0) != (signed(b) < 0) else plain(a, b)
        except TypeError:
            return unknown_result(a, b)

    if predicate in ("eq", "ne"):
        plain = run
    elif predicate[0] == "u":
        plain = run if pointers else run_masked
    else:
        plain = run_signed_pointers if pointers else run_signed_bool if bits == 1 else run
    return run_same_sign if "samesign" in flags else plain
