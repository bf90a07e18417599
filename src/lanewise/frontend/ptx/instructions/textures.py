# SPDX-License-Identifier: Apache-2.0
"""Textures and surfaces by 64-bit handles or by name: `tex`, `tld4`, `suld.b`, `sust`, `sured`, `txq` and `suq`.

PTX doesn't say how many channels a texture has, nor their size: an element of no channels takes the texture's own.

Source: PTX ISA 9.0, 9.7.10 "Texture Instructions", 9.7.11 "Surface Instructions".
"""

from typing import TYPE_CHECKING, Final

from lanewise.frontend.ptx.instructions.words import Row, types_of
from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction as Made
from lanewise.ir.texture_functions import (
    BOUNDARY_SHIFT,
    CHANNELS_SHIFT,
    FLOATING,
    FORMATTED,
    KIND_OF_SURFACE,
    KIND_SHIFT,
    QUERIES,
    REDUCTION_SHIFT,
    REDUCTIONS,
    SIGNED,
)
from lanewise.ir.types import Type
from lanewise.ir.values import Value, i32, i64, poison
from lanewise.ptx.language.operands import Address, AddressList, Name, Operand, Vector
from lanewise.ptx.language.statements import Instruction

if TYPE_CHECKING:
    from lanewise.frontend.ptx.code import PtxCode

_WORDS: Final = ty.vector(4, ty.I32)
_GEOMETRIES: Final = {
    "1d": "1d", "2d": "2d", "3d": "3d", "a1d": "1d_layered", "a2d": "2d_layered", "cube": "cube",
    "acube": "cube_layered",
}  # fmt: skip
_KINDS: Final = {"f32": FLOATING, "s32": SIGNED, "u32": 1}
_BOUNDARIES: Final = ("zero", "clamp", "trap")
_READ_ONLY: Final = "nounwind willreturn memory(read)"


def _geometry(instruction: Instruction) -> str:
    word = next((word for word in instruction.modifiers if word in _GEOMETRIES), None)
    if word is None:
        raise RefusedError("its geometry is not supported")
    return word


def _call(code: "PtxCode", name: str, result: Type, attributes: str, arguments: list[Value]) -> Value:
    type_ = ty.function(result, tuple(argument.type for argument in arguments))
    declared = code.symbols.module.declare(name, type_)
    declared.suffix = attributes
    return code.build.call_function(declared, arguments)


def _place(code: "PtxCode", operand: Operand, types: list[str]) -> tuple[Value, list[Value]]:
    """The handle, and the coordinates in the types given; further ones are padding."""
    if not isinstance(operand, AddressList) or len(operand.items) != 2:
        raise RefusedError("a sampler of its own is not supported")
    handle, coordinates = operand.items
    return _handle(code, handle, operand), _items(code, coordinates, types)


def _handle(code: "PtxCode", given: Operand | None, operand: Operand) -> Value:
    """The value of a register, or what is bound to a name."""
    if not isinstance(given, Name):
        raise RefusedError(f"{operand} names no texture or surface")
    if code.register(given.text) is None and code.variable(given.text) not in code.symbols.references:
        raise RefusedError(f"{given} is neither a register nor a .texref or .surfref")
    return code.read(given, "u64")


def _items(code: "PtxCode", operand: Operand, types: list[str]) -> list[Value]:
    items = operand.items if isinstance(operand, Vector) else (operand,)
    return [code.read(item, word) for item, word in zip(items[: len(types)], types, strict=True)]


def _element(code: "PtxCode", words: Value, place: int) -> Value:
    return code.build.emit(Made("extractelement", ty.I32, (words, i32(place))))


# ---- Textures ------------------------------------------------------------------------------------------------


def _fetched(code: "PtxCode", instruction: Instruction, name: str, arguments: list[Value]) -> None:
    words = _call(code, f"__lw_tex_{name}", _WORDS, _READ_ONLY, arguments)
    target = instruction.operands[0]
    if not isinstance(target, Vector):
        raise RefusedError("this form is not supported")
    for place, item in enumerate(target.items):
        code.write(item, _element(code, words, place))


def _kind(instruction: Instruction) -> Value:
    types = types_of(instruction)
    if "v4" not in instruction.modifiers or len(types) != 2 or types[0] not in _KINDS:
        raise RefusedError("this form is not supported")
    return i32(_KINDS[types[0]] << KIND_SHIFT)


def _tex(code: "PtxCode", instruction: Instruction) -> None:
    """A fetch. There is one level of detail, so what would choose a level is not read."""
    word, kind = _geometry(instruction), _kind(instruction)
    geometry = _GEOMETRIES[word]
    by_number = types_of(instruction)[1] != "f32"
    if by_number and (word != "1d" or "level" in instruction.modifiers):
        raise RefusedError("coordinates that are integers are supported for .1d alone")
    axes = ["s32" if by_number else "f32"] * (3 if "cube" in geometry else int(geometry[0]))
    layer = ["u32"] if word[0] == "a" else []
    usual = 2 + ("level" in instruction.modifiers) + 2 * ("grad" in instruction.modifiers)
    if len(instruction.operands) != usual:
        raise RefusedError("offsets and comparisons are not supported")
    handle, coordinates = _place(code, instruction.operands[1], layer + axes)
    _fetched(code, instruction, "fetch" if by_number else geometry, [handle, kind, *coordinates])


def _tld4(code: "PtxCode", instruction: Instruction) -> None:
    """One channel of four texels."""
    if _geometry(instruction) != "2d" or len(instruction.operands) != 2:
        raise RefusedError("this form is not supported")
    channel = "rgba".index(next(word for word in instruction.modifiers if word in ("r", "g", "b", "a")))
    handle, coordinates = _place(code, instruction.operands[1], ["f32", "f32"])
    _fetched(code, instruction, "gather", [handle, _kind(instruction), i32(channel), *coordinates])


# ---- Surfaces ------------------------------------------------------------------------------------------------


def _access(instruction: Instruction) -> tuple[str, int, int, Value]:
    """Geometry, elements, bits of each, and the word that says this with the boundary mode."""
    formatted = "p" in instruction.modifiers
    if formatted and instruction.name == "suld":
        raise RefusedError("a load by the surface's format (.p) is not supported")
    word = types_of(instruction)[-1]
    bits = int(word[1:])
    count = next((int(each[1]) for each in instruction.modifiers if each in ("v2", "v4")), 1)
    boundary = next(number for number, each in enumerate(_BOUNDARIES) if each in instruction.modifiers)
    channels = count * max(1, bits // 32)  # numbers of 64 bits are two of 32
    access = min(bits, 32) // 8 | channels << CHANNELS_SHIFT | boundary << BOUNDARY_SHIFT | FORMATTED * formatted
    return _geometry(instruction), count, bits, i32(access)


def _surface_place(code: "PtxCode", operand: Operand, word: str) -> tuple[Value, list[Value]]:
    """The handle, and the place with the layer last, as the functions take it."""
    layered = word[0] == "a"
    axes = int(word[-2])
    handle, place = _place(code, operand, ["s32"] * (axes + layered))
    return handle, [*place[1:], place[0]] if layered else place


def _suld(code: "PtxCode", instruction: Instruction) -> None:
    word, count, bits, access = _access(instruction)
    target, where = instruction.operands
    handle, place = _surface_place(code, where, word)
    name = f"__lw_surf_read_{_GEOMETRIES[word]}"
    words = _call(code, name, _WORDS, _READ_ONLY, [handle, access, *place])
    items = target.items if isinstance(target, Vector) else (target,)
    for number, item in zip(range(count), items, strict=True):
        if bits < 64:
            code.write(item, code.as_type(_element(code, words, number), ty.integer(bits)))
            continue
        low, high = (code.build.cast("zext", _element(code, words, 2 * number + n), ty.I64) for n in range(2))
        shifted = code.build.binary("shl", high, i64(32))
        code.write(item, code.build.binary("or", low, shifted))


def _sust(code: "PtxCode", instruction: Instruction) -> None:
    word, count, bits, access = _access(instruction)
    where, source = instruction.operands
    handle, place = _surface_place(code, where, word)
    items = source.items if isinstance(source, Vector) else (source,)
    words: list[Value] = []
    for _, item in zip(range(count), items, strict=True):
        value = code.read_as(item, ty.integer(bits))
        words.append(code.as_type(value, ty.I32))
        if bits == 64:
            high = code.build.binary("lshr", value, i64(32))
            words.append(code.build.cast("trunc", high, ty.I32))
    name, content = f"__lw_surf_write_{_GEOMETRIES[word]}", _four_words(code, words)
    _call(code, name, ty.VOID, "nounwind willreturn", [handle, access, *place, content])


def _four_words(code: "PtxCode", words: list[Value]) -> Value:
    """Words as the functions take them."""
    content: Value = poison(_WORDS)
    for number in range(4):
        part = words[number] if number < len(words) else i32(0)
        content = code.build.emit(Made("insertelement", _WORDS, (content, part, i32(number))))
    return content


def _sured(code: "PtxCode", instruction: Instruction) -> None:
    """An atomic operation on one number. By `.p`, x counts numbers, and the surface's format tells if bits have a
    sign."""
    words = instruction.modifiers
    reduction = next((word for word in words if word in REDUCTIONS), None)
    type_ = types_of(instruction)[-1]
    if reduction is None or type_ not in ("u32", "s32", "b32", "u64", "s64", "b64"):
        raise RefusedError("this form is not supported")
    where, source = instruction.operands
    geometry, bits = _geometry(instruction), int(type_[1:])
    handle, place = _surface_place(code, where, geometry)
    value = code.as_type(code.read_as(source, ty.integer(bits)), ty.I64)
    kind = KIND_OF_SURFACE if type_[0] == "b" and "p" in words else int(type_[0] != "s")
    access = bits // 8 | REDUCTIONS.index(reduction) << REDUCTION_SHIFT | kind << KIND_SHIFT
    boundary = next(number for number, each in enumerate(_BOUNDARIES) if each in words)
    access |= boundary << BOUNDARY_SHIFT | FORMATTED * ("p" in words)
    parts = [value, code.build.binary("lshr", value, i64(32))]
    content = _four_words(code, [code.build.cast("trunc", part, ty.I32) for part in parts])
    name = f"__lw_surf_reduce_{_GEOMETRIES[geometry]}"
    _call(code, name, ty.VOID, "nounwind willreturn", [handle, i32(access), *place, content])


# ---- Queries -------------------------------------------------------------------------------------------------


def _query(code: "PtxCode", instruction: Instruction) -> None:
    """A property of a texture or surface. There is one level of detail, so a level that is named is not read."""
    asked = next((word for word in instruction.modifiers if word in QUERIES), None)
    target, of, *_ = instruction.operands
    if asked is None:
        raise RefusedError("this question is not supported")
    handle = _handle(code, of.base if isinstance(of, Address) and not of.offset else None, of)
    name = "__lw_tex_query" if instruction.name == "txq" else "__lw_surf_query"
    words = _call(code, name, _WORDS, _READ_ONLY, [handle, i32(QUERIES.index(asked))])
    code.write(target, _element(code, words, 0))


ROWS: Final[dict[str, Row]] = {
    "txq": _query,
    "suq": _query,
    "sured": _sured,
    "tex": _tex,
    "tld4": _tld4,
    "suld": _suld,
    "sust": _sust,
}
