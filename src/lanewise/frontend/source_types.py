# SPDX-License-Identifier: Apache-2.0
"""Types as the source declares them, from debug information, with the NumPy dtypes of the same memory."""

from itertools import groupby
from typing import Final, Literal, NamedTuple, final

from lanewise.ir.debug_info import DebugInfo, MetadataNode

Kind = Literal["pointer", "local", "image", "sampler", "int", "float", "bool", "bits", "struct", "array", "unknown"]

Dtype = str | dict[str, object]
"""Layout of the memory for NumPy, in JSON: `"<f4"`, or `{"names", "formats", "offsets", "itemsize"}` of a struct, or
`{"base", "shape"}` of an array. "" for void, which takes anything, or if nothing is known."""

_QUALIFIERS: Final = {
    "DW_TAG_typedef": "", "DW_TAG_const_type": "const", "DW_TAG_volatile_type": "volatile",
    "DW_TAG_restrict_type": "", "DW_TAG_atomic_type": "_Atomic",
}  # fmt: skip
"""Types that have the memory of another -> the word that they put before it."""
_POINTERS: Final = {"DW_TAG_pointer_type": "*", "DW_TAG_reference_type": "&", "DW_TAG_rvalue_reference_type": "&&"}
_POSITION: Final = "#"
"""Stands in the name of a field for its position among the fields."""
_ADDRESS: Final = "<u8"
"""NumPy's type of a pointer in memory."""


class SourceType(NamedTuple):
    """A type: how it is written, what kind it is, its size in bytes, and its dtype.

    Of a pointer, `dtype` and `align` (in bytes) are those of what it points to, and `const` says whether that may not
    be written to.
    """

    spelled: str
    kind: Kind
    size: int
    dtype: Dtype
    const: bool = False
    align: int = 1

    @property
    def element(self) -> Dtype:
        """The dtype of memory that holds such values."""
        return _ADDRESS if self.kind == "pointer" else self.dtype


BFLOAT16: Final[dict[str, object]] = {"names": ["bfloat16"], "formats": ["<u2"], "offsets": [0], "itemsize": 2}
"""NumPy has no such number: its bits."""

UNKNOWN: Final = SourceType("?", "unknown", 0, "")
_VOID: Final = SourceType("void", "unknown", 0, "")


@final
class SourceTypes:
    """Reads types out of a module's debug information."""

    def __init__(self, info: DebugInfo) -> None:
        self._info: Final = info
        self._known: Final[dict[tuple[str, bool], SourceType]] = {}

    def of(self, name: str) -> SourceType:
        """The type that node `name` describes; `void` for the empty name."""
        return self._of(name, follow=True)

    def _of(self, name: str, follow: bool) -> SourceType:
        """`follow`: describe the targets of pointers. Within structs, which may refer to themselves, they aren't."""
        if not name:
            return _VOID
        known = self._known.get((name, follow))
        if known is None:
            node = self._info.node(name)
            known = self._known[name, follow] = UNKNOWN if node is None else self._described(node, follow)
        return known

    def _described(self, node: MetadataNode, follow: bool) -> SourceType:
        tag = node.get("tag")
        if tag in _QUALIFIERS:
            return self._qualified(node, tag, follow)
        if tag in _POINTERS:
            if not follow:
                return SourceType(_POINTERS[tag], "pointer", 8, "")
            pointee = self.of(node.get("baseType"))
            const = self._is_const(node.get("baseType"))
            align = 8 if pointee.kind == "pointer" else pointee.align
            return SourceType(_pointer_to(pointee.spelled, _POINTERS[tag]), "pointer", 8, pointee.element, const, align)
        size = node.number("size") // 8
        if node.kind == "DIBasicType":
            return _basic(node, size)
        if tag == "DW_TAG_enumeration_type":
            underlying = self._of(node.get("baseType"), follow).dtype or f"<i{size}"
            return SourceType(node.get("name") or "enum", "int", size, underlying)
        if tag == "DW_TAG_array_type":
            if "DIFlagVector" in node.get("flags"):
                return self._vector(node, size, follow)
            return self._array(node, size, follow)
        if node.kind == "DICompositeType":
            align = node.number("align") // 8 or self._natural_alignment(node)
            dtype = self._struct(node, tag, size)
            return SourceType(node.get("name") or "struct", "struct", size, dtype, align=align)
        if node.kind == "DISubroutineType":
            types = [self._of(t, follow).spelled for t in self._info.elements(node.get("types"))] or ["void"]
            return SourceType(f"{types[0]} ({', '.join(types[1:])})", "unknown", 0, "")
        return UNKNOWN

    def _qualified(self, node: MetadataNode, tag: str, follow: bool) -> SourceType:
        base = self._of(node.get("baseType"), follow)
        spelled = base.spelled
        if tag == "DW_TAG_typedef":
            spelled = node.get("name") or spelled
        elif base.kind != "pointer" and _QUALIFIERS[tag]:
            spelled = f"{_QUALIFIERS[tag]} {spelled}"
        return base._replace(spelled=spelled)

    def _is_const(self, name: str) -> bool:
        node = self._info.node(name)
        while node is not None and node.get("tag") in _QUALIFIERS:
            if node.get("tag") == "DW_TAG_const_type":
                return True
            node = self._info.node(node.get("baseType"))
        return False

    def _array(self, node: MetadataNode, size: int, follow: bool) -> SourceType:
        base = self._of(node.get("baseType"), follow)
        shape: list[int] = []
        for element in self._info.elements(node.get("elements")):
            extent = self._info.node(element)
            shape.append(max(extent.number("count"), 0) if extent is not None else 0)  # -1: float data[];
        spelled = base.spelled + "".join(f"[{n}]" for n in shape)
        dtype: Dtype = {"base": base.element, "shape": shape} if base.element else f"V{size}"
        return SourceType(spelled, "array", size, dtype, align=base.align)

    def _vector(self, node: MetadataNode, size: int, follow: bool) -> SourceType:
        """As a struct with a field a component, x y z w or s0 to sf; three take the place of four."""
        base = self._of(node.get("baseType"), follow)
        extents = (self._info.node(element) for element in self._info.elements(node.get("elements")))
        count = sum(extent.number("count") for extent in extents if extent is not None)
        names = list("xyzw"[:count]) if count <= 4 else [f"s{i:x}" for i in range(count)]
        size = max(size, base.size * (1 << (count - 1).bit_length()))
        dtype: Dtype = {
            "names": names,
            "formats": [base.element] * count,
            "offsets": [i * base.size for i in range(count)],
            "itemsize": size,
        }
        return SourceType(f"{base.spelled}{count}", "struct", size, dtype, align=size)

    def _natural_alignment(self, node: MetadataNode) -> int:
        """Alignment of a struct in bytes: the greatest of its members'."""
        aligns = [1]
        for element in self._info.elements(node.get("elements")):
            member = self._info.node(element)
            if member is not None and member.get("tag") in ("DW_TAG_member", "DW_TAG_inheritance"):
                type_ = self._of(member.get("baseType"), follow=False)
                aligns.append(8 if type_.kind == "pointer" else type_.align)
        return max(aligns)

    def _struct(self, node: MetadataNode, tag: str, size: int) -> Dtype:
        """Fields with their offsets; bases come first. Members that NumPy has no fields for are bytes: a union as a
        whole, adjacent bit fields as one field with the names of all."""
        members = [
            member
            for element in self._info.elements(node.get("elements"))
            if (member := self._info.node(element)) is not None
            and member.get("tag") in ("DW_TAG_member", "DW_TAG_inheritance")
            and "DIFlagStaticMember" not in member.get("flags")
        ]
        if "DIFlagFwdDecl" in node.get("flags"):  # nothing in the file looks inside
            return ""
        if tag == "DW_TAG_union_type":
            return f"V{size}"
        fields: list[tuple[str, Dtype, int]] = []
        for is_bits, run in groupby(members, lambda member: "DIFlagBitField" in member.get("flags")):
            if is_bits:
                fields.append(_bit_fields(list(run)))
            else:
                fields += [self._field(member) for member in run]
        fields = [field for field in fields if field[1]]
        names = [name.replace(_POSITION, str(i)) for i, (name, _, _) in enumerate(fields)]
        if not names or len(set(names)) != len(names):
            return f"V{size}" if size else ""
        formats, offsets = [dtype for _, dtype, _ in fields], [offset for _, _, offset in fields]
        return {"names": names, "formats": formats, "offsets": offsets, "itemsize": size}

    def _field(self, member: MetadataNode) -> tuple[str, Dtype, int]:
        type_ = self._of(member.get("baseType"), follow=False)
        inherited = member.get("tag") == "DW_TAG_inheritance"
        unnamed = "base" if inherited else "anonymous"
        dtype = type_.element or (f"V{type_.size}" if type_.size else "")
        if inherited and type_.element == "V1":  # an empty base has no memory of its own
            dtype = ""
        return member.get("name") or unnamed + _POSITION, dtype, member.number("offset") // 8


def _pointer_to(pointee: str, sign: str) -> str:
    """`float *`, `float **`, `int (*)[4]`, `void (*)(int)`."""
    for opening in ("[", "("):
        at = pointee.find(opening)
        if at > 0:
            return f"{pointee[:at].rstrip()} ({sign}){pointee[at:]}"
    return f"{pointee}{'' if pointee.endswith('*') else ' '}{sign}"


def _bit_fields(members: list[MetadataNode]) -> tuple[str, Dtype, int]:
    """Name, dtype and offset of the bytes that hold the bit fields `members`."""
    first = min(member.number("offset") for member in members) // 8
    end = max(member.number("offset") + member.number("size") for member in members)
    return "_".join(member.get("name") for member in members if member.get("name")), f"V{-(-end // 8) - first}", first


def _basic(node: MetadataNode, size: int) -> SourceType:
    name, encoding = node.get("name"), node.get("encoding")
    match encoding:
        case "DW_ATE_float":
            if name == "__bf16":
                return SourceType(name, "struct", size, BFLOAT16, align=size)
            return SourceType(name, "float", size, f"<f{size}" if size in (2, 4, 8) else f"V{size}", align=size)
        case "DW_ATE_boolean":
            return SourceType(name, "bool", size, "|b1")
        case "DW_ATE_unsigned" | "DW_ATE_unsigned_char" | "DW_ATE_UTF":
            return SourceType(name, "int", size, f"<u{size}" if size <= 8 else f"V{size}", align=size)
        case _:
            return SourceType(name, "int", size, f"<i{size}" if size <= 8 else f"V{size}", align=size)
