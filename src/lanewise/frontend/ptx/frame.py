# SPDX-License-Identifier: Apache-2.0
"""The variables of a function: its parameters, and what its body declares.

A parameter that is read as it was declared is the argument itself. Any other, one whose address is taken, say, gets
memory. So do the parameters of calls, which each pair of braces declares anew.

Source: PTX ISA 9.0, 5.1.6 "Parameter State Space", 7.1 "Function Declarations and Definitions".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from lanewise.frontend.ptx.ptx_types import bits_of
from lanewise.frontend.ptx.signatures import is_array, of_one, type_of
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.layout import align_of
from lanewise.ir.values import Argument, Value, poison
from lanewise.ptx.control.steps import Scope
from lanewise.ptx.language import module as ptx
from lanewise.ptx.language.operands import Address, Immediate, Operand
from lanewise.ptx.language.statements import Declaration

if TYPE_CHECKING:
    from lanewise.frontend.ptx.code import PtxCode
    from lanewise.ir.types import Type


@final
class PtxFrame:
    """The variables of one function."""

    def __init__(self, source: ptx.Function, function: Function) -> None:
        self._parameters: Final = {
            each.declarators[0].name: (each, argument)
            for each, argument in zip(source.parameters, function.arguments, strict=True)
        }
        self._results: Final = source.results
        self._known: Final[dict[tuple[int, str], Value]] = {}

    def argument(self, code: PtxCode, operand: Operand, type_: Type) -> Argument | None:
        """The argument that is the whole value at an address; None if it isn't a parameter's, or not all of it."""
        if not isinstance(operand, Address) or isinstance(operand.base, Immediate) or operand.offset:
            return None
        name = operand.base.text
        if name not in self._parameters or (0, name) in self._known or code.register(name) is not None:
            return None
        declaration, argument = self._parameters[name]
        return None if is_array(declaration) or bits_of(argument.type) != bits_of(type_) else argument

    def registers(self) -> list[tuple[str, Argument]]:
        """The parameters that are registers, by name."""
        return [(name, argument) for name, (each, argument) in self._parameters.items() if each.space == "reg"]

    def variable(self, code: PtxCode, name: str, scope: Scope) -> Value:
        """The address of a variable that a scope of the function declares."""
        known = self._known.get((scope.number, name))
        if known is None:
            known = self._known[scope.number, name] = self._new(code, name, scope.declarations[name])
        return known

    def _new(self, code: PtxCode, name: str, declaration: Declaration) -> Value:
        if declaration.space in ("shared", "const", "global"):
            return code.symbols.declare_in(code.source, declaration, name)
        if name in self._parameters and self._parameters[name][0] is declaration:
            return self._memory_of_parameter(code, name)
        return self._allocate(code, declaration, name)

    def _memory_of_parameter(self, code: PtxCode, name: str) -> Value:
        declaration, argument = self._parameters[name]
        if is_array(declaration):
            return argument
        memory = self._allocate(code, declaration, name)
        code.entry.store(argument, memory, align=align_of(argument.type, {}))
        return memory

    def _allocate(self, code: PtxCode, declaration: Declaration, name: str) -> Instruction:
        type_ = type_of(of_one(declaration, name))
        align = max(declaration.alignment or 1, align_of(type_, {}))
        return code.entry.alloca(type_, align=align)

    def result(self, code: PtxCode) -> Value | None:
        """The value that the function returns at its end; None for none."""
        if not self._results:
            return None
        type_ = code.function.result_type
        if len(self._results) == 1:
            return self._result(code, self._results[0], type_)
        result: Value = poison(type_)
        for place, (declaration, field) in enumerate(zip(self._results, type_.fields, strict=True)):
            part = self._result(code, declaration, field)
            result = code.build.emit(Instruction("insertvalue", type_, (result, part), indices=(place,)))
        return result

    def _result(self, code: PtxCode, declaration: Declaration, type_: Type) -> Value:
        name = declaration.declarators[0].name
        if declaration.space == "reg":
            register = code.outermost.register(name)
            assert register is not None
            return code.as_type(code.value_of(register), type_)
        return code.build.load(type_, self.variable(code, name, code.outermost), align=1)
