# SPDX-License-Identifier: Apache-2.0
"""Numbers and bytes as LLVM IR writes them."""

from typing import Final

_WIDE_EXPONENT: Final = 0x7FF
_FRACTION_BITS: Final = 23


def integer_text(value: int, bits: int) -> str:
    """An integer of `bits` bits, as a signed number."""
    value &= (1 << bits) - 1
    return str(value - (1 << bits) if value >> bits - 1 else value)


def float_text(pattern: int, bits: int) -> str:
    """A floating-point number by its bits. LLVM writes a float as the double of its value."""
    if bits == 16:
        return f"0xH{pattern & 0xFFFF:04X}"
    return f"0x{pattern if bits == 64 else _widened(pattern & 0xFFFFFFFF):016X}"


def _widened(pattern: int) -> int:
    """The bits of a double with the value of a float, and with the payload of what is not a number."""
    sign, exponent, fraction = pattern >> 31, pattern >> _FRACTION_BITS & 0xFF, pattern & 0x7FFFFF
    if exponent == 0xFF:
        exponent = _WIDE_EXPONENT
    elif exponent:
        exponent += 1023 - 127
    elif fraction:  # a subnormal float is a normal double
        shift = _FRACTION_BITS + 1 - fraction.bit_length()
        fraction = fraction << shift & 0x7FFFFF
        exponent = 1023 - 126 - shift
    return sign << 63 | exponent << 52 | fraction << 29


def bytes_text(values: list[int]) -> str:
    """An array of bytes as a string."""
    return 'c"' + "".join(chr(v) if 32 <= v < 127 and v not in (34, 92) else f"\\{v:02X}" for v in values) + '"'


def quoted(name: str) -> str:
    """A name for LLVM IR, in quotation marks where it needs them."""
    plain = name.isascii() and name.replace("_", "a").replace(".", "a").replace("$", "a").isalnum()
    if plain and not name[0].isdigit():
        return name
    return '"' + "".join(chr(b) if 32 <= b < 127 and b not in (34, 92) else f"\\{b:02X}" for b in name.encode()) + '"'
