# SPDX-License-Identifier: Apache-2.0
"""Atomic operations: lane by lane, in order. On memory of the group they are plain reads and writes, since all its
work-items run in one thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Value, poison
from lanewise.workgroup.lanes.memory.accesses import is_of_group
from lanewise.workgroup.lanes.values.lane_by_lane import lane_by_lane
from lanewise.workgroup.lanes.values.lane_code import LaneCode, Mask
from lanewise.workgroup.lanes.values.lane_values import LaneValue

_Plain = Callable[[Builder, Value, Value], Value]


def _binary(op: str) -> _Plain:
    return lambda build, old, value: build.binary(op, old, value)


def _chosen(predicate: str) -> _Plain:
    return lambda build, old, value: build.select(build.compare(predicate, old, value), old, value)


_PLAIN: Final[dict[str, _Plain]] = {
    "xchg": lambda _build, _old, value: value,
    **{op: _binary(op) for op in ("add", "sub", "and", "or", "xor", "fadd", "fsub")},
    "max": _chosen("sgt"),
    "min": _chosen("slt"),
    "umax": _chosen("ugt"),
    "umin": _chosen("ult"),
}


def emit_atomic(code: LaneCode, instruction: Instruction, block: Block, mask: Mask) -> LaneValue | None:
    """Emit an atomic operation. The result is varying: each work-item reads what the one before it has left."""
    operands = [code.use(o, block) for o in instruction.operands]
    plain = is_of_group(code, instruction.operands[0])
    used = bool(instruction.users)

    def one(build: Builder, values: list[Value]) -> Value | None:
        if plain and instruction.op == "cmpxchg":
            result: Value = _plain_exchange(instruction, build, values)
        elif plain and instruction.predicate in _PLAIN:
            old = build.load(instruction.type, values[0], align=instruction.align)
            build.store(_PLAIN[instruction.predicate](build, old, values[1]), values[0], instruction.align)
            result = old
        else:
            result = build.emit(
                Instruction(
                    instruction.op,
                    instruction.type,
                    values,
                    flags=instruction.flags,
                    predicate=instruction.predicate,
                    align=instruction.align,
                    ordering=instruction.ordering,
                )
            )
        return result if used else None

    type_ = instruction.type if used else ty.VOID
    # Written out where no lane is switched off, so that addresses are taken from registers: to load them out of a
    # vector of 64 bytes that was stored just before takes twice as long as an update. It compiles no slower than loops
    # over lanes, however many updates there are: 40 of them by 16 lanes in 4 chunks take 0.7 s, as loops 1.1 s (Xeon).
    # Where lanes may be switched off, addresses go through memory.
    return lane_by_lane(code, type_, operands, mask, one, unroll=True)


def _plain_exchange(instruction: Instruction, build: Builder, values: list[Value]) -> Value:
    """Emit cmpxchg by plain accesses. The result has the old value, and whether it was the expected one."""
    pointer, expected, new = values
    old = build.load(expected.type, pointer, align=instruction.align)
    same = build.compare("eq", old, expected)
    build.store(build.select(same, new, old), pointer, instruction.align)
    first = build.emit(Instruction("insertvalue", instruction.type, (poison(instruction.type), old), indices=(0,)))
    return build.emit(Instruction("insertvalue", instruction.type, (first, same), indices=(1,)))
