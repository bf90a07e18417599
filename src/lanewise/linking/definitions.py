# SPDX-License-Identifier: Apache-2.0
"""A module of LLVM IR, as clang makes it, split into self-contained definitions.

Each carries its attributes itself and no metadata, is internal, and has a name that no other module's local symbol has.
So any subset of them, closed under references, can be added to another module.

Before, in a unit called `roots`
    @table = internal unnamed_addr constant [2 x float] [float 1.0, float 2.0], align 4
    define dso_local float @looked_up(i32 %i) local_unnamed_addr #0 {
      %p = getelementptr inbounds float, ptr @table, i32 %i
      %x = load float, ptr %p, align 4, !tbaa !3
      ret float %x
    }
    attributes #0 = { nounwind "frame-pointer"="all" memory(read) }
    !3 = !{}

After, the texts of the definitions
    @lw.roots.table = internal constant [2 x float] [float 1.0, float 2.0], align 4
    define internal float @looked_up(i32 %i) nounwind memory(read) {
      %p = getelementptr inbounds float, ptr @lw.roots.table, i32 %i
      %x = load float, ptr %p, align 4
      ret float %x
    }
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from lanewise.analysis.references import references
from lanewise.ir import types as ty
from lanewise.ir.function import Function
from lanewise.ir.module import Alias, GlobalVariable, Module
from lanewise.ir.names import quoted
from lanewise.ir.retype import retype
from lanewise.ir.symbol_words import LOCAL_LINKAGES, PREEMPTIONS, with_linkage
from lanewise.ir.values import Global
from lanewise.ir.writer import write_symbol, write_type

_UNNAMED: Final = frozenset({"local_unnamed_addr", "unnamed_addr"})
_GROUP: Final = re.compile(r"#\d+")
_QUOTED_ATTRIBUTE: Final = re.compile(r' ?"[^"]*"(?:="[^"]*")?')
_COMDAT: Final = re.compile(r",? ?\bcomdat(?:\([^)]*\))?")


class Definition(NamedTuple):
    """One function, variable, type or declaration as text, and the symbols and types that it refers to."""

    text: str
    references: tuple[str, ...]

    @property
    def is_declaration(self) -> bool:
        return self.text.startswith("declare ")


def definitions(module: Module, unit: str) -> dict[str, Definition]:
    """All definitions in a module, which is changed, by name with its `@` or `%`.

    Names of local symbols and of types get the prefix `unit`. Aliases, comdats and module-level assembly, which
    libraries don't use, are omitted.
    """
    retype(module, {ty.named(name): ty.named(_own_name(name, unit)) for name in module.types})
    groups = {name: _QUOTED_ATTRIBUTE.sub("", body).strip() for name, body in module.attributes.items()}
    for symbol in module.symbols.values():
        _stand_alone(symbol, unit, groups)
    types = {f"%{quoted(name)}": write_type(name, body) for name, body in module.types.items()}
    found = {name: Definition(text, _types_in(text, types.keys() - {name})) for name, text in types.items()}
    for symbol in module.symbols.values():
        if isinstance(symbol, Function | GlobalVariable):
            text = write_symbol(symbol)
            uses = dict.fromkeys(u for u in references(symbol) if u is not symbol and not isinstance(u, Alias))
            found[_written(symbol)] = Definition(text, (*map(_written, uses), *_types_in(text, types)))
    return found


def _written(symbol: Global) -> str:
    return f"@{quoted(symbol.name or '')}"


def _own_name(name: str, unit: str) -> str:
    return f"lw.{unit}.{name}"


def _types_in(text: str, types: Iterable[str]) -> tuple[str, ...]:
    """The types whose names the text has, or seems to have, in it."""
    return tuple(name for name in types if name in text)


def _stand_alone(symbol: Global, unit: str, groups: Mapping[str, str]) -> None:
    """Free a symbol from all of its module that is no symbol."""
    if isinstance(symbol, GlobalVariable):
        if not LOCAL_LINKAGES.isdisjoint(symbol.prefix):
            symbol.name = _own_name(symbol.name or "", unit)
        symbol.prefix = tuple(w for w in with_linkage(symbol.prefix, "internal") if w not in _UNNAMED | PREEMPTIONS)
        symbol.suffix, symbol.metadata = _COMDAT.sub("", symbol.suffix), ()
    elif isinstance(symbol, Function):
        if symbol.linkage in LOCAL_LINKAGES:
            symbol.name = _own_name(symbol.symbol, unit)
        _free(symbol, groups)


def _free(function: Function, groups: Mapping[str, str]) -> None:
    def plain(suffix: str) -> str:
        """The attributes after a parameter list or a call, written out."""
        words = _GROUP.sub(lambda group: groups.get(group[0], ""), suffix).split(" ")
        return " ".join(word for word in words if word and word not in _UNNAMED)

    function.metadata = ()
    function.suffix = plain(_COMDAT.sub("", function.suffix))
    if function.blocks:
        function.linkage = "internal"
        function.prefix = tuple(w for w in with_linkage(function.prefix, "") if w not in PREEMPTIONS)
    for instruction in function.instructions():
        instruction.metadata = ()
        if instruction.call is not None and "#" in instruction.call.suffix:
            instruction.call = instruction.call._replace(suffix=plain(instruction.call.suffix))
