# SPDX-License-Identifier: Apache-2.0
"""Makes instructions at the end of a block."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from lanewise.ir import types as ty
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import CallSite, Instruction, Metadata
from lanewise.ir.types import Type
from lanewise.ir.values import Value, i64


@final
class Builder:
    """Appends to `block`; set it to go on elsewhere. Each method returns the instruction that it made."""

    def __init__(self, block: Block) -> None:
        self.block = block

    def emit(self, instruction: Instruction) -> Instruction:
        return self.block.append(instruction)

    def binary(self, op: str, a: Value, b: Value, name: str | None = None, flags: tuple[str, ...] = ()) -> Instruction:
        return self.emit(Instruction(op, a.type, (a, b), name=name, flags=flags))

    def compare(self, predicate: str, a: Value, b: Value, name: str | None = None) -> Instruction:
        """icmp; operands are integers or pointers."""
        return self.emit(Instruction("icmp", ty.I1.with_shape_of(a.type), (a, b), name=name, predicate=predicate))

    def cast(self, op: str, value: Value, to: Type, name: str | None = None) -> Instruction:
        return self.emit(Instruction(op, to, (value,), name=name))

    def select(self, condition: Value, a: Value, b: Value, name: str | None = None) -> Instruction:
        return self.emit(Instruction("select", a.type, (condition, a, b), name=name))

    def phi(self, type_: Type, incoming: Sequence[tuple[Value, Block]] = (), name: str | None = None) -> Instruction:
        operands = [part for pair in incoming for part in pair]
        return self.emit(Instruction("phi", type_, operands, name=name))

    def alloca(self, type_: Type, name: str | None = None, align: int = 0) -> Instruction:
        return self.emit(Instruction("alloca", ty.PTR, (), name=name, source_type=type_, align=align))

    def load(
        self, type_: Type, pointer: Value, name: str | None = None, align: int = 0, metadata: Metadata = ()
    ) -> Instruction:
        return self.emit(
            Instruction("load", type_, (pointer,), name=name, source_type=type_, align=align, metadata=metadata)
        )

    def store(self, value: Value, pointer: Value, align: int = 0, metadata: Metadata = ()) -> Instruction:
        return self.emit(Instruction("store", ty.VOID, (value, pointer), align=align, metadata=metadata))

    def address(self, source_type: Type, base: Value, indices: Sequence[Value], name: str | None = None) -> Instruction:
        """getelementptr inbounds."""
        return self.emit(
            Instruction(
                "getelementptr",
                base.type,
                (base, *indices),
                name=name,
                flags=("inbounds",),
                source_type=source_type,
            )
        )

    def offset(self, base: Value, count: int, name: str | None = None) -> Value:
        """The address `count` bytes after `base`; `base` itself for 0."""
        return self.address(ty.I8, base, [i64(count)], name) if count else base

    def call(
        self,
        callee: Value,
        function_type: Type,
        arguments: Sequence[Value],
        name: str | None = None,
        suffix: str = "",
    ) -> Instruction:
        site = CallSite(function_type, suffix=suffix)
        return self.emit(Instruction("call", function_type.inner, (callee, *arguments), name=name, call=site))

    def call_function(self, callee: Function, arguments: Sequence[Value], name: str | None = None) -> Instruction:
        return self.call(callee, callee.value_type, arguments, name)

    def branch(self, target: Block, metadata: Metadata = ()) -> Instruction:
        return self.emit(Instruction("br", ty.VOID, (target,), metadata=metadata))

    def branch_if(self, condition: Value, then: Block, otherwise: Block, metadata: Metadata = ()) -> Instruction:
        return self.emit(Instruction("br", ty.VOID, (condition, then, otherwise), metadata=metadata))

    def switch(self, value: Value, default: Block, cases: Sequence[tuple[Value, Block]]) -> Instruction:
        operands: list[Value] = [value, default]
        for constant, block in cases:
            operands += [constant, block]
        return self.emit(Instruction("switch", ty.VOID, operands))

    def ret(self, value: Value | None = None) -> Instruction:
        return self.emit(Instruction("ret", ty.VOID, () if value is None else (value,)))

    def unreachable(self) -> Instruction:
        return self.emit(Instruction("unreachable", ty.VOID))
