# SPDX-License-Identifier: Apache-2.0
"""Access of a work-group function to variables, functions and constants of the device module.

shared variables    places in the arena
constant data       that can't be written (string literals, tables): copied into the object
other variables     through a table of addresses, since the machine code for one kernel at one local size is an
                    object of its own, while all of a module's kernels share its variables
functions           through the same table
"""

from __future__ import annotations

from typing import Final, final

from lanewise.analysis.call_graph import variables_used
from lanewise.errors import CompileError
from lanewise.ir.address_spaces import SHARED
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.layout import align_of, size_of
from lanewise.ir.module import GlobalVariable
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Global, Value, i32, i64, poison
from lanewise.workgroup.layout.arena import LINE, Arena
from lanewise.workgroup.layout.dynamic_shared import DynamicShared
from lanewise.workgroup.layout.frame import Frame
from lanewise.workgroup.layout.host_object import HostObject
from lanewise.workgroup.layout.host_types import host_constant, host_type, is_plain
from lanewise.workgroup.layout.out_of_line import NONE, CallersMemory, OutOfLine
from lanewise.workgroup.layout.shared_addresses import convert_shared_address, converts_shared_address


@final
class Symbols:
    """Symbols as one function reaches them. `out_of_line` are the program's out-of-line functions, whose shared
    variables have fixed places. `caller` tells an out-of-line function what only its kernel knows."""

    def __init__(
        self,
        function: Function,
        host: HostObject,
        frame: Frame,
        arena: Arena,
        out_of_line: OutOfLine = NONE,
        caller: CallersMemory | None = None,
    ) -> None:
        self.source: Final = host.source
        self.host: Final = host
        self.out_of_line: Final = out_of_line
        self._function: Final = function
        self._frame: Final = frame
        self._arena: Final = arena
        self._symbols: Final[dict[Global, Value]] = {}
        self._constants: Final[dict[Constant, Value]] = {}
        self._caller: Final = caller
        self._own_dynamic: DynamicShared | None = None
        self._place_shared_variables()

    def finish(self) -> None:
        """Fill in what is known only after all instructions are lowered."""
        if self._own_dynamic is not None:
            self._own_dynamic.place(self._arena)

    # -- symbols -----------------------------------------------------------------------------------------------

    def symbol(self, symbol: Global) -> Value:
        """The address of a variable."""
        known = self._symbols.get(symbol)
        if known is None:
            known = self._symbols[symbol] = self._new_symbol(symbol)
        return known

    def external(self, name: str, type_: Type) -> Function:
        """The declaration of a function outside the object."""
        return self.host.external(name, type_)

    def dynamic_shared(self) -> Value:
        """The start of dynamic shared memory."""
        if self._caller is not None:
            return self._caller.dynamic_shared
        self._own_dynamic = self._own_dynamic or DynamicShared(self._frame)
        return self._own_dynamic.address

    @property
    def static_shared_bytes(self) -> Value:
        """Size of static shared memory, which is at the start of the arena; i64."""
        return i64(self._arena.shared_bytes) if self._caller is None else self._caller.static_shared_bytes

    @property
    def stack_top(self) -> Value | None:
        """An address on the thread's stack beyond all that the work-item has there; None: the function's own frame."""
        return None if self._caller is None else self._caller.record

    def _place_shared_variables(self) -> None:
        """Lay out shared variables: first those of out-of-line functions, at the same places for all kernels."""
        if self.out_of_line.shared_bytes:
            self._arena.shared(self.out_of_line.shared_bytes, LINE)
        used = variables_used([self._function])
        for variable in self.source.variables:
            if variable not in used or variable.type.addrspace != SHARED or variable.initializer is None:
                continue
            offset = self.out_of_line.shared_places.get(str(variable.name))
            if offset is None:
                align = variable.align or align_of(variable.value_type, self.source.types)
                offset = self._arena.shared(size_of(variable.value_type, self.source.types), align)
            self._symbols[variable] = self._frame.entry.offset(self._frame.arena, offset, variable.name)

    def _new_symbol(self, symbol: Global) -> Value:
        if isinstance(symbol, Function):
            return self.host.load_address(symbol.symbol, self._frame.entry)
        if not isinstance(symbol, GlobalVariable):
            raise CompileError(f"alias @{symbol.name} can't be used in device code")
        if symbol.type.addrspace == SHARED:  # one without a size: the static ones have their places
            return self.dynamic_shared()
        if is_embedded(symbol):
            return self.host.embed(symbol)
        return self.host.load_address(str(symbol.name), self._frame.entry)

    # -- constants ---------------------------------------------------------------------------------------------

    def constant(self, value: Value) -> Value:
        """A constant or symbol as the host has it. What must be computed for it is, once, at the entry."""
        if isinstance(value, Global):
            return self.symbol(value)
        assert isinstance(value, Constant), f"{value!r} is no constant"
        known = self._constants.get(value)
        if known is None:
            known = self._constants[value] = self._new_constant(value)
        return known

    def _new_constant(self, value: Constant) -> Value:
        type_ = host_type(value.type)
        if value.kind == "expr":
            operands = [self.constant(o) for o in value.operands]
            if value.opcode == "addrspacecast":
                return operands[0]
            if converts_shared_address(value.opcode, value.operands, value.type):
                return convert_shared_address(
                    value.opcode, operands[0], value.type, self._frame.arena, self._frame.entry
                )
            source = host_type(value.source_type) if value.source_type else None
            flags = tuple(f for f in value.flags if not f.startswith("inrange"))
            return self._frame.entry.emit(Instruction(value.opcode, type_, operands, flags=flags, source_type=source))
        if value.kind in ("aggregate", "splat") and not is_plain(value):
            return self._built(value, type_)
        return host_constant(value)

    def _built(self, value: Constant, type_: Type) -> Value:
        built: Value = poison(type_)
        elements = value.operands * type_.count if value.kind == "splat" else value.operands
        for index, element in enumerate(elements):
            part = self.constant(element)
            if type_.is_vector:
                new = Instruction("insertelement", type_, (built, part, i32(index)))
            else:
                new = Instruction("insertvalue", type_, (built, part), indices=(index,))
            built = self._frame.entry.emit(new)
        return built


def is_embedded(variable: GlobalVariable) -> bool:
    """Constant data that only this module's code can see, without addresses in it."""
    return (
        variable.is_constant
        and any(word in ("internal", "private") for word in variable.prefix)
        and "externally_initialized" not in variable.prefix
        and variable.initializer is not None
        and is_plain(variable.initializer)
    )
