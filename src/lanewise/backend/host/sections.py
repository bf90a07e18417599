# SPDX-License-Identifier: Apache-2.0
"""Sections of object files.

Source: System V ABI, "Object Files" (ELF-64).
"""

from __future__ import annotations

import struct
from typing import Final

_HEADER: Final = struct.Struct("<16s2HI3QI6H")
_SECTION: Final = struct.Struct("<2I4Q2I2Q")
_MAGIC: Final = b"\x7fELF\x02\x01"


def section(data: bytes, wanted: bytes) -> bytes | None:
    """The content of a section of a little-endian ELF-64 file; None if it has none of this name, or is no such file.
    struct.error, IndexError or ValueError for a damaged one."""
    if not data.startswith(_MAGIC):
        return None
    header: tuple[int, ...] = _HEADER.unpack_from(data)[1:]
    start, size, count, names = header[5], header[10], header[11], header[12]
    sections: list[tuple[int, ...]] = [_SECTION.unpack_from(data, start + size * number) for number in range(count)]
    for name, _, _, _, content, length, *_ in sections:
        at = sections[names][4] + name
        if data[at : data.index(b"\0", at)] == wanted:
            return data[content : content + length]
    return None


_SYMBOL: Final = struct.Struct("<IBBHQQ")
_LOCAL: Final = 0


def global_symbols(data: bytes) -> list[bytes]:
    """The names of the global and weak symbols that an object file defines. Errors as `section`."""
    table, names = section(data, b".symtab"), section(data, b".strtab")
    if table is None or names is None:
        return []
    found: list[bytes] = []
    for name, info, _, place, _, _ in _SYMBOL.iter_unpack(table):
        if info >> 4 != _LOCAL and place != 0:
            found.append(names[name : names.index(b"\0", name)])
    return found
