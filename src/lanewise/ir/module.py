# SPDX-License-Identifier: Apache-2.0
"""A module: the unit that is read, transformed and written."""

from __future__ import annotations

from typing import Final, final

from lanewise.ir.function import Function
from lanewise.ir.instruction import Metadata
from lanewise.ir.types import Type
from lanewise.ir.values import Argument, Constant, Global, Value

IN_VECTORS: Final = "!lanewise.vectors"
"""Named metadata of a module whose code is vector code already, which LLVM need not make of straight-line code."""


@final
class GlobalVariable(Global):
    """A global variable. `prefix` are the words before its type in printed order: linkage, dso_local, addrspace,
    externally_initialized, and last `global` or `constant`. `suffix` is what follows the initialiser (section, comdat,
    align). Both are kept as written. Without an initialiser it is external."""

    __slots__ = ("initializer", "metadata", "prefix", "suffix")

    def __init__(
        self,
        name: str,
        value_type: Type,
        initializer: Value | None,
        *,
        addrspace: int = 0,
        prefix: tuple[str, ...] = ("global",),
        suffix: str = "",
        metadata: Metadata = (),
    ) -> None:
        super().__init__(name, value_type, addrspace)
        self.initializer = initializer
        self.prefix = prefix
        self.suffix = suffix
        self.metadata = metadata

    @property
    def is_constant(self) -> bool:
        return self.prefix[-1] == "constant"

    @property
    def align(self) -> int:
        """Alignment in bytes that the text asks for, 0 if it is silent."""
        words = self.suffix.replace(",", " ").split()
        return int(words[words.index("align") + 1]) if "align" in words else 0


@final
class Alias(Global):
    """An alias or ifunc: `text` is all between the equals sign and the aliasee."""

    __slots__ = ("aliasee", "suffix", "text")

    def __init__(self, name: str, value_type: Type, text: str, aliasee: Value, suffix: str) -> None:
        super().__init__(name, value_type, aliasee.type.addrspace)
        self.text = text
        self.aliasee = aliasee
        self.suffix = suffix


@final
class Module:
    """All of one LLVM module. Parts that are not interpreted stay as text, in order.

    `header`      target and source_filename lines, module assembly, comdats
    `types`       name of a `%name` type -> its body, None if opaque
    `symbols`     variables, functions and aliases by name (without @), in order
    `attributes`  attribute groups: "#0" -> text between the braces
    `metadata`    "!0" or "!llvm.ident" -> text after the equals sign
    """

    __slots__ = ("_next_node", "attributes", "header", "metadata", "symbols", "types")

    def __init__(self) -> None:
        self.header: list[str] = []
        self.types: dict[str, Type | None] = {}
        self.symbols: dict[str, Global] = {}
        self.attributes: dict[str, str] = {}
        self.metadata: dict[str, str] = {}
        self._next_node: int | None = None
        """No node has this number or a greater one, except those that others wrote into `metadata` since."""

    def add(self, symbol: Global) -> None:
        assert symbol.name is not None
        assert symbol.name not in self.symbols, f"@{symbol.name} defined twice"
        self.symbols[symbol.name] = symbol

    def declare(self, name: str, type_: Type) -> Function:
        """The function @name of a type, declared now if the module doesn't have it."""
        known = self.symbols.get(name)
        if known is None:
            known = Function(name, type_, [Argument(parameter) for parameter in type_.fields])
            self.add(known)
        assert isinstance(known, Function), f"@{name} is no function"
        assert known.value_type is type_, f"@{name} is a {known.value_type}, not a {type_}"
        return known

    def add_metadata(self, body: str) -> str:
        """Add a numbered metadata node; returns its name, such as "!7"."""
        if self._next_node is None:
            self._next_node = 1 + max((int(name[1:]) for name in self.metadata if name[1:].isdigit()), default=-1)
        while (name := f"!{self._next_node}") in self.metadata:
            self._next_node += 1
        self.metadata[name] = body
        return name

    @property
    def functions(self) -> list[Function]:
        return [s for s in self.symbols.values() if isinstance(s, Function)]

    @property
    def variables(self) -> list[GlobalVariable]:
        return [s for s in self.symbols.values() if isinstance(s, GlobalVariable)]

    @property
    def kernels(self) -> list[Function]:
        """Kernels that the module defines, in order."""
        return [f for f in self.functions if f.is_kernel and f.blocks]

    def function(self, name: str) -> Function:
        """The function @name; KeyError if there isn't one."""
        symbol = self.symbols[name]
        if not isinstance(symbol, Function):
            raise KeyError(name)
        return symbol


def constants_in(value: Value) -> list[Value]:
    """`value` and, if it is a constant expression or aggregate, all values inside it, outermost first."""
    found = [value]
    if isinstance(value, Constant):
        for operand in value.operands:
            found.extend(constants_in(operand))
    return found
