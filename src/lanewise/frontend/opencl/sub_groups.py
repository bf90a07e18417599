# SPDX-License-Identifier: Apache-2.0
"""How many work-items the sub-groups of each kernel have: 32, a warp, or as many as the kernel requires.

The built-in library asks `__lw_sub_group_size`. If all kernels of a module have sub-groups of one size, that is a
constant. If not, each kernel leaves its own in shared memory, where the function finds it.

Source: cl_intel_required_subgroup_size, by which a program that asks for a size that there isn't fails to build.
"""

from __future__ import annotations

import re
from typing import Final

from lanewise.errors import CompileError

_USUAL: Final = 32
_POSSIBLE: Final = (8, 16, 32)
_KERNEL: Final = re.compile(r'^define [^\n@]*\bptx_kernel void @("[^"\n]*"|[\w.$-]+)\(([^\n]*)', re.MULTILINE)
_REQUIRED: Final = re.compile(r"!intel_reqd_sub_group_size (!\d+)")
_NUMBER: Final = re.compile(r"^(!\d+) = !\{i32 (\d+)\}$", re.MULTILINE)

_CONSTANT: Final = """
define internal i32 @__lw_sub_group_size() nounwind alwaysinline {{
  ret i32 {}
}}
"""
_STORED: Final = """
@lw.sub_group_size = internal addrspace(3) global i32 undef, align 4
define internal i32 @__lw_sub_group_size() nounwind alwaysinline {
  %size = load i32, ptr addrspace(3) @lw.sub_group_size, align 4
  ret i32 %size
}
"""


def sub_group_sizes(text: str) -> dict[str, int]:
    """The size of the sub-groups of each kernel, by name as the text of a module, which clang printed, has it.

    CompileError for a kernel that requires a size that there isn't."""
    numbers = dict(_NUMBER.findall(text)) if "!intel_reqd_sub_group_size" in text else {}
    sizes: dict[str, int] = {}
    for name, rest in _KERNEL.findall(text):
        required = _REQUIRED.search(rest)
        sizes[name] = _USUAL if required is None else int(numbers[required[1]])
        if sizes[name] not in _POSSIBLE:
            possible = ", ".join(map(str, _POSSIBLE[:-1]))
            raise CompileError(
                f"kernel {name} requires sub-groups of {sizes[name]}: here they are of {possible} or {_POSSIBLE[-1]}"
            )
    return sizes


def size_function(sizes: dict[str, int]) -> str:
    """The IR of `__lw_sub_group_size`."""
    different = set(sizes.values())
    return _STORED if len(different) > 1 else _CONSTANT.format(*different or (_USUAL,))


def size_stored(sizes: dict[str, int], kernel: str) -> str:
    """What a kernel does first, for `__lw_sub_group_size`."""
    if len(set(sizes.values())) < 2:
        return ""
    return f"  store i32 {sizes[kernel]}, ptr addrspace(3) @lw.sub_group_size, align 4\n"
