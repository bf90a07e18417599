# SPDX-License-Identifier: Apache-2.0
"""The types of OpenCL C, scalars and vectors, and what is computed with them, without undefined behaviour for any
operands: see `tests/fuzz/arithmetic.py`. Mathematical functions are ours on all devices, so their bits count too.
"""

from typing import Final, NamedTuple

from ..arithmetic import CONDITIONS, Number


class Element(NamedTuple):
    """A type of components."""

    name: str
    kind: str
    """"u", "i" or "f": unsigned, signed, floating-point."""
    bits: int
    literals: tuple[str, ...]


ELEMENTS: Final = {
    element.name: element
    for element in (
        Element("uint", "u", 32, ("0u", "1u", "3u", "0x9e3779b9u", "0x80000000u", "~0u")),
        Element("int", "i", 32, ("0", "1", "-1", "7", "2147483647")),
        Element("float", "f", 32, ("0.0f", "1.0f", "-0.5f", "3.25f", "1e-3f", "1e20f")),
        Element("double", "f", 64, ("0.0", "1.0", "-0.5", "3.25", "1e-3", "1e200")),
        Element("long", "i", 64, ("0l", "1l", "-1l", "7l", "0x7fffffffffl")),
        Element("ulong", "u", 64, ("0ul", "1ul", "0x9e3779b97f4a7c15ul", "~0ul")),
        Element("short", "i", 16, ("0", "1", "-300", "32767")),
        Element("ushort", "u", 16, ("0", "1", "40000")),
        Element("char", "i", 8, ("0", "1", "-100")),
        Element("uchar", "u", 8, ("0", "1", "200")),
        Element("half", "f", 16, ("0.0h", "1.0h", "-0.333h", "60000.0h")),
    )
}
WIDTHS: Final = (2, 3, 4, 8, 16)

_SIGNED: Final = {8: "char", 16: "short", 32: "int", 64: "long"}
_SWIZZLES: Final = {
    2: ("{a}.yx", "{a}.xx", "(T)({a}.y, {b}.x)", "(T)({a}.lo, {b}.hi)"),
    3: ("{a}.zxy", "{a}.yyx", "(T)({a}.xy, {b}.z)", "(T)({b}.x, {a}.s21)"),
    4: ("{a}.wzyx", "{a}.s0312", "(T)({a}.lo, {b}.hi)", "(T)({a}.odd, {b}.even)", "(T)({a}.w, {b}.xyz)"),
    8: ("{a}.s76543210", "(T)({a}.lo, {b}.hi)", "(T)({a}.odd, {b}.even)", "(T)({a}.s01, {b}.s2345, {a}.hi.hi)"),
    16: ("{a}.sfedcba9876543210", "(T)({a}.lo, {b}.hi)", "(T)({a}.even, {b}.odd)", "{a}.s00112233aabbccdd"),
}  # fmt: skip
_MATHEMATICS: Final = (
    "exp({a})", "exp2({a})", "exp10({a})", "expm1({a})", "log(fabs({a}))", "log2({a})", "log1p({a})", "sin({a})",
    "cos({a})", "tan({a})", "sinpi({a})", "atan({a})", "asin({a})", "acospi({a})", "sinh({a})", "tanh({a})",
    "pow({a}, {b})", "powr(fabs({a}), {b})", "cbrt({a})", "rsqrt(fabs({a}))", "hypot({a}, {b})", "erf({a})",
    "tgamma({a})", "lgamma({a})", "atan2({a}, {b})", "fmod({a}, {b})", "remainder({a}, {b})", "logb({a})",
    "fdim({a}, {b})", "maxmag({a}, {b})", "fmin({a}, {b})", "fmax({a}, {b})", "nextafter({a}, {b})",
    "ldexp({a}, {INT} & 31)", "pown({a}, {INT})", "rootn({a}, {INT} | 1)", "sine_and_cosine({a})", "parts({a})",
)  # fmt: skip
_OF_FLOATS_ALONE: Final = ("native_exp({a})", "native_sin({a})", "native_divide({a}, {b})", "half_log({a})")


def name_of(element: str, width: int) -> str:
    return element if width == 1 else f"{element}{width}"


def _of_kind(kind: str, bits: int) -> str:
    return {"i": "", "u": "u"}[kind] + _SIGNED[bits]


def _operations(element: Element, width: int) -> tuple[str, ...]:
    """Templates in which T is the type, U and I the integers of its size, as wide."""
    common = ["({q} ? {a} : {b})"]
    if width > 1:
        common += [*_SWIZZLES[width], "({a} < {b} ? {a} : {c})", "select({a}, {b}, as_I({c}))", "(T)({q} ? 1 : 0)"]
        common += ["shuffle({a}, as_U({b}))", "shuffle2({a}, {b}, as_U({c}))"] if width != 3 else []
        if element.name in ("uint", "float"):
            memory = {"uint": "in", "float": "fin"}[element.name]
            common += [f"vload{width}({{u}} % {64 // width}, {memory})"]
    of_kind = {"u": _unsigned, "i": _signed, "f": _floating}[element.kind]
    return tuple(_spelt(template, element, width) for template in (*of_kind(element, width), *common))


def _spelt(template: str, element: Element, width: int) -> str:
    own = name_of(element.name, width)
    unsigned, signed = (name_of(_of_kind(kind, element.bits), width) for kind in "ui")
    if element.kind == "f":  # the bits of NaNs are nobody's business
        template = template.replace("as_U({b})", "as_U(ordered({b}))").replace("as_U({c})", "as_U(ordered({c}))")
        template = template.replace("as_I({c})", "as_I(ordered({c}))")
    template = template.replace("(T)", f"({own})").replace("as_T", f"as_{own}").replace("convert_T", f"convert_{own}")
    template = (
        template.replace("as_U", f"as_{unsigned}").replace("as_I", f"as_{signed}").replace("(U)", f"({unsigned})")
    )
    for operand, scalar in (("INT", "int"), ("UINT", "uint"), ("FLOAT", "float"), ("LONG", "long"), ("CHAR", "char")):
        template = template.replace(f"{{{operand}}}", f"{{{name_of(scalar, width)}}}")
    template = template.replace("{U}", f"{{{unsigned}}}")
    return f"({own})({template})" if width == 1 and element.bits < 32 else template


def _integer(element: Element, width: int) -> list[str]:
    relation = "as_T({a} < {b})" if width > 1 else "(T)({a} < {b})"
    return [
        "({a} & {b})", "({a} | {b})", "({a} ^ {b})", "(~{a})", "({a} << {b})", "({a} >> {b})", "({a} >> (T)(3))",
        "min({a}, {b})", "max({a}, {b})", "clamp({a}, min({b}, {c}), max({b}, {c}))", "add_sat({a}, {b})",
        "sub_sat({a}, {b})", "hadd({a}, {b})", "rhadd({a}, {b})", "mul_hi({a}, {b})", "mad_hi({a}, {b}, {c})",
        "mad_sat({a}, {b}, {c})", "rotate({a}, {b})", "clz({a})", "popcount({a})", "bitselect({a}, {b}, {c})",
        "as_T(abs({a}))", "as_T(abs_diff({a}, {b}))", relation, "convert_T_sat({FLOAT})", "convert_T_sat_rte({FLOAT})",
        "convert_T({INT})", "convert_T_sat({LONG})", "convert_T({CHAR})",
    ]  # fmt: skip


def _unsigned(element: Element, width: int) -> list[str]:
    product = "(({a} & (T)(255)) * {b})" if width == 1 and element.bits < 32 else "({a} * {b})"
    return [
        "({a} + {b})", "({a} - {b})", product, "(-{a})", "({a} / ({b} | (T)(1)))", "({a} % ({b} | (T)(1)))",
        *_integer(element, width),
    ]  # fmt: skip


def _signed(element: Element, width: int) -> list[str]:
    def wrapped(operator: str) -> str:
        if width == 1 and element.bits < 32:  # computed as int
            return f"(({{a}} {'& 255) *' if operator == '*' else f') {operator}'} {{b}})"
        return f"as_T(as_U({{a}}) {operator} as_U({{b}}))"

    return [
        wrapped("+"), wrapped("-"), wrapped("*"), "({a} / (({b} & (T)(15)) + (T)(1)))",
        "({a} % (({b} & (T)(15)) + (T)(2)))", "(({a} & (T)(7)) * ({b} & (T)(7)))", "(T)(!{a})", "(T)({a} && {b})",
        *_integer(element, width),
    ]  # fmt: skip


def _floating(element: Element, width: int) -> list[str]:
    made = [
        "({a} + {b})", "({a} - {b})", "({a} * {b})", "({a} / {b})", "(-{a})", "({a} * {b} + {c})", "mad({a}, {b}, {c})",
        "fma({a}, {b}, {c})", "sqrt(fabs({a}))", "floor({a})", "ceil({a})", "trunc({a})", "rint({a})", "round({a})",
        "fabs({a})", "copysign({a}, ordered({b}))", "mix({a}, {b}, {c})", "clamp({a}, (T)(-2), {b})", "sign({a})",
        "step({a}, {b})", "smoothstep((T)(0), (T)(1), {a})", "degrees({a})", "radians({a})", "min({a}, {b})",
        "max({a}, {b})", "convert_T({INT})", "convert_T({UINT})", "convert_T_rtz({LONG})", "convert_T({FLOAT})",
        "convert_T({CHAR})",
    ]  # fmt: skip
    if element.name == "float":
        made += ["as_T((U)(0x3f800000) | ({U} & (U)(0x7fffff)))"]
    if element.name != "half":
        made += ["dot({a}, {b})", "length({a})", "distance({a}, {b})"] if width == 1 else []
        made += ["normalize({a})"] if width in (2, 3, 4) else []
        made += ["cross({a}, {b})"] if width in (3, 4) else []
        made += 2 * _MATHEMATICS if width <= 4 else _MATHEMATICS[:3]  # an interpreter has to compute each component
    if element.name == "float" and width <= 4:
        made += _OF_FLOATS_ALONE
    return made


def _number(element: Element, width: int) -> Number:
    own = name_of(element.name, width)
    literals = element.literals if element.bits >= 32 or element.kind == "f" else ()
    if width == 1:
        return Number(own, literals or tuple(f"({own})({text})" for text in element.literals),
                      _operations(element, 1), element.kind == "f")  # fmt: skip
    turned = [", ".join((element.literals * 16)[start : start + width]) for start in range(2)]
    return Number(
        own,
        (*(f"({own})({text})" for text in element.literals), *(f"({own})({text})" for text in turned)),
        _operations(element, width),
        element.kind == "f",
        tuple(f"{how}({text})" for how, text in zip(("any", "all", "any", "all"), CONDITIONS, strict=True)),
    )


TYPES: Final = {name_of(e.name, width): _number(e, width) for e in ELEMENTS.values() for width in (1, *WIDTHS)}
SHAPES: Final = {name_of(e.name, width): (e, width) for e in ELEMENTS.values() for width in (1, *WIDTHS)}

UINT, INT, FLOAT, DOUBLE, LONG, ULONG, SHORT, UCHAR = (
    TYPES[name] for name in ("uint", "int", "float", "double", "long", "ulong", "short", "uchar")
)
NUMBERS: Final = (
    UINT, INT, FLOAT, *(TYPES[n] for n in ("float4", "int4", "uint2", "float2", "uint4")),
    *(TYPES[name_of(e, width)] for width in (1, *WIDTHS) for e in ELEMENTS), FLOAT, UINT, INT, FLOAT, DOUBLE,
    *(TYPES[f"{e}{width}"] for width in (2, 3, 4) for e in ("float", "double", "float")),
)  # fmt: skip
OPERANDS: Final = {**TYPES, "i": INT, "u": UINT, "l": LONG, "f": FLOAT, "d": DOUBLE}


def converted(expression: str, source: Number, target: Number) -> str:
    """A value of one type as another: bits as they are where sizes agree; one component, or a hash, of a vector."""
    if source is target:
        return expression
    (element, width), (wanted, wide) = SHAPES[source.name], SHAPES[target.name]
    whole = f"ordered({expression})" if element.kind == "f" else f"({expression})"
    if width == wide > 1:
        saturated = "_sat" if wanted.kind != "f" else ""
        return (
            f"as_{target.name}({whole})"
            if element.bits == wanted.bits
            else f"convert_{target.name}{saturated}({whole})"
        )
    if width > 1:
        if target is ULONG:
            return f"folded({expression})"
        return converted(f"({expression}).s{width - 1:x}", TYPES[element.name], target)
    if wide > 1:
        return f"({target.name})({converted(expression, source, TYPES[wanted.name])})"
    if element.kind == "f" and wanted.kind != "f":
        bits = _of_kind("u", element.bits)
        return (
            f"({target.name})as_{bits}({whole})" if wanted.bits >= element.bits else f"({target.name})bounded({whole})"
        )
    return f"({target.name})({expression})"
