# SPDX-License-Identifier: Apache-2.0
"""Shared objects of small plain objects, without a process of a linker.

Why: lld takes 7 of the 70 ms of a processor that a small program in OpenCL C takes to build, of which 3 to 4 start a
program of 180 MB. Its part in objects that LLVM makes of kernels and of their image is simple: a few sections, and
relocations of seven kinds.

Method: sections of the same name are put one after the other, in four segments as lld has them: what is read, what is
executed, what is written once by the loader, what is written. Relocations are filled in, or left to the loader.
Functions of the process are called through a stub and the global offset table, which the loader fills at once. All
named symbols are in the table that debuggers and profilers read.

When not: objects of other processors, with constructors, unwind tables, groups of sections, weak, common or
thread-local symbols, or with addresses in what is only read. A symbol that is defined twice, or is hidden and not
defined, is an error that lld tells.

Source: System V ABI, "Object Files" and "Program Loading and Dynamic Linking", and its AMD64 supplement.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterable, Sequence
from typing import Final, final

from lanewise.backend.host.elf import (
    ALLOC,
    DEFAULT,
    EXECUTE,
    FILE,
    FUNCTION,
    GLOBAL,
    HIDDEN,
    INFO_LINK,
    LOCAL,
    MAGIC,
    NOBITS,
    OBJECT,
    OF_FILE,
    OF_SECTION,
    PROGBITS,
    RELA,
    RELOCATION,
    SECTION,
    STRTAB,
    SYMBOL,
    SYMTAB,
    UNTYPED,
    WRITE,
    X86_64,
    ElfObject,
    ElfRelocation,
    NotPlainError,
    Section,
    read_object,
)
from lanewise.log import step

_LARGE: Final = 1 << 20
"""Bytes of objects that lld links sooner."""
_PAGE: Final = 4096
_SEGMENT: Final = struct.Struct("<2I6Q")
_PAIR: Final = struct.Struct("<2Q")
_SHARED: Final = 3
_LOAD, _DYNAMIC, _STACK, _RELRO = 1, 2, 0x6474E551, 0x6474E552
_HASH, _DYNAMIC_SECTION, _DYNSYM = 5, 6, 11
_R64, _PC32, _PLT32, _GLOB_DAT, _RELATIVE, _R32 = 1, 2, 4, 6, 8, 10
_BY_TABLE: Final = (9, 41, 42)
"""GOTPCREL and its two forms that a linker may make better."""
_STUB: Final = b"\xff\x25"
"""`jmp *offset(%rip)`, before its offset of 4 bytes."""
_STUB_BYTES: Final = 8
_READ, _CODE, _ONCE, _DATA = range(4)
_LOADED_ONCE: Final = ".data.rel.ro"
_Place = tuple[int, int]
"""An object and a section of it, by number."""


@final
class _Output:
    """A section of the result."""

    def __init__(self, name: str, kind: int, flags: int, entry: int = 0, link: str = "", info: int = 0) -> None:
        self.name: Final = name
        self.kind: Final = kind
        self.flags: Final = flags
        self.entry: Final = entry
        self.link: Final = link
        self.info = info
        self.data: Final = bytearray()
        self.size = 0
        self.alignment = 1
        self.address = 0
        self.offset = 0

    def append(self, data: bytes, size: int, alignment: int) -> int:
        """Put `data` at the end, and return where."""
        start = _aligned(self.size, alignment)
        self.alignment = max(self.alignment, alignment)
        self.size = start + size
        if self.kind != NOBITS:
            self.data.extend(bytes(start - len(self.data)))
            self.data.extend(data)
        return start


def plain_link(objects: Sequence[bytes], exported: Collection[str] | None = None) -> bytes | None:
    """The shared object of relocatable ones that shows the symbols `exported`, if it has them; None: all that aren't
    hidden. None for what isn't plain, which a linker has to link or to refuse."""
    if sum(map(len, objects)) > _LARGE:
        return None
    try:
        with step("link"):
            return _Link([read_object(data) for data in objects], exported).shared_object()
    except (NotPlainError, struct.error, IndexError, KeyError, ValueError):
        return None


@final
class _Link:
    """One run. Sizes of all sections are known before any address is."""

    def __init__(self, objects: Sequence[ElfObject], exported: Collection[str] | None) -> None:
        self._objects: Final = objects
        self._exported: Final = exported
        self._outputs: Final[dict[str, _Output]] = {}
        self._places: Final[dict[_Place, tuple[_Output, int]]] = {}
        self._defined: Final[dict[str, _Place]] = {}
        self._hidden: Final[set[str]] = set()
        self._entries: Final[dict[str | _Place, int]] = {}
        self._stubs: Final[dict[str, int]] = {}
        self._imported: Final[dict[str, int]] = {}
        self._fixups: Final[list[tuple[int, int, int]]] = []
        self._relative = 0

    def shared_object(self) -> bytes:
        self._place_sections()
        self._define()
        segments = self._segments()
        self._lay_out(segments)
        self._fill_in()
        self._describe()
        return self._file(segments)

    def _place_sections(self) -> None:
        for number, each in enumerate(self._objects):
            for place, section in each.sections.items():
                if section.name == ".note.GNU-stack":
                    continue
                output = self._outputs.get(section.name)
                if output is None:
                    output = _Output(section.name, section.kind, section.flags, section.entry)
                    self._outputs[section.name] = output
                if (output.kind, output.flags) != (section.kind, section.flags) or section.alignment > _PAGE:
                    raise NotPlainError
                start = output.append(section.data, section.size, section.alignment)
                self._places[number, place] = output, start

    def _define(self) -> None:
        """Find the symbols that objects share, and what the loader has to find."""
        for number, each in enumerate(self._objects):
            for place, symbol in enumerate(each.symbols):
                if symbol.visibility == HIDDEN:
                    self._hidden.add(symbol.name)
                if symbol.binding == GLOBAL and symbol.section is not None:
                    if symbol.name in self._defined:
                        raise NotPlainError
                    self._defined[symbol.name] = number, place
        for number, each in enumerate(self._objects):
            for place, section in each.sections.items():
                if (number, place) in self._places:
                    for relocation in section.relocations:
                        self._reserve(number, section, relocation)

    def _reserve(self, number: int, section: Section, relocation: ElfRelocation) -> None:
        symbol = self._objects[number].symbols[relocation.symbol]
        target = self._target(number, relocation.symbol)
        is_loaded, kind = bool(section.flags & ALLOC), relocation.kind
        if relocation.offset + (8 if kind == _R64 else 4) > len(section.data):
            raise NotPlainError
        if target is None and (symbol.visibility != DEFAULT or symbol.binding == LOCAL or not is_loaded):
            raise NotPlainError
        if target is None:
            self._imported.setdefault(symbol.name, len(self._imported) + 1)
        if kind in _BY_TABLE and is_loaded:
            self._entries.setdefault(symbol.name if target is None else target, 8 * len(self._entries))
        elif kind == _PLT32 and target is None:
            self._entries.setdefault(symbol.name, 8 * len(self._entries))
            self._stubs.setdefault(symbol.name, _STUB_BYTES * len(self._stubs))
        elif kind == _R64 and is_loaded:
            if not section.flags & WRITE:
                raise NotPlainError
            self._relative += target is not None
        elif not (kind in (_PC32, _PLT32) and target is not None and is_loaded) and not (
            kind in (_R32, _R64) and not is_loaded
        ):
            raise NotPlainError

    def _target(self, number: int, symbol: int) -> _Place | None:
        """The object and the number there of the symbol that another one stands for; None if the process has it."""
        of = self._objects[number].symbols[symbol]
        if of.section is not None:
            return number, symbol
        return self._defined.get(of.name)

    def _segments(self) -> list[list[_Output]]:
        """The sections that are loaded, those of each segment in order, with the loader's tables."""
        names = "\0".join(["", *self._imported, *self._shown(), ""]).encode(errors="surrogateescape")
        count = 1 + len(self._imported) + len(self._shown())
        relocations = self._relative + len(self._entries) + self._symbolic()
        tables = [
            (_Output(".dynsym", _DYNSYM, ALLOC, SYMBOL.size, ".dynstr", 1), count * SYMBOL.size, 8),
            (_Output(".hash", _HASH, ALLOC, 4, ".dynsym"), 4 * (3 + count), 8),
            (_Output(".dynstr", STRTAB, ALLOC), len(names), 1),
            (_Output(".rela.dyn", RELA, ALLOC, RELOCATION.size, ".dynsym"), relocations * RELOCATION.size, 8),
            (_Output(".dynamic", _DYNAMIC_SECTION, ALLOC | WRITE, _PAIR.size, ".dynstr"), 10 * _PAIR.size, 8),
            (_Output(".got", PROGBITS, ALLOC | WRITE, 8), 8 * len(self._entries), 8),
            (_Output(".plt", PROGBITS, ALLOC | EXECUTE, _STUB_BYTES), _STUB_BYTES * len(self._stubs), 16),
        ]
        for table, size, alignment in tables:
            if table.name in self._outputs:
                raise NotPlainError
            table.append(bytes(size), size, alignment)
            self._outputs[table.name] = table
        self._outputs[".dynstr"].data[:] = names
        loaded = [output for output in self._outputs.values() if output.flags & ALLOC]
        if any(output.kind == NOBITS and not output.flags & WRITE for output in loaded):
            raise NotPlainError
        read = [output for output in loaded if not output.flags & (WRITE | EXECUTE)]
        code = [output for output in loaded if output.flags & EXECUTE]
        if any(output.flags & WRITE for output in code):
            raise NotPlainError
        written = [output for output in loaded if output.flags & WRITE]
        once = [each for each in written if each.name in (".dynamic", ".got") or each.name.startswith(_LOADED_ONCE)]
        if any(output.kind == NOBITS for output in once):
            raise NotPlainError
        data = sorted((each for each in written if each not in once), key=lambda each: each.kind == NOBITS)
        read.sort(key=lambda each: each.link == "" and each.name != ".dynstr")
        return [read, code, once, data]

    def _symbolic(self) -> int:
        """The number of addresses of the process's symbols in data."""
        return sum(
            relocation.kind == _R64 and bool(section.flags & ALLOC) and self._target(number, relocation.symbol) is None
            for number, each in enumerate(self._objects)
            for place, section in each.sections.items()
            if (number, place) in self._places
            for relocation in section.relocations
        )

    def _shown(self) -> list[str]:
        return [
            name
            for name in self._defined
            if (self._exported is None or name in self._exported) and name not in self._hidden
        ]

    def _lay_out(self, segments: list[list[_Output]]) -> None:
        """Give sections their addresses and their places in the file: equal but for what each segment begins after."""
        offset = FILE.size + _SEGMENT.size * (len(segments) + 3)
        address = offset
        for segment in segments:
            for output in segment:
                step = _aligned(address, output.alignment) - address
                address += step
                offset += step  # of what has no bytes, too: it may come first, and a segment starts alike in its page
                output.address = address
                output.offset = offset
                address += output.size
                if output.kind != NOBITS:
                    offset += output.size
            address = _aligned(address, _PAGE) + offset % _PAGE
        for output in self._outputs.values():
            if not output.flags & ALLOC:
                output.offset = offset = _aligned(offset, output.alignment)
                offset += output.size

    def _fill_in(self) -> None:
        for (number, place), (output, start) in self._places.items():
            for relocation in self._objects[number].sections[place].relocations:
                self._relocate(number, output, start + relocation.offset, relocation)
        got = self._outputs[".got"]
        for key, at in self._entries.items():
            if isinstance(key, str):
                self._fixups.append((got.address + at, self._imported[key] << 32 | _GLOB_DAT, 0))
            else:
                self._put_address(got, at, self._address(key))
        stubs = self._outputs[".plt"]
        for name, at in self._stubs.items():
            to = got.address + self._entries[name] - (stubs.address + at + len(_STUB) + 4)
            stubs.data[at : at + len(_STUB) + 4] = _STUB + struct.pack("<i", to)

    def _relocate(self, number: int, output: _Output, at: int, relocation: ElfRelocation) -> None:
        name = self._objects[number].symbols[relocation.symbol].name
        target, here, addend = self._target(number, relocation.symbol), output.address + at, relocation.addend
        if relocation.kind == _R64 and target is None:
            self._fixups.append((here, self._imported[name] << 32 | _R64, addend))
        elif relocation.kind == _R64 and output.flags & ALLOC:
            self._put_address(output, at, self._address(target) + addend)
        elif relocation.kind in (_R64, _R32):
            form = "<Q" if relocation.kind == _R64 else "<I"
            struct.pack_into(form, output.data, at, self._address(target) + addend)
        elif relocation.kind in _BY_TABLE:
            entry = self._outputs[".got"].address + self._entries[name if target is None else target]
            struct.pack_into("<i", output.data, at, entry + addend - here)
        else:
            to = self._outputs[".plt"].address + self._stubs[name] if target is None else self._address(target)
            struct.pack_into("<i", output.data, at, to + addend - here)

    def _put_address(self, output: _Output, at: int, address: int) -> None:
        struct.pack_into("<Q", output.data, at, address)
        self._fixups.append((output.address + at, _RELATIVE, address))

    def _address(self, place: _Place | None) -> int:
        if place is None:
            raise NotPlainError
        number, symbol = place
        of = self._objects[number].symbols[symbol]
        if of.section is None:
            raise NotPlainError
        output, start = self._places[number, of.section]
        return output.address + start + of.value

    def _describe(self) -> None:
        """Write the loader's tables, and those of debuggers."""
        relocations = sorted(self._fixups, key=lambda each: each[1] != _RELATIVE)
        table = self._outputs[".rela.dyn"]
        table.data[:] = b"".join(RELOCATION.pack(*each) for each in relocations)
        if len(table.data) != table.size:
            raise NotPlainError
        shown = self._shown()
        names = [*self._imported, *shown]
        symbols, at, indices = [bytes(SYMBOL.size)], 1, self._indices()
        for name in names:
            if name in self._imported:
                symbols.append(SYMBOL.pack(at, GLOBAL << 4 | UNTYPED, DEFAULT, 0, 0, 0))
            else:
                number, place = self._defined[name]
                symbols.append(self._row(at, GLOBAL, number, place, indices))
            at += len(name.encode(errors="surrogateescape")) + 1
        self._outputs[".dynsym"].data[:] = b"".join(symbols)
        chain = [0, *range(len(names))]  # one bucket, from the last symbol on
        self._outputs[".hash"].data[:] = struct.pack(f"<{len(chain) + 3}I", 1, len(chain), len(names), *chain)
        where = {name: self._outputs[name].address for name in (".rela.dyn", ".dynsym", ".dynstr", ".hash")}
        relative = sum(each[1] == _RELATIVE for each in relocations)
        self._outputs[".dynamic"].data[:] = b"".join(
            _PAIR.pack(*each)
            for each in (
                (7, where[".rela.dyn"]), (8, table.size), (9, RELOCATION.size), (0x6FFFFFF9, relative),
                (6, where[".dynsym"]), (11, SYMBOL.size), (5, where[".dynstr"]),
                (10, self._outputs[".dynstr"].size), (4, where[".hash"]), (0, 0),
            )
        )  # fmt: skip

    def _row(self, name: int, binding: int, number: int, place: int, indices: dict[str, int]) -> bytes:
        of = self._objects[number].symbols[place]
        index = 0xFFF1 if of.section is None else indices[self._places[number, of.section][0].name]
        value = 0 if of.section is None else self._address((number, place))
        return SYMBOL.pack(name, binding << 4 | of.kind, of.visibility, index, value, of.size)

    def _indices(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self._outputs, 1)}

    def _symbols(self) -> tuple[bytes, bytes, int]:
        """The table of all named symbols and their names; how many are local: all but those that are shown."""
        indices, texts, shown = self._indices(), bytearray(1), self._shown()
        local, public = [bytes(SYMBOL.size)], list[bytes]()
        for number, each in enumerate(self._objects):
            for place, symbol in enumerate(each.symbols):
                if symbol.kind not in (UNTYPED, OBJECT, FUNCTION, OF_FILE) or not symbol.name:
                    continue
                if symbol.kind == OF_SECTION or (symbol.section is None and symbol.kind != OF_FILE):
                    continue
                if symbol.section is not None and (number, symbol.section) not in self._places:
                    continue
                is_shown = symbol.binding == GLOBAL and symbol.name in shown
                binding = GLOBAL if is_shown else LOCAL
                (public if is_shown else local).append(self._row(len(texts), binding, number, place, indices))
                texts += symbol.name.encode(errors="surrogateescape") + b"\0"
        return b"".join([*local, *public]), bytes(texts), len(local)

    def _file(self, segments: list[list[_Output]]) -> bytes:
        symbols, texts, local = self._symbols()
        indices = self._indices()
        ends = max(output.offset + len(output.data) for output in self._outputs.values())
        file = bytearray(_aligned(ends, 8))
        for output in self._outputs.values():
            file[output.offset : output.offset + len(output.data)] = output.data
        names = bytearray(1)
        rows = [bytes(SECTION.size)]
        last = len(self._outputs) + 1
        more = (
            (".symtab", SYMTAB, SYMBOL.size, last + 1, local, symbols),
            (".strtab", STRTAB, 0, 0, 0, texts),
        )
        for output in self._outputs.values():
            flags = output.flags & ~INFO_LINK
            link = indices.get(output.link, 0)
            rows.append(
                SECTION.pack(len(names), output.kind, flags, output.address, output.offset, output.size, link,
                             output.info, output.alignment, output.entry)
            )  # fmt: skip
            names += output.name.encode(errors="surrogateescape") + b"\0"
        for name, kind, entry, link, info, data in more:
            rows.append(SECTION.pack(len(names), kind, 0, 0, len(file), len(data), link, info, 8, entry))
            names += name.encode() + b"\0"
            file += data
            file += bytes(-len(file) % 8)
        rows.append(SECTION.pack(len(names), STRTAB, 0, 0, len(file), len(names) + 10, 0, 0, 1, 0))
        names += b".shstrtab\0"
        file += names
        file += bytes(-len(file) % 8)
        start = len(file)
        file += b"".join(rows)
        programs = self._programs(segments)
        file[: FILE.size] = FILE.pack(
            MAGIC.ljust(16, b"\0"), _SHARED, X86_64, 1, 0, FILE.size, start, 0,
            FILE.size, _SEGMENT.size, len(programs), SECTION.size, len(rows), len(rows) - 1,
        )  # fmt: skip
        file[FILE.size : FILE.size + _SEGMENT.size * len(programs)] = b"".join(programs)
        return bytes(file)

    def _programs(self, segments: list[list[_Output]]) -> list[bytes]:
        """The program headers."""
        dynamic = self._outputs[".dynamic"]
        loads: list[bytes] = []
        for number, (segment, flags) in enumerate(zip(segments, (4, 5, 6, 6), strict=True)):
            first = (0, 0) if number == _READ else _start(segment)
            if any(output.size for output in segment):
                loads.append(_program(_LOAD, flags, *first, segment, _PAGE))
        once = segments[_ONCE]
        offset, address = _start(once)
        size = _aligned(_end(once), _PAGE) - address
        return [
            *loads,
            _program(_DYNAMIC, 6, dynamic.offset, dynamic.address, [dynamic], 8),
            _SEGMENT.pack(_RELRO, 4, offset, address, address, _in_file(once, offset), size, 1),
            _SEGMENT.pack(_STACK, 6, 0, 0, 0, 0, 0, 0),
        ]


def _program(kind: int, flags: int, offset: int, address: int, outputs: Sequence[_Output], alignment: int) -> bytes:
    size = max(_end(outputs) - address, 0)
    return _SEGMENT.pack(kind, flags, offset, address, address, _in_file(outputs, offset), size, alignment)


def _start(outputs: Sequence[_Output]) -> tuple[int, int]:
    """The place in the file and the address of the first of the sections; 0 if there are none."""
    return (outputs[0].offset, outputs[0].address) if outputs else (0, 0)


def _end(outputs: Iterable[_Output]) -> int:
    return max((output.address + output.size for output in outputs), default=0)


def _in_file(outputs: Iterable[_Output], offset: int) -> int:
    """The number of bytes from `offset` on that sections have in the file."""
    return max((output.offset + len(output.data) - offset for output in outputs if output.kind != NOBITS), default=0)


def _aligned(number: int, alignment: int) -> int:
    return -(-number // alignment) * alignment
