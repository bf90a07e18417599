# SPDX-License-Identifier: Apache-2.0
"""PTX for the first GPUs: what it leaves unsaid."""

import numpy as np
import pytest

import lanewise as lw

TEXT = """
.version 1.3
.target sm_11, map_f64_to_f32
.entry k (.param .u64 out, .param .f32 a, .param .f32 b)
{
    .reg .u32 %r<4>; .reg .u64 %rd<3>; .reg .f32 %f<7>; .reg .u16 %rh<2>;
    mov.u16 %rh1, %tid.x;
    cvt.u32.u16 %r1, %rh1;
    mul24.lo.u32 %r2, %r1, 16;
    cvt.u64.u32 %rd1, %r2;
    ld.param.u64 %rd2, [out];
    add.u64 %rd1, %rd1, %rd2;
    ld.param.f32 %f1, [a];
    ld.param.f32 %f2, [b];
    add.f32 %f3, %f1, %f2;
    mad.f32 %f4, %f1, %f2, %f2;
    div.f32 %f5, %f2, %f1;
    cvt.rn.f32.u16 %f6, %ctaid.x;
    st.global.v4.f32 [%rd1+0], {%f3, %f4, %f5, %f6};
    exit;
}
"""
TINY = np.float32(1e-40)


@pytest.mark.parametrize("device", ["cpu", "reference", "simt"])
def test_arithmetic(device: str):
    """Products and sums are rounded once, and denormals are zeros."""
    kernel, out = lw.compile(TEXT)["k"], np.zeros((2, 4), np.float32)
    third = np.float32(1) / np.float32(3)
    kernel.launch(1, 2, (out, third, np.float32(3)), device=device)
    once = np.float32(np.float64(third) * 3 + 3)
    assert out.tolist() == [[third + np.float32(3), once, np.float32(3) / third, 0]] * 2
    kernel.launch(1, 2, (out, np.float32(1), TINY), device=device)
    assert out.tolist() == [[1, 0, 0, 0]] * 2


@pytest.mark.parametrize("head", [".version 1.3\n.target sm_13", ".version 2.3\n.target sm_20\n.address_size 64"])
def test_later_targets_keep_denormals(head: str):
    text = TEXT.replace(".version 1.3\n.target sm_11, map_f64_to_f32", head)
    if "sm_20" in head:
        text = text.replace("mad.f32", "mad.rn.f32").replace("div.f32", "div.rn.f32")
    out = np.zeros((1, 4), np.float32)
    lw.compile(text)["k"].launch(1, 1, (out, np.float32(0), TINY))
    assert out[0, 0] == (TINY if "sm_20" in head else 0)


def test_double_precision_computed_in_single_is_refused():
    text = TEXT.replace("exit;", ".reg .f64 %d; cvt.f64.f32 %d, %f1; exit;")
    with pytest.raises(lw.CompileError, match=r"20:.*cvt.f64.f32: double precision under .target map_f64_to_f32"):
        lw.compile(text)
