# SPDX-License-Identifier: Apache-2.0
"""Conversions between types. Source: LLVM Language Reference, "Conversion Operations"."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from lanewise.device.reference.address_windows import SHARED_WINDOW
from lanewise.device.reference.arithmetic.encoding import Codec
from lanewise.device.reference.arithmetic.floats import Unary, rounded_unary
from lanewise.device.reference.arithmetic.formats import SignallingNaN, from_integer
from lanewise.device.reference.arithmetic.indeterminate import Indeterminate, Value, poison, unknown_result
from lanewise.device.reference.arithmetic.integers import from_known_bits, signed, wrapped
from lanewise.ir.address_spaces import SHARED
from lanewise.ir.types import Type

_ADDRESS_MASK: Final = (1 << 64) - 1
"""Mask of 64-bit addresses. Pointers to shared memory are, as numbers, offsets: PTX ISA manual, clause `cvta`."""


def cast(op: str, flags: tuple[str, ...], source: Type, target: Type) -> Unary:
    """The function of a conversion between scalar types (bitcast excepted, which `bitcast` makes)."""
    match op:
        case "trunc":
            return _truncate(flags, source.bits, target.bits)
        case "zext":
            return _zero_extend(flags, source.bits, target.bits)
        case "sext":
            return _sign_extend()
        case "fptrunc":
            return rounded_unary(float, target.kind)
        case "fpext":
            return rounded_unary(_widened, target.kind)
        case "fptosi" | "fptoui":
            return float_to_integer(op[-2] == "s", target.bits)
        case "sitofp":
            return _integer_to_float(signed, target.kind)
        case "uitofp":
            return _unsigned_to_float(flags, source.bits, target.kind)
        case "ptrtoint" | "ptrtoaddr":
            begin = SHARED_WINDOW if source.addrspace == SHARED else 0
            return _total(lambda a: wrapped(a - begin, target.bits))
        case "inttoptr":
            begin = SHARED_WINDOW if target.addrspace == SHARED else 0
            mask = (1 << source.bits) - 1 & _ADDRESS_MASK
            return _total(lambda a: (a & mask) + begin & _ADDRESS_MASK)
        case "addrspacecast":
            return lambda a: a
        case _:
            raise KeyError(op)


def _total(compute: Callable[[Value], Value]) -> Unary:
    """`compute`, with an unknown result for an unknown operand."""

    def run(a: Value) -> Value:
        try:
            return compute(a)
        except TypeError:
            return unknown_result(a)

    return run


def _widened(value: float) -> float:
    """The same number; a signalling NaN becomes quiet."""
    return math.nan if isinstance(value, SignallingNaN) else value


def _truncate(flags: tuple[str, ...], bits: int, narrow: int) -> Unary:
    lost = poison(f"the result of a trunc to i{narrow} that loses bits which it promised to keep")
    mask, narrow_mask = (1 << bits) - 1, (1 << narrow) - 1

    def run(a: Value) -> Value:
        if a.__class__ is Indeterminate:
            return a if a.poison else from_known_bits(a.bits, a.unknown, narrow, a.why)
        result = wrapped(a, narrow)
        if ("nsw" in flags and signed(result) != a) or ("nuw" in flags and (a & mask) > narrow_mask):
            return lost
        return result

    return run


def _zero_extend(flags: tuple[str, ...], bits: int, wide: int) -> Unary:
    mask = (1 << bits) - 1
    negative = poison("the result of a zext nneg of a negative number")
    refuses_negative = "nneg" in flags

    def run(a: Value) -> Value:
        if a.__class__ is Indeterminate:
            return a if a.poison else from_known_bits(a.bits & mask, a.unknown & mask, wide, a.why)
        if refuses_negative and signed(a) < 0:
            return negative
        return a & mask

    return run


def _sign_extend() -> Unary:
    return lambda a: -a if a.__class__ is bool else a  # unknown bits are kept sign-extended already


def _integer_to_float(number: Callable[[Value], Value], kind: str) -> Unary:
    convert = from_integer(kind)
    return _total(lambda a: convert(number(a)))


def _unsigned_to_float(flags: tuple[str, ...], bits: int, kind: str) -> Unary:
    convert = from_integer(kind)
    mask = (1 << bits) - 1
    negative = poison("the result of a uitofp nneg of a negative number")
    if "nneg" in flags:
        return _total(lambda a: negative if signed(a) < 0 else convert(a & mask))
    return _total(lambda a: convert(a & mask))


def float_to_integer(is_signed: bool, bits: int, *, saturating: bool = False) -> Unary:
    """Rounding toward zero. Out of range it is poison, or with `saturating` (llvm.fptosi.sat) the nearest number, and 0
    for a NaN."""
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if is_signed else (0, (1 << bits) - 1)
    outside = poison(f"the result of a conversion of a floating-point number that {'i' if is_signed else 'u'}{bits}"
                     " can't hold")  # fmt: skip

    def convert(a: float) -> Value:
        if not math.isfinite(a):
            if not saturating:
                return outside
            return 0 if a != a else wrapped(high if a > 0 else low, bits)
        whole = math.trunc(a)
        if not low <= whole <= high:
            if not saturating:
                return outside
            whole = high if whole > high else low
        return wrapped(whole, bits)

    return _total(convert)


def bitcast(source: Codec, target: Codec) -> Unary:
    """The same bits as another type, vectors included."""

    def run(a: Value) -> Value:
        if a.__class__ is Indeterminate and a.poison:
            return target.decode(0, (1 << target.bits) - 1)
        return target.decode(*source.encode(a))

    return run
