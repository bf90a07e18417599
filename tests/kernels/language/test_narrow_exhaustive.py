# SPDX-License-Identifier: Apache-2.0
"""Functions of one half or bfloat16: all 65,536 arguments, against NumPy in double precision."""

from pathlib import Path

import numpy as np
import pytest

import lanewise as lw

from ..case import Array
from ..exact import BFLOAT16, HALF, Format, narrow_bits, narrow_values

ALL = np.arange(1 << 16, dtype=np.uint16)
TYPES = {"__half": HALF, "__nv_bfloat16": BFLOAT16}


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(Path(__file__).with_name("narrow.cu"))


def argument(format_: Format) -> Array:
    return ALL.view(np.float16) if format_ is HALF else ALL


def rounded_bits(values: Array, format_: Format) -> Array:
    """Bits of the nearest numbers of the format, ties to even; 0x7fff for NaNs."""
    if format_ is HALF:
        return narrow_bits(values, format_)
    single = values.astype(np.float32)
    bits = single.view(np.uint32).astype(np.int64)
    lower = np.where(np.abs(single.astype(np.float64)) > np.abs(values), bits - 1, bits)  # cut, not rounded
    odd = lower | (lower.astype(np.uint32).view(np.float32).astype(np.float64) != values)
    upper = (odd + 0x7FFF + (odd >> 16 & 1)) >> 16
    return np.where(np.isnan(values), 0x7FFF, upper).astype(np.uint16)


@pytest.mark.parametrize("type_", TYPES)
def test_functions_of_every_number(type_: str, module: lw.Module):
    format_ = TYPES[type_]
    out = np.zeros((ALL.size, 8), np.uint16)
    module[f"functions<{type_}>"][256, 256](out, argument(format_))
    with np.errstate(all="ignore"):
        x = narrow_values(ALL, format_)
        reciprocal_root = (1 / np.sqrt(x.astype(np.longdouble))).astype(np.float64)
        results = [np.ceil(x), np.floor(x), np.rint(x), np.trunc(x), np.sqrt(x), reciprocal_root, 1 / x, 1 / x]
        for column, wanted in enumerate(results):
            found, bits = out[:, column], rounded_bits(wanted, format_)
            assert not np.flatnonzero(found != bits).size, f"{type_}: result {column}"


@pytest.mark.parametrize("type_", TYPES)
def test_integers_of_every_number(type_: str, module: lw.Module):
    format_ = TYPES[type_]
    out, floats = np.zeros((ALL.size, 28), np.int64), np.zeros(ALL.size, np.float32)
    module[f"from_{'half' if format_ is HALF else 'bfloat16'}"][256, 256](out, floats, argument(format_))
    x = np.nan_to_num(narrow_values(ALL, format_), nan=0.0, posinf=np.inf, neginf=-np.inf)
    assert np.array_equal(floats, x.astype(np.float32))
    for row, choose in enumerate((np.rint, np.trunc, np.ceil, np.floor)):
        for column, low, high in (
            *((0, -(2**31), 2**31 - 1), (1, 0, 2**32 - 1)),
            *((4, -(2**15), 2**15 - 1), (5, 0, 2**16 - 1)),
        ):
            assert np.array_equal(out[:, 6 * row + column], np.clip(choose(x), low, high).astype(np.int64))
