# SPDX-License-Identifier: Apache-2.0
"""Number of work-items in the sub-groups of each kernel: 32, a warp, or as many as the kernel requires.

The built-in library asks `__lw_sub_group_size`. If all kernels of a module have sub-groups of one size, that is a
constant. If not, each kernel stores its own in shared memory, and the function loads it.

Source: cl_intel_required_subgroup_size, by which a program that asks for a size that there isn't fails to build.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from lanewise.errors import CompileError
from lanewise.ir.function import Function
from lanewise.ir.module import Module

SIZE: Final = "lw.sub_group_size"
"""The variable in shared memory that holds the size, if kernels differ in it."""

_USUAL: Final = 32
_POSSIBLE: Final = (8, 16, 32)
_REQUIRED: Final = "!intel_reqd_sub_group_size"
_NUMBER: Final = re.compile(r"!\{i32 (\d+)\}").fullmatch

_CONSTANT: Final = """
define internal i32 @__lw_sub_group_size() nounwind alwaysinline {{
  ret i32 {}
}}
"""
_STORED: Final = f"""
@{SIZE} = internal addrspace(3) global i32 undef, align 4
define internal i32 @__lw_sub_group_size() nounwind alwaysinline {{
  %size = load i32, ptr addrspace(3) @{SIZE}, align 4
  ret i32 %size
}}
"""


def sub_group_sizes(module: Module) -> dict[Function, int]:
    """The size of the sub-groups of each kernel. CompileError for a kernel that requires a size that there isn't."""
    sizes: dict[Function, int] = {}
    for kernel in module.kernels:
        number = _NUMBER(module.metadata.get(dict(kernel.metadata).get(_REQUIRED, ""), ""))
        sizes[kernel] = _USUAL if number is None else int(number[1])
        if sizes[kernel] not in _POSSIBLE:
            possible = ", ".join(map(str, _POSSIBLE[:-1]))
            raise CompileError(
                f"kernel {kernel.symbol} requires sub-groups of {sizes[kernel]}: here they are of {possible} or "
                f"{_POSSIBLE[-1]}"
            )
    return sizes


def differ(sizes: Mapping[Function, int]) -> bool:
    """True if each kernel has to say its own size."""
    return len(set(sizes.values())) > 1


def size_function(sizes: Mapping[Function, int]) -> str:
    """The IR of `__lw_sub_group_size`."""
    return _STORED if differ(sizes) else _CONSTANT.format(*set(sizes.values()) or (_USUAL,))
