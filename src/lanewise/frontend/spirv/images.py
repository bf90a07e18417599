# SPDX-License-Identifier: Apache-2.0
"""Images and samplers, by OpenCL C's functions. Source: SPIR-V Specification 1.6, 3.56.10 "Image Instructions"."""

from __future__ import annotations

from typing import Final

from lanewise.frontend.spirv import types as ty
from lanewise.frontend.spirv.arithmetic import Handler
from lanewise.frontend.spirv.function import FunctionWriter
from lanewise.frontend.spirv.literals import float_text
from lanewise.frontend.spirv.mangling import Mangled, mangled_type
from lanewise.frontend.spirv.module import damaged, refused
from lanewise.frontend.spirv.words import SpirvInstruction

_LOD, _GRADIENTS = 0x2, 0x4
_SIGN_EXTEND, _ZERO_EXTEND, _NONTEMPORAL = 0x1000, 0x2000, 0x4000
_WITHOUT_OPERAND: Final = _SIGN_EXTEND | _ZERO_EXTEND | _NONTEMPORAL
_FIRST_TYPE, _FIRST_ORDER = 0x10D0, 0x10B0
"""OpenCL C's numbers of the first channel type and order, which SPIR-V counts from 0."""

Argument = tuple[str, str, Mangled]


def _sampled(writer: FunctionWriter, each: SpirvInstruction) -> None:
    writer.sampled[each.result] = each.operands[0], each.operands[1]
    writer.give(each.result, each.type, "")


def _image_type(writer: FunctionWriter, number: int) -> ty.ImageType:
    kind = writer.type_of(number)
    if not isinstance(kind, ty.ImageType):
        raise damaged(f"an image is asked for, where {kind.text} is given")
    return kind


def _coordinates(writer: FunctionWriter, number: int, image: ty.ImageType) -> Argument:
    """Coordinates in the width that OpenCL C's functions take: 1, 2 or 4."""
    kind = writer.type_of(number)
    wanted = {0: 1, 1: 2, 2: 4, 5: 1}[image.dimension] if not image.is_array else {0: 2, 1: 4}[image.dimension]
    text, value, code = writer.argument(number)
    own = kind.count if isinstance(kind, ty.VectorType) else 1
    if own == wanted:
        return text, value, code
    if not isinstance(kind, ty.VectorType) or own < wanted - 1:
        raise damaged(f"coordinates {kind.text} of {image.name}")
    mask = ", ".join(f"i32 {min(lane, own)}" for lane in range(wanted))
    zeros = f"{text} zeroinitializer"
    if wanted == 1:
        return (
            kind.element.text,
            writer.emit(f"extractelement {text} {value}, i32 0"),
            mangled_type(kind.element, signed=True),
        )
    made = writer.emit(f"shufflevector {text} {value}, {zeros}, <{wanted} x i32> <{mask}>")
    wide = ty.VectorType(kind.element, wanted)
    return wide.text, made, mangled_type(wide, signed=True)


def _suffix(kind: ty.SpirvType, mask: int) -> str:
    """The letter of the functions that read or write a texel of a type."""
    element = ty.element_of(kind)
    if isinstance(element, ty.FloatType):
        return "h" if element.bits == 16 else "f"
    return "ui" if mask & _ZERO_EXTEND else "i"


def _image(writer: FunctionWriter, number: int) -> Argument:
    return writer.argument(number)


def _sample(writer: FunctionWriter, each: SpirvInstruction) -> None:
    sampled, place, *operands = each.operands
    if sampled not in writer.sampled:
        raise damaged(f"%{sampled} is no image with a sampler")
    image_number, sampler = writer.sampled[sampled]
    image, kind = _image_type(writer, image_number), writer.module.type(each.type)
    arguments = [_image(writer, image_number), writer.argument(sampler), _coordinates(writer, place, image)]
    mask = operands[0] if operands else 0
    _require_first_level(writer, mask, operands)
    name = f"read_image{_suffix(kind, mask)}"
    _texel(writer, each, name, arguments, image)


def _require_first_level(writer: FunctionWriter, mask: int, operands: list[int]) -> None:
    """CompileError for operands of an image that ask for more than its one level."""
    if mask & ~(_LOD | _WITHOUT_OPERAND):
        raise refused("gradients, offsets, samples or other operands of images")
    if mask & _LOD and writer.value(operands[1]) not in ("0", float_text(0, 32)):
        raise refused("images of several levels of detail")


def _texel(
    writer: FunctionWriter, each: SpirvInstruction, name: str, arguments: list[Argument], image: ty.ImageType
) -> None:
    """A read of four components, or of a depth alone."""
    kind = writer.module.type(each.type)
    if image.is_depth and isinstance(kind, ty.VectorType):
        found = writer.call(name, kind.element, arguments)
        writer.result(
            each.result, each.type, f"insertelement {kind.text} zeroinitializer, {kind.element.text} {found}, i32 0"
        )
    else:
        writer.give(each.result, each.type, writer.call(name, kind, arguments))


def _read(writer: FunctionWriter, each: SpirvInstruction) -> None:
    number, place, *operands = each.operands
    image, kind = _image_type(writer, number), writer.module.type(each.type)
    mask = operands[0] if operands else 0
    _require_first_level(writer, mask, operands)
    arguments = [_image(writer, number), _coordinates(writer, place, image)]
    _texel(writer, each, f"read_image{_suffix(kind, mask)}", arguments, image)


def _write(writer: FunctionWriter, each: SpirvInstruction) -> None:
    number, place, texel, *operands = each.operands
    image, kind = _image_type(writer, number), writer.type_of(texel)
    mask = operands[0] if operands else 0
    if mask & ~_WITHOUT_OPERAND:
        raise refused("levels, samples or other operands of images")
    suffix = _suffix(kind, mask)
    value = writer.argument(texel, signed=suffix != "ui")
    arguments = [_image(writer, number), _coordinates(writer, place, image), value]
    writer.call(f"write_image{suffix}", ty.VoidType(), arguments)


def _format(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """A channel's type or order. SPIR-V's numbers begin at 0."""
    name, first = (
        ("get_image_channel_data_type", _FIRST_TYPE)
        if each.name == "ImageQueryFormat"
        else ("get_image_channel_order", _FIRST_ORDER)
    )
    found = writer.call(name, ty.IntType(32), [_image(writer, each.operands[0])])
    writer.result(each.result, each.type, f"sub i32 {found}, {first}")


def _size(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """The extents of an image, and the number of an array's images last."""
    image = _image_type(writer, each.operands[0])
    axes = {0: 1, 1: 2, 2: 3, 5: 1}[image.dimension]
    names = ["get_image_width", "get_image_height", "get_image_depth"][:axes]
    kind = writer.module.type(each.type)
    element = ty.element_of(kind)
    values: list[str] = []
    for name in names:
        found = writer.call(name, ty.IntType(32), [_image(writer, each.operands[0])])
        values.append(_as(writer, "i32", found, element))
    if image.is_array:
        found = writer.call("get_image_array_size", ty.IntType(64), [_image(writer, each.operands[0])])
        values.append(_as(writer, "i64", found, element))
    if not isinstance(kind, ty.VectorType):
        writer.give(each.result, each.type, values[0])
        return
    made = "zeroinitializer"
    for index, value in enumerate(values[: kind.count]):
        made = writer.emit(f"insertelement {kind.text} {made}, {element.text} {value}, i32 {index}")
    writer.give(each.result, each.type, made)


def _as(writer: FunctionWriter, own: str, value: str, wanted: ty.SpirvType) -> str:
    if wanted.text == own:
        return value
    word = "zext" if own == "i32" and wanted == ty.IntType(64) else "trunc"
    return writer.emit(f"{word} {own} {value} to {wanted.text}")


def _one(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """The number of levels or of samples, which is one."""
    writer.give(each.result, each.type, "1")


def _image_of(writer: FunctionWriter, each: SpirvInstruction) -> None:
    image = writer.sampled[each.operands[0]][0]
    writer.give(each.result, each.type, writer.value(image))


IMAGES: Final[dict[str, Handler]] = {
    "SampledImage": _sampled,
    "Image": _image_of,
    "ImageSampleExplicitLod": _sample,
    "ImageSampleImplicitLod": _sample,
    "ImageRead": _read,
    "ImageFetch": _read,
    "ImageWrite": _write,
    "ImageQueryFormat": _format,
    "ImageQueryOrder": _format,
    "ImageQuerySizeLod": _size,
    "ImageQuerySize": _size,
    "ImageQueryLevels": _one,
    "ImageQuerySamples": _one,
}
