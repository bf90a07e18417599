# SPDX-License-Identifier: Apache-2.0
"""Pure intrinsics: the result depends on the operands alone.

`function(name, result, operands)` returns the function of one, vectors included. Sources: LLVM Language Reference,
"Intrinsic Functions"; PTX ISA, "prmt".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Final, overload

from lanewise.device.reference.arithmetic import casts, floats, integers
from lanewise.device.reference.arithmetic.elements import lifted
from lanewise.device.reference.arithmetic.floats import Ternary, Unary
from lanewise.device.reference.arithmetic.indeterminate import Indeterminate, Value, poison, unknown_result
from lanewise.device.reference.arithmetic.integers import Binary, signed, wrapped
from lanewise.device.reference.arithmetic.math_intrinsics import MATH
from lanewise.device.reference.arithmetic.operations import Function
from lanewise.ir.types import Type

Maker = Callable[[Type, Sequence[Type]], Function]
"""Result type, operand types -> the function; all types scalar."""


@overload
def strict(compute: Unary) -> Unary: ...
@overload
def strict(compute: Binary) -> Binary: ...
@overload
def strict(compute: Ternary) -> Ternary: ...
def strict(compute: Function) -> Function:
    """`compute`, with an unknown result if an operand is unknown."""

    def run(*operands: Value) -> Value:
        for operand in operands:
            if operand.__class__ is Indeterminate:
                return unknown_result(*operands)
        return compute(*operands)

    return run


# -- integers ------------------------------------------------------------------------------------------------------


def _signed_choice(choose: Callable[[int, int], int]) -> Maker:
    return lambda result, _: strict(lambda a, b: wrapped(choose(signed(a), signed(b)), result.bits))


def _unsigned_choice(choose: Callable[[int, int], int]) -> Maker:
    def make(result: Type, _: Sequence[Type]) -> Function:
        mask = (1 << result.bits) - 1
        return strict(lambda a, b: wrapped(choose(a & mask, b & mask), result.bits))

    return make


def _of_unsigned(compute: Callable[[int, int], int]) -> Maker:
    """`compute(unsigned value, bits)`."""

    def make(result: Type, _: Sequence[Type]) -> Function:
        bits = result.bits
        mask = (1 << bits) - 1
        return strict(lambda a: wrapped(compute(a & mask, bits), bits))

    return make


def _count_zeros(count: Callable[[int, int], int]) -> Maker:
    """ctlz, cttz: the width for zero, or poison if the second operand is true."""
    of_zero = poison("the number of leading or trailing zeros of a zero")

    def make(result: Type, _: Sequence[Type]) -> Function:
        bits = result.bits
        mask = (1 << bits) - 1

        def run(a: Value, zero_is_poison: Value) -> Value:
            if not a & mask:
                return of_zero if zero_is_poison else wrapped(bits, bits)
            return wrapped(count(a & mask, bits), bits)

        return strict(run)

    return make


def _absolute(result: Type, _: Sequence[Type]) -> Function:
    bits = result.bits
    lowest = poison("the absolute value of the lowest number")

    def run(a: Value, lowest_is_poison: Value) -> Value:
        magnitude = abs(signed(a))
        return lowest if lowest_is_poison and magnitude >> (bits - 1) else wrapped(magnitude, bits)

    return strict(run)


def _funnel(left: bool) -> Maker:
    def make(result: Type, _: Sequence[Type]) -> Function:
        bits = result.bits
        mask = (1 << bits) - 1

        def run(high: Value, low: Value, amount: Value) -> Value:
            both = (high & mask) << bits | low & mask
            by = (amount & mask) % bits
            return wrapped(both >> (bits - by if left else by), bits)

        return strict(run)

    return make


def _saturating(op: str, is_signed: bool) -> Maker:
    def make(result: Type, _: Sequence[Type]) -> Function:
        bits = result.bits
        mask = (1 << bits) - 1
        low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if is_signed else (0, mask)
        too_far = poison(f"a saturating shift by {bits} or more")

        def run(a: Value, b: Value) -> Value:
            a = signed(a) if is_signed else a & mask
            if op == "shl":
                if not 0 <= b < bits:
                    return too_far
                exact = a << b
            else:
                b = signed(b) if is_signed else b & mask
                exact = a + b if op == "add" else a - b
            return wrapped(min(max(exact, low), high), bits)

        return strict(run)

    return make


def _with_overflow(op: str, is_signed: bool) -> Maker:
    def make(_: Type, operands: Sequence[Type]) -> Function:
        bits = operands[0].bits
        flags = ("nsw",) if is_signed else ("nuw",)
        checked, plain = integers.binary(op, flags, bits), integers.binary(op, (), bits)

        def run(a: Value, b: Value) -> Value:
            result = plain(a, b)
            if result.__class__ is Indeterminate:
                return result, result
            return result, checked(a, b).__class__ is Indeterminate

        return run

    return make


def _three_way(is_signed: bool) -> Maker:
    def make(result: Type, operands: Sequence[Type]) -> Function:
        mask = (1 << operands[0].bits) - 1

        def run(a: Value, b: Value) -> Value:
            a, b = (signed(a), signed(b)) if is_signed else (a & mask, b & mask)
            return wrapped((a > b) - (a < b), result.bits)

        return strict(run)

    return make


def _high_half(is_signed: bool) -> Maker:
    def make(result: Type, _: Sequence[Type]) -> Function:
        bits = result.bits
        mask = (1 << bits) - 1
        if is_signed:
            return strict(lambda a, b: wrapped(a * b >> bits, bits))
        return strict(lambda a, b: wrapped((a & mask) * (b & mask) >> bits, bits))

    return make


def permute_bytes(a: int, b: int, selector: int) -> int:
    """prmt.b32: each byte of the result is one of the eight of {b, a}, or eight copies of its sign."""
    source = (a & 0xFFFFFFFF | (b & 0xFFFFFFFF) << 32).to_bytes(8, "little")
    result = bytearray(4)
    for i in range(4):
        choice = selector >> 4 * i & 0xF
        byte = source[choice & 7]
        result[i] = byte if choice < 8 else 0xFF if byte >> 7 else 0
    return int.from_bytes(result, "little", signed=True)


# -- conversions and what means nothing ----------------------------------------------------------------------------


def _saturating_conversion(is_signed: bool) -> Maker:
    return lambda result, _: casts.float_to_integer(is_signed, result.bits, saturating=True)


def _first(result: Type, _: Sequence[Type]) -> Function:
    def run(a: Value, *_: Value) -> Value:
        return a

    return run


def _always(value: Value) -> Maker:
    return lambda result, _: lambda *_: value


def _unknown_size(result: Type, _: Sequence[Type]) -> Function:
    def run(pointer: Value, least: Value, *_: Value) -> Value:
        return 0 if least else -1

    return run


def _reverse_bits(value: int, bits: int) -> int:
    return int(f"{value:0{bits}b}"[::-1], 2)


def _reverse_bytes(value: int, bits: int) -> int:
    return int.from_bytes(value.to_bytes(bits // 8, "little"), "big")


_SCALAR: Final[dict[str, Maker]] = {
    "abs": _absolute,
    "smin": _signed_choice(min),
    "smax": _signed_choice(max),
    "umin": _unsigned_choice(min),
    "umax": _unsigned_choice(max),
    "bitreverse": _of_unsigned(_reverse_bits),
    "bswap": _of_unsigned(_reverse_bytes),
    "ctpop": _of_unsigned(lambda a, _: a.bit_count()),
    "ctlz": _count_zeros(lambda a, bits: bits - a.bit_length()),
    "cttz": _count_zeros(lambda a, _: (a & -a).bit_length() - 1),
    "fshl": _funnel(left=True),
    "fshr": _funnel(left=False),
    **{f"{s}{op}.sat": _saturating(op, s == "s") for s in "su" for op in ("add", "sub", "shl")},
    **{f"{s}{op}.with.overflow": _with_overflow(op, s == "s") for s in "su" for op in ("add", "sub", "mul")},
    "scmp": _three_way(is_signed=True),
    "ucmp": _three_way(is_signed=False),
    "fptosi.sat": _saturating_conversion(is_signed=True),
    "fptoui.sat": _saturating_conversion(is_signed=False),
    "ptrmask": lambda result, _: strict(lambda a, b: a & b & (1 << 64) - 1),
    "nvvm.prmt": lambda result, _: strict(permute_bytes),
    "nvvm.mulhi.i": _high_half(is_signed=True),
    "nvvm.mulhi.ui": _high_half(is_signed=False),
    "nvvm.mulhi.ll": _high_half(is_signed=True),
    "nvvm.mulhi.ull": _high_half(is_signed=False),
    "expect": _first,
    "expect.with.probability": _first,
    "launder.invariant.group": _first,
    "strip.invariant.group": _first,
    "threadlocal.address": _first,
    "ssa.copy": _first,
    "is.constant": _always(False),
    "nvvm.reflect": _always(0),
    "objectsize": _unknown_size,
    **MATH,
}


# -- reductions ----------------------------------------------------------------------------------------------------

_INTEGER_REDUCTIONS: Final = frozenset({"add", "mul", "and", "or", "xor"})
_CHOICE_REDUCTIONS: Final = {
    "smin": "smin", "smax": "smax", "umin": "umin", "umax": "umax", "fmin": "minnum", "fmax": "maxnum",
}  # fmt: skip


def _reduction(op: str, element: Type) -> Function:
    """llvm.vector.reduce.*; the floating-point sums and products start at the first operand and go in order."""
    if op in _INTEGER_REDUCTIONS:
        step = integers.binary(op, (), element.bits)
    elif op in _CHOICE_REDUCTIONS:
        step = _SCALAR[_CHOICE_REDUCTIONS[op]](element, (element, element))
    else:
        step = floats.binary(op, element.kind)

        def run_from(start: Value, vector: Value) -> Value:
            return reduce(step, vector, start)

        return run_from

    def run(vector: Value) -> Value:
        return reduce(step, vector)

    return run


_REDUCE: Final = "vector.reduce."


def function(name: str, result: Type, operands: Sequence[Type]) -> Function:
    """The function of the intrinsic llvm.<name>, without type suffixes. KeyError for one that isn't pure."""
    if name.startswith(_REDUCE):
        return _reduction(name.removeprefix(_REDUCE), operands[-1].inner)
    maker = _SCALAR[name]
    return lifted(maker(result.scalar, [o.scalar for o in operands]), [o.is_vector for o in operands])
