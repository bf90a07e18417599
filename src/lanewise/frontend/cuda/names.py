# SPDX-License-Identifier: Apache-2.0
"""The kernels of a module with the names that programs write, taken from debug information."""

from __future__ import annotations

import re
from typing import ClassVar

from lanewise.frontend.kernel_names import KernelName

_KERNEL = re.compile(r"^define [^@\n]*\bptx_kernel\b[^@\n]* @(\"[^\"]*\"|[\w$.]+)\((?:.*!dbg !(\d+))?", re.MULTILINE)
_NODE = re.compile(r"^!(\d+) = (?:distinct )?!(DI\w+)\((.*)\)$", re.MULTILINE)
_TUPLE = re.compile(r"^!(\d+) = (?:distinct )?!\{(.*)\}$", re.MULTILINE)
_FIELD = re.compile(r"(\w+): (\"(?:[^\"\\]|\\.)*\"|[^,]+)")


def kernels(ir: str) -> tuple[KernelName, ...]:
    """The kernels that the module `ir` defines, in its order."""
    found = [(match[1].strip('"'), match[2]) for match in _KERNEL.finditer(ir)]
    if not found:
        return ()
    debug = _DebugInfo(ir)
    return tuple(
        KernelName(symbol, debug.qualified(node), debug.signature(node))
        if node
        else KernelName(symbol, symbol, f"{symbol}()")
        for symbol, node in found
    )


class _DebugInfo:
    """The nodes of a module's debug information that names and signatures are made of."""

    # DIDerivedType's tag -> what it adds to the type it derives from.
    _SUFFIXES: ClassVar = {
        "DW_TAG_pointer_type": "*",
        "DW_TAG_reference_type": "&",
        "DW_TAG_rvalue_reference_type": "&&",
        "DW_TAG_const_type": " const",
        "DW_TAG_volatile_type": " volatile",
        "DW_TAG_restrict_type": "",
    }

    def __init__(self, ir: str) -> None:
        self._nodes = {match[1]: (match[2], match[3]) for match in _NODE.finditer(ir)}
        self._tuples = {match[1]: match[2] for match in _TUPLE.finditer(ir)}

    def _fields(self, node: str) -> dict[str, str]:
        _, fields = self._nodes[node]
        return {match[1]: match[2].strip('"') for match in _FIELD.finditer(fields)}

    def qualified(self, node: str) -> str:
        """The name of a function or type with its namespaces and classes."""
        fields = self._fields(node)
        parts = [fields.get("name", "(anonymous)")]
        while (scope := fields.get("scope", "null").lstrip("!")) in self._nodes:
            kind, _ = self._nodes[scope]
            fields = self._fields(scope)
            if kind in ("DINamespace", "DICompositeType") and "name" in fields:
                parts.append(fields["name"])
        return "::".join(reversed(parts))

    def signature(self, node: str) -> str:
        """The qualified name of a function and the types of its parameters."""
        parameters = self._elements(self._fields(self._fields(node)["type"].lstrip("!")).get("types", ""))[1:]
        return f"{self.qualified(node)}({', '.join(map(self._type, parameters))})"

    def _elements(self, reference: str) -> list[str]:
        """The node numbers in the tuple that `reference` names; `null` is void."""
        listed = self._tuples.get(reference.lstrip("!"), "")
        return [element.strip().lstrip("!") for element in listed.split(",") if element.strip()]

    def _type(self, node: str) -> str:
        if node not in self._nodes:
            return "void"
        kind, _ = self._nodes[node]
        fields = self._fields(node)
        base = fields.get("baseType", "null").lstrip("!")
        tag = fields.get("tag", "")
        if kind == "DIDerivedType" and tag in self._SUFFIXES:
            inner = self._type(base)
            if tag == "DW_TAG_const_type" and not inner.endswith(("*", "&", ")")):
                return f"const {inner}"
            if inner.endswith("]") and self._SUFFIXES[tag] in ("*", "&", "&&"):
                element, _, extent = inner.partition("[")
                return f"{element}({self._SUFFIXES[tag]})[{extent}"
            if "()" in inner and self._SUFFIXES[tag] == "*":
                return inner.replace("()", "(*)", 1)
            return inner + self._SUFFIXES[tag]
        if kind == "DISubroutineType":
            result, *parameters = self._elements(fields.get("types", ""))
            return f"{self._type(result)} ()({', '.join(map(self._type, parameters))})"
        if tag == "DW_TAG_array_type":
            return f"{self._type(base)}[{self._extent(fields)}]"
        return self.qualified(node)

    def _extent(self, array: dict[str, str]) -> str:
        elements = self._elements(array.get("elements", ""))
        return "][".join(self._fields(element).get("count", "") for element in elements)
