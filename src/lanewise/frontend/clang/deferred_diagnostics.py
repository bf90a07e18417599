# SPDX-License-Identifier: Apache-2.0
"""The list of functions whose diagnostics clang has put off, taken out of a precompiled header.

Clang puts off what it would say about device code until it knows that a kernel reaches it. A precompiled header lists
each of its functions that may be reached, and whoever includes it reads the declarations of all of them: 550 for CUDA,
a third of clang's time on a small kernel. The list is of no use there. What was put off isn't kept in the file, only
that something might have been, and our headers have nothing to put off.

The list is a record in LLVM's bitstream (https://llvm.org/docs/BitCodeFormat.html). Its code becomes one that clang
doesn't know, and skips. Nothing else changes, lengths included.
"""

from typing import Final, final

_MAGIC: Final = b"CPCH"
_OF_DECLARATIONS: Final = 8
"""The block of what a header declares: `AST_BLOCK_ID` of clang's serialization/ASTBitCodes.h."""
_LIST: Final = 64
"""The record's code: `DECLS_TO_CHECK_FOR_DEFERRED_DIAGS`."""
_UNKNOWN: Final = 1023
"""A code as long as `_LIST`, with six bits per chunk, which is the code of no record."""

_END_BLOCK, _ENTER_BLOCK, _DEFINE_ABBREVIATION, _RECORD = range(4)
_FIXED, _VARIABLE, _ARRAY, _CHARACTER, _BLOB = range(1, 6)


def without_deferred_diagnostics(form: bytes) -> bytes:
    """The precompiled header `form` without the list; as it is if it has none, or isn't written as expected."""
    try:
        at = _place_of_list(form)
    except (IndexError, ValueError):
        return form
    return form if at is None else _with_code(form, at, _UNKNOWN)


def _place_of_list(form: bytes) -> int | None:
    """The place of the code of the record, in bits."""
    bits = _Bits(form, 32)
    if not form.startswith(_MAGIC):
        return None
    while bits.at + 64 <= 8 * len(form):
        if bits.fixed(2) != _ENTER_BLOCK:
            return None
        block, width, end = bits.block()
        if block == _OF_DECLARATIONS:
            return _place_in_block(bits, width)
        bits.at = end
    return None


def _place_in_block(bits: "_Bits", width: int) -> int | None:
    """The same in the block whose first entry `bits` are at. `width`: bits of the number at the start of each entry."""
    abbreviations: list[list[tuple[int, int]]] = []
    while (entry := bits.fixed(width)) != _END_BLOCK:
        if entry == _ENTER_BLOCK:
            _, _, bits.at = bits.block()
        elif entry == _DEFINE_ABBREVIATION:
            abbreviations.append(bits.abbreviation())
        elif entry == _RECORD:
            at = bits.at
            if bits.variable(6) == _LIST:
                return at
            for _ in range(bits.variable(6)):
                bits.variable(6)
        else:
            bits.skip(abbreviations[entry - _RECORD - 1])
    return None


def _with_code(form: bytes, at: int, code: int) -> bytes:
    """`form` with another code of two chunks at the bit `at`."""
    chunks = code & 31 | 32 | code >> 5 << 6
    first, shift = divmod(at, 8)
    held = int.from_bytes(form[first : first + 3], "little")
    held = held & ~(0xFFF << shift) | chunks << shift
    return form[:first] + held.to_bytes(3, "little") + form[first + 3 :]


@final
class _Bits:
    """A bitstream, read from the bit `at` on."""

    def __init__(self, data: bytes, at: int) -> None:
        self._data: Final = data
        self.at = at

    def fixed(self, width: int) -> int:
        """A number of `width` bits. IndexError behind the end."""
        start, shift = divmod(self.at, 8)
        self.at += width
        if self.at > 8 * len(self._data):
            raise IndexError
        held = int.from_bytes(self._data[start : (self.at + 7) // 8], "little")
        return held >> shift & (1 << width) - 1

    def variable(self, width: int) -> int:
        """A number in chunks of `width` bits, the highest of which says that another one follows."""
        value, place, more = 0, 0, 1 << width - 1
        while True:
            chunk = self.fixed(width)
            value |= (chunk & more - 1) << place
            if not chunk & more:
                return value
            place += width - 1

    def align(self) -> None:
        """Go on at the next word of 32 bits."""
        self.at = (self.at + 31) // 32 * 32

    def block(self) -> tuple[int, int, int]:
        """The head of a block: its number, the width that its entries begin with, and the bit after it."""
        number, width = self.variable(8), self.variable(4)
        self.align()
        words = self.fixed(32)
        return number, width, self.at + 32 * words

    def abbreviation(self) -> list[tuple[int, int]]:
        """A form of records: how each operand is written, and its width; a literal operand takes no bits."""
        operands: list[tuple[int, int]] = []
        for _ in range(self.variable(5)):
            if self.fixed(1):
                self.variable(8)
                operands.append((_FIXED, 0))
            else:
                kind = self.fixed(3)
                operands.append((kind, self.variable(5) if kind in (_FIXED, _VARIABLE) else 6))
        return operands

    def skip(self, operands: list[tuple[int, int]]) -> None:
        """Skip a record of this form. ValueError for a form that there is not."""
        for place, (kind, width) in enumerate(operands):
            if kind == _ARRAY:
                for _ in range(self.variable(6)):
                    self.skip(operands[place + 1 :])
                return
            if kind == _BLOB:
                size = self.variable(6)
                self.align()
                self.at += 8 * size
                self.align()
            elif kind == _VARIABLE:
                self.variable(width)
            elif kind in (_FIXED, _CHARACTER):
                self.fixed(width)
            else:
                raise ValueError(kind)
