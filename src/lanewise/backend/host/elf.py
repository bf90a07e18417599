# SPDX-License-Identifier: Apache-2.0
"""Relocatable objects of x86-64, read as far as `plain_link.py` links them.

Source: System V ABI, "Object Files" (ELF-64), and its AMD64 supplement.
"""

import struct
from typing import Final, NamedTuple

FILE: Final = struct.Struct("<16s2HI3QI6H")
SECTION: Final = struct.Struct("<2I4Q2I2Q")
SYMBOL: Final = struct.Struct("<I2BH2Q")
RELOCATION: Final = struct.Struct("<2Qq")
MAGIC: Final = b"\x7fELF\x02\x01\x01"
X86_64: Final = 62
RELOCATABLE: Final = 1
PROGBITS: Final = 1
SYMTAB: Final = 2
STRTAB: Final = 3
RELA: Final = 4
NOBITS: Final = 8
WRITE: Final = 1
ALLOC: Final = 2
EXECUTE: Final = 4
INFO_LINK: Final = 0x40
_ABSOLUTE: Final = 0xFFF1
_FIRST_RESERVED: Final = 0xFF00
_KNOWN_FLAGS: Final = WRITE | ALLOC | EXECUTE | 0x10 | 0x20
"""Flags of sections that are taken. The last two let a linker merge equal strings, which it need not."""
_RUN_OR_UNWOUND: Final = (".eh_frame", ".ctors", ".dtors")
"""Beginnings of the names of sections that a loader or an unwinder reads. LLVM puts constructors into `.ctors`, if it
isn't told of `.init_array`, whose kind shows it."""
LOCAL, GLOBAL = 0, 1
UNTYPED, OBJECT, FUNCTION, OF_SECTION, OF_FILE = range(5)
DEFAULT, HIDDEN = 0, 2


class NotPlainError(Exception):
    """An object has what only a whole linker knows."""


class ElfRelocation(NamedTuple):
    """A place in a section to be filled in. `symbol`: its number in the object."""

    offset: int
    kind: int
    symbol: int
    addend: int


class Section(NamedTuple):
    """A section of an object, with its relocations."""

    name: str
    kind: int
    flags: int
    size: int
    alignment: int
    entry: int
    data: bytes
    relocations: tuple[ElfRelocation, ...]


class Symbol(NamedTuple):
    """A symbol of an object. `section`: the number of the one that it is in; None if it is defined elsewhere."""

    name: str
    binding: int
    kind: int
    visibility: int
    section: int | None
    value: int
    size: int


class ElfObject(NamedTuple):
    """An object: its sections by their numbers, without tables of the file's own, and its symbols."""

    sections: dict[int, Section]
    symbols: tuple[Symbol, ...]


def read_object(data: bytes) -> ElfObject:
    """An object file, read. NotPlainError for one that has more than sections of bytes and plain symbols; struct.error,
    IndexError or ValueError for a damaged one."""
    head: tuple[int, ...] = FILE.unpack_from(data)[1:]
    if not data.startswith(MAGIC) or head[0] != RELOCATABLE or head[1] != X86_64:
        raise NotPlainError
    if head[5] + SECTION.size * head[11] > len(data):
        raise ValueError("the table of sections ends after its file")
    rows: list[tuple[int, ...]] = [SECTION.unpack_from(data, head[5] + SECTION.size * n) for n in range(head[11])]
    names = _content(data, rows[head[12]])
    tables = [number for number, row in enumerate(rows) if row[1] == SYMTAB]
    if len(tables) != 1:
        raise NotPlainError
    relocations: dict[int, tuple[ElfRelocation, ...]] = {}
    for row in rows:
        if row[1] == RELA:
            if row[7] in relocations:
                raise NotPlainError
            relocations[row[7]] = tuple(
                ElfRelocation(offset, info & 0xFFFFFFFF, info >> 32, addend)
                for offset, info, addend in RELOCATION.iter_unpack(_content(data, row))
            )
    sections: dict[int, Section] = {}
    for number, row in enumerate(rows):
        if row[1] in (0, SYMTAB, STRTAB, RELA):
            continue
        _, kind, flags, _, _, size, _, _, alignment, entry = row
        if kind not in (PROGBITS, NOBITS) or flags & ~_KNOWN_FLAGS:  # groups, constructors, notes, thread's own data
            raise NotPlainError
        if alignment & (alignment - 1):
            raise NotPlainError
        content = b"" if kind == NOBITS else _content(data, row)
        name = _text(names, row[0])
        if name.startswith(_RUN_OR_UNWOUND):
            raise NotPlainError
        sections[number] = Section(
            name, kind, flags, size, max(alignment, 1), entry, content, relocations.get(number, ())
        )
    table = rows[tables[0]]
    texts = _content(data, rows[table[6]])
    return ElfObject(
        sections, tuple(_symbol(row, texts, sections) for row in SYMBOL.iter_unpack(_content(data, table)))
    )


def _symbol(row: tuple[int, ...], texts: bytes, sections: dict[int, Section]) -> Symbol:
    name, info, other, section, value, size = row
    binding, kind, visibility = info >> 4, info & 15, other & 3
    is_file = kind == OF_FILE and section == _ABSOLUTE
    if (binding not in (LOCAL, GLOBAL) or kind > OF_FILE or visibility not in (DEFAULT, HIDDEN)) or (
        section >= _FIRST_RESERVED and not is_file
    ):
        raise NotPlainError  # weak ones, thread's own, common ones, functions that choose
    place = section if section in sections else None
    return Symbol(_text(texts, name), binding, kind, visibility, place, value, size)


def _content(data: bytes, row: tuple[int, ...]) -> bytes:
    if row[4] + row[5] > len(data):
        raise ValueError("a section ends after its file")
    return data[row[4] : row[4] + row[5]]


def _text(table: bytes, start: int) -> str:
    return table[start : table.index(b"\0", start)].decode(errors="surrogateescape")
