# SPDX-License-Identifier: Apache-2.0
"""Sub-groups of OpenCL C: the size that a kernel requires, in its metadata, and the variable for sizes that differ.

    define ptx_kernel void @k(...) !intel_reqd_sub_group_size !4 { ... }
    !4 = !{i32 16}

Source: cl_intel_required_subgroup_size.
"""

import re
from typing import Final

from lanewise.ir.function import Function
from lanewise.ir.module import Module

SIZE: Final = "lw.sub_group_size"
"""The variable in shared memory that holds the size, in programs whose kernels differ in it."""

REQUIRED: Final = "!intel_reqd_sub_group_size"

_NUMBER: Final = re.compile(r"!\{i32 (\d+)\}").fullmatch


def required_sub_group_size(module: Module, kernel: Function) -> int | None:
    """The number of work-items in the sub-groups of a kernel; None if it requires none."""
    number = _NUMBER(module.metadata.get(dict(kernel.metadata).get(REQUIRED, ""), ""))
    return None if number is None else int(number[1])
