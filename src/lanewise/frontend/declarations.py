# SPDX-License-Identifier: Apache-2.0
"""Finds the signatures of kernels and the types of variables in a module.

Names and types come from debug information. Without it, names, images and samplers come from what a compiler of
OpenCL C says of kernels' arguments; else parameters are called arg0, arg1, ..., and their kinds come from the IR's
types.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from lanewise.frontend.kernel_qualifiers import (
    ARRAY_ALIGNMENT,
    HIDDEN,
    NO_QUALIFIERS,
    kernel_qualifiers,
    kernel_types_and_names,
)
from lanewise.frontend.signature import Parameter, Signature, VariableType
from lanewise.frontend.source_types import Dtype, SourceType, SourceTypes
from lanewise.ir import types as ty
from lanewise.ir.address_spaces import CONSTANT, GENERIC, GLOBAL
from lanewise.ir.debug_info import DebugInfo
from lanewise.ir.function import Function
from lanewise.ir.layout import size_of
from lanewise.ir.module import GlobalVariable, Module
from lanewise.ir.parameters import byval_type, parameters
from lanewise.ir.types import Type
from lanewise.ir.values import Argument

_IMAGE: Final = re.compile(r"opencl_(image\w+)_(?:ro|wo|rw)_t \*")
"""Names in debug information of `read_only image2d_t` and the like."""

_IMAGE_TYPE: Final = re.compile(r"image\w+_t")
_SAMPLER: Final = "sampler_t"


def kernel_signature(module: Module, kernel: Function, info: DebugInfo) -> Signature:
    """The signature of `kernel`."""
    types = SourceTypes(info)
    names, written = _declared(kernel, info)
    hidden = sum((argument.name or "").startswith(HIDDEN) for argument in kernel.arguments)
    if len(written) != len(kernel.arguments) - hidden:  # an argument that the ABI leaves out, say
        written = []
    qualified = kernel_qualifiers(module, kernel)
    spelled, called = ([], []) if written else kernel_types_and_names(module, kernel)
    found: list[Parameter] = []
    for index, (argument, place) in enumerate(zip(kernel.arguments, parameters(kernel, module), strict=True)):
        declared = types.of(written[index]) if index < len(written) else _from_ir(argument)
        if declared.kind in ("unknown", "array"):
            declared = _from_ir(argument)
        qualifiers = qualified[index] if index < len(qualified) else NO_QUALIFIERS
        if index < len(spelled) and (spelled[index] == _SAMPLER or _IMAGE_TYPE.fullmatch(spelled[index])):
            kind = "sampler" if spelled[index] == _SAMPLER else "image"
            declared = declared._replace(spelled=spelled[index], kind=kind, dtype="")
        elif image := _IMAGE.fullmatch(declared.spelled):
            declared = declared._replace(spelled=f"{image[1]}_t", kind="image", dtype="")
        elif declared.spelled == _SAMPLER:
            declared = declared._replace(kind="sampler", dtype="")
        if qualifiers.address == "local":
            declared = declared._replace(kind="local")
        elif qualifiers.address in ("global", "constant") and declared.kind != "image":
            const = declared.const or qualifiers.address == "constant"
            declared = declared._replace(const=const, align=min(declared.align, ARRAY_ALIGNMENT))
        name = names.get(index + 1) or "".join(called[index : index + 1]) or argument.name or f"arg{index}"
        found.append(
            Parameter(
                name,
                declared.spelled,
                declared.kind,
                place.size,
                place.offset,
                declared.dtype,
                declared.const,
                declared.align,
                *qualifiers,
            )
        )
    return Signature(kernel.symbol, tuple(found))


def variable_types(module: Module, info: DebugInfo) -> tuple[VariableType, ...]:
    """The `__device__` and `__constant__` variables that a host can name."""
    types = SourceTypes(info)
    found: list[VariableType] = []
    for variable in module.variables:
        if variable.type.addrspace not in _HOST_VISIBLE or not variable.name or variable.name.startswith("llvm."):
            continue
        found.append(_variable(variable, types, module, info))
    return tuple(found)


_HOST_VISIBLE: Final = frozenset({GENERIC, GLOBAL, CONSTANT})
_SHADOWED: Final = "!dbg"


def _variable(variable: GlobalVariable, types: SourceTypes, module: Module, info: DebugInfo) -> VariableType:
    symbol = str(variable.name)
    name, type_ = symbol, None
    expression = info.node(dict(variable.metadata).get(_SHADOWED, ""))
    declared = info.node(expression.get("var")) if expression is not None else None
    if declared is not None:
        name = declared.get("name") or symbol
        type_ = types.of(declared.get("type"))
    size = size_of(variable.value_type, module.types)
    if type_ is None or not type_.dtype:
        return VariableType(name, symbol, *_plain(variable.value_type, size))
    if type_.kind == "pointer":
        return VariableType(name, symbol, "<u8", ())
    if isinstance(type_.dtype, dict) and "base" in type_.dtype:
        shape = type_.dtype["shape"]
        assert isinstance(shape, list)
        base = type_.dtype["base"]
        assert isinstance(base, str | dict)
        return VariableType(name, symbol, base, tuple(shape))  # pyright: ignore[reportUnknownArgumentType] : ints, as source_types made them
    return VariableType(name, symbol, type_.dtype, ())


def _plain(type_: Type, size: int) -> tuple[Dtype, tuple[int, ...]]:
    """Dtype and shape by the IR's type alone."""
    shape: list[int] = []
    while type_.kind == "array":
        shape.append(type_.count)
        type_ = type_.inner
    if type_.is_float and type_.bits <= 64 and type_.kind != "bfloat":
        return f"<f{type_.bits // 8}", tuple(shape)
    if type_.is_int and type_.bits in (8, 16, 32, 64):
        return f"<i{type_.bits // 8}", tuple(shape)
    return "|u1", (size,)


def _declared(kernel: Function, info: DebugInfo) -> tuple[Mapping[int, str], list[str]]:
    """Names of parameters by position, from 1, and the nodes of their types."""
    program = dict(kernel.metadata).get("!dbg", "")
    node = info.node(program)
    if node is None:
        return {}, []
    routine = info.node(node.get("type"))
    types = info.elements(routine.get("types"))[1:] if routine is not None else []
    return info.parameter_names(program), types


def _from_ir(argument: Argument) -> SourceType:
    struct = byval_type(argument)
    if struct is not None:
        return SourceType(str(struct), "struct", 0, "")
    type_ = argument.type
    if type_.is_pointer:
        read_only = "readonly" in argument.attributes
        return SourceType("ptr", "pointer", 8, "", read_only)
    if type_ is ty.I1:
        return SourceType("bool", "bool", 1, "|b1")
    if type_.is_float:
        return SourceType(str(type_), "float", type_.bits // 8, f"<f{type_.bits // 8}")
    if type_.is_int:
        return SourceType(str(type_), "int", type_.bits // 8, f"<i{type_.bits // 8}")
    return SourceType(str(type_), "struct", 0, "")
