# SPDX-License-Identifier: Apache-2.0
"""Operations with a stated rounding, which hosts have no instruction for: to nearest, then one step if the exact
result is on the wanted side (`exact_errors.py`).

    llvm.nvvm.add.rz.f      rz: towards zero; rm: down; rp: up; rn: to nearest. f: binary32; d: binary64
    llvm.nvvm.d2f.rp        conversions between binary64, binary32 and integers

binary32 is computed in binary64, in which none of its operations over- or underflows. The number nearest to that
result need not be the one nearest to the exact result, but it is one of its two neighbours.

Source: PTX ISA manual, clauses `add`, `mul`, `div`, `fma`, `rcp`, `sqrt`, `cvt`, "Rounding Modifiers"; IEEE 754-2019,
sections 4.3 and 6.3 (the sign of a sum that is zero).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.types import Type
from lanewise.ir.values import Value
from lanewise.workgroup.lowering.floats import exact_errors
from lanewise.workgroup.lowering.floats.builder import FloatBuilder
from lanewise.workgroup.lowering.floats.exact_errors import Rounded, in_binary64
from lanewise.workgroup.lowering.floats.saturating import to_signed, to_unsigned

FloatExpansion = Callable[[FloatBuilder, Type, Sequence[Value]], Value]
"""The function that returns the result of an intrinsic: (builder, type of the result, arguments)."""

_LEAST: Final = {"float": 2.0**-149, "double": 2.0**-1074}
"""The least positive number of a format."""


# -- one step --------------------------------------------------------------------------------------------------------


def _stepped(at: FloatBuilder, mode: str, nearest: Value, above: Value, below: Value) -> Value:
    """`nearest`, or its neighbour if the exact result is greater (`above`) or less (`below`)."""
    bits = at.bits(nearest)
    zero, one = at.floating(nearest.type, 0.0), at.integer(bits.type, 1)
    smaller, larger = at.build.binary("sub", bits, one), at.build.binary("add", bits, one)  # in size
    positive = at.compare("ogt", nearest, zero)
    negative = at.compare("olt", nearest, zero)
    scalar = nearest.type.scalar
    if mode == "rz":
        wanted = at.either(at.both(positive, below), at.both(negative, above))
        return at.of_bits(scalar, at.select(wanted, smaller, bits))
    wanted, outwards, inwards = (above, positive, negative) if mode == "rp" else (below, negative, positive)
    least = at.floating(nearest.type, _LEAST[scalar.kind] if mode == "rp" else -_LEAST[scalar.kind])
    step = at.select(outwards, larger, at.select(inwards, smaller, at.bits(least)))
    return at.of_bits(scalar, at.select(wanted, step, bits))


def _rounded(at: FloatBuilder, mode: str, result: Type, rounded: Rounded) -> Value:
    """A binary64 result with its error in the format of the result."""
    value, error = rounded
    zero = at.floating(error.type, 0.0)
    above, below = at.compare("ogt", error, zero), at.compare("olt", error, zero)
    if result.scalar is ty.DOUBLE:
        return _stepped(at, mode, value, above, below)
    nearest = at.to(ty.FLOAT, value)
    shown = at.to(ty.DOUBLE, nearest)
    same = at.compare("oeq", value, shown)
    above = at.either(at.compare("ogt", value, shown), at.both(same, above))
    below = at.either(at.compare("olt", value, shown), at.both(same, below))
    return _stepped(at, mode, nearest, above, below)


# -- arithmetic ------------------------------------------------------------------------------------------------------


def _sum(mode: str) -> FloatExpansion:
    def expand(at: FloatBuilder, result: Type, arguments: Sequence[Value]) -> Value:
        a, b = in_binary64(at, arguments)
        return _rounded(at, mode, result, _with_zero(at, mode, exact_errors.of_sum(at, a, b), (a, b)))

    return expand


def _with_zero(at: FloatBuilder, mode: str, rounded: Rounded, parts: tuple[Value, Value]) -> Rounded:
    """Downwards, a sum that is zero is -0 unless both parts are +0. So is the negated sum of the negated parts."""
    if mode != "rm":
        return rounded
    a, b = (at.negate(part) for part in parts)
    is_zero = at.compare("oeq", rounded.nearest, at.floating(a.type, 0.0))
    return Rounded(at.select(is_zero, at.negate(at.add(a, b)), rounded.nearest), rounded.error)


def _fused_sum(mode: str) -> FloatExpansion:
    def expand(at: FloatBuilder, result: Type, arguments: Sequence[Value]) -> Value:
        a, b, c = in_binary64(at, arguments)
        if result.scalar is ty.FLOAT:  # the product is exact
            product = at.multiply(a, b)
            return _rounded(at, mode, result, _with_zero(at, mode, exact_errors.of_sum(at, product, c), (product, c)))
        rounded = exact_errors.of_fused_sum(at, a, b, c)
        if mode == "rm":
            negated = at.negate(at.fused(at.negate(a), b, at.negate(c)))
            is_zero = at.compare("oeq", rounded.nearest, at.floating(a.type, 0.0))
            rounded = Rounded(at.select(is_zero, negated, rounded.nearest), rounded.error)
        return _rounded(at, mode, result, rounded)

    return expand


def _product(mode: str) -> FloatExpansion:
    def expand(at: FloatBuilder, result: Type, arguments: Sequence[Value]) -> Value:
        a, b = in_binary64(at, arguments)
        if result.scalar is ty.FLOAT:  # exact
            return _rounded(at, mode, result, Rounded(at.multiply(a, b), at.floating(a.type, 0.0)))
        return _rounded(at, mode, result, exact_errors.of_product(at, a, b))

    return expand


def _operation(make: Callable[..., Rounded]) -> Callable[[str], FloatExpansion]:
    def in_mode(mode: str) -> FloatExpansion:
        return lambda at, result, arguments: _rounded(at, mode, result, make(at, *in_binary64(at, arguments)))

    return in_mode


_DIRECTED: Final[dict[str, Callable[[str], FloatExpansion]]] = {
    "add": _sum,
    "mul": _product,
    "div": _operation(exact_errors.of_quotient),
    "rcp": _operation(exact_errors.of_reciprocal),
    "sqrt": _operation(exact_errors.of_square_root),
    "fma": _fused_sum,
}
_TO_NEAREST: Final[dict[str, FloatExpansion]] = {
    "add": lambda at, _, arguments: at.add(*arguments),
    "mul": lambda at, _, arguments: at.multiply(*arguments),
    "div": lambda at, _, arguments: at.divide(*arguments),
    "rcp": lambda at, result, arguments: at.divide(at.floating(result, 1.0), *arguments),
    "sqrt": lambda at, _, arguments: at.intrinsic("sqrt", *arguments),
    "fma": lambda at, _, arguments: at.fused(*arguments),
}


# -- conversions -----------------------------------------------------------------------------------------------------

_WHOLE: Final = {"rn": "rint", "rz": "trunc", "rm": "floor", "rp": "ceil"}


def _to_integer(mode: str, signed: bool) -> FloatExpansion:
    """Beyond the integer's range, its end; of a NaN 0, or the lowest signed number in 64 bits."""
    convert = to_signed if signed else to_unsigned

    def expand(at: FloatBuilder, result: Type, arguments: Sequence[Value]) -> Value:
        (a,) = arguments
        converted = convert(at, result, [at.intrinsic(_WHOLE[mode], a)])
        if result.scalar.bits < 64:
            return converted
        return at.select(at.compare("uno", a, a), at.integer(result, 1 << 63), converted)

    return expand


def _from_integer(mode: str, signed: bool) -> FloatExpansion:
    def expand(at: FloatBuilder, result: Type, arguments: Sequence[Value]) -> Value:
        (a,) = arguments
        nearest = at.build.cast("sitofp" if signed else "uitofp", a, result)
        if mode == "rn":
            return nearest
        bits = a.type.scalar.bits
        beyond = at.compare("oge", nearest, at.floating(result, 2.0 ** (bits - signed)))
        back = (to_signed if signed else to_unsigned)(at, a.type, [nearest])
        greater, less = ("sgt", "slt") if signed else ("ugt", "ult")
        above = at.build.compare(greater, a, back)
        below = at.either(at.build.compare(less, a, back), beyond)
        return _stepped(at, mode, nearest, above, below)

    return expand


def _narrowed(mode: str) -> FloatExpansion:
    def expand(at: FloatBuilder, result: Type, arguments: Sequence[Value]) -> Value:
        (a,) = arguments
        nearest = at.to(ty.FLOAT, a)
        if mode == "rn":
            return nearest
        shown = at.to(ty.DOUBLE, nearest)
        return _stepped(at, mode, nearest, at.compare("ogt", a, shown), at.compare("olt", a, shown))

    return expand


_INTEGERS: Final = {"i": True, "ui": False, "ll": True, "ull": False}
"""Suffix of integers of 32 and 64 bits in intrinsics -> whether they are signed."""


def _rows() -> dict[str, FloatExpansion]:
    rows: dict[str, FloatExpansion] = {}
    for kind in "fd":
        for op, directed in _DIRECTED.items():
            rows |= {f"{op}.{mode}.{kind}": directed(mode) for mode in ("rz", "rm", "rp")}
            rows[f"{op}.rn.{kind}"] = _TO_NEAREST[op]
        for mode in _WHOLE:
            for name, signed in _INTEGERS.items():
                rows[f"{kind}2{name}.{mode}"] = _to_integer(mode, signed)
                rows[f"{name}2{kind}.{mode}"] = _from_integer(mode, signed)
    rows |= {f"d2f.{mode}": _narrowed(mode) for mode in _WHOLE}
    return {f"llvm.nvvm.{name}": expansion for name, expansion in rows.items()}


DIRECTED_ROUNDING: Final = _rows()
