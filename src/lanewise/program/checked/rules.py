# SPDX-License-Identifier: Apache-2.0
"""Rules: the classes of faults, under names that stay, for suppressions and reports."""

from typing import Final

from lanewise.program.checked.faults import KernelFault

RULES: Final = {
    "out-of-bounds": "An access outside of an array.",
    "index": "An index of an array, or of a dimension of one, that is out of bounds.",
    "null-pointer": "An access through a null pointer.",
    "freed": "An access to memory that has been freed.",
    "misaligned": "An access at an address that is no multiple of its size, as a GPU asks.",
    "division-by-zero": "A division by zero, which has no result.",
    "shift": "A shift by as many bits as the number has, or more.",
    "overflow": "Signed arithmetic whose result doesn't fit.",
    "conversion": "A conversion to an integer that has no room for the number.",
    "unwritten": "A read of memory that nobody has written.",
    "race": "Two accesses to the same memory that nothing orders, of which one writes.",
    "equal-writes": "Writes of the same value to the same memory that nothing orders.",
    "divergent-barrier": "A barrier that only some work-items of a group come to.",
    "warp-mask": "An operation of the warp whose mask names lanes that don't come, or lacks its own.",
    "leak": "Memory that was allocated and never freed.",
}
"""The rules, each with a sentence about it."""

_OF_KIND: Final = {
    "out of bounds": "out-of-bounds",
    "mask lacks lane": "warp-mask",
    "absent lanes": "warp-mask",
    "divergent barrier": "divergent-barrier",
    "division by zero": "division-by-zero",
    "equal writes": "equal-writes",
}


def rule_of(fault: KernelFault) -> str:
    """The name of the rule that a fault breaks."""
    if fault.object == "null pointer":
        return "null-pointer"
    if fault.kind == "overflow" and fault.access == "conversion":
        return "conversion"
    return _OF_KIND.get(fault.kind, fault.kind)
