# SPDX-License-Identifier: Apache-2.0
"""CUDA's printf: the conversions of C without %n and wide characters, its arguments packed in memory, each at its
natural alignment. An invalid conversion is printed unchanged and takes no argument.

Source: CUDA C++ Programming Guide, "Formatted Output"; the C standard, "The fprintf function".
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable
from typing import Final

from lanewise.device.reference.arithmetic.indeterminate import Indeterminate, Value
from lanewise.device.reference.arithmetic.integers import sign_extended
from lanewise.device.reference.faults import Fault

_CONVERSION: Final = re.compile(
    rb"%(?P<flags>[-+ #0]*)(?P<width>\*|\d*)(?:\.(?P<precision>\*|\d*))?(?P<length>hh|h|ll|l|j|z|t|L)?"
    rb"(?P<letter>[a-zA-Z])"
)
_LETTERS: Final[dict[bytes | None, bytes]] = {
    None: b"diuxXocspfFeEgGaA", b"h": b"diuxXo", b"hh": b"diuxXo", b"L": b"fFeEgGaA",
}  # fmt: skip
_WIDE_LETTERS: Final = b"diuxXofFeEgGaA"
_WIDTH_LIMIT: Final = 1 << 20

ReadBytes = Callable[[int, int], Value]
"""(address, size: 4 or 8) -> the number there, signed."""


class _Packed:
    """The arguments, taken one after the other."""

    def __init__(self, address: Value, read: ReadBytes) -> None:
        self._address = address
        self._read: Final = read
        self.taken = 0

    def take(self, size: int) -> int:
        at = -(-self._address // size) * size
        value = self._read(at, size)
        if value.__class__ is Indeterminate:
            raise Fault(f"printf of a value that depends on {value.why}")
        self._address = at + size
        self.taken += 1
        return value


def formatted(format_: bytes, packed: Value, read: ReadBytes, text: Callable[[int], bytes]) -> tuple[bytes, int]:
    """The output of printf, and the number of arguments taken. `text` reads the string at an address."""
    arguments = _Packed(packed, read)
    parts: list[bytes] = []
    at = 0
    while (percent := format_.find(b"%", at)) >= 0:
        parts.append(format_[at:percent])
        match = _CONVERSION.match(format_, percent)
        if match is None or not _is_valid(match):
            parts.append(b"%")
            at = percent + (2 if format_[percent : percent + 2] == b"%%" else 1)
            continue
        parts.append(_convert(match, arguments, text))
        at = match.end()
    parts.append(format_[at:])
    return b"".join(parts), arguments.taken


def _is_valid(match: re.Match[bytes]) -> bool:
    numbers = (match["width"], match["precision"] or b"")
    if any(n.isdigit() and int(n) > _WIDTH_LIMIT for n in numbers):
        return False
    return match["letter"] in _LETTERS.get(match["length"], _WIDE_LETTERS)


def _convert(match: re.Match[bytes], arguments: _Packed, text: Callable[[int], bytes]) -> bytes:
    letter, length = match["letter"].decode(), match["length"]
    width = _field(match["width"], arguments, -_WIDTH_LIMIT)
    precision = _field(match["precision"], arguments, -1) if match["precision"] is not None else -1
    is_wide = letter in "spfFeEgGaA" or length not in (None, b"h", b"hh")
    value = arguments.take(8 if is_wide else 4)
    if letter in "diuxXo":
        bits = {None: 32, b"h": 16, b"hh": 8}.get(length, 64)
        number = sign_extended(value, bits) if letter in "di" else value & ((1 << bits) - 1)
        return _c_format(match, width, precision, "ll" + letter, ctypes.c_longlong(number))
    if letter == "c":
        return _c_format(match, width, precision, letter, ctypes.c_int(value))
    if letter == "s":
        return _c_format(
            match, width, precision, letter, ctypes.c_char_p(text(value & ((1 << 64) - 1)) if value else None)
        )
    if letter == "p":
        return _c_format(match, width, precision, letter, ctypes.c_void_p(value))
    double = ctypes.c_double.from_buffer_copy((value & ((1 << 64) - 1)).to_bytes(8, "little"))
    return _c_format(match, width, precision, letter, double)


def _field(given: bytes, arguments: _Packed, least: int) -> int:
    """A width or precision: a number in the format, an argument, or nothing."""
    if given == b"*":
        return min(max(arguments.take(4), least), _WIDTH_LIMIT)
    return int(given or b"0")


def _c_format(match: re.Match[bytes], width: int, precision: int, ending: str, value: object) -> bytes:
    """One conversion, by the C library."""
    flags = "".join(dict.fromkeys(match["flags"].decode()))
    format_ = f"%{flags}*.*{ending}".encode()
    snprintf = ctypes.CDLL(None).snprintf
    fields = (ctypes.c_int(width), ctypes.c_int(precision))
    size = snprintf(None, ctypes.c_size_t(0), format_, *fields, value) + 1
    buffer = ctypes.create_string_buffer(size)
    snprintf(buffer, ctypes.c_size_t(size), format_, *fields, value)
    return buffer.raw[: size - 1]
