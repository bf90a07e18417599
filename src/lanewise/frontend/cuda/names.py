# SPDX-License-Identifier: Apache-2.0
"""The kernels of a module with the names that programs write, taken from debug information."""

from __future__ import annotations

from typing import Final, final

from lanewise.frontend.kernel_names import KernelName
from lanewise.ir.debug_info import DebugInfo, MetadataNode
from lanewise.ir.module import Module

_SUFFIXES: Final = {
    "DW_TAG_pointer_type": "*",
    "DW_TAG_reference_type": "&",
    "DW_TAG_rvalue_reference_type": "&&",
    "DW_TAG_const_type": " const",
    "DW_TAG_volatile_type": " volatile",
    "DW_TAG_restrict_type": "",
}
"""Tag of a DIDerivedType -> what it adds to the type that it is derived from."""
_SCOPES: Final = frozenset({"DINamespace", "DICompositeType"})


def kernels(module: Module) -> tuple[KernelName, ...]:
    """The kernels that a module defines, in its order."""
    names = _Names(DebugInfo(module.metadata))
    return tuple(names.kernel(k.symbol, dict(k.metadata).get("!dbg", "")) for k in module.kernels)


@final
class _Names:
    """Names of functions and types as C++ has them."""

    def __init__(self, info: DebugInfo) -> None:
        self._info: Final = info

    def kernel(self, symbol: str, node: str) -> KernelName:
        """The name of a kernel that `node` describes; of one without a node, its symbol."""
        described = self._info.node(node)
        if described is None:
            return KernelName(symbol, symbol, f"{symbol}()")
        qualified = self._qualified(described)
        parameters = self._elements(self._info.node(described.get("type")))[1:]
        return KernelName(symbol, qualified, f"{qualified}({', '.join(map(self._type, parameters))})")

    def _qualified(self, node: MetadataNode) -> str:
        """The name of a function or type with its namespaces and classes."""
        parts = [node.get("name") or "(anonymous)"]
        while (scope := self._info.node(node.get("scope"))) is not None:
            node = scope
            if node.kind in _SCOPES and node.get("name"):
                parts.append(node.get("name"))
        return "::".join(reversed(parts))

    def _elements(self, subroutine: MetadataNode | None) -> list[str]:
        """The nodes of a function type's result and parameters; "" for void."""
        return [] if subroutine is None else self._info.elements(subroutine.get("types"))

    def _type(self, name: str) -> str:
        node = self._info.node(name)
        if node is None:
            return "void"
        tag = node.get("tag")
        if node.kind == "DIDerivedType" and tag in _SUFFIXES:
            return self._derived(self._type(node.get("baseType")), tag)
        if node.kind == "DISubroutineType":
            result, *parameters = self._elements(node) or [""]
            return f"{self._type(result)} ()({', '.join(map(self._type, parameters))})"
        if tag == "DW_TAG_array_type":
            return f"{self._type(node.get('baseType'))}[{self._extent(node)}]"
        return self._qualified(node)

    def _derived(self, inner: str, tag: str) -> str:
        suffix = _SUFFIXES[tag]
        if tag == "DW_TAG_const_type" and not inner.endswith(("*", "&", ")")):
            return f"const {inner}"
        if inner.endswith("]") and suffix in ("*", "&", "&&"):
            element, _, extent = inner.partition("[")
            return f"{element}({suffix})[{extent}"
        if "()" in inner and suffix == "*":
            return inner.replace("()", "(*)", 1)
        return inner + suffix

    def _extent(self, array: MetadataNode) -> str:
        counts = (self._info.node(element) for element in self._info.elements(array.get("elements")))
        return "][".join(count.get("count") if count is not None else "" for count in counts)
