# SPDX-License-Identifier: Apache-2.0
"""Conversions to and from tf32, halves by all roundings, 8-bit floats and packed integers, value by value.

Source: PTX ISA 9.0, 9.7.9.21 and 9.7.9.22; the 8-bit formats as in the OCP specification "OFP8".
"""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from .computing import DEVICES, Computation, computed

Numbers = NDArray[Any]
RNG = np.random.default_rng(9)
FLOATS = np.concatenate([
    [0, -0.0, 1, -1, 448, 449, 463.9, 464, 1e9, -1e9, np.inf, -np.inf, np.nan, 57344, 61439, 61440, 65519, 65520, 2**-9,
     2**-10, 2**-16, 2**-17, 1.5 * 2**-10, 3e38, 1e-40, 2**-24, 2**-25, -(2**-26)],
    RNG.standard_normal(100) * 2.0 ** RNG.integers(-26, 20, 100),
]).astype(np.float32)  # fmt: skip
TABLES = {"e4m3x2": (3, 7, 0x7F), "e5m2x2": (2, 15, 0x7C)}
"""Bits of the fraction, the bias, and the first number that is none."""


def value_of(byte: int, word: str) -> float:
    fraction, bias, end = TABLES[word]
    size = byte & 0x7F
    if size >= end:
        return (-np.inf if byte >> 7 else np.inf) if word == "e5m2x2" and size == end else np.nan
    low = size & (1 << fraction) - 1
    exponent = size >> fraction
    scaled = low if exponent == 0 else low + (1 << fraction)
    return scaled * 2.0 ** (max(exponent, 1) - bias - fraction) * (-1 if byte >> 7 else 1)


def nearest(value: float, word: str) -> int:
    """The byte whose number is nearest, the even one of two; the greatest if all are smaller."""
    if np.isnan(value):
        return 0x7F
    codes = range(TABLES[word][2])
    distances = [abs(value_of(code, word) - min(abs(value), 1e6)) for code in codes]
    best = min(codes, key=lambda code: (distances[code], code & 1))
    return best | (0x80 if np.signbit(value) else 0)


def words(values: Numbers) -> Numbers:
    return np.ascontiguousarray(values).view(f"u{values.itemsize}")


@pytest.mark.parametrize("device", DEVICES)
def test_bytes(device: str):
    other = np.roll(FLOATS, 1)
    halves = np.stack([FLOATS.clip(-65504, 65504).astype(np.float16), other.clip(-65504, 65504).astype(np.float16)], 1)
    given = [words(FLOATS), words(other)]
    rows = {f"to.{w}": Computation(f"cvt.rn.satfinite.{w}.f32 %d, %a, %b;", "b16", given) for w in TABLES}
    rows |= {f"relu.{w}": Computation(f"cvt.rn.satfinite.relu.{w}.f32 %d, %a, %b;", "b16", given) for w in TABLES}
    pairs = [words(halves).view(np.uint32)[:, 0]]
    rows |= {f"half.{w}": Computation(f"cvt.rn.satfinite.{w}.f16x2 %d, %a;", "b16", pairs) for w in TABLES}
    every = [(np.arange(256) * 0x101).astype(np.uint16)]
    found = computed(rows, device)
    found |= computed({f"from.{w}": Computation(f"cvt.rn.f16x2.{w} %d, %a;", "b32", every) for w in TABLES}, device)
    for word in TABLES:
        expected = [nearest(a, word) << 8 | nearest(b, word) for a, b in zip(FLOATS, other, strict=True)]
        assert found[f"to.{word}"].tolist() == expected
        no_sign = [0 if code & 0x80 else code for code in range(256)]
        assert found[f"relu.{word}"].tolist() == [no_sign[e >> 8] << 8 | no_sign[e & 255] for e in expected]
        of_halves = [nearest(b, word) << 8 | nearest(a, word) for a, b in halves.astype(np.float64)]
        assert found[f"half.{word}"].tolist() == of_halves
        numbers = found[f"from.{word}"].view(np.float16).reshape(256, 2)
        wanted = np.array([value_of(byte, word) for byte in range(256)])
        assert np.array_equal(numbers[:, 0], wanted.astype(np.float16), equal_nan=True)
        assert (words(numbers[:, 1]) == words(numbers[:, 0])).all()


@pytest.mark.parametrize("device", DEVICES)
def test_halves_by_direction(device: str):
    modes = ("rz", "rm", "rp")
    rows = {mode: Computation(f"cvt.{mode}.f16.f32 %d, %a;", "b16", [words(FLOATS)]) for mode in modes}
    whole = np.resize(np.array([0, 1, -1, 2049, -2049, 65505, -65505, 1 << 20, -(1 << 20)], np.int32), FLOATS.size)
    rows |= {f"s32.{mode}": Computation(f"cvt.{mode}.f16.s32 %d, %a;", "b16", [words(whole)]) for mode in modes}
    found = computed(rows, device)
    with np.errstate(all="ignore"):
        for name, bits in found.items():
            exact = (whole if name.startswith("s32") else FLOATS).astype(np.float64)
            result = bits.view(np.float16).astype(np.float64)
            up, down = (
                np.nextafter(bits.view(np.float16), np.float16(to)).astype(np.float64) for to in (np.inf, -np.inf)
            )
            mode = name[-2:]
            low = (result <= exact) & ((up > exact) | (result == exact))
            high = (result >= exact) & ((down < exact) | (result == exact))
            right = {"rm": low, "rp": high}.get(mode, np.where(exact >= 0, low, high))
            assert (right | np.isnan(exact)).all(), name


@pytest.mark.parametrize("device", DEVICES)
def test_tf32(device: str):
    given = [words(FLOATS)]
    found = computed({m: Computation(f"cvt.{m}.tf32.f32 %d, %a;", "b32", given) for m in ("rna", "rn", "rz")}, device)
    exact = FLOATS.astype(np.float64)
    finite = np.isfinite(exact) & (abs(exact) > 1e-37)
    for mode, bits in found.items():
        assert not (bits[finite] & 0x1FFF).any()
        error = abs(bits.view(np.float32).astype(np.float64)[finite] - exact[finite]) / abs(exact[finite])
        assert error.max() <= (2**-10 if mode == "rz" else 2**-11)
    assert found["rna"][np.isposinf(FLOATS)].tolist() == [0x7F800000]


@pytest.mark.parametrize("device", DEVICES)
def test_integers_side_by_side(device: str):
    a, b, c = (RNG.integers(-(1 << 17), 1 << 17, 64).astype(np.int32) for _ in range(3))
    given = [words(a), words(b), words(c)]
    rows = {"s16": "s16.s32 %d, %a, %b;", "u8": "u8.s32.b32 %d, %a, %b, %c;", "s4": "s4.s32.b32 %d, %a, %b, %c;"}
    found = computed({name: Computation(f"cvt.pack.sat.{code}", "b32", given) for name, code in rows.items()}, device)

    def both(bits: int, low: int, high: int) -> Numbers:
        x, y = (each.clip(low, high).astype(np.int64) & (1 << bits) - 1 for each in (a, b))
        return x << bits | y

    above = words(c).astype(np.int64)
    assert (found["s16"] == both(16, -(1 << 15), (1 << 15) - 1)).all()
    assert (found["u8"] == (above << 16 | both(8, 0, 255)) & 0xFFFFFFFF).all()
    assert (found["s4"] == (above << 8 | both(4, -8, 7)) & 0xFFFFFFFF).all()
