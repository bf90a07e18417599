# SPDX-License-Identifier: Apache-2.0
"""Common functions (6.12.4) and geometric functions (6.12.5) against NumPy in longer numbers."""

from __future__ import annotations

import numpy as np
import pytest
from tests.frontend.opencl.running import DEVICES, DTYPES, Array, run_at_all_widths

import lanewise as lw

FLOATS = ("float", "double", "half")
COUNT = 48


def _numbers(type_: str, seed: int) -> Array:
    values = np.random.default_rng(seed).uniform(-4, 4, COUNT)
    values[:6] = [0.0, -0.0, 1.0, -1.0, 2.5, -4.0]
    return values.astype(DTYPES[type_])


@pytest.mark.parametrize("type_", FLOATS)
def test_common_functions(type_: str):
    x, y, z = (_numbers(type_, seed) for seed in (1, 2, 3))
    a, b, c = (v.astype(np.longdouble) for v in (x, y, z))
    low, high = np.minimum(b, c), np.maximum(b, c)
    t = np.clip((a - b) / (b + 9 - b), 0, 1)
    wanted = {
        "max(x, y)": np.maximum(a, b),
        "min(x, y)": np.minimum(a, b),
        "clamp(x, min(y, z), max(y, z))": np.clip(a, low, high),
        "degrees(x)": np.degrees(a),
        "radians(x)": np.radians(a),
        "mix(x, y, z)": a + (b - a) * c,
        "step(y, x)": np.where(a < b, 0, 1),
        "smoothstep(y, y + 9, x)": t * t * (3 - 2 * t),
        "sign(x)": np.sign(a),
        f"max(x, ({type_})1)": np.maximum(a, 1),
        f"min(x, ({type_})1)": np.minimum(a, 1),
        f"clamp(x, ({type_})-1, ({type_})2)": np.clip(a, -1, 2),
        f"mix(x, y, ({type_})0.25)": a + (b - a) / 4,
        f"step(({type_})1, x)": np.where(a < 1, 0, 1),
        f"smoothstep(({type_})-4, ({type_})4, x)": ((a + 4) / 8) ** 2 * (3 - 2 * ((a + 4) / 8)),
    }
    inputs = {"x": (type_, x), "y": (type_, y), "z": (type_, z)}
    scale = 64 * np.finfo(DTYPES[type_]).eps
    for where, found in run_at_all_widths(inputs, dict.fromkeys(wanted, type_)).items():
        for call, expected in wanted.items():
            error = np.abs(found[call].astype(np.longdouble) - expected)
            assert (error <= scale * np.maximum(np.abs(expected), 1)).all(), f"{call} of {type_} at {where}"


def test_sign_and_order_of_special_numbers():
    x = np.resize(np.array([np.nan, 0.0, -0.0, np.inf, -np.inf, 1e-45], np.float32), 48)
    for where, found in run_at_all_widths({"x": ("float", x)}, {"sign(x)": "float"}).items():
        wanted = np.resize(np.array([0.0, 0.0, -0.0, 1, -1, 1], np.float32), 48)
        np.testing.assert_array_equal(found["sign(x)"].view("u4"), wanted.view("u4"), str(where))


def _vectors(type_: str, width: int, magnitude: float) -> Array:
    return (np.random.default_rng(width).uniform(-1, 1, (16, width)) * magnitude).astype(DTYPES[type_])


@pytest.mark.parametrize("type_", FLOATS)
@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_geometric_functions(type_: str, width: int):
    n = "" if width == 1 else str(width)
    load = f"vload{n}(i, %s)" if n else "%s[i]"
    cross = f"vstore{n}(cross(x, y), i, across);" if width > 2 else ""
    store = f"vstore{n}(normalize(x), i, unit);" if n else "unit[i] = normalize(x);"
    text = f"""#pragma OPENCL EXTENSION cl_khr_fp16 : enable
    kernel void k(global const {type_} *xs, global const {type_} *ys, global {type_} *numbers, global {type_} *unit,
                  global {type_} *across) {{
      size_t i = get_global_id(0);
      {type_}{n} x = {load % "xs"}, y = {load % "ys"};
      numbers[3 * i] = dot(x, y);
      numbers[3 * i + 1] = length(x);
      numbers[3 * i + 2] = distance(x, y);
      {store}
      {cross}
    }}"""
    kernel = lw.compile(text, language="opencl")["k"]
    information = np.finfo(DTYPES[type_])
    tolerance = 16 * information.eps
    # Next to the largest and the smallest normal numbers, squares aren't numbers of the type.
    for magnitude in (1.0, float(information.max) / 4, float(information.tiny) * 64):
        x, y = _vectors(type_, width, magnitude), _vectors(type_, width, magnitude)[::-1].copy()
        x[0] = 0
        a, b = (v.astype(np.longdouble) / magnitude for v in (x, y))
        for device in DEVICES:
            numbers, unit, across = (np.zeros((16, m), DTYPES[type_]) for m in (3, width, width))
            kernel.ndrange(16, device=device)(x, y, numbers, unit, across)
            scaled = numbers.astype(np.longdouble) / magnitude
            lengths = np.sqrt((a * a).sum(1))
            np.testing.assert_allclose(scaled[:, 1], lengths, rtol=tolerance, err_msg=f"length on {device}")
            away = np.sqrt(((a - b) ** 2).sum(1))
            np.testing.assert_allclose(scaled[:, 2], away, rtol=tolerance, err_msg=f"distance on {device}")
            wanted = a[1:] / lengths[1:, None]
            np.testing.assert_allclose(unit[1:].astype(np.longdouble), wanted, rtol=tolerance, err_msg=device)
            assert (unit[0] == 0).all()
            if magnitude == 1:
                np.testing.assert_allclose(scaled[:, 0], (a * b).sum(1), atol=tolerance)
                if width > 2:
                    np.testing.assert_allclose(across[:, :3], np.cross(a[:, :3], b[:, :3]), atol=tolerance)
                    assert (across[:, 3:] == 0).all()


def test_normalizing_what_is_infinite_or_no_number():
    text = "kernel void k(global float4 *v) { size_t i = get_global_id(0); v[i] = normalize(v[i]); }"
    kernel = lw.compile(text, language="opencl")["k"]
    for device in DEVICES:
        v = np.array(
            [[np.inf, 1, -2, 0], [np.inf, -np.inf, 3, 3], [np.nan, 1, 1, 1], [np.nan, np.inf, 0, 0]], np.float32
        )
        kernel.ndrange(4, device=device)(v)
        half = np.float32(np.sqrt(0.5))
        np.testing.assert_array_equal(v[0], [1, 0, -0.0, 0])
        np.testing.assert_allclose(v[1], np.array([half, -half, 0, 0]), rtol=1e-6)
        assert np.isnan(v[2:]).all()


@pytest.mark.parametrize(("type_", "large"), [("float", 2.0**62), ("double", 2.0**520)])
def test_small_components_of_large_vectors_keep_their_places(type_: str, large: float):
    kernel = lw.compile(f"kernel void k(global {type_}4 *v) {{ v[0] = normalize(v[0]); }}", language="opencl")["k"]
    tiniest = np.finfo(DTYPES[type_]).smallest_subnormal
    wanted = np.array([1, 5 * tiniest, -3 * tiniest, 0], DTYPES[type_])
    for device in DEVICES:
        v = wanted * np.array(large, DTYPES[type_])
        kernel.ndrange(1, device=device)(v)
        np.testing.assert_array_equal(v, wanted, err_msg=device)
