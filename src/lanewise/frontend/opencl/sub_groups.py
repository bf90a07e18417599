# SPDX-License-Identifier: Apache-2.0
"""Number of work-items in the sub-groups of each kernel: 32, a warp, or as many as the kernel requires.

The built-in library asks `__lw_sub_group_size`. If all kernels of a module have sub-groups of one size, that is a
constant. If not, each kernel stores its own in shared memory, and the function loads it. Functions for sub-groups of 64
are another library's; a module is linked with one of both.

Source: cl_intel_required_subgroup_size, by which a program that asks for a size that there isn't fails to build.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from lanewise.errors import CompileError
from lanewise.frontend.opencl.library import depends_on_sub_groups
from lanewise.ir.function import Function
from lanewise.ir.module import Module
from lanewise.ir.sub_groups import SIZE, required_sub_group_size

WIDE_SIZE: Final = 64

_USUAL: Final = 32
_POSSIBLE: Final = (8, 16, 32, WIDE_SIZE)

_MANGLED: Final = re.compile(r"_Z(\d+)(.*)").fullmatch
"""The length of a built-in function's name, and what begins with it."""

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
        required = required_sub_group_size(module, kernel)
        sizes[kernel] = _USUAL if required is None else required
        if sizes[kernel] not in _POSSIBLE:
            possible = ", ".join(map(str, _POSSIBLE[:-1]))
            raise CompileError(
                f"kernel {kernel.symbol} requires sub-groups of {sizes[kernel]}: here they are of {possible} or "
                f"{_POSSIBLE[-1]}"
            )
    return sizes


def are_wide(module: Module, sizes: Mapping[Function, int]) -> bool:
    """Return whether functions of sub-groups are to be those for 64 work-items, in a module that isn't linked yet.
    CompileError if one kernel needs these and another one the usual."""
    wide = [kernel for kernel, size in sizes.items() if size == WIDE_SIZE and _function_used(kernel)]
    if not wide:
        return False
    for kernel, size in sizes.items():
        if size != WIDE_SIZE and (used := _function_used(kernel)):
            raise CompileError(
                f"kernel {wide[0].symbol} requires sub-groups of {WIDE_SIZE} for {_function_used(wide[0])}, and kernel "
                f"{kernel.symbol} has others for {used}: such kernels are to be in programs of their own"
            )
    return True


def _function_used(kernel: Function) -> str:
    """The name of a function that depends on sub-groups and that a kernel, or a function which it may call, calls;
    empty if there is none."""
    seen, queue = {kernel}, [kernel]
    while queue:
        for instruction in queue.pop().instructions():
            for operand in instruction.operands:
                if not isinstance(operand, Function) or operand in seen:
                    continue
                if operand.is_declaration and depends_on_sub_groups(operand.symbol):
                    mangled = _MANGLED(operand.symbol)
                    return operand.symbol if mangled is None else mangled[2][: int(mangled[1])]
                seen.add(operand)
                queue.append(operand)
    return ""


def differ(sizes: Mapping[Function, int]) -> bool:
    """True if each kernel has to say its own size."""
    return len(set(sizes.values())) > 1


def size_function(sizes: Mapping[Function, int], *, wide: bool) -> str:
    """The IR of `__lw_sub_group_size`, which kernels without sub-groups don't call."""
    if wide:
        return _CONSTANT.format(WIDE_SIZE)
    return _STORED if differ(sizes) else _CONSTANT.format(*set(sizes.values()) or (_USUAL,))
