# SPDX-License-Identifier: Apache-2.0
"""Finds the texture and surface references of a module: variables that a host binds textures to.

Clang makes each a variable of 8 bytes, listed in `!nvvm.annotations`; its template arguments are in its debug
information. Source: CUDA C++ Programming Guide 11, "Texture Reference API".
"""

from __future__ import annotations

import re
from typing import Final

from lanewise.frontend.signature import ReferenceType
from lanewise.frontend.source_types import SourceTypes
from lanewise.ir.debug_info import DebugInfo, MetadataNode
from lanewise.ir.module import GlobalVariable, Module

ANNOTATIONS: Final = "!nvvm.annotations"
_ANNOTATION: Final = re.compile(r'!\{ptr addrspace\(1\) @("[^"]*"|[\w.$]+), !"(texture|surface)"').match
_NODES: Final = re.compile(r"!\d+").findall
_VALUE: Final = re.compile(r"i32 (-?\d+)").fullmatch


def texture_references(module: Module, info: DebugInfo) -> tuple[ReferenceType, ...]:
    """The references that device code uses, in the order of the module."""
    kinds: dict[str, str] = {}
    for node in _NODES(module.metadata.get(ANNOTATIONS, "")):
        match = _ANNOTATION(module.metadata.get(node, ""))
        if match is not None:
            kinds[match[1].strip('"')] = match[2]
    types = SourceTypes(info)
    return tuple(
        _reference(variable, kinds[str(variable.name)], types, info)
        for variable in module.variables
        if str(variable.name) in kinds
    )


def _reference(variable: GlobalVariable, kind: str, types: SourceTypes, info: DebugInfo) -> ReferenceType:
    symbol = str(variable.name)
    expression = info.node(dict(variable.metadata).get("!dbg", ""))
    declared = info.node(expression.get("var")) if expression is not None else None
    if declared is None:
        return ReferenceType(symbol, symbol, kind)
    dtype, dimensions, normalized = "", 0, False
    structure = _structure(declared.get("type"), info)
    for name in info.elements(structure.get("templateParams")) if structure is not None else ():
        parameter = info.node(name)
        value = _VALUE(parameter.get("value")) if parameter is not None else None
        if parameter is not None and parameter.get("name") == "Type":
            dtype = types.of(parameter.get("type")).dtype
        elif parameter is not None and value is not None and parameter.get("name") == "dimensions":
            dimensions = int(value[1])
        elif value is not None:
            normalized = value[1] == "1"
    return ReferenceType(info.qualified_name(declared), symbol, kind, dtype, dimensions, normalized)


def _structure(name: str, info: DebugInfo) -> MetadataNode | None:
    """The class that a type is, type definitions and qualifiers resolved."""
    node = info.node(name)
    while node is not None and node.kind == "DIDerivedType":
        node = info.node(node.get("baseType"))
    return node
