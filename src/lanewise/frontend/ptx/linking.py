# SPDX-License-Identifier: Apache-2.0
"""Names that several modules share: which module's definition each one means.

`.visible` names have one definition. It goes before those that are `.weak`, of which the first one is taken, and before
`.common` variables, of which the largest one is taken. Kernels are names for all modules, since launches name them.
Without a linking directive, a name is its module's own.

Source: PTX ISA 9.0, 11.6 "Linking Directives"
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from lanewise.errors import CompileError
from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.frontend.ptx.signatures import SYSTEM_CALLS, function_type, of_one, type_of
from lanewise.ir.layout import size_of
from lanewise.ptx.language import module as ptx
from lanewise.ptx.language.statements import Declaration

_EXTERNAL: Final = frozenset({".extern", ".visible", ".weak", ".common"})


def is_external(item: ptx.Function | Declaration) -> bool:
    """A name that is declared so may mean the definition of another module."""
    if isinstance(item, ptx.Function) and (item.is_kernel or item.body is None):
        return True
    return not _EXTERNAL.isdisjoint(item.linkage)


class _Symbol(NamedTuple):
    """A name that a module declares or defines. `source` is the number of the module."""

    name: str
    source: int
    item: ptx.Function | Declaration

    @property
    def is_definition(self) -> bool:
        return self.item.body is not None if isinstance(self.item, ptx.Function) else not self.has(".extern")

    def has(self, directive: str) -> bool:
        return directive in self.item.linkage

    @property
    def is_given(self) -> bool:
        """The device has the function, or the launch the array in shared memory."""
        if isinstance(self.item, ptx.Function):
            return self.name in SYSTEM_CALLS
        return self.item.space == "shared" and None in of_one(self.item, self.name).declarators[0].dimensions

    @property
    def size(self) -> int | None:
        """Bytes of a variable; None for a function, an array without a size and a type that isn't supported."""
        if isinstance(self.item, ptx.Function):
            return None
        one = of_one(self.item, self.name)
        own = one.declarators[0]
        if None in own.dimensions:
            return None
        try:
            return size_of(type_of(one), {})
        except RefusedError:
            return None

    @property
    def is_initialized(self) -> bool:
        return isinstance(self.item, Declaration) and any(
            own.name == self.name and own.initializer is not None for own in self.item.declarators
        )


def owners_of(sources: Sequence[ptx.Module]) -> dict[str, int]:
    """The number of the module that defines each external name. CompileError, with all of them, for names that are
    defined twice or differently, and, if there are several modules, for those that are missing."""
    errors: list[CompileError] = []
    external: dict[str, list[_Symbol]] = {}
    declared: list[_Symbol] = []
    for number, source in enumerate(sources):
        symbols = list(_symbols(number, source))
        own: set[str] = set()
        for symbol in symbols:
            if not symbol.is_definition:
                continue
            if symbol.name in own:
                errors.append(_error(sources, symbol, f"{symbol.name} is defined twice"))
            elif is_external(symbol.item):
                external.setdefault(symbol.name, []).append(symbol)
            own.add(symbol.name)
        declared += [symbol for symbol in symbols if symbol.name not in own]
    owners = {name: _chosen(found, sources, errors) for name, found in external.items()}
    if len(sources) > 1:
        _check_declarations(declared, owners, sources, errors)
    if errors:
        told = [str(error) for error in errors]
        raise CompileError("\n".join(told), tuple(told))
    return {name: owner.source for name, owner in owners.items()}


def _symbols(number: int, source: ptx.Module) -> Iterator[_Symbol]:
    for item in source.items:
        if isinstance(item, ptx.Function):
            yield _Symbol(item.name, number, item)
        elif isinstance(item, Declaration):
            yield from (_Symbol(own.name, number, item) for own in item.declarators)


def _chosen(found: list[_Symbol], sources: Sequence[ptx.Module], errors: list[CompileError]) -> _Symbol:
    """The definition that a name means."""
    common = [symbol for symbol in found if symbol.has(".common")]
    strong = [symbol for symbol in found if not symbol.has(".weak") and not symbol.has(".common")]
    if len(strong) > 1:
        errors.append(_twice(sources, strong[1], strong[0], "is defined in {} already"))
    chosen = (strong or common or found)[0]
    if chosen.has(".common"):
        chosen = max(common, key=lambda symbol: symbol.size or 0)
        initialized = [symbol for symbol in common if symbol.is_initialized]
        if len(initialized) > 1:
            errors.append(_twice(sources, initialized[1], initialized[0], "is .common and has a value in {} already"))
        elif initialized and initialized[0].size != chosen.size:
            errors.append(_twice(sources, initialized[0], chosen, "is .common, has a value and is larger in {}"))
        else:
            chosen = (initialized or [chosen])[0]
    for symbol in found:
        if isinstance(symbol.item, ptx.Function) is not isinstance(chosen.item, ptx.Function):
            errors.append(_twice(sources, symbol, chosen, "is a function or a variable, and the other one in {}"))
    return chosen


def _check_declarations(
    declared: Sequence[_Symbol],
    owners: Mapping[str, _Symbol],
    sources: Sequence[ptx.Module],
    errors: list[CompileError],
) -> None:
    """Note names that are declared and missing, or declared as something else than what they are."""
    for symbol in declared:
        name, source = symbol.name, sources[symbol.source]
        owner = owners.get(name)
        if owner is not None:
            if (difference := _difference(symbol, owner)) is not None:
                errors.append(_twice(sources, symbol, owner, f"has {difference} than in {{}}"))
        elif not symbol.is_given and source.source.tokens.count(name) > 1:  # it is used
            files = ", ".join(each.source.file for each in sources)
            errors.append(_error(sources, symbol, f"{name} is defined in none of {files}"))


def _difference(symbol: _Symbol, owner: _Symbol) -> str | None:
    """The difference between a declaration and the definition, if there is one."""
    mine, other = symbol.item, owner.item
    if isinstance(mine, ptx.Function) and isinstance(other, ptx.Function):
        try:
            same = function_type(mine.results, mine.parameters) is function_type(other.results, other.parameters)
        except RefusedError:
            return None
        return None if same else "other parameters or results"
    if isinstance(mine, ptx.Function) or isinstance(other, ptx.Function):
        return "another kind"
    if mine.space != other.space:
        return "another state space"
    return "another size" if None not in (symbol.size, owner.size) and symbol.size != owner.size else None


def _twice(sources: Sequence[ptx.Module], symbol: _Symbol, other: _Symbol, told: str) -> CompileError:
    """The error for two modules that don't agree on a name; `told` has the place of the other one in it."""
    source = sources[other.source]
    return _error(sources, symbol, f"{symbol.name} {told.format(f'{source.source.file}:{source.line(other.item)}')}")


def _error(sources: Sequence[ptx.Module], symbol: _Symbol, told: str) -> CompileError:
    return sources[symbol.source].source.error(symbol.item.start, told)
