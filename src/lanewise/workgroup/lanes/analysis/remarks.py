# SPDX-License-Identifier: Apache-2.0
"""Remarks on slow code in lanes: gathers, strides, and divergent branches.

    gather      an access at addresses that have no known distance from lane to lane: one element after the other
    strided     an access at a constant distance that isn't one element: several vectors for one
    divergent   work-items of a unit leave a loop in different iterations, or branch on data of their own: code runs
                under masks, for all of them, as long as any needs it

`if (i < n)` and the like are no remark: the last block at most pays for them (`checks.py`). Neither are accesses to
shared and private memory, which is in the first cache.
"""

from typing import Final, NamedTuple

from lanewise.analysis.divergence import Divergence
from lanewise.analysis.origins import origins
from lanewise.ir import effects
from lanewise.ir import types as ty
from lanewise.ir.debug_info import DebugInfo
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import Module
from lanewise.ir.values import Value
from lanewise.ir.written_names import written_name
from lanewise.workgroup.lanes.analysis.chosen_bases import are_chosen_neighbours
from lanewise.workgroup.lanes.analysis.cost_model import is_gather

_LOGIC: Final = frozenset({"icmp", "fcmp", "and", "or", "xor", "select", "freeze"})
_MOST: Final = 8
"""Most remarks of a region; further ones say nothing new."""


class _Cost(NamedTuple):
    text: str
    why: str


def costs_of(divergence: Divergence, module: Module, arena: Value) -> list[str]:
    """One remark per array and kind of access, and per kind of divergence, with the lines of the source that `module`
    has. `arena`: the base of addresses of shared and private memory."""
    info = DebugInfo(module.metadata)
    found: dict[_Cost, dict[str, None]] = {}

    def note(cost: _Cost | None, instruction: Instruction) -> None:
        if cost is not None:
            location = info.location(dict(instruction.metadata).get("!dbg", ""))
            lines = found.setdefault(cost, {})
            if location is not None:
                lines[str(location._replace(column=0))] = None

    for block in divergence.flow.order:
        if block is not divergence.flow.end:
            for instruction in block.instructions:
                note(_cost_of_access(divergence, instruction, module, arena), instruction)
            note(_cost_of_branch(divergence, block), block.instructions[-1])
    told = [f"{cost.text}{_at(list(lines))}: {cost.why}" for cost, lines in found.items()]
    return told if len(told) <= _MOST else [*told[:_MOST], f"and {len(told) - _MOST} more of these"]


def _at(lines: list[str]) -> str:
    return f" ({', '.join(lines)})" if lines else ""


def _cost_of_access(divergence: Divergence, access: Instruction, module: Module, arena: Value) -> _Cost | None:
    if access.op not in ("load", "store"):
        return None
    pointer = effects.pointer_operand(access)
    array = _name(pointer, arena)
    if array is None:
        return None
    what = f"{'load from' if access.op == 'load' else 'store to'} {array}"
    if are_chosen_neighbours(divergence, access):
        return _Cost(f"either: {what}", "each work-item chooses one of two arrays")
    if is_gather(divergence, access) and divergence.of_address(pointer, access.parent).lane is None:
        kind = "gather" if access.op == "load" else "scatter"
        return _Cost(f"{kind}: {what}", "each work-item has an address of its own")
    step = divergence.of_address(pointer, access.parent).lane
    if step is None or step == 0 or abs(step) <= effects.access_size(access, module.types):
        return None
    return _Cost(f"strided: {what}", f"{abs(step)} bytes from one work-item to the next")


def _cost_of_branch(divergence: Divergence, block: Block) -> _Cost | None:
    if not divergence.is_divergent(block):
        return None
    loops = [loop for loop in divergence.flow.loops_around(block) if loop in divergence.divergent_loops]
    if any(target not in loop.blocks for loop in loops for target in block.successors):
        return _Cost("divergent loop", "it runs until the last of the work-items side by side has left it")
    condition = block.instructions[-1].operands[0] if block.instructions[-1].operands else None
    if not isinstance(condition, Instruction) or not _is_of_data(divergence, condition):
        return None
    return _Cost("divergent branch", "both sides run, under masks")


def _is_of_data(divergence: Divergence, condition: Instruction) -> bool:
    """Return whether a condition compares anything but the work-item's place with bounds: some operand has no known
    step from lane to lane."""
    return any(
        _is_of_data(divergence, operand)
        if isinstance(operand, Instruction) and operand.type is ty.I1 and operand.op in _LOGIC
        else divergence.at_use(operand, condition.parent).lane is None
        for operand in condition.operands
    )


def _name(pointer: Value, arena: Value) -> str | None:
    """The name of what is accessed, for a remark; None for shared and private memory."""
    found = origins(pointer)
    if any(origin is arena or (isinstance(origin, Instruction) and origin.op == "alloca") for origin in found):
        return None
    names = [written_name(origin.name) for origin in found if origin.name]
    return " or ".join(names) if names and len(names) == len(found) else "memory"
