# SPDX-License-Identifier: Apache-2.0
"""Linking: adds to a module the library functions that it calls and doesn't define.

Before
    define float @f(i32 %i) {
      %x = call float @looked_up(i32 %i)
      ret float %x
    }
    declare float @looked_up(i32)

After, with a library that has `looked_up`
    define float @f(i32 %i) {
      %x = call float @looked_up(i32 %i)
      ret float %x
    }
    define internal float @looked_up(i32 %i) {
      %x = sitofp i32 %i to float
      ret float %x
    }

Needs
    1. The module declares the function, and does not define it.
    2. Code or an initial value of the module uses it.
    3. It is none of LLVM's own functions, unless the caller names one to take its place.
    4. A library has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from lanewise.analysis.references import symbols_in
from lanewise.ir.function import Function
from lanewise.ir.module import Module
from lanewise.ir.reader import read_into
from lanewise.ir.values import Constant, Global
from lanewise.linking.definitions import Definition
from lanewise.linking.library import Library

_NO_CALLS: Final[Mapping[str, str]] = MappingProxyType({})


def link_libraries(module: Module, libraries: Sequence[Library], instead: Mapping[str, str] = _NO_CALLS) -> bool:
    """Define the library functions that code or an initial value refers to, with everything that those need; returns
    whether there are any. If two libraries have a symbol, the earlier one is used. `instead` maps functions to those of
    the libraries that replace them, such as llvm.sin.f32 to sinf.
    """
    wanted = {name: instead.get(name, name) for name in _undefined(module, instead)}
    found = _closure(wanted.values(), libraries)
    if not found:  # 4
        return False
    read_into(module, "\n\n".join(d.text for name, d in found.items() if not _has(module, name[1:], d)))
    for old, new in wanted.items():
        if old != new and f"@{new}" in found:
            module.symbols.pop(old).replace_all_uses(module.symbols[new])
    return True


def _undefined(module: Module, instead: Mapping[str, str]) -> Iterator[str]:
    """Names of the functions that are used and not defined, without LLVM's own unless something replaces them."""
    held: set[Global] | None = None
    for function in module.functions:
        if function.blocks:  # 1
            continue
        if function.symbol.startswith("llvm.") and function.symbol not in instead:  # 3
            continue
        if not function.users and held is None:
            held = set(_in_constants(module))
        if function.users or (held is not None and function in held):  # 2
            yield function.symbol


def _in_constants(module: Module) -> Iterator[Global]:
    """The symbols inside initial values and constant operands, which use lists don't know."""
    for variable in module.variables:
        if variable.initializer is not None:
            yield from symbols_in(variable.initializer)
    for function in module.functions:
        for instruction in function.instructions():
            for operand in instruction.operands:
                if operand.__class__ is Constant:
                    yield from symbols_in(operand)


def _has(module: Module, name: str, definition: Definition) -> bool:
    """True if the module needs no such definition: its own is used."""
    symbol = module.symbols.get(name)
    if symbol is None:
        return False
    return definition.is_declaration or not isinstance(symbol, Function) or bool(symbol.blocks)


def _closure(symbols: Iterable[str], libraries: Sequence[Library]) -> dict[str, Definition]:
    """Definitions of the symbols that libraries have, and of everything that they refer to, by name with `@`."""
    found: dict[str, Definition] = {}
    asked: set[str] = set()
    wanted = set(symbols)
    while wanted:
        asked |= wanted
        declared: set[str] = set()
        for library in libraries:
            for symbol, unit in library.definitions_of(sorted(wanted)).items():
                declared |= _take(f"@{symbol}", unit, found)
        wanted = declared - asked
    return found


def _take(name: str, unit: dict[str, Definition], found: dict[str, Definition]) -> set[str]:
    """Add to `found` the definition of `name` in a unit and everything that it refers to. Returns the symbols that the
    unit only declares."""
    declared: set[str] = set()
    work = [name]
    while work:
        name = work.pop()
        definition = unit[name]
        if definition.is_declaration:
            declared.update(() if name.startswith("@llvm.") else (name[1:],))
            found.setdefault(name, definition)
        elif name not in found or found[name].is_declaration:
            found[name] = definition
            work += definition.references
    return declared
