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


QUESTIONS = (
    "width", "height", "depth", "array_size", "channel_data_type", "channel_order", "normalized_coords",
    "num_mipmap_levels", "filter_mode",
)  # fmt: skip


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_queries(device: str):
    """PTX ISA 9.0, 5.3.3, has the numbers of types and orders."""
    asked = [*(f"txq.{word}.b32 %r0, [%d0];" for word in QUESTIONS), "suq.width.b32 %r0, [%d1];",
             "suq.channel_data_type.b32 %r0, [%d1];", "suq.channel_order.b32 %r0, [%d1];"]  # fmt: skip
    body = ".reg .b64 %d<3>; .reg .b32 %r<1>; ld.param.u64 %d0, [t]; ld.param.u64 %d1, [s]; ld.param.u64 %d2, [out];"
    body += "".join(f"{each} st.global.b32 [%d2+{4 * place}], %r0;\n" for place, each in enumerate(asked))
    kernel = module(body, [".u64 .ptr .global .align 4 out", ".u64 t", ".u64 s"])["k"]
    out = np.zeros(len(asked), np.int32)
    surface = lw.Surface(np.zeros((4, 8, 2), np.int16), channels=2)
    for texture, wanted in (
        (lw.Texture(LAYERS, layered=True), [5, 4, 1, 3, 0x10DE, 0x10B0, 0, 1, 0]),
        (lw.Texture(SOLID, "linear", normalized=True), [5, 4, 3, 1, 0x10DE, 0x10B0, 1, 1, 1]),
        (lw.Texture(IMAGE, "linear", read="normalized", channels=4), [5, 4, 1, 1, 0x10D2, 0x10B5, 0, 1, 1]),
        (lw.Texture(LINE, channels=2), [9, 1, 1, 1, 0x10DA, 0x10B2, 0, 1, 0]),
    ):
        kernel.launch(1, 1, (out, texture.handle, surface.handle), device=device)
        assert out.tolist() == [*wanted, 8, 0x10D8, 0x10B2]


def test_a_query_of_no_texture_is_an_error():
    body = ".reg .b64 %d; .reg .b32 %r; ld.param.u64 %d, [t]; txq.width.b32 %r, [%d]; @%p trap;"
    body = body.replace("@%p trap;", ".reg .pred %p; setp.eq.u32 %p, %r, 7; @%p trap;")
    for device in ("cpu", "reference"):
        with pytest.raises(lw.LaunchError, match="a texture handle is 0"):
            module(body, [".u64 t"])["k"].launch(1, 1, (0,), device=device)


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_formatted_stores(device: str):
    """Elements are counted, and numbers brought within the format."""
    body = """
    .reg .b64 %d<5>; ld.param.u64 %d0, [a]; ld.param.u64 %d1, [b]; ld.param.u64 %d2, [c]; ld.param.u64 %d3, [d];
    sust.p.2d.v2.b32.trap [%d0, {2, 1}], {-40000, 1234};
    sust.p.1d.b32.clamp [%d1, {99}], {300};
    sust.p.1d.v4.b32.zero [%d2, {1}], {0f3F800000, 0f477FF000, 0f33000000, 0f387FC000};
    sust.p.1d.v4.b32.zero [%d2, {-1}], {0, 0, 0, 0};
    sust.p.1d.v2.b32.trap [%d3, {1}], {0f3F8CCCCD, 0f00000000};
    """
    a, b = np.zeros((3, 4, 2), np.int16), np.zeros(8, np.uint8)
    c, d = np.zeros((2, 4), np.float16), np.zeros((2, 1), np.float32)
    surfaces = [lw.Surface(a, channels=2), lw.Surface(b), lw.Surface(c, channels=4), lw.Surface(d, channels=1)]
    arguments = tuple(each.handle for each in surfaces)
    module(body, [".u64 a", ".u64 b", ".u64 c", ".u64 d"])["k"].launch(1, 1, arguments, device=device)
    assert a[1, 2].tolist() == [-32768, 1234]
    assert np.count_nonzero(a) == 2
    assert b.tolist() == [0] * 7 + [255]
    assert c[1].view(np.uint16).tolist() == [0x3C00, 0x7C00, 0x0000, 0x03FF]
    assert not c[0].any()
    assert d[1, 0] == np.float32(1.1)


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_reductions_in_surfaces(device: str):
    body = """
    .reg .b64 %d<4>; .reg .b32 %r<4>;
    ld.param.u64 %d0, [a]; mov.u32 %r0, %tid.x; neg.s32 %r1, %r0; cvt.u64.u32 %d1, %r0; shl.b64 %d1, %d1, 33;
    sured.b.add.2d.u32.trap [%d0, {0, 0}], %r0;
    sured.b.min.2d.s32.trap [%d0, {4, 0}], %r1;
    sured.b.max.2d.u32.trap [%d0, {8, 0}], %r1;
    sured.b.or.2d.b32.trap [%d0, {12, 0}], %r0;
    sured.b.and.2d.b32.zero [%d0, {16, 0}], %r0;
    sured.b.add.2d.u64.trap [%d0, {0, 1}], %d1;
    sured.p.add.2d.u32.trap [%d0, {2, 1}], %r0;
    sured.b.add.2d.u32.zero [%d0, {0, 7}], %r0;
    """
    texels = np.zeros((2, 8), np.int32)
    surface = lw.Surface(texels)
    module(body, [".u64 a"])["k"].launch(2, 40, (surface.handle,), device=device)
    total = 2 * sum(range(40))
    assert texels[0].tolist() == [total, -39, -1, 63, 0, 0, 0, 0]
    assert texels[1].tolist() == [0, 2 * total, total, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_reductions_of_bits_by_the_format(device: str):
    """x counts numbers of the instruction's size; bits have a sign if the surface's numbers have one."""
    body = """
    .reg .b64 %d<3>;
    ld.param.u64 %d0, [a]; ld.param.u64 %d1, [b]; mov.b64 %d2, -3;
    sured.p.min.1d.b32.trap [%d0, {1}], -2;
    sured.p.max.1d.b32.clamp [%d0, {99}], -2;
    sured.p.min.1d.b64.trap [%d0, {1}], %d2;
    sured.p.min.1d.b32.trap [%d1, {1}], -2;
    sured.p.max.1d.b32.clamp [%d1, {-9}], -2;
    sured.p.max.1d.b32.zero [%d1, {4}], -2;
    """
    a, b = np.full(6, 7, np.int32), np.full(4, 7, np.uint32)
    surfaces = lw.Surface(a), lw.Surface(b)
    arguments = tuple(each.handle for each in surfaces)
    module(body, [".u64 a", ".u64 b"])["k"].launch(1, 1, arguments, device=device)
    assert a.tolist() == [7, -2, -3, -1, 7, 7]
    assert b.tolist() == [(1 << 32) - 2, 7, 7, 7]


@pytest.mark.parametrize(
    ("instruction", "why"),
    [
        ("tex.2dms.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%d, {%r0, %r1, %r2, %r3}];", "its geometry is not supported"),
        ("tex.2d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%d, {%r0, %r1}];", "integers are supported for .1d alone"),
        ("suld.p.2d.b32.trap {%r2}, [%d, {%r0, %r1}];", "by the surface's format"),
        ("txq.addr_mode_0.b32 %r0, [%d];", "this question is not supported"),
    ],
)
def test_forms_that_are_refused(instruction: str, why: str):
    with pytest.raises(lw.CompileError, match=why):
        module(f".reg .b64 %d; .reg .b32 %r<4>; .reg .f32 %f<4>;\n{instruction}")


NAMED = """.version 4.3
.target sm_30
.address_size 64
.global .texref image, unused;
.global .surfref line;
.tex .u32 old;
.visible .entry k(.param .u64 out)
{
    .reg .b32 %r<4>; .reg .b64 %d<3>; .reg .f32 %f<8>;
    ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x; cvt.rn.f32.u32 %f0, %r0;
    tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, {%f0, %f0}];
    mov.u64 %d1, image; txq.width.b32 %r1, [%d1]; txq.height.b32 %r2, [image];
    cvt.rn.f32.u32 %f2, %r1; fma.rn.f32 %f1, %f2, 0f42C80000, %f1; cvt.rn.f32.u32 %f2, %r2; add.f32 %f1, %f1, %f2;
    mul.wide.u32 %d2, %r0, 4; add.u64 %d2, %d2, %d0; st.global.f32 [%d2], %f1;
    shl.b32 %r3, %r0, 2; sust.b.1d.b32.trap [line, {%r3}], %r0;
    ret;
}
"""


@pytest.mark.parametrize("device", ["cpu", "reference", "simt"])
def test_by_name(device: str):
    """A name in a register or an instruction is the handle of what is bound to it."""
    compiled = lw.compile(NAMED)
    image, written, out = np.arange(32, dtype=np.uint8).reshape(4, 8), np.zeros(4, np.int32), np.zeros(4, np.float32)
    with pytest.raises(lw.LaunchError, match=r"nothing is bound to the texture reference image; call mod\.texture"):
        compiled["k"].launch(1, 4, (out,), device=device)
    compiled.texture("image").bind(image, read="normalized")
    compiled.surface("line").bind(written)
    compiled["k"].launch(1, 4, (out,), device=device)
    assert written.tolist() == [0, 1, 2, 3]
    assert out.tolist() == [np.float32(804) + np.float32(9 * i) / np.float32(255) for i in range(4)]


@pytest.mark.parametrize(
    ("found", "put", "message"),
    [
        (".global .texref image, unused;", ".global .b64 image;", "image is neither a register nor a .texref"),
        ("[image, {%f0, %f0}]", "[image, old, {%f0, %f0}]", "a sampler of its own is not supported"),
        (".texref image,", ".texref image[2],", r"image: a .texref that is an array"),
    ],
)
def test_no_texture_by_name(found: str, put: str, message: str):
    with pytest.raises(lw.CompileError, match=message):
        lw.compile(NAMED.replace(found, put))
