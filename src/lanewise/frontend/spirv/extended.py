# SPDX-License-Identifier: Apache-2.0
"""The instruction set OpenCL.std, as calls of OpenCL C's functions.

Source: OpenCL.ExtendedInstructionSet.100, 2 "Binary Form".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from lanewise.frontend.spirv import types as ty
from lanewise.frontend.spirv.arithmetic import Handler, resized
from lanewise.frontend.spirv.conversions import ROUNDING
from lanewise.frontend.spirv.function import ANY_EFFECT, PURE, FunctionWriter
from lanewise.frontend.spirv.mangling import Mangled, PointerTo, mangled_type
from lanewise.frontend.spirv.module import damaged, refused
from lanewise.frontend.spirv.opcodes import numbered
from lanewise.frontend.spirv.words import SpirvInstruction

_LISTED: Final = """
0 acos acosh acospi asin asinh asinpi atan atan2 atanh atanpi atan2pi cbrt ceil copysign cos cosh cospi erfc erf exp
  exp2 exp10 expm1 fabs fdim floor fma fmax fmin fmod fract frexp hypot ilogb ldexp lgamma lgamma_r log log2 log10
  log1p logb mad maxmag minmag modf nan nextafter pow pown powr remainder remquo rint rootn round rsqrt sin sincos
  sinh sinpi sqrt tan tanh tanpi tgamma trunc half_cos half_divide half_exp half_exp2 half_exp10 half_log half_log2
  half_log10 half_powr half_recip half_rsqrt half_sin half_sqrt half_tan native_cos native_divide native_exp
  native_exp2 native_exp10 native_log native_log2 native_log10 native_powr native_recip native_rsqrt native_sin
  native_sqrt native_tan fclamp degrees fmax_common fmin_common mix radians step smoothstep sign cross distance
  length normalize fast_distance fast_length fast_normalize
141 s_abs s_abs_diff s_add_sat u_add_sat s_hadd u_hadd s_rhadd u_rhadd s_clamp u_clamp clz ctz s_mad_hi u_mad_sat
  s_mad_sat s_max u_max s_min u_min s_mul_hi rotate s_sub_sat u_sub_sat u_upsample s_upsample popcount s_mad24 u_mad24
  s_mul24 u_mul24 vloadn vstoren vload_half vload_halfn vstore_half vstore_half_r vstore_halfn vstore_halfn_r
  vloada_halfn vstorea_halfn vstorea_halfn_r shuffle shuffle2 printf prefetch bitselect select
201 u_abs u_abs_diff u_mul_hi u_mad_hi
"""
OTHER_NAMES: Final = {"fclamp": "clamp", "fmax_common": "max", "fmin_common": "min"}
"""Functions of OpenCL C that are called otherwise."""
_UNSIGNED: Final = frozenset(("nan", "clz", "ctz", "popcount", "rotate"))
_SAME_POINTEE: Final = frozenset(("fract", "modf", "sincos"))
_INTEGER_POINTEE: Final = frozenset(("frexp", "lgamma_r", "remquo"))

Argument = tuple[str, str, Mangled]
Extended = Callable[[FunctionWriter, SpirvInstruction, str, tuple[int, ...]], None]

NAMES: Final = numbered(_LISTED)
"""Instructions by their numbers."""


def _extended(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """An instruction of another set. Those of debug information say nothing here."""
    instruction_set = writer.module.imports.get(each.operands[0], "")
    if instruction_set.startswith("NonSemantic.") or "DebugInfo" in instruction_set:
        return
    if instruction_set != "OpenCL.std":
        raise refused(f"the instruction set '{instruction_set}'")
    number, operands = each.operands[1], each.operands[2:]
    if number not in NAMES:
        raise refused(f"the instruction {number} of OpenCL.std")
    name = NAMES[number]
    _BY_NAME.get(name, _plain)(writer, each, name, operands)


def _plain(writer: FunctionWriter, each: SpirvInstruction, name: str, operands: tuple[int, ...]) -> None:
    """A function of numbers. The name says which it is and, for integers, whether they are signed."""
    signed = name not in _UNSIGNED
    if name.startswith(("s_", "u_")):
        signed, name = name.startswith("s_"), name[2:]
    name = OTHER_NAMES.get(name, name)
    arguments = [writer.argument(number, signed=signed) for number in operands]
    writer.give(each.result, each.type, writer.call(name, writer.module.type(each.type), arguments, PURE))


def _upsample(writer: FunctionWriter, each: SpirvInstruction, name: str, operands: tuple[int, ...]) -> None:
    high, low = operands
    arguments = [writer.argument(high, signed=name == "s_upsample"), writer.argument(low, signed=False)]
    writer.give(each.result, each.type, writer.call("upsample", writer.module.type(each.type), arguments, PURE))


def _two_results(writer: FunctionWriter, each: SpirvInstruction, name: str, operands: tuple[int, ...]) -> None:
    """A function with a second result, which it stores."""
    kind = writer.module.type(each.type)
    pointee = kind if name in _SAME_POINTEE else ty.like(kind, ty.IntType(32))
    arguments = [writer.argument(number) for number in operands[:-1]]
    arguments.append(_pointer(writer, operands[-1], pointee))
    writer.give(each.result, each.type, writer.call(name, kind, arguments, ANY_EFFECT))


def _pointer(writer: FunctionWriter, number: int, pointee: ty.SpirvType, qualifiers: str = "") -> Argument:
    kind = writer.type_of(number)
    if not isinstance(kind, ty.PointerType):
        raise damaged(f"a pointer is asked for, where {kind.text} is given")
    return kind.text, writer.value(number), PointerTo(mangled_type(pointee, signed=True), kind.space, qualifiers)


def _offset(writer: FunctionWriter, number: int) -> Argument:
    return "i64", resized(writer, number, ty.IntType(64)), "m"


def _load_vector(writer: FunctionWriter, each: SpirvInstruction, name: str, operands: tuple[int, ...]) -> None:
    kind = writer.module.type(each.type)
    count = str(kind.count) if isinstance(kind, ty.VectorType) else ""
    element = ty.FloatType(16) if "half" in name else ty.element_of(kind)
    arguments = [_offset(writer, operands[0]), _pointer(writer, operands[1], element, "K")]
    written = name.removesuffix("n") + count if name.endswith("n") else name
    writer.give(each.result, each.type, writer.call(written, kind, arguments, ANY_EFFECT))


def _store_vector(writer: FunctionWriter, each: SpirvInstruction, name: str, operands: tuple[int, ...]) -> None:
    data, offset, pointer, *mode = operands
    kind = writer.type_of(data)
    count = str(kind.count) if isinstance(kind, ty.VectorType) else ""
    element = ty.FloatType(16) if "half" in name else ty.element_of(kind)
    arguments = [writer.argument(data), _offset(writer, offset), _pointer(writer, pointer, element)]
    base = name.removesuffix("_r")
    written = base.removesuffix("n") + count if base.endswith("n") else base
    if mode and mode[0] >= len(ROUNDING):
        raise damaged(f"the rounding mode {mode[0]}")
    writer.call(written + (ROUNDING[mode[0]] if mode else ""), ty.VoidType(), arguments)


def _shuffle(writer: FunctionWriter, each: SpirvInstruction, name: str, operands: tuple[int, ...]) -> None:
    arguments = [writer.argument(number) for number in operands[:-1]]
    arguments.append(writer.argument(operands[-1], signed=False))
    writer.give(each.result, each.type, writer.call(name, writer.module.type(each.type), arguments, PURE))


def _prefetch(writer: FunctionWriter, _: SpirvInstruction, name: str, operands: tuple[int, ...]) -> None:
    pointee = writer.module.pointee(writer.type_of(operands[0]))
    arguments = [_pointer(writer, operands[0], pointee, "K"), _offset(writer, operands[1])]
    writer.call(name, ty.VoidType(), arguments)


def _printf(writer: FunctionWriter, each: SpirvInstruction, _: str, operands: tuple[int, ...]) -> None:
    """C's printf, whose further arguments are promoted as C does it."""
    given = [writer.typed(operands[0])]
    if not given[0].startswith("ptr addrspace(4)"):
        raise refused("a format of printf outside constant memory")
    for number in operands[1:]:
        kind, text = writer.type_of(number), writer.typed(number)
        if isinstance(kind, ty.FloatType) and kind.bits < 64:
            text = f"double {writer.emit(f'fpext {text} to double')}"
        elif isinstance(kind, ty.IntType) and kind.bits < 32:
            text = f"i32 {writer.emit(f'sext {text} to i32')}"
        given.append(text)
    writer.declarations.add("printf", "i32", ["ptr addrspace(4)", "..."], ANY_EFFECT)
    call = f"call i32 (ptr addrspace(4), ...) @printf({', '.join(given)})"
    writer.result(each.result, each.type, call)


_BY_NAME: Final[dict[str, Extended]] = {
    **dict.fromkeys(_SAME_POINTEE | _INTEGER_POINTEE, _two_results),
    **dict.fromkeys(("s_upsample", "u_upsample"), _upsample),
    **dict.fromkeys(("vloadn", "vload_half", "vload_halfn", "vloada_halfn"), _load_vector),
    **dict.fromkeys(
        (
            "vstoren", "vstore_half", "vstore_half_r", "vstore_halfn", "vstore_halfn_r", "vstorea_halfn",
            "vstorea_halfn_r",
        ),
        _store_vector,
    ),
    **dict.fromkeys(("shuffle", "shuffle2"), _shuffle),
    "printf": _printf,
    "prefetch": _prefetch,
}  # fmt: skip

EXTENDED: Final[dict[str, Handler]] = {"ExtInst": _extended}
