# SPDX-License-Identifier: Apache-2.0
"""The parts that the functions of one compiled object share: declarations, constant data, and a table of
addresses that is filled in when the object is loaded."""

from __future__ import annotations

from typing import Final, final

from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Function
from lanewise.ir.layout import align_of
from lanewise.ir.module import GlobalVariable, Module
from lanewise.ir.types import Type
from lanewise.ir.values import Argument, Constant, Global, Value
from lanewise.workgroup.layout import abi
from lanewise.workgroup.layout.host_types import host_constant, host_type


@final
class HostObject:
    """`source` is the device module that the object is made from, `target` the module of host IR."""

    def __init__(self, source: Module, target: Module) -> None:
        self.source: Final = source
        self.target: Final = target
        self.out_of_line: Final[dict[str, Function]] = {}
        """Out-of-line functions of the object, by their symbols on the device."""
        self._table: Final[dict[str, int]] = {}
        self._embedded: Final[dict[Global, GlobalVariable]] = {}
        for name, body in source.types.items():
            target.types[name] = None if body is None else host_type(body)

    @property
    def table(self) -> tuple[str, ...]:
        """Symbols of the variables and functions whose addresses go into the table, in order."""
        return tuple(self._table)

    def load_address(self, symbol: str, build: Builder) -> Value:
        """The address of a variable or function of the program, out of the table."""
        if not self._table:
            self.target.add(GlobalVariable(abi.VARIABLES_SYMBOL, ty.PTR, None))
        index = self._table.setdefault(symbol, len(self._table))
        place = build.offset(self.target.symbols[abi.VARIABLES_SYMBOL], 8 * index)
        return build.load(ty.PTR, place, symbol, align=8)

    def external(self, name: str, type_: Type) -> Function:
        """The declaration of a function outside the object."""
        known = self.target.symbols.get(name)
        if not isinstance(known, Function):
            known = Function(name, type_, [Argument(p) for p in type_.fields])
            self.target.add(known)
        return known

    def embed(self, variable: GlobalVariable) -> GlobalVariable:
        """The object's own copy of constant data."""
        known = self._embedded.get(variable)
        if known is None:
            assert variable.initializer is not None
            initializer = host_constant(variable.initializer)
            align = variable.align or align_of(variable.value_type, self.source.types)
            known = self._embedded[variable] = GlobalVariable(
                str(variable.name),
                initializer.type,
                initializer,
                prefix=("internal", "unnamed_addr", "constant"),
                suffix=f", align {align}",
            )
            self.target.add(known)
        return known

    def finish(self) -> None:
        """Give the table its size, once all functions are made."""
        if self._table:
            type_ = ty.array(len(self._table), ty.PTR)
            symbol = self.target.symbols[abi.VARIABLES_SYMBOL]
            assert isinstance(symbol, GlobalVariable)
            symbol.value_type = type_
            symbol.initializer = Constant(type_, "zeroinitializer")
