# SPDX-License-Identifier: Apache-2.0
"""Variables, functions and constants of the device module, as a work-group function reaches them.

shared variables    places in the arena
constant data       that nobody can write (string literals, tables): copied into the object
other variables     through a table of addresses, since the machine code for one kernel at one local size is an
                    object of its own, while all of a module's kernels share its variables
"""

from __future__ import annotations

from typing import Final, final

from lanewise.errors import CompileError
from lanewise.ir import types as ty
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.layout import align_of, size_of
from lanewise.ir.module import GlobalVariable, Module, constants_in
from lanewise.ir.types import Type
from lanewise.ir.values import Argument, Constant, Global, Value, i32, i64, poison
from lanewise.workgroup import abi
from lanewise.workgroup.arena import Arena
from lanewise.workgroup.frame import Frame
from lanewise.workgroup.host_types import host_constant, host_type, is_plain

SHARED: Final = 3
"""Address space of shared memory."""


@final
class Symbols:
    """`variables` are the symbols in the table of addresses, in order."""

    def __init__(self, source: Module, kernel: Function, target: Module, frame: Frame, arena: Arena) -> None:
        self.kernel: Final = kernel
        self.source: Final = source
        self.target: Final = target
        self.variables: Final[list[str]] = []
        self._frame: Final = frame
        self._arena: Final = arena
        self._symbols: Final[dict[Global, Value]] = {}
        self._constants: Final[dict[Constant, Value]] = {}
        self._dynamic: Instruction | None = None
        for name, body in source.types.items():
            target.types[name] = None if body is None else host_type(body)
        self._place_shared_variables()

    def finish(self) -> None:
        """Once all is lowered: fill in what only then is known."""
        if self._dynamic is not None:
            self._dynamic.set_operand(1, i64(self._arena.dynamic))
        if self.variables:
            table = ty.array(len(self.variables), ty.PTR)
            symbol = self.target.symbols[abi.VARIABLES_SYMBOL]
            assert isinstance(symbol, GlobalVariable)
            symbol.value_type = table
            symbol.initializer = Constant(table, "zeroinitializer")

    # -- symbols -----------------------------------------------------------------------------------------------

    def symbol(self, symbol: Global) -> Value:
        """The address of a variable."""
        known = self._symbols.get(symbol)
        if known is None:
            known = self._symbols[symbol] = self._new_symbol(symbol)
        return known

    def external(self, name: str, type_: Type) -> Function:
        """The declaration of a function outside the object."""
        known = self.target.symbols.get(name)
        if not isinstance(known, Function):
            known = Function(name, type_, [Argument(p) for p in type_.fields])
            self.target.add(known)
        return known

    def _place_shared_variables(self) -> None:
        used = {v for i in self.kernel.instructions() for o in i.operands for v in constants_in(o)}
        for variable in self.source.variables:
            if variable not in used or variable.type.addrspace != SHARED or variable.initializer is None:
                continue
            align = variable.align or align_of(variable.value_type, self.source.types)
            offset = self._arena.shared(size_of(variable.value_type, self.source.types), align)
            self._symbols[variable] = self._frame.entry.offset(self._frame.arena, offset, variable.name)

    def _new_symbol(self, symbol: Global) -> Value:
        if isinstance(symbol, Function):
            raise CompileError(
                f"kernel {self.kernel.symbol}: the address of function {symbol.symbol} is taken, or it calls itself; "
                "function pointers and recursion are not supported on the CPU device"
            )
        if not isinstance(symbol, GlobalVariable):
            raise CompileError(f"kernel {self.kernel.symbol}: alias @{symbol.name} can't be used in device code")
        if symbol.type.addrspace == SHARED:  # one without a size: the static ones have their places
            return self._dynamic_shared()
        return self._embed(symbol) if is_embedded(symbol) else self._from_table(symbol)

    def _dynamic_shared(self) -> Value:
        """Begin of dynamic shared memory; `finish` puts in where the arena has it."""
        if self._dynamic is None:
            self._dynamic = self._frame.entry.address(ty.I8, self._frame.arena, [i64(0)], "dynamic.shared")
        return self._dynamic

    def _embed(self, variable: GlobalVariable) -> Global:
        assert variable.initializer is not None
        initializer = host_constant(variable.initializer)
        align = variable.align or align_of(variable.value_type, self.source.types)
        copy = GlobalVariable(
            str(variable.name),
            initializer.type,
            initializer,
            prefix=("internal", "unnamed_addr", "constant"),
            suffix=f", align {align}",
        )
        self.target.add(copy)
        return copy

    def _from_table(self, variable: GlobalVariable) -> Value:
        if not self.variables:
            self.target.add(GlobalVariable(abi.VARIABLES_SYMBOL, ty.PTR, None))
        entry = self._frame.entry
        place = entry.offset(self.target.symbols[abi.VARIABLES_SYMBOL], 8 * len(self.variables))
        self.variables.append(str(variable.name))
        return entry.load(ty.PTR, place, variable.name, align=8)

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
