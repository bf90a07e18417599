# SPDX-License-Identifier: Apache-2.0
"""A kernel part of the way through the CPU's pipeline, from where its code for all local sizes can be made."""

from typing import NamedTuple


class SimplifiedKernel(NamedTuple):
    """A kernel after the steps that its code for all local sizes and assumptions shares."""

    text: str
    """The module."""
    flush_denormals: bool
    """As in `KernelCompilation`."""
