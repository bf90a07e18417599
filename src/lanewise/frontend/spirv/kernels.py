# SPDX-License-Identifier: Apache-2.0
"""Metadata of a kernel in SPIR-V, as clang writes it for one in OpenCL C.

Source: SPIR-V Specification 1.6, 3.6 "Execution Mode"; The SPIR Specification 1.2, 3.5.1 "Kernel argument metadata".
"""

from __future__ import annotations

from typing import Final

from lanewise.frontend.spirv import types as ty
from lanewise.frontend.spirv.module import FUNC_PARAM_ATTR, SpirvModule

_LOCAL_SIZE, _SUB_GROUP_SIZE, _LOCAL_SIZE_ID = 17, 35, 38
_BY_VALUE, _NO_ALIAS = 2, 4
_SPACES: Final = {ty.CROSS_WORKGROUP: 1, ty.UNIFORM_CONSTANT: 2, ty.WORKGROUP: 3}
"""Address spaces as SPIR numbers them."""
_ACCESS: Final = ("read_only", "write_only", "read_write")
_NAMES: Final = {8: "uchar", 16: "ushort", 32: "uint", 64: "ulong"}
_FLOATS: Final = {16: "half", 32: "float", 64: "double"}


class Metadata:
    """Nodes of a program's metadata. Equal ones are one."""

    def __init__(self) -> None:
        self._nodes: dict[str, int] = {}

    def node(self, text: str) -> str:
        """The reference to a node of this text."""
        return f"!{self._nodes.setdefault(text, len(self._nodes))}"

    def lines(self) -> list[str]:
        return [f"!{number} = !{{{text}}}" for text, number in self._nodes.items()]


def kernel_metadata(
    module: SpirvModule, metadata: Metadata, function: int, parameters: list[tuple[int, ty.SpirvType]]
) -> str:
    """The attachments of a kernel, as they follow its signature."""
    kinds = [kind for _, kind in parameters]
    rows = {
        "addr_space": [f"i32 {_space(module, number, kind)}" for number, kind in parameters],
        "access_qual": [f'!"{_ACCESS[kind.access] if isinstance(kind, ty.ImageType) else "none"}"' for kind in kinds],
        "type": (types := [f'!"{_type_name(module, number, kind)}"' for number, kind in parameters]),
        "base_type": types,
        "type_qual": [
            f'!"{"restrict" if _NO_ALIAS in module.decorations_of(number, FUNC_PARAM_ATTR) else ""}"'
            for number, _ in parameters
        ],
        "name": [f'!"{_plain(module.names.get(number, ""))}"' for number, _ in parameters],
    }
    words = [f"!kernel_arg_{kind} {metadata.node(', '.join(row))}" for kind, row in rows.items()]
    for mode, operands in module.modes[function]:
        if mode in (_LOCAL_SIZE, _LOCAL_SIZE_ID):
            sizes = operands if mode == _LOCAL_SIZE else tuple(map(module.constant_number, operands))
            words.append(f"!reqd_work_group_size {metadata.node(', '.join(f'i32 {size}' for size in sizes))}")
        elif mode == _SUB_GROUP_SIZE:
            words.append(f"!intel_reqd_sub_group_size {metadata.node(f'i32 {operands[0]}')}")
    return " ".join(words)


def is_by_value(module: SpirvModule, parameter: int) -> bool:
    """True for a pointer to a structure that is passed by its value."""
    return _BY_VALUE in module.decorations_of(parameter, FUNC_PARAM_ATTR)


def _space(module: SpirvModule, number: int, kind: ty.SpirvType) -> int:
    if isinstance(kind, ty.ImageType):
        return 1
    return _SPACES.get(kind.storage, 0) if isinstance(kind, ty.PointerType) and not is_by_value(module, number) else 0


def _type_name(module: SpirvModule, number: int, kind: ty.SpirvType) -> str:
    """The type as OpenCL C writes it. SPIR-V doesn't say of integers whether they are signed."""
    if isinstance(kind, ty.ImageType):
        return f"{kind.name}_t"
    if isinstance(kind, ty.SamplerType):
        return "sampler_t"
    if isinstance(kind, ty.PointerType):
        pointee = _type_name(module, 0, module.pointee(kind))
        return pointee if is_by_value(module, number) else f"{pointee}*"
    element = ty.element_of(kind)
    count = str(kind.count) if isinstance(kind, ty.VectorType) else ""
    if isinstance(element, ty.FloatType):
        return _FLOATS[element.bits] + count
    if isinstance(element, ty.IntType):
        return _NAMES[element.bits] + count
    return _plain(kind.name.replace("struct.", "struct ")) if isinstance(kind, ty.StructType) else "void"


def _plain(name: str) -> str:
    """A name without what would end a string of metadata."""
    return "".join(c for c in name if c.isascii() and c.isprintable() and c not in '"\\')
