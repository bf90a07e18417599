# SPDX-License-Identifier: Apache-2.0
"""Branches of checked kernels: to an access that is right, or to code that tells of a fault.

    block:  br %right, access, fault
    access: ...                                br rest
    fault:  call @__lw_check_fault(...)        br rest

Faults are rare. So the access is made twice: for all work-items that come here, as if there was no branch, and for some
of them. One test, in most cases of two scalars (`agreement.py`), decides.
"""

from typing import NamedTuple

from lanewise.analysis.flow import Flow
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.workgroup.layout import abi


class FaultBranch(NamedTuple):
    access: Block
    rest: Block
    wanted: bool
    """The condition's value for an access that is right."""


def is_fault(instruction: Instruction) -> bool:
    """True for the call of the runtime core that tells of a fault, known by its type."""
    return instruction.call is not None and instruction.call.function_type is abi.CHECK_FAULT


def tells_of_fault(block: Block) -> bool:
    return any(map(is_fault, block.instructions))


def fault_branch(block: Block, flow: Flow) -> FaultBranch | None:
    """The parts of such a branch; None if it has another form: the access is a block of its own, within the same loop,
    and control goes on behind it."""
    if block.terminator.op != "br" or len(flow.successors[block]) != 2:
        return None
    for access, other in (flow.successors[block], flow.successors[block][::-1]):
        if other is flow.end or access is flow.end or not tells_of_fault(other) or tells_of_fault(access):
            continue
        after = flow.successors[access]
        if len(after) != 1 or flow.predecessors[access] != [block] or access.phis:
            return None
        if flow.loop_of(access) is not flow.loop_of(block) or flow.successors[other] != after:
            return None
        return FaultBranch(access, after[0], block.terminator.operands[1] is access)
    return None
