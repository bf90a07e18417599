# SPDX-License-Identifier: Apache-2.0
"""The line table in a shared object: which line of the source an instruction comes from.

Source: DWARF Debugging Information Format, version 4, section 6.2.
"""

import struct
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple, final

from lanewise.backend.host.sections import section

_FORMAT: Final = 4
"""The version of DWARF that `workgroup/lines.py` asks for."""

# Standard and extended opcodes, DWARF section 6.2.5.
_COPY, _ADVANCE_PC, _ADVANCE_LINE, _SET_FILE = 1, 2, 3, 4
_CONST_ADD_PC, _FIXED_ADVANCE_PC = 8, 9
_END_SEQUENCE, _SET_ADDRESS = 1, 2


class SourceLine(NamedTuple):
    """A place in the source. `line` is above 0."""

    file: str
    line: int


def line_at(shared_object: bytes, offset: int) -> SourceLine | None:
    """The source line of the instruction `offset` bytes after the address at which the object is loaded. None if the
    object doesn't say."""
    try:
        table = section(shared_object, b".debug_line")
        for rows in _programs(table or b""):
            for row, following in pairwise(rows):
                if row.address <= offset < following.address and not row.ends:
                    return SourceLine(row.file, row.line) if row.line else None
    except (struct.error, IndexError, ValueError, StopIteration):
        pass  # no table, or a damaged one
    return None


class _Row(NamedTuple):
    address: int
    file: str
    line: int
    ends: bool
    """True for the first address after a sequence of instructions."""


@final
class _Reader:
    def __init__(self, data: bytes, at: int) -> None:
        self._data: Final = data
        self.at = at

    def number(self, code: str) -> int:
        (value,) = struct.unpack_from(f"<{code}", self._data, self.at)
        self.at += struct.calcsize(f"<{code}")
        return value

    def text(self) -> str:
        end = self._data.index(b"\0", self.at)
        found = self._data[self.at : end].decode(errors="replace")
        self.at = end + 1
        return found

    def leb128(self, signed: bool = False) -> int:
        value = shift = 0
        while True:
            byte = self.number("B")
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value - (1 << shift) if signed and byte & 0x40 else value


def _programs(table: bytes) -> Iterator[list[_Row]]:
    """The rows of each line number program."""
    at = 0
    while at < len(table):
        reader = _Reader(table, at)
        at += 4 + reader.number("I")
        if reader.number("H") != _FORMAT:
            raise ValueError("another version of DWARF")
        start = reader.number("I") + reader.at
        unit = reader.number("B")
        reader.number("H")  # operations of an instruction, which only processors with several have; is_stmt
        base, span, first = reader.number("b"), reader.number("B"), reader.number("B")
        lengths = [reader.number("B") for _ in range(first - 1)]
        folders = [""]
        while folder := reader.text():
            folders.append(folder)
        files = [""]
        while name := reader.text():
            folder = folders[reader.leb128()]
            reader.leb128()  # when it was changed
            reader.leb128()  # its size
            files.append(f"{folder}/{name}" if folder and not name.startswith("/") else name)
        reader.at = start
        yield list(_rows(reader, at, unit, base, span, first, lengths, files))


def _rows(
    reader: _Reader, end: int, unit: int, base: int, span: int, first: int, lengths: list[int], files: list[str]
) -> Iterator[_Row]:
    """Run one program; DWARF section 6.2.2 lists the registers."""
    address, file, line = 0, 1, 1
    while reader.at < end:
        opcode = reader.number("B")
        if opcode >= first:
            address += unit * ((opcode - first) // span)
            line += base + (opcode - first) % span
            yield _Row(address, files[file], line, False)
        elif opcode == 0:
            length = reader.leb128()
            after = reader.at + length
            extended = reader.number("B")
            if extended == _END_SEQUENCE:
                yield _Row(address, files[file], line, True)
                address, file, line = 0, 1, 1
            elif extended == _SET_ADDRESS:
                address = reader.number("Q")
            reader.at = after
        elif opcode == _COPY:
            yield _Row(address, files[file], line, False)
        elif opcode == _ADVANCE_PC:
            address += unit * reader.leb128()
        elif opcode == _ADVANCE_LINE:
            line += reader.leb128(signed=True)
        elif opcode == _SET_FILE:
            file = reader.leb128()
        elif opcode == _CONST_ADD_PC:
            address += unit * ((255 - first) // span)
        elif opcode == _FIXED_ADVANCE_PC:
            address += reader.number("H")
        else:
            for _ in range(lengths[opcode - 1]):
                reader.leb128()
