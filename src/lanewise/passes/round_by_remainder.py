# SPDX-License-Identifier: Apache-2.0
"""round-by-remainder: rounds a bounded product and a large constant downwards in their own format.

Why
    nvcc's `expf` adds a magic number to a product, rounded downwards, to find a power of two. No host has that
    rounding, so the CPU computes in binary64, in twice the vectors, with some 60 instructions of AVX2. Where all sums
    have one exponent, five of binary32 do. Black-Scholes of bench/cpu has three such sums.

Before
    declare float @llvm.maximumnum.f32(float, float)
    declare float @llvm.minimumnum.f32(float, float)
    declare float @llvm.nvvm.fma.rm.f(float, float, float)
    define float @f(float %x) {
      %a = call float @llvm.maximumnum.f32(float %x, float 0.000000e+00)
      %b = call float @llvm.minimumnum.f32(float %a, float 1.000000e+00)
      %c = call float @llvm.nvvm.fma.rm.f(float %b, float 0x406F800000000000, float 0x4168000020000000)
      ret float %c
    }

After
    declare float @llvm.maximumnum.f32(float, float)
    declare float @llvm.minimumnum.f32(float, float)
    declare float @llvm.nvvm.fma.rm.f(float, float, float)
    define float @f(float %x) {
      %a = call float @llvm.maximumnum.f32(float %x, float 0.000000e+00)
      %b = call float @llvm.minimumnum.f32(float %a, float 1.000000e+00)
      %1 = call float @llvm.fma.f32(float %b, float 0x406F800000000000, float 0x4168000020000000)
      %2 = fsub float 0x4168000020000000, %1
      %3 = call float @llvm.fma.f32(float %b, float 0x406F800000000000, float %2)
      %4 = fcmp olt float %3, 0x0000000000000000
      %5 = fsub float %1, 0x3FF0000000000000
      %c = select i1 %4, float %5, float %1
      ret float %c
    }
    declare float @llvm.fma.f32(float, float, float)

Needs
    1. A fused product and sum in binary32 that is rounded downwards or towards zero, and a target that has the fused
       operation to nearest.
    2. One factor is a minimum and maximum, against constants, that is never a NaN nor negative; the other is a positive
       constant.
    3. The summand is a positive constant, and no sum has a greater exponent.
    4. A remainder that is not 0 is far above the least normal number, so that it never counts as 0.

Method
    By 2 and 3 all sums lie in one binade, from the constant upwards, and are positive: both roundings are downwards.
    The sum to nearest, the constant and their difference are multiples of its last digit, and the difference is
    exact. The product less that difference, rounded once, has the sign of the exact sum less the one to nearest. If
    that sign is negative, the wanted sum is one digit less. It is not below the constant: a product that is not
    negative leaves no negative remainder there (Boldo and Muller, "Exact and approximated error of the FMA", IEEE
    Transactions on Computers 60(2), 2011, treat all sums).

When not
    Without a fused operation. Sums rounded upwards: a tiny product would have to lift the constant, and its remainder
    may vanish.

Neighbours
    `workgroup/lowering/floats/directed_rounding.py` has all other sums. Runs when LLVM has simplified the kernel, which
    finds the constants.
"""

import struct
from fractions import Fraction
from typing import Final, NamedTuple

from lanewise.ir import types as ty
from lanewise.ir.function import Function
from lanewise.ir.instruction import CallSite, Instruction
from lanewise.ir.module import Module
from lanewise.ir.values import Constant, Value

_DOWNWARDS: Final = ("llvm.nvvm.fma.rm.f", "llvm.nvvm.fma.rz.f")
_MAXIMUM: Final = ("llvm.maximumnum.f32", "llvm.maxnum.f32")
_MINIMUM: Final = ("llvm.minimumnum.f32", "llvm.minnum.f32")
_DIGITS: Final = 24
_LEAST_NORMAL: Final = Fraction(1, 1 << 126)


class RemainderOptions(NamedTuple):
    """`fused`: the target multiplies and adds in one rounding."""

    fused: bool = True


def run(function: Function, module: Module, options: RemainderOptions) -> bool:
    """Rewrite such sums of a function; see above. Returns whether anything changed."""
    if not options.fused:  # 1
        return False
    found = [i for i in function.instructions() if i.op == "call" and i.callee in _DOWNWARDS]  # 1
    digits = [(call, digit) for call in found if (digit := _last_digit(call)) is not None]
    for call, digit in digits:
        _rewrite(call, digit, module)
    return bool(digits)


def _last_digit(call: Instruction) -> Fraction | None:
    """The value of the last digit of all sums; None where a condition fails."""
    a, b, c = call.arguments
    if isinstance(a, Constant):
        a, b = b, a
    most, factor, summand = _most(a), _positive(b), _positive(c)
    if most is None or factor is None:  # 2
        return None
    if summand is None:  # 3
        return None
    digit = _binade(summand) / (1 << _DIGITS - 1)
    if _binade(summand + most * factor) != _binade(summand):  # 3
        return None
    least_product = digit / 2  # that the sum to nearest differs from the constant by
    least_remainder = least_product / (1 << 2 * _DIGITS)  # a product has that many digits
    return digit if min(least_product / factor, least_remainder) >= _LEAST_NORMAL else None  # 4


def _most(value: Value) -> Fraction | None:
    """The greatest value of a minimum and maximum whose least one is not negative; None for anything else."""
    bounds: dict[tuple[str, ...], Fraction] = {}
    for _ in range(2):
        if not isinstance(value, Instruction) or value.op != "call":
            return None
        kind = next((each for each in (_MAXIMUM, _MINIMUM) if value.callee in each), None)
        if kind is None or kind in bounds:
            return None
        inner, bound = value.arguments
        number = _number(bound)
        if number is None or number < 0:
            return None
        bounds[kind] = number
        value = inner
    return max(bounds[_MINIMUM], bounds[_MAXIMUM])


def _number(value: Value) -> Fraction | None:
    if not isinstance(value, Constant) or value.kind != "float" or value.type is not ty.FLOAT:
        return None
    number = value.floating
    return Fraction(number) if abs(number) < float("inf") else None


def _positive(value: Value) -> Fraction | None:
    number = _number(value)
    return number if number is not None and number >= _LEAST_NORMAL else None


def _binade(number: Fraction) -> Fraction:
    """The greatest power of two that is at most `number`, which is positive."""
    power = Fraction(2) ** (number.numerator.bit_length() - number.denominator.bit_length())
    return power if power <= number else power / 2


def _rewrite(call: Instruction, digit: Fraction, module: Module) -> None:
    block, line = call.parent, tuple(each for each in call.metadata if each[0] == "!dbg")
    a, b, c = call.arguments
    fused = module.declare("llvm.fma.f32", ty.function(ty.FLOAT, (ty.FLOAT,) * 3))

    def emit(made: Instruction) -> Instruction:
        made.metadata = line
        return block.insert(block.instructions.index(call), made)

    def sum_of(summand: Value) -> Instruction:
        return emit(Instruction("call", ty.FLOAT, (fused, a, b, summand), call=CallSite(fused.value_type)))

    nearest = sum_of(c)
    remainder = sum_of(emit(Instruction("fsub", ty.FLOAT, (c, nearest))))
    less = emit(Instruction("fcmp", ty.I1, (remainder, _constant(0.0)), predicate="olt"))
    below = emit(Instruction("fsub", ty.FLOAT, (nearest, _constant(float(digit)))))
    call.replace_all_uses(emit(Instruction("select", ty.FLOAT, (less, below, nearest), name=call.name)))
    call.erase()


def _constant(value: float) -> Constant:
    return Constant(ty.FLOAT, "float", f"0x{int.from_bytes(struct.pack('<d', value), 'little'):016X}")
