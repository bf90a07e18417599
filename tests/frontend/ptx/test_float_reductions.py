# SPDX-License-Identifier: Apache-2.0
"""redux.sync of floats, against NumPy."""

import numpy as np
import pytest

from .computing import DEVICES, module

BODY = """
.reg .b64 %rd<3>; .reg .b32 %r<5>; .reg .f32 %f<2>;
ld.param.u64 %rd0, [y]; ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [masks];
mov.u32 %r0, %tid.x; mad.wide.u32 %rd0, %r0, 4, %rd0; mad.wide.u32 %rd1, %r0, 4, %rd1; mad.wide.u32 %rd2, %r0, 4, %rd2;
ld.global.f32 %f0, [%rd1]; ld.global.u32 %r1, [%rd2];
redux.sync.OPERATION.f32 %f1, %f0, %r1;
st.global.f32 [%rd0], %f1;
"""
EVEN = 0x55555555
ROWS = (
    [1.5, -2.25, 3e38, -1e-40],
    [np.inf, 5, -np.inf, 0.5],
    [0.0, -0.0],
    [np.nan, 4, -3, 2, -np.nan],
    [np.nan],
)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("operation", ["min", "max", "min.abs", "max.abs.NaN", "min.NaN", "max.NaN"])
def test_float_reductions(operation: str, device: str):
    """A warp per row; its even and its odd lanes reduce by themselves, the latter what is half as large."""
    x = np.array([np.resize(np.repeat(np.array(row, "f4"), 2), 32) for row in ROWS], "f4")
    x[:, 1::2] *= np.float32(0.5)
    masks = np.tile(np.array([EVEN, EVEN << 1], "u4"), 16 * len(ROWS))
    y = np.zeros(x.shape, "f4")
    module(BODY.replace("OPERATION", operation), (".u64 y", ".u64 x", ".u64 masks"))["k"].launch(
        1, x.size, (y, x, masks), device=device
    )
    given = abs(x) if "abs" in operation else x
    kind = operation[:3]
    reduce = getattr(np, {"min": "minimum", "max": "maximum"}[kind] if "NaN" in operation else f"f{kind}").reduce
    for half in (0, 1):
        for row, found in zip(given[:, half::2], y[:, half::2], strict=True):
            wanted = reduce(row)
            if wanted == 0:
                wanted = np.float32(-0.0 if any(np.signbit(row)) and kind == "min" else 0.0)
            if np.isnan(wanted):
                assert (found.view("u4") == 0x7FFFFFFF).all()
            else:
                assert (found.view("u4") == wanted.view("u4")).all()
