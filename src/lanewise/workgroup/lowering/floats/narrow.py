# SPDX-License-Identifier: Apache-2.0
"""Operations on half and bfloat that hosts round twice, or flush denormals in, or have no instruction for.

Sums, products, quotients and roots of two narrow numbers may be computed in binary32 and rounded again, but fused sums
and results in a wider format may not: they are first rounded to odd, towards the neighbour whose last digit is
1, which keeps the later rounding right (S. Boldo and G. Melquiond, "Emulation of FMA and correctly rounded sums:
proved algorithms using rounding to odd", IEEE Transactions on Computers 57(4), 2008). bfloat is the upper half of a
binary32, so rounding to it is integer arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction
from lanewise.ir.types import Type
from lanewise.ir.values import Value
from lanewise.workgroup.lowering.floats import exact_errors
from lanewise.workgroup.lowering.floats.builder import FloatBuilder
from lanewise.workgroup.lowering.floats.directed_rounding import DIRECTED_ROUNDING, FloatExpansion

_ARITHMETIC: Final = frozenset({"fadd", "fsub", "fmul", "fdiv", "frem"})
_BY_FLOAT: Final = frozenset(
    f"llvm.{name}"
    for name in (
        "minnum", "maxnum", "minimum", "maximum", "minimumnum", "maximumnum", "sqrt", "floor", "ceil", "trunc", "rint",
        "nearbyint", "round", "roundeven", "canonicalize",
    )
)  # fmt: skip
"""Intrinsics whose result is the same when computed in binary32."""
_OF_BFLOAT: Final = frozenset({"fcmp", "fpext", "fptosi", "fptoui"})
_FROM_INTEGER: Final = {"sitofp": "ll2f", "uitofp": "ull2f"}


def narrow(at: FloatBuilder, instruction: Instruction, operands: Sequence[Value]) -> Value | None:
    """The result of an operation, written out; None if the host does it right. Operands and results that are bfloats
    are lowered to their bits already."""
    op, kind = instruction.op, instruction.type.scalar.kind
    if op in _OF_BFLOAT and _is_bfloat(instruction.operands[0]):
        return _of_bfloats(at, instruction, operands)
    if op == "fptrunc" and kind == "half" and operands[0].type.scalar is ty.DOUBLE:
        return _to_narrow(at, operands[0], kind)
    if kind != "bfloat":
        return None
    if op == "fptrunc":
        return _to_narrow(at, operands[0], kind)
    if op in _ARITHMETIC:
        a, b = map(at.of_bfloat, operands)
        return _to_narrow(at, at.build.binary(op, a, b), kind)
    if op == "fneg":
        return at.build.binary("xor", operands[0], at.integer(operands[0].type, 0x8000))
    if op in _FROM_INTEGER:
        return _to_narrow(at, _odd_from_integer(at, op, operands[0]), kind)
    return None


def holds_bfloat(instruction: Instruction) -> bool:
    """Return whether the result or an operand is a bfloat, or a vector of them."""
    return instruction.type.scalar.kind == "bfloat" or any(map(_is_bfloat, instruction.operands))


def _is_bfloat(value: Value) -> bool:
    return value.type.scalar.kind == "bfloat"


def _of_bfloats(at: FloatBuilder, instruction: Instruction, operands: Sequence[Value]) -> Value:
    """Emit a comparison or conversion in binary32."""
    wide = [at.of_bfloat(operand) for operand in operands]
    if instruction.op == "fpext":
        return at.to(instruction.type.scalar, wide[0])
    return at.build.emit(Instruction(instruction.op, instruction.type, wide, predicate=instruction.predicate))


def narrow_intrinsic(name: str, call: Instruction) -> FloatExpansion | None:
    """The function that writes out a call of the intrinsic whose row is `name`; None if the host does it right."""
    kind = call.type.scalar.kind
    if name == "llvm.fma" and kind in ("half", "bfloat"):
        return _fused(kind)
    if kind != "bfloat":
        return None
    if name == "llvm.fabs":
        return lambda at, _, arguments: at.both(arguments[0], at.integer(arguments[0].type, 0x7FFF))
    if name == "llvm.copysign":
        return _with_sign
    return _by_float(name.removeprefix("llvm.")) if name in _BY_FLOAT else None


def _by_float(name: str) -> FloatExpansion:
    def expand(at: FloatBuilder, result: Type, arguments: Sequence[Value]) -> Value:
        return _to_narrow(at, at.intrinsic(name, *map(at.of_bfloat, arguments)), "bfloat")

    return expand


def _with_sign(at: FloatBuilder, result: Type, arguments: Sequence[Value]) -> Value:
    size, sign = arguments
    return at.either(at.both(size, at.integer(result, 0x7FFF)), at.both(sign, at.integer(result, 0x8000)))


def _fused(kind: str) -> FloatExpansion:
    """Emit llvm.fma of halves or bfloats in binary64, which holds their products. The sum may lose digits."""

    def expand(at: FloatBuilder, result: Type, arguments: Sequence[Value]) -> Value:
        floats = map(at.of_bfloat, arguments) if kind == "bfloat" else arguments
        a, b, c = exact_errors.in_binary64(at, list(floats))
        total, error = exact_errors.of_sum(at, at.multiply(a, b), c)
        zero = at.floating(total.type, 0.0)
        outwards = at.compare("oeq", at.intrinsic("copysign", error, total), error)
        return _to_narrow(at, _odd(at, total, at.compare("one", error, zero), outwards), kind)

    return expand


def _to_narrow(at: FloatBuilder, value: Value, kind: str) -> Value:
    """A float or double, rounded once to half or bfloat."""
    if value.type.scalar is ty.DOUBLE:
        nearest = at.to(ty.FLOAT, value)
        shown = at.to(ty.DOUBLE, nearest)
        outwards = at.compare("ogt", at.absolute(value), at.absolute(shown))
        value = _odd(at, nearest, at.compare("one", value, shown), outwards)
    return at.to(ty.floating("half"), value) if kind == "half" else _to_bfloat(at, value)


def _odd(at: FloatBuilder, nearest: Value, inexact: Value, outwards: Value) -> Value:
    """`nearest`, or if that is inexact and even, its neighbour on the side of the exact number: further `outwards`
    from zero than it, or inwards."""
    bits = at.bits(nearest)
    one = at.integer(bits.type, 1)
    even = at.build.compare("eq", at.both(bits, one), at.integer(bits.type, 0))
    step = at.select(outwards, at.build.binary("add", bits, one), at.build.binary("sub", bits, one))
    return at.of_bits(nearest.type.scalar, at.select(at.both(inexact, even), step, bits))


def _to_bfloat(at: FloatBuilder, value: Value) -> Value:
    """The bits of a bfloat: the upper half of a binary32, to nearest, ties to even; a NaN stays one."""
    build, bits = at.build, at.bits(value)
    sixteen = at.integer(bits.type, 16)
    upper = build.binary("lshr", bits, sixteen)
    odd = at.both(upper, at.integer(bits.type, 1))
    up = build.binary("add", build.binary("add", bits, at.integer(bits.type, 0x7FFF)), odd)
    quiet = at.either(upper, at.integer(bits.type, 0x40))
    chosen = at.select(at.compare("uno", value, value), quiet, build.binary("lshr", up, sixteen))
    return build.cast("trunc", chosen, ty.I16.with_shape_of(bits.type))


def _odd_from_integer(at: FloatBuilder, op: str, value: Value) -> Value:
    """An integer of up to 64 bits as a float, rounded to odd."""
    build, wide = at.build, ty.I64.with_shape_of(value.type)
    if value.type.scalar.bits < 64:
        value = build.cast("sext" if op == "sitofp" else "zext", value, wide)
    result = ty.FLOAT.with_shape_of(value.type)
    short = DIRECTED_ROUNDING[f"llvm.nvvm.{_FROM_INTEGER[op]}.rz"](at, result, [value])
    back = build.cast("fptosi" if op == "sitofp" else "fptoui", short, wide)  # nearer to 0, so it fits
    inexact = build.cast("zext", build.compare("ne", back, value), ty.I32.with_shape_of(value.type))
    return at.of_bits(ty.FLOAT, at.either(at.bits(short), inexact))
