# SPDX-License-Identifier: Apache-2.0
"""Powers below all denormal numbers are products of 0: processors take long to round another number to 0."""

from __future__ import annotations

import re

import numpy as np
import pytest

import lanewise as lw
from lanewise.cache import Cache
from lanewise.config import from_environment
from lanewise.mathlib.library import math_library

SCALED = re.compile(r"call \w+ @__lw_scale_by_power_of_twof?\(\w+ (?:noundef )?(%[\w.]+)")


def _text_of(symbol: str) -> str:
    library = math_library(Cache(from_environment().cache_dir), fused=True)
    (unit,) = library.definitions_of([symbol]).values()
    return unit[f"@{symbol}"].text


@pytest.mark.parametrize(
    "symbol", ["expf", "exp2f", "exp10f", "exp", "exp2", "exp10", "pow", "powf", "powrf", "pownf", "rootnf"]
)
def test_what_is_scaled_is_0(symbol: str) -> None:
    text = _text_of(symbol)
    scaled = SCALED.findall(text)
    assert scaled
    for value in scaled:
        assert re.search(rf"{re.escape(value)} = select \w*\s?i1 .*\b0\.0+e\+00", text)


def test_the_fast_one_multiplies_0_too() -> None:
    assert re.search(r"= select \w*\s?i1 .*\b0\.0+e\+00", _text_of("__lw_fast_exp2f"))


def test_results_are_0_below_all_denormals_alone() -> None:
    source = "__global__ void k(float *x) { x[threadIdx.x] = expf(x[threadIdx.x]); }"
    x = np.array([-103.0, -103.9, -104.0, np.nextafter(np.float32(-104), np.float32(-105)), -1e30, -np.inf], np.float32)
    out = x.copy()
    lw.compile(source)["k"][1, 6](out)
    with np.errstate(under="ignore"):
        assert out.tolist() == np.exp(x.astype(np.float64)).astype(np.float32).tolist()
    assert not np.signbit(out).any()
