# SPDX-License-Identifier: Apache-2.0
"""Calls of out-of-line functions, to which the record of the work-item is passed (see `out_of_line.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, final

from lanewise.analysis.call_graph import called_type
from lanewise.errors import CompileError
from lanewise.ir.builder import Builder
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Constant, Value
from lanewise.ir.written_names import written_name
from lanewise.workgroup.layout.frame import Frame, ItemIds
from lanewise.workgroup.layout.host_types import host_type
from lanewise.workgroup.layout.out_of_line import OwnRecord, Records, host_function_type
from lanewise.workgroup.layout.symbols import Symbols


@final
class OutOfLineCalls:
    """`owner`: name of the caller in messages. `records`: the source of the record to pass; None in a kernel, which
    makes one when it is first needed."""

    def __init__(self, owner: str, frame: Frame, symbols: Symbols, records: Records | None) -> None:
        self._owner: Final = owner
        self._frame: Final = frame
        self._symbols: Final = symbols
        self._records = records

    def is_out_of_line(self, callee: Value) -> bool:
        """Return whether a call of `callee` goes to an out-of-line function: through a pointer, or to a function of the
        program that could not be inlined."""
        if isinstance(callee, Function):
            return not callee.is_declaration or callee.symbol in self._symbols.out_of_line.names
        return not (isinstance(callee, Constant) and callee.kind == "asm")

    def call(
        self, call: Instruction, callee: Value, arguments: Sequence[Value], build: Builder, ids: ItemIds | None
    ) -> Instruction:
        """Append the call, and return its result. A function in the same object is called by name."""
        if isinstance(callee, Function):
            if callee.symbol not in self._symbols.out_of_line.names:
                why = "takes any number of arguments" if callee.value_type.vararg else "can't be inlined"
                raise CompileError(f"{self._owner}: {written_name(callee.symbol)}() {why}: not on the CPU device")
            callee = self._symbols.host.out_of_line.get(callee.symbol) or self._symbols.symbol(callee)
        if self._records is None:
            self._records = OwnRecord(self._frame, self._symbols.dynamic_shared(), self._symbols.static_shared_bytes)
        record = self._records.address(build, ids)
        type_ = host_function_type(host_type(called_type(call)))
        return build.call(callee, type_, (record, *arguments), call.name)
