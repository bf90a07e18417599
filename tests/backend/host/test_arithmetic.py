# SPDX-License-Identifier: Apache-2.0
"""The arithmetic that is linked into machine code, function by function, against Python's integers and NumPy."""

import ctypes
import platform
import random
from pathlib import Path

import numpy as np
import pytest

from lanewise.backend.host.arithmetic import arithmetic_object, needs_arithmetic
from lanewise.backend.host.compile import compile_shared_object
from lanewise.runtime.build import compile_c
from lanewise.runtime.library import load

WORD = 1 << 128


@pytest.fixture(scope="module")
def library() -> ctypes.CDLL:
    return load(compile_c(Path(__file__).with_name("arithmetic_check.c"), "-ffp-contract=off"))


def wide(*values: int):
    return (ctypes.c_uint64 * (2 * len(values)))(*(part for v in values for part in (v % 2**64, v >> 64 & 2**64 - 1)))


def numbers(words: ctypes.Array[ctypes.c_uint64]) -> list[int]:
    return [words[i] | words[i + 1] << 64 for i in range(0, len(words), 2)]


def signed(value: int) -> int:
    return value - WORD if value >> 127 else value


def samples(count: int) -> list[int]:
    rng = random.Random(7)
    edges = [0, 1, 2, 3, 2**63, 2**64 - 1, 2**64, 2**64 + 1, 2**127 - 1, 2**127, 2**127 + 1, WORD - 2, WORD - 1]
    return edges + [rng.getrandbits(rng.randrange(1, 129)) for _ in range(count)]


def test_division(library: ctypes.CDLL):
    for a in samples(60):
        for b in samples(20):
            if b == 0:
                continue
            results = wide(0, 0, 0, 0)
            library.check_division(wide(a), wide(b), results)
            x, y = signed(a), signed(b)
            quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
            expected = [a // b, a % b, quotient % WORD, (x - quotient * y) % WORD]
            assert numbers(results) == expected, (a, b)


def test_division_by_zero_goes_on(library: ctypes.CDLL):
    results = wide(1, 1, 1, 1)
    library.check_division(wide(5), wide(0), results)
    assert numbers(results) == [0, 5, 0, 5]


def test_to_floating_point(library: ctypes.CDLL):
    near = [k * 2**s + d for s in (0, 11, 40, 75) for k in (2**24 + 1, 2**53 + 1, 2**53 + 3) for d in (-1, 0, 1)]
    for a in samples(200) + [n for n in near if n < WORD]:
        doubles, floats = (ctypes.c_double * 2)(), (ctypes.c_float * 2)()
        library.check_to_floating(wide(a), doubles, floats)
        assert list(doubles) == [float(a), float(signed(a))]
        assert list(floats) == [to_float(a), to_float(signed(a))], a


def to_float(value: int) -> float:
    """Rounded once, to even; infinite beyond the largest."""
    size = abs(value)
    shift = max(size.bit_length() - 24, 0)
    kept, rest, half = size >> shift, size & (1 << shift) - 1, 1 << shift >> 1
    kept += rest > half or (rest == half != 0 and kept & 1)
    rounded = kept << shift
    return (-1 if value < 0 else 1) * (float("inf") if rounded >> 128 else float(rounded))


def test_from_floating_point(library: ctypes.CDLL):
    library.check_from_floating.argtypes = (ctypes.c_double, ctypes.c_void_p)
    rng = random.Random(3)
    for _ in range(300):
        a = rng.uniform(-1, 1) * 2.0 ** rng.randrange(-3, 127)
        results = wide(0, 0, 0, 0)
        library.check_from_floating(a, results)
        f = float(np.float32(a))
        assert numbers(results) == [max(int(a), 0), int(a) % WORD, max(int(f), 0), int(f) % WORD]


def bfloat_bits(value: float) -> int:
    """Of a finite double, rounded once."""
    sign = 0x8000 if np.signbit(value) else 0
    size = abs(float(value))
    if size == 0:
        return sign
    exponent = max(int(np.floor(np.log2(size))), -126)
    scaled = np.rint(np.ldexp(size, 7 - exponent))  # exact but for the rounding to even
    bits = int(scaled) + ((exponent + 126) << 7 if scaled >= 128 else 0)
    return sign | min(bits, 0x7F80)


def test_to_half_and_bfloat16(library: ctypes.CDLL):
    rng = np.random.default_rng(5)
    doubles = rng.normal(size=4000) * 2.0 ** rng.integers(-30, 20, 4000)
    halves = rng.integers(0, 0x7BFF, 2000).astype(np.uint16).view(np.float16).astype(np.float64)
    following = np.nextafter(halves.astype(np.float16), np.float16(np.inf)).astype(np.float64)
    middle = (halves + following) / 2  # ties, and what is a little off a tie
    doubles = np.concatenate([doubles, middle, np.nextafter(middle, 0), np.nextafter(middle, np.inf), -middle, [0.0]])
    floats = doubles.astype(np.float32)
    results = np.zeros((doubles.size, 4), np.uint16)
    library.check_narrow(doubles.size, *(a.ctypes.data_as(ctypes.c_void_p) for a in (floats, doubles, results)))
    with np.errstate(over="ignore"):
        assert (results[:, 0] == floats.astype(np.float16).view(np.uint16)).all()
        assert (results[:, 1] == doubles.astype(np.float16).view(np.uint16)).all()
    assert results[:, 2].tolist() == [bfloat_bits(float(f)) for f in floats]
    assert results[:, 3].tolist() == [bfloat_bits(float(d)) for d in doubles]


def test_special_values_narrowed(library: ctypes.CDLL):
    doubles = np.array([np.inf, -np.inf, np.nan, 1e6, -1e300, 1e-300, 65519.99, 65520.0])
    with np.errstate(over="ignore"):
        floats = doubles.astype(np.float32)
    results = np.zeros((doubles.size, 4), np.uint16)
    library.check_narrow(doubles.size, *(a.ctypes.data_as(ctypes.c_void_p) for a in (floats, doubles, results)))
    assert results[:, 1].tolist() == [0x7C00, 0xFC00, 0x7E00, 0x7C00, 0xFC00, 0, 0x7BFF, 0x7C00]
    assert results[:3, 3].tolist() == [0x7F80, 0xFF80, 0x7FC0]
    assert results[4, 3] == 0xFF80


def test_from_half(library: ctypes.CDLL):
    results = np.zeros(65536, np.float32)
    library.check_widen(results.ctypes.data_as(ctypes.c_void_p))
    expected = np.arange(65536, dtype=np.uint16).view(np.float16).astype(np.float32)
    same = (results == expected) | (np.isnan(results) & np.isnan(expected))
    assert same.all()
    assert (np.signbit(results) == np.signbit(expected)).all()


@pytest.mark.parametrize("exponent", [0, 1, 5, 13, -3])
def test_powers(library: ctypes.CDLL, exponent: int):
    library.check_power.argtypes = (ctypes.c_double, ctypes.c_int)
    library.check_power.restype = ctypes.c_double
    assert library.check_power(1.5, exponent) == 1.5**exponent


def test_it_is_linked_only_where_it_is_needed():
    text = "define i128 @f(i128 %a, i128 %b) {{\n  %r = {} i128 %a, %b\n  ret i128 %r\n}}\n"
    assert b"__divti3" in arithmetic_object(platform.machine())
    assert needs_arithmetic(b"\0strtab\0__udivti3\0")
    assert not needs_arithmetic(b"\0strtab\0memcpy\0")
    divides, adds = (compile_shared_object(text.format(op)) for op in ("udiv", "add"))
    assert load(divides).f
    assert len(divides) > len(adds)
