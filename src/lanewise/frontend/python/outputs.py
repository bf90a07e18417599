# SPDX-License-Identifier: Apache-2.0
"""The room that a kernel has for a number that it leaves behind."""

from lanewise.frontend.python.python_types import Number


def flag_offset(type_: Number) -> int:
    """The place after an output of the flag that says that it has a value."""
    return max(type_.size, 8)
