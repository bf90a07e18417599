# SPDX-License-Identifier: Apache-2.0
"""Kernels of OpenCL C that can't tell how their work-items are put into work-groups.

`clEnqueueNDRangeKernel` without a local size may choose any for them, also one that doesn't divide the global size
though the program's groups must be of one size (The OpenCL Specification 3.0, 5.10.1).
"""

from typing import Final

from lanewise.analysis.references import reached_from
from lanewise.ir.address_spaces import SHARED
from lanewise.ir.function import Function
from lanewise.ir.values import Global

_WORDS: Final = ("local", "group", "barrier", "event")
"""Parts of the names of functions by which a kernel may tell: get_local_id, get_group_id, sub_group_all, barrier,
wait_group_events. A function of the program that has them in its name counts as well."""


def sees_groups(kernel: Function) -> bool:
    """True if a kernel may depend on its work-groups: it has memory of theirs, or calls functions that know of them."""
    symbols = (symbol for symbol in reached_from([kernel]) if symbol is not kernel)
    return any(argument.type.addrspace == SHARED for argument in kernel.arguments) or any(map(_is_of_group, symbols))


def _is_of_group(symbol: Global) -> bool:
    return symbol.type.addrspace == SHARED or any(word in str(symbol.name) for word in _WORDS)
