# SPDX-License-Identifier: Apache-2.0
"""The binary floating-point formats: rounding to them, and their bits.

A runtime value of any format is a Python float, a binary64 that holds it exactly. A signalling NaN is the exception,
since converting a binary32 to a binary64 makes it quiet. Programs move integers through floating-point registers, so
its bits must be preserved: it is a `SignallingNaN`, which any arithmetic turns into a plain NaN.

Source: IEEE 754-2019, sections 3.4 and 6.2; bfloat is the upper half of a binary32.
"""

import math
import struct
from array import array
from collections.abc import Callable
from fractions import Fraction
from typing import Final, NamedTuple, final


class FloatFormat(NamedTuple):
    """An interchange format of `precision` significant bits and exponents up to `max_exponent`."""

    bits: int
    precision: int
    max_exponent: int

    @property
    def fraction_mask(self) -> int:
        return (1 << (self.precision - 1)) - 1

    @property
    def exponent_mask(self) -> int:
        return ((1 << (self.bits - 1)) - 1) & ~self.fraction_mask

    @property
    def quiet_bit(self) -> int:
        return 1 << (self.precision - 2)


FORMATS: Final = {
    "half": FloatFormat(16, 11, 15),
    "bfloat": FloatFormat(16, 8, 127),
    "float": FloatFormat(32, 24, 127),
    "double": FloatFormat(64, 53, 1023),
}


@final
class SignallingNaN(float):
    """A signalling NaN of a format narrower than binary64: its bits as an unsigned number. As a Python float it is
    a NaN of the same sign."""

    __slots__ = ("bits",)
    bits: int


def signalling_nan(bits: int, format_: FloatFormat) -> SignallingNaN:
    value = SignallingNaN("-nan" if bits >> (format_.bits - 1) else "nan")
    value.bits = bits
    return value


# -- rounding ------------------------------------------------------------------------------------------------------


def rounder(kind: str) -> Callable[[float], float]:
    """The function that rounds a binary64 to the nearest value of the format, ties to even."""
    if kind == "double":
        return float
    if kind == "float":
        cell = array("f", [0.0])

        def round_to_binary32(value: float) -> float:
            cell[0] = value
            return cell[0]

        return round_to_binary32
    format_ = FORMATS[kind]

    def round_to_narrow(value: float) -> float:
        if not math.isfinite(value) or value == 0:
            return float(value)
        return nearest(Fraction(value), format_)

    return round_to_narrow


def nearest(value: Fraction | int, format_: FloatFormat) -> float:
    """The value of the format nearest to an exact number other than zero, ties to even. A number that is too small
    becomes a zero of its sign, one that is too large an infinity (IEEE 754, 4.3.1)."""
    rounded, unit = _in_units(value, format_, round)  # Python rounds halves to even
    if rounded.bit_length() + unit > format_.max_exponent + 1:
        return _signed(math.inf, value)
    return _signed(math.ldexp(rounded, unit), value)


def toward(value: Fraction, format_: FloatFormat, mode: str) -> float:
    """The value of the format next to an exact number other than zero, towards zero (`rz`), downwards (`rm`) or
    upwards (`rp`) (IEEE 754, 4.3.2)."""
    inwards = mode == "rz" or (mode == "rm") == (value > 0)
    rounded, unit = _in_units(value, format_, math.floor if inwards else math.ceil)
    if rounded.bit_length() + unit > format_.max_exponent + 1:
        largest = math.ldexp((1 << format_.precision) - 1, format_.max_exponent + 1 - format_.precision)
        return _signed(largest if inwards else math.inf, value)
    return _signed(math.ldexp(rounded, unit), value)


def _signed(magnitude: float, like: Fraction | int) -> float:
    return -magnitude if like < 0 else magnitude


def _in_units(value: Fraction | int, format_: FloatFormat, choose: Callable[[Fraction], int]) -> tuple[int, int]:
    """The magnitude of a nonzero exact number in units of its last digit in the format, rounded by `choose`, and the
    exponent of that unit."""
    magnitude = abs(Fraction(value))
    # 2**exponent <= magnitude < 2**(exponent + 1)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if magnitude < Fraction(2) ** exponent:
        exponent -= 1
    unit = max(exponent, 1 - format_.max_exponent) - (format_.precision - 1)
    return choose(magnitude / Fraction(2) ** unit), unit


def from_integer(kind: str) -> Callable[[int], float]:
    """The function that rounds an integer to the nearest value of the format."""
    format_ = FORMATS[kind]
    exact = 1 << format_.precision

    def convert(value: int) -> float:
        return float(value) if -exact <= value <= exact and kind != "half" else _from_large(value)

    def _from_large(value: int) -> float:
        return nearest(value, format_) if value else 0.0

    return convert


# -- bits ----------------------------------------------------------------------------------------------------------


def to_bits(value: float, kind: str) -> int:
    """The bits of a value, unsigned."""
    if isinstance(value, SignallingNaN):
        return value.bits
    if kind == "double":
        return int.from_bytes(struct.pack("<d", value), "little")
    if value != value:  # C may drop the payload
        wide, format_ = to_bits(value, "double"), FORMATS[kind]
        sign, payload = wide >> 63 << (format_.bits - 1), wide >> (53 - format_.precision)
        return sign | format_.exponent_mask | format_.quiet_bit | payload & format_.fraction_mask
    if kind == "half":
        return int.from_bytes(struct.pack("<e", value), "little")
    single = int.from_bytes(array("f", [value]).tobytes(), "little")
    return single >> 16 if kind == "bfloat" else single


def from_bits(bits: int, kind: str) -> float:
    """The value that unsigned bits represent."""
    if kind == "double":
        return struct.unpack("<d", bits.to_bytes(8, "little"))[0]
    format_ = FORMATS[kind]
    payload = bits & format_.fraction_mask
    if payload and bits & format_.exponent_mask == format_.exponent_mask:
        if not bits & format_.quiet_bit:
            return signalling_nan(bits, format_)
        sign = bits >> (format_.bits - 1) << 63
        return from_bits(sign | FORMATS["double"].exponent_mask | payload << (53 - format_.precision), "double")
    if kind == "half":
        return struct.unpack("<e", bits.to_bytes(2, "little"))[0]
    single = bits << 16 if kind == "bfloat" else bits
    return struct.unpack("<f", single.to_bytes(4, "little"))[0]
