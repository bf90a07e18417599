# SPDX-License-Identifier: Apache-2.0
"""What kernels may ask of sub-groups: a sub-group is a warp, so it can have no other size than 32."""

from __future__ import annotations

import re
from typing import Final

from lanewise.errors import CompileError

_SIZE: Final = 32
_ASKING: Final = re.compile(
    r'^define [^\n@]*@("[^"\n]*"|[\w.$-]+)\([^\n]* !intel_reqd_sub_group_size (!\d+)', re.MULTILINE
)
_NUMBER: Final = re.compile(r"^(!\d+) = !\{i32 (\d+)\}$", re.MULTILINE)


def require_sub_groups_of_warps(text: str) -> None:
    """CompileError where a kernel in the text of a module, as clang prints it, asks for sub-groups of another size.

    Source: cl_intel_required_subgroup_size, by which a program that asks for a size that there isn't fails to build."""
    if "!intel_reqd_sub_group_size" not in text:
        return
    numbers = dict(_NUMBER.findall(text))
    for name, node in _ASKING.findall(text):
        if int(numbers[node]) != _SIZE:
            raise CompileError(f"kernel {name} requires sub-groups of {numbers[node]}: here they are of {_SIZE}")
