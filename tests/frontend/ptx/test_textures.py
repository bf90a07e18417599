# SPDX-License-Identifier: Apache-2.0
"""Textures and surfaces of PTX: what CUDA C++ gives on the CPU, its PTX gives on each device."""

from typing import Any

import numpy as np
import pytest

import lanewise as lw

from .computing import module

SOURCE = """
extern "C" __global__ void fetches(float4 *out, cudaTextureObject_t line, cudaTextureObject_t image,
                                   cudaTextureObject_t layers, cudaTextureObject_t solid, cudaSurfaceObject_t surface) {
    int t = threadIdx.x;
    float x = t * 0.37f - 1, y = t * 0.21f;
    uchar2 pair = tex1Dfetch<uchar2>(line, t - 2);
    float layered = tex2DLayered<float>(layers, x, y, t % 3);
    out[4 * t] = make_float4(pair.x, pair.y, layered, tex3DLod<float>(solid, x, y, 1, 0));
    out[4 * t + 1] = tex2D<float4>(image, x, y);
    out[4 * t + 2] = tex2Dgather<float4>(image, x + 1, y, 2);
    short2 both = surf2Dread<short2>(surface, (t - 1) * 4, 1, cudaBoundaryModeZero);
    int4 wide = make_int4(0x12345678 + t, t, -t, 1);
    if (t < 2) surf2Dwrite(wide, surface, 16 * t, 2);
    float4 plain = tex2DGrad<float4>(image, x, y, make_float2(1, 0), make_float2(0, 1));
    out[4 * t + 3] = make_float4(both.x, both.y, plain.w, 0);
}
"""
RNG = np.random.default_rng(4)
LINE = RNG.integers(0, 256, (9, 2)).astype(np.uint8)
IMAGE = RNG.integers(0, 256, (4, 5, 4)).astype(np.uint8)
LAYERS = RNG.standard_normal((3, 4, 5)).astype(np.float32)
SOLID = RNG.standard_normal((3, 4, 5)).astype(np.float32)
LANES = 16


def arguments(out: Any, surface: Any) -> tuple[Any, ...]:
    return (
        out,
        lw.Texture(LINE, channels=2),
        lw.Texture(IMAGE, "linear", read="normalized", channels=4),
        lw.Texture(LAYERS, layered=True),
        lw.Texture(SOLID, "linear"),
        lw.Surface(surface, channels=2),
    )


def results(kernel: lw.Kernel, device: str, handles: bool) -> tuple[Any, Any]:
    out, surface = np.zeros((LANES, 4, 4), np.float32), np.arange(64, dtype=np.int16).reshape(4, 8, 2)
    given = arguments(out, surface)
    passed = [getattr(each, "handle", each) for each in given] if handles else given
    kernel.launch(1, LANES, tuple(passed), device=device)
    return out, surface


def test_fetches_and_accesses():
    source = lw.compile(SOURCE, language="cuda")
    wanted, written = results(source["fetches"], "cpu", handles=False)
    assert wanted[5, 0, :2].tolist() == LINE[3].tolist()
    ptx = lw.compile(source.ptx(arch="sm_80"))
    for kernel, device in ((ptx["fetches"], "cpu"), (ptx["fetches"], "reference"), (source["fetches"], "simt")):
        out, surface = results(kernel, device, handles=device != "simt")
        assert (out.view(np.uint32) == wanted.view(np.uint32)).all(), device
        assert (surface == written).all(), device


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_another_kind_of_texel_is_an_error(device: str):
    body = """
    .reg .b64 %d, %o; .reg .b32 %r<4>; ld.param.u64 %d, [t]; ld.param.u64 %o, [out];
    tex.1d.v4.s32.s32 {%r0, %r1, %r2, %r3}, [%d, {1}]; st.global.b32 [%o], %r0;
    """
    texture, out = lw.Texture(np.zeros(4, np.float32)), np.zeros(1, np.int32)
    with pytest.raises(lw.LaunchError, match=r"fetch of int.* from a 1-D texture that gives float"):
        module(body, [".u64 t", ".u64 .ptr .global .align 4 out"])["k"].launch(
            1, 1, (texture.handle, out), device=device
        )


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_accesses_of_64_bits(device: str):
    body = """
    .reg .b64 %d<3>; ld.param.u64 %d0, [s];
    suld.b.2d.v2.b64.trap {%d1, %d2}, [%d0, {0, 1}]; sust.b.2d.v2.b64.trap [%d0, {16, 0}], {%d2, %d1};
    """
    texels = np.arange(32, dtype=np.int32).reshape(4, 8)
    surface = lw.Surface(texels)
    module(body, [".u64 s"])["k"].launch(1, 1, (surface.handle,), device=device)
    assert texels[0].tolist() == [0, 1, 2, 3, 10, 11, 8, 9]


@pytest.mark.parametrize(
    ("instruction", "why"),
    [
        ("tex.2dms.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%d, {%r0, %r1, %r2, %r3}];", "its geometry is not supported"),
        ("tex.2d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%d, {%r0, %r1}];", "integers are supported for .1d alone"),
        ("sust.p.2d.b32.trap [%d, {%r0, %r1}], {%r2};", "by the surface's format"),
    ],
)
def test_forms_that_are_refused(instruction: str, why: str):
    with pytest.raises(lw.CompileError, match=why):
        module(f".reg .b64 %d; .reg .b32 %r<4>; .reg .f32 %f<4>;\n{instruction}")
