# SPDX-License-Identifier: Apache-2.0
"""Linking: appends the library functions that a module calls and doesn't define."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from lanewise.linking.definitions import Definition, to_text
from lanewise.linking.library import Library

_DECLARATION: Final = re.compile(r'^declare [^\n@]*@("[^"\n]*"|[\w.$-]+)\([^\n]*\n?', re.MULTILINE)
_DEFINED: Final = re.compile(r'^(?:define [^\n@]*)?(@(?:"[^"\n]*"|[\w.$-]+))[( ]', re.MULTILINE)
_NO_CALLS: Final[Mapping[str, str]] = MappingProxyType({})


def linked(text: str, libraries: Sequence[Library], instead: Mapping[str, str] = _NO_CALLS) -> str:
    """The text of a module with the definitions of the library functions that it declares, and of everything that those
    need. If two libraries have a symbol, the earlier one is used. `instead` maps functions to those of the libraries
    that replace them, such as llvm.sin.f32 to sinf. The result defines every symbol of a library that it names.
    """
    declared = {match[1]: match for match in _DECLARATION.finditer(text)}
    replaced = {old: new for old, new in instead.items() if old in declared}
    wanted = [replaced.get(name, name) for name in declared]
    found = _closure(wanted, libraries)
    gone = {name for name in declared if f"@{replaced.get(name, name)}" in found}
    if not gone:
        return text
    present = {match[1] for match in _DEFINED.finditer(text)} | {f"@{name}" for name in declared.keys() - gone}
    text = _DECLARATION.sub(lambda match: "" if match[1] in gone else match[0], text)
    for old in replaced.keys() & gone:
        text = text.replace(f"@{old}(", f"@{replaced[old]}(")
    added = [definition for name, definition in found.items() if name not in present]
    return f"{text}\n{to_text(added)}"


def _closure(symbols: Iterable[str], libraries: Sequence[Library]) -> dict[str, Definition]:
    """Definitions of the symbols that libraries have, and of everything that they refer to, by name with `@`."""
    found: dict[str, Definition] = {}
    asked: set[str] = set()
    wanted = {symbol for symbol in symbols if not symbol.startswith("llvm.")}
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
