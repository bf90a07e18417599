# SPDX-License-Identifier: Apache-2.0
"""Explicit conversions (6.2.3): all values of 8 and 16 bits to all types in all rounding modes, chosen ones of wider
types, against exact arithmetic. Out of range, without _sat, any value is right."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from tests.frontend.opencl.running import BLOCK, DTYPES, Array, run_at_all_widths, same_bits
from tests.sampling import EVERY_SHAPE

MODES = ("", "_rte", "_rtz", "_rtp", "_rtn")
FLOATS = ("half", "float", "double")
INTEGERS = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")
TYPES = (*INTEGERS, *FLOATS)
TO_INTEGRAL: dict[str, Callable[[Array], Array]] = {
    "": np.trunc, "_rte": np.rint, "_rtz": np.trunc, "_rtp": np.ceil, "_rtn": np.floor,
}  # fmt: skip


def _expression(to: str, kind: str) -> str:
    return f"convert_{to}N{kind}(x)"


def _kinds(to: str) -> list[str]:
    return [sat + mode for sat in (("",) if to in FLOATS else ("", "_sat")) for mode in MODES]


def _range(type_: str) -> tuple[int, int]:
    info = np.iinfo(DTYPES[type_])
    return int(info.min), int(info.max)


# -- small types: their values are doubles, and all of them are tried


def _all_values(type_: str) -> Array:
    size = np.dtype(DTYPES[type_]).itemsize
    values = np.arange(1 << 8 * size, dtype=f"u{size}").view(DTYPES[type_])
    return np.resize(values, -(-len(values) // BLOCK) * BLOCK)


@np.errstate(all="ignore")
def _of_doubles(values: Array, to: str, kind: str) -> tuple[Array, Array]:
    """What doubles become, and where that is the only right answer."""
    mode = kind.removeprefix("_sat")
    if to in FLOATS:
        near: Any = values.astype(DTYPES[to])
        back, up, down = near.astype(np.float64), DTYPES[to](np.inf), DTYPES[to](-np.inf)
        if mode == "_rtp" or mode == "_rtz":
            near = np.where((back < values) & ((mode == "_rtp") | (values < 0)), np.nextafter(near, up), near)
        if mode == "_rtn" or mode == "_rtz":
            near = np.where((back > values) & ((mode == "_rtn") | (values > 0)), np.nextafter(near, down), near)
        return near, np.full(len(values), True)
    low, high = _range(to)
    whole = TO_INTEGRAL[mode](values)
    in_range = (whole >= low) & (whole <= high)
    clipped = [0 if v != v else low if v < low else high if v > high else int(v) for v in whole.tolist()]
    return np.array(clipped, DTYPES[to]), in_range if "_sat" not in kind else np.full(len(values), True)


@pytest.mark.parametrize("from_", ["char", "uchar", "short", "ushort", "half"])
def test_all_values_of_small_types(from_: str):
    values = _all_values(from_)
    expressions = {_expression(to, kind): to for to in TYPES for kind in _kinds(to)}
    found = run_at_all_widths({"x": (from_, values)}, expressions, widths=(2,), devices=("cpu",))["cpu", 2]
    for to in TYPES:
        for kind in _kinds(to):
            wanted, counts = _of_doubles(values.astype(np.float64), to, kind)
            wrong = counts & ~same_bits(found[_expression(to, kind)], wanted)
            assert not wrong.any(), f"convert_{to}{kind} of {from_} {values[wrong][:4]}"


# -- all types: values next to where something happens, on both devices


@np.errstate(all="ignore")
def _chosen(type_: str) -> Array:
    """Ends of ranges, halves between integers, ties and powers of two, and random numbers of all magnitudes."""
    pick = random.Random(5)
    count = 2 * BLOCK
    near = [0, 1, 2, 3, 2**11, 2**24, 2**53, 65504, 65519, 65520, 65535]
    near += [end for to in INTEGERS for end in _range(to)]
    whole = [number + step for number in near for step in (-1, 0, 1)]
    whole += [pick.choice((1, -1)) * pick.getrandbits(pick.randint(1, 64)) for _ in range(count)]
    if type_ in INTEGERS:
        low, high = _range(type_)
        values: list[Any] = [number for number in whole if low <= number <= high]
    else:
        values = [
            0.5,
            -0.5,
            1.5,
            2.5,
            -2.5,
            -0.0,
            math.inf,
            -math.inf,
            math.nan,
            1e-8,
            -1e-8,
            1e300,
            1e39,
            6e-8,
            2.9e-8,
        ]
        values += [pick.choice((number, number + 0.5, float(number) * (1 + 2.0**-30))) for number in whole]
    pick.shuffle(values)
    return np.resize(np.array(values, DTYPES[type_]), count)


def _exact(value: Any) -> Any:
    return Fraction(value.item()) if np.isfinite(value) else value.item()


@np.errstate(all="ignore")
def _of_one(value: Any, to: str, kind: str) -> Any:
    """What a number of any type becomes; None where any answer is right."""
    mode, exact = kind.removeprefix("_sat"), _exact(value)
    if to in INTEGERS:
        low, high = _range(to)
        if not isinstance(exact, Fraction):
            return None if "_sat" not in kind else 0 if exact != exact else low if exact < 0 else high
        rounding = {"": math.trunc, "_rtz": math.trunc, "_rte": round, "_rtp": math.ceil, "_rtn": math.floor}[mode]
        whole = rounding(exact)
        if "_sat" in kind:
            return min(max(whole, low), high)
        if low <= whole <= high:
            return whole
        return (whole - low) % (high - low + 1) + low if isinstance(value, np.integer) else None
    float_type = DTYPES[to]
    near = float_type(float(exact)) if isinstance(exact, Fraction) else float_type(exact)
    if not isinstance(exact, Fraction):
        return near
    up, down = float_type(np.inf), float_type(-np.inf)
    around = sorted({near, np.nextafter(near, up), np.nextafter(near, down)})
    below = [n for n in around if n <= exact or n == -np.inf][-1]
    above = next(n for n in around if n >= exact or n == np.inf)
    towards_zero = below if exact > 0 else above
    directed = {"_rtp": above, "_rtn": below, "_rtz": towards_zero}
    if mode in directed:
        return directed[mode]
    if np.isinf(near) or np.isinf(below) or np.isinf(above) or below == above:
        return near
    to_below, to_above = exact - _exact(below), _exact(above) - exact
    if to_below == to_above:
        return below if int(below.view(f"u{below.itemsize}")) % 2 == 0 else above
    return below if to_below < to_above else above


@pytest.mark.parametrize("from_", TYPES)
def test_chosen_values_of_all_types(from_: str):
    """All widths, each with some of the modes. Together they have a third of these, others with the next type; all with
    LANEWISE_TEST_ALL_SHAPES=1."""
    values = _chosen(from_)
    pairs = [(to, kind) for to in TYPES for kind in _kinds(to)]
    if not EVERY_SHAPE:
        pairs = pairs[TYPES.index(from_) % 3 :: 3]
    for turn, width in enumerate((1, 2, 3, 4, 8, 16)):
        some = pairs[turn::6]
        expressions = {_expression(to, kind): to for to, kind in some}
        for (device, _), found in run_at_all_widths({"x": (from_, values)}, expressions, widths=(width,)).items():
            for to, kind in some:
                got = found[_expression(to, kind)]
                for value, result in zip(values, got, strict=True):
                    wanted = _of_one(value, to, kind)
                    if wanted is None:
                        continue
                    same = result == wanted or (result != result and wanted != wanted)
                    assert same, (
                        f"convert_{to}{width}{kind} of {from_} {value!r} on {device}: {result!r}, not {wanted!r}"
                    )
