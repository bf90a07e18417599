# SPDX-License-Identifier: Apache-2.0
"""Attributes of a kernel of OpenCL C, as `clGetKernelInfo` tells them: `reqd_work_group_size(8,1,1)`.

Clang writes those that are hints as metadata; the others are among the bounds of launches. Neither keeps all of the
source: attributes come in the order of this module, not of the declaration, and `vec_type_hint` has the type that a
typedef stands for, not its name. Source: The OpenCL
Specification 3.0, CL_KERNEL_ATTRIBUTES; The OpenCL C Specification 3.0, 6.9.2.
"""

import re
from typing import Final

from lanewise.frontend.signature import LaunchBounds
from lanewise.ir.function import Function
from lanewise.ir.module import Module

_EXTENT: Final = re.compile(r"!\{i32 (\d+), i32 (\d+), i32 (\d+)\}").fullmatch
_TYPE: Final = re.compile(r"!\{(?:<(\d+) x )?(\w+)>? (?:poison|undef), i32 ([01])\}").fullmatch
_NAMES: Final = {
    "i8": "char", "i16": "short", "i32": "int", "i64": "long", "half": "half", "float": "float", "double": "double",
}  # fmt: skip


def kernel_attributes(module: Module, kernel: Function, bounds: LaunchBounds) -> str:
    """The attributes of a kernel, separated by spaces; empty for kernels of other languages."""
    attached = dict(kernel.metadata)

    def node(kind: str) -> str:
        return module.metadata.get(attached.get(kind, ""), "")

    found: list[str] = []
    if bounds.has_large_groups and bounds.block is not None:
        found.append(f"reqd_work_group_size({','.join(map(str, bounds.block))})")
    if hint := _EXTENT(node("!work_group_size_hint")):
        found.append(f"work_group_size_hint({','.join(hint.groups())})")
    if (hint := _TYPE(node("!vec_type_hint"))) and hint[2] in _NAMES:
        is_unsigned = hint[2].startswith("i") and hint[3] == "0"
        found.append(f"vec_type_hint({'u' if is_unsigned else ''}{_NAMES[hint[2]]}{hint[1] or ''})")
    if bounds.sub_group_size:
        found.append(f"intel_reqd_sub_group_size({bounds.sub_group_size})")
    return " ".join(found)
