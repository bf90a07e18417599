# SPDX-License-Identifier: Apache-2.0
"""The global symbols of an ELF file of 64 bits (System V ABI, "Symbol Table")."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

_SYMTAB, _DYNSYM = 2, 11
_LOCAL, _WEAK = 0, 2


class Symbol(NamedTuple):
    name: str
    is_defined: bool
    is_weak: bool


def symbols(data: bytes) -> Iterator[Symbol]:
    """Global symbols: those of the dynamic table, or in an object file of the only one."""
    (start,) = struct.unpack_from("<Q", data, 0x28)
    size, count = struct.unpack_from("<HH", data, 0x3A)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, start + i * size) for i in range(count)]
    tables = [s for s in sections if s[1] == _DYNSYM] or [s for s in sections if s[1] == _SYMTAB]
    for table in tables:
        names = sections[table[6]][4]
        for at in range(table[4], table[4] + table[5], 24):
            name, info, _, section = struct.unpack_from("<IBBH", data, at)
            if info >> 4 != _LOCAL:
                text = data[names + name : data.index(b"\0", names + name)].decode()
                yield Symbol(text, section != 0, info >> 4 == _WEAK)


def defined(data: bytes) -> set[str]:
    return {symbol.name for symbol in symbols(data) if symbol.is_defined}


def undefined(data: bytes) -> set[str]:
    return {symbol.name for symbol in symbols(data) if not symbol.is_defined}
