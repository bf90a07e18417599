# SPDX-License-Identifier: Apache-2.0
"""python -m pytest tests/runtime/test_printf.py"""

import ctypes
import itertools
import math
import re
import struct
from typing import Any

import pytest

from lanewise.runtime import Failure, Pool

ONE = (1, 1, 1)


class Printer:
    """Prints through the core as generated code does: arguments packed at their natural alignment."""

    def __init__(self, pool: Pool, function: int) -> None:
        self._pool, self._function = pool, function

    def __call__(self, form: str, *values: tuple[str, Any]) -> tuple[str, int]:
        """What is printed and returned. Values are pairs: a format of `struct`, and an object of it."""
        keep = [ctypes.create_string_buffer(value) for code, value in values if code == "s"]
        texts = iter(keep)
        plain = [ctypes.addressof(next(texts)) if code == "s" else value for code, value in values]
        codes = "".join("P" if code == "s" else code for code, _ in values)
        packed = ctypes.create_string_buffer(struct.pack(f"@{codes}", *plain) + b"\0")
        text = ctypes.create_string_buffer(form.encode())
        result = ctypes.c_int32()
        args = struct.pack("PPP", ctypes.addressof(text), ctypes.addressof(packed), ctypes.addressof(result))
        outcome = self._pool.launch(self._function, ONE, ONE, args, 0)
        assert outcome.failure is Failure.NONE
        return outcome.output.decode(), result.value


@pytest.fixture
def printf(pool: Pool, kernel) -> Printer:
    return Printer(pool, kernel("print"))


WIDTHS = ("", "1", "12")


def _check(printf: Printer, form: str, code: str, value: object, expected: str):
    assert (form, *printf(f"<{form}>", (code, value))) == (form, f"<{expected}>", 1)


@pytest.mark.parametrize("flags", ["", "-", "+", " ", "0", "#", "-+", "+0", "- "])
def test_signed_integers(printf: Printer, flags: str):
    for width, letter, value in itertools.product(WIDTHS, "di", (0, 7, -7, 2**31 - 1, -(2**31))):
        _check(printf, f"%{flags}{width}{letter}", "i", value, f"%{flags}{width}d" % value)
    for value in (2**63 - 1, -(2**63), -1):
        _check(printf, f"%{flags}lld", "q", value, f"%{flags}d" % value)
        _check(printf, f"%{flags}ld", "q", value, f"%{flags}d" % value)


@pytest.mark.parametrize("flags", ["", "-", "0", "#", "#0", "-#"])
def test_unsigned_integers(printf: Printer, flags: str):
    for width, letter, value in itertools.product(WIDTHS, "uxX", (1, 255, 2**32 - 1)):
        _check(printf, f"%{flags}{width}{letter}", "I", value, f"%{flags}{width}{letter}" % value)
    for length, letter in itertools.product(("l", "ll", "z", "j", "t"), "uxX"):
        _check(printf, f"%{flags}{length}{letter}", "Q", 2**64 - 1, f"%{flags}{letter}" % (2**64 - 1))


def test_octal(printf: Printer):
    _check(printf, "%o", "I", 8, "10")
    _check(printf, "%#6o", "I", 8, "   010")
    _check(printf, "%llo", "Q", 2**64 - 1, format(2**64 - 1, "o"))


def test_short_lengths_cut(printf: Printer):
    _check(printf, "%hhd", "i", 0x1FF, "-1")
    _check(printf, "%hd", "i", 0x18000, "-32768")
    _check(printf, "%hhu", "i", 0x1FF, "255")
    _check(printf, "%hx", "i", 0x12345, "2345")


def test_precision_of_integers(printf: Printer):
    _check(printf, "%.5d", "i", -42, "-00042")
    _check(printf, "%8.3x", "i", 10, "     00a")
    _check(printf, "%.0d", "i", 0, "")
    _check(printf, "%.d", "i", 3, "3")


@pytest.mark.parametrize("letter", "fFeEgG")
@pytest.mark.parametrize("flags", ["", "-", "+", " ", "0", "#", "+0"])
def test_floating_point(printf: Printer, letter: str, flags: str):
    values = (0.0, -0.0, 1.5, -2.0 / 3.0, 1e300, 5e-324, math.pi * 1e6)
    for width, precision, value in itertools.product(("", "20"), ("", ".0", ".3", ".17"), values):
        form = f"%{flags}{width}{precision}{letter}"
        _check(printf, form, "d", value, form % value)


def test_infinities_and_nan(printf: Printer):
    for letter, value in itertools.product("fegFEG", (math.inf, -math.inf, math.nan)):
        text = f"%6{letter}" % value
        _check(printf, f"%6{letter}", "d", value, text.upper() if letter.isupper() else text)


def test_hexadecimal_floating_point(printf: Printer):
    _check(printf, "%a", "d", 1.0, "0x1p+0")
    _check(printf, "%.2A", "d", -0.1, "-0X1.9AP-4")


def test_long_double_is_double(printf: Printer):
    _check(printf, "%Lf", "d", 0.25, "0.250000")


def test_characters_and_text(printf: Printer):
    _check(printf, "%c", "i", 65, "A")
    _check(printf, "%-3c", "i", 65, "A  ")
    _check(printf, "%s", "s", b"text", "text")
    _check(printf, "%7s", "s", b"text", "   text")
    _check(printf, "%-7.2s", "s", b"text", "te     ")
    _check(printf, "%s", "P", 0, "(null)")
    _check(printf, "%s", "s", b"x" * 5000, "x" * 5000)


def test_pointers(printf: Printer):
    _check(printf, "%p", "P", 0xDEADBEEF, "0xdeadbeef")
    _check(printf, "%14p", "P", 0xDEADBEEF, "    0xdeadbeef")


def test_width_and_precision_as_arguments(printf: Printer):
    assert printf("<%*d>", ("i", 5), ("i", 42)) == ("<   42>", 2)
    assert printf("<%*d>", ("i", -5), ("i", 42)) == ("<42   >", 2)
    assert printf("<%.*f>", ("i", 2), ("d", 1.0)) == ("<1.00>", 2)
    assert printf("<%.*f>", ("i", -1), ("d", 1.0)) == ("<1.000000>", 2)
    assert printf("<%*.*e>", ("i", 12), ("i", 3), ("d", 1.0)) == ("<   1.000e+00>", 3)
    assert len(printf("%*d", ("i", -(2**31)), ("i", 1))[0]) == 1 << 20


def test_arguments_are_aligned(printf: Printer):
    values = [("i", 1), ("d", 2.5), ("i", 3), ("q", -4), ("i", 5), ("s", b"six"), ("i", 55)]
    assert printf("%d %g %d %lld %d %s %c", *values) == ("1 2.5 3 -4 5 six 7", 7)


def test_no_arguments(printf: Printer):
    assert printf("plain\n") == ("plain\n", 0)
    assert printf("100%%") == ("100%", 0)
    assert printf("") == ("", 0)
    assert printf("%%%d%%", ("i", 5)) == ("%5%", 1)


MALFORMED = [
    "%", "100%", "%y", "% ", "%-", "%5", "%5.", "%.", "%l", "%ll", "%hhh", "%n", "%5n", "%ls", "%lc", "%hf",
    "%Ld", "%lp", "%5%", "%\u00e9", "%99999999999d", "%.99999999999d", "%q", "%**d", "%.-3d", "%$d", "%1$d",
]  # fmt: skip


@pytest.mark.parametrize("form", MALFORMED)
def test_malformed_conversions_print_as_they_stand(printf: Printer, form: str):
    assert printf(form) == (form, 0)
    assert printf(f"a {form}| %d", ("i", 3)) == (f"a {form}| 3", 1)


def test_a_malformed_conversion_takes_no_argument(printf: Printer):
    assert printf("%y %d %d", ("i", 1), ("i", 2)) == ("%y 1 2", 2)


def test_null_format(pool: Pool, kernel):
    result = ctypes.c_int32()
    args = struct.pack("PPP", 0, 0, ctypes.addressof(result))
    assert pool.launch(kernel("print"), ONE, ONE, args, 0).output == b""
    assert result.value == -1


def test_records_are_whole_and_in_order_within_a_group(pool: Pool, kernel):
    output = pool.launch(kernel("print_thrice"), (500, 1, 1), ONE, b"", 0).output.decode()
    records = [tuple(map(int, found)) for found in re.findall(r"group (\d+) record (\d) of three\n", output)]
    assert sum(len(f"group {g} record {r} of three\n") for g, r in records) == len(output)
    assert sorted(records) == [(g, r) for g in range(500) for r in range(3)]
    for group in range(500):
        assert [r for g, r in records if g == group] == [0, 1, 2]


def test_each_launch_has_its_own_output(pool: Pool, kernel):
    first = pool.launch(kernel("print_thrice"), (1, 1, 1), ONE, b"", 0).output
    assert pool.launch(kernel("nothing"), ONE, ONE, b"", 0).output == b""
    assert pool.launch(kernel("print_thrice"), (1, 1, 1), ONE, b"", 0).output == first


def test_output_beyond_the_limit_is_cut(pool: Pool, kernel):
    form = ctypes.create_string_buffer(b"%1000000d")
    number, result = ctypes.c_int32(7), ctypes.c_int32()
    args = struct.pack("PPP", ctypes.addressof(form), ctypes.addressof(number), ctypes.addressof(result))
    output = pool.launch(kernel("print"), (100, 1, 1), ONE, args, 0).output
    assert output.endswith(b"7\n[lanewise: output beyond 64 MiB was dropped]\n")
    assert output.count(b"7") == (64 << 20) // 1_000_000
