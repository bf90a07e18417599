# SPDX-License-Identifier: Apache-2.0
"""Types as the source declares them, from debug information, with the NumPy dtypes of the same memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, final

from lanewise.ir.debug_info import DebugInfo, Node

Kind = Literal["pointer", "int", "float", "bool", "struct", "array", "unknown"]

Dtype = str | dict[str, object]
"""How NumPy sees the memory, in JSON: `"<f4"`, or `{"names", "formats", "offsets", "itemsize"}` of a struct, or
`{"base", "shape"}` of an array. "" where anything goes (void) or nothing is known."""

_TRANSPARENT: Final = frozenset({"DW_TAG_typedef", "DW_TAG_const_type", "DW_TAG_volatile_type", "DW_TAG_restrict_type"})
_POINTERS: Final = {"DW_TAG_pointer_type": "*", "DW_TAG_reference_type": "&", "DW_TAG_rvalue_reference_type": "&&"}


@dataclass(frozen=True)
class SourceType:
    """A type: how it is written, what kind it is, its size in bytes, and its dtype.

    Of a pointer, `dtype` is that of what it points to, and `const` says whether that may not be written to.
    """

    spelled: str
    kind: Kind
    size: int
    dtype: Dtype
    const: bool = False


UNKNOWN: Final = SourceType("?", "unknown", 0, "")


@final
class SourceTypes:
    """Reads types out of a module's debug information."""

    def __init__(self, info: DebugInfo) -> None:
        self._info: Final = info

    def of(self, name: str) -> SourceType:
        """The type that node `name` describes; `void` for the empty name."""
        if not name:
            return SourceType("void", "unknown", 0, "")
        node = self._info.node(name)
        if node is None:
            return UNKNOWN
        tag = node.get("tag")
        if tag in _TRANSPARENT:
            return self._qualified(node, tag)
        if tag in _POINTERS:
            pointee = self.of(node.get("baseType"))
            const = self._is_const(node.get("baseType"))
            joined = "" if pointee.spelled.endswith("*") else " "
            return SourceType(f"{pointee.spelled}{joined}{_POINTERS[tag]}", "pointer", 8, pointee.dtype, const)
        size = node.number("size") // 8
        if node.kind == "DIBasicType":
            return _basic(node, size)
        if tag == "DW_TAG_enumeration_type":
            return SourceType(node.get("name"), "int", size, f"<i{size}")
        if tag == "DW_TAG_array_type":
            return self._array(node, size)
        if node.kind == "DICompositeType":
            return SourceType(node.get("name") or "struct", "struct", size, self._struct(node, tag, size))
        if node.kind == "DISubroutineType":
            return SourceType("function", "unknown", 0, "")
        return UNKNOWN

    def _qualified(self, node: Node, tag: str) -> SourceType:
        base = self.of(node.get("baseType"))
        spelled = base.spelled
        if tag == "DW_TAG_const_type" and base.kind != "pointer":
            spelled = f"const {spelled}"
        elif tag == "DW_TAG_typedef":
            spelled = node.get("name") or spelled
        return SourceType(spelled, base.kind, base.size, base.dtype, base.const)

    def _is_const(self, name: str) -> bool:
        node = self._info.node(name)
        while node is not None and node.get("tag") in _TRANSPARENT:
            if node.get("tag") == "DW_TAG_const_type":
                return True
            node = self._info.node(node.get("baseType"))
        return False

    def _array(self, node: Node, size: int) -> SourceType:
        base = self.of(node.get("baseType"))
        shape: list[int] = []
        for element in self._info.elements(node.get("elements")):
            extent = self._info.node(element)
            shape.append(extent.number("count") if extent is not None else 0)
        spelled = base.spelled + "".join(f"[{n}]" for n in shape)
        dtype: Dtype = {"base": base.dtype, "shape": shape} if base.dtype else f"V{size}"
        return SourceType(spelled, "array", size, dtype)

    def _struct(self, node: Node, tag: str, size: int) -> Dtype:
        """Fields with their offsets; bases come first. What NumPy has no fields for (unions, bit fields) is bytes."""
        names: list[str] = []
        formats: list[Dtype] = []
        offsets: list[int] = []
        for element in self._info.elements(node.get("elements")):
            member = self._info.node(element)
            if member is None or member.get("tag") not in ("DW_TAG_member", "DW_TAG_inheritance"):
                continue
            flags = member.get("flags")
            if "DIFlagStaticMember" in flags:
                continue
            if "DIFlagBitField" in flags or tag == "DW_TAG_union_type":
                return f"V{size}"
            type_ = self.of(member.get("baseType"))
            dtype: Dtype = "<u8" if type_.kind == "pointer" else type_.dtype or f"V{type_.size}"
            if type_.size:
                names.append(member.get("name") or f"base{len(names)}")
                formats.append(dtype)
                offsets.append(member.number("offset") // 8)
        if not names or len(set(names)) != len(names):
            return f"V{size}" if size else ""
        return {"names": names, "formats": formats, "offsets": offsets, "itemsize": size}


def _basic(node: Node, size: int) -> SourceType:
    name, encoding = node.get("name"), node.get("encoding")
    match encoding:
        case "DW_ATE_float":
            return SourceType(name, "float", size, f"<f{size}" if size in (2, 4, 8) else f"V{size}")
        case "DW_ATE_boolean":
            return SourceType(name, "bool", size, "|b1")
        case "DW_ATE_unsigned" | "DW_ATE_unsigned_char" | "DW_ATE_UTF":
            return SourceType(name, "int", size, f"<u{size}" if size <= 8 else f"V{size}")
        case _:
            return SourceType(name, "int", size, f"<i{size}" if size <= 8 else f"V{size}")
