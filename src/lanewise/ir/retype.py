# SPDX-License-Identifier: Apache-2.0
"""Replaces types throughout a module: in values, constants, the bodies of named types, and attributes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, final

from lanewise.ir import types as ty
from lanewise.ir.function import Function
from lanewise.ir.instruction import CallSite, Instruction
from lanewise.ir.module import Alias, GlobalVariable, Module
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Global, Value


def retype(module: Module, new_types: Mapping[Type, Type]) -> None:
    """Replace each pointer type and named type in `new_types` by another one of its kind, such as a named type by a
    named type. Names of intrinsics stay: LLVM mends them."""
    if new_types:
        _Retyping(new_types).module(module)


@final
class _Retyping:
    def __init__(self, new_types: Mapping[Type, Type]) -> None:
        self._types: Final[dict[Type, Type]] = dict(new_types)
        self._constants: Final[dict[Constant, Constant]] = {}
        self._texts: Final = {str(old): str(new) for old, new in new_types.items()}
        longest_first = sorted(map(re.escape, self._texts), key=len, reverse=True)
        self._written: Final = re.compile(rf"(?:{'|'.join(longest_first)})(?![\w.$-])")
        self._spaces: Final = {
            f"addrspace({old.addrspace})": f"addrspace({new.addrspace})"
            for old, new in new_types.items()
            if old.is_pointer
        }

    def module(self, module: Module) -> None:
        bodies = {self.type(ty.named(name)).name: body and self.type(body) for name, body in module.types.items()}
        module.types.clear()
        module.types.update(bodies)
        for symbol in module.symbols.values():
            self._symbol(symbol)
        for name, node in module.metadata.items():
            if '"' not in node:
                module.metadata[name] = self.text(node)

    def type(self, type_: Type) -> Type:
        """The type that takes the place of another one."""
        known = self._types.get(type_)
        if known is None:
            known = self._types[type_] = self._compound(type_)
        return known

    def _compound(self, type_: Type) -> Type:
        match type_.kind:
            case "vector":
                return ty.vector(type_.count, self.type(type_.inner), type_.scalable)
            case "array":
                return ty.array(type_.count, self.type(type_.inner))
            case "struct":
                return ty.struct(tuple(map(self.type, type_.fields)), type_.packed)
            case "function":
                return ty.function(self.type(type_.inner), tuple(map(self.type, type_.fields)), type_.vararg)
            case _:
                return type_

    def text(self, text: str) -> str:
        """Text that may name types, with the new ones."""
        return self._written.sub(lambda match: self._texts[match[0]], text)

    def words(self, words: Iterable[str]) -> tuple[str, ...]:
        return tuple(map(self.text, words))

    def value(self, value: Value) -> Value:
        """The constant that takes the place of `value`; any other value itself."""
        if not isinstance(value, Constant):
            return value
        known = self._constants.get(value)
        if known is None:
            known = self._constants[value] = Constant(
                self.type(value.type),
                value.kind,
                self.text(value.text) if value.kind == "metadata" else value.text,
                tuple(map(self.value, value.operands)),
                opcode=value.opcode,
                flags=value.flags,
                source_type=value.source_type and self.type(value.source_type),
            )
        return known

    def _symbol(self, symbol: Global) -> None:
        symbol.type, symbol.value_type = self.type(symbol.type), self.type(symbol.value_type)
        if isinstance(symbol, GlobalVariable):
            symbol.prefix = tuple(self._spaces.get(word, word) for word in symbol.prefix)
            symbol.initializer = symbol.initializer and self.value(symbol.initializer)
        elif isinstance(symbol, Alias):
            symbol.aliasee = self.value(symbol.aliasee)
        elif isinstance(symbol, Function):
            for argument in symbol.arguments:
                argument.type, argument.attributes = self.type(argument.type), self.words(argument.attributes)
            for instruction in symbol.instructions():
                self._instruction(instruction)

    def _instruction(self, instruction: Instruction) -> None:
        instruction.type = self.type(instruction.type)
        instruction.source_type = instruction.source_type and self.type(instruction.source_type)
        for index, operand in enumerate(instruction.operands):
            if isinstance(operand, Constant):
                instruction.set_operand(index, self.value(operand))
        if instruction.is_debug_record:
            instruction.predicate = self.text(instruction.predicate)
        site = instruction.call
        if site is not None:
            instruction.call = CallSite(
                self.type(site.function_type), self.words(site.prefix), tuple(map(self.words, site.arguments)),
                site.suffix,
            )  # fmt: skip
