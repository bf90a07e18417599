# SPDX-License-Identifier: Apache-2.0
"""Reads what a SPIR-V module declares: types, decorations, entry points, constants and variables.

Source: SPIR-V Specification 1.6, 2.4 "Logical Layout of a Module", 3.56.6 "Type-Declaration".
"""

from collections.abc import Callable, Iterable
from typing import Final

from lanewise.errors import CompileError
from lanewise.frontend.spirv import types as ty
from lanewise.frontend.spirv.constants import CONSTANTS, variable
from lanewise.frontend.spirv.module import EXTERNAL, SpirvModule, damaged, refused
from lanewise.frontend.spirv.words import SpirvInstruction, string_of

_PACKED: Final = 10
_PHYSICAL_64: Final = 2
_OF_OPENCL: Final = 2
_KERNEL: Final = 6
_MOST_ELEMENTS: Final = 1 << 40
_INTEGERS: Final = frozenset((8, 16, 32, 64))
_WIDTHS: Final = frozenset((1, 2, 3, 4, 8, 16))
"""Components of vectors. LLVM writes vectors of one, which no capability has."""
_DEEPEST: Final = 255
"""The most arrays in one another (2.17 "Universal Limits": of structures)."""
_FLOATS: Final = frozenset((16, 32, 64))


def read_declarations(module: SpirvModule, instructions: Iterable[SpirvInstruction]) -> None:
    """Read all that isn't in functions, and split those."""
    current: list[SpirvInstruction] | None = None
    later: list[SpirvInstruction] = []
    for each in instructions:
        if current is not None:
            current.append(each)
            if each.name == "FunctionEnd":
                current = None
        elif each.name == "Function":
            current = [each]
            module.functions.append(current)
        elif each.name in _DECLARATIONS:
            _DECLARATIONS[each.name](module, each)
        else:
            later.append(each)
    if current is not None:
        raise damaged("a function has no end")
    for number in module.decorations:
        if (linkage := module.linkage(number)) is not None and linkage.word == EXTERNAL:
            module.reserve(linkage.name)
    for each in later:
        if each.name in CONSTANTS:
            module.values[each.result] = CONSTANTS[each.name](module, each)
        elif each.name in _TYPES:
            module.types[each.result] = _TYPES[each.name](module, each)
        elif each.name == "Variable":
            variable(module, each)
        elif each.name not in _IGNORED:
            raise refused(f"Op{each.name}")


def _memory_model(_: SpirvModule, each: SpirvInstruction) -> None:
    addressing, memory = each.operands
    if memory != _OF_OPENCL:
        raise CompileError("error: the SPIR-V module is no program of OpenCL by its memory model")
    if addressing != _PHYSICAL_64:
        raise CompileError("error: the SPIR-V module has pointers of 32 bits; compile it for spirv64")


def _entry_point(module: SpirvModule, each: SpirvInstruction) -> None:
    model, function = each.operands[:2]
    if model == _KERNEL:
        name, _ = string_of(each.operands[2:])
        if not name.isprintable() or not name or set(name) & set(" ;"):
            raise damaged(f"a kernel with the name {name!r}")
        module.entry_points[function].append(name)
        module.reserve(name)


def _decorate(module: SpirvModule, each: SpirvInstruction) -> None:
    module.decorations[each.operands[0]].append((each.operands[1], each.operands[2:]))


def _group_decorate(module: SpirvModule, each: SpirvInstruction) -> None:
    group, *targets = each.operands
    if group in targets:
        raise damaged(f"%{group} decorates itself")
    for target in targets:
        module.charge(len(module.decorations[group]))
        module.decorations[target] += module.decorations[group]


def _name(module: SpirvModule, each: SpirvInstruction) -> None:
    module.names[each.operands[0]] = string_of(each.operands[1:])[0]


def _import(module: SpirvModule, each: SpirvInstruction) -> None:
    module.imports[each.result] = string_of(each.operands)[0]


def _mode(module: SpirvModule, each: SpirvInstruction) -> None:
    module.modes[each.operands[0]].append((each.operands[1], each.operands[2:]))


_DECLARATIONS: Final[dict[str, Callable[[SpirvModule, SpirvInstruction], None]]] = {
    "MemoryModel": _memory_model,
    "EntryPoint": _entry_point,
    "ExecutionMode": _mode,
    "ExecutionModeId": _mode,
    "Decorate": _decorate,
    "DecorateId": _decorate,
    "GroupDecorate": _group_decorate,
    "Name": _name,
    "ExtInstImport": _import,
}
_LISTED_AS_IGNORED: Final = """
    Nop SourceContinued Source SourceExtension MemberName String Line NoLine Extension Capability MemberDecorate
    DecorationGroup GroupMemberDecorate ModuleProcessed DecorateString MemberDecorateString TypeForwardPointer
    ExtInst
"""
_IGNORED: Final = frozenset(_LISTED_AS_IGNORED.split())
"""Instructions that say nothing to this translation. `ExtInst` outside functions is debug information."""


def _integer(_: SpirvModule, each: SpirvInstruction) -> ty.SpirvType:
    if each.operands[0] not in _INTEGERS:
        raise refused(f"integers of {each.operands[0]} bits")
    return ty.IntType(each.operands[0])


def _float(_: SpirvModule, each: SpirvInstruction) -> ty.SpirvType:
    bits, *encoding = each.operands
    if bits not in _FLOATS or encoding:
        raise refused(f"floating-point numbers of {bits} bits in another format than IEEE 754's")
    return ty.FloatType(bits)


def _vector(module: SpirvModule, each: SpirvInstruction) -> ty.SpirvType:
    element = module.type(each.operands[0])
    if each.operands[1] not in _WIDTHS:
        raise refused(f"vectors of {each.operands[1]} components")
    if not isinstance(element, (ty.IntType, ty.FloatType, ty.BoolType)):
        raise damaged(f"a vector of {element.text}")
    return ty.VectorType(element, each.operands[1])


def _array(module: SpirvModule, each: SpirvInstruction) -> ty.SpirvType:
    count = module.constant_number(each.operands[1])
    if not 0 < count < _MOST_ELEMENTS:
        raise damaged(f"an array of {count} elements")
    element = inner = module.type(each.operands[0])
    for _ in range(_DEEPEST):
        if not isinstance(inner, ty.ArrayType):
            return ty.ArrayType(element, count)
        inner = inner.element
    raise damaged(f"more than {_DEEPEST} arrays in one another")


def _struct(module: SpirvModule, each: SpirvInstruction) -> ty.SpirvType:
    name = module.symbol(each.result, "struct")
    return ty.StructType(name, each.operands, module.decoration(each.result, _PACKED) is not None)


def _opaque(module: SpirvModule, each: SpirvInstruction) -> ty.SpirvType:
    return ty.StructType(module.unique(string_of(each.operands)[0] or f"opaque{each.result}"), (), is_packed=False)


def _pointer(module: SpirvModule, each: SpirvInstruction) -> ty.SpirvType:
    if each.operands[0] not in ty.SPACES:
        raise refused(f"pointers of the storage class {each.operands[0]}")
    return ty.PointerType(each.operands[0], each.operands[1])


def _image(_: SpirvModule, each: SpirvInstruction) -> ty.SpirvType:
    dimension, depth, arrayed, multisampled = each.operands[1:5]
    if dimension not in (0, 1, 2, 5) or multisampled:
        raise refused(f"images of {'several samples' if multisampled else f'the dimensionality {dimension}'}")
    return ty.ImageType(dimension, depth == 1, arrayed == 1, each.operands[7] if len(each.operands) > 7 else 0)


def _sampled_image(module: SpirvModule, each: SpirvInstruction) -> ty.SpirvType:
    image = module.type(each.operands[0])
    if not isinstance(image, ty.ImageType):
        raise damaged(f"OpTypeSampledImage of {image.text}")
    return ty.SampledImageType(image)


def _function(module: SpirvModule, each: SpirvInstruction) -> ty.SpirvType:
    return ty.FunctionType(module.type(each.operands[0]), tuple(map(module.type, each.operands[1:])))


_TYPES: Final[dict[str, Callable[[SpirvModule, SpirvInstruction], ty.SpirvType]]] = {
    "TypeVoid": lambda _, __: ty.VoidType(),
    "TypeBool": lambda _, __: ty.BoolType(),
    "TypeInt": _integer,
    "TypeFloat": _float,
    "TypeVector": _vector,
    "TypeArray": _array,
    "TypeStruct": _struct,
    "TypeOpaque": _opaque,
    "TypePointer": _pointer,
    "TypeImage": _image,
    "TypeSampler": lambda _, __: ty.SamplerType(),
    "TypeSampledImage": _sampled_image,
    "TypeEvent": lambda _, __: ty.EventType(),
    "TypeFunction": _function,
}
