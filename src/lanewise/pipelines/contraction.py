# SPDX-License-Identifier: Apache-2.0
"""Floating-point contraction is decided in one place.

For now the decision is: none. The front end marks operations that the language lets a compiler fuse; the mark is
taken off, so that every device computes `a * b + c` with two roundings, and all agree to the bit.
"""

from __future__ import annotations

from lanewise.ir.module import Module


def forbid_contraction(module: Module) -> None:
    """Take the flag `contract` off all operations."""
    for function in module.functions:
        for instruction in function.instructions():
            if "contract" in instruction.flags:
                instruction.flags = tuple(f for f in instruction.flags if f != "contract")
