# SPDX-License-Identifier: Apache-2.0
"""Relational functions (6.12.6), all types and widths, against NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.frontend.opencl.built_ins import AS_SIGNED, AS_UNSIGNED, TYPES
from tests.frontend.opencl.running import DTYPES, Array, run_at_all_widths, same_bits

COUNT = 96

OF_TWO: dict[str, Callable[[Any, Any], Any]] = {
    "isequal": np.equal, "isnotequal": np.not_equal, "isgreater": np.greater, "isgreaterequal": np.greater_equal,
    "isless": np.less, "islessequal": np.less_equal, "islessgreater": lambda x, y: (x < y) | (x > y),
    "isordered": lambda x, y: (x == x) & (y == y), "isunordered": lambda x, y: (x != x) | (y != y),
}  # fmt: skip
OF_ONE: dict[str, Callable[[Any], Any]] = {
    "isfinite": np.isfinite, "isinf": np.isinf, "isnan": np.isnan, "signbit": np.signbit,
    "isnormal": lambda x: np.isfinite(x) & (np.abs(x) >= np.finfo(x.dtype).tiny),
}  # fmt: skip


def _bit_patterns(type_: str, seed: int) -> Array:
    """Random bits, which as floating-point numbers are of all kinds, and for those many special ones."""
    pick = np.random.default_rng(seed)
    dtype = np.dtype(DTYPES[type_])
    values = np.frombuffer(pick.bytes(COUNT * dtype.itemsize), dtype).copy()
    if dtype.kind == "f":
        tiny = np.finfo(dtype).smallest_subnormal
        special = [0.0, -0.0, np.inf, -np.inf, np.nan, 1, -1, tiny, -tiny, np.finfo(dtype).tiny, np.finfo(dtype).max]
        chosen = pick.random(COUNT) < 0.6
        values[chosen] = pick.choice(np.array(special, dtype), int(chosen.sum()))
    return values


@pytest.mark.parametrize("type_", ["float", "double", "half"])
def test_comparisons_and_classes(type_: str):
    x, y = _bit_patterns(type_, 1), _bit_patterns(type_, 2)
    calls = [f"{name}(x, y)" for name in OF_TWO] + [f"{name}(x)" for name in OF_ONE]
    wanted = [f(x, y) for f in OF_TWO.values()] + [f(x) for f in OF_ONE.values()]
    inputs = {"x": (type_, x), "y": (type_, y)}
    scalar = run_at_all_widths(inputs, dict.fromkeys(calls, "int"), widths=(1,))
    vectors = run_at_all_widths(inputs, dict.fromkeys(calls, AS_SIGNED[type_]), widths=(2, 3, 4, 8, 16))
    for (device, width), found in {**scalar, **vectors}.items():
        true = 1 if width == 1 else -1
        for call, truth in zip(calls, wanted, strict=True):
            expected = np.where(truth, true, 0)
            np.testing.assert_array_equal(found[call], expected, f"{call} of {type_}{width} on {device}")


@pytest.mark.parametrize("type_", TYPES)
def test_selections(type_: str):
    x, y, mask = (_bit_patterns(type_, seed) for seed in (3, 4, 5))
    signed, unsigned = AS_SIGNED[type_], AS_UNSIGNED[type_]
    condition = np.where(np.arange(COUNT) % 3 == 0, 0, mask.view(DTYPES[signed]))
    inputs = {"x": (type_, x), "y": (type_, y), "m": (type_, mask), "c": (signed, condition.astype(DTYPES[signed]))}
    calls = ["select(x, y, c)", f"select(x, y, as_{unsigned}N(c))", "bitselect(x, y, m)"]
    as_bits = [values.view(DTYPES[unsigned]) for values in (x, y, mask)]
    bits = (as_bits[0] & ~as_bits[2] | as_bits[1] & as_bits[2]).view(DTYPES[type_])
    for (device, width), found in run_at_all_widths(inputs, dict.fromkeys(calls, type_)).items():
        chosen = condition != 0 if width == 1 else condition < 0
        for call in calls:
            wanted = bits if call.startswith("bit") else np.where(chosen, y, x)
            assert same_bits(found[call], wanted).all(), f"{call} of {type_}{width} on {device}"


@pytest.mark.parametrize("type_", ["char", "short", "int", "long"])
@pytest.mark.parametrize("width", [1, 2, 3, 4, 8, 16])
def test_any_and_all(type_: str, width: int):
    import lanewise as lw

    n = "" if width == 1 else str(width)
    load = f"vload{n}(i, in)" if n else "in[i]"
    text = f"""kernel void k(global const {type_} *in, global int *out) {{
      size_t i = get_global_id(0);
      out[2 * i] = any({load});
      out[2 * i + 1] = all({load});
    }}"""
    kernel = lw.compile(text, language="opencl")["k"]
    rows = np.random.default_rng(width).choice(np.array([0, 1, -1, -128, 127, -1], DTYPES[type_]), (64, width))
    rows[0], rows[1], rows[2] = -1, 0, 1
    for device in ("cpu", "reference"):
        out = np.zeros((64, 2), np.int32)
        kernel.ndrange(64, device=device)(rows, out)
        np.testing.assert_array_equal(out, np.stack([(rows < 0).any(1), (rows < 0).all(1)], 1))
