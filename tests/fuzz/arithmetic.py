# SPDX-License-Identifier: Apache-2.0
"""Scalar types of random kernels and what is computed with them, without undefined behaviour for any operands.

Signed sums wrap by way of unsigned ones; products and sums of masked values keep the `nsw` that clang gives them.
`divided` and `remainder` leave out what has no quotient, shifts stay below the width. Floating-point operations round
alike everywhere: no maths library, no minimum or maximum, whose result for zeros of two signs is open, and nothing
that shows the sign or the payload of a NaN.
"""

from typing import Final, NamedTuple

CONDITIONS: Final = ("({a} < {b})", "({a} == {b})", "({a} != {b})", "({a} >= {b})")
"""Conditions of two values of one type."""


class Number(NamedTuple):
    """A scalar type; in OpenCL C a vector, too. Templates have {a}, {b}, {c}: operands of the type; {q}: a condition;
    and operands of other types: {i} int, {u} unsigned, {l} long long, {f} float, {d} double."""

    name: str
    literals: tuple[str, ...]
    operations: tuple[str, ...]
    is_float: bool = False
    conditions: tuple[str, ...] = CONDITIONS
    """Of two values, as many for each type."""


_EITHER: Final = "({q} ? {a} : {b})"


def _unsigned(name: str, suffix: str, bits: int, *more: str) -> Number:
    one = f"1{suffix}"
    operations = (
        "({a} + {b})", "({a} - {b})", "({a} ^ {b})", "({a} * {b})", "({a} & {b})", "({a} | {b})", "(~{a})", "(-{a})",
        f"({{a}} / ({{b}} | {one}))", f"({{a}} % ({{b}} | {one}))", "divided({a}, {b})", "remainder({a}, {b})",
        f"({{a}} << ({{b}} & {bits - 1}))", f"({{a}} >> ({{b}} & {bits - 1}))", f"({{a}} / 10{suffix})",
        f"({{a}} % 7{suffix})", _EITHER, f"({name})({{q}} && {{a}} != {{b}})", *more,
    )  # fmt: skip
    literals = (f"0{suffix}", one, f"3{suffix}", f"0x9e3779b9{suffix}", f"0x80000000{suffix}", f"~0{suffix}")
    return Number(name, literals, operations)


def _signed(name: str, suffix: str, bits: int, *more: str) -> Number:
    wide = f"unsigned {name}"
    operations = (
        f"({name})(({wide}){{a}} + ({wide}){{b}})", f"({name})(({wide}){{a}} - ({wide}){{b}})",
        "(({a} & 1023) + ({b} & 1023))", "(({a} & 1023) * ({b} & 1023))", "(({a} & 255) - ({b} & 255))",
        f"({name})(({wide}){{a}} * ({wide}){{b}})", "({a} & {b})", "({a} | {b})", "({a} ^ {b})", "(~{a})",
        "({a} / (({b} & 15) + 1))", "({a} % (({b} & 15) + 2))", "divided({a}, {b})", "remainder({a}, {b})",
        f"({name})(({wide}){{a}} << ({{b}} & {bits - 1}))", f"({{a}} >> ({{b}} & {bits - 1}))", "({a} / 9)",
        "({a} % 8)", _EITHER, f"({name})({{a}} < {{b}})", f"({name})({{q}} || {{a}} > {{b}})", *more,
    )  # fmt: skip
    literals = tuple(f"{text}{suffix}" for text in ("0", "1", "-1", "7", "2147483647"))
    return Number(name, literals, operations)


def _narrow(name: str, bits: int, literals: tuple[str, ...]) -> Number:
    """Computed as int, where nothing overflows, and cut off."""
    written = f"({name})"
    operations = (
        f"{written}({{a}} + {{b}})", f"{written}({{a}} - {{b}})", f"{written}(({{a}} & 255) * {{b}})",
        f"{written}({{a}} ^ {{b}})", f"{written}({{a}} >> ({{b}} & 7))", f"{written}({{u}} >> ({{a}} & {bits - 1}))",
        f"{written}({{a}} / (({{b}} & 7) + 1))", f"{written}divided((int){{a}}, (int){{b}})", f"{written}~{{a}}",
        f"{written}min({{a}}, {{b}})", f"{written}({{a}} < {{b}})", _EITHER,
    )  # fmt: skip
    return Number(name, literals, operations)


def _floating(name: str, suffix: str, prefix: str, *more: str) -> Number:
    operations = (
        "({a} + {b})", "({a} - {b})", "({a} * {b})", "({a} / {b})", "(-{a})", "({a} * {b} + {c})",
        f"sqrt{suffix}(fabs{suffix}({{a}}))", f"fma{suffix}({{a}}, {{b}}, {{c}})", f"floor{suffix}({{a}})",
        f"trunc{suffix}({{a}})", f"rint{suffix}({{a}})", f"ceil{suffix}({{a}})", f"__{prefix}add_rn({{a}}, {{b}})",
        f"__{prefix}mul_rn({{a}}, {{b}})", f"copysign{suffix}({{a}}, ordered({{b}}))", f"fabs{suffix}({{a}})",
        f"({name}){{u}}", f"({name}){{l}}", f"({name})({{a}} < {{b}})", _EITHER, *more,
    )  # fmt: skip
    literals = tuple(f"{text}{suffix}" for text in ("0.0", "1.0", "-0.5", "3.25", "1e-3", "1e20"))
    return Number(name, literals, operations, is_float=True)


UNSIGNED: Final = _unsigned(
    "unsigned", "u", 32, "min({a}, {b})", "max({a}, {b})", "__umulhi({a}, {b})", "(unsigned)__popc({a})",
    "(unsigned)__clz((int){a})", "(unsigned)__ffs((int){a})", "__brev({a})", "__byte_perm({a}, {b}, {c})",
    "__funnelshift_l({a}, {b}, {c})", "__funnelshift_r({a}, {b}, {c})", "__funnelshift_lc({a}, {b}, {c} & 63)",
    "__funnelshift_rc({a}, {b}, {c} & 63)", "(unsigned)({a} < {b})", "__usad({a}, {b}, {c})", "__uhadd({a}, {b})",
    "__urhadd({a}, {b})", "__umul24({a}, {b})", "__float_as_uint(ordered({f}))", "__float2uint_rn(ordered({f}))",
    "__double2uint_rz(ordered({d}))", "__vadd2({a}, {b})", "__vsub4({a}, {b})", "__vmaxs2({a}, {b})",
    "__vminu4({a}, {b})", "__vabsdiffs4({a}, {b})", "__vavgs2({a}, {b})", "__vcmpgts4({a}, {b})", "__vaddss2({a}, {b})",
    "__vsadu4({a}, {b})", "__vseteq2({a}, {b})", "__dp4a({a}, {b}, {c})",
)  # fmt: skip
INT: Final = _signed(
    "int", "", 32, "min({a}, {b})", "max({a}, {b})", "__mulhi({a}, {b})", "__hadd({a}, {b})", "__rhadd({a}, {b})",
    "(int)__sad({a}, {b}, {u})", "__mul24({a}, {b})", "__float2int_rn(ordered({f}))", "__float2int_rz(ordered({f}))",
    "__double2int_rd(ordered({d}))", "__double2hiint(ordered({d}))", "__dp4a({a}, {b}, {c})",
    "__dp2a_lo({a}, {b}, {c})", "__viaddmax_s32({a}, {b}, {c})", "__vimin3_s32_relu({a}, {b}, {c})",
)  # fmt: skip
FLOAT: Final = _floating(
    "float", "f", "f", "__uint_as_float(0x3f800000u | ({u} & 0x7fffffu))", "__int2float_rn({i})", "__int2float_rz({i})",
    "(float){d}", "__saturatef(ordered({a}))",
)  # fmt: skip
DOUBLE: Final = _floating("double", "", "d", "(double){f}", "__ll2double_rn({l})")
LONG: Final = _signed(
    "long long", "ll", 64, "min({a}, {b})", "max({a}, {b})", "__mul64hi({a}, {b})", "((long long){i} * {i})",
    "__double_as_longlong(ordered({d}))", "__float2ll_rn(ordered({f}))", "__double2ll_ru(ordered({d}))",
)  # fmt: skip
UNSIGNED_LONG: Final = _unsigned(
    "unsigned long long", "ull", 64, "min({a}, {b})", "max({a}, {b})", "__umul64hi({a}, {b})",
    "(unsigned long long)__popcll({a})", "(unsigned long long)__clzll((long long){a})", "__brevll({a})",
    "(unsigned long long)__ffsll((long long){a})", "((unsigned long long){u} * {u})",
)  # fmt: skip
WIDE: Final = _signed("__int128", "", 128, "((__int128){l} * {l})", "(((__int128){l} << 64) + {u})")
UNSIGNED_WIDE: Final = _unsigned("unsigned __int128", "u", 128, "((unsigned __int128){l} << 40)")
SHORT: Final = _narrow("short", 16, ("(short)0", "(short)1", "(short)-300"))
UNSIGNED_SHORT: Final = _narrow("unsigned short", 16, ("(unsigned short)0", "(unsigned short)40000"))
CHAR: Final = _narrow("signed char", 8, ("(signed char)0", "(signed char)1", "(signed char)-100"))
BYTE: Final = _narrow("unsigned char", 8, ("(unsigned char)0", "(unsigned char)200"))
BOOL: Final = Number("bool", ("false", "true"), ("({q})", "(!{a})", "({a} != {b})", "({a} && {b})", "({a} || {b})"))

HALF: Final = Number(
    "__half",
    ("__float2half(0.0f)", "__float2half(1.0f)", "__float2half(-0.333f)", "__float2half(60000.0f)"),
    (
        "({a} + {b})", "({a} - {b})", "({a} * {b})", "({a} / {b})", "(-{a})", "__hfma({a}, {b}, {c})", "__habs({a})",
        "__hadd_sat({a}, {b})", "hsqrt(__habs({a}))", "hfloor({a})", "hrint({a})", "__float2half({f})",
        "__float2half_rz({f})", "__float2half_ru({f})", "__double2half({d})", "__int2half_rn({i})",
        "__ushort_as_half((unsigned short)({u} & 0x7bff))", _EITHER,
    ),
    is_float=True,
)  # fmt: skip

NUMBERS: Final = (
    UNSIGNED, INT, FLOAT, DOUBLE, LONG, UNSIGNED_LONG, SHORT, CHAR, BYTE, UNSIGNED, INT, FLOAT, UNSIGNED_SHORT, BOOL,
    WIDE, UNSIGNED_WIDE, HALF,
)  # fmt: skip

OTHERS: Final = {"i": INT, "u": UNSIGNED, "l": LONG, "f": FLOAT, "d": DOUBLE}
"""Types of the operands of a template that are not of the template's own type."""

_BITS: Final = {
    (FLOAT, UNSIGNED): "__float_as_uint(ordered({}))",
    (FLOAT, UNSIGNED_LONG): "(unsigned long long)__float_as_uint(ordered({}))",
    (DOUBLE, UNSIGNED_LONG): "(unsigned long long)__double_as_longlong(ordered({}))",
    (DOUBLE, LONG): "__double_as_longlong(ordered({}))",
    (HALF, UNSIGNED): "(unsigned)__half_as_ushort(ordered({}))",
    (HALF, UNSIGNED_LONG): "(unsigned long long)__half_as_ushort(ordered({}))",
    (HALF, DOUBLE): "(double)__half2float({})",
    (DOUBLE, HALF): "__double2half({})",
}


def converted(expression: str, source: Number, target: Number) -> str:
    """A value of one type as another; all bits of floating-point numbers where the other type has room for them."""
    if source is target:
        return expression
    if (source, target) in _BITS:
        return _BITS[source, target].format(expression)
    if source is HALF:
        source, expression = FLOAT, f"__half2float({expression})"
    if target is HALF:
        return f"__float2half({converted(expression, source, FLOAT)})"
    if source.is_float and not target.is_float:
        expression = f"bounded({expression})"
    return f"({target.name}){expression}"
