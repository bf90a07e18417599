# SPDX-License-Identifier: Apache-2.0
"""The lane code of one instruction, whatever it is."""

from __future__ import annotations

from lanewise.analysis.call_graph import is_indirect
from lanewise.ir import effects
from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Value
from lanewise.workgroup.items.refusal import cannot
from lanewise.workgroup.lanes.memory.access_notes import emit_access_note
from lanewise.workgroup.lanes.memory.accesses import emit_load, emit_store
from lanewise.workgroup.lanes.memory.atomics import emit_atomic
from lanewise.workgroup.lanes.memory.copies import emit_copy
from lanewise.workgroup.lanes.memory.pending import PendingAccesses
from lanewise.workgroup.lanes.values.division import divides_by_floats, emit_division
from lanewise.workgroup.lanes.values.lane_by_lane import lane_by_lane
from lanewise.workgroup.lanes.values.lane_code import LaneCode, Mask
from lanewise.workgroup.lanes.values.lane_values import LaneValue
from lanewise.workgroup.lanes.values.operations import (
    by_component,
    emit_element_wise,
    emit_vector_access,
    is_element_wise,
    is_vector_access,
)
from lanewise.workgroup.lanes.values.wide_division import emit_wide_division, may_divide_by_doubles
from lanewise.workgroup.lanes.warps.warp_calls import emit_warp_operation, is_warp_operation
from lanewise.workgroup.layout import abi
from lanewise.workgroup.lowering.division import DIVISIONS


def emit_instruction(
    code: LaneCode, pending: PendingAccesses, instruction: Instruction, block: Block, mask: Mask
) -> None:
    """Append the code of `instruction`, of `block`, for the work-items in `mask`."""
    with code.function.at_place_of(instruction):
        found = _emit(code, pending, instruction, block, mask)
    if found is not None:
        code.known[instruction] = found


def _emit(
    code: LaneCode, pending: PendingAccesses, instruction: Instruction, block: Block, mask: Mask
) -> LaneValue | None:
    match instruction.op:
        case "load":
            return emit_load(code, pending, instruction, block, mask)
        case "store":
            emit_store(code, pending, instruction, block, mask)
            return None
        case "atomicrmw" | "cmpxchg":
            return emit_atomic(code, instruction, block, mask)
        case "fence":
            code.build.emit(Instruction("fence", ty.VOID, ordering=instruction.ordering))
            return None
        case "call" if is_warp_operation(instruction):
            return emit_warp_operation(code, instruction, block, mask)
        case _:
            pass
    if _goes_wrong_in_vectors(instruction) and code.divergence.at_definition(instruction).is_varying:
        return _one_by_one(code, instruction, block, mask)
    if divides_by_floats(instruction) and code.divergence.at_definition(instruction).is_varying:
        return emit_division(code, instruction, block)
    if may_divide_by_doubles(instruction) and code.divergence.at_definition(instruction).is_varying:
        return emit_wide_division(code, instruction, block, mask)
    if is_element_wise(instruction):
        return emit_element_wise(code, instruction, block, mask)
    if is_vector_access(code, instruction):
        return emit_vector_access(code, instruction, block)
    found = by_component(code, instruction, block, mask)
    if found is not None:
        return found
    if instruction.op == "call":
        if emit_copy(code, pending, instruction, block, mask) or emit_access_note(code, instruction, block, mask):
            return None
        return _call(code, instruction, block, mask)
    if instruction.op not in ("extractelement", "insertelement"):
        cannot(f"{instruction.op} of {instruction.type}")
    return _one_by_one(code, instruction, block, mask)


def _goes_wrong_in_vectors(instruction: Instruction) -> bool:
    """Return whether an instruction is one of integers of more than 64 bits, which processors do in no vector, and for
    vectors of which LLVM 22 goes wrong.

    * If vectors of their remainders are compared with constants, a different one in each lane, and some of these can't
      be remainders, such lanes come out as equal with AVX-512, once masks are selected by the comparison.
    * Their conversion to halves ends the process on processors with AVX512-FP16.
    """
    if instruction.op in ("sitofp", "uitofp"):
        source = instruction.operands[0].type
        return instruction.type.kind == "half" and source.is_int and source.bits > 64
    return instruction.op in DIVISIONS and instruction.type.is_int and instruction.type.bits > 64


def _one_by_one(code: LaneCode, instruction: Instruction, block: Block, mask: Mask) -> LaneValue | None:
    operands = [code.use(o, block) for o in instruction.operands]

    def one(build: Builder, values: list[Value]) -> Value:
        return build.emit(Instruction(instruction.op, instruction.type, values))

    return lane_by_lane(code, instruction.type, operands, mask, one, unroll=_goes_wrong_in_vectors(instruction))


def _asks_for_stack(call: Instruction) -> bool:
    """True for `llvm.stacksave` by which a pointer's memory is told; see `lowering/memory_spaces.py`."""
    return call.callee.startswith("llvm.stacksave") and all(user.op == "ptrtoint" for user in call.users)


def _call(code: LaneCode, call: Instruction, block: Block, mask: Mask) -> LaneValue | None:
    """Emit a call that no vector does: of the runtime core, of a library, or of an out-of-line function."""
    if effects.is_marker(call):
        return None
    if call.callee.startswith(("llvm.stacksave", "llvm.stackrestore")) and not _asks_for_stack(call):
        cannot("alloca() of a size that only the run knows")
    indirect = is_indirect(call)
    operands = [code.use(o, block) for o in (call.operands if indirect else call.arguments)]

    def one(build: Builder, values: list[Value]) -> Value | None:
        callee = [] if indirect else call.operands[:1]
        new = Instruction("call", call.type, (*callee, *values), flags=call.flags, call=call.call)
        made = build.emit(new)
        return None if call.type is ty.VOID else made

    asks = call.call is not None and call.call.function_type is abi.FIND_MEMORY and operands[-1].shape.is_uniform
    if asks or (not effects.touches_memory(call) and _is_uniform(code, call, operands)):
        made = one(code.build, [code.scalar(o) for o in operands])
        return None if made is None else LaneValue.uniform(made)
    return lane_by_lane(code, call.type, operands, mask, one)


def _is_uniform(code: LaneCode, call: Instruction, operands: list[LaneValue]) -> bool:
    return code.divergence.at_definition(call).is_uniform and all(o.shape.is_uniform for o in operands)
