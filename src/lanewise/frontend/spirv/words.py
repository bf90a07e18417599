# SPDX-License-Identifier: Apache-2.0
"""A SPIR-V binary as instructions. Source: SPIR-V Specification 1.6, 2.3 "Physical Layout of a SPIR-V Module"."""

import struct
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from lanewise.errors import CompileError
from lanewise.frontend.spirv import MAGIC
from lanewise.frontend.spirv.opcodes import has_result, has_type, name_of

_HEADER_WORDS: Final = 5
_MOST_IDS: Final = 0x3FFFFF
"""The greatest bound of numbers of results that a module may need (2.17 "Universal Limits")."""
_LAST_VERSION: Final = 6


class SpirvInstruction(NamedTuple):
    """An instruction. `type` and `result` are numbers, 0 where it has none; `operands` are the words after them."""

    name: str
    type: int
    result: int
    operands: tuple[int, ...]


def instructions_of(data: bytes) -> list[SpirvInstruction]:
    """The instructions of a module. CompileError for one that is cut short, damaged or of a later version."""
    if len(data) % 4 or len(data) < 4 * _HEADER_WORDS:
        raise CompileError(f"error: SPIR-V of {len(data)} bytes is cut short")
    order = "<" if data.startswith(MAGIC[0]) else ">"
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    major, minor = words[1] >> 16 & 0xFF, words[1] >> 8 & 0xFF
    if major != 1 or minor > _LAST_VERSION:
        raise CompileError(f"error: SPIR-V {major}.{minor} is not taken, only 1.0 to 1.{_LAST_VERSION}")
    if words[3] > _MOST_IDS:
        raise CompileError(f"error: the SPIR-V module has numbers up to {words[3]}, more than {_MOST_IDS}")
    return list(_read(words, words[3]))


def _read(words: tuple[int, ...], bound: int) -> Iterator[SpirvInstruction]:
    place = _HEADER_WORDS
    while place < len(words):
        count, number = words[place] >> 16, words[place] & 0xFFFF
        name = name_of(number)
        fixed = 1 + has_type(name) + has_result(name)
        if count < (fixed if name != str(number) else 1) or place + count > len(words):
            raise CompileError(f"error: the SPIR-V module is damaged at its word {place}: Op{name} of {count} words")
        given = words[place + 1 : place + count]
        place += count
        if name == str(number):
            yield SpirvInstruction(name, 0, 0, given)
            continue
        type_number = given[0] if has_type(name) else 0
        result = given[fixed - 2] if has_result(name) else 0
        if not (0 <= type_number < bound and (0 < result < bound or not has_result(name))):
            raise CompileError(
                f"error: the SPIR-V module is damaged: Op{name} has a number beyond its bound of {bound}"
            )
        yield SpirvInstruction(name, type_number, result, given[fixed - 1 :])


def string_of(words: Sequence[int]) -> tuple[str, int]:
    """The string that begins at the first word, and how many words it takes. CompileError for one without an end."""
    data = struct.pack(f"<{len(words)}I", *words)
    text, end, _ = data.partition(b"\0")
    if not end:
        raise CompileError("error: the SPIR-V module is damaged: a string has no end")
    return text.decode(errors="replace"), len(text) // 4 + 1
