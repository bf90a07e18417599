# SPDX-License-Identifier: Apache-2.0
"""Types of random kernels and what is computed with them, without undefined behaviour for any operands.

Signed sums wrap by way of unsigned ones; products and sums of masked values keep the `nsw` that clang gives them.
Divisors are never zero (nor -1), shifts stay below the width. Floating-point operations round alike everywhere: no
maths library, and no minimum or maximum, whose result for zeros of two signs is open.
"""

from typing import Final, NamedTuple


class Number(NamedTuple):
    """A scalar type. Templates have {a}, {b}, {c}: operands of the type; {q}: a condition."""

    name: str
    literals: tuple[str, ...]
    operations: tuple[str, ...]
    is_float: bool = False


_EITHER: Final = "({q} ? {a} : {b})"


def _unsigned(name: str, suffix: str, bits: int, high: str, more: tuple[str, ...] = ()) -> Number:
    one = f"1{suffix}"
    operations = (
        "({a} + {b})", "({a} - {b})", "({a} ^ {b})", "({a} * {b})", "({a} & {b})", "({a} | {b})", "(~{a})",
        f"({{a}} / ({{b}} | {one}))", f"({{a}} % ({{b}} | {one}))",
        f"({{a}} << ({{b}} & {bits - 1}))", f"({{a}} >> ({{b}} & {bits - 1}))",
        _EITHER, "min({a}, {b})", "max({a}, {b})", f"{high}({{a}}, {{b}})", *more,
    )  # fmt: skip
    literals = (f"0{suffix}", one, f"3{suffix}", f"0x9e3779b9{suffix}", f"0x80000000{suffix}")
    return Number(name, literals, operations)


def _signed(name: str, suffix: str, bits: int, high: str) -> Number:
    wide = f"unsigned {name}"
    operations = (
        f"({name})(({wide}){{a}} + ({wide}){{b}})", f"({name})(({wide}){{a}} - ({wide}){{b}})",
        "(({a} & 1023) + ({b} & 1023))", "(({a} & 1023) * ({b} & 1023))", "(({a} & 255) - ({b} & 255))",
        f"({name})(({wide}){{a}} * ({wide}){{b}})", "({a} & {b})", "({a} | {b})", "({a} ^ {b})", "(~{a})",
        "({a} / (({b} & 15) + 1))", "({a} % (({b} & 15) + 2))", f"({{a}} >> ({{b}} & {bits - 1}))",
        _EITHER, "min({a}, {b})", "max({a}, {b})", f"{high}({{a}}, {{b}})", f"({name})({{a}} < {{b}})",
    )  # fmt: skip
    literals = tuple(f"{text}{suffix}" for text in ("0", "1", "-1", "7", "2147483647"))
    return Number(name, literals, operations)


def _narrow(name: str, literals: tuple[str, ...]) -> Number:
    """Computed as int, where nothing overflows, and cut off."""
    written = f"({name})"
    operations = (
        f"{written}({{a}} + {{b}})", f"{written}({{a}} - {{b}})", f"{written}({{a}} * {{b}})",
        f"{written}({{a}} ^ {{b}})", f"{written}({{a}} >> ({{b}} & 7))",
        f"{written}({{a}} / (({{b}} & 7) + 1))", _EITHER,
    )  # fmt: skip
    return Number(name, literals, operations)


def _floating(name: str, suffix: str) -> Number:
    operations = (
        "({a} + {b})", "({a} - {b})", "({a} * {b})", "({a} / {b})", "(-{a})", "({a} * {b} + {c})",
        f"sqrt{suffix}(fabs{suffix}({{a}}))", f"fma{suffix}({{a}}, {{b}}, {{c}})", f"floor{suffix}({{a}})", _EITHER,
    )  # fmt: skip
    literals = tuple(f"{text}{suffix}" for text in ("0.0", "1.0", "-0.5", "3.25", "1e-3"))
    return Number(name, literals, operations, is_float=True)


UNSIGNED: Final = _unsigned("unsigned", "u", 32, "__umulhi", (
    "(unsigned)__popc({a})", "(unsigned)__clz((int){a})", "__brev({a})", "__byte_perm({a}, {b}, {c})",
    "__funnelshift_l({a}, {b}, {c})", "(unsigned)({a} < {b})",
))  # fmt: skip
INT: Final = _signed("int", "", 32, "__mulhi")
FLOAT: Final = _floating("float", "f")
DOUBLE: Final = _floating("double", "")
LONG: Final = _signed("long long", "ll", 64, "__mul64hi")
UNSIGNED_LONG: Final = _unsigned("unsigned long long", "ull", 64, "__umul64hi", ("(unsigned long long)__popcll({a})",))
SHORT: Final = _narrow("short", ("(short)0", "(short)1", "(short)-300"))
CHAR: Final = _narrow("signed char", ("(signed char)0", "(signed char)1", "(signed char)-100"))
BYTE: Final = _narrow("unsigned char", ("(unsigned char)0", "(unsigned char)200"))

NUMBERS: Final = (UNSIGNED, INT, FLOAT, DOUBLE, LONG, UNSIGNED_LONG, SHORT, CHAR, BYTE)

CONDITIONS: Final = ("({a} < {b})", "({a} == {b})", "({a} != {b})", "({a} >= {b})")
"""Conditions of two values of one type."""

PRELUDE: Final = """\
template <typename T> __device__ T ordered(T x) { return x == x ? x : T(0); }
template <typename T> __device__ int bounded(T x) { return x > T(-1e9) && x < T(1e9) ? (int)x : 0; }
struct Pair { unsigned a; float f; short s; double d; };
struct Options { int a; float f; short s; long long l; };
"""
"""What every source begins with. `bounded` keeps conversions to integers defined, also of NaNs."""


def converted(expression: str, source: Number, target: Number) -> str:
    """A value of one type as another."""
    if source is target:
        return expression
    if source.is_float and not target.is_float:
        if source is FLOAT and target is UNSIGNED:
            return f"__float_as_uint(ordered({expression}))"
        expression = f"bounded({expression})"
    return f"({target.name}){expression}"
