# SPDX-License-Identifier: Apache-2.0
"""Reads out of kernel IR what a kernel's declaration demands of its launches.

Source: NVPTX back-end guide, function attributes `nvvm.maxntid`, `nvvm.reqntid`, `nvvm.cluster_dim`; CUDA Programming
Guide, "Launch Bounds": a launch with more threads a block than `__launch_bounds__` names fails.
Of OpenCL C: clang's attribute `uniform-work-group-size`, with the value "true" or, in later versions, without one.
"""

from __future__ import annotations

import re
from math import prod
from typing import Final

from lanewise.frontend.memory_order import goes_along_y
from lanewise.frontend.signature import LaunchBounds
from lanewise.ir.function import Function
from lanewise.ir.module import Module
from lanewise.ir.sub_groups import required_sub_group_size

_ATTRIBUTE: Final = re.compile(r'"nvvm\.(maxntid|reqntid|cluster_dim)"="([\d, ]*)"')
_OF_OPEN_CL: Final = "!kernel_arg_addr_space"
"""Metadata of all kernels that clang makes of OpenCL C."""
_IS_UNIFORM: Final = re.compile(r'"uniform-work-group-size"(?:="true"|(?!=))').search
_GROUP: Final = re.compile(r"#\d+")


def launch_bounds(module: Module, kernel: Function) -> LaunchBounds:
    """The bounds in the attributes of a kernel."""
    text = _GROUP.sub(lambda match: module.attributes.get(match.group(), ""), kernel.suffix)
    found = {name: tuple(int(n) for n in numbers.split(",") if n.strip()) for name, numbers in _ATTRIBUTE.findall(text)}
    most = found.get("maxntid")
    attached = dict(kernel.metadata)
    return LaunchBounds(
        prod(most) if most else None,
        _extent(found.get("reqntid")),
        _extent(found.get("cluster_dim")),
        _OF_OPEN_CL in attached,
        required_sub_group_size(module, kernel) or 0,
        _OF_OPEN_CL in attached and _IS_UNIFORM(text) is not None,
        _OF_OPEN_CL in attached and goes_along_y(module, kernel),
    )


def _extent(numbers: tuple[int, ...] | None) -> tuple[int, int, int] | None:
    if not numbers:
        return None
    x, y, z = (*numbers, 1, 1)[:3]
    return x, y, z
