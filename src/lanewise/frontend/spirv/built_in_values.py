# SPDX-License-Identifier: Apache-2.0
"""Variables that say which work-item runs, as calls of OpenCL C's functions.

Source: OpenCL SPIR-V Environment, "Built-in Variables"; SPIR-V Specification 1.6, 3.21 "BuiltIn".
"""

from __future__ import annotations

from typing import Final

from lanewise.frontend.spirv import types as ty
from lanewise.frontend.spirv.function import PURE, FunctionWriter
from lanewise.frontend.spirv.module import damaged, refused

_BY_DIMENSION: Final = {
    24: "get_num_groups", 25: "get_local_size", 26: "get_group_id", 27: "get_local_id", 28: "get_global_id",
    31: "get_global_size", 32: "get_enqueued_local_size", 33: "get_global_offset",
}  # fmt: skip
_SIZES: Final = {29: "get_local_linear_id", 34: "get_global_linear_id"}
"""Functions that give a size_t."""
_NUMBERS: Final = {
    30: "get_work_dim", 36: "get_sub_group_size", 37: "get_max_sub_group_size", 38: "get_num_sub_groups",
    39: "get_enqueued_num_sub_groups", 40: "get_sub_group_id", 41: "get_sub_group_local_id",
}  # fmt: skip
"""Functions that give a uint."""
_MASKS: Final = {4416: "eq", 4417: "ge", 4418: "gt", 4419: "le", 4420: "lt"}


def value_of(writer: FunctionWriter, variable: int) -> str:
    """The value of such a variable."""
    what, _, content = writer.module.built_ins[variable]
    kind = writer.module.type(content)
    if what in _BY_DIMENSION:
        if not isinstance(kind, ty.VectorType):
            raise damaged(f"the built-in variable {what} of the type {kind.text}")
        made = "poison"
        for dimension in range(kind.count):
            size = writer.call(_BY_DIMENSION[what], ty.IntType(64), [("i32", str(dimension), "j")], PURE)
            number = _in_width(writer, "i64", size, kind.element)
            made = writer.emit(f"insertelement {kind.text} {made}, {kind.element.text} {number}, i32 {dimension}")
        return made
    if what in _SIZES:
        return _in_width(writer, "i64", writer.call(_SIZES[what], ty.IntType(64), [], PURE), kind)
    if what in _NUMBERS:
        return _in_width(writer, "i32", writer.call(_NUMBERS[what], ty.IntType(32), [], PURE), kind)
    if what in _MASKS:
        return writer.call(f"get_sub_group_{_MASKS[what]}_mask", kind, [], PURE)
    raise refused(f"the built-in variable {what}")


def _in_width(writer: FunctionWriter, own: str, value: str, wanted: ty.SpirvType) -> str:
    if wanted.text == own:
        return value
    return writer.emit(f"{'trunc' if own == 'i64' else 'zext'} {own} {value} to {wanted.text}")


def put_in_memory(writer: FunctionWriter, variable: int) -> None:
    """Make a private copy of such a variable, for code that takes its address."""
    built_in = writer.module.built_ins[variable]
    kind = writer.module.type(built_in.content)
    place = writer.temporary()
    writer.entry.append(f"  {place} = alloca {kind.text}")
    value = value_of(writer, variable)
    writer.line(f"store {kind.text} {value}, ptr {place}")
    writer.give(variable, built_in.type, place)
