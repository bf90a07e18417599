# SPDX-License-Identifier: Apache-2.0
"""A library in source form. Each unit is compiled, and cached, when a program first calls one of its functions."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, NamedTuple, final

from lanewise import locks
from lanewise.cache import Cache, key
from lanewise.ir.reader import read_module
from lanewise.linking.definitions import Definition, definitions
from lanewise.linking.side_by_side import side_by_side
from lanewise.log import looked_up, step
from lanewise.toolchain import run_zig

_ENTRY: Final = "definitions.json"
_AT_ONCE: Final = 2
"""Number of compilers that run in parallel."""


class LibraryUnit(NamedTuple):
    """The input of one run of clang: a source file with arguments of its own, such as -DTO=int. `name` is unique among
    the units of its library, and a word that may be part of a symbol."""

    name: str
    file: Path
    arguments: tuple[str, ...] = ()


@final
class Library:
    """Functions that programs may call by symbol.

    `unit_of` returns the unit of a symbol (without its `@`), None if no unit has it. `arguments` are clang's for all
    units. The sources are part of Lanewise, so its version, part of every cache key, covers them. Safe for use by
    several threads.
    """

    def __init__(
        self, name: str, unit_of: Callable[[str], LibraryUnit | None], arguments: tuple[str, ...], cache: Cache
    ) -> None:
        self.name: Final = name
        self._unit_of: Final = unit_of
        self._arguments: Final = arguments
        self._cache: Final = cache
        self._loaded: Final[dict[str, dict[str, Definition]]] = {}
        self._lock: Final = locks.lock()

    def definitions_of(self, symbols: Iterable[str]) -> dict[str, dict[str, Definition]]:
        """For each of `symbols` in the library, all definitions of its unit, by name with `@`. Units that are not in
        the cache are compiled, some in parallel."""
        units = {symbol: unit for symbol in symbols if (unit := self._unit_of(symbol)) is not None}
        with self._lock:
            missing = {unit.name: unit for unit in units.values() if unit.name not in self._loaded}
            loaded = side_by_side(self._load, missing.values(), _AT_ONCE)
            self._loaded.update(zip(missing, loaded, strict=True))
            found = {symbol: self._loaded[unit.name] for symbol, unit in units.items()}
        return {symbol: unit for symbol, unit in found.items() if f"@{symbol}" in unit}

    def _load(self, unit: LibraryUnit) -> dict[str, Definition]:
        arguments = (*self._arguments, *unit.arguments)
        entry = key("library", self.name, unit.name, *arguments)
        path = self._cache.get(entry, _ENTRY)
        looked_up(f"library unit {unit.name}", found=path is not None)
        if path is not None:
            try:
                stored: dict[str, tuple[str, list[str]]] = json.loads(path.read_bytes())
                return {name: Definition(text, tuple(uses)) for name, (text, uses) in stored.items()}
            except (OSError, ValueError, TypeError):
                pass  # evicted a moment ago, or broken: made again
        command = ["clang", *arguments, "-emit-llvm", "-S", "-o", "-", str(unit.file)]
        with step(f"clang {unit.file.name} of the library"):
            text = run_zig(command, f"{unit.file.name} is broken").decode()
        found = definitions(read_module(text), unit.name)
        self._cache.put(entry, {_ENTRY: json.dumps(found).encode()})
        return found
